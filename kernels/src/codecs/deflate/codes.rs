//! The Huffman codes of a block, and the header that describes them.

use super::bits::BitWriter;
use super::histogram::Histogram;
use super::symbols::{LENGTHS, extra_bits};
use crate::codecs::huffman::{canonical, code_lengths, used};
use crate::codecs::zlib::{
    CODE_LENGTH_ORDER, CODE_LENGTHS, DISTS, END_OF_BLOCK, FIXED_DISTS, FIXED_LITLENS, LITLENS,
    MAX_CODE_BITS,
};

/// The longest code of a literal or length: four of them and 7 bits fit in 64.
const MAX_LITLEN_BITS: usize = 14;
/// The longest code of a code length.
const MAX_CODE_LENGTH_BITS: usize = 7;

/// Codes to write: the code in the low 24 bits, its length in the high 8.
pub(super) struct Tables {
    pub(super) litlens: [u32; LITLENS],
    /// Codes by length - 3, with their extra bits.
    pub(super) lengths: [u32; 256],
    pub(super) dists: [u32; DISTS],
}

static FIXED: Tables = Tables::of(&FIXED_LITLENS, &FIXED_DISTS);

impl Tables {
    const fn of(litlens: &[u8; LITLENS], dists: &[u8; DISTS]) -> Self {
        let litlens = canonical(litlens);
        let mut lengths = [0; 256];
        let mut len = 0;
        while len < 256 {
            let entry = LENGTHS[len];
            let code = litlens[END_OF_BLOCK + 1 + (entry & 255) as usize];
            let extra = extra_bits(entry);
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

/// The codes made for one block.
pub(super) struct Codes {
    tables: Tables,
    litlens: [u8; LITLENS],
    dists: [u8; DISTS],
    /// The code lengths as the header stores them: a symbol and the value of its extra bits.
    runs: [(u8, u8); LITLENS + DISTS],
    nruns: usize,
    run_lens: [u8; CODE_LENGTHS],
    /// The numbers of literal and length codes, distance codes and code-length codes in the header.
    stored: (usize, usize, usize),
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
            run_lens: [0; CODE_LENGTHS],
            stored: (0, 0, 0),
        }
    }
}

impl Codes {
    /// The fixed codes.
    pub(super) fn fixed() -> &'static Tables {
        &FIXED
    }

    /// The codes that [`write_header`](Self::write_header) has described.
    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The size of a block with the fixed codes, in bits.
    pub(super) fn fixed_bits(histogram: &Histogram) -> u64 {
        3 + histogram.bits(&FIXED_LITLENS, &FIXED_DISTS)
    }

    /// Computes the best codes and returns the size of the block with them, header included, in
    /// bits.
    pub(super) fn build(&mut self, histogram: &Histogram) -> u64 {
        self.litlens = code_lengths(histogram.litlens(), MAX_LITLEN_BITS);
        self.dists = code_lengths(histogram.dists(), MAX_CODE_BITS);
        let nlitlens = used(&self.litlens).max(257);
        let ndists = used(&self.dists).max(1);
        let mut counts = [0; CODE_LENGTHS];
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
            self.push_run(len, repeats, &mut counts);
        }
        self.run_lens = code_lengths(&counts, MAX_CODE_LENGTH_BITS);
        let ncodes = CODE_LENGTH_ORDER
            .iter()
            .rposition(|symbol| self.run_lens[*symbol] > 0);
        let ncodes = ncodes.map_or(4, |last| (last + 1).max(4));
        self.stored = (nlitlens, ndists, ncodes);
        let mut bits = 3 + 5 + 5 + 4 + 3 * ncodes as u64;
        for (symbol, (count, len)) in counts.iter().zip(&self.run_lens).enumerate() {
            bits += u64::from(*count) * (u64::from(*len) + u64::from(run_extra_bits(symbol)));
        }
        bits + histogram.bits(&self.litlens, &self.dists)
    }

    /// Appends a code length and its number of repeats to the header.
    fn push_run(&mut self, len: u8, repeats: u8, counts: &mut [u32; CODE_LENGTHS]) {
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

    /// Writes the header of a block with the codes of the last [`build`](Self::build), the last
    /// block of the stream if `last` says so.
    pub(super) fn write_header(&mut self, last: bool, out: &mut BitWriter<'_>) {
        self.tables = Tables::of(&self.litlens, &self.dists);
        let (nlitlens, ndists, ncodes) = self.stored;
        out.put(u64::from(last) | 2 << 1, 3);
        out.put(nlitlens as u64 - 257, 5);
        out.put(ndists as u64 - 1, 5);
        out.put(ncodes as u64 - 4, 4);
        out.flush();
        for symbol in &CODE_LENGTH_ORDER[..ncodes] {
            out.put(u64::from(self.run_lens[*symbol]), 3);
            out.flush();
        }
        let codes = canonical(&self.run_lens);
        for (symbol, extra) in &self.runs[..self.nruns] {
            out.put_code(codes[usize::from(*symbol)]);
            out.put(u64::from(*extra), run_extra_bits(usize::from(*symbol)));
            out.flush();
        }
    }
}

/// The number of extra bits of a symbol of the code-length code.
fn run_extra_bits(symbol: usize) -> u32 {
    match symbol {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    }
}
