//! The Huffman codes of a block, from its header.

use super::bits::Bits;
use super::entry::{DIST_ENTRIES, LITLEN_ENTRIES};
use super::lens::{LenTable, Lens, MAX_DISTS, MAX_LITLENS};
use super::many::Many;
use super::table::{Table, count};
use crate::codecs::DecodeErrorKind;
use crate::codecs::huffman::canonical;
use crate::codecs::zlib::{END_OF_BLOCK, FIXED_DISTS, FIXED_LITLENS};

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
const MIN_FULL: usize = LITLEN_ROOT / 4;

const _: () = assert!(LitlenTable::fits(MAX_LITLENS) && DistTable::fits(MAX_DISTS));

/// The roots for the fixed codes, none of which is longer: building them takes a microsecond.
static FIXED_LITLEN_ROOT: [u32; LITLEN_ROOT] = root(&FIXED_LITLENS, &LITLEN_ENTRIES);
static FIXED_DIST_ROOT: [u32; 1 << 8] = root(&FIXED_DISTS, &DIST_ENTRIES);

/// A root: the entry of each symbol at all indices that begin with its code.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn root<const SYMBOLS: usize, const LEN: usize>(
    lens: &[u8; SYMBOLS],
    entries: &[u32; SYMBOLS],
) -> [u32; LEN] {
    let mut root = [0; LEN];
    let codes = canonical(lens);
    let mut symbol = 0;
    while symbol < SYMBOLS {
        let entry = entries[symbol];
        let code = codes[symbol];
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
    /// Built from [`LITLEN_ENTRIES`] only: no length is above `MAX_MATCH`.
    litlen: LitlenTable,
    /// Built from [`DIST_ENTRIES`] only: no distance is 0.
    dist: DistTable,
    code_lengths: LenTable,
    /// Whether `litlen` and `dist` hold the fixed codes.
    fixed: bool,
    /// The literals of `litlen`, up to four in one entry, where `lookup` says so. Few streams need
    /// it, and it is nearly half of the memory.
    many: Option<Many>,
    /// The literals that one look-up may find.
    pub(super) lookup: Lookup,
    /// The same if the block is long enough for building the table.
    pub(super) wanted: Lookup,
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
            wanted: Lookup::One,
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
        self.wanted = Lookup::One;
    }

    /// Reads the codes of a block from its header. Tables of several literals are built at once if
    /// the block is expected to be long; otherwise [`extend`](Self::extend) builds them.
    pub(super) fn read(&mut self, bits: &mut Bits<'_>, long: bool) -> Result<(), DecodeErrorKind> {
        self.fixed = false;
        let lens = Lens::read(bits, &mut self.code_lengths)?;
        let (litlens, dists) = (lens.litlens(), lens.dists());
        let (literals, lengths) = litlens.split_at_checked(END_OF_BLOCK).unwrap_or_default();
        let (literals, mut counts) = (count(literals)?, count(lengths)?);
        for (count, literals) in counts.iter_mut().zip(literals) {
            *count += literals;
        }
        self.litlen.build(litlens, &counts, &LITLEN_ENTRIES)?;
        self.dist.build(dists, &count(dists)?, &DIST_ENTRIES)?;
        self.lookup = Lookup::One;
        self.wanted = if !pays_to_pair(LitlenTable::pairs(&literals), bits.left()) {
            Lookup::One
        } else if Many::full(&literals) < MIN_FULL {
            Lookup::Two
        } else {
            Lookup::Many
        };
        if long {
            self.extend();
        }
        Ok(())
    }

    /// Builds the table of several literals that is wanted.
    pub(super) fn extend(&mut self) {
        match self.wanted {
            Lookup::One => {}
            Lookup::Two => self.litlen.pair(),
            Lookup::Many => self.many.get_or_insert_with(Many::new).build(&self.litlen),
        }
        self.lookup = self.wanted;
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
        let counts = count(&FIXED_LITLENS).unwrap();
        let litlen = &mut built.litlen;
        litlen
            .build(&FIXED_LITLENS, &counts, &LITLEN_ENTRIES)
            .unwrap();
        let counts = count(&FIXED_DISTS).unwrap();
        built
            .dist
            .build(&FIXED_DISTS, &counts, &DIST_ENTRIES)
            .unwrap();
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
