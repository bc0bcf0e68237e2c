//! The sequences of a block: three codes each, and the bits that choose among their values.

use alloc::vec::Vec;

use super::bits::Bits;
use super::fse::{Distribution, States};
use super::rows::MAX_DISTANCE;
use crate::codecs::zstd::codes::{self, KINDS, LITERAL_LENGTHS, MATCH_LENGTHS};
use crate::codecs::zstd::fse::Entry;

/// Literals, and then a match (none at the end of a part).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) literals: u32,
    pub(super) len: u32,
    pub(super) distance: u32,
}

/// A sequence in codes.
#[derive(Clone, Copy, Debug)]
struct Coded {
    /// Values less the lowest ones of their codes: of the literal length, which has the lowest
    /// bits, of the match length and of the offset.
    extra: u64,
    /// The number of bits, at most 52: an offset has 20.
    bits: u8,
    /// Of the literal length, the offset and the match length.
    codes: [u8; 3],
}

/// The codes of short literal lengths, and of match lengths less 3.
static LITERALS_OF: [u8; 64] = codes_of(&LITERAL_LENGTHS);
static MATCHES_OF: [u8; 128] = codes_of(&MATCH_LENGTHS);

/// The tables that the format defines.
static KNOWN: [(Distribution, States); 3] = {
    const fn table(kind: &codes::Kind) -> (Distribution, States) {
        let known = Distribution::known(kind.known, kind.known_log);
        let states = States::known(&known);
        (known, states)
    }
    [table(&KINDS[0]), table(&KINDS[1]), table(&KINDS[2])]
};

/// The codes of consecutive values, the first of which is the lowest value of code 0.
const fn codes_of<const LEN: usize>(symbols: &[Entry]) -> [u8; LEN] {
    let mut codes = [0; LEN];
    let (mut at, mut code) = (0, 0);
    while at < LEN {
        let mut values = 1 << symbols[code as usize].extra();
        while values > 0 && at < LEN {
            codes[at] = code;
            at += 1;
            values -= 1;
        }
        code += 1;
    }
    codes
}

/// The code of a match length, of at least 3.
#[inline(always)]
pub(super) fn len_code(len: u32) -> u8 {
    match len - 3 {
        short @ 0..128 => MATCHES_OF[short as usize],
        long => low(long.ilog2() + 36),
    }
}

/// The code of a literal length.
#[inline(always)]
fn literals_code(literals: u32) -> u8 {
    match literals {
        short @ 0..64 => LITERALS_OF[short as usize],
        long => low(long.ilog2() + 19),
    }
}

/// How often each code occurs, those of offsets from 64 on and those of match lengths from 128 on.
/// Of repeated distances only the last one counts as such.
#[inline(always)]
pub(super) fn count_codes(matches: &[Sequence]) -> [u32; 256] {
    let mut counts = [0; 256];
    let mut before = 0;
    for found in matches {
        let offset = if found.distance == before {
            1
        } else {
            found.distance + 3
        };
        before = found.distance;
        counts[usize::from(literals_code(found.literals))] += 1;
        counts[usize::from(64 + low(offset.ilog2()))] += 1;
        counts[usize::from(128 + len_code(found.len))] += 1;
    }
    counts
}

/// The lowest byte.
#[inline(always)]
fn low(value: u32) -> u8 {
    value.to_le_bytes()[0]
}

/// The table of one of the three.
#[derive(Debug)]
struct Kind {
    known: &'static (Distribution, States),
    /// That of the block before.
    last: Option<Distribution>,
    states: States,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Known,
    /// One symbol alone, which takes no bits.
    Run,
    Own,
}

/// The writer of sequences, and the tables of the block before.
#[derive(Debug)]
pub(super) struct Sequences {
    kinds: [Kind; 3],
    coded: Vec<Coded>,
    /// The last three distances.
    repeats: [u32; 3],
}

impl Sequences {
    pub(super) fn new() -> Self {
        let kinds = KNOWN.each_ref().map(|known| Kind {
            known,
            last: None,
            states: States::new(),
            mode: Mode::Known,
        });
        Self {
            kinds,
            coded: Vec::new(),
            repeats: [1, 4, 8],
        }
    }

    /// Begins a frame.
    pub(super) fn begin(&mut self) {
        self.forget();
        self.repeats = [1, 4, 8];
    }

    /// Forgets the tables of the block before.
    pub(super) fn forget(&mut self) {
        for kind in &mut self.kinds {
            kind.last = None;
        }
    }

    /// The last three distances, to be set again when a block is not written.
    pub(super) fn repeats(&mut self) -> &mut [u32; 3] {
        &mut self.repeats
    }

    /// Writes the sequences of a block and returns the length; `None` when there is no room.
    #[inline(always)]
    pub(super) fn write(&mut self, sequences: &[Sequence], dst: &mut [u8]) -> Option<usize> {
        let matches = sequences
            .split_last()
            .map_or(&[][..], |(_, matches)| matches);
        let count = matches.len();
        let mut at = match count {
            0 => {
                *dst.first_mut()? = 0;
                return Some(1);
            }
            1..128 => {
                *dst.first_mut()? = u8::try_from(count).ok()?;
                1
            }
            128..0x7F00 => {
                let to = dst.first_chunk_mut()?;
                *to = u16::try_from(count | 0x8000).ok()?.to_be_bytes();
                2
            }
            _ => {
                let (first, rest) = dst.split_first_mut()?;
                *first = 255;
                *rest.first_chunk_mut()? = u16::try_from(count - 0x7F00).ok()?.to_le_bytes();
                3
            }
        };
        let mut counts = [[0; 64]; 3];
        self.coded.clear();
        for sequence in matches {
            let offset = offset(&mut self.repeats, sequence.literals, sequence.distance);
            let coded = Coded::new(sequence, offset);
            for (counts, code) in counts.iter_mut().zip(coded.codes) {
                counts[usize::from(code) & 63] += 1;
            }
            self.coded.push(coded);
        }
        let modes_at = at;
        at += 1;
        let mut modes = 0;
        let all = self.kinds.iter_mut().zip(&counts).zip([9, 8, 9]);
        for ((kind, counts), max_log) in all {
            let (mode, len) = kind.choose(counts.first_chunk()?, max_log, dst.get_mut(at..)?)?;
            modes = modes << 2 | mode;
            at += len;
        }
        *dst.get_mut(modes_at)? = modes << 2;
        let len = self.write_bits(dst.get_mut(at..)?)?;
        Some(at + len)
    }

    #[inline(always)]
    fn write_bits(&self, dst: &mut [u8]) -> Option<usize> {
        let [literals, offsets, lens] = self.kinds.each_ref().map(Kind::states);
        let mut bits = Bits::new(dst);
        let (last, before) = self.coded.split_last()?;
        let mut state = [
            literals.last(last.codes[0]),
            offsets.last(last.codes[1]),
            lens.last(last.codes[2]),
        ];
        last.write_extra(&mut bits)?;
        for coded in before.iter().rev() {
            state[1] = offsets.step(state[1], coded.codes[1], &mut bits);
            state[2] = lens.step(state[2], coded.codes[2], &mut bits);
            state[0] = literals.step(state[0], coded.codes[0], &mut bits);
            coded.write_extra(&mut bits)?;
        }
        lens.finish(state[2], &mut bits);
        offsets.finish(state[1], &mut bits);
        literals.finish(state[0], &mut bits);
        bits.flush()?;
        bits.finish_marked()
    }
}

impl Kind {
    /// The table that takes least together with its description, which is written.
    #[inline(always)]
    fn choose(&mut self, counts: &[u32; 53], max_log: u32, dst: &mut [u8]) -> Option<(u8, usize)> {
        let mut used = (0_u8..).zip(counts).filter(|(_, count)| **count > 0);
        let first = used.next().map_or(0, |(symbol, _)| symbol);
        let single = used.next().is_none();
        // In sixteenths of a bit.
        let known = self.known.0.cost(counts).unwrap_or(u32::MAX);
        if single {
            // With a description of one byte.
            self.last = None;
            if known <= 8 * 16 {
                self.mode = Mode::Known;
                return Some((0, 0));
            }
            self.mode = Mode::Run;
            let distribution = Distribution::single(first);
            self.states.build(&distribution);
            *dst.first_mut()? = first;
            return Some((1, 1));
        }
        // A description of its own has two bytes or more.
        if known <= 2 * 8 * 16 && self.last.is_none() {
            self.mode = Mode::Known;
            return Some((0, 0));
        }
        let own = Distribution::of(counts, max_log);
        let len = own.write(dst)?;
        let cost = own.cost(counts)? + u32::try_from(len).ok()? * 128;
        let last = self.last.and_then(|last| last.cost(counts));
        if let Some(last) = last
            && last <= known.min(cost)
        {
            self.mode = Mode::Own;
            return Some((3, 0));
        }
        if known <= cost {
            self.mode = Mode::Known;
            // A decoder repeats the known table from here on.
            self.last = None;
            return Some((0, 0));
        }
        self.mode = Mode::Own;
        self.states.build(&own);
        self.last = Some(own);
        Some((2, len))
    }

    #[inline(always)]
    fn states(&self) -> &States {
        match self.mode {
            Mode::Known => &self.known.1,
            Mode::Run | Mode::Own => &self.states,
        }
    }
}

// Lengths have up to 16 bits each besides their codes; see `Bits::put_word`.
const _: () = assert!(16 + 16 + (MAX_DISTANCE + 3).ilog2() <= 56);

impl Coded {
    #[inline(always)]
    fn new(sequence: &Sequence, offset: u32) -> Self {
        let codes = [
            literals_code(sequence.literals),
            low(offset.ilog2()),
            len_code(sequence.len),
        ];
        let literals = LITERAL_LENGTHS[usize::from(codes[0])];
        let len = MATCH_LENGTHS[usize::from(codes[2])];
        let before_offset = literals.extra() + len.extra();
        let extra = u64::from(sequence.literals - literals.value())
            | u64::from(sequence.len - len.value()) << literals.extra()
            | u64::from(offset ^ 1 << codes[1]) << before_offset;
        Self {
            extra,
            bits: low(before_offset) + codes[1],
            codes,
        }
    }

    #[inline(always)]
    fn write_extra(&self, bits: &mut Bits<'_>) -> Option<()> {
        if self.bits > 30 {
            bits.flush()?;
        }
        bits.put_word(self.extra, u32::from(self.bits));
        bits.flush()
    }
}

/// The value of a distance, given the last three: 1 to 3 for one of them.
#[inline(always)]
pub(super) fn offset(repeats: &mut [u32; 3], literals: u32, distance: u32) -> u32 {
    let [first, second, third] = *repeats;
    // After a match, the last distance itself would have made that one longer.
    let places = if literals > 0 {
        [first, second, third]
    } else {
        [second, third, first.wrapping_sub(1)]
    };
    let value = match places
        .iter()
        .zip(1..)
        .find(|(place, _)| **place == distance)
    {
        Some((_, value)) => value,
        None => distance + 3,
    };
    *repeats = if distance == first && literals > 0 {
        [first, second, third]
    } else if distance == second && value <= 3 {
        [second, first, third]
    } else {
        [distance, first, second]
    };
    value
}
