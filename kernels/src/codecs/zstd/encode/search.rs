//! How hard matches are searched, by level.

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Positions with the same hash to look at, at most 15.
    pub(super) depth: u32,
    /// Positions without a better match after which one is taken.
    pub(super) patience: u32,
    /// With a match of this length no other is looked for at its position, in bytes.
    pub(super) nice_len: usize,
    /// After so many literals, as a power of two, the step between positions grows by one.
    pub(super) step_log: usize,
    /// The cost of literals, in sixteenths of a bit, from which on matches of four bytes pay.
    pub(super) four_from: u32,
}

impl Search {
    /// That of a level for a source of `len` bytes. In short ones more is searched, as libzstd
    /// does: there is less to find.
    pub(super) fn new(level: u8, len: usize) -> Self {
        let (depth, patience, nice_len, step_log) = match level {
            ..=4 if len <= 32 << 10 => (15, 1, 128, 8),
            ..=4 => (8, 1, 128, 7),
            _ => (15, 2, 256, 8),
        };
        Self {
            depth,
            patience,
            nice_len,
            step_log,
            four_from: if len <= 64 << 10 { 72 } else { 96 },
        }
    }
}
