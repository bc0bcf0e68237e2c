//! The byte permutations within vectors that the AVX-512 networks need in addition to unpacking.
//!
//! A vector has four lanes of 16 bytes, but items in memory do not follow lanes. Before or after a
//! network of `P` vectors, each with `64 / P` items (`16 / P` per lane, called `m` below),
//! one permutation (`vpermb`) moves bytes between the lanes:
//!
//! ```text
//! memory               i0 i1 i2 ..       consecutive items of T bytes
//! deinterleave  -->    lane l: plane by plane, items l*m .. l*m + m
//! (network)     -->    vector p, lane l: for each k, items k*4m + l*m .. + m
//! reorder       -->    vector p: all 64 items in order
//! ```
//!
//! and the inverse for unshuffle.

/// A vector of byte numbers for `vpermb`.
pub(crate) type Index = [u8; 64];

/// Narrows a number below 128.
#[expect(clippy::cast_possible_truncation, reason = "at most 127")]
pub(crate) const fn byte(number: usize) -> u8 {
    assert!(
        number < 128,
        "a permutation has at most two sources of 64 bytes"
    );
    number as u8
}

/// Consecutive items of `typesize` bytes, to lanes with `16 / p` items plane by plane.
pub(crate) const fn deinterleave(typesize: usize, p: usize) -> Index {
    let m = 16 / p;
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (lane, plane, item) = (o / 16, o % 16 / m, o % m);
        if plane < typesize {
            index[o] = byte((lane * m + item) * typesize + plane);
        }
        o += 1;
    }
    index
}

/// A plane's items from the order of the network of `p` vectors to ascending order.
pub(crate) const fn reorder(p: usize) -> Index {
    let m = 16 / p;
    let mut index = [0; 64];
    let mut item = 0;
    while item < 64 {
        let (vector, lane) = (item / (4 * m), item / m % 4);
        index[item] = byte(16 * lane + vector * m + item % m);
        item += 1;
    }
    index
}

/// Lanes with 8 bytes each of two planes, those of items 4 apart, to the planes one after another.
pub(crate) const fn two_planes() -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (plane, item) = (o / 32, o % 32);
        index[o] = byte(item % 4 * 16 + plane * 8 + item / 4);
        o += 1;
    }
    index
}

/// The inverse of [`reorder`].
pub(crate) const fn reorder_inverse(p: usize) -> Index {
    let order = reorder(p);
    let mut index = [0; 64];
    let mut item = 0;
    while item < 64 {
        index[order[item] as usize] = byte(item);
        item += 1;
    }
    index
}

/// The vector, and its byte, that has byte `o` of packed items of `typesize` bytes.
///
/// The lanes of the vectors have `16 / p` items of `p` bytes.
const fn unpacked(typesize: usize, p: usize, o: usize) -> (usize, usize) {
    let (item, plane) = (o / typesize, o % typesize);
    let m = 16 / p;
    let within = item % (4 * m);
    (item / (4 * m), within / m * 16 + within % m * p + plane)
}

/// The vector in which the bytes of packed vector `out` begin.
pub(crate) const fn pack_source(typesize: usize, p: usize, out: usize) -> usize {
    unpacked(typesize, p, 64 * out).0
}

/// Packed vector `out` of the vector where it begins and the next one.
pub(crate) const fn pack(typesize: usize, p: usize, out: usize) -> Index {
    let source = pack_source(typesize, p, out);
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (vector, at) = unpacked(typesize, p, 64 * out + o);
        if vector < source + 2 {
            index[o] = byte((vector - source) * 64 + at);
        }
        o += 1;
    }
    index
}

/// The bytes of packed vector `out` from the vector after those two: a mask, and their numbers.
pub(crate) const fn pack_rest(typesize: usize, p: usize, out: usize) -> (u64, Index) {
    let source = pack_source(typesize, p, out);
    let (mut mask, mut index) = (0, [0; 64]);
    let mut o = 0;
    while o < 64 {
        let (vector, at) = unpacked(typesize, p, 64 * out + o);
        if vector == source + 2 {
            mask |= 1 << o;
            index[o] = byte(at);
        }
        o += 1;
    }
    (mask, index)
}

/// The starts of two vectors that cover four items of `typesize` bytes from item `4 * k` on.
///
/// They are multiples of 64 if two such are enough.
pub(crate) const fn four_items(typesize: usize, k: usize) -> (usize, usize) {
    let (start, end) = (4 * typesize * k, 4 * typesize * (k + 1));
    if end - start / 64 * 64 <= 128 {
        (start / 64 * 64, (end - 1) / 64 * 64)
    } else {
        (start, end - 64)
    }
}

/// Of those two vectors: up to 16 bytes of each item from `at` on, one lane per item.
pub(crate) const fn four_lanes(typesize: usize, k: usize, at: usize) -> Index {
    let (a, b) = four_items(typesize, k);
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (item, within) = (4 * k + o / 16, o % 16 + at);
        if within < typesize {
            let from = item * typesize + within;
            index[o] = byte(if from < a + 64 {
                from - a
            } else {
                from - b + 64
            });
        }
        o += 1;
    }
    index
}

/// 64 bytes from `at` on of four packed items of `typesize` bytes.
///
/// One source has the first 16 bytes of the items, a lane each, the other one the rest.
pub(crate) const fn four_packed(typesize: usize, at: usize) -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (item, within) = ((o + at) / typesize, (o + at) % typesize);
        index[o] = byte(within / 16 * 64 + item * 16 + within % 16);
        o += 1;
    }
    index
}

/// Every second byte of two vectors, from byte `first` on.
pub(crate) const fn every_second(first: usize) -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        index[o] = byte(2 * o + first);
        o += 1;
    }
    index
}

/// Of two vectors, each with 32 items alternating between lanes `half` and `half + 2`: all in
/// order.
pub(crate) const fn merge_halves(half: usize) -> Index {
    let mut index = [0; 64];
    let mut item = 0;
    while item < 64 {
        index[item] = byte(item / 32 * 64 + item % 2 * 32 + half * 16 + item % 32 / 2);
        item += 1;
    }
    index
}

/// Of 32 items of two planes: even ones to lanes 0 and 1, odd ones to 2 and 3.
///
/// The even lanes have the first plane.
pub(crate) const fn split_halves() -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        index[o] = byte(o / 16 % 2 * 64 + o % 16 * 2 + o / 32);
        o += 1;
    }
    index
}

/// The even (0) or odd (1) bytes of each lane of two sources, those of the first in the lower half.
pub(crate) const fn every_second_of_lane(odd: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (lane, source, within) = (at / 16, at % 16 / 8, at % 8);
        index[at] = byte(64 * source + 16 * lane + 2 * within + odd);
        at += 1;
    }
    index
}
