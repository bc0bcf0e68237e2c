//! Items of 32 bytes or more, cut into pieces of 32 bytes.
//!
//! AVX-512 takes 32 bytes of an item at a time: half as many loads as with
//! [`pieces`](super::pieces) of 16, and one exchange of lanes after the network. Whole items of 32
//! bytes are loaded and stored two at a time. AVX2 has too few registers for this: there pieces of
//! 16 bytes are up to 1.6 times as fast.

/// Items of 32 bytes.
pub(crate) const EXACT: u8 = 1;
/// Items of more than 32 bytes.
pub(crate) const WIDE: u8 = 2;

/// Defines `pieces`, shuffle by pieces of 32 bytes.
///
/// The caller has `gather_half`, which loads 32 bytes of every item of half a block, two lanes
/// each, `join`, which sorts the lanes of a vector of either half into two planes, and
/// `gather_pieces` for the remainder.
macro_rules! shuffle_double_pieces {
    ($feature:literal, $bytes:literal) => {
        /// All blocks of items of 32 bytes or more.
        #[target_feature(enable = $feature)]
        fn pieces(typesize: usize, src: &[u8], dst: &mut [u8]) {
            let n = src.len() / typesize;
            let mut next = 0;
            while next < n {
                let first = next.min(n - BLOCK);
                let items = &src[first * typesize..][..BLOCK * typesize];
                block_of_pieces(items, typesize, first, dst);
                next += BLOCK;
            }
        }

        /// One block of [`pieces`].
        #[target_feature(enable = $feature)]
        #[inline]
        fn block_of_pieces(items: &[u8], typesize: usize, first: usize, dst: &mut [u8]) {
            if typesize == 32 {
                return double_piece::<EXACT, true>(items, 0, 32, first, dst);
            }
            let n = dst.len() / typesize;
            for at in (0..typesize - 31).step_by(32) {
                double_piece::<WIDE, true>(items, at, 32, first, &mut dst[at * n..][..32 * n]);
            }
            let left = typesize % 32;
            let dst = &mut dst[(typesize - left) * n..];
            if left < 16 {
                last_piece(left, items, first, dst);
            } else {
                double_piece::<WIDE, false>(items, typesize - 32, left, first, dst);
            }
        }

        /// `count` of the 32 bytes from `at` on of a block of items, into as many planes.
        ///
        /// These are all 32 if `LOWER`, else the last ones, 16 or more.
        #[target_feature(enable = $feature)]
        #[inline(never)]
        fn double_piece<const WIDTH: u8, const LOWER: bool>(
            items: &[u8],
            at: usize,
            count: usize,
            first: usize,
            dst: &mut [u8],
        ) {
            let x = transpose::<16, 1>(gather_half::<0, WIDTH>(items, at));
            let y = transpose::<16, 1>(gather_half::<1, WIDTH>(items, at));
            let lower = if LOWER { 16 } else { count - 16 };
            let mut rows = RowsMut::new(dst, count);
            let mut walk = rows.walk(0, lower, first);
            unrolled!(J => if LOWER || 16 - J <= lower {
                store(join(x[J], y[J]).0, walk.step());
            });
            let mut walk = rows.walk(lower, 16, first);
            unrolled!(J => store(join(x[J], y[J]).1, walk.step()));
        }

        crate::filters::vector::pieces::piece!($feature);
    };
}
pub(crate) use shuffle_double_pieces;
