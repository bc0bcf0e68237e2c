//! A match, and which of two is better.

use super::costs::Costs;
use crate::codecs::lz::low_u32;

/// A match; of no bytes if there is none.
#[derive(Clone, Copy, Default)]
pub(super) struct Match {
    pub(super) len: usize,
    pub(super) distance: usize,
    /// The cost of as many literals, less that of the match.
    pub(super) saved: u32,
}

impl Match {
    /// Takes another if it saves more, given the value that stands for its distance.
    #[inline(always)]
    pub(super) fn take_better(
        &mut self,
        costs: &Costs,
        (len, distance): (usize, usize),
        value: u32,
    ) {
        let saved = costs.saved(len, value);
        if saved > self.saved {
            *self = Self {
                len,
                distance,
                saved,
            };
        }
    }

    /// More than this must be saved by a match that begins `left` bytes later to be taken instead.
    /// That is what this one saves, and the larger of two: a third of the literals that are left
    /// before the later one, and what the rest of the later one saves after this one.
    #[inline(always)]
    pub(super) fn bar(self, later: Self, literal: u32, left: usize) -> u32 {
        let covered = literal * low_u32(self.len.saturating_sub(left));
        let rest = later.saved.saturating_sub(covered);
        self.saved + rest.max(literal * low_u32(left) / 3)
    }
}

#[cfg(test)]
mod tests {
    use super::super::costs::BIT;
    use super::*;

    #[test]
    fn a_later_match_is_taken_if_the_earlier_one_costs_more_than_what_it_leaves() {
        // Literals of 6 bits; the later match has a long rest, and costs 20 bits.
        let literal = 6 * BIT;
        let later = Match {
            len: 100,
            distance: 1000,
            saved: 100 * literal - 20 * BIT,
        };
        let bar = |len: usize, cost: u32, left| {
            let found = Match {
                len,
                distance: 10,
                saved: low_u32(len) * literal - cost * BIT,
            };
            found.bar(later, literal, left)
        };
        assert!(later.saved > bar(8, 15, 2));
        assert!(later.saved < bar(8, 11, 2));
        assert!(later.saved < bar(8, 15, 3));
        // Nothing of it is left after a long one: a third of the literals.
        let shorter = Match {
            saved: 101 * literal - 21 * BIT,
            ..later
        };
        assert_eq!(shorter.bar(later, literal, 1), shorter.saved + 2 * BIT);
    }
}
