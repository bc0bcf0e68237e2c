//! The tokens of cells, and which rows their matches fill.

/// The cell follows as it is, row after row.
pub(super) const LITERAL: u8 = 0x00;
/// All bytes of the cell are the one that follows.
pub(super) const CONSTANT: u8 = 0x40;

/// A token with one or two matches; each is the distance from the token back to its bytes, which
/// fill the rows one after another. The rows that no match fills follow as they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    pub(super) token: u8,
    /// The rows of the first match, and of the second.
    pub(super) matches: [&'static [usize]; 2],
}

const fn pattern(token: u8, first: &'static [usize], second: &'static [usize]) -> Pattern {
    Pattern {
        token,
        matches: [first, second],
    }
}

/// The patterns of cells of 4 x 4 bytes, those that need the fewest bytes first.
static SIDE_4: [Pattern; 14] = [
    pattern(0xC0, &[0, 1, 2, 3], &[]),
    pattern(0x28, &[0, 1], &[2, 3]),
    pattern(0x30, &[0, 2], &[1, 3]),
    pattern(0x38, &[0, 3], &[1, 2]),
    pattern(0xE0, &[1, 2, 3], &[]),
    pattern(0xE8, &[0, 1, 2], &[]),
    pattern(0xF0, &[0, 1, 3], &[]),
    pattern(0xF8, &[0, 2, 3], &[]),
    pattern(0x80, &[2, 3], &[]),
    pattern(0x88, &[0, 1], &[]),
    pattern(0x90, &[0, 2], &[]),
    pattern(0x98, &[0, 3], &[]),
    pattern(0xB0, &[1, 2], &[]),
    pattern(0xB8, &[1, 3], &[]),
];

/// The same of cells of 8 x 8 bytes.
static SIDE_8: [Pattern; 14] = [
    pattern(0xC0, &[0, 1, 2, 3, 4, 5, 6, 7], &[]),
    pattern(0xA8, &[0, 1, 2], &[]),
    pattern(0xA9, &[1, 2, 3], &[]),
    pattern(0xAA, &[2, 3, 4], &[]),
    pattern(0xAB, &[3, 4, 5], &[]),
    pattern(0xAC, &[4, 5, 6], &[]),
    pattern(0xAD, &[5, 6, 7], &[]),
    pattern(0x88, &[0, 1], &[]),
    pattern(0x89, &[1, 2], &[]),
    pattern(0x8A, &[2, 3], &[]),
    pattern(0x8B, &[3, 4], &[]),
    pattern(0x8C, &[4, 5], &[]),
    pattern(0x8D, &[5, 6], &[]),
    pattern(0x8E, &[6, 7], &[]),
];

/// The patterns of cells of this side.
pub(super) fn patterns(side: usize) -> &'static [Pattern] {
    if side == 4 { &SIDE_4 } else { &SIDE_8 }
}

#[cfg(test)]
mod tests {
    use super::{CONSTANT, LITERAL, patterns};

    #[test]
    fn tokens_differ_and_rows_are_filled_once() {
        for side in [4, 8] {
            let mut tokens = [false; 256];
            for token in [LITERAL, CONSTANT] {
                tokens[usize::from(token)] = true;
            }
            let mut last = 0;
            for pattern in patterns(side) {
                assert!(!core::mem::replace(
                    &mut tokens[usize::from(pattern.token)],
                    true
                ));
                let mut rows = [false; 8];
                let mut cost = side * side;
                for rows_of in pattern.matches {
                    for &row in rows_of {
                        assert!(row < side && !core::mem::replace(&mut rows[row], true));
                        cost -= side;
                    }
                    cost += if rows_of.is_empty() { 0 } else { 2 };
                }
                assert!(cost >= last, "the cheapest first");
                last = cost;
            }
        }
    }
}
