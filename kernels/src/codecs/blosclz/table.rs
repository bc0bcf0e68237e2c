//! The table of last positions, one slot per hash value, emptied without being cleared.
//!
//! The format needs an all-zero table for the probe and again for the stream itself, where zero
//! means position 0. Clearing costs as much as compressing a short stream, so the table stores
//! `base + position` instead, with a base index above everything stored before: a slot below `base`
//! is an empty one and reads as position 0. Only when the slots' integer type is used up are they
//! cleared and `base` starts again at 0.
//!
//! Streams of as many bytes as their level has slots clear those instead and have no base: that
//! takes a hundredth of the time, and the look-up of a position, for which the next one waits, has
//! two cycles less of about 36.

use alloc::boxed::Box;
use core::hint::select_unpredictable;

use crate::codecs::boxed::zeroed;
use crate::codecs::lz::GOLDEN_32;

/// Slots for the largest hash of all levels.
pub(super) const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 14;

/// An integer that holds a position.
pub(super) trait Slot: Copy + Ord + Default {
    /// Number of different positions it can hold.
    const SPAN: usize;
    /// `position` is below [`Self::SPAN`].
    fn pack(position: usize) -> Self;
    fn unpack(self) -> usize;
}

impl Slot for u16 {
    const SPAN: usize = 1 << 16;

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "positions are below SPAN")]
    fn pack(position: usize) -> Self {
        position as Self
    }

    #[inline(always)]
    fn unpack(self) -> usize {
        usize::from(self)
    }
}

impl Slot for u32 {
    const SPAN: usize = Self::MAX as usize;

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "positions are below SPAN")]
    fn pack(position: usize) -> Self {
        position as Self
    }

    #[inline(always)]
    fn unpack(self) -> usize {
        self as usize
    }
}

/// The slots and the first base index not used yet.
#[derive(Clone)]
pub(super) struct Table<S> {
    slots: Box<[S; SLOTS]>,
    next_base: usize,
}

impl<S: Slot> Table<S> {
    pub(super) fn new() -> Self {
        Self {
            slots: zeroed(),
            next_base: 0,
        }
    }

    /// An empty table for the positions `0..positions`, hashed to `hash_bits`, cleared unless
    /// it has a `BASE`.
    ///
    /// # Panics
    ///
    /// When there are more positions than `S::SPAN`, or more than 14 bits.
    pub(super) fn begin<const BASE: bool>(
        &mut self,
        positions: usize,
        hash_bits: u32,
    ) -> View<'_, S, BASE> {
        assert!(
            positions <= S::SPAN,
            "{positions} positions in slots for {}",
            S::SPAN
        );
        assert!(
            (1..=SLOT_BITS).contains(&hash_bits),
            "{hash_bits} hash bits for {SLOTS} slots"
        );
        if BASE && self.next_base > S::SPAN - positions {
            self.slots.fill(S::default());
            self.next_base = 0;
        }
        let base = self.next_base;
        if BASE {
            self.next_base += positions;
        } else {
            // The other slots keep what is below the next base.
            self.slots[..1 << hash_bits].fill(S::default());
            self.next_base = base.max(positions);
        }
        View {
            slots: &mut self.slots,
            base,
            empty: core::hint::black_box(base),
            shift: 32 - hash_bits,
        }
    }
}

/// An empty table for one pass over one buffer.
pub(super) struct View<'a, S, const BASE: bool> {
    slots: &'a mut [S; SLOTS],
    base: usize,
    /// The value of an empty slot: `base`, unknown to the compiler.
    empty: usize,
    /// Hashes are the bits of a 32-bit number above this; at least 18, so that they are below
    /// `SLOTS`.
    shift: u32,
}

impl<S: Slot, const BASE: bool> View<'_, S, BASE> {
    #[inline(always)]
    fn hash(&self, word: u32) -> Hash {
        Hash(word.wrapping_mul(GOLDEN_32) >> self.shift)
    }

    #[inline(always)]
    fn slot(&mut self, hash: Hash) -> &mut S {
        // SAFETY: `begin` asserts at most 14 hash bits, so that 14 bits are left at most.
        unsafe { self.slots.get_unchecked_mut(hash.0 as usize) }
    }

    /// The number added to positions: 0 is `base` in the table.
    #[inline(always)]
    pub(super) fn base(&self) -> usize {
        if BASE { self.base } else { 0 }
    }

    /// Enters `index`, which is `base` plus a position, and returns the former entry: `base` or an
    /// index entered before.
    #[inline(always)]
    pub(super) fn replace(&mut self, word: u32, index: usize) -> usize {
        let slot = self.slot(self.hash(word));
        let before = slot.unpack();
        *slot = S::pack(index);
        self.or_base(before)
    }

    /// Enters what is before `index`, then is [`Self::replace`].
    ///
    /// The entry is read first: a load of what was just stored waits for the store, and the next
    /// match for the load (1.04 times as fast on real arrays without a filter, 1.03 shuffled).
    #[inline(always)]
    pub(super) fn replace_after(&mut self, earlier: Earlier, word: u32, index: usize) -> usize {
        let hash = self.hash(word);
        let before = self.slot(hash).unpack();
        let mut before = self.or_base(before);
        for (word, index) in earlier {
            let other = self.hash(word);
            *self.slot(other) = S::pack(index);
            before = select_unpredictable(other == hash, index, before);
        }
        *self.slot(hash) = S::pack(index);
        before
    }

    #[inline(always)]
    fn or_base(&self, before: usize) -> usize {
        if !BASE {
            return before;
        }
        // As a branch it is mispredicted every other time on incompressible streams, 3 times
        // slower; and the compiler makes one of `max`, which it recognises without `empty`.
        select_unpredictable(before < self.base, self.empty, before)
    }
}

/// The last two positions of a match, not entered yet: their bytes and indices. One is both if only
/// one is to be entered.
pub(super) type Earlier = [(u32, usize); 2];

/// A hash of the view's number of bits.
#[derive(Clone, Copy, PartialEq)]
struct Hash(u32);

#[cfg(test)]
mod tests {
    use super::{SLOT_BITS, Table};

    #[test]
    #[should_panic(expected = "hash bits")]
    fn more_hash_bits_than_slots_are_refused() {
        let mut table = Table::<u32>::new();
        let mut view = table.begin::<true>(1000, 32);
        view.replace(u32::MAX, 1);
    }

    /// A table that is cleared in part keeps older positions, which later bases are above.
    #[test]
    fn what_an_earlier_stream_entered_is_never_found() {
        let mut table = Table::<u16>::new();
        for round in 0..100 {
            let view = &mut table.begin::<false>(601, 12);
            for word in 0..50 {
                assert_eq!(view.replace(word, 600), 0, "{round}: {word}");
            }
            let view = &mut table.begin::<true>(3000, SLOT_BITS);
            let base = view.base();
            for word in 0..3000 {
                assert_eq!(view.replace(word, base + 2999), base, "{round}: {word}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "positions in slots")]
    fn more_positions_than_a_slot_holds_are_refused() {
        Table::<u16>::new().begin::<true>((1 << 16) + 1, SLOT_BITS);
    }
}
