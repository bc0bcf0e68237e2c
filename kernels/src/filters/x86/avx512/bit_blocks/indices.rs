//! The byte permutations of [`bit_blocks`](super).
//!
//! Bitshuffle interleaves: byte `j` of eight items fills a lane, the last item first, as the matrix
//! product expects. Its inverse deinterleaves: item `i` is byte `i` of each lane.

use super::plan::groups_per_unit;
use crate::filters::x86::avx512::permute::{Index, byte};

/// For items of up to 8 bytes: byte `7 - i` of lane `(group, j)` from byte `j` of item `i`.
const fn interleave(typesize: usize) -> Index {
    let lanes = 8 / groups_per_unit(typesize);
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (group, j, i) = (o / 8 / lanes, o / 8 % lanes, 7 - o % 8);
        if j < typesize {
            index[o] = byte((group * 8 + i) * typesize + j);
        }
        o += 1;
    }
    index
}

/// The inverse of [`interleave`], except for the order in a lane: item `i` is byte `i`.
const fn deinterleave(typesize: usize) -> Index {
    let lanes = 8 / groups_per_unit(typesize);
    let mut index = [0; 64];
    let mut o = 0;
    while o < 8 * typesize * groups_per_unit(typesize) {
        let (item, j) = (o / typesize, o % typesize);
        index[o] = byte((item / 8 * lanes + j) * 8 + item % 8);
        o += 1;
    }
    index
}

/// For items of 9 to 16 bytes, from the first and the last 64 bytes of a group: the piece at `at`.
const fn interleave_two(typesize: usize, at: usize) -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let from = (7 - o % 8) * typesize + o / 8 + at;
        index[o] = byte(if from < 64 {
            from
        } else {
            from + 128 - 8 * typesize
        });
        o += 1;
    }
    index
}

/// For items of 9 to 16 bytes, from their first and last pieces: 64 bytes of the group from `at`.
const fn deinterleave_two(typesize: usize, at: usize) -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (i, j) = ((o + at) / typesize, (o + at) % typesize);
        index[o] = byte(if j < 8 {
            8 * j + i
        } else {
            64 + 8 * (j + 8 - typesize) + i
        });
        o += 1;
    }
    index
}

/// For items of 17 to 32 bytes: items 0 to 3 from the first 128 bytes of a group, the others from
/// the last 128; the offset of the piece is added later.
const fn interleave_four(typesize: usize) -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (i, j) = (7 - o % 8, o / 8);
        index[o] = byte(if i < 4 {
            i * typesize + j
        } else {
            i * typesize + j + 128 - 8 * typesize
        });
        o += 1;
    }
    index
}

/// [`interleave`] by typesize, from 1.
pub(super) const INTERLEAVE: [Index; 8] = {
    let mut all = [[0; 64]; 8];
    let mut t = 1;
    while t <= 8 {
        all[t - 1] = interleave(t);
        t += 1;
    }
    all
};

/// [`deinterleave`] by typesize, from 1.
pub(super) const DEINTERLEAVE: [Index; 8] = {
    let mut all = [[0; 64]; 8];
    let mut t = 1;
    while t <= 8 {
        all[t - 1] = deinterleave(t);
        t += 1;
    }
    all
};

/// [`interleave_two`] by typesize, from 9: the first and the last piece.
pub(super) const INTERLEAVE_TWO: [[Index; 2]; 8] = {
    let mut all = [[[0; 64]; 2]; 8];
    let mut t = 9;
    while t <= 16 {
        all[t - 9] = [interleave_two(t, 0), interleave_two(t, t - 8)];
        t += 1;
    }
    all
};

/// [`deinterleave_two`] by typesize, from 9: the first and the last 64 bytes.
pub(super) const DEINTERLEAVE_TWO: [[Index; 2]; 8] = {
    let mut all = [[[0; 64]; 2]; 8];
    let mut t = 9;
    while t <= 16 {
        all[t - 9] = [deinterleave_two(t, 0), deinterleave_two(t, 8 * t - 64)];
        t += 1;
    }
    all
};

/// [`interleave_four`] by typesize, from 17.
pub(super) const INTERLEAVE_FOUR: [Index; 16] = {
    let mut all = [[0; 64]; 16];
    let mut t = 17;
    while t <= 32 {
        all[t - 17] = interleave_four(t);
        t += 1;
    }
    all
};

/// 64 bytes of a group of items of 17 to 32 bytes, out of its pieces.
#[derive(Clone, Copy)]
pub(super) struct FourPieces {
    /// The permutation of the first two pieces, and of the others.
    pub(super) index: Index,
    /// The bytes taken from the others.
    pub(super) others: u64,
}

/// For items of 17 to 32 bytes: 64 bytes of the group from `at` on.
const fn deinterleave_four(typesize: usize, at: usize) -> FourPieces {
    let mut index = [0; 64];
    let mut others = 0;
    let mut o = 0;
    while o < 64 {
        let (i, j) = ((o + at) / typesize, (o + at) % typesize);
        // The last piece overlaps the one before.
        let last = typesize.div_ceil(8) - 1;
        let piece = j / 8;
        let within = if piece == last {
            j + 8 - typesize
        } else {
            j % 8
        };
        index[o] = byte(64 * (piece % 2) + 8 * within + i);
        if piece >= 2 {
            others |= 1 << o;
        }
        o += 1;
    }
    FourPieces { index, others }
}

/// [`deinterleave_four`] by typesize, from 17: the 64 bytes from 0, 64, 128 and 192, or the last
/// ones.
pub(super) const DEINTERLEAVE_FOUR: [[FourPieces; 4]; 16] = {
    let mut all = [[deinterleave_four(17, 0); 4]; 16];
    let mut t = 17;
    while t <= 32 {
        let mut k = 0;
        while k < 4 {
            let end = 8 * t - 64;
            all[t - 17][k] = deinterleave_four(t, if 64 * k < end { 64 * k } else { end });
            k += 1;
        }
        t += 1;
    }
    all
};
