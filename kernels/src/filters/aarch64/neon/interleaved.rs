//! Items of 2, 3 and 4 bytes: loads that deinterleave their bytes, and stores that interleave them.
//!
//! One instruction moves 16 items between memory and a vector per plane, so that no network is
//! needed and no byte outside of the items is touched. The last block overlaps the one before.

use core::arch::aarch64::{uint8x16_t, uint8x16x2_t, uint8x16x3_t, uint8x16x4_t, vdupq_n_u8};

use super::{
    BLOCK, differ, is_zero, load, load_2, load_3, load_4, store, store_2, store_3, store_4, zero,
};
use crate::filters::vector::blocks::Report;
use crate::filters::vector::window::{Rows, RowsMut, window, window_mut};

/// Shuffles whole items of `T` bytes, at least [`BLOCK`] of them.
#[target_feature(enable = "neon")]
pub(crate) fn shuffle<const T: usize>(src: &[u8], dst: &mut [u8], report: Option<Report<'_>>) {
    let Some(report) = report else {
        run::<T, false>(src, dst);
        return;
    };
    let seen = run::<T, true>(src, dst);
    for (differs, seen) in report.differs.iter_mut().zip(seen) {
        *differs |= u8::from(!is_zero(seen));
    }
}

/// All blocks; with `REPORT` the bits in which any byte of a plane differs from its first one.
#[target_feature(enable = "neon")]
#[inline(never)]
fn run<const T: usize, const REPORT: bool>(src: &[u8], dst: &mut [u8]) -> [uint8x16_t; 4] {
    let n = src.len() / T;
    let mut rows = RowsMut::new(dst, T);
    let mut seen = [zero(); 4];
    let mut head = [zero(); 4];
    for (head, byte) in head.iter_mut().zip(&src[..T]) {
        *head = vdupq_n_u8(*byte);
    }
    let mut next = 0;
    while next < n {
        let first = next.min(n - BLOCK);
        let x = gather::<T>(&src[first * T..]);
        for j in 0..T {
            if REPORT {
                seen[j] = differ(seen[j], x[j], head[j]);
            }
            store(x[j], rows.row(j, first));
        }
        next += BLOCK;
    }
    seen
}

/// Unshuffles whole items of `T` bytes, at least [`BLOCK`] of them.
#[target_feature(enable = "neon")]
pub(crate) fn unshuffle<R: Rows, const T: usize>(rows: R, dst: &mut [u8]) {
    let n = dst.len() / T;
    let mut next = 0;
    while next < n {
        let first = next.min(n - BLOCK);
        let mut x = [zero(); 4];
        for (j, x) in x[..T].iter_mut().enumerate() {
            *x = load(rows.row(j, first));
        }
        scatter::<T>(x, &mut dst[first * T..]);
        next += BLOCK;
    }
}

/// The first block of `items`, a vector per plane.
#[target_feature(enable = "neon")]
#[inline]
fn gather<const T: usize>(items: &[u8]) -> [uint8x16_t; 4] {
    match T {
        2 => {
            let x = load_2(window(items, 0));
            [x.0, x.1, zero(), zero()]
        }
        3 => {
            let x = load_3(window(items, 0));
            [x.0, x.1, x.2, zero()]
        }
        _ => {
            let x = load_4(window(items, 0));
            [x.0, x.1, x.2, x.3]
        }
    }
}

/// Stores a vector per plane as the first block of `items`.
#[target_feature(enable = "neon")]
#[inline]
fn scatter<const T: usize>([a, b, c, d]: [uint8x16_t; 4], items: &mut [u8]) {
    match T {
        2 => store_2(uint8x16x2_t(a, b), window_mut(items, 0)),
        3 => store_3(uint8x16x3_t(a, b, c), window_mut(items, 0)),
        _ => store_4(uint8x16x4_t(a, b, c, d), window_mut(items, 0)),
    }
}
