//! Byte shuffle.
//!
//! Whole vectors of items are loaded, spread over the lanes, unpacked and settled (see
//! [`permute`](super::permute)): for 8 bytes 24 unpacks and 16 permutations per 512 bytes. Items of
//! 2 bytes need one two-source permutation per vector and nothing else. Of larger items each lane
//! loads 16 bytes of its own, so that nothing has to be moved between the lanes.

use core::arch::x86_64::{
    __m512i, _mm512_castsi128_si512, _mm512_castsi256_si512, _mm512_castsi512_si256,
    _mm512_extracti64x4_epi64, _mm512_inserti32x4, _mm512_inserti64x4, _mm512_mask_add_epi8,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_ternarylogic_epi64,
};

use super::permute::{ascending, by_halves, by_turns, every_second, settle, spread};
use super::{load, passes, store, transpose};
use crate::vector::blocks::{Spread, shuffle_blocks};
use crate::vector::double_pieces::{EXACT, NARROW, WIDE, shuffle_double_pieces};
use crate::vector::network::unrolled;
use crate::vector::window::{Adjacent, RowsMut, window};
use crate::x86::{avx2, sse2};

/// Whether a large block is written to its planes without a tile between.
pub(crate) const fn direct(typesize: usize, len: usize) -> bool {
    passes::pays(typesize, len)
}

shuffle_blocks! {
    "avx512f,avx512bw,avx512vl,avx512vbmi", __m512i, _mm512_setzero_si512, 64, 64,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16] [15 16]; [16 sixteen] [32 thirty_two]
}

/// Items of 16 bytes: in passes where that pays.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn sixteen<const T: usize>(src: &[u8], dst: &mut [u8], spread: Option<Spread<'_>>) {
    if passes::pays(T, src.len()) {
        return passes::shuffle::<T>(src, dst, spread);
    }
    blocks::<T, 16>(src, dst, spread);
}

/// Items of 32 bytes: in passes where that pays.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn thirty_two<const T: usize>(src: &[u8], dst: &mut [u8], _: Option<Spread<'_>>) {
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

/// One vector per plane; those from plane `T` on are of no use.
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
        let index = load(&const { spread(T, P) });
        for x in &mut x {
            *x = _mm512_permutexvar_epi8(index, *x);
        }
    }
    // The unit is what a lane has of one plane.
    let mut x = match P {
        4 => transpose::<P, 4>(x),
        8 => transpose::<P, 2>(x),
        _ => transpose::<P, 1>(x),
    };
    let index = load(&const { settle(P) });
    for x in &mut x {
        *x = _mm512_permutexvar_epi8(index, *x);
    }
    x
}

/// `seen | (a ^ b)`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
pub(crate) fn differ(seen: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xF6>(seen, a, b)
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
    if WIDTH == EXACT {
        unrolled!(K => x[K] = load(walk.step()));
    } else {
        let index = apart(items.stride() / 2);
        unrolled!(K => x[K] = _mm512_permutexvar_epi8(index, load(walk.step())));
    }
    x
}

/// For `vpermb`: two items of `typesize` bytes to two lanes each.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn apart(typesize: usize) -> __m512i {
    let ascending = load(&const { ascending() });
    let back = i8::try_from(typesize).unwrap_or(32) - 32;
    _mm512_mask_add_epi8(ascending, u64::MAX << 32, ascending, _mm512_set1_epi8(back))
}

/// The planes of the first and of the second lane of each item, of either half of a block.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn join(x: __m512i, y: __m512i) -> (__m512i, __m512i) {
    (
        _mm512_permutex2var_epi8(x, load(&const { by_turns(0) }), y),
        _mm512_permutex2var_epi8(x, load(&const { by_turns(1) }), y),
    )
}

/// Half `H` of a block of items of 17 to 31 bytes.
///
/// The vectors of both halves do not fit into the registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline(never)]
fn narrow_half<const H: usize>(items: &[u8], typesize: usize, first: usize, dst: &mut [u8]) {
    let mut x = transpose::<16, 1>(gather_half::<H, NARROW>(items, 0));
    let index = load(&const { by_halves() });
    let mut rows = RowsMut::new(dst, typesize);
    let mut walk = rows.walk(0, typesize, first + 32 * H);
    unrolled!(J => {
        x[J] = _mm512_permutexvar_epi8(index, x[J]);
        avx2::store(_mm512_castsi512_si256(x[J]), walk.step());
    });
    let upper = typesize - 16;
    unrolled!(J => if J < upper {
        avx2::store(_mm512_extracti64x4_epi64::<1>(x[J]), walk.step());
    });
}
