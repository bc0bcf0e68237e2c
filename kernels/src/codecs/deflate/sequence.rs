//! Sequences, the output of the match finders: literals followed by a match.

use alloc::vec::Vec;

use crate::codecs::lz::low_u32;
use crate::codecs::zlib::MAX_MATCH;

/// Literals followed by a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// Number of literals.
    pub(super) literals: u32,
    /// The length of the match, 3 to 258 bytes; 0 in the last sequence, which has no match.
    pub(super) len: u16,
    /// The distance of the match, 1 to 32768 bytes.
    pub(super) distance: u16,
}

impl Sequence {
    /// The last sequence of a block: literals without a match.
    pub(super) fn last(literals: usize) -> Self {
        Self {
            literals: low_u32(literals),
            len: 0,
            distance: 0,
        }
    }
}

/// Appends a match of any length, split into matches of at most 258 bytes.
#[inline(always)]
pub(super) fn push_match(
    sequences: &mut Vec<Sequence>,
    literals: usize,
    mut len: usize,
    distance: usize,
) {
    let distance = u16::try_from(distance).unwrap_or(0);
    let mut literals = low_u32(literals);
    while len > MAX_MATCH {
        let first = first_match(len);
        sequences.push(Sequence {
            literals,
            len: u16::try_from(first).unwrap_or(0),
            distance,
        });
        literals = 0;
        len -= first;
    }
    sequences.push(Sequence {
        literals,
        len: u16::try_from(len).unwrap_or(0),
        distance,
    });
}

/// The length of the first match of a longer one, which is split.
#[inline(always)]
pub(super) fn first_match(len: usize) -> usize {
    if len <= MAX_MATCH {
        len
    } else if len < MAX_MATCH + 3 {
        // The remainder must be at least the shortest match.
        MAX_MATCH - 3
    } else {
        MAX_MATCH
    }
}

/// Masks of four literals of which the first `index` count: all bits set for those, none for the
/// others; all set from index 4 on.
pub(super) static FIRST_LITERALS: [[u32; 4]; 8] = {
    let mut masks = [[u32::MAX; 4]; 8];
    let mut count = 0;
    while count < 4 {
        let mut at = count;
        while at < 4 {
            masks[count][at] = 0;
            at += 1;
        }
        count += 1;
    }
    masks
};

/// Whether most matches follow each other without literals between them.
///
/// Literals are counted and written in groups of four, and the last one to four of a sequence
/// without a branch, because their number is unpredictable (1.1 to 1.25 times as fast at level 1 on
/// text and images). Where most sequences have none, a branch on that is predictable and cheaper.
pub(super) fn literals_are_rare(sequences: &[Sequence]) -> bool {
    let literals = sequences.iter().map(|sequence| sequence.literals as usize);
    literals.sum::<usize>() < sequences.len() / 2
}

/// The four bytes at `at`, or `None` when fewer are left.
#[inline(always)]
pub(super) fn four_at(src: &[u8], at: usize) -> Option<&[u8; 4]> {
    src.get(at..)?.first_chunk()
}
