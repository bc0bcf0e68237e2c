//! Adaptation of the search to the content, from piece to piece.

use super::config::{Config, Eights};
use super::histogram::Histogram;

/// The number of pieces for which a kind of search is suspended after it has found too little.
const COOLDOWN: u32 = 7;
/// Hashes of eight bytes are suspended when they find fewer than one match in this many.
const EIGHT_SHARE: u32 = 8;
/// After a piece with fewer than one match in this many bytes, positions are skipped earlier: 1.08
/// times as fast at level 5 in the mean, for 0.04 % of the size.
const FEW_MATCHES: u64 = 128;
/// The number of candidates with the same eight bytes to compare is this factor times the square of
/// the compression ratio of the last piece, within bounds: short streams leave more time.
const EIGHT_FACTOR: u64 = 4;
const EIGHT_MIN: u64 = 16;
/// With 1,200, tables of text take 1.4 to 2 times as long and are 0.2 to 0.8 % smaller.
const EIGHT_MAX: u64 = 256;
/// The bound for pieces of at most so many distinct literals: sparse masks are up to 4 % smaller.
const FEW_LITERALS: usize = 4;
const EIGHT_MAX_FEW: u64 = 1200;

/// Properties of a piece after its parse.
#[derive(Clone, Copy)]
pub(super) struct Piece<'p> {
    /// Bytes.
    pub(super) len: usize,
    /// The estimated size.
    pub(super) bits: u64,
    /// Whether it is noise.
    pub(super) noise: bool,
    /// Its symbols.
    pub(super) counts: &'p Histogram,
}

/// The state of the adaptation.
#[derive(Debug)]
pub(super) struct Tuning {
    /// The gain of matches of three bytes in this piece, in sixteenths of a bit.
    pub(super) three_gain: u32,
    /// The number of pieces for which matches of three bytes stay suspended.
    three_cooldown: u32,
    /// The number of matches in this piece.
    pub(super) matches: u32,
    /// The number of those found by eight bytes.
    pub(super) eight_matches: u32,
    /// The number of pieces for which hashes of eight bytes stay suspended.
    eight_cooldown: u32,
    /// The number of candidates with the same eight bytes to compare.
    pub(super) chain_eight: u32,
    /// Additional candidates for each search, after a piece that became very short.
    pub(super) extra_chain: u32,
    /// Whether matches are improbable: the last piece was noise or had few.
    pub(super) improbable: bool,
}

impl Tuning {
    /// The state at the start of a stream.
    pub(super) fn new(config: &Config) -> Self {
        Self {
            three_gain: 0,
            three_cooldown: 0,
            matches: 0,
            eight_matches: 0,
            eight_cooldown: 0,
            chain_eight: if config.eights == Eights::Chained {
                64
            } else {
                1
            },
            extra_chain: 0,
            improbable: false,
        }
    }

    /// Whether matches of three bytes and hashes of eight bytes are in use.
    pub(super) fn in_use(&self, config: &Config) -> (bool, bool) {
        (
            config.min_gain_three.is_some() && self.three_cooldown == 0,
            config.eights != Eights::Off && self.eight_cooldown == 0,
        )
    }

    /// Adapts to a piece.
    pub(super) fn update(&mut self, config: &Config, piece: Piece<'_>) {
        let Piece {
            len,
            bits,
            noise,
            counts,
        } = piece;
        let few = u64::from(self.matches) < len as u64 / FEW_MATCHES;
        self.improbable = noise || (few && config.eights != Eights::Chained);
        let ratio = 8 * len as u64 / bits.max(1);
        if config.eights == Eights::Chained {
            let most = if counts.distinct_literals() <= FEW_LITERALS {
                EIGHT_MAX_FEW
            } else {
                EIGHT_MAX
            };
            let depth = (EIGHT_FACTOR * ratio * ratio).clamp(EIGHT_MIN, most);
            self.chain_eight = u32::try_from(depth).unwrap_or(1);
            self.eight_cooldown *= u32::from(ratio <= 3);
        } else {
            self.extra_chain = u32::from(ratio >= 8) * 3 * config.max_chain;
        }
        if self.three_cooldown > 0 {
            self.three_cooldown -= 1;
        } else if config.three_share > 0
            && u64::from(self.three_gain / 16) < bits / config.three_share
        {
            self.three_cooldown = COOLDOWN;
        }
        if self.eight_cooldown > 0 {
            self.eight_cooldown -= 1;
        } else if config.eights != Eights::Off && self.eight_matches < self.matches / EIGHT_SHARE {
            self.eight_cooldown = COOLDOWN;
        }
        (self.three_gain, self.matches, self.eight_matches) = (0, 0, 0);
    }
}
