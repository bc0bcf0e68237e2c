//! Byte unshuffle: the networks of [`shuffle`](super::shuffle), inverted.
//!
//! Items of 4 bytes take 8 unpacks and 4 exchanges of lanes per 128 bytes. Items of other sizes
//! than powers of two are packed by `vpshufb` and stored 16 bytes at a time, each store over the
//! unused end of the previous one.

use core::arch::x86_64::{
    __m256i, _mm256_blend_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_permute2x128_si256, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use super::{BLOCK, load, store, transpose};
use crate::filters::vector::blocks::{before_line, unshuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::pieces::unshuffle_pieces;
use crate::filters::vector::window::{Adjacent, Rows, RowsMut, window, window_mut};
use crate::filters::x86::sse2;

unshuffle_blocks! {
    "avx2", __m256i, _mm256_setzero_si256, 32, 16,
    [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [13 16] [14 16]
    [15 16] [16 16]; [2 two] [12 twelve]
}

/// Whole blocks of items of 2 bytes, two at a time where they are even.
#[target_feature(enable = "avx2")]
pub(crate) fn exact_2(src: &[u8], dst: &mut [u8]) {
    if dst.len() > 512 && dst.len().is_multiple_of(4 * BLOCK) {
        two::<_, 2>(Adjacent::new(src, 2), dst);
    } else {
        exact::<2>(src, dst);
    }
}

/// Items of 2 bytes, two blocks at a time: 1.2 times as fast as one.
#[target_feature(enable = "avx2")]
fn two<R: Rows, const T: usize>(rows: R, dst: &mut [u8]) {
    let n = dst.len() / T;
    if n < 2 * BLOCK {
        return blocks::<R, T, 2>(rows, dst);
    }
    rows.expect(T);
    let skipped = before_line(dst, T, n);
    if skipped > 0 {
        two_blocks(rows, 0, window_mut(dst, 0));
    }
    let (chunks, rest) = dst[T * skipped..].as_chunks_mut::<128>();
    for (at, items) in chunks.iter_mut().enumerate() {
        two_blocks(rows, skipped + 2 * BLOCK * at, items);
    }
    if !rest.is_empty() {
        two_blocks(rows, n - 2 * BLOCK, window_mut(dst, 2 * n - 128));
    }
}

/// 64 items of 2 bytes.
#[target_feature(enable = "avx2")]
#[inline]
fn two_blocks<R: Rows>(rows: R, first: usize, items: &mut [u8; 128]) {
    let (a, b): (&[u8; 64], &[u8; 64]) = (rows.row(0, first), rows.row(1, first));
    for half in 0..2 {
        let (a, b) = (load(window(a, 32 * half)), load(window(b, 32 * half)));
        let (lower, upper) = (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b));
        let first = _mm256_permute2x128_si256::<0x20>(lower, upper);
        store(first, window_mut(items, 64 * half));
        let second = _mm256_permute2x128_si256::<0x31>(lower, upper);
        store(second, window_mut(items, 64 * half + 32));
    }
}

/// Items of 12 bytes: three networks of four planes, whose units of 4 bytes are put together.
#[target_feature(enable = "avx2")]
fn twelve<R: Rows, const T: usize>(rows: R, dst: &mut [u8]) {
    rows.expect(T);
    let n = dst.len() / T;
    let (blocks, rest) = dst.as_chunks_mut::<384>();
    for (block, items) in blocks.iter_mut().enumerate() {
        twelve_block(rows, BLOCK * block, items);
    }
    if !rest.is_empty() {
        twelve_block(rows, n - BLOCK, window_mut(dst, (n - BLOCK) * T));
    }
}

/// 32 items of 12 bytes.
#[target_feature(enable = "avx2")]
#[inline]
fn twelve_block<R: Rows>(rows: R, first: usize, items: &mut [u8; 384]) {
    let four = |j| {
        transpose::<4, 1>([
            load(rows.row(j, first)),
            load(rows.row(j + 1, first)),
            load(rows.row(j + 2, first)),
            load(rows.row(j + 3, first)),
        ])
    };
    let (a, b, c) = (four(0), four(4), four(8));
    // Units 0 1 2 3 of each go to 0 3 2 1, 1 0 3 2 and 2 1 0 3 of three vectors.
    let mut x = [_mm256_setzero_si256(); 12];
    for v in 0..4 {
        let a = _mm256_shuffle_epi32::<0b01_10_11_00>(a[v]);
        let b = _mm256_shuffle_epi32::<0b10_11_00_01>(b[v]);
        let c = _mm256_shuffle_epi32::<0b11_00_01_10>(c[v]);
        let [ab, bc, ca] = [
            _mm256_blend_epi32::<0b0010_0010>(a, b),
            _mm256_blend_epi32::<0b0010_0010>(b, c),
            _mm256_blend_epi32::<0b0010_0010>(c, a),
        ];
        x[3 * v] = _mm256_blend_epi32::<0b0100_0100>(ab, c);
        x[3 * v + 1] = _mm256_blend_epi32::<0b0100_0100>(bc, a);
        x[3 * v + 2] = _mm256_blend_epi32::<0b0100_0100>(ca, b);
    }
    for k in 0..6 {
        let (x, y) = (x[2 * k], x[2 * k + 1]);
        let lower = _mm256_permute2x128_si256::<0x20>(x, y);
        store(lower, window_mut(items, 32 * k));
        let upper = _mm256_permute2x128_si256::<0x31>(x, y);
        store(upper, window_mut(items, 192 + 32 * k));
    }
}

/// For `vpshufb`: items of `p` bytes to items of `typesize` bytes, in each lane.
#[expect(clippy::cast_possible_truncation, reason = "at most 15")]
const fn pack(typesize: usize, p: usize) -> [u8; 32] {
    let mut index = [0x80; 32];
    let mut o = 0;
    while o < 16 / p * typesize {
        index[o] = (o / typesize * p + o % typesize) as u8;
        index[o + 16] = index[o];
        o += 1;
    }
    index
}

unshuffle_pieces!("avx2", _mm256_setzero_si256);

/// One vector per plane to `16 / P` items per lane of each vector.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn items<const T: usize, const P: usize>(x: [__m256i; P]) -> [__m256i; P] {
    let mut x = transpose::<P, 1>(x);
    if T < P && P < 16 {
        let index = load(&const { pack(T, P) });
        for x in &mut x {
            *x = _mm256_shuffle_epi8(*x, index);
        }
    }
    x
}

/// Stores a block of items: all first lanes, then all second ones.
///
/// In this order a line is visited once: unshuffle of 4 bytes is 1.1 times as fast on a Zen 3, and
/// 1.6 times in the second-level cache of an Emerald Rapids. 16 vectors would wait on the stack.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn scatter<const T: usize, const P: usize>(x: [__m256i; P], items: &mut [u8]) {
    let lane = 16 / P * T;
    let items = &mut items[..16 * T + (P - 1) * lane + 16];
    if T == P {
        unrolled!(K => if K < P && K.is_multiple_of(2) {
            let first = _mm256_permute2x128_si256::<0x20>(x[K], x[K + 1]);
            store(first, window_mut(items, 16 * K));
            if P == 16 {
                let second = _mm256_permute2x128_si256::<0x31>(x[K], x[K + 1]);
                store(second, window_mut(items, 16 * (P + K)));
            }
        });
        unrolled!(K => if K < P && P < 16 && K.is_multiple_of(2) {
            let second = _mm256_permute2x128_si256::<0x31>(x[K], x[K + 1]);
            store(second, window_mut(items, 16 * (P + K)));
        });
        return;
    }
    unrolled!(K => if K < P {
        sse2::store(_mm256_castsi256_si128(x[K]), window_mut(items, K * lane));
    });
    unrolled!(K => if K < P {
        let second = _mm256_extracti128_si256::<1>(x[K]);
        sse2::store(second, window_mut(items, 16 * T + K * lane));
    });
}

/// Bytes `at..at + 16` of a block of items; vector `k` has items `k` and `16 + k`.
#[target_feature(enable = "avx2")]
#[inline]
fn scatter_pieces(x: [__m256i; 16], mut items: RowsMut<'_>, at: usize) {
    let mut walk = items.walk(0, 16, at);
    unrolled!(K => sse2::store(_mm256_castsi256_si128(x[K]), walk.step()));
    let mut walk = items.walk(16, 16, at);
    unrolled!(K => sse2::store(_mm256_extracti128_si256::<1>(x[K]), walk.step()));
}
