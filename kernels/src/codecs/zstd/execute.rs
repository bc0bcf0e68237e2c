//! The sequences of a block: literals and matches, copied to the output.

use core::hint::select_unpredictable;

use super::bits::{Backward, Fields};
use super::codes::SequenceTable;
use super::copy::{self, STEP};
use super::input::{invalid, too_far};
use crate::codecs::DecodeError;
use crate::codecs::inflate::copy::copy_match_near_end;
use crate::codecs::lz::{Lanes, Task};

/// Bytes after the literals that may be read, and bytes of the output after a sequence that may be
/// overwritten.
pub(super) const SLACK: usize = 2 * STEP;

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
    fn run<L: Lanes>(mut self, _: L) -> Self::Output {
        decode(&mut self)
    }
}

/// The rest of a block's content, and its place in the output.
struct Output<'w> {
    literals: &'w [u8],
    /// The most literals that may be used when a step is readable after them.
    most: usize,
    /// The last position that two steps follow; 0 if there is none.
    last: usize,
    nliterals: usize,
    /// The number of literals that are used.
    used: usize,
    dict: &'w [u8],
    dst: &'w mut [u8],
    at: usize,
}

#[inline(always)]
fn decode(task: &mut Execute<'_, '_>) -> Result<Option<usize>, DecodeError> {
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
        used: 0,
        dict: task.dict,
        dst: task.dst,
        at: *task.at,
    };
    let mut left = task.count;
    let mut full = false;
    while left > 0 && !full {
        left -= 1;
        // The extra bits of all three are in the lowest byte, their state bits in the next.
        let sum = ll.code.wrapping_add(ml.code).wrapping_add(of.code);
        let (extra, states) = (sum & 0xFF, sum >> 8 & 0xFF);
        let mut end = extra;
        let (stored, match_len, len);
        if extra + states > 57 {
            stored = of.value() + bits.field(of.extra(), of.extra());
            bits.skip(of.extra());
            match_len = ml.value() + bits.field(ml.extra(), ml.extra());
            len = ll.value() + bits.field(ml.extra() + ll.extra(), ll.extra());
            bits.skip(ml.extra() + ll.extra());
            end = 0;
        } else {
            stored = of.value() + bits.field(of.extra(), of.extra());
            match_len = ml.value() + bits.field(of.extra() + ml.extra(), ml.extra());
            len = ll.value() + bits.field(extra, ll.extra());
        }
        // The next states, before the copies, whose branches are unpredictable. The last sequence
        // has none.
        if left > 0 {
            end += ll.bits();
            let next_ll = ll.next() + bits.field(end, ll.bits());
            end += ml.bits();
            let next_ml = ml.next() + bits.field(end, ml.bits());
            end += of.bits();
            let next_of = of.next() + bits.field(end, of.bits());
            ll = ll_table.at(next_ll);
            ml = ml_table.at(next_ml);
            of = of_table.at(next_of);
        }
        bits.skip(end);
        let sequence = Sequence {
            literals: len,
            match_len,
            distance: repeated(&mut offsets, stored, len),
        };
        full = output.execute(sequence).map_err(|fault| fault.at(offset))?;
    }
    *task.offsets = offsets;
    *task.at = output.at;
    if bits.is_overrun() || !full && !bits.is_at_end() {
        return Err(ended_early(offset));
    }
    Ok((!full).then_some(output.used))
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
fn repeated(offsets: &mut [u32; 3], stored: u32, len: u32) -> u32 {
    let [a, b, c] = *offsets;
    // 1 to 3, of which without literals the first is left out and another is at the end.
    let which = stored.saturating_add(u32::from(len == 0));
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
    /// Copies the literals and the match of a sequence: whether `dst` is full before.
    #[inline(always)]
    fn execute(&mut self, sequence: Sequence) -> Result<bool, Fault> {
        let len = sequence.literals as usize;
        let match_len = sequence.match_len as usize;
        let distance = sequence.distance as usize;
        let start = self.at + len;
        let end = start + match_len;
        if end <= self.last && self.used + len <= self.most {
            // SAFETY: a step follows both positions and `len` bytes.
            unsafe { copy::copy_literals(self.literals, self.used, self.dst, self.at, len) };
            if distance.wrapping_sub(1) < start {
                // SAFETY: the distance is 1 to `start`, and two steps follow the end.
                unsafe { copy::copy_match(self.dst, start, distance, match_len) };
                self.used += len;
                self.at = end;
                return Ok(false);
            }
        }
        self.execute_carefully(len, match_len, distance)
    }

    /// The same near the end of the literals or of `dst`, and for matches in the dictionary.
    #[inline(never)]
    fn execute_carefully(
        &mut self,
        len: usize,
        match_len: usize,
        distance: usize,
    ) -> Result<bool, Fault> {
        if self.nliterals - self.used < len {
            return Err(Fault::Literals);
        }
        if self.copy_literals(len) {
            return Ok(true);
        }
        let fault = Fault::Distance {
            distance,
            history: self.at + self.dict.len(),
        };
        self.copy_match(distance, match_len).ok_or(fault)
    }

    /// Copies the literals of a sequence, as far as there is space: whether `dst` is full before.
    #[inline(never)]
    fn copy_literals(&mut self, len: usize) -> bool {
        let from = self.literals.get(self.used..).unwrap_or_default();
        self.used += len;
        let to = self.dst.get_mut(self.at..).unwrap_or_default();
        let fits = len.min(from.len()).min(to.len());
        for (to, from) in to.iter_mut().zip(from).take(fits) {
            *to = *from;
        }
        self.at += fits;
        fits < len
    }

    /// Copies a match, also one that begins in the dictionary, as far as there is space: whether
    /// `dst` is full before; `None` when the distance is impossible.
    #[inline(never)]
    fn copy_match(&mut self, distance: usize, len: usize) -> Option<bool> {
        if distance == 0 {
            return None;
        }
        let fits = len.min(self.dst.len() - self.at);
        let mut rest = fits;
        if let Some(before) = distance.checked_sub(self.at).filter(|before| *before > 0) {
            let from = self.dict.len().checked_sub(before)?;
            let from = self.dict.get(from..)?;
            let to = self.dst.get_mut(self.at..self.at + fits)?;
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from;
            }
            let copied = from.len().min(fits);
            rest -= copied;
            self.at += copied;
        }
        // The first part has space for whole steps, and there can be much of it.
        let first = rest.saturating_sub(SLACK);
        for part in [first, rest - first] {
            if part > 0 {
                copy_match_near_end(self.dst, self.at, distance, part)?;
                self.at += part;
            }
        }
        Some(fits < len)
    }
}
