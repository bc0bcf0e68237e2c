//! Items of more than 16 bytes, cut into pieces of 16 bytes.
//!
//! A block of items is loaded piece by piece, so that each lane of a vector has 16 bytes of one
//! item and the network (see [`network`](super::network)) transposes 16 items at once. The last
//! piece of an item overlaps the one before. AVX-512 takes two pieces at a time:
//! `double_pieces`.

/// Defines `pieces`, shuffle by pieces of 16 bytes.
///
/// The caller has `gather_pieces`, which loads 16 bytes of each item of a block.
macro_rules! shuffle_pieces {
    ($feature:literal, $bytes:literal) => {
        /// All blocks of items of more than 16 bytes.
        #[target_feature(enable = $feature)]
        fn pieces(typesize: usize, src: &[u8], dst: &mut [u8]) {
            let n = src.len() / typesize;
            let mut next = 0;
            while next < n {
                let first = next.min(n - BLOCK);
                let items = &src[first * typesize..][..BLOCK * typesize];
                for at in (0..typesize - 15).step_by(16) {
                    piece::<16>(items, at, first, &mut dst[at * n..][..16 * n]);
                }
                let left = typesize % 16;
                last_piece(left, items, first, &mut dst[(typesize - left) * n..]);
                next += BLOCK;
            }
        }

        crate::filters::vector::pieces::piece!($feature);
    };
}
pub(crate) use shuffle_pieces;

/// Defines `piece` and `last_piece`: 16 bytes of each item of a block.
macro_rules! piece {
    ($feature:literal) => {
        /// The last `left` bytes, fewer than 16, of a block of items, into as many planes.
        #[target_feature(enable = $feature)]
        fn last_piece(left: usize, items: &[u8], first: usize, dst: &mut [u8]) {
            let at = items.len() / BLOCK - 16;
            match left {
                0 => {}
                1 => piece::<1>(items, at, first, dst),
                2 => piece::<2>(items, at, first, dst),
                3 => piece::<3>(items, at, first, dst),
                4 => piece::<4>(items, at, first, dst),
                5 => piece::<5>(items, at, first, dst),
                6 => piece::<6>(items, at, first, dst),
                7 => piece::<7>(items, at, first, dst),
                8 => piece::<8>(items, at, first, dst),
                9 => piece::<9>(items, at, first, dst),
                10 => piece::<10>(items, at, first, dst),
                11 => piece::<11>(items, at, first, dst),
                12 => piece::<12>(items, at, first, dst),
                13 => piece::<13>(items, at, first, dst),
                14 => piece::<14>(items, at, first, dst),
                _ => piece::<15>(items, at, first, dst),
            }
        }

        /// The last `R` of the 16 bytes from `at` on of a block of items, into `R` planes.
        #[target_feature(enable = $feature)]
        #[inline(never)]
        fn piece<const R: usize>(items: &[u8], at: usize, first: usize, dst: &mut [u8]) {
            let x = transpose::<16, 1>(gather_pieces(Adjacent::new(items, BLOCK), at));
            let mut rows = RowsMut::new(dst, R);
            let mut walk = rows.walk(0, R, first);
            unrolled!(J => if J < R {
                store(x[16 - R + J], walk.step());
            });
        }
    };
}
pub(crate) use piece;

/// Defines `unshuffle_pieces`, unshuffle by pieces of 16 bytes.
///
/// The caller has `scatter_pieces`, which stores 16 bytes of each item of a block.
macro_rules! unshuffle_pieces {
    ($feature:literal, $zero:ident) => {
        /// Bytes of an item in a piece.
        pub(crate) const PIECE: usize = 16;

        /// Unshuffles 16 planes into bytes `at..at + 16` of items `first..first + count`.
        ///
        /// `items` is those items; they are at least [`BLOCK`].
        #[target_feature(enable = $feature)]
        pub(crate) fn unshuffle_pieces<R: Rows>(
            rows: R,
            first: usize,
            count: usize,
            at: usize,
            items: &mut [u8],
        ) {
            let typesize = items.len() / count;
            let mut next = 0;
            while next < count {
                let block = next.min(count - BLOCK);
                let mut x = [$zero(); 16];
                unrolled!(J => x[J] = load(rows.row(J, first + block)));
                let items = &mut items[block * typesize..][..BLOCK * typesize];
                scatter_pieces(transpose::<16, 1>(x), RowsMut::new(items, BLOCK), at);
                next += BLOCK;
            }
        }
    };
}
pub(crate) use unshuffle_pieces;
