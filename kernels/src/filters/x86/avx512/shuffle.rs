//! Byte shuffle.
//!
//! Whole vectors of items are loaded, deinterleaved in the lanes, unpacked and reordered (see
//! [`permute`](super::permute)): 8 bytes take 24 unpacks and 16 permutations per 512 bytes. Items
//! of 2 bytes need one two-source permutation per vector and nothing else. Items of 9 to 31 bytes
//! are permuted out of two vectors, four to a vector. Of larger ones each lane loads 16 bytes, so
//! that no byte moves between the lanes.

use core::arch::x86_64::{
    __m512i, _mm512_castsi128_si512, _mm512_castsi256_si512, _mm512_inserti32x4,
    _mm512_inserti64x4, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_setzero_si512,
};

use super::permute::{
    deinterleave, every_second, four_items, four_lanes, merge_halves, reorder, two_planes,
};
use super::{BLOCK, differ, load, passes, store, subtract, transpose};
use crate::filters::vector::blocks::{Report, exact_by_blocks, shuffle_blocks};
use crate::filters::vector::double_pieces::{EXACT, WIDE, shuffle_double_pieces};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::window::{Adjacent, RowsMut, window, window_mut};
use crate::filters::x86::{avx2, sse2};

/// Whether a large block is written to its planes without a tile.
pub(crate) const fn direct(typesize: usize, len: usize) -> bool {
    passes::pays(typesize, len)
}

shuffle_blocks! {
    "avx512f,avx512bw,avx512vl,avx512vbmi", __m512i, _mm512_setzero_si512, 64, 64,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8];
    [9 lines] [10 lines] [11 lines] [12 lines] [13 lines] [14 lines] [15 lines] [16 sixteen]
    [17 lines] [18 lines] [19 lines] [20 lines] [21 lines] [22 lines] [23 lines] [24 lines]
    [25 lines] [26 lines] [27 lines] [28 lines] [29 lines] [30 lines] [31 lines] [32 thirty_two]
}

/// Items of 16 bytes: in passes where that pays.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn sixteen<const T: usize>(src: &[u8], dst: &mut [u8], report: Option<Report<'_>>) {
    if passes::pays(T, src.len()) {
        return passes::shuffle::<T>(src, dst, report);
    }
    blocks::<T, 16>(src, dst, report);
}

exact_by_blocks!("avx512f,avx512bw,avx512vl,avx512vbmi", exact_2 2, exact_16 16);

/// 32 items of 16 bytes: two planes in each vector.
///
/// AVX2 has no registers for all of them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(crate) fn half_16(src: &[u8], dst: &mut [u8]) {
    let items: &[u8; 512] = window(src, 0);
    let mut x = [_mm512_setzero_si512(); 8];
    for (x, items) in x.iter_mut().zip(items.as_chunks().0) {
        *x = load(items);
    }
    let order = load(&const { two_planes() });
    let planes: &mut [u8; 512] = window_mut(dst, 0);
    for (x, planes) in transpose::<8, 1>(x)
        .into_iter()
        .zip(planes.as_chunks_mut().0)
    {
        store(_mm512_permutexvar_epi8(order, x), planes);
    }
}

/// Items of 32 bytes: in passes where that pays.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn thirty_two<const T: usize>(src: &[u8], dst: &mut [u8], _: Option<Report<'_>>) {
    if passes::pays(T, src.len()) {
        return passes::shuffle::<T>(src, dst, None);
    }
    pieces(T, src, dst);
}

shuffle_double_pieces!("avx512f,avx512bw,avx512vl,avx512vbmi", 64);

/// A block of items: `64 / P` in each vector.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn gather<const T: usize, const P: usize>(items: &[u8]) -> [__m512i; P] {
    let items = &items[..(P - 1) * (64 / P) * T + 64];
    let mut x = [_mm512_setzero_si512(); P];
    unrolled!(K => if K < P {
        x[K] = load(window(items, K * (64 / P) * T));
    });
    x
}

/// One vector per plane; those from plane `T` on are unused.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn planes<const T: usize, const P: usize>(mut x: [__m512i; P]) -> [__m512i; P] {
    if T == 2 {
        let (a, b) = (x[0], x[1]);
        x[0] = _mm512_permutex2var_epi8(a, load(&const { every_second(0) }), b);
        x[1] = _mm512_permutex2var_epi8(a, load(&const { every_second(1) }), b);
        return x;
    }
    if T != 16 {
        let index = load(&const { deinterleave(T, P) });
        for x in &mut x {
            *x = _mm512_permutexvar_epi8(index, *x);
        }
    }
    // The unit: the bytes of one plane in a lane.
    let mut x = match P {
        4 => transpose::<P, 4>(x),
        8 => transpose::<P, 2>(x),
        _ => transpose::<P, 1>(x),
    };
    let index = load(&const { reorder(P) });
    for x in &mut x {
        *x = _mm512_permutexvar_epi8(index, *x);
    }
    x
}

/// Bytes `at..at + 16` of a block of items; vector `k` has items `k`, `16 + k` and so on.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn gather_pieces(items: Adjacent<'_>, at: usize) -> [__m512i; 16] {
    let mut x = [_mm512_setzero_si512(); 16];
    let mut walks = [0, 16, 32, 48].map(|first| items.walk(first, 16, at));
    unrolled!(K => {
        let lane = _mm512_castsi128_si512(sse2::load(walks[0].step()));
        let lanes = _mm512_inserti32x4::<1>(lane, sse2::load(walks[1].step()));
        let lanes = _mm512_inserti32x4::<2>(lanes, sse2::load(walks[2].step()));
        x[K] = _mm512_inserti32x4::<3>(lanes, sse2::load(walks[3].step()));
    });
    x
}

/// Bytes `at..at + 32` of the items of half `H` of a block: two items per vector, two lanes each.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn gather_half<const H: usize, const WIDTH: u8>(items: &[u8], at: usize) -> [__m512i; 16] {
    let mut x = [_mm512_setzero_si512(); 16];
    if WIDTH == WIDE {
        let items = Adjacent::new(items, BLOCK);
        let mut walk = items.walk(32 * H, 32, at);
        unrolled!(K => {
            let first = _mm512_castsi256_si512(avx2::load(walk.step()));
            x[K] = _mm512_inserti64x4::<1>(first, avx2::load(walk.step()));
        });
        return x;
    }
    let items = Adjacent::new(items, BLOCK / 2);
    let mut walk = items.walk(16 * H, 16, 0);
    unrolled!(K => x[K] = load(walk.step()));
    x
}

/// The planes of the first and of the second lane of each item, of either half of a block.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn join(x: __m512i, y: __m512i) -> (__m512i, __m512i) {
    (
        _mm512_permutex2var_epi8(x, load(&const { merge_halves(0) }), y),
        _mm512_permutex2var_epi8(x, load(&const { merge_halves(1) }), y),
    )
}

/// Items of 9 to 31 bytes, but 16.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn lines<const T: usize>(src: &[u8], dst: &mut [u8], report: Option<Report<'_>>) {
    if T < 16 && report.is_some() {
        return blocks::<T, 16>(src, dst, report);
    }
    let n = src.len() / T;
    let mut next = 0;
    while next < n {
        let first = next.min(n - BLOCK);
        block_of_lines::<T>(&src[first * T..][..BLOCK * T], first, dst);
        next += BLOCK;
    }
}

/// A block of items of `T` bytes: the first 16 bytes of all items, then the others.
///
/// Both come from the same loads, most of them of whole lines, which adjacent ones share: loads
/// that cross a line run one per cycle. The vectors of the others wait meanwhile, a few of them on
/// the stack.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn block_of_lines<const T: usize>(items: &[u8], first: usize, dst: &mut [u8]) {
    let items = &items[..BLOCK * T];
    let (mut x, mut y) = ([_mm512_setzero_si512(); 16], [_mm512_setzero_si512(); 16]);
    unrolled!(K => {
        let (a, b) = const { four_items(T, K) };
        let (a, b) = (load(window(items, a)), load(window(items, b)));
        x[K] = _mm512_permutex2var_epi8(a, load(&const { four_lanes(T, K, 0) }), b);
        if T > 16 {
            y[K] = _mm512_permutex2var_epi8(a, load(&const { four_lanes(T, K, 16) }), b);
        }
    });
    let order = load(&const { reorder(16) });
    let mut rows = RowsMut::new(dst, T);
    let mut walk = rows.walk(0, T, first);
    let x = transpose::<16, 1>(x);
    unrolled!(J => if J < T {
        store(_mm512_permutexvar_epi8(order, x[J]), walk.step());
    });
    if T > 16 {
        let y = transpose::<16, 1>(y);
        unrolled!(J => if J + 16 < T {
            store(_mm512_permutexvar_epi8(order, y[J]), walk.step());
        });
    }
}
