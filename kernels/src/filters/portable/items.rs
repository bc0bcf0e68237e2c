//! Eight items at a time between memory and one word per byte of the item.

use super::words::{
    items_of_2, items_of_4, load, planes_of_2, planes_of_4, store, transpose_bytes,
};

/// The bytes of an item that are moved at a time.
pub(super) const PIECE: usize = 8;

/// The bytes from the first of eight items, `at` bytes into each, that [`gather`] and [`scatter`]
/// touch; more than the items have when they are smaller than a piece and no power of two.
#[inline(always)]
pub(super) const fn reach(typesize: usize, at: usize) -> usize {
    match typesize {
        1 | 2 | 4 => 8 * typesize,
        _ => 7 * typesize + at + PIECE,
    }
}

/// The offsets of the pieces of an item; the last one overlaps the one before.
#[inline(always)]
pub(super) fn pieces(typesize: usize) -> impl Iterator<Item = usize> {
    (0..typesize.div_ceil(PIECE)).map(move |i| (PIECE * i).min(typesize.saturating_sub(PIECE)))
}

/// Evaluates `$call` with `$T` a constant: the typesize, or 0 for those without their own code.
macro_rules! with_typesize {
    ($typesize:expr, $T:ident => $call:expr) => {
        match $typesize {
            1 => with_typesize!(@ $T = 1, $call),
            2 => with_typesize!(@ $T = 2, $call),
            3 => with_typesize!(@ $T = 3, $call),
            4 => with_typesize!(@ $T = 4, $call),
            5 => with_typesize!(@ $T = 5, $call),
            6 => with_typesize!(@ $T = 6, $call),
            7 => with_typesize!(@ $T = 7, $call),
            8 => with_typesize!(@ $T = 8, $call),
            16 => with_typesize!(@ $T = 16, $call),
            _ => with_typesize!(@ $T = 0, $call),
        }
    };
    (@ $T:ident = $number:literal, $call:expr) => {{
        const $T: usize = $number;
        $call
    }};
}
pub(super) use with_typesize;

/// Bytes from `at` on of eight items, a word for each of up to 8 of them.
#[inline(always)]
pub(super) fn gather<const T: usize>(typesize: usize, items: &[u8], at: usize) -> [u64; PIECE] {
    match T {
        1 => {
            let mut planes = [0; PIECE];
            planes[0] = load(items, 0);
            planes
        }
        2 => {
            let items = &items[..16];
            let [a, b] = planes_of_2([load(items, 0), load(items, 8)]);
            [a, b, 0, 0, 0, 0, 0, 0]
        }
        4 => {
            let items = &items[..32];
            let words = [
                load(items, 0),
                load(items, 8),
                load(items, 16),
                load(items, 24),
            ];
            let [a, b, c, d] = planes_of_4(words);
            [a, b, c, d, 0, 0, 0, 0]
        }
        _ => {
            let typesize = if T > 0 { T } else { typesize };
            let items = &items[at..][..7 * typesize + PIECE];
            let mut words = [0; PIECE];
            for (i, word) in words.iter_mut().enumerate() {
                *word = load(items, i * typesize);
            }
            transpose_bytes(words)
        }
    }
}

/// The inverse of [`gather`]; items smaller than a piece are written over the unused end of the
/// ones before.
#[inline(always)]
pub(super) fn scatter<const T: usize>(
    typesize: usize,
    planes: [u64; PIECE],
    items: &mut [u8],
    at: usize,
) {
    let [a, b, c, d, ..] = planes;
    match T {
        1 => store(a, items, 0),
        2 => {
            let items = &mut items[..16];
            for (k, word) in items_of_2([a, b]).into_iter().enumerate() {
                store(word, items, 8 * k);
            }
        }
        4 => {
            let items = &mut items[..32];
            for (k, word) in items_of_4([a, b, c, d]).into_iter().enumerate() {
                store(word, items, 8 * k);
            }
        }
        _ => {
            let typesize = if T > 0 { T } else { typesize };
            let items = &mut items[at..][..7 * typesize + PIECE];
            for (i, word) in transpose_bytes(planes).into_iter().enumerate() {
                store(word, items, i * typesize);
            }
        }
    }
}
