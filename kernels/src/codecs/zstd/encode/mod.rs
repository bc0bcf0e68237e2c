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
mod costs;
mod fse;
mod literals;
mod open;
mod parse;
mod parts;
mod rows;
mod sample;
mod search;
mod sequences;
mod stream;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::{fmt, mem};

use crate::Kernels;
use crate::codecs::lz::{self, Lanes, Task};
use alone::WriteAlone;
use costs::Costs;
use literals::{Literals, pays};
use open::Open;
use parse::{Parse, ParsePart};
use parts::{MAX_PART, Part};
use rows::Rows;
use sample::{Sample, Searched};
use search::Search;
use sequences::{Sequence, Sequences};

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The content is one segment, and its length is stated.
const SINGLE_SEGMENT: u8 = 0x20;
/// The length of a block's header.
const BLOCK_HEADER: usize = 3;
/// The kinds of blocks.
const RAW: usize = 0;
const RUN: usize = 1;
const CODED: usize = 2;

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

/// The parts that are reused.
struct Tables {
    sample: Sample,
    rows: Rows,
    /// Those with which a stream begins.
    costs: Costs,
    parts: Vec<Part>,
    found: Vec<Sequence>,
    literal_bytes: Vec<u8>,
    literals: Literals,
    sequences: Sequences,
    /// A block that may not fit the output before it is known to be shorter than its content.
    block: Vec<u8>,
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
    /// other number is the nearest of these. It allocates as much as the longest source so far asks
    /// for, up to about 2 MiB.
    #[must_use]
    pub fn new(kernels: Kernels, level: u8) -> Self {
        Self {
            kernels,
            level,
            tables: Box::new(Tables {
                sample: Sample::new(),
                rows: Rows::new(),
                costs: Costs::new(),
                parts: Vec::new(),
                found: Vec::new(),
                literal_bytes: Vec::new(),
                literals: Literals::new(kernels),
                sequences: Sequences::new(),
                block: Vec::new(),
            }),
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
    /// [`LEAST_WITHOUT_MATCHES`](Self::LEAST_WITHOUT_MATCHES), and when it does not fit.
    /// Such bytes, a few different ones in no order, are compressed two to seven times as fast as
    /// by a search, and decompressed twice as fast.
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
        if self.matches_pay(src, Searched::Fast) {
            return None;
        }
        self.write(None, src, dst)
    }

    fn matches_pay(&mut self, src: &[u8], by: Searched) -> bool {
        let sample = &mut self.tables.sample;
        lz::run(self.kernels, TakeSample { sample, src, by })
    }

    fn write(&mut self, search: Option<Search>, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (kernels, tables) = (self.kernels, &mut *self.tables);
        match search {
            None => lz::run(kernels, WriteAlone { tables, src, dst }),
            Some(search) => {
                let frame = WriteFrame {
                    kernels,
                    tables,
                    search,
                    src,
                    dst,
                };
                lz::run(kernels, frame)
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

/// Writes a frame.
struct WriteFrame<'w, 's, 'd> {
    kernels: Kernels,
    tables: &'w mut Tables,
    search: Search,
    src: &'s [u8],
    dst: &'d mut [u8],
}

impl Task for WriteFrame<'_, '_, '_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Option<usize> {
        let Self {
            kernels,
            tables,
            search,
            src,
            dst,
        } = self;
        let mut at = header(src.len(), dst)?;
        tables.rows.start(src.len());
        tables.literals.forget();
        tables.sequences.begin();
        tables.parts.clear();
        tables.reserve(src.len());
        parts::split(src, &mut tables.parts);
        if src.is_empty() {
            return block(dst, at, (RAW, true), 0, &[]);
        }
        let mut parse = Parse::new(src, search, tables.costs.clone());
        tables.found.clear();
        tables.literal_bytes.clear();
        let mut start = 0;
        let mut open: Option<Open> = None;
        let least_gain = open::least_gain(src.len());
        for n in 0..tables.parts.len() {
            let part = tables.parts[n];
            let content = &src[start..part.end];
            let last = n + 1 == tables.parts.len();
            if is_run(content) {
                if let Some(open) = open.take() {
                    at = tables.close(&open, src, false, dst, at)?;
                }
                at = block(dst, at, (RUN, last), content.len(), &content[..1])?;
            } else {
                let first = tables.found.len();
                lz::run(
                    kernels,
                    ParsePart {
                        parse: &mut parse,
                        rows: &mut tables.rows,
                        start,
                        part,
                        sequences: &mut tables.found,
                    },
                );
                // Without matches, what it takes is known.
                let noise = tables.found.len() == first + 1
                    && !pays(part.cost as usize, content.len(), part.flat);
                if noise {
                    tables.found.truncate(first);
                    if let Some(open) = open.take() {
                        at = tables.close(&open, src, false, dst, at)?;
                    }
                    tables.literals.forget();
                    tables.sequences.forget();
                    at = block(dst, at, (RAW, last), content.len(), content)?;
                } else {
                    let next = tables.open(first, part, start, src);
                    open = Some(match open.take() {
                        None => next,
                        Some(open) => match open.with(&next, least_gain) {
                            Some(both) => {
                                let end = tables.found.remove(open.sequences - 1);
                                tables.found[open.sequences - 1].literals += end.literals;
                                both
                            }
                            None => {
                                at = tables.close(&open, src, false, dst, at)?;
                                next
                            }
                        },
                    });
                }
            }
            start = part.end;
        }
        if let Some(open) = open {
            at = tables.close(&open, src, true, dst, at)?;
        }
        Some(at)
    }
}

/// Whether all bytes are the same: each is like the one after it, as slices compare in vectors.
fn is_run(content: &[u8]) -> bool {
    content[1..] == content[..content.len() - 1]
}

impl Tables {
    /// Makes room for the blocks of a source of `len` bytes.
    fn reserve(&mut self, len: usize) {
        let room = room(len.min(MAX_PART));
        if self.block.len() < room {
            self.block = vec![0; room];
        }
    }

    /// Opens a block of a part whose sequences are those from `first` on, and gathers its literals.
    #[inline(always)]
    fn open(&mut self, first: usize, part: Part, start: usize, src: &[u8]) -> Open {
        let content = &src[start..part.end];
        self.literal_bytes.reserve(content.len());
        let before = self.literal_bytes.len();
        let mut rest = content;
        for sequence in &self.found[first..] {
            let (literals, after) = rest.split_at(sequence.literals as usize);
            self.literal_bytes.extend_from_slice(literals);
            rest = &after[sequence.len as usize..];
        }
        Open::new(
            (start, part),
            &self.found[first..],
            &self.literal_bytes[before..],
        )
    }

    /// Writes a block.
    #[inline(always)]
    fn close(
        &mut self,
        open: &Open,
        src: &[u8],
        last: bool,
        dst: &mut [u8],
        at: usize,
    ) -> Option<usize> {
        let content = &src[open.start..open.end];
        let end = self.write_block((content, last), (dst, at), |tables, space| {
            let repeats = *tables.sequences.repeats();
            let coded = tables.coded(open, content.len(), space);
            if coded.is_none() {
                tables.sequences.forget();
                *tables.sequences.repeats() = repeats;
            }
            coded
        });
        self.found.drain(..open.sequences);
        self.literal_bytes.drain(..open.literals.len);
        end
    }

    /// Writes a block of `content` at `at` and returns the position after it. `code` writes its
    /// content to a space with [`room`] for it; `None` when that is not shorter.
    #[inline(always)]
    fn write_block(
        &mut self,
        (content, last): (&[u8], bool),
        (dst, at): (&mut [u8], usize),
        code: impl FnOnce(&mut Self, &mut [u8]) -> Option<usize>,
    ) -> Option<usize> {
        let from = at + BLOCK_HEADER;
        let direct = dst.get_mut(from..from + room(content.len()));
        let in_place = direct.is_some();
        let coded = match direct {
            Some(space) => code(self, space),
            None => {
                let mut space = mem::take(&mut self.block);
                let coded = code(self, &mut space);
                self.block = space;
                coded
            }
        };
        match coded {
            Some(len) if in_place => Some(block_header(dst, at, (CODED, last), len)? + len),
            Some(len) => block(dst, at, (CODED, last), len, &self.block[..len]),
            None => {
                self.literals.forget();
                block(dst, at, (RAW, last), content.len(), content)
            }
        }
    }

    /// Codes the content of a block of `len` bytes; `None` when that is not shorter. There is
    /// [`room`] for it.
    #[inline(always)]
    fn coded(&mut self, open: &Open, len: usize, dst: &mut [u8]) -> Option<usize> {
        let literals = &self.literal_bytes[..open.literals.len];
        let counts = &open.literals.counts;
        let at = self.literals.write(literals, counts, open.flat, dst)?;
        let sequences = &self.found[..open.sequences];
        let written = self.sequences.write(sequences, &mut dst[at..])?;
        Some(at + written).filter(|written| pays(*written, len, false))
    }
}

/// The space for a block of `len` bytes: as many, and whole words of bits.
fn room(len: usize) -> usize {
    len + 1024
}

/// Writes the header of a frame and returns its length; `None` above 4 GiB.
fn header(len: usize, dst: &mut [u8]) -> Option<usize> {
    let size = u32::try_from(len).ok()?;
    // The field of two bytes begins with 256.
    let (flag, field, width) = match size {
        0..256 => (0, size, 1),
        256..65_792 => (0x40, size - 256, 2),
        _ => (0x80, size, 4),
    };
    let to = dst.get_mut(..5 + width)?;
    to[..4].copy_from_slice(&MAGIC);
    to[4] = SINGLE_SEGMENT | flag;
    to[5..].copy_from_slice(&field.to_le_bytes()[..width]);
    Some(5 + width)
}

/// Writes a block at `at` and returns the position after it. `len` is its length, or that of its
/// content if it is a run.
#[inline(always)]
fn block(
    dst: &mut [u8],
    at: usize,
    description: (usize, bool),
    len: usize,
    bytes: &[u8],
) -> Option<usize> {
    let from = block_header(dst, at, description, len)?;
    let end = from + bytes.len();
    dst.get_mut(from..end)?.copy_from_slice(bytes);
    Some(end)
}

/// Writes the header of a block and returns the position after it.
#[inline(always)]
fn block_header(
    dst: &mut [u8],
    at: usize,
    (kind, last): (usize, bool),
    len: usize,
) -> Option<usize> {
    let from = at + BLOCK_HEADER;
    let description = len << 3 | kind << 1 | usize::from(last);
    dst.get_mut(at..from)?
        .copy_from_slice(&description.to_le_bytes()[..BLOCK_HEADER]);
    Some(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecs::zstd::Zstd;

    #[test]
    fn blocks_of_any_number_of_sequences() {
        let mut encoder = Encoder::new(Kernels::best(), 5);
        for count in [126, 127, 128, 129, 0x7EFF, 0x7F00, 0x7F01, 43_000] {
            let content = vec![b'a'; 1 + 3 * count];
            let sequence = |literals, len| Sequence {
                literals,
                len,
                distance: 1,
            };
            let tables = &mut *encoder.tables;
            tables.reserve(content.len());
            tables.literals.forget();
            tables.sequences.begin();
            tables.found.clear();
            tables.found.push(sequence(1, 3));
            tables.found.resize(count, sequence(0, 3));
            tables.found.push(sequence(0, 0));
            let mut frame = vec![0; 2 * content.len() + 100];
            let mut at = header(content.len(), &mut frame).unwrap();
            let len = tables
                .literals
                .write(b"a", &parts::count(b"a"), false, &mut tables.block)
                .unwrap();
            let rest = &mut tables.block[len..];
            let len = len + tables.sequences.write(&tables.found, rest).unwrap();
            at = block(&mut frame, at, (CODED, true), len, &tables.block[..len]).unwrap();
            let mut back = vec![0; content.len()];
            let decoded = Zstd::new(Kernels::best()).decode(&frame[..at], &mut back);
            assert_eq!(decoded, Ok(content.len()), "{count}");
            assert!(back == content, "{count}");
        }
    }
}
