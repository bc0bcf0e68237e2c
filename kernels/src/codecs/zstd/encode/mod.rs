//! Encoder of Zstandard streams.
//!
//! ```text
//! source   | part | part | ...         bytes with about the same frequencies
//!   parse      literals, then a match; and so on
//! stream   | header | block | block | ...   of one part or several: as it is, one byte, or coded
//! ```
#![expect(
    clippy::indexing_slicing,
    reason = "the content is ours: indices come from it, not from a stream"
)]

mod alone;
mod bits;
mod blocks;
mod costs;
mod frame;
mod fse;
mod literals;
mod matches;
mod open;
mod parse;
mod parts;
mod rows;
mod sample;
mod search;
mod sequences;
mod stream;
mod tables;

use alloc::boxed::Box;
use core::fmt;

use crate::Kernels;
use crate::codecs::lz::{self, Lanes, Task};
use alone::WriteAlone;
use frame::WriteFrame;
use sample::{Sample, Searched};
use search::Search;
use tables::Tables;

/// An encoder of Zstandard streams. It owns its tables and reuses them from stream to stream; the
/// output does not depend on earlier streams or on the instruction set.
///
/// ```
/// use oxiblosc_kernels::{Kernels, zstd};
///
/// let kernels = Kernels::best();
/// let src: Vec<u8> = (0..2000_u32).flat_map(|n| (n / 3).to_le_bytes()).collect();
/// let mut dst = vec![0; src.len()];
/// let len = zstd::Encoder::new(kernels, 5).encode(&src, &mut dst).unwrap();
/// assert!(len < 2000);
/// let mut back = vec![0; src.len()];
/// assert_eq!(zstd::Zstd::new(kernels).decode(&dst[..len], &mut back), Ok(src.len()));
/// assert_eq!(back, src);
/// ```
pub struct Encoder {
    kernels: Kernels,
    level: u8,
    tables: Box<Tables>,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// Streams of fewer bytes are not looked at by
    /// [`encode_without_matches`](Self::encode_without_matches).
    pub const LEAST_WITHOUT_MATCHES: usize = sample::LEAST;

    /// Makes an encoder of a level of Blosc, 4 to 6, which are libzstd's levels 7, 9 and 11; any
    /// other number is the nearest of these, but for
    /// [`encode_without_matches`](Self::encode_without_matches). It allocates as much as the
    /// longest source so far asks for, up to about 2 MiB.
    #[must_use]
    pub fn new(kernels: Kernels, level: u8) -> Self {
        Self {
            kernels,
            level,
            tables: Box::new(Tables::new(kernels)),
        }
    }

    /// Compresses `src` to one frame at the front of `dst`, without a checksum, and returns its
    /// length in bytes; `None` when it does not fit, or when `src` has 4 GiB or more.
    ///
    /// Bytes of `dst` after the frame may be overwritten.
    pub fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let search = Search::new(self.level, src.len());
        let pay = self.matches_pay(src, Searched::Well);
        self.write(pay.then_some(search), src, dst)
    }

    /// [`encode`](Self::encode) without any match, whatever the level, where a sample says that
    /// matches save nothing; `None` where they may, of fewer bytes than
    /// [`LEAST_WITHOUT_MATCHES`](Self::LEAST_WITHOUT_MATCHES) or of 2 GiB, and when it does not
    /// fit.
    /// Such bytes, a few different ones in no order, are compressed two to seven times as fast as
    /// by a search, and decompressed twice as fast. At level 1 it is `None` also where so many
    /// different bytes are about as frequent that libzstd's level 1 does not search for long.
    ///
    /// ```
    /// use oxiblosc_kernels::{Kernels, zstd};
    ///
    /// let mut encoder = zstd::Encoder::new(Kernels::best(), 4);
    /// let mut dst = [0; 5000];
    /// let squares = (0..4096_u64).map(|n| n * n * 0x9E37_79B9 >> 20);
    /// let src: Vec<u8> = squares.map(|bits| (bits.count_ones() / 2).to_le_bytes()[0]).collect();
    /// assert!(encoder.encode_without_matches(&src, &mut dst).unwrap() < 2000);
    /// // They are there once more: a match pays.
    /// assert_eq!(encoder.encode_without_matches(&src.repeat(2), &mut dst), None);
    /// ```
    pub fn encode_without_matches(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let by = if self.level == 1 {
            Searched::Fastest
        } else {
            Searched::Fast
        };
        if self.matches_pay(src, by) {
            return None;
        }
        self.write(None, src, dst)
    }

    fn matches_pay(&mut self, src: &[u8], by: Searched) -> bool {
        let sample = &mut self.tables.sample;
        lz::run_256(self.kernels, TakeSample { sample, src, by })
    }

    fn write(&mut self, search: Option<Search>, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (kernels, tables) = (self.kernels, &mut *self.tables);
        match search {
            None => lz::run_256(kernels, WriteAlone { tables, src, dst }),
            Some(search) => {
                let frame = WriteFrame {
                    kernels,
                    tables,
                    search,
                    src,
                    dst,
                };
                lz::run_256(kernels, frame)
            }
        }
    }
}

/// Tells whether matches pay.
struct TakeSample<'t, 's> {
    sample: &'t mut Sample,
    src: &'s [u8],
    by: Searched,
}

impl Task for TakeSample<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> bool {
        self.sample.matches_pay(self.src, self.by)
    }
}
