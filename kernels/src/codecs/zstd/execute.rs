//! The sequences of a block: literals and matches, copied to the output.

use core::hint::{black_box, select_unpredictable};

use super::bits::{Backward, Fields, low_u32};
use super::codes::SequenceTable;
use super::copy::{self, STEP};
use super::fse::Entry;
use super::input::{invalid, too_far};
use crate::codecs::DecodeError;
use crate::codecs::inflate::copy::copy_match_near_end;
use crate::codecs::lz::{Lanes, Task};

/// Bytes after the literals that may be read, and bytes of the output after a sequence that may be
/// overwritten.
pub(super) const SLACK: usize = 2 * STEP;

/// Of 256 states of offsets, those of repeated ones: fewer are rare, and from so many on, nearly
/// all matches repeat a distance, mostly that of a record before. (From 192 on, sparse masks and
/// tables of several distances are read at 0.95 of the speed.)
const RARE: u32 = 32;
const NEARLY_ALL: u32 = 240;

/// Decodes and executes the sequences of a block.
pub(super) struct Execute<'w, 's> {
    /// Literal lengths, offsets, match lengths.
    pub(super) tables: [&'w SequenceTable; 3],
    pub(super) bits: Backward<'s>,
    /// The number of sequences, 1 or more.
    pub(super) count: usize,
    /// The literals, and a step of any bytes after them.
    pub(super) literals: &'w [u8],
    /// The number of literals of the block: more than `literals` if those suffice to fill `dst`.
    pub(super) nliterals: usize,
    /// The content of the dictionary.
    pub(super) dict: &'w [u8],
    /// The output from the first byte of the frame on.
    pub(super) dst: &'w mut [u8],
    /// The number of bytes of `dst` that are written.
    pub(super) at: &'w mut usize,
    /// The last offsets.
    pub(super) offsets: &'w mut [u32; 3],
}

impl Task for Execute<'_, '_> {
    /// The number of literals that are used; `None` when `dst` is full before.
    type Output = Result<Option<usize>, DecodeError>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Self::Output {
        // In many blocks repeated offsets are rare, and in some, of records, all others are.
        let [_, offsets, _] = self.tables;
        match offsets.first_two() {
            ..RARE => decode::<L, true, false>(lanes, &mut self),
            NEARLY_ALL.. => decode::<L, false, true>(lanes, &mut self),
            _ => decode::<L, false, false>(lanes, &mut self),
        }
    }
}

/// The content of a block, and the limits of the fast path.
struct Output<'w> {
    literals: &'w [u8],
    /// The most literals that may be used when a step is readable after them.
    most: usize,
    /// The last position that two steps follow; 0 if there is none.
    last: usize,
    nliterals: usize,
    dict: &'w [u8],
    dst: &'w mut [u8],
    /// [`STEP`], which the compiler does not know.
    step: usize,
}

/// A place in the output and in the literals.
#[derive(Clone, Copy)]
struct Place {
    /// The number of bytes of the output that are written.
    at: usize,
    /// The number of literals that are used.
    used: usize,
}

#[inline(always)]
fn decode<L: Lanes, const NEW: bool, const NEAR: bool>(
    lanes: L,
    task: &mut Execute<'_, '_>,
) -> Result<Option<usize>, DecodeError> {
    let [ll_table, of_table, ml_table] = task.tables;
    let mut bits = task.bits;
    let mut ll = ll_table.at(bits.take(ll_table.log()));
    let mut of = of_table.at(bits.take(of_table.log()));
    let mut ml = ml_table.at(bits.take(ml_table.log()));
    let offset = bits.offset();
    let mut bits = Fields::new(&bits);
    let mut offsets = *task.offsets;
    let mut output = Output {
        most: task.literals.len().saturating_sub(STEP),
        last: task.dst.len().saturating_sub(SLACK),
        literals: task.literals,
        nliterals: task.nliterals,
        dict: task.dict,
        dst: task.dst,
        step: black_box(STEP),
    };
    let mut place = Place {
        at: *task.at,
        used: 0,
    };
    let mut left = task.count;
    let full = loop {
        if left <= 1 {
            if left == 0 {
                break false;
            }
            (ll, ml, of) = (ll.last(), ml.last(), of.last());
        }
        left -= 1;
        let count = total(ll, ml, of);
        let fields;
        if count > 57 {
            (fields, bits) = read_slowly(bits, ll, ml, of);
        } else {
            fields = read(lanes, bits.peek(count), ll, ml, of);
            // The next states, before the copies, whose branches are unpredictable.
            bits.skip(count);
        }
        ll = ll_table.at(fields.next[0]);
        ml = ml_table.at(fields.next[1]);
        of = of_table.at(fields.next[2]);
        let sequence = Sequence {
            literals: fields.len,
            match_len: fields.match_len,
            distance: repeated::<NEW>(&mut offsets, fields.offset, fields.len),
        };
        if let Some(after) = output.execute::<NEAR>(place, sequence) {
            place = after;
        } else {
            let (after, full) = output
                .execute_carefully(
                    place,
                    sequence.literals,
                    sequence.match_len,
                    sequence.distance,
                )
                .map_err(|fault| fault.at(offset))?;
            place = after;
            if full {
                break true;
            }
        }
    };
    *task.offsets = offsets;
    *task.at = place.at;
    if bits.is_overrun() || !full && !bits.is_at_end() {
        return Err(ended_early(offset));
    }
    Ok((!full).then_some(place.used))
}

/// The number of bits of a sequence and of its next states.
#[inline(always)]
fn total(ll: Entry, ml: Entry, of: Entry) -> u64 {
    ll.0.wrapping_add(ml.0).wrapping_add(of.0) >> 8 & 0xFF
}

/// The fields of a sequence.
struct Read {
    len: u32,
    match_len: u32,
    /// The offset as it is stored.
    offset: u32,
    /// The next states of literal lengths, match lengths and offsets, below other bits.
    next: [u32; 3],
}

/// Takes the fields from the low bits of a word. The bits that are read last are lowest: three
/// states, then three extra bits.
#[inline(always)]
fn read<L: Lanes>(lanes: L, word: u64, ll: Entry, ml: Entry, of: Entry) -> Read {
    let mut word = word;
    let mut field = |count: u64| {
        let field = lanes.low_bits(low_u32(word), low_u32(count));
        word = word.wrapping_shr(low_u32(count));
        field
    };
    let next_of = of.next().wrapping_add(field(of.0));
    let next_ml = ml.next().wrapping_add(field(ml.0));
    let next_ll = ll.next().wrapping_add(field(ll.0));
    if (ll.0 | ml.0) & 0xFF_0000 == 0 {
        return Read {
            len: ll.value(),
            match_len: ml.value(),
            offset: field(of.0 >> 16) | 1_u32.wrapping_shl(low_u32(of.0 >> 16)),
            next: [next_ll, next_ml, next_of],
        };
    }
    Read {
        len: ll.value() + field(ll.0 >> 16),
        match_len: ml.value() + field(ml.0 >> 16),
        offset: field(of.0 >> 16) | 1_u32.wrapping_shl(low_u32(of.0 >> 16)),
        next: [next_ll, next_ml, next_of],
    }
}

/// Reads a sequence that has too many bits for one word.
#[cold]
#[inline(never)]
fn read_slowly(mut bits: Fields<'_>, ll: Entry, ml: Entry, of: Entry) -> (Read, Fields<'_>) {
    let read = Read {
        offset: bits.take(of.extra()) | 1_u32.wrapping_shl(of.extra()),
        match_len: ml.value() + bits.take(ml.extra()),
        len: ll.value() + bits.take(ll.extra()),
        next: [ll, ml, of].map(|entry| entry.next().wrapping_add(bits.take(entry.bits()))),
    };
    (read, bits)
}

/// A sequence: so many literals, then a match.
#[derive(Clone, Copy)]
struct Sequence {
    literals: u32,
    match_len: u32,
    distance: u32,
}

/// Why a sequence is impossible.
enum Fault {
    Literals,
    Distance { distance: usize, history: usize },
}

impl Fault {
    #[cold]
    fn at(self, offset: usize) -> DecodeError {
        match self {
            Self::Literals => too_few_literals(offset),
            Self::Distance { distance, history } => too_far(offset, distance, history),
        }
    }
}

#[cold]
fn too_few_literals(offset: usize) -> DecodeError {
    invalid(
        offset,
        "sequences: expected as many literals as the block has, found more",
    )
}

#[cold]
fn ended_early(offset: usize) -> DecodeError {
    invalid(
        offset,
        "sequences: expected bits that end with the last sequence, found another number",
    )
}

/// The distance for an offset as it is stored, and the last offsets after it.
#[inline(always)]
fn repeated<const NEW: bool>(offsets: &mut [u32; 3], stored: u32, len: u32) -> u32 {
    let [a, b, c] = *offsets;
    if NEW && stored > 3 {
        let distance = stored - 3;
        *offsets = [distance, a, b];
        return distance;
    }
    // 1 to 3, of which without literals the first is left out and another is at the end.
    // (The highest offset, 2^32 - 1, is 0 here, and no history is that long.)
    let which = stored.wrapping_add(u32::from(len == 0));
    let distance = select_unpredictable(which > 3, a.wrapping_sub(1), c);
    let distance = select_unpredictable(which > 2, distance, b);
    let distance = select_unpredictable(which > 1, distance, a);
    let distance = select_unpredictable(stored > 3, stored.wrapping_sub(3), distance);
    *offsets = [
        distance,
        select_unpredictable(which > 1, a, b),
        select_unpredictable(which > 2, b, c),
    ];
    distance
}

impl Output<'_> {
    /// Copies the literals and the match of a sequence: the place after it, or `None` when the
    /// space or the history is short.
    #[inline(always)]
    fn execute<const NEAR: bool>(&mut self, place: Place, sequence: Sequence) -> Option<Place> {
        let len = sequence.literals as usize;
        let match_len = sequence.match_len as usize;
        let distance = sequence.distance as usize;
        let start = place.at + len;
        let end = start + match_len;
        let used = place.used + len;
        if end > self.last || used > self.most || distance.wrapping_sub(1) >= start {
            return None;
        }
        let (from, to) = (place.used, place.at);
        // SAFETY: a step follows both positions and `len` bytes.
        unsafe { copy::copy_literals(self.literals, from, self.dst, to, len, self.step) };
        // SAFETY: the distance is 1 to `start`, and two steps follow the end.
        unsafe { copy::copy_match::<NEAR>(self.dst, start, distance, match_len, self.step) };
        Some(Place { at: end, used })
    }

    /// The same near the end of the literals or of `dst`, and for matches in the dictionary. By
    /// numbers, as a sequence as such would be kept in memory throughout the loop.
    #[cold]
    #[inline(never)]
    fn execute_carefully(
        &mut self,
        mut place: Place,
        len: u32,
        match_len: u32,
        distance: u32,
    ) -> Result<(Place, bool), Fault> {
        let [len, match_len, distance] = [len, match_len, distance].map(|number| number as usize);
        if self.nliterals - place.used < len {
            return Err(Fault::Literals);
        }
        if self.copy_literals(&mut place, len) {
            return Ok((place, true));
        }
        let fault = Fault::Distance {
            distance,
            history: place.at + self.dict.len(),
        };
        let full = self
            .copy_match(&mut place, distance, match_len)
            .ok_or(fault)?;
        Ok((place, full))
    }

    /// Copies the literals of a sequence, as far as there is space: whether `dst` is full before.
    fn copy_literals(&mut self, place: &mut Place, len: usize) -> bool {
        let from = self.literals.get(place.used..).unwrap_or_default();
        place.used += len;
        let to = self.dst.get_mut(place.at..).unwrap_or_default();
        let fits = len.min(from.len()).min(to.len());
        for (to, from) in to.iter_mut().zip(from).take(fits) {
            *to = *from;
        }
        place.at += fits;
        fits < len
    }

    /// Copies a match, also one that begins in the dictionary, as far as there is space: whether
    /// `dst` is full before; `None` when the distance is impossible.
    fn copy_match(&mut self, place: &mut Place, distance: usize, len: usize) -> Option<bool> {
        if distance == 0 {
            return None;
        }
        let fits = len.min(self.dst.len() - place.at);
        let mut rest = fits;
        if let Some(before) = distance.checked_sub(place.at).filter(|before| *before > 0) {
            let from = self.dict.len().checked_sub(before)?;
            let from = self.dict.get(from..)?;
            let to = self.dst.get_mut(place.at..place.at + fits)?;
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from;
            }
            let copied = from.len().min(fits);
            rest -= copied;
            place.at += copied;
        }
        // The first part has space for whole steps, and there can be much of it.
        let first = rest.saturating_sub(SLACK);
        for part in [first, rest - first] {
            if part > 0 {
                copy_match_near_end(self.dst, place.at, distance, part)?;
                place.at += part;
            }
        }
        Some(fits < len)
    }
}
