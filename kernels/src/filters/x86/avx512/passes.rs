//! Shuffle of 16 and 32 bytes for large blocks: eight planes at a time.
//!
//! The planes of a large block, often a multiple of 4 KiB apart, share a few sets of the
//! first-level cache, and sixteen of them evict each other's lines before these are full. So a
//! strip of items that stays in that cache is read once for every eight planes. The first round of
//! the network keeps the bytes of the pass, as in the two passes of AVX2: only loads are repeated.

use core::arch::x86_64::{
    _mm512_permutexvar_epi8, _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_unpackhi_epi8,
    _mm512_unpacklo_epi8,
};

use super::permute::reorder;
use super::{BLOCK, differ, load, store, transpose};
use crate::filters::vector::blocks::{Report, before_line};
use crate::filters::vector::window::{RowsMut, window};

/// Bytes of items in a strip.
const STRIP: usize = 16 << 10;

/// Whether passes are faster for blocks of this size.
pub(crate) const fn pays(typesize: usize, len: usize) -> bool {
    matches!(typesize, 16 | 32) && len > 65_536
}

/// Shuffles items of `T` bytes, 16 or 32, at least [`BLOCK`] of them; 32 bytes have no report.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) fn shuffle<const T: usize>(src: &[u8], dst: &mut [u8], mut report: Option<Report<'_>>) {
    let n = src.len() / T;
    let skipped = before_line(dst, 1, n);
    let front = (skipped > 0).then_some((0, BLOCK * T));
    let rest = src[skipped * T..].chunks(STRIP).enumerate();
    // The last blocks start earlier, so that they are whole.
    let rest = rest.map(|(strip, items)| {
        let count = items.len().next_multiple_of(BLOCK * T);
        let first = (skipped + STRIP / T * strip).min(n - count / T);
        (first, count)
    });
    for (first, count) in front.into_iter().chain(rest) {
        let items = &src[first * T..][..count];
        match report.as_mut() {
            Some(report) if T == 16 => planes::<T, 0, true>(items, first, dst, Some(report)),
            _ => planes::<T, 0, false>(items, first, dst, None),
        }
        planes::<T, 8, false>(items, first, dst, None);
        if T > 16 {
            planes::<T, 16, false>(items, first, dst, None);
            planes::<T, 24, false>(items, first, dst, None);
        }
    }
}

/// Eight planes from plane `AT` on of whole blocks, whose first item is item `first` of the planes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline(never)]
fn planes<const T: usize, const AT: usize, const REPORT: bool>(
    items: &[u8],
    first: usize,
    dst: &mut [u8],
    report: Option<&mut Report<'_>>,
) {
    // The report compares all items with the first vector, in four accumulators as in `blocks`.
    let index = load(&const { reorder(16) });
    let head = load(window(items, 0));
    let mut seen = [_mm512_setzero_si512(); 4];
    let mut rows = RowsMut::new(dst, T);
    for (block, items) in items.chunks_exact(BLOCK * T).enumerate() {
        let mut half = |vector: usize| {
            let (at, half) = (64 * vector, BLOCK * T / 2);
            let (a, b) = (load(window(items, at)), load(window(items, at + half)));
            if REPORT {
                let seen = &mut seen[vector % 4];
                *seen = differ(differ(*seen, a, head), b, head);
            }
            if AT % 16 == 8 {
                _mm512_unpackhi_epi8(a, b)
            } else {
                _mm512_unpacklo_epi8(a, b)
            }
        };
        let mut x = [_mm512_setzero_si512(); 8];
        for (k, x) in x.iter_mut().enumerate() {
            // Of 32 bytes the exchange of lanes selects the lower or the upper 16 planes.
            *x = if T == 16 {
                half(k)
            } else {
                let (a, b) = (half(2 * k), half(2 * k + 1));
                if AT < 16 {
                    _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b)
                } else {
                    _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b)
                }
            };
        }
        let mut walk = rows.walk(AT, 8, first + BLOCK * block);
        for x in transpose::<8, 1>(x) {
            store(_mm512_permutexvar_epi8(index, x), walk.step());
        }
    }
    if let Some(report) = report {
        let [a, b, c, d] = seen;
        let none = _mm512_setzero_si512();
        let all = differ(differ(differ(a, b, none), c, none), d, none);
        let (mut seen_bytes, mut head_bytes) = ([0; 64], [0; 64]);
        store(all, &mut seen_bytes);
        store(head, &mut head_bytes);
        report.note::<16, 16, 64>(&seen_bytes, &head_bytes);
    }
}
