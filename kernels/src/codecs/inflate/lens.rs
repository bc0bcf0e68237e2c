//! The code lengths in the header of a block.
//!
//! ```text
//! numbers of codes | lengths of the codes of lengths | lengths in those codes, and repeats of them
//! ```

use super::bits::Bits;
use super::entry::CODE_LENGTH_ENTRIES;
use super::table::{Table, count};
use crate::codecs::DecodeErrorKind;
use crate::codecs::zlib::{CODE_LENGTH_ORDER, CODE_LENGTHS, END_OF_BLOCK};

/// The codes of code lengths.
pub(super) type LenTable = Table<7, 128>;

/// The most literal and length codes, and distance codes, that a header may describe.
pub(super) const MAX_LITLENS: usize = 286;
pub(super) const MAX_DISTS: usize = 30;
/// Repeats are written in steps of so many, whatever their number.
const STEP: usize = 16;
/// The longest repeat, in whole steps.
const MAX_REPEAT: usize = 9 * STEP;
/// The symbols of at most 7 bits and 7 after them that one refill suffices for.
const SYMBOLS_PER_REFILL: usize = 4;

const TOO_MANY_CODES: DecodeErrorKind =
    DecodeErrorKind::invalid("block header: expected at most 286 and 30 codes, found more");
const NO_CODE: DecodeErrorKind =
    DecodeErrorKind::invalid("block header: expected a code length, found no code");
const NONE_BEFORE: DecodeErrorKind =
    DecodeErrorKind::invalid("block header: expected a code length, found a repeat of none");
const TOO_MANY_LENS: DecodeErrorKind =
    DecodeErrorKind::invalid("block header: expected one length per code, found more");
const NO_END: DecodeErrorKind =
    DecodeErrorKind::invalid("block header: expected a code for the end of the block, found none");

/// The code lengths of the symbols of a block, 0 for symbols without a code.
pub(super) struct Lens {
    lens: [u8; MAX_LITLENS + MAX_DISTS + MAX_REPEAT],
    litlens: usize,
    dists: usize,
}

impl Lens {
    /// Reads the header after the kind of the block. `codes` is overwritten.
    pub(super) fn read(bits: &mut Bits<'_>, codes: &mut LenTable) -> Result<Self, DecodeErrorKind> {
        // A copy, which the compiler keeps in registers.
        let mut local = *bits;
        let lens = Self::read_from(&mut local, codes);
        *bits = local;
        lens
    }

    #[inline(always)]
    fn read_from(bits: &mut Bits<'_>, codes: &mut LenTable) -> Result<Self, DecodeErrorKind> {
        let mut lens = Self {
            lens: [0; MAX_LITLENS + MAX_DISTS + MAX_REPEAT],
            litlens: bits.take(5)? + 257,
            dists: bits.take(5)? + 1,
        };
        let ncodes = bits.take(4)? + 4;
        if lens.litlens > MAX_LITLENS || lens.dists > MAX_DISTS {
            return Err(TOO_MANY_CODES);
        }
        let mut code_lens = [0_u8; CODE_LENGTHS];
        for symbols in CODE_LENGTH_ORDER
            .get(..ncodes)
            .unwrap_or(&CODE_LENGTH_ORDER)
            .chunks(16)
        {
            bits.refill();
            for &symbol in symbols {
                let len = bits.take(3)?;
                if let Some(to) = code_lens.get_mut(symbol) {
                    *to = len.to_le_bytes()[0];
                }
            }
        }
        codes.build(&code_lens, &count(&code_lens)?, &CODE_LENGTH_ENTRIES)?;
        lens.decode(bits, codes)?;
        if lens.lens.get(END_OF_BLOCK) == Some(&0) {
            return Err(NO_END);
        }
        Ok(lens)
    }

    /// Decodes the lengths of all symbols.
    #[inline(always)]
    fn decode(&mut self, bits: &mut Bits<'_>, codes: &LenTable) -> Result<(), DecodeErrorKind> {
        let (end, mut at) = (self.litlens + self.dists, 0_usize);
        loop {
            bits.refill();
            for _ in 0..SYMBOLS_PER_REFILL {
                let entry = codes.root(bits);
                bits.skip(entry.len())?;
                let to = self.lens.get_mut(at..).unwrap_or_default();
                if entry.value() < 16 {
                    // An entry without a code is 0.
                    if entry.len() == 0 {
                        return Err(NO_CODE);
                    }
                    if let Some(to) = to.first_mut() {
                        *to = entry.value().to_le_bytes()[0];
                    }
                    at += 1;
                } else {
                    at += self.repeat(entry.value(), at, bits)?;
                }
                if at >= end {
                    return if at == end {
                        Ok(())
                    } else {
                        Err(TOO_MANY_LENS)
                    };
                }
            }
        }
    }

    /// Repeats a length from `at` on as the symbol says, and returns how often.
    #[inline(always)]
    fn repeat(
        &mut self,
        symbol: usize,
        at: usize,
        bits: &mut Bits<'_>,
    ) -> Result<usize, DecodeErrorKind> {
        let (len, count) = match symbol {
            16 => {
                let before = at.checked_sub(1).and_then(|at| self.lens.get(at));
                (*before.ok_or(NONE_BEFORE)?, 3 + bits.take(2)?)
            }
            17 => (0, 3 + bits.take(3)?),
            _ => (0, 11 + bits.take(7)?),
        };
        // Those after the last are overwritten, or not used.
        let to = self.lens.get_mut(at..).unwrap_or_default();
        for to in to.as_chunks_mut().0.iter_mut().take(count.div_ceil(STEP)) {
            *to = [len; STEP];
        }
        Ok(count)
    }

    /// The code lengths of literals and lengths.
    pub(super) fn litlens(&self) -> &[u8] {
        self.lens.get(..self.litlens).unwrap_or_default()
    }

    /// The code lengths of distances.
    pub(super) fn dists(&self) -> &[u8] {
        let end = self.litlens + self.dists;
        self.lens.get(self.litlens..end).unwrap_or_default()
    }
}
