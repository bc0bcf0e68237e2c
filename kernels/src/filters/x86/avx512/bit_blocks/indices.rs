//! The byte permutations of [`bit_blocks`](super): which byte of a unit meets which.
//!
//! Forward they gather byte `j` of eight items in a lane, the last item first, as the matrix
//! product wants it; the inverse finds item `i` at byte `i` of a lane.

use crate::filters::x86::avx512::permute::{Index, byte};

/// Groups of eight items in a unit of items of `typesize` bytes.
const fn groups_per_unit(typesize: usize) -> usize {
    match typesize {
        2 => 4,
        3 | 4 => 2,
        _ => 1,
    }
}

/// For items of up to 8 bytes: byte `7 - i` of lane `(group, j)` from byte `j` of item `i`.
const fn spread(typesize: usize) -> Index {
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

/// The inverse of [`spread`], but for the order inside a lane: item `i` is byte `i`.
const fn pack(typesize: usize) -> Index {
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
const fn spread_two(typesize: usize, at: usize) -> Index {
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
const fn pack_two(typesize: usize, at: usize) -> Index {
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
/// the last 128; the place of the piece is to be added.
const fn spread_four(typesize: usize) -> Index {
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

/// [`spread`] by typesize, from 1.
pub(super) const SPREAD: [Index; 8] = {
    let mut all = [[0; 64]; 8];
    let mut t = 1;
    while t <= 8 {
        all[t - 1] = spread(t);
        t += 1;
    }
    all
};

/// [`pack`] by typesize, from 1.
pub(super) const PACK: [Index; 8] = {
    let mut all = [[0; 64]; 8];
    let mut t = 1;
    while t <= 8 {
        all[t - 1] = pack(t);
        t += 1;
    }
    all
};

/// [`spread_two`] by typesize, from 9: the first and the last piece.
pub(super) const SPREAD_TWO: [[Index; 2]; 8] = {
    let mut all = [[[0; 64]; 2]; 8];
    let mut t = 9;
    while t <= 16 {
        all[t - 9] = [spread_two(t, 0), spread_two(t, t - 8)];
        t += 1;
    }
    all
};

/// [`pack_two`] by typesize, from 9: the first and the last 64 bytes.
pub(super) const PACK_TWO: [[Index; 2]; 8] = {
    let mut all = [[[0; 64]; 2]; 8];
    let mut t = 9;
    while t <= 16 {
        all[t - 9] = [pack_two(t, 0), pack_two(t, 8 * t - 64)];
        t += 1;
    }
    all
};

/// [`spread_four`] by typesize, from 17.
pub(super) const SPREAD_FOUR: [Index; 16] = {
    let mut all = [[0; 64]; 16];
    let mut t = 17;
    while t <= 32 {
        all[t - 17] = spread_four(t);
        t += 1;
    }
    all
};

/// For items of 17 to 32 bytes: 64 bytes of the group from `at`, out of its first two pieces and
/// out of the others, and which bytes are from the others.
const fn pack_four(typesize: usize, at: usize) -> (Index, u64) {
    let mut index = [0; 64];
    let mut upper = 0;
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
            upper |= 1 << o;
        }
        o += 1;
    }
    (index, upper)
}

/// [`pack_four`] by typesize, from 17: the 64 bytes from 0, 64, 128 and 192, or the last ones.
pub(super) const PACK_FOUR: [[(Index, u64); 4]; 16] = {
    let mut all = [[([0; 64], 0); 4]; 16];
    let mut t = 17;
    while t <= 32 {
        let mut k = 0;
        while k < 4 {
            let end = 8 * t - 64;
            all[t - 17][k] = pack_four(t, if 64 * k < end { 64 * k } else { end });
            k += 1;
        }
        t += 1;
    }
    all
};
