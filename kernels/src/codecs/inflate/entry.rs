//! Entries of decoding tables.

use crate::codecs::zlib::{CODE_LENGTHS, DISTS, LITLENS, MAX_DISTANCE, MAX_MATCH};

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No code begins with these bits.
    None,
    /// A byte, or a symbol of the code lengths.
    Literal,
    /// The least length or distance; extra bits follow.
    Base,
    /// The end of the block.
    End,
    /// A subtable.
    Sub,
}

/// A table entry.
///
/// | bits | one symbol | two literals | subtable |
/// |---|---|---|---|
/// | 0 to 7 | length of the code and its extra bits | length of both codes | |
/// | 8 to 11 | length of the code | length of the first code | width |
/// | 12 to 15 | kind | literal and base | kind |
/// | 16 to 31 | value | first literal, second literal | index |
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(pub(super) u32);

pub(super) const LITERAL: u32 = 1 << 12;
pub(super) const BASE: u32 = 2 << 12;
pub(super) const END: u32 = 4 << 12;
pub(super) const SUB: u32 = 8 << 12;
pub(super) const PAIR: u32 = LITERAL | BASE;

impl Entry {
    /// Whether it is one literal or two.
    #[inline(always)]
    pub(super) fn is_literal(self) -> bool {
        self.0 & LITERAL != 0
    }

    /// Whether it is a length or a distance. Tests a bit; [`kind`](Self::kind) would become a jump
    /// table.
    #[inline(always)]
    pub(super) fn is_base(self) -> bool {
        self.0 & BASE != 0
    }

    /// The kind.
    #[inline(always)]
    pub(super) fn kind(self) -> Kind {
        match self.0 & 0xF000 {
            LITERAL | PAIR => Kind::Literal,
            BASE => Kind::Base,
            END => Kind::End,
            SUB => Kind::Sub,
            _ => Kind::None,
        }
    }

    /// All of it; the lowest six bits are [`len`](Self::len).
    #[inline(always)]
    pub(super) fn raw(self) -> u32 {
        self.0
    }

    /// The number of bits of the code and its extra bits, or of two literals.
    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        self.0 & 0xFF
    }

    /// The number of literals, 1 or 2.
    #[inline(always)]
    pub(super) fn literals(self) -> usize {
        usize::from(self.0 & BASE != 0) + 1
    }

    /// The number of bits of the code alone or of the first literal, or the width of the subtable.
    #[inline(always)]
    pub(super) fn code_len(self) -> u32 {
        (self.0 >> 8) & 15
    }

    /// The value without extra bits.
    #[inline(always)]
    pub(super) fn value(self) -> usize {
        let [.., low, high] = self.0.to_le_bytes();
        usize::from(u16::from_le_bytes([low, high]))
    }

    /// The first literal.
    #[inline(always)]
    pub(super) fn byte(self) -> u8 {
        let [.., low, _] = self.0.to_le_bytes();
        low
    }

    /// The literal, or both.
    #[inline(always)]
    pub(super) fn bytes(self) -> [u8; 2] {
        let [.., low, high] = self.0.to_le_bytes();
        [low, high]
    }
}

/// An entry without its code: value, extra bits, kind.
const fn entry(value: u32, extra: u32, kind: u32) -> u32 {
    value << 16 | kind | extra
}

/// The entry of a literal, of the end, or of a length.
const fn litlen_entry(symbol: u32) -> u32 {
    match symbol {
        0..=255 => entry(symbol, 0, LITERAL),
        256 => entry(0, 0, END),
        257..=264 => entry(symbol - 254, 0, BASE),
        265..=284 => {
            let (step, extra) = ((symbol - 265) % 4, (symbol - 261) / 4);
            entry(3 + ((4 + step) << extra), extra, BASE)
        }
        285 => entry(258, 0, BASE),
        _ => 0,
    }
}

/// The entry of a distance.
const fn dist_entry(symbol: u32) -> u32 {
    match symbol {
        0..=3 => entry(symbol + 1, 0, BASE),
        4..=29 => {
            let extra = symbol / 2 - 1;
            entry(1 + ((2 + symbol % 2) << extra), extra, BASE)
        }
        _ => 0,
    }
}

/// The entries of literals, of the end and of lengths, without their codes.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
pub(super) static LITLEN_ENTRIES: [u32; LITLENS] = {
    let (mut entries, mut symbol) = ([0; LITLENS], 0);
    while symbol < 288 {
        let entry = litlen_entry(symbol);
        // Unsafe code relies on the range.
        assert!(entry & BASE == 0 || least(entry) >= 3 && most(entry) <= MAX_MATCH);
        entries[symbol as usize] = entry;
        symbol += 1;
    }
    entries
};

/// The entries of distances.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
pub(super) static DIST_ENTRIES: [u32; DISTS] = {
    let (mut entries, mut symbol) = ([0; DISTS], 0);
    while symbol < 32 {
        let entry = dist_entry(symbol);
        // Unsafe code relies on the range.
        assert!(entry == 0 || least(entry) >= 1 && most(entry) <= MAX_DISTANCE);
        entries[symbol as usize] = entry;
        symbol += 1;
    }
    entries
};

/// The entries of the symbols of code lengths.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
pub(super) static CODE_LENGTH_ENTRIES: [u32; CODE_LENGTHS] = {
    let (mut entries, mut symbol) = ([0; CODE_LENGTHS], 0);
    while symbol < 19 {
        entries[symbol as usize] = entry(symbol, 0, LITERAL);
        symbol += 1;
    }
    entries
};

/// The value of an entry without its code, if all extra bits are 0.
const fn least(entry: u32) -> usize {
    (entry >> 16) as usize
}

/// The same if all extra bits are 1.
const fn most(entry: u32) -> usize {
    least(entry) + (1 << (entry & 0xFF)) - 1
}

/// The most literals in one entry of [`Literals`].
pub(super) const LITERALS: usize = 4;

/// The literals whose codes are in the bits of an index.
///
/// | bits | meaning |
/// |---|---|
/// | 0 to 5 | length of all codes |
/// | 6 to 8 | number of literals, 0 when the first symbol is none |
/// | 9 to 23 | lengths of the first one, two and three codes, 5 bits each, 31 without that many |
/// | 32 to 63 | literals |
#[derive(Clone, Copy, Debug)]
pub(super) struct Literals(u64);

impl Literals {
    /// Literals as a table holds them.
    #[inline(always)]
    pub(super) fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// All of it; the lowest six bits are the length of the codes.
    #[inline(always)]
    pub(super) fn raw(self) -> u64 {
        self.0
    }

    /// The length of all codes.
    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        u32::from(self.0.to_le_bytes()[0] & 63)
    }

    /// The number of literals, at most four.
    #[inline(always)]
    pub(super) fn count(self) -> usize {
        usize::from((self.0 >> 6).to_le_bytes()[0] & 7)
    }

    /// The literals; bytes after the last are arbitrary.
    #[inline(always)]
    pub(super) fn bytes(self) -> [u8; LITERALS] {
        let [.., a, b, c, d] = self.0.to_le_bytes();
        [a, b, c, d]
    }
}
