//! Bits to bytes.

use super::codes::{Codes, END, FIRST, Tables, distance_symbol, four, literals_are_rare};
use super::parse::Sequence;

/// The most bytes of one stored block.
const MAX_STORED: usize = 65535;

/// The size in bits of `len` bytes in stored blocks, at most.
pub(super) fn stored_bits(len: usize) -> u64 {
    8 * (len as u64 + 5 * (len as u64).div_ceil(MAX_STORED as u64).max(1))
}

/// Writes bits from the lowest up. Up to 57 can be put between two flushes.
pub(super) struct BitWriter<'d> {
    dst: &'d mut [u8],
    at: usize,
    buffer: u64,
    count: u32,
    /// Whether bytes did not fit.
    full: bool,
}

impl<'d> BitWriter<'d> {
    pub(super) fn new(dst: &'d mut [u8]) -> Self {
        Self {
            dst,
            at: 0,
            buffer: 0,
            count: 0,
            full: false,
        }
    }

    /// `None` when so many bits do not fit.
    pub(super) fn room_for(&self, bits: u64) -> Option<()> {
        let free = 8 * (self.dst.len() - self.at) as u64;
        (u64::from(self.count) + bits <= free).then_some(())
    }

    /// Puts the `count` low bits of `bits`; the others are 0.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.buffer |= bits << (self.count & 63);
        self.count += count;
    }

    /// Puts a code and its length as [`Tables`] holds them.
    #[inline(always)]
    pub(super) fn put_code(&mut self, code: u32) {
        self.put(u64::from(code & 0xFF_FFFF), code >> 24);
    }

    /// Moves whole bytes out; up to 7 bits remain.
    #[inline(always)]
    pub(super) fn flush(&mut self) {
        let whole = (self.count / 8) as usize;
        if let Some(place) = self.dst.get_mut(self.at..self.at + 8) {
            place.copy_from_slice(&self.buffer.to_le_bytes());
        } else {
            self.flush_near_end(whole);
        }
        self.at += whole;
        self.buffer >>= self.count & !7 & 63;
        self.count &= 7;
    }

    #[cold]
    fn flush_near_end(&mut self, whole: usize) {
        let bytes = self.buffer.to_le_bytes();
        for (i, byte) in bytes[..whole].iter().enumerate() {
            match self.dst.get_mut(self.at + i) {
                Some(place) => *place = *byte,
                None => self.full = true,
            }
        }
    }

    /// Fills up the last byte and returns how many there are, or `None` when they did not fit.
    pub(super) fn finish(&mut self) -> Option<usize> {
        self.count = self.count.next_multiple_of(8);
        self.flush();
        (!self.full && self.at <= self.dst.len()).then_some(self.at)
    }

    /// Writes `bytes` in stored blocks.
    pub(super) fn stored(&mut self, bytes: &[u8], last: bool) -> Option<()> {
        self.room_for(stored_bits(bytes.len()))?;
        let mut rest = bytes;
        loop {
            let (now, later) = rest.split_at(rest.len().min(MAX_STORED));
            rest = later;
            self.put(u64::from(last && rest.is_empty()), 3);
            self.finish()?;
            let [low, high, ..] = now.len().to_le_bytes();
            self.put(u64::from_le_bytes([low, high, !low, !high, 0, 0, 0, 0]), 32);
            self.finish()?;
            self.dst
                .get_mut(self.at..self.at + now.len())?
                .copy_from_slice(now);
            self.at += now.len();
            if rest.is_empty() {
                return Some(());
            }
        }
    }
}

/// Writes a block with its own codes or the fixed ones; these are its sizes in bits with either.
#[inline(always)]
pub(super) fn coded(
    codes: &mut Codes,
    (own, fixed): (u64, u64),
    (bytes, last): (&[u8], bool),
    block: &[Sequence],
    out: &mut BitWriter<'_>,
) -> Option<()> {
    out.room_for(own.min(fixed))?;
    if own < fixed {
        codes.write_header(last, out);
        sequences(codes, bytes, block, out);
    } else {
        out.put(u64::from(last) | 1 << 1, 3);
        out.flush();
        sequences(Codes::fixed(), bytes, block, out);
    }
    Some(())
}

/// Writes the content of a block, from the sequences of `bytes`, and its end.
#[inline(always)]
fn sequences(tables: &Tables, bytes: &[u8], sequences: &[Sequence], writer: &mut BitWriter<'_>) {
    // A copy in registers: what is written could otherwise be the writer itself.
    let mut out = BitWriter {
        dst: &mut *writer.dst,
        at: writer.at,
        buffer: writer.buffer,
        count: writer.count,
        full: writer.full,
    };
    let rare = literals_are_rare(sequences);
    let mut at = 0;
    for sequence in sequences {
        let mut literals = sequence.literals;
        let end = at + literals as usize;
        while literals > 4
            && let Some(four) = four(bytes, at)
        {
            for byte in four {
                out.put_code(tables.litlens[usize::from(*byte)]);
            }
            out.flush();
            (at, literals) = (at + 4, literals - 4);
        }
        if rare && literals == 0 {
            // Foretold.
        } else if let Some(four) = four(bytes, at) {
            for (byte, mask) in four.iter().zip(FIRST[literals as usize & 7]) {
                out.put_code(tables.litlens[usize::from(*byte)] & mask);
            }
        } else {
            for byte in bytes.get(at..end).unwrap_or(&[]) {
                out.put_code(tables.litlens[usize::from(*byte)]);
            }
        }
        out.flush();
        if sequence.len > 0 {
            out.put_code(tables.lengths[usize::from(sequence.len.wrapping_sub(3)) & 255]);
            let (symbol, extra) = distance_symbol(sequence.distance);
            out.put_code(tables.dists[symbol]);
            let value = u64::from(sequence.distance.wrapping_sub(1));
            out.put(value & ((1 << extra) - 1), extra);
            out.flush();
        }
        at = end + usize::from(sequence.len);
    }
    out.put_code(tables.litlens[END]);
    out.flush();
    (writer.at, writer.buffer) = (out.at, out.buffer);
    (writer.count, writer.full) = (out.count, out.full);
}
