//! Blocks: stored bytes, or sequences in codes.

use super::bits::BitWriter;
use super::codes::{Codes, Tables};
use super::sequence::{FIRST_LITERALS, Sequence, four_at, literals_are_rare};
use super::symbols::distance_symbol;
use crate::codecs::zlib::{END_OF_BLOCK, MAX_STORED};

/// Bits of a stored block's kind, and of its two lengths.
const KIND_BITS: u64 = 3;
const LENGTHS_BITS: u64 = 32;

/// Number of stored blocks for `len` bytes.
fn stored_blocks(len: usize) -> u64 {
    len.div_ceil(MAX_STORED).max(1) as u64
}

/// The size in bits of `len` bytes in stored blocks, of which the first begins at a whole byte.
pub(super) fn stored_bits(len: usize) -> u64 {
    8 * len as u64 + stored_blocks(len) * (8 + LENGTHS_BITS)
}

/// Writes `bytes` in stored blocks, the last of the stream if `last` says so; `None` when they do
/// not fit.
pub(super) fn stored(bytes: &[u8], last: bool, out: &mut BitWriter<'_>) -> Option<()> {
    // The first kind may share a byte with the block before.
    let pending = out.pending_bits();
    let kind = (pending + KIND_BITS).next_multiple_of(8) - pending;
    out.reserve(stored_bits(bytes.len()) - 8 + kind)?;
    let mut rest = bytes;
    loop {
        let (block, later) = rest.split_at(rest.len().min(MAX_STORED));
        rest = later;
        out.put(u64::from(last && rest.is_empty()), 3);
        out.finish()?;
        let [low, high, ..] = block.len().to_le_bytes();
        out.put(u64::from_le_bytes([low, high, !low, !high, 0, 0, 0, 0]), 32);
        out.finish()?;
        out.append(block)?;
        if rest.is_empty() {
            return Some(());
        }
    }
}

/// Writes a block of `bytes` with its own codes or the fixed ones, whichever is smaller; `own` and
/// `fixed` are the sizes of the block in bits. `None` when it does not fit.
#[inline(always)]
pub(super) fn coded(
    codes: &mut Codes,
    (own, fixed): (u64, u64),
    (bytes, last): (&[u8], bool),
    block: &[Sequence],
    out: &mut BitWriter<'_>,
) -> Option<()> {
    out.reserve(own.min(fixed))?;
    if own < fixed {
        codes.write_header(last, out);
        sequences(codes.tables(), bytes, block, out);
        end(codes.tables(), out);
    } else {
        start_fixed(last, out);
        sequences(Codes::fixed(), bytes, block, out);
        end(Codes::fixed(), out);
    }
    Some(())
}

/// Writes the sequences of `bytes`.
#[inline(always)]
pub(super) fn sequences(
    tables: &Tables,
    bytes: &[u8],
    sequences: &[Sequence],
    writer: &mut BitWriter<'_>,
) {
    let mut out = writer.local();
    let rare = literals_are_rare(sequences);
    let mut at = 0;
    for sequence in sequences {
        let count = sequence.literals as usize;
        literals(tables, bytes, at, count, rare, &mut out);
        if sequence.len > 0 {
            one_match(tables, sequence.len, sequence.distance, &mut out);
        }
        at += count + usize::from(sequence.len);
    }
    let state = out.state();
    writer.resume(state);
}

/// Begins a block with the fixed codes, the last of the stream if `last` says so.
#[inline(always)]
pub(super) fn start_fixed(last: bool, out: &mut BitWriter<'_>) {
    out.put(u64::from(last) | 1 << 1, 3);
    out.flush();
}

/// Writes the end of a block.
#[inline(always)]
pub(super) fn end(tables: &Tables, out: &mut BitWriter<'_>) {
    out.put_code(tables.litlens[END_OF_BLOCK]);
    out.flush();
}

/// Writes `count` literals from `at` on. `rare` says that most calls have none.
#[inline(always)]
pub(super) fn literals(
    tables: &Tables,
    bytes: &[u8],
    mut at: usize,
    mut count: usize,
    rare: bool,
    out: &mut BitWriter<'_>,
) {
    let end = at + count;
    while count > 4
        && let Some(four) = four_at(bytes, at)
    {
        for byte in four {
            out.put_code(tables.litlens[usize::from(*byte)]);
        }
        out.flush();
        (at, count) = (at + 4, count - 4);
    }
    if rare && count == 0 {
        // The predictable case.
    } else if let Some(four) = four_at(bytes, at) {
        for (byte, mask) in four.iter().zip(FIRST_LITERALS[count & 7]) {
            out.put_code(tables.litlens[usize::from(*byte)] & mask);
        }
    } else {
        for byte in bytes.get(at..end).unwrap_or(&[]) {
            out.put_code(tables.litlens[usize::from(*byte)]);
        }
    }
    out.flush();
}

/// Writes a match of 3 to 258 bytes.
#[inline(always)]
pub(super) fn one_match(tables: &Tables, len: u16, distance: u16, out: &mut BitWriter<'_>) {
    out.put_code(tables.lengths[usize::from(len.wrapping_sub(3)) & 255]);
    let (symbol, extra) = distance_symbol(distance);
    out.put_code(tables.dists[symbol]);
    let value = u64::from(distance.wrapping_sub(1));
    out.put(value & ((1 << extra) - 1), extra);
    out.flush();
}
