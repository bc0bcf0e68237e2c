//! The Huffman codes of a block, from its header.

use super::bits::Bits;
use super::entry::{Kind, code_length_entry, dist_entry, litlen_entry};
use super::many::Many;
use super::table::Table;
use crate::codecs::DecodeErrorKind;
use crate::codecs::huffman::canonical;
use crate::codecs::zlib::{CODE_LENGTH_ORDER, CODE_LENGTHS, FIXED_DISTS, FIXED_LITLENS};

/// The codes of literals and lengths.
type LitlenTable = Table<11, 4096>;
/// The codes of distances.
type DistTable = Table<8, 1024>;
/// Entries of the root of [`LitlenTable`].
const LITLEN_ROOT: usize = 1 << 11;
/// Two literals are looked up at once if at least this many bytes of the stream are expected to be
/// such pairs, because finding the pairs takes 2 µs;
const PAIRED_BYTES: u64 = 3000;
/// and if at least this many entries of the root are pairs. Otherwise the loop for single literals
/// is 1.05 times as fast.
const MIN_PAIRS: usize = LITLEN_ROOT / 4;
/// Up to four literals are looked up at once if at least this many entries of four exist: 1.7 times
/// as fast on masks.
const MIN_FULL: usize = LITLEN_ROOT / 8;
/// The most literal and length codes, and distance codes, that a header may describe.
const MAX_LITLENS: usize = 286;
const MAX_DISTS: usize = 30;

const _: () = assert!(LitlenTable::fits(MAX_LITLENS) && DistTable::fits(MAX_DISTS));

const TOO_MANY_CODES: DecodeErrorKind =
    DecodeErrorKind::invalid("block header: expected at most 286 and 30 codes, found more");

/// The roots for the fixed codes, none of which is longer: building them takes a microsecond.
static FIXED_LITLEN_ROOT: [u32; LITLEN_ROOT] = root(&FIXED_LITLENS, false);
static FIXED_DIST_ROOT: [u32; 1 << 8] = root(&FIXED_DISTS, true);

/// A root: the entry of each symbol at all indices that begin with its code.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn root<const SYMBOLS: usize, const LEN: usize>(
    lens: &[u8; SYMBOLS],
    distances: bool,
) -> [u32; LEN] {
    let mut root = [0; LEN];
    let codes = canonical(lens);
    let mut symbol = 0;
    while (symbol as usize) < SYMBOLS {
        let entry = if distances {
            dist_entry(symbol)
        } else {
            litlen_entry(symbol)
        };
        let code = codes[symbol as usize];
        let len = code >> 24;
        let mut at = (code & 0xFF_FFFF) as usize;
        // Reserved symbols have codes, but no meaning.
        while entry != 0 && at < LEN {
            root[at] = entry + (len << 8 | len);
            at += 1 << len;
        }
        symbol += 1;
    }
    root
}

/// The literals that one look-up may find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// One.
    One,
    /// Two, in entries of [`Codes::litlen`].
    Two,
    /// Up to four, in entries of [`Codes::many`].
    Many,
}

/// The codes of the current block.
pub(super) struct Codes {
    /// Built from [`litlen_entry`] only: no length is above `MAX_MATCH`.
    litlen: LitlenTable,
    /// Built from [`dist_entry`] only: no distance is 0.
    dist: DistTable,
    code_lengths: Table<7, 128>,
    /// Whether `litlen` and `dist` hold the fixed codes.
    fixed: bool,
    /// The literals of `litlen`, up to four in one entry, where `lookup` says so. Few streams need
    /// it, and it is nearly half of the memory.
    many: Option<Many>,
    /// The literals that one look-up may find.
    pub(super) lookup: Lookup,
}

impl Codes {
    pub(super) fn new() -> Self {
        Self {
            litlen: Table::new(),
            dist: Table::new(),
            code_lengths: Table::new(),
            fixed: false,
            many: None,
            lookup: Lookup::One,
        }
    }

    /// The literals and lengths; a length with its extra bits is at most `MAX_MATCH`.
    #[inline(always)]
    pub(super) fn litlen(&self) -> &LitlenTable {
        &self.litlen
    }

    /// The literals, up to four at once.
    #[inline(always)]
    pub(super) fn many(&self) -> Option<&Many> {
        self.many.as_ref()
    }

    /// The distances; with its extra bits, each is at least 1.
    #[inline(always)]
    pub(super) fn dist(&self) -> &DistTable {
        &self.dist
    }

    /// Sets the fixed codes.
    pub(super) fn set_fixed(&mut self) {
        if self.fixed {
            return;
        }
        self.litlen.set_root(&FIXED_LITLEN_ROOT);
        self.dist.set_root(&FIXED_DIST_ROOT);
        self.fixed = true;
        self.lookup = Lookup::One;
    }

    /// Reads the codes of a block from its header.
    pub(super) fn read(&mut self, bits: &mut Bits<'_>) -> Result<(), DecodeErrorKind> {
        self.fixed = false;
        let nlitlens = bits.take(5)? + 257;
        let ndists = bits.take(5)? + 1;
        let ncodes = bits.take(4)? + 4;
        if nlitlens > MAX_LITLENS || ndists > MAX_DISTS {
            return Err(TOO_MANY_CODES);
        }
        let mut lens = [0_u8; CODE_LENGTHS];
        for &symbol in CODE_LENGTH_ORDER.iter().take(ncodes) {
            bits.refill();
            let len = bits.take(3)?;
            if let Some(to) = lens.get_mut(symbol) {
                *to = len.to_le_bytes()[0];
            }
        }
        self.code_lengths.build(&lens, code_length_entry)?;
        let mut lens = [0_u8; MAX_LITLENS + MAX_DISTS];
        let lens = lens.get_mut(..nlitlens + ndists).ok_or(TOO_MANY_CODES)?;
        self.read_lens(bits, lens)?;
        let (litlens, dists) = lens.split_at(nlitlens);
        if litlens.get(256) == Some(&0) {
            return Err(DecodeErrorKind::invalid(
                "block header: expected a code for the end of the block, found none",
            ));
        }
        self.litlen.build(litlens, litlen_entry)?;
        self.lookup = if !pays_to_pair(LitlenTable::pairs(litlens), bits.left()) {
            Lookup::One
        } else if Many::full(litlens) < MIN_FULL {
            self.litlen.pair();
            Lookup::Two
        } else {
            self.many.get_or_insert_with(Many::new).build(&self.litlen);
            Lookup::Many
        };
        self.dist.build(dists, dist_entry)
    }

    /// Reads code lengths.
    fn read_lens(&self, bits: &mut Bits<'_>, lens: &mut [u8]) -> Result<(), DecodeErrorKind> {
        let mut at = 0;
        while at < lens.len() {
            bits.refill();
            let entry = self.code_lengths.look_up(bits);
            bits.skip(entry.len())?;
            let symbol = entry.value();
            let (byte, repeat) = match (entry.kind(), symbol) {
                (Kind::Literal, 0..=15) => (symbol.to_le_bytes()[0], 1),
                (Kind::Literal, 16) => {
                    let before = at.checked_sub(1).and_then(|at| lens.get(at));
                    let before = before.ok_or(DecodeErrorKind::invalid(
                        "block header: expected a code length, found a repeat of none",
                    ))?;
                    (*before, 3 + bits.take(2)?)
                }
                (Kind::Literal, 17) => (0, 3 + bits.take(3)?),
                (Kind::Literal, 18) => (0, 11 + bits.take(7)?),
                _ => {
                    return Err(DecodeErrorKind::invalid(
                        "block header: expected a code length, found no code",
                    ));
                }
            };
            let run = lens
                .get_mut(at..at + repeat)
                .ok_or(DecodeErrorKind::invalid(
                    "block header: expected one length per code, found more",
                ))?;
            run.fill(byte);
            at += repeat;
        }
        Ok(())
    }
}

/// Whether to put two literals into one entry, given the number of root entries with two and the
/// number of bytes of the stream that are left. In 64 bits, because the product can exceed 32.
fn pays_to_pair(pairs: usize, left: usize) -> bool {
    let left = left as u64;
    left > PAIRED_BYTES
        && pairs > MIN_PAIRS
        && pairs as u64 * left > LITLEN_ROOT as u64 * PAIRED_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_the_fixed_codes_are_those_that_are_built() {
        let (mut fixed, mut built) = (Codes::new(), Codes::new());
        fixed.set_fixed();
        built.litlen.build(&FIXED_LITLENS, litlen_entry).unwrap();
        built.dist.build(&FIXED_DISTS, dist_entry).unwrap();
        assert!((0..LITLEN_ROOT).all(|at| {
            fixed.litlen.root_at(at).raw() == built.litlen.root_at(at).raw()
                && fixed.dist.root_at(at).raw() == built.dist.root_at(at).raw()
        }));
    }

    #[test]
    fn pairs_of_a_long_stream_do_not_wrap() {
        // The product is 2^32, 0 in 32 bits.
        assert!(pays_to_pair(1 << 10, 1 << 22));
        assert!(!pays_to_pair(MIN_PAIRS, 1 << 22));
        assert!(!pays_to_pair(1 << 11, 3000));
    }
}
