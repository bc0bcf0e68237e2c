//! New arrays of one value, which is stored once per chunk.

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::{Element, stored_bytes};
use crate::b2nd::layout::params::ArrayParams;
use crate::b2nd::write::target::ArrayTarget;
use crate::chunk::Special;
use crate::error::{Error, Result};
use crate::num::saturating_i64;
use crate::schunk::{ChunkSink, SChunk};

impl Array<SChunk> {
    /// An array of zeros in memory ([format §11.4](crate::format#11.4)).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] for shapes that do not fit together.
    #[doc(alias = "b2nd_zeros")]
    #[doc(alias = "b2nd_empty")]
    pub fn zeros(params: &ArrayParams) -> Result<Self> {
        Self::zeros_in(Self::sink(params)?, params)
    }

    /// An array in memory with the same element everywhere ([format §11.4](crate::format#11.4)).
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype of the parameters is not that of `T`;
    /// [`Error::InvalidParam`] for shapes that do not fit together.
    #[doc(alias = "b2nd_full")]
    pub fn full<T: Element>(value: T, params: &ArrayParams) -> Result<Self> {
        let value = [value];
        let item = stored_bytes(&value, &params.dtype.swap::<T>()?);
        Self::full_in(Self::sink(params)?, &item, params)
    }

    /// An array of NaN in memory ([format §11.4](crate::format#11.4)).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when elements do not have 4 or 8 bytes, or the shapes do not fit
    /// together.
    #[doc(alias = "b2nd_nans")]
    pub fn nans(params: &ArrayParams) -> Result<Self> {
        Self::nans_in(Self::sink(params)?, params)
    }

    /// An array in memory without defined elements, which takes no space. They read as zeros
    /// ([format §11.4](crate::format#11.4)).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] for shapes that do not fit together.
    #[doc(alias = "b2nd_uninit")]
    pub fn uninit(params: &ArrayParams) -> Result<Self> {
        Self::uninit_in(Self::sink(params)?, params)
    }
}

impl<C: ChunkSink> Array<C> {
    /// An array of zeros in `chunks`.
    ///
    /// # Errors
    /// As [`from_bytes_in`](Self::from_bytes_in).
    pub fn zeros_in(target: impl ArrayTarget<Sink = C>, params: &ArrayParams) -> Result<Self> {
        Self::special_in(target, Special::Zeros, params)
    }

    /// An array of NaN in `chunks`.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when elements do not have 4 or 8 bytes; otherwise as
    /// [`from_bytes_in`](Self::from_bytes_in).
    pub fn nans_in(target: impl ArrayTarget<Sink = C>, params: &ArrayParams) -> Result<Self> {
        let typesize = params.typesize()?;
        if typesize != 4 && typesize != 8 {
            return Err(Error::InvalidParam {
                name: "typesize of an array of NaN",
                value: saturating_i64(typesize),
                expected: "4 or 8 bytes",
            });
        }
        Self::special_in(target, Special::Nans, params)
    }

    /// An array without defined elements in `chunks`; they read as zeros.
    ///
    /// # Errors
    /// As [`from_bytes_in`](Self::from_bytes_in).
    pub fn uninit_in(target: impl ArrayTarget<Sink = C>, params: &ArrayParams) -> Result<Self> {
        Self::special_in(target, Special::Uninit, params)
    }

    /// An array in `chunks` with the same element everywhere, given as bytes.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `item` does not have the size of an element; otherwise as
    /// [`from_bytes_in`](Self::from_bytes_in).
    pub fn full_in(
        target: impl ArrayTarget<Sink = C>,
        item: &[u8],
        params: &ArrayParams,
    ) -> Result<Self> {
        if item.len() != params.typesize()? {
            return Err(Error::InvalidParam {
                name: "size of the element",
                value: saturating_i64(item.len()),
                expected: "the item size of the dtype",
            });
        }
        let zeros = item.iter().all(|&byte| byte == 0);
        let special = if zeros {
            Special::Zeros
        } else {
            Special::Repeat(item)
        };
        Self::special_in(target, special, params)
    }

    fn special_in(
        target: impl ArrayTarget<Sink = C>,
        special: Special<'_>,
        params: &ArrayParams,
    ) -> Result<Self> {
        Self::make(target, params, |array| array.append_special(special))
    }

    /// Stores all chunks of a new array, each of one special value.
    pub(crate) fn append_special(&mut self, special: Special<'_>) -> Result<()> {
        if self.grid.nchunks() > 0 {
            let chunksize = self.grid.chunksize();
            let mut builder = self.take_builder(None)?;
            let chunk = builder.encoder.encode_special(special, chunksize)?;
            self.keep_builder(builder);
            for _ in 0..self.grid.nchunks() {
                self.chunks.append_chunk(&chunk)?;
            }
        }
        Ok(())
    }
}
