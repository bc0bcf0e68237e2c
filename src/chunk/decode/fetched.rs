//! Decoding of a chunk of which only parts were fetched.

use std::ops::Range;

use super::super::copy::copy_into;
use super::super::front::ChunkFront;
use super::super::layout::Payload;
use super::super::parsed::ChunkPart;
#[cfg(feature = "frame")]
use super::super::parsed::Parsed;
#[cfg(feature = "frame")]
use super::super::ranges::check_range;
use super::super::ranges::len_of_ranges;
use super::decoder::{ChunkDecoder, front};
use crate::error::Result;

impl ChunkDecoder {
    /// Decompresses many ranges of bytes of a chunk, of which only parts were fetched,
    /// consecutively into the front of `dst`, and returns their number
    /// ([format §8.3](crate::format#8.3)).
    ///
    /// `parts` are bytes of the chunk, in order: at least those that [`ChunkFront::missing`] names
    /// for these ranges. The example is at [`ChunkFront`].
    ///
    /// # Errors
    /// As [`decode_ranges_into`](Self::decode_ranges_into), and [`Error::Truncated`] where bytes
    /// of the chunk are not in `parts`; [`Error::InvalidParam`] when these are not in order or
    /// overlap.
    ///
    /// [`Error::Truncated`]: crate::Error::Truncated
    /// [`Error::InvalidParam`]: crate::Error::InvalidParam
    #[doc(alias = "blosc2_getitem_ctx")]
    pub fn decode_parts_into(
        &mut self,
        front_of: &ChunkFront,
        parts: &[ChunkPart<'_>],
        wanted: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let view = front_of.view(parts)?;
        let len = len_of_ranges(view.layout(), wanted)?;
        let mut dst = front(dst, len)?;
        if matches!(view.layout().payload, Payload::Memcpyed(_))
            && self.dparams().postfilter.is_none()
        {
            for range in wanted {
                let (to, rest) = dst.split_at_mut(range.len());
                copy_into(view.copied(range)?, to);
                dst = rest;
            }
        } else {
            self.decode_many(&view, wanted, dst)?;
        }
        Ok(len)
    }

    /// Decompresses some bytes of a chunk, of which the `front` up to its blocks and the bytes of
    /// consecutive blocks were fetched, into the front of `dst` and returns their number.
    #[cfg(feature = "frame")]
    pub(crate) fn decode_from_parts(
        &mut self,
        front_bytes: &[u8],
        blocks: ChunkPart<'_>,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let parts = [blocks];
        let view = Parsed::in_parts(front_bytes, &parts)?;
        check_range("byte", &bytes, view.nbytes())?;
        let len = bytes.len();
        self.decode_range(&view, bytes, front(dst, len)?)?;
        Ok(len)
    }
}
