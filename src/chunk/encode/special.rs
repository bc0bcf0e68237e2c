//! Special chunks: one value that fills the whole chunk, in 32 bytes and the value
//! ([format §4](crate::format#4)).

use super::super::header::{ChunkHeader, HEADER_LEN, VERSION, flag, flag_b2};
use super::super::special::Special;
use super::super::tune::Cut;
use super::check::check_nbytes;
use super::encoder::ChunkEncoder;
use crate::codec::id::CodecId;
use crate::error::{Error, Result};
use crate::filter::id::{FilterSlot, MAX_FILTERS};
use crate::num::saturating_u32;
use crate::params::CParams;

impl ChunkEncoder {
    /// Encodes a chunk of `nbytes` bytes that repeats one value, in 32 bytes and the value
    /// ([format §4](crate::format#4)).
    ///
    /// ```
    /// use oxiblosc::{decompress, ChunkEncoder, CParams, Special};
    /// let chunk = ChunkEncoder::new(CParams::new(4))?.encode_special(Special::Zeros, 4000)?;
    /// assert_eq!(chunk.len(), 32);
    /// assert_eq!(decompress(&chunk)?, [0; 4000]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `nbytes` is no multiple of the typesize, for NaN of another
    /// typesize than 4 and 8, and for a repeated value that is not one item.
    pub fn encode_special(&mut self, special: Special<'_>, nbytes: usize) -> Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.encode_special_append(special, nbytes, &mut chunk)?;
        Ok(chunk)
    }

    /// [`encode_special`](Self::encode_special) into the front of `dst`; returns the length of the
    /// chunk ([format §4](crate::format#4)).
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`] when the chunk does not fit; else as
    /// [`encode_special`](Self::encode_special).
    pub fn encode_special_into(
        &mut self,
        special: Special<'_>,
        nbytes: usize,
        dst: &mut [u8],
    ) -> Result<usize> {
        let header = special_header(self.cparams(), special, nbytes)?;
        let value = special.value();
        let (needed, available) = (HEADER_LEN + value.len(), dst.len());
        let Some(dst) = dst.get_mut(..needed) else {
            return Err(Error::OutputTooSmall { needed, available });
        };
        let (front, rest) = dst.split_at_mut(HEADER_LEN);
        front.copy_from_slice(&header.to_bytes());
        rest.copy_from_slice(value);
        Ok(needed)
    }

    /// [`encode_special`](Self::encode_special), appended to `dst`; returns the length of the chunk
    /// ([format §4](crate::format#4)).
    ///
    /// # Errors
    /// As [`encode_special`](Self::encode_special); `dst` is then unchanged.
    pub fn encode_special_append(
        &mut self,
        special: Special<'_>,
        nbytes: usize,
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let header = special_header(self.cparams(), special, nbytes)?;
        let value = special.value();
        dst.reserve(HEADER_LEN + value.len());
        dst.extend_from_slice(&header.to_bytes());
        dst.extend_from_slice(value);
        Ok(HEADER_LEN + value.len())
    }
}

/// The header of a special chunk.
fn special_header(cparams: &CParams, special: Special<'_>, nbytes: usize) -> Result<ChunkHeader> {
    let stored = check_nbytes(nbytes)?;
    special.check(cparams.typesize, nbytes)?;
    let cut = Cut::new(cparams, nbytes);
    Ok(ChunkHeader {
        version: VERSION,
        versionlz: 1,
        flags: flag::EXTENDED,
        typesize: u8::try_from(cut.typesize).unwrap_or(1),
        nbytes: stored,
        blocksize: u32::try_from(cut.blocksize).unwrap_or(1).min(stored.max(1)),
        cbytes: saturating_u32(HEADER_LEN + special.value().len()),
        filters: [FilterSlot::NONE; MAX_FILTERS],
        udcodec: CodecId::BLOSCLZ,
        codec_meta: 0,
        flags2: 0,
        blosc2_flags: special.code() << flag_b2::SPECIAL_SHIFT,
    })
}
