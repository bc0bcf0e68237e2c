//! The chunk under construction: header, block offsets and blocks.

use super::super::header::{BLOSC1_HEADER_LEN, ChunkHeader, HEADER_LEN, flag};
use super::super::layout::BSTART_LEN;
use super::super::scratch::Worker;
use super::super::tune::Cut;
use super::block::BlockEncoder;
use crate::error::Result;
use crate::filter::id::FilterId;
use crate::num::saturating_u32;
use crate::params::CParams;
use crate::stream::Full;

/// The header and the rules of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// 32 bytes, by the rules of [format §2](crate::format#2).
    Blosc2,
    /// 16 bytes, by the rules of [format §1.9](crate::format#1.9).
    Blosc1,
}

impl Form {
    /// The length of the header in bytes.
    pub(super) fn header_len(self) -> usize {
        match self {
            Self::Blosc2 => HEADER_LEN,
            Self::Blosc1 => BLOSC1_HEADER_LEN,
        }
    }
}

/// The result of compressing.
pub(super) enum Outcome {
    /// The chunk is in the destination and has this length.
    Written(usize),
    /// The chunk is this header alone.
    Header(ChunkHeader),
    /// The chunk is this header and a copy of the data.
    Copy(ChunkHeader),
}

/// Writes a header to the front of `dst`.
pub(super) fn put_header(header: &ChunkHeader, dst: &mut [u8]) {
    let bytes = header.to_bytes();
    let len = header.len();
    dst[..len].copy_from_slice(&bytes[..len]);
}

/// The flags of a chunk that is compressed ([format §1.2](crate::format#1.2)).
pub(super) fn flags(cparams: &CParams, cut: Cut, form: Form) -> u8 {
    let mut flags = cparams.codec.compformat().unwrap_or(0) << 5;
    if !cut.split {
        flags |= flag::UNSPLIT;
    }
    for slot in &cparams.filters {
        flags |= match slot.id {
            FilterId::DELTA => flag::DELTA,
            FilterId::SHUFFLE if form == Form::Blosc1 => flag::SHUFFLE,
            FilterId::BITSHUFFLE if form == Form::Blosc1 => flag::BITSHUFFLE,
            _ => 0,
        };
    }
    flags
}

/// The destination of a chunk's blocks.
#[derive(Debug)]
pub(super) struct Output<'d> {
    pub(super) dst: &'d mut [u8],
    /// The length of the header.
    pub(super) head: usize,
    /// Start of the next block.
    pub(super) end: usize,
}

impl Output<'_> {
    /// Writes the offset of a block that begins at the end.
    pub(super) fn put_bstart(&mut self, block: usize) {
        // Chunks are shorter than 2 GiB.
        let bstart = saturating_u32(self.end).to_le_bytes();
        let at = self.head + BSTART_LEN * block;
        self.dst[at..at + BSTART_LEN].copy_from_slice(&bstart);
    }

    /// Encodes a block to the end, by [`BlockEncoder::encode_after`].
    pub(super) fn encode(
        &mut self,
        blocks: &BlockEncoder<'_>,
        worker: &mut Worker,
        block: usize,
        raw: &mut Option<usize>,
    ) -> Result<Result<(), Full>> {
        let end = blocks.encode_after(worker, block, self.dst, self.end, raw)?;
        Ok(end.map(|end| self.end = end))
    }
}
