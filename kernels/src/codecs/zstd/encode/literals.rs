//! The literals of a block: as they are, as one byte, or as Huffman codes.

use super::bits::Bits;
use super::fse::{Distribution, States};
use super::parts::{is_flat, least_bytes};
use super::stream::WriteStream;
use crate::Kernels;
use crate::codecs::huffman::{code_lengths, count_lens};
use crate::codecs::lz;

/// The longest code.
pub(super) const MAX_BITS: usize = 11;
/// Fewer literals are stored: a description takes some of it, and four lengths.
const LEAST: usize = 32;
/// From so many literals on, there are four streams.
const FOUR_STREAMS: usize = 256;
/// The most weights that can be described by halves of bytes.
const MAX_HALVES: usize = 128;

/// Whether `size` bytes instead of `len` are worth the time of decoding: stored bytes are copied,
/// ten times as fast. A 48th is (libzstd: a 64th); where libzstd has no codes, more is to be saved.
#[inline(always)]
pub(super) fn pays(size: usize, len: usize, flat: bool) -> bool {
    size < len - len / if flat { 8 } else { 48 }
}

/// The codes of a block, as [`WriteStream`] takes them.
#[derive(Clone, Debug)]
struct Codes([u64; 256]);

/// The writer of literals, and the codes of the block before.
#[derive(Debug)]
pub(super) struct Literals {
    kernels: Kernels,
    last: Option<Codes>,
    states: States,
}

impl Literals {
    pub(super) fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            last: None,
            states: States::new(),
        }
    }

    /// Forgets the codes of the block before: at the beginning of a frame, and when a block is not
    /// written.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// Writes the literals of a block and returns the length; `None` when there is no room.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        literals: &[u8],
        counts: &[u32; 256],
        flat: bool,
        dst: &mut [u8],
    ) -> Option<usize> {
        let stored = |dst: &mut [u8]| {
            let at = header(dst, 0, literals.len())?;
            dst.get_mut(at..)?
                .get_mut(..literals.len())?
                .copy_from_slice(literals);
            Some(at + literals.len())
        };
        if literals.len() < LEAST {
            return stored(dst);
        }
        if let Some(byte) = literals.first()
            && counts[usize::from(*byte)] as usize == literals.len()
        {
            let at = header(dst, 1, literals.len())?;
            *dst.get_mut(at)? = *byte;
            return Some(at + 1);
        }
        if is_flat(counts, literals.len()) {
            return stored(dst);
        }
        if self.last.is_none()
            && !pays(
                least_bytes(counts, literals.len()) + 12,
                literals.len(),
                flat,
            )
        {
            return stored(dst);
        }
        let lens = code_lengths(counts, MAX_BITS);
        let mut description = [0; 160];
        let described = self.describe(&lens, &mut description);
        let codes = Codes::new(&lens);
        let new = described.map(|len| len + codes.cost(counts).unwrap_or(u32::MAX) as usize / 8);
        let old = self.last.as_ref().and_then(|last| last.cost(counts));
        let old = old.map(|bits| bits as usize / 8);
        let (kind, description, size) = match (new, old) {
            (new, Some(old)) if new.is_none_or(|new| old <= new) => (3, &[][..], old),
            (Some(new), _) => {
                self.last = Some(codes);
                (2, description.get(..described?)?, new)
            }
            _ => return stored(dst),
        };
        if !pays(size + 12, literals.len(), flat) {
            if kind == 2 {
                self.last = None;
            }
            return stored(dst);
        }
        let codes = self.last.as_ref()?;
        coded(self.kernels, dst, (kind, description), codes, literals)
    }

    /// Describes codes by their weights, without that of the last symbol.
    fn describe(&mut self, lens: &[u8; 256], dst: &mut [u8; 160]) -> Option<usize> {
        let last = lens.iter().rposition(|len| *len > 0)?;
        let longest = lens.iter().copied().fold(0, u8::max);
        let mut weights = [0; 256];
        for (weight, len) in weights.iter_mut().zip(lens) {
            *weight = if *len > 0 { longest + 1 - len } else { 0 };
        }
        let weights = &weights[..last];
        let halves = weights.len().div_ceil(2);
        let (size, rest) = dst.split_first_mut()?;
        let coded = self.weights(weights, rest);
        if let Some(coded) = coded
            && (coded < halves || weights.len() > MAX_HALVES)
            && coded < 128
        {
            *size = u8::try_from(coded).ok()?;
            return Some(1 + coded);
        }
        if weights.len() > MAX_HALVES {
            return None;
        }
        *size = u8::try_from(127 + weights.len()).ok()?;
        for (to, pair) in rest.iter_mut().zip(weights.chunks(2)) {
            *to = pair[0] << 4 | pair.get(1).copied().unwrap_or(0);
        }
        Some(1 + halves)
    }

    /// Writes weights with two states, for even and for odd symbols.
    fn weights(&mut self, weights: &[u8], dst: &mut [u8]) -> Option<usize> {
        let mut counts = [0; 53];
        counts[..16].copy_from_slice(&count_lens(weights)?.map(u32::from));
        if weights.len() < 3 || counts.iter().filter(|count| **count > 0).count() < 2 {
            return None;
        }
        let distribution = Distribution::of(&counts, 6);
        let at = distribution.write(dst)?;
        self.states.build(&distribution);
        let mut bits = Bits::new(dst.get_mut(at..)?);
        let (before, [one, other]) = weights.split_last_chunk()?;
        // The first is of symbols with the parity of the next one to write.
        let mut pair = [self.states.last(*one), self.states.last(*other)];
        // Eight of them take at most 48 bits.
        for weights in before.rchunks(8) {
            for weight in weights.iter().rev() {
                let [next, state] = pair;
                pair = [self.states.step(state, *weight, &mut bits), next];
            }
            bits.flush()?;
        }
        // A decoder begins with the state of the first symbol.
        let [first, second] = pair;
        self.states.finish(second, &mut bits);
        self.states.finish(first, &mut bits);
        Some(at + bits.finish_marked()?)
    }
}

impl Codes {
    /// Codes from their lengths: the longest ones first, in the order of symbols.
    fn new(lens: &[u8; 256]) -> Self {
        let longest = u32::from(lens.iter().copied().fold(0, u8::max));
        let mut starts = [0_u32; MAX_BITS + 2];
        // None is longer than 11 bits.
        let [_, used @ ..] = count_lens(lens).unwrap_or_default();
        for (start, (count, len)) in starts.iter_mut().zip(used.iter().zip(1..=longest)) {
            // In units of the longest code.
            *start = u32::from(*count) << (longest - len);
        }
        let mut sum = 0;
        for start in starts.iter_mut().rev() {
            sum += core::mem::replace(start, sum);
        }
        let mut codes = [0; 256];
        for (code, &len) in codes.iter_mut().zip(lens) {
            if len > 0 {
                let start = &mut starts[usize::from(len) - 1];
                *code = u64::from(*start) << (64 - longest) | u64::from(len);
                *start += 1 << (longest - u32::from(len));
            }
        }
        Self(codes)
    }

    /// The bits of symbols that occur so often; `None` if one has no code.
    fn cost(&self, counts: &[u32; 256]) -> Option<u32> {
        let mut missing = false;
        let mut bits = 0;
        for (code, count) in self.0.iter().zip(counts) {
            missing |= *count > 0 && *code == 0;
            bits += count * u32::from(code.to_le_bytes()[0]);
        }
        (!missing).then_some(bits)
    }
}

/// Writes the size of literals that are not coded, after their kind.
fn header(dst: &mut [u8], kind: usize, len: usize) -> Option<usize> {
    let (value, width) = match len {
        0..32 => (len << 3 | kind, 1),
        32..4096 => (len << 4 | 1 << 2 | kind, 2),
        _ => (len << 4 | 3 << 2 | kind, 3),
    };
    let to = dst.get_mut(..width)?;
    to.copy_from_slice(&value.to_le_bytes()[..width]);
    Some(width)
}

/// Writes coded literals.
fn coded(
    kernels: Kernels,
    dst: &mut [u8],
    (kind, description): (usize, &[u8]),
    codes: &Codes,
    literals: &[u8],
) -> Option<usize> {
    let len = literals.len();
    let (format, width, bits) = match len {
        0..FOUR_STREAMS => (0, 3, 10),
        FOUR_STREAMS..1024 => (1, 3, 10),
        1024..16384 => (2, 4, 14),
        _ => (3, 5, 18),
    };
    let stream = |dst: &mut [u8], literals: &[u8]| {
        let codes = &codes.0;
        lz::run_256(
            kernels,
            WriteStream {
                literals,
                codes,
                dst,
            },
        )
    };
    let (header, body) = dst.split_at_mut_checked(width)?;
    let mut at = description.len();
    body.get_mut(..at)?.copy_from_slice(description);
    if format == 0 {
        at += stream(body.get_mut(at..)?, literals)?;
    } else {
        let lengths = at;
        at += 6;
        for (n, literals) in literals.chunks(len.div_ceil(4)).enumerate() {
            let written = stream(body.get_mut(at..)?, literals)?;
            if n < 3 {
                let to = body.get_mut(lengths + 2 * n..)?.first_chunk_mut()?;
                *to = u16::try_from(written).ok()?.to_le_bytes();
            }
            at += written;
        }
    }
    if at >= 1 << bits {
        return None;
    }
    let value = (at as u64) << (4 + bits) | (len as u64) << 4 | format << 2 | kind as u64;
    header.copy_from_slice(value.to_le_bytes().get(..width)?);
    Some(width + at)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::parts::count;
    use super::*;

    /// Literals by a rule: of so many different bytes, some of them rare.
    fn literals(rule: u32) -> Vec<u8> {
        let (len, different) = (32 + rule * 7 % 3000, 2 + rule % 254);
        let mut state = rule.wrapping_mul(0x9E37_79B9) | 1;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let byte = |_| {
            let most = next() % different + 1;
            (next() % most * 37).to_le_bytes()[0]
        };
        (0..len).map(byte).collect()
    }

    #[test]
    fn codes_take_what_is_estimated_at_least() {
        let mut writer = Literals::new(Kernels::best());
        let (mut estimated, mut taken) = (0, 0);
        for rule in 0..5000 {
            let literals = literals(rule);
            let counts = count(&literals);
            let least = least_bytes(&counts, literals.len());
            let lens = code_lengths(&counts, MAX_BITS);
            let Some(described) = writer.describe(&lens, &mut [0; 160]) else {
                continue;
            };
            let size = described + Codes::new(&lens).cost(&counts).unwrap() as usize / 8;
            assert!(least <= size + 1, "{rule}: {least} {size}");
            (estimated, taken) = (estimated + least, taken + size);
        }
        // It is of use.
        assert!(estimated > taken * 9 / 10, "{estimated} {taken}");
    }
}
