//! Destinations of the sequences that a parse of level 1 finds.

use alloc::vec::Vec;

use super::bits::BitWriter;
use super::codes::Tables;
use super::sequence::{Sequence, first_match, push_match};
use super::write;
use crate::codecs::lz::low_u32;

/// Writing is given up at a run of literals this long if the block is about to become as long as a
/// stored one, but for so many bits.
const LONG_LITERALS: usize = 64;
const SLACK: u64 = 3072;

/// Literals and a match after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'s> {
    pub(super) src: &'s [u8],
    /// The position of the first literal.
    pub(super) at: usize,
    /// The number of literals.
    pub(super) literals: usize,
    /// The length of the match, of any number of bytes; 0 for none, at the end of a block.
    pub(super) len: usize,
    /// The distance of the match.
    pub(super) distance: usize,
}

/// A destination of sequences.
pub(super) trait Output {
    /// Adds the next ones.
    fn add(&mut self, found: Found<'_>);
}

/// A list.
pub(super) struct List<'l>(pub(super) &'l mut Vec<Sequence>);

impl Output for List<'_> {
    #[inline(always)]
    fn add(&mut self, found: Found<'_>) {
        if found.len > 0 {
            push_match(self.0, found.literals, found.len, found.distance);
        } else {
            self.0.push(Sequence::last(found.literals));
        }
    }
}

/// Bits, in these codes.
pub(super) struct Coded<'c, 'd> {
    pub(super) out: BitWriter<'d>,
    pub(super) tables: &'c Tables,
}

impl Output for Coded<'_, '_> {
    #[inline(always)]
    fn add(&mut self, mut found: Found<'_>) {
        let Found {
            src, at, literals, ..
        } = found;
        write::literals(self.tables, src, at, literals, false, &mut self.out);
        while found.len > 0 {
            let first = first_match(found.len);
            let [a, b, ..] = low_u32(first).to_le_bytes();
            let [c, d, ..] = low_u32(found.distance).to_le_bytes();
            let (len, distance) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
            write::one_match(self.tables, len, distance, &mut self.out);
            found.len -= first;
        }
    }
}

/// A list, and bits until writing is given up.
pub(super) struct Both<'l, 'c, 'd> {
    pub(super) list: List<'l>,
    pub(super) coded: Coded<'c, 'd>,
    /// Whether all sequences were written.
    pub(super) complete: bool,
    /// The first byte of the block.
    pub(super) start: usize,
    /// The bits before the block.
    pub(super) before: u64,
}

impl<'l, 'c, 'd> Both<'l, 'c, 'd> {
    /// Continues a block with the first byte at `start`, after `before` bits.
    pub(super) fn new(
        list: &'l mut Vec<Sequence>,
        tables: &'c Tables,
        out: BitWriter<'d>,
        (start, before): (usize, u64),
    ) -> Self {
        Self {
            list: List(list),
            coded: Coded { out, tables },
            complete: true,
            start,
            before,
        }
    }
}

impl Output for Both<'_, '_, '_> {
    #[inline(always)]
    fn add(&mut self, found: Found<'_>) {
        if found.literals > LONG_LITERALS {
            // Noise is stored.
            let bytes = (found.at + found.literals - self.start) as u64;
            let bits = self.coded.out.bits() - self.before + 8 * found.literals as u64;
            self.complete &= bits <= bytes * 15 / 2 + SLACK;
        }
        if self.complete {
            self.coded.add(found);
        }
        self.list.add(found);
    }
}
