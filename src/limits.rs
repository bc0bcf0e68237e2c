//! Allocation limits for untrusted input.
//!
//! Every size that is read from data is compared with a limit before memory is allocated for it. A
//! valid chunk of 32 bytes may hold two gigabytes of zeros, so no rule on ratios separates a
//! decompression bomb from data: the caller's limit does.

use crate::error::{Error, Result};
use crate::num::saturating_usize;

/// Limits on the sizes that input may claim. The default is [`Limits::UNTRUSTED`].
///
/// ```
/// use oxiblosc::Limits;
/// let limits = Limits::UNTRUSTED.max_alloc(1 << 20);
/// assert_eq!(limits.max_alloc, 1 << 20);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Limits {
    /// The most bytes that one allocating call may take for its result.
    pub max_alloc: u64,
    /// The largest `nbytes` of a chunk.
    pub max_chunk_nbytes: u64,
    /// The longest frame header, metalayers included, in bytes.
    pub max_frame_header_len: u64,
    /// The longest frame trailer, vlmetalayers included, in bytes.
    pub max_frame_trailer_len: u64,
    /// The most chunks in a frame.
    pub max_nchunks: u64,
    /// The largest decoded vlmetalayer, in bytes.
    pub max_vlmetalayer_nbytes: u64,
}

impl Limits {
    /// Limits for untrusted data: 1 GiB per result, 16 MiB of header or trailer, 16 Mi chunks.
    pub const UNTRUSTED: Self = Self {
        max_alloc: 1 << 30,
        max_chunk_nbytes: 1 << 30,
        max_frame_header_len: 16 << 20,
        max_frame_trailer_len: 16 << 20,
        max_nchunks: 16 << 20,
        max_vlmetalayer_nbytes: 64 << 20,
    };

    /// The limits of the format itself ([format §1.7](crate::format#1.7),
    /// [§9.2](crate::format#9.2)).
    pub const FORMAT: Self = Self {
        max_alloc: u64::MAX,
        max_chunk_nbytes: 0x7FFF_FFDF,
        max_frame_header_len: 0x7FFF_FFFF,
        max_frame_trailer_len: 0x7FFF_FFFF,
        // The index is a chunk of 8 bytes per entry.
        max_nchunks: 268_435_451,
        max_vlmetalayer_nbytes: 0x7FFF_FFDF,
    };

    /// Sets [`max_alloc`](Self::max_alloc), in bytes.
    #[must_use]
    pub const fn max_alloc(mut self, nbytes: u64) -> Self {
        self.max_alloc = nbytes;
        self
    }

    /// Sets [`max_chunk_nbytes`](Self::max_chunk_nbytes), in bytes.
    #[must_use]
    pub const fn max_chunk_nbytes(mut self, nbytes: u64) -> Self {
        self.max_chunk_nbytes = nbytes;
        self
    }

    /// Sets [`max_nchunks`](Self::max_nchunks).
    #[must_use]
    pub const fn max_nchunks(mut self, nchunks: u64) -> Self {
        self.max_nchunks = nchunks;
        self
    }

    /// Whether `max` is a limit of this name that the caller can raise.
    pub(crate) fn is_liftable(name: &str, max: u64) -> bool {
        let most = Self::FORMAT;
        max < match name {
            "max_alloc" => most.max_alloc,
            "max_chunk_nbytes" => most.max_chunk_nbytes,
            "max_frame_header_len" => most.max_frame_header_len,
            "max_frame_trailer_len" => most.max_frame_trailer_len,
            "max_nchunks" => most.max_nchunks,
            "max_vlmetalayer_nbytes" => most.max_vlmetalayer_nbytes,
            _ => 0,
        }
    }

    /// Refuses a result of more than [`max_alloc`](Self::max_alloc) bytes, and one that the system
    /// cannot allocate.
    pub(crate) fn check_alloc(&self, nbytes: u64, offset: Option<u64>) -> Result<()> {
        check("max_alloc", nbytes, self.max_alloc, offset)?;
        check_memory(nbytes, offset)
    }

    /// Refuses a chunk that claims more than [`max_chunk_nbytes`](Self::max_chunk_nbytes) bytes.
    pub(crate) fn check_chunk(&self, nbytes: u64, offset: Option<u64>) -> Result<()> {
        check("max_chunk_nbytes", nbytes, self.max_chunk_nbytes, offset)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::UNTRUSTED
    }
}

/// Sizes from here on are reserved once to test them: allocators get them from the system and
/// return them, which takes a few microseconds; filling them takes milliseconds.
const LARGE: u64 = 32 << 20;

/// Whether the system has this much memory now. The allocation that follows cannot fail with an
/// error, but gets zeroed memory for free.
pub(crate) fn check_memory(nbytes: u64, offset: Option<u64>) -> Result<()> {
    if nbytes < LARGE {
        return Ok(());
    }
    let len = saturating_usize(nbytes);
    Vec::<u8>::new()
        .try_reserve_exact(len)
        .map_err(|_| Error::OutOfMemory { nbytes, offset })
}

/// Refuses a value that exceeds a limit.
pub(crate) fn check(limit: &'static str, value: u64, max: u64, offset: Option<u64>) -> Result<()> {
    if value > max {
        return Err(Error::LimitExceeded {
            limit,
            offset,
            value,
            max,
        });
    }
    Ok(())
}
