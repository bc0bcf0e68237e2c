//! Byte shuffle.
//!
//! Each of the two lanes loads its own items (the second one those 16 items later), so that no
//! byte moves between the lanes: 4 bytes take 4 `vpshufb` and 8 unpacks per 128 bytes.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_castsi128_si256, _mm256_inserti128_si256,
    _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16,
};

use super::{BLOCK, differ, halves, load, rotate, store, subtract, transpose};
use crate::filters::vector::blocks::{LONG, Report, before_line, shuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::pieces::shuffle_pieces;
use crate::filters::vector::window::{Adjacent, RowsMut, window, window_mut};
use crate::filters::x86::sse2;

/// Whether a large block is written to its planes without a tile.
pub(crate) const fn direct(typesize: usize, _: usize) -> bool {
    typesize == 16
}

shuffle_blocks! {
    "avx2", __m256i, _mm256_setzero_si256, 32, 16,
    [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16]
    [15 16]; [2 two] [16 sixteen]
}

/// Items of 2 bytes, two blocks at a time and whole vectors of items: 1.5 times as fast as one
/// block.
#[target_feature(enable = "avx2")]
fn two<const T: usize>(src: &[u8], dst: &mut [u8], report: Option<Report<'_>>) {
    let n = src.len() / T;
    if n < 2 * BLOCK || report.is_some() {
        return blocks::<T, 2>(src, dst, report);
    }
    let mut skipped = 0;
    if src.len() > LONG {
        skipped = before_line(dst, 1, n);
    }
    let (low, high) = dst.split_at_mut(n);
    if skipped > 0 {
        two_blocks(window(src, 0), window_mut(low, 0), window_mut(high, 0));
    }
    let (chunks, rest) = src[T * skipped..].as_chunks();
    let planes = low[skipped..].as_chunks_mut().0.iter_mut();
    let planes = planes.zip(high[skipped..].as_chunks_mut().0);
    for (items, (low, high)) in chunks.iter().zip(planes) {
        two_blocks(items, low, high);
    }
    if !rest.is_empty() {
        let at = n - 2 * BLOCK;
        two_blocks(
            window(src, 2 * at),
            window_mut(low, at),
            window_mut(high, at),
        );
    }
}

/// Items of 16 bytes.
#[target_feature(enable = "avx2")]
fn sixteen<const T: usize>(src: &[u8], dst: &mut [u8], report: Option<Report<'_>>) {
    halves::shuffle(src, dst, report);
}

/// Whole blocks of items of 2 bytes, two at a time where they are even.
#[target_feature(enable = "avx2")]
pub(crate) fn exact_2(src: &[u8], dst: &mut [u8]) {
    if src.len() > 512 && src.len().is_multiple_of(4 * BLOCK) {
        two::<2>(src, dst, None);
    } else {
        exact::<2>(src, dst);
    }
}

/// Whole blocks of items of 16 bytes; one alone in a single pass.
#[target_feature(enable = "avx2")]
pub(crate) fn exact_16(src: &[u8], dst: &mut [u8]) {
    if src.len() > 16 * BLOCK {
        return halves::shuffle(src, dst, None);
    }
    let to: &mut [u8; 16 * BLOCK] = window_mut(dst, 0);
    let x = planes::<16, 16>(gather::<16, 16>(src));
    for (x, plane) in x.into_iter().zip(to.as_chunks_mut().0) {
        store(x, plane);
    }
}

/// 64 items of 2 bytes.
#[target_feature(enable = "avx2")]
#[inline]
fn two_blocks(items: &[u8; 128], low: &mut [u8; 64], high: &mut [u8; 64]) {
    let low_bytes = _mm256_set1_epi16(0xFF);
    for half in 0..2 {
        let (a, b) = (
            load(window(items, 64 * half)),
            load(window(items, 64 * half + 32)),
        );
        let x = _mm256_packus_epi16(
            _mm256_and_si256(a, low_bytes),
            _mm256_and_si256(b, low_bytes),
        );
        store(
            _mm256_permute4x64_epi64::<0xD8>(x),
            window_mut(low, 32 * half),
        );
        let y = _mm256_packus_epi16(_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b));
        store(
            _mm256_permute4x64_epi64::<0xD8>(y),
            window_mut(high, 32 * half),
        );
    }
}

/// For `vpshufb`: items of `typesize` bytes, to `16 / p` of them plane by plane, in each lane.
#[expect(clippy::cast_possible_truncation, reason = "at most 15")]
const fn deinterleave(typesize: usize, p: usize) -> [u8; 32] {
    let m = 16 / p;
    let mut index = [0x80; 32];
    let mut o = 0;
    while o < 32 {
        let (plane, item) = (o % 16 / m, o % m);
        if plane < typesize {
            index[o] = (item * typesize + plane) as u8;
        }
        o += 1;
    }
    index
}

shuffle_pieces!("avx2", 32);

/// A block of items: `16 / P` in each lane of each vector.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn gather<const T: usize, const P: usize>(items: &[u8]) -> [__m256i; P] {
    let lane = 16 / P * T;
    let items = &items[..16 * T + (P - 1) * lane + 16];
    let mut x = [_mm256_setzero_si256(); P];
    unrolled!(K => if K < P {
        let first = _mm256_castsi128_si256(sse2::load(window(items, K * lane)));
        let second = sse2::load(window(items, 16 * T + K * lane));
        x[K] = _mm256_inserti128_si256::<1>(first, second);
    });
    x
}

/// One vector per plane; those from plane `T` on are unused.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn planes<const T: usize, const P: usize>(mut x: [__m256i; P]) -> [__m256i; P] {
    if T == 8 {
        // A further rotation costs as much as a permutation that deinterleaves.
        return rotate::<P, 1>(transpose::<P, 1>(x));
    }
    if P < 16 {
        let index = load(&const { deinterleave(T, P) });
        for x in &mut x {
            *x = _mm256_shuffle_epi8(*x, index);
        }
    }
    // The unit: the bytes of one plane in a lane.
    match P {
        2 => transpose::<P, 8>(x),
        4 => transpose::<P, 4>(x),
        8 => transpose::<P, 2>(x),
        _ => transpose::<P, 1>(x),
    }
}

/// Bytes `at..at + 16` of a block of items; vector `k` has items `k` and `16 + k`.
#[target_feature(enable = "avx2")]
#[inline]
fn gather_pieces(items: Adjacent<'_>, at: usize) -> [__m256i; 16] {
    let mut x = [_mm256_setzero_si256(); 16];
    let mut firsts = items.walk(0, 16, at);
    let mut seconds = items.walk(16, 16, at);
    unrolled!(K => {
        let first = _mm256_castsi128_si256(sse2::load(firsts.step()));
        x[K] = _mm256_inserti128_si256::<1>(first, sse2::load(seconds.step()));
    });
    x
}
