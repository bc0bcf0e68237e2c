//! The codes of sequences: the values of their symbols, their predefined distributions, and the
//! tables of the current block.

use super::fse::{Distribution, Entry, Table};
use super::input::{Input, invalid};
use crate::codecs::DecodeError;

/// Values and extra bits of the codes 16 to 35 of literal lengths; before them each is itself.
pub(super) const LITERAL_LENGTHS: [Entry; 36] = {
    const EXTRA: [u32; 20] = [
        1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ];
    with_extra::<36, 20>(0, &EXTRA)
};
/// Match lengths: from 3, with extra bits from code 32 on.
pub(super) const MATCH_LENGTHS: [Entry; 53] = {
    const EXTRA: [u32; 21] = [
        1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ];
    with_extra::<53, 21>(3, &EXTRA)
};
/// Offsets: code `n` stands for 2^n, which is not stored, and has n extra bits.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const OFFSETS: [Entry; 32] = {
    let mut symbols = [Entry::symbol(0, 0); 32];
    let mut code = 0;
    while code < 32_u32 {
        symbols[code as usize] = Entry::symbol(0, code);
        code += 1;
    }
    symbols
};

const LITERAL_LENGTH_COUNTS: [i16; 36] = [
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
    -1, -1, -1, -1,
];
const MATCH_LENGTH_COUNTS: [i16; 53] = [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];
const OFFSET_COUNTS: [i16; 29] = [
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
];

/// Consecutive values from `first` on: one per code, then `2^extra` per code.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn with_extra<const LEN: usize, const EXTRA: usize>(
    first: u32,
    extra: &[u32; EXTRA],
) -> [Entry; LEN] {
    let mut symbols = [Entry::symbol(0, 0); LEN];
    let mut value = first;
    let mut code = 0;
    while code < LEN {
        let bits = if code < LEN - EXTRA {
            0
        } else {
            extra[code - (LEN - EXTRA)]
        };
        symbols[code] = Entry::symbol(value, bits);
        value += 1 << bits;
        code += 1;
    }
    symbols
}

/// A table of sequences: at most 2^9 states.
pub(super) type SequenceTable = Table<512>;

/// One of the three kinds of codes.
pub(super) struct Kind {
    symbols: &'static [Entry],
    max_log: u32,
    pub(super) known: &'static [i16],
    pub(super) known_log: u32,
}

/// Literal lengths, offsets, match lengths: in the order of the format.
pub(super) const KINDS: [Kind; 3] = [
    Kind {
        symbols: &LITERAL_LENGTHS,
        max_log: 9,
        known: &LITERAL_LENGTH_COUNTS,
        known_log: 6,
    },
    Kind {
        symbols: &OFFSETS,
        max_log: 8,
        known: &OFFSET_COUNTS,
        known_log: 5,
    },
    Kind {
        symbols: &MATCH_LENGTHS,
        max_log: 9,
        known: &MATCH_LENGTH_COUNTS,
        known_log: 6,
    },
];

/// The place of the current table of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// There is none yet.
    None,
    /// In the format.
    Known,
    /// In a block before.
    Own,
    /// In the dictionary.
    Dict,
}

/// The tables of literal lengths, offsets and match lengths.
#[derive(Debug)]
pub(super) struct Codes {
    known: [SequenceTable; 3],
    own: [SequenceTable; 3],
    which: [Which; 3],
}

impl Codes {
    pub(super) fn new() -> Self {
        let known = KINDS.map(|kind| {
            let mut table = SequenceTable::new();
            let distribution = Distribution::known(kind.known, kind.known_log);
            if table.build::<64>(&distribution, kind.symbols).is_none() {
                unreachable!("a distribution of the format");
            }
            table
        });
        Self {
            known,
            own: [(); 3].map(|()| SequenceTable::new()),
            which: [Which::None; 3],
        }
    }

    /// Begins a frame: with the tables of the dictionary, or with none.
    pub(super) fn begin(&mut self, dict: bool) {
        self.which = [if dict { Which::Dict } else { Which::None }; 3];
    }

    #[inline(always)]
    /// Reads the tables of a block; `modes` has two bits for each kind.
    pub(super) fn read(&mut self, input: &mut Input<'_>, modes: u8) -> Result<(), DecodeError> {
        for (((kind, own), which), shift) in
            (KINDS.iter().zip(&mut self.own).zip(&mut self.which)).zip([6, 4, 2])
        {
            let offset = input.offset();
            match modes >> shift & 3 {
                0 => *which = Which::Known,
                1 => {
                    let code = input.byte()?;
                    let symbol = kind.symbols.get(usize::from(code));
                    let symbol = *symbol.ok_or_else(|| unknown_code(offset))?;
                    own.set_single(symbol, code < 2);
                    *which = Which::Own;
                }
                2 => {
                    read_table(own, kind, input)?;
                    *which = Which::Own;
                }
                _ if *which == Which::None => {
                    return Err(invalid(
                        offset,
                        "sequences: expected a table, found a repeat of none",
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The current tables, given those of the dictionary.
    pub(super) fn current<'t>(
        &'t self,
        dict: Option<&'t [SequenceTable; 3]>,
    ) -> [&'t SequenceTable; 3] {
        let [a, b, c] = [0, 1, 2].map(|at: usize| {
            let dict = dict.unwrap_or(&self.known);
            match self.which.get(at) {
                Some(Which::Own) => self.own.get(at),
                Some(Which::Dict) => dict.get(at),
                _ => self.known.get(at),
            }
        });
        let [known, ..] = &self.known;
        [a, b, c].map(|table| table.unwrap_or(known))
    }
}

#[cold]
fn unknown_code(offset: usize) -> DecodeError {
    invalid(
        offset,
        "sequences: expected a literal length up to 35, an offset up to 31 or a match length up to \
         52, found a higher code",
    )
}

#[inline(always)]
fn read_table(
    table: &mut SequenceTable,
    kind: &Kind,
    input: &mut Input<'_>,
) -> Result<(), DecodeError> {
    let offset = input.offset();
    let distribution = Distribution::read(input, kind.symbols.len(), kind.max_log)?;
    let built = table.build::<64>(&distribution, kind.symbols);
    built.ok_or_else(|| unknown_code(offset))
}

/// Reads the tables of a dictionary: offsets, match lengths, literal lengths.
pub(super) fn read_dictionary(input: &mut Input<'_>) -> Result<[SequenceTable; 3], DecodeError> {
    let mut tables = [(); 3].map(|()| SequenceTable::new());
    for at in [1_usize, 2, 0] {
        if let (Some(table), Some(kind)) = (tables.get_mut(at), KINDS.get(at)) {
            read_table(table, kind, input)?;
        }
    }
    Ok(tables)
}
