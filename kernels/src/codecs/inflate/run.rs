//! The loops that decode the symbols of a block.

use super::bits::Bits;
use super::codes::{Codes, Lookup};
use super::copy;
use super::entry::{Entry, Kind, LITERALS};
use crate::codecs::DecodeErrorKind;
use crate::codecs::lz::{Lanes, Task, store};
use crate::codecs::zlib::MAX_MATCH;

const NO_LITLEN: DecodeErrorKind =
    DecodeErrorKind::invalid("expected a code of a literal or length, found none");
const NO_DISTANCE: DecodeErrorKind =
    DecodeErrorKind::invalid("expected a code of a distance, found none");

/// The entries of up to four literals in one round: 56 bits for codes of at most 11 each.
const MANY_ENTRIES: usize = 5;
/// The most bytes that one round writes: literals, a match, a step. The literals are in three
/// entries of at most two, or in entries of up to four.
const ROUND: usize = MANY_ENTRIES * LITERALS + MAX_MATCH + copy::STEP;

/// Bytes of a block that is not known to be long: tables of several literals, which take 2 to 4 µs,
/// are built after them.
const PROBE: usize = 1024;
/// Bytes of a block after which the next one is expected to be long, too.
pub(super) const LONG: usize = 2048;

/// Decodes the symbols of a block: true at its end, false when `dst` is full before.
pub(super) struct DecodeSymbols<'w, 's> {
    pub(super) codes: &'w mut Codes,
    pub(super) bits: &'w mut Bits<'s>,
    pub(super) dst: &'w mut [u8],
    /// The number of bytes of `dst` that are written.
    pub(super) produced: &'w mut usize,
}

impl Task for DecodeSymbols<'_, '_> {
    type Output = Result<bool, DecodeErrorKind>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        let Self { codes, dst, .. } = self;
        // Copies, which the compiler keeps in registers.
        let (mut bits, mut produced) = (*self.bits, *self.produced);
        let ended = decode(codes, &mut bits, dst, &mut produced);
        (*self.bits, *self.produced) = (bits, produced);
        ended
    }
}

#[inline(always)]
fn decode(
    codes: &mut Codes,
    bits: &mut Bits<'_>,
    dst: &mut [u8],
    produced: &mut usize,
) -> Result<bool, DecodeErrorKind> {
    if codes.wanted != codes.lookup {
        let mut probe = bits.front(PROBE);
        let ended = fast_loop::<false, false>(codes, &mut probe, dst, produced);
        bits.move_to(&probe);
        if ended? {
            return Ok(true);
        }
        if probe.rounds_are_over() {
            codes.extend();
        }
    }
    let ended = match codes.lookup {
        Lookup::One => fast_loop::<false, false>(codes, bits, dst, produced)?,
        Lookup::Two => fast_loop::<true, false>(codes, bits, dst, produced)?,
        Lookup::Many => fast_loop::<false, true>(codes, bits, dst, produced)?,
    };
    if ended {
        return Ok(true);
    }
    careful_loop(codes, bits, dst, produced)
}

/// Decodes while a round of literals and a match fits and whole words of the stream are left: true
/// at the end of the block.
///
/// The bottleneck is the dependency chain from one table entry to the next, and mispredicted kinds.
/// So each entry is looked up before its predecessor is written or copied and before the bits are
/// refilled.
#[inline(always)]
fn fast_loop<const PAIRED: bool, const MANY: bool>(
    codes: &Codes,
    bits: &mut Bits<'_>,
    dst: &mut [u8],
    produced: &mut usize,
) -> Result<bool, DecodeErrorKind> {
    let Some(last) = dst.len().checked_sub(ROUND) else {
        return Ok(false);
    };
    // Copies, which the compiler keeps in registers.
    let (mut local, mut at) = (*bits, *produced);
    if at > last || !local.refill_round() {
        return Ok(false);
    }
    let mut entry = codes.litlen().root(&local);
    let ended = loop {
        if MANY {
            match literals(codes, &mut local, dst, &mut at, last) {
                Some(next) => entry = next,
                None => break Ok(false),
            }
        }
        // 56 bits: three root entries of at most 11 bits, each one literal or two, and the root
        // bits of a fourth.
        if !MANY && entry.is_literal() {
            local.skip_known(entry);
            let second = codes.litlen().root(&local);
            // SAFETY: `at <= last`, and `ROUND` bytes follow `last`.
            unsafe { put::<PAIRED>(dst, &mut at, entry) };
            entry = second;
            if second.is_literal() {
                local.skip_known(second);
                let third = codes.litlen().root(&local);
                // SAFETY: `at <= last + 2` after one entry, and `ROUND` bytes follow `last`.
                unsafe { put::<PAIRED>(dst, &mut at, second) };
                entry = third;
                if third.is_literal() {
                    local.skip_known(third);
                    entry = codes.litlen().root(&local);
                    // SAFETY: `at <= last + 4` after two entries, and `ROUND` bytes follow `last`.
                    unsafe { put::<PAIRED>(dst, &mut at, third) };
                    if at > last || !local.refill_round() {
                        break Ok(false);
                    }
                    continue;
                }
            }
            // SAFETY: the last refill is the one of the round.
            unsafe { local.refill_again() };
        }
        // 56 bits again: a length of at most 15 + 5, a distance of at most 15 + 13.
        let found = codes.litlen().resolve(entry, &local);
        if found.is_base() {
            let len = local.value(found);
            debug_assert!(len <= MAX_MATCH);
            local.skip_known(found);
            let far = codes.dist().look_up(&local);
            if !far.is_base() {
                break Err(NO_DISTANCE);
            }
            let distance = local.value(far);
            local.skip_known(far);
            if distance > at {
                break Err(DecodeErrorKind::Distance {
                    distance,
                    history: at,
                });
            }
            let start = at;
            at += len;
            let more = at <= last && local.refill_round();
            if more && !MANY {
                // Looked up before the copy, whose branches are unpredictable.
                entry = codes.litlen().root(&local);
            }
            // SAFETY: the distance is compared with `start`, and no entry of `dist` begins at 0;
            // `ROUND` has the literals of a round more than a step and a match, whose entry of
            // `litlen` gives at most `MAX_MATCH` bytes: it is no literal, so no pair.
            unsafe { copy::copy_match(dst, start, distance, len) };
            if !more {
                break Ok(false);
            }
            continue;
        }
        local.skip_known(found);
        match found.kind() {
            // SAFETY: `at <= last + 4` after at most two entries, and `ROUND` bytes follow `last`.
            Kind::Literal => unsafe { put::<PAIRED>(dst, &mut at, found) },
            Kind::End => break Ok(true),
            _ => break Err(NO_LITLEN),
        }
        if at > last || !local.refill_round() {
            break Ok(false);
        }
        entry = codes.litlen().root(&local);
    };
    (*bits, *produced) = (local, at);
    ended
}

/// Writes literals, up to four from one look-up, and returns the entry after them, which is none
/// and has 56 bits; `None` when no further round fits.
#[inline(always)]
fn literals(
    codes: &Codes,
    bits: &mut Bits<'_>,
    dst: &mut [u8],
    at: &mut usize,
    last: usize,
) -> Option<Entry> {
    let many = codes.many()?;
    loop {
        for entry in 0..MANY_ENTRIES {
            let literals = many.next(bits);
            if literals.count() == 0 {
                if entry > 0 {
                    bits.refill();
                }
                return Some(codes.litlen().root(bits));
            }
            bits.skip_literals(literals);
            // `ROUND` has the literals of all entries, so that there is room.
            if let Some(to) = dst.get_mut(*at..).and_then(<[u8]>::first_chunk_mut) {
                *to = literals.bytes();
            }
            *at += literals.count();
        }
        if *at > last || !bits.refill_round() {
            return None;
        }
    }
}

/// Writes one literal, or two if `PAIRED`.
///
/// # Safety
///
/// Two bytes follow `at`.
#[inline(always)]
unsafe fn put<const PAIRED: bool>(dst: &mut [u8], at: &mut usize, literals: Entry) {
    debug_assert!(*at + 2 <= dst.len());
    let to = dst.as_mut_ptr().wrapping_add(*at);
    // SAFETY: two bytes follow by contract. What a single literal leaves in the second is
    // overwritten.
    unsafe { store(to, literals.bytes()) };
    *at += if PAIRED { literals.literals() } else { 1 };
}

/// Decodes symbol by symbol: true at the end of the block, false when `dst` is full before.
#[inline(never)]
fn careful_loop(
    codes: &Codes,
    bits: &mut Bits<'_>,
    dst: &mut [u8],
    produced: &mut usize,
) -> Result<bool, DecodeErrorKind> {
    loop {
        bits.refill();
        let entry = codes.litlen().look_up(bits);
        match entry.kind() {
            Kind::Literal => {
                bits.skip(entry.code_len())?;
                let Some(to) = dst.get_mut(*produced) else {
                    return Ok(false);
                };
                *to = entry.byte();
                *produced += 1;
            }
            Kind::Base => {
                let len = bits.value(entry);
                bits.skip(entry.len())?;
                let entry = codes.dist().look_up(bits);
                if entry.kind() != Kind::Base {
                    return Err(NO_DISTANCE);
                }
                let distance = bits.value(entry);
                bits.skip(entry.len())?;
                let end = dst.len().min(*produced + len);
                // The match ends in `dst`: its distance alone can be wrong.
                copy::copy_match_near_end(dst, *produced, distance, end - *produced).ok_or(
                    DecodeErrorKind::Distance {
                        distance,
                        history: *produced,
                    },
                )?;
                let fits = end - *produced == len;
                *produced = end;
                if !fits {
                    return Ok(false);
                }
            }
            Kind::End => {
                bits.skip(entry.len())?;
                return Ok(true);
            }
            Kind::Sub | Kind::None => return Err(NO_LITLEN),
        }
    }
}
