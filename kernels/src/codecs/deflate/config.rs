//! Parameters of levels 2 to 9.

/// The use of hashes of eight bytes, which find long matches without following a chain of
/// positions that share four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eights {
    /// Not used.
    Off,
    /// The newest position of each hash. Suspended while it finds few matches.
    Newest,
    /// All positions with the same hash are chained: long matches are searched for among those
    /// alone.
    Chained,
}

/// The parameters of one level. Costs and gains are in sixteenths of a bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Config {
    /// The number of candidates that a search compares.
    pub(super) max_chain: u32,
    /// A match of at least this length ends the search, in bytes.
    pub(super) nice_len: usize,
    /// After a match shorter than this, the next position is searched too (lazy matching); bytes.
    pub(super) max_lazy: usize,
    /// After `2^skip_trigger` positions without a match, the step between them grows by one.
    pub(super) skip_trigger: u32,
    /// The minimum gain of a match: decoding it takes the time of some literals.
    pub(super) min_gain: u32,
    /// The minimum gain of a match of three bytes; `None` when they are not searched for.
    pub(super) min_gain_three: Option<u32>,
    /// Matches of three bytes are suspended when they save less than one part in this many of a
    /// piece; 0 for never.
    pub(super) three_share: u64,
    /// The use of hashes of eight bytes.
    pub(super) eights: Eights,
    /// The number of positions at the end of a match that are inserted.
    pub(super) insert_tail: usize,
    /// Literals per bit of decode-time penalty.
    pub(super) literals_per_bit: u64,
    /// The size of the first piece, in literals: what it finds sets the costs and searches of the
    /// others. Level 5 is 1.08 times as fast with 2 KiB as with 8, and 0.1 % larger; 6 and 7 would
    /// be 0.3 % larger (numbers that rise, without a filter, 14 to 41 %), and 9 gains nothing.
    pub(super) first_piece: usize,
    /// Whether codes of distances are never estimated as long.
    pub(super) cheap_distances: bool,
}

impl Config {
    /// The parameters of a level; those of the nearest one below 2 or above 9.
    pub(super) fn of(level: u8) -> &'static Self {
        &LEVELS[usize::from(level.clamp(2, 9) - 2)]
    }
}

/// Levels 2 to 9.
const LEVELS: [Config; 8] = [
    Config {
        max_chain: 3,
        nice_len: 24,
        max_lazy: 0,
        skip_trigger: 6,
        min_gain: 80,
        min_gain_three: None,
        three_share: 0,
        eights: Eights::Off,
        insert_tail: 8,
        literals_per_bit: 8,
        first_piece: 8 << 10,
        cheap_distances: false,
    },
    Config {
        max_chain: 4,
        nice_len: 32,
        max_lazy: 0,
        skip_trigger: 6,
        min_gain: 64,
        min_gain_three: None,
        three_share: 0,
        eights: Eights::Off,
        insert_tail: 16,
        literals_per_bit: 8,
        first_piece: 8 << 10,
        cheap_distances: false,
    },
    Config {
        max_chain: 3,
        nice_len: 32,
        max_lazy: 4,
        skip_trigger: 6,
        min_gain: 64,
        min_gain_three: Some(96),
        three_share: 32,
        eights: Eights::Off,
        insert_tail: 16,
        literals_per_bit: 8,
        first_piece: 8 << 10,
        cheap_distances: false,
    },
    Config {
        max_chain: 4,
        nice_len: 48,
        max_lazy: 4,
        skip_trigger: 6,
        min_gain: 64,
        min_gain_three: Some(72),
        three_share: 32,
        eights: Eights::Newest,
        insert_tail: 16,
        literals_per_bit: 8,
        first_piece: 2 << 10,
        cheap_distances: false,
    },
    Config {
        max_chain: 8,
        nice_len: 64,
        max_lazy: 8,
        skip_trigger: 7,
        min_gain: 48,
        min_gain_three: Some(96),
        three_share: 64,
        eights: Eights::Newest,
        insert_tail: 24,
        literals_per_bit: 8,
        first_piece: 8 << 10,
        cheap_distances: false,
    },
    Config {
        max_chain: 32,
        nice_len: 128,
        max_lazy: 32,
        skip_trigger: 10,
        min_gain: 32,
        min_gain_three: Some(48),
        three_share: 128,
        eights: Eights::Newest,
        insert_tail: 48,
        literals_per_bit: 11,
        first_piece: 8 << 10,
        cheap_distances: false,
    },
    Config {
        max_chain: 16,
        nice_len: 258,
        max_lazy: 64,
        skip_trigger: 9,
        min_gain: 24,
        min_gain_three: Some(16),
        three_share: 0,
        eights: Eights::Chained,
        insert_tail: 128,
        literals_per_bit: 11,
        first_piece: 8 << 10,
        cheap_distances: true,
    },
    Config {
        max_chain: 24,
        nice_len: 258,
        max_lazy: 128,
        skip_trigger: 9,
        min_gain: 24,
        min_gain_three: Some(8),
        three_share: 0,
        eights: Eights::Chained,
        insert_tail: 258,
        literals_per_bit: 11,
        first_piece: 8 << 10,
        cheap_distances: true,
    },
];
