//! The parts that an encoder reuses, and the blocks that are written with them.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::blocks::{BLOCK_HEADER, CODED, RAW, block, block_header, room};
use super::costs::Costs;
use super::literals::{Literals, pays};
use super::open::Open;
use super::parts::{MAX_PART, Part};
use super::rows::Rows;
use super::sample::Sample;
use super::sequences::{Sequence, Sequences};
use crate::Kernels;

/// The parts that are reused.
pub(super) struct Tables {
    pub(super) sample: Sample,
    pub(super) rows: Rows,
    /// Those with which a stream begins.
    pub(super) costs: Costs,
    pub(super) parts: Vec<Part>,
    pub(super) found: Vec<Sequence>,
    pub(super) literal_bytes: Vec<u8>,
    pub(super) literals: Literals,
    pub(super) sequences: Sequences,
    /// A block that may not fit the output before it is known to be shorter than its content.
    pub(super) block: Vec<u8>,
}

impl Tables {
    pub(super) fn new(kernels: Kernels) -> Self {
        Self {
            sample: Sample::new(),
            rows: Rows::new(),
            costs: Costs::new(),
            parts: Vec::new(),
            found: Vec::new(),
            literal_bytes: Vec::new(),
            literals: Literals::new(kernels),
            sequences: Sequences::new(),
            block: Vec::new(),
        }
    }

    /// Makes room for the blocks of a source of `len` bytes.
    pub(super) fn reserve(&mut self, len: usize) {
        let room = room(len.min(MAX_PART));
        if self.block.len() < room {
            self.block = vec![0; room];
        }
    }

    /// Opens a block of a part whose sequences are those from `first` on, and gathers its literals.
    #[inline(always)]
    pub(super) fn open(&mut self, first: usize, part: Part, start: usize, src: &[u8]) -> Open {
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
            self.parts.len() == 1,
        )
    }

    /// Writes a block.
    #[inline(always)]
    pub(super) fn close(
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
    pub(super) fn write_block(
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

#[cfg(test)]
mod tests {
    use super::super::blocks::header;
    use super::super::parts;
    use super::*;
    use crate::codecs::zstd::Zstd;

    #[test]
    fn blocks_of_any_number_of_sequences() {
        let mut tables = Tables::new(Kernels::best());
        for count in [126, 127, 128, 129, 0x7EFF, 0x7F00, 0x7F01, 43_000] {
            let content = vec![b'a'; 1 + 3 * count];
            let sequence = |literals, len| Sequence {
                literals,
                len,
                distance: 1,
            };
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
