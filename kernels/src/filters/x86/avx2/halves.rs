//! Shuffle of 16 bytes in two passes of eight vectors.
//!
//! Sixteen vectors and the temporaries of the network do not fit into sixteen registers. The first
//! round of the network separates them: planes 0 to 7 come from the lower halves of all lanes, the
//! others from the upper halves. So each pass reads all items, keeps one half, and spills nothing:
//!
//! ```text
//! items 2a, 2a+1    unpack    2a 2a+8   | 2a+1 2a+9      lanes    2a 2a+8   | 2a+16 2a+24
//! items 2a+8, 2a+9  ------->  2a+16 ... | 2a+17 ...     ------->  2a+1 2a+9 | 2a+17 2a+25
//! ```
//!
//! The exchange of lanes takes half as many instructions after that round as before it.

use core::arch::x86_64::{
    _mm256_permute2x128_si256, _mm256_setzero_si256, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use super::{BLOCK, differ, load, store, transpose_8};
use crate::filters::vector::blocks::{LONG, Report, before_line};
use crate::filters::vector::window::{RowsMut, window};

/// Blocks that both passes read before the next ones: 16 KiB stay in the first-level cache.
const STRIP: usize = 32;

/// Shuffles items of 16 bytes, at least [`BLOCK`] of them.
#[target_feature(enable = "avx2")]
pub(super) fn shuffle(src: &[u8], dst: &mut [u8], mut report: Option<Report<'_>>) {
    let n = src.len() / 16;
    let mut skipped = 0;
    if src.len() > LONG {
        skipped = before_line(dst, 1, n);
    }
    let (blocks, _) = src.as_chunks();
    shuffle_blocks(&blocks[..skipped.div_ceil(BLOCK)], 0, dst, report.as_mut());
    let (blocks, rest) = src[16 * skipped..].as_chunks();
    for (strip, blocks) in blocks.chunks(STRIP).enumerate() {
        let first = skipped + BLOCK * STRIP * strip;
        shuffle_blocks(blocks, first, dst, report.as_mut());
    }
    if !rest.is_empty() {
        let first = n - BLOCK;
        let block = [*window(src, 16 * first)];
        shuffle_blocks(&block, first, dst, report.as_mut());
    }
}

/// Blocks of items of 16 bytes, the first of which is item `first` of the planes.
#[target_feature(enable = "avx2")]
#[inline]
fn shuffle_blocks(
    blocks: &[[u8; 512]],
    first: usize,
    dst: &mut [u8],
    report: Option<&mut Report<'_>>,
) {
    if let Some(report) = report {
        planes::<false, true>(blocks, first, dst, Some(report));
    } else {
        planes::<false, false>(blocks, first, dst, None);
    }
    planes::<true, false>(blocks, first, dst, None);
}

/// Planes 0 to 7, or those from 8 on if `UPPER`.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn planes<const UPPER: bool, const REPORT: bool>(
    blocks: &[[u8; 512]],
    first: usize,
    dst: &mut [u8],
    report: Option<&mut Report<'_>>,
) {
    let Some(head) = blocks.first() else { return };
    let head = load(window(head, 0));
    let mut seen = [_mm256_setzero_si256(); 4];
    let mut rows = RowsMut::new(dst, 16);
    for (block, items) in blocks.iter().enumerate() {
        let mut half = |at: usize| {
            let (a, b) = (load(window(items, at)), load(window(items, at + 128)));
            if REPORT {
                let seen = &mut seen[at / 32 % 4];
                *seen = differ(differ(*seen, a, head), b, head);
            }
            if UPPER {
                _mm256_unpackhi_epi8(a, b)
            } else {
                _mm256_unpacklo_epi8(a, b)
            }
        };
        let mut x = [_mm256_setzero_si256(); 8];
        for a in 0..4 {
            let (y, z) = (half(32 * a), half(32 * a + 256));
            x[2 * a] = _mm256_permute2x128_si256::<0x20>(y, z);
            x[2 * a + 1] = _mm256_permute2x128_si256::<0x31>(y, z);
        }
        let mut walk = rows.walk(8 * usize::from(UPPER), 8, first + BLOCK * block);
        for x in transpose_8::<1>(x) {
            store(x, walk.step());
        }
    }
    if let Some(report) = report {
        let [a, b, c, d] = seen;
        let none = _mm256_setzero_si256();
        let all = differ(differ(differ(a, b, none), c, none), d, none);
        let (mut seen_bytes, mut head_bytes) = ([0; 32], [0; 32]);
        store(all, &mut seen_bytes);
        store(head, &mut head_bytes);
        report.note::<16, 16, 16>(&seen_bytes, &head_bytes);
    }
}
