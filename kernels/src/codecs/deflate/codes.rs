//! Huffman codes: their lengths from how often symbols come, the codes themselves, and how a block
//! describes them.

use super::parse::Sequence;
use super::write::BitWriter;

/// Literals 0 to 255, the end of a block 256, lengths 257 to 285; two more are never used.
pub(super) const LITLENS: usize = 288;
/// Distances 0 to 29; two more are never used.
pub(super) const DISTS: usize = 32;
/// The symbol that ends a block.
pub(super) const END: usize = 256;
/// The longest code of a literal or length: four of them and 7 bits fit in 64.
const MAX_LITLEN: usize = 14;
const MAX_DIST: usize = 15;
const MAX_CODE_LENGTH: usize = 7;
/// The order in which the lengths of the code-length codes are stored.
const CODE_LENGTH_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// By length - 3: the symbol - 257 (low 8 bits), how many extra bits (next 8), and their value.
static LENGTHS: [u32; 256] = lengths();

const fn lengths() -> [u32; 256] {
    let mut table = [0; 256];
    let mut symbol = 0_u32;
    let mut at = 0;
    while at < 255 {
        // Eight symbols without extra bits, then four for each number of them.
        let extra = if symbol < 8 { 0 } else { symbol / 4 - 1 };
        let mut value = 0;
        while value < 1 << extra && at < 255 {
            table[at] = symbol | extra << 8 | value << 16;
            value += 1;
            at += 1;
        }
        symbol += 1;
    }
    // Length 258 has a symbol of its own.
    table[255] = 28;
    table
}

/// A length's symbol in the code of literals and lengths.
#[inline(always)]
pub(super) fn length_symbol(len: u16) -> usize {
    END + 1 + (LENGTHS[usize::from(len.wrapping_sub(3)) & 255] & 255) as usize
}

/// A distance's symbol and how many extra bits it has; they are the low bits of the distance - 1.
#[inline(always)]
pub(super) fn distance_symbol(distance: u16) -> (usize, u32) {
    let value = u32::from(distance.wrapping_sub(1));
    if value < 4 {
        return (value as usize, 0);
    }
    let extra = value.ilog2() - 1;
    ((2 * extra + (value >> extra)) as usize & (DISTS - 1), extra)
}

/// By number: all bits for so many of four, none for the others.
pub(super) static FIRST: [[u32; 4]; 8] = {
    let mut first = [[u32::MAX; 4]; 8];
    let mut number = 0;
    while number < 4 {
        let mut at = number;
        while at < 4 {
            first[number][at] = 0;
            at += 1;
        }
        number += 1;
    }
    first
};

/// Whether most matches follow one another.
///
/// Literals are counted and written by fours, and the last one to four of them without a branch: how
/// many there are, nothing foretells (1.1 to 1.25 times as fast at level 1 on text and images). Where
/// there are none most of the time, that is foretold, and asked first.
pub(super) fn literals_are_rare(sequences: &[Sequence]) -> bool {
    let literals = sequences.iter().map(|sequence| sequence.literals as usize);
    literals.sum::<usize>() < sequences.len() / 2
}

/// The four bytes at `at`, or `None` near the end.
#[inline(always)]
pub(super) fn four(src: &[u8], at: usize) -> Option<&[u8; 4]> {
    src.get(at..)?.first_chunk()
}

/// How often each symbol comes in a block.
pub(super) struct Histogram {
    litlens: [u32; LITLENS],
    dists: [u32; DISTS],
    /// Further counts of literals, so that equal neighbours are not counted in the same place.
    more: [[u32; 256]; 3],
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            litlens: [0; LITLENS],
            dists: [0; DISTS],
            more: [[0; 256]; 3],
        }
    }
}

impl Histogram {
    /// Counts the block whose content begins at `start` of `src`.
    #[inline(always)]
    pub(super) fn count(&mut self, src: &[u8], start: usize, sequences: &[Sequence]) {
        *self = Self::default();
        let rare = literals_are_rare(sequences);
        let mut at = start;
        for sequence in sequences {
            let mut literals = sequence.literals;
            let end = at + literals as usize;
            while literals > 4
                && let Some(four) = four(src, at)
            {
                self.count_four(four, [1; 4]);
                (at, literals) = (at + 4, literals - 4);
            }
            if rare && literals == 0 {
                // Foretold.
            } else if let Some(four) = four(src, at) {
                self.count_four(four, FIRST[literals as usize & 7].map(|mask| mask & 1));
            } else {
                for byte in src.get(at..end).unwrap_or(&[]) {
                    self.litlens[usize::from(*byte)] += 1;
                }
            }
            if sequence.len > 0 {
                self.litlens[length_symbol(sequence.len)] += 1;
                self.dists[distance_symbol(sequence.distance).0] += 1;
            }
            at = end + usize::from(sequence.len);
        }
        self.litlens[END] = 1;
        for more in &self.more {
            for (count, more) in self.litlens.iter_mut().zip(more) {
                *count += more;
            }
        }
    }

    /// Counts four literals, each in a table of its own.
    #[inline(always)]
    fn count_four(&mut self, [a, b, c, d]: &[u8; 4], by: [u32; 4]) {
        self.litlens[usize::from(*a)] += by[0];
        self.more[0][usize::from(*b)] += by[1];
        self.more[1][usize::from(*c)] += by[2];
        self.more[2][usize::from(*d)] += by[3];
    }

    /// How often each literal and length comes.
    pub(super) fn litlens(&self) -> &[u32; LITLENS] {
        &self.litlens
    }

    /// How often each distance comes.
    pub(super) fn dists(&self) -> &[u32; DISTS] {
        &self.dists
    }

    /// How many literals there are.
    pub(super) fn literals(&self) -> u64 {
        let literals = self.litlens.iter().take(END);
        literals.map(|count| u64::from(*count)).sum()
    }

    /// The bits behind codes.
    pub(super) fn extra_bits(&self) -> u64 {
        self.bits(&[0; LITLENS], &[0; DISTS])
    }

    /// Becomes what `a` and `b` are together.
    pub(super) fn sum(&mut self, a: &Self, b: &Self) {
        for (sum, (a, b)) in self
            .litlens
            .iter_mut()
            .zip(a.litlens.iter().zip(&b.litlens))
        {
            *sum = a + b;
        }
        self.litlens[END] = 1;
        for (sum, (a, b)) in self.dists.iter_mut().zip(a.dists.iter().zip(&b.dists)) {
            *sum = a + b;
        }
    }

    /// The bits of the block's content with codes of these lengths.
    fn bits(&self, litlens: &[u8; LITLENS], dists: &[u8; DISTS]) -> u64 {
        let mut bits = 0;
        for (symbol, (count, len)) in self.litlens.iter().zip(litlens).enumerate() {
            let extra = match symbol {
                265..285 => (symbol as u64 - 257) / 4 - 1,
                _ => 0,
            };
            bits += u64::from(*count) * (u64::from(*len) + extra);
        }
        for (symbol, (count, len)) in self.dists.iter().zip(dists).enumerate() {
            let extra = (symbol as u64 / 2).saturating_sub(1);
            bits += u64::from(*count) * (u64::from(*len) + extra);
        }
        bits
    }
}

/// Codes ready to write: the code in the low 24 bits, its length above. Lengths have their extra
/// bits with them.
pub(super) struct Tables {
    pub(super) litlens: [u32; LITLENS],
    /// By length - 3.
    pub(super) lengths: [u32; 256],
    pub(super) dists: [u32; DISTS],
}

static FIXED: Tables = Tables::of(&FIXED_LITLENS, &FIXED_DISTS);
const FIXED_DISTS: [u8; DISTS] = [5; DISTS];
const FIXED_LITLENS: [u8; LITLENS] = {
    let mut lens = [8; LITLENS];
    let mut symbol = 144;
    while symbol < 280 {
        lens[symbol] = if symbol < 256 { 9 } else { 7 };
        symbol += 1;
    }
    lens
};

/// The canonical codes of `lens`, their bits in the order of the stream.
const fn canonical<const N: usize>(lens: &[u8; N]) -> [u32; N] {
    let mut counts = [0_u32; 16];
    let mut symbol = 0;
    while symbol < N {
        counts[(lens[symbol] & 15) as usize] += 1;
        symbol += 1;
    }
    counts[0] = 0;
    let mut next = [0_u32; 16];
    let mut len = 1;
    while len < 16 {
        next[len] = (next[len - 1] + counts[len - 1]) << 1;
        len += 1;
    }
    let mut codes = [0; N];
    let mut symbol = 0;
    while symbol < N {
        let len = lens[symbol] as u32;
        if len > 0 {
            let code = next[len as usize];
            next[len as usize] += 1;
            codes[symbol] = code.reverse_bits() >> (32 - len) | len << 24;
        }
        symbol += 1;
    }
    codes
}

impl Tables {
    const fn of(litlens: &[u8; LITLENS], dists: &[u8; DISTS]) -> Self {
        let litlens = canonical(litlens);
        let mut lengths = [0; 256];
        let mut len = 0;
        while len < 256 {
            let entry = LENGTHS[len];
            let code = litlens[END + 1 + (entry & 255) as usize];
            let extra = entry >> 8 & 255;
            lengths[len] =
                (code & 0xFF_FFFF) | entry >> 16 << (code >> 24) | ((code >> 24) + extra) << 24;
            len += 1;
        }
        Self {
            litlens,
            lengths,
            dists: canonical(dists),
        }
    }
}

/// The codes of a block of its own.
pub(super) struct Codes {
    tables: Tables,
    litlens: [u8; LITLENS],
    dists: [u8; DISTS],
    /// How the lengths are written: a symbol and its extra bits.
    runs: [(u8, u8); LITLENS + DISTS],
    nruns: usize,
    run_lens: [u8; 19],
    /// How many lengths of each kind are written.
    written: (usize, usize, usize),
}

impl Default for Codes {
    fn default() -> Self {
        Self {
            tables: Tables {
                litlens: [0; LITLENS],
                lengths: [0; 256],
                dists: [0; DISTS],
            },
            litlens: [0; LITLENS],
            dists: [0; DISTS],
            runs: [(0, 0); LITLENS + DISTS],
            nruns: 0,
            run_lens: [0; 19],
            written: (0, 0, 0),
        }
    }
}

impl Codes {
    /// The fixed codes.
    pub(super) fn fixed() -> &'static Tables {
        &FIXED
    }

    /// The size of a block with the fixed codes, in bits.
    pub(super) fn fixed_bits(histogram: &Histogram) -> u64 {
        3 + histogram.bits(&FIXED_LITLENS, &FIXED_DISTS)
    }

    /// Computes the best codes; returns the size of the block with them in bits.
    pub(super) fn build(&mut self, histogram: &Histogram) -> u64 {
        self.litlens = code_lengths(&histogram.litlens, MAX_LITLEN);
        self.dists = code_lengths(&histogram.dists, MAX_DIST);
        let nlitlens = used(&self.litlens).max(257);
        let ndists = used(&self.dists).max(1);
        let mut counts = [0; 19];
        self.nruns = 0;
        let (litlens, dists) = (self.litlens, self.dists);
        let lens = litlens[..nlitlens].iter().chain(&dists[..ndists]);
        let mut lens = lens.copied().peekable();
        while let Some(len) = lens.next() {
            let most = if len == 0 { 137 } else { 6 };
            let mut repeats = 0;
            while repeats < most && lens.next_if_eq(&len).is_some() {
                repeats += 1;
            }
            self.run(len, repeats, &mut counts);
        }
        self.run_lens = code_lengths(&counts, MAX_CODE_LENGTH);
        let stored = CODE_LENGTH_ORDER
            .iter()
            .rposition(|symbol| self.run_lens[*symbol] > 0);
        let stored = stored.map_or(4, |last| (last + 1).max(4));
        self.written = (nlitlens, ndists, stored);
        let mut bits = 3 + 5 + 5 + 4 + 3 * stored as u64;
        for (symbol, (count, len)) in counts.iter().zip(&self.run_lens).enumerate() {
            bits += u64::from(*count) * (u64::from(*len) + u64::from(extra_bits(symbol)));
        }
        bits + histogram.bits(&self.litlens, &self.dists)
    }

    /// Notes a length and how often it comes again.
    fn run(&mut self, len: u8, repeats: u8, counts: &mut [u32; 19]) {
        let mut push = |symbol: u8, extra: u8| {
            self.runs[self.nruns] = (symbol, extra);
            self.nruns += 1;
            counts[usize::from(symbol)] += 1;
        };
        match (len, repeats) {
            (0, 2..=9) => push(17, repeats + 1 - 3),
            (0, 10..) => push(18, repeats + 1 - 11),
            (1.., 3..) => {
                push(len, 0);
                push(16, repeats - 3);
            }
            _ => (0..=repeats).for_each(|_| push(len, 0)),
        }
    }

    /// Writes the head of a block with these codes.
    pub(super) fn write_header(&mut self, last: bool, out: &mut BitWriter<'_>) {
        self.tables = Tables::of(&self.litlens, &self.dists);
        let (nlitlens, ndists, stored) = self.written;
        out.put(u64::from(last) | 2 << 1, 3);
        out.put(nlitlens as u64 - 257, 5);
        out.put(ndists as u64 - 1, 5);
        out.put(stored as u64 - 4, 4);
        out.flush();
        for symbol in &CODE_LENGTH_ORDER[..stored] {
            out.put(u64::from(self.run_lens[*symbol]), 3);
            out.flush();
        }
        let codes = canonical(&self.run_lens);
        for (symbol, extra) in &self.runs[..self.nruns] {
            out.put_code(codes[usize::from(*symbol)]);
            out.put(u64::from(*extra), extra_bits(usize::from(*symbol)));
            out.flush();
        }
    }
}

impl core::ops::Deref for Codes {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        &self.tables
    }
}

/// The extra bits of a symbol of the code of code lengths.
fn extra_bits(symbol: usize) -> u32 {
    match symbol {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    }
}

/// How many lengths there are up to the last that is not 0.
fn used(lens: &[u8]) -> usize {
    lens.iter()
        .rposition(|len| *len > 0)
        .map_or(0, |last| last + 1)
}

/// The lengths of the best prefix code for symbols that come so often, none above `most`. Two
/// symbols at least get a code: some decoders want a complete one.
///
/// In-place computation after Moffat and Katajainen, "In-Place Calculation of Minimum-Redundancy
/// Codes", 1995; codes that are too long are shortened as far as needed.
fn code_lengths<const N: usize>(counts: &[u32; N], most: usize) -> [u8; N] {
    // Count and symbol in one number, which sorts.
    let mut sorted = [0_u64; N];
    let mut n = 0;
    for (symbol, count) in counts.iter().enumerate() {
        sorted[n] = u64::from(*count) << 16 | symbol as u64;
        n += usize::from(*count > 0);
    }
    let mut lens = [0; N];
    if n < 2 {
        let only = if n == 1 {
            (sorted[0] & 0xFFFF) as usize
        } else {
            0
        };
        lens[only] = 1;
        lens[usize::from(only == 0)] = 1;
        return lens;
    }
    let sorted = &mut sorted[..n];
    sorted.sort_unstable();
    let mut a = [0_usize; N];
    for (a, entry) in a.iter_mut().zip(sorted.iter()) {
        *a = (entry >> 16) as usize;
    }
    // Internal nodes take the places of the leaves they were made of: first weights, then parents.
    let (mut root, mut leaf) = (0, 0);
    for next in 0..n - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            if leaf >= n || (root < next && a[root] < a[leaf]) {
                weight += a[root];
                a[root] = next;
                root += 1;
            } else {
                weight += a[leaf];
                leaf += 1;
            }
        }
        a[next] = weight;
    }
    // Depths of internal nodes, from the root down; then how many leaves there are at each depth.
    a[n - 2] = 0;
    for next in (0..n - 2).rev() {
        a[next] = a[a[next]] + 1;
    }
    let mut at_depth = [0_usize; 64];
    let (mut open, mut depth, mut node) = (1, 0, n - 1);
    while open > 0 {
        let mut inner = 0;
        while node > 0 && a[node - 1] == depth {
            inner += 1;
            node -= 1;
        }
        at_depth[depth.min(63)] += open - inner;
        open = 2 * inner;
        depth += 1;
    }
    // Shorten: leaves below `most` move up to it, and shorter codes make room for them.
    let deeper: usize = at_depth[most + 1..].iter().sum();
    at_depth[most] += deeper;
    let mut space: usize = (1..=most).map(|len| at_depth[len] << (most - len)).sum();
    while space > 1 << most {
        let Some(len) = (1..most).rev().find(|len| at_depth[*len] > 0) else {
            break;
        };
        at_depth[len] -= 1;
        at_depth[len + 1] += 2;
        at_depth[most] -= 1;
        space -= 1;
    }
    // The rarest symbols have the longest codes.
    let mut len = most;
    for entry in sorted.iter() {
        while at_depth[len] == 0 {
            len -= 1;
        }
        at_depth[len] -= 1;
        lens[(entry & 0xFFFF) as usize] = len.to_le_bytes()[0];
    }
    lens
}
