//! The index of a frame ([format §9.2](crate::format#9.2)): the position of each chunk, compressed
//! as a chunk.
//!
//! An entry is 8 bytes. In a contiguous frame it is the distance of the chunk from the end of the
//! header, in a sparse frame the number of its file. Negative entries stand for chunks that are
//! a single special value and have no bytes.

use crate::chunk::{ChunkEncoder, ChunkView, Special};
use crate::codec::CodecId;
use crate::error::{Error, Part, Result};
use crate::filter::FilterSlot;
use crate::limits::{self, Limits};
use crate::num::saturating_i64;
use crate::params::{CParams, DParams, SplitMode};
use crate::schunk::{MIN_CHUNK_LEN, metadata_decoder};

/// The block size of the index chunk, in bytes.
const BLOCKSIZE: usize = 16384;
/// The bytes of an entry.
const ENTRY_LEN: usize = 8;

const ZEROS: i64 = code(0x81);
const NANS: i64 = code(0x82);
const UNINIT: i64 = code(0x84);

/// The kind of a special entry stands in its top byte.
const fn code(kind: u8) -> i64 {
    i64::from_le_bytes([0, 0, 0, 0, 0, 0, 0, kind])
}

/// An entry of the index.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// The chunk is stored: at this distance from the header, or in the file with this number.
    Stored(u64),
    /// The chunk is one value throughout.
    Special(Special<'static>),
}

impl Entry {
    /// Reads an entry; `None` when it is negative and not one of the three codes.
    ///
    /// C looks at single bits of the top byte and at nothing else, so it takes -5 for zeros; it
    /// writes these three only. Whatever else is negative is damage.
    pub(crate) fn from_raw(raw: i64) -> Option<Self> {
        if let Ok(place) = u64::try_from(raw) {
            return Some(Self::Stored(place));
        }
        Some(Self::Special(match raw {
            ZEROS => Special::Zeros,
            NANS => Special::Nans,
            UNINIT => Special::Uninit,
            _ => return None,
        }))
    }
}

/// The entry for a special value; `None` for repeated values, which are stored as chunks.
pub(crate) fn special_entry(special: Special<'_>) -> Option<i64> {
    match special {
        Special::Zeros => Some(ZEROS),
        Special::Nans => Some(NANS),
        Special::Uninit => Some(UNINIT),
        _ => None,
    }
}

/// Decodes an index chunk of `nchunks` entries, or of any number when that is `None`.
///
/// Offsets in errors count from the start of the chunk.
pub(crate) fn decode(chunk: &[u8], nchunks: Option<u64>, dparams: &DParams) -> Result<Vec<i64>> {
    let limits = &dparams.limits;
    // The index is bounded by the number of chunks, not by the size of one.
    let view = ChunkView::parse(chunk, &limits.max_chunk_nbytes(u64::from(u32::MAX >> 1)))?;
    let nbytes = u64::from(view.header().nbytes);
    let stored = nbytes / ENTRY_LEN as u64;
    let expected = nchunks.unwrap_or(stored).saturating_mul(ENTRY_LEN as u64);
    if nbytes != expected {
        return Err(Error::unequal(Part::Index, 4, "nbytes", nbytes, expected));
    }
    check_nchunks(stored, limits, 4)?;
    limits.check_alloc(nbytes, Some(4))?;
    // The bytes and the numbers are in memory at the same time.
    limits::check_memory(nbytes.saturating_mul(2), Some(4))?;
    let bytes = metadata_decoder(dparams, Limits::FORMAT).decode(chunk)?;
    let (entries, _) = bytes.as_chunks::<ENTRY_LEN>();
    Ok(entries
        .iter()
        .map(|&entry| i64::from_le_bytes(entry))
        .collect())
}

/// Refuses more chunks than the limits allow; `offset` is where their number comes from.
pub(crate) fn check_nchunks(nchunks: u64, limits: &Limits, offset: u64) -> Result<()> {
    limits::check("max_nchunks", nchunks, limits.max_nchunks, Some(offset))
}

/// Checks that every entry can be what it has to be; `section` is the length of the chunks
/// section of a contiguous frame. `base` is the offset of the index chunk, for the error.
pub(crate) fn validate(entries: &[i64], section: Option<u64>, base: u64) -> Result<()> {
    let most = match section {
        Some(section) => saturating_i64(section.saturating_sub(MIN_CHUNK_LEN)),
        None => i64::from(u32::MAX),
    };
    let room = section.is_none_or(|section| section >= MIN_CHUNK_LEN);
    for (nchunk, &raw) in (0..).zip(entries) {
        match Entry::from_raw(raw) {
            Some(Entry::Special(_)) => {}
            Some(Entry::Stored(_)) if room && raw <= most => {}
            _ => {
                let max = if room { most } else { -1 };
                let field = match raw {
                    0.. => "index entry",
                    _ => "index entry of no known special value",
                };
                let error = Error::out_of_range(Part::Index, base, field, raw, 0, max);
                return Err(error.in_chunk(nchunk));
            }
        }
    }
    Ok(())
}

/// Encodes an index as C does.
pub(crate) fn encode(entries: &[i64]) -> Result<Vec<u8>> {
    let cparams = CParams::new(ENTRY_LEN)
        .codec(CodecId::BLOSCLZ)
        .clevel(5)
        .filters([FilterSlot::SHUFFLE])
        .split_mode(SplitMode::Never)
        .blocksize(Some(BLOCKSIZE));
    let bytes: Vec<u8> = entries
        .iter()
        .flat_map(|entry| entry.to_le_bytes())
        .collect();
    ChunkEncoder::new(cparams)?.encode(&bytes)
}

/// Encodes an index of `n` equal entries in 40 bytes, as C does for a frame that is filled with
/// one special value.
pub(crate) fn encode_filled(entry: i64, n: usize) -> Result<Vec<u8>> {
    let nbytes = n.saturating_mul(ENTRY_LEN);
    let cparams = CParams::new(ENTRY_LEN).blocksize(Some(BLOCKSIZE.min(nbytes)));
    ChunkEncoder::new(cparams)?.encode_special(Special::Repeat(&entry.to_le_bytes()), nbytes)
}

/// Whether an index chunk is one that [`encode_filled`] writes.
pub(crate) fn is_filled(chunk: &[u8], dparams: &DParams) -> Result<bool> {
    let limits = dparams.limits.max_chunk_nbytes(u64::from(u32::MAX >> 1));
    let special = ChunkView::parse(chunk, &limits)?.special();
    Ok(matches!(special, Some(Special::Repeat(_))))
}
