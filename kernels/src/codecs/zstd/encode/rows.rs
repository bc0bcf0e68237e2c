//! Earlier positions by the hash of the bytes there: rows of the newest ones.
//!
//! ```text
//! entry   position modulo 2^20 (20 bits) | more bits of the hash (12)
//! row     16 entries, newest first: a cache line
//! ```
//!
//! One comparison of vectors tells which entries of a row have the same hash. Nearly all of those
//! have the same bytes, and the others are not looked at.

use alloc::vec::Vec;

use crate::codecs::lz::{GOLDEN_64, Lanes, low_u32};

/// Bits of the hash in an entry.
const TAG_BITS: u32 = 12;
/// The largest distance, in bytes.
pub(super) const MAX_DISTANCE: usize = (1 << (32 - TAG_BITS)) - 1;
/// An odd number whose multiples differ in many bits.
const GOLDEN_32: u32 = 0x9E37_79B9;
/// The most rows: 1 MiB.
const MAX_LOG: u32 = 14;
/// From so many on, 256 KiB, the nearest caches do not hold them beside everything else.
const MANY_LOG: u32 = 12;

/// Entries, newest first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([u32; 16]);

/// The rows of a stream.
///
/// They are cleared once per MiB, not for each stream: positions count on from those of the streams
/// before, whose entries are then too far away, and so make no difference. For each stream other
/// bits of the hash are flipped, so that those entries are not looked at.
pub(super) struct Rows {
    rows: Vec<Row>,
    log: u32,
    /// The bits of the hash to flip.
    flip: u32,
    /// The first position of the stream, and of the next one.
    base: usize,
    next: usize,
}

/// Entries of a row.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'r> {
    row: &'r [u32; 16],
    /// A bit for each entry that is left.
    bits: u32,
    at: u32,
}

/// The first `width` bytes of `here`, of which each makes a difference to the highest bits.
#[inline(always)]
fn mixed(here: u64, width: u32) -> u64 {
    (here << (64 - 8 * width)).wrapping_mul(GOLDEN_64)
}

impl Rows {
    pub(super) fn new() -> Self {
        Self {
            rows: Vec::new(),
            log: 0,
            flip: 0,
            base: 0,
            next: 0,
        }
    }

    /// Starts a stream of `len` bytes: one entry for each, up to 256 KiB.
    pub(super) fn start(&mut self, len: usize) {
        self.log = (len | 1).ilog2().saturating_sub(4).clamp(5, MAX_LOG);
        let count = 1 << self.log;
        self.base = self.next;
        if self.base.saturating_add(len) > MAX_DISTANCE {
            self.rows.clear();
            self.base = 0;
        }
        if self.rows.len() < count {
            self.rows.resize(count, Row([0; 16]));
        }
        self.next = self.base.saturating_add(len);
        self.flip = self.flip.wrapping_add(GOLDEN_32) & ((1 << TAG_BITS) - 1);
    }

    /// Whether it pays to ask for rows ahead.
    #[inline(always)]
    pub(super) fn are_many(&self) -> bool {
        self.log >= MANY_LOG
    }

    /// Asks for the row of bytes that are looked for soon.
    #[inline(always)]
    pub(super) fn prefetch<L: Lanes>(&self, lanes: L, (here, width): (u64, u32)) {
        let hash = mixed(here, width) >> (64 - self.log);
        let Row(row) = &self.rows[usize::try_from(hash).unwrap_or(0)];
        lanes.prefetch(row);
    }

    /// Inserts the position `at`, whose bytes are `here`, of which the first `width` count, and
    /// returns those before with the same hash.
    #[inline(always)]
    pub(super) fn insert<L: Lanes>(
        &mut self,
        lanes: L,
        (here, width): (u64, u32),
        at: usize,
    ) -> Candidates<'_> {
        let hash = mixed(here, width) >> (64 - TAG_BITS - self.log);
        let tag = low_u32(usize::try_from(hash).unwrap_or(0)) & ((1 << TAG_BITS) - 1) ^ self.flip;
        let at = low_u32(self.base + at);
        let index = usize::try_from(hash >> TAG_BITS).unwrap_or(0);
        let Row(row) = &mut self.rows[index];
        let bits = lanes.push(row, at << TAG_BITS | tag, (1 << TAG_BITS) - 1);
        Candidates { row, bits, at }
    }
}

impl Candidates<'_> {
    /// Only the newest `depth`, at most 15.
    #[inline(always)]
    pub(super) fn newest(mut self, depth: u32) -> Self {
        self.bits &= (2 << depth) - 1;
        self
    }

    #[inline(always)]
    pub(super) fn are_none(&self) -> bool {
        self.bits == 0
    }
}

/// Distances, nearest first.
impl Iterator for Candidates<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.bits == 0 {
            return None;
        }
        let entry = self.row[self.bits.trailing_zeros() as usize & 15];
        self.bits &= self.bits - 1;
        let distance = self.at.wrapping_sub(entry >> TAG_BITS);
        Some(distance as usize & MAX_DISTANCE)
    }
}
