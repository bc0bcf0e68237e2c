//! The byte permutations inside one vector that the AVX-512 networks need beside unpacking.
//!
//! A vector has four lanes of 16 bytes, but items lie in memory without regard to lanes. Before or
//! behind a network of `P` vectors, each with `64 / P` items (`16 / P` per lane, called `m` below),
//! one permutation (`vpermb`) moves bytes between the lanes:
//!
//! ```text
//! memory              i0 i1 i2 ..        items of T bytes, one after another
//! spread    -->       lane l: plane by plane, items l*m .. l*m + m
//! (network) -->       vector p, lane l: for each k, items k*4m + l*m .. + m
//! settle    -->       vector p: all 64 items in order
//! ```
//!
//! and the other way round for unshuffle.

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

/// Items of `typesize` bytes one after another, to lanes with `16 / p` items plane by plane.
pub(crate) const fn spread(typesize: usize, p: usize) -> Index {
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

/// A plane's items from the order of the network of `p` vectors to their own.
pub(crate) const fn settle(p: usize) -> Index {
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

/// The inverse of [`settle`].
pub(crate) const fn unsettle(p: usize) -> Index {
    let settled = settle(p);
    let mut index = [0; 64];
    let mut item = 0;
    while item < 64 {
        index[settled[item] as usize] = byte(item);
        item += 1;
    }
    index
}

/// Where byte `o` of packed items of `typesize` bytes is in vectors whose lanes have `16 / p` items of
/// `p` bytes: the vector, and the byte of it.
const fn unpacked(typesize: usize, p: usize, o: usize) -> (usize, usize) {
    let (item, plane) = (o / typesize, o % typesize);
    let m = 16 / p;
    let place = item % (4 * m);
    (item / (4 * m), place / m * 16 + place % m * p + plane)
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

/// What packed vector `out` has of the vector behind those two: which bytes, and their numbers.
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

/// Where two vectors start that have items `4 * k` and the three behind it, of `typesize` bytes: at
/// multiples of 64 if two such are enough.
pub(crate) const fn four_items(typesize: usize, k: usize) -> (usize, usize) {
    let (start, end) = (4 * typesize * k, 4 * typesize * (k + 1));
    if end - start / 64 * 64 <= 128 {
        (start / 64 * 64, (end - 1) / 64 * 64)
    } else {
        (start, end - 64)
    }
}

/// Of those two vectors: up to 16 bytes of each item from `at` on, in a lane of its own.
pub(crate) const fn four_lanes(typesize: usize, k: usize, at: usize) -> Index {
    let (a, b) = four_items(typesize, k);
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (item, place) = (4 * k + o / 16, o % 16 + at);
        if place < typesize {
            let from = item * typesize + place;
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

/// Of two vectors with the first 16 bytes and with the other ones of four items of `typesize` bytes, a lane
/// each: 64 bytes of the packed items from `at` on.
pub(crate) const fn four_packed(typesize: usize, at: usize) -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        let (item, place) = ((o + at) / typesize, (o + at) % typesize);
        index[o] = byte(place / 16 * 64 + item * 16 + place % 16);
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

/// Of two vectors, each with 32 items by turns in lanes `half` and `half + 2`: all items in order.
pub(crate) const fn by_turns(half: usize) -> Index {
    let mut index = [0; 64];
    let mut item = 0;
    while item < 64 {
        index[item] = byte(item / 32 * 64 + item % 2 * 32 + half * 16 + item % 32 / 2);
        item += 1;
    }
    index
}

/// Of 32 items of two planes: even ones to the lanes 0 and 1, odd ones to 2 and 3, the first plane's to
/// the even lanes.
pub(crate) const fn deal() -> Index {
    let mut index = [0; 64];
    let mut o = 0;
    while o < 64 {
        index[o] = byte(o / 16 % 2 * 64 + o % 16 * 2 + o / 32);
        o += 1;
    }
    index
}
