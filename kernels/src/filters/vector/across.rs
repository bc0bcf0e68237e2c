//! The 8x8 bit transpose across eight registers, stamped per register width.
//!
//! Register `i` has the same byte of item `i` of every group of eight. Then bits move vertically
//! between the registers, in three rounds that swap nibbles, pairs and single bits
//! across the diagonal:
//!
//! ```text
//! high half of register i  <-->  low half of register i + 4     (then i + 2, then i + 1)
//! ```

/// Defines `tile_to_rows` and `rows_to_tile` on registers of `$width` bytes.
///
/// The caller has `swap::<SHIFT>(low, high)`, which swaps, byte by byte, the high `SHIFT` bits of
/// every `2 * SHIFT` of `low` with the low ones of `high`.
macro_rules! transpose_across {
    ($features:literal, $width:literal, $vector:ty) => {
        /// Bit `k` of register `i` becomes bit `i` of register `k`, in every byte.
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn transpose(r: &mut [$vector; 8]) {
            let [a, b, c, d, e, f, g, h] = r;
            swap::<4>(a, e);
            swap::<4>(b, f);
            swap::<4>(c, g);
            swap::<4>(d, h);
            swap::<2>(a, c);
            swap::<2>(b, d);
            swap::<2>(e, g);
            swap::<2>(f, h);
            swap::<1>(a, b);
            swap::<1>(c, d);
            swap::<1>(e, f);
            swap::<1>(g, h);
        }

        /// A tile, `8 * typesize` planes of `width` bytes, into columns of all rows of `dst` from
        /// `first` on: byte `j` of item `i` of every group is plane `typesize * i + j`.
        #[target_feature(enable = $features)]
        pub(crate) fn tile_to_rows(
            tile: &[u8],
            typesize: usize,
            width: usize,
            dst: &mut [u8],
            first: usize,
        ) {
            let tile = Adjacent::new(tile, 8);
            let mut rows = RowsMut::new(dst, 8 * typesize);
            for j in 0..typesize {
                for step in 0..width / $width {
                    let mut from = tile.walk(0, 8, width * j + $width * step);
                    let mut r = [load(from.step()); 8];
                    for r in &mut r[1..] {
                        *r = load(from.step());
                    }
                    transpose(&mut r);
                    let mut to = rows.walk(8 * j, 8, first + $width * step);
                    for r in r {
                        store(r, to.step());
                    }
                }
            }
        }

        /// Columns of all rows from `first` on to a tile: the inverse of [`tile_to_rows`].
        ///
        /// `rows(j)` is the eight rows of byte `j`.
        #[target_feature(enable = $features)]
        pub(crate) fn rows_to_tile<'a>(
            rows: impl Fn(usize) -> Plane<'a>,
            first: usize,
            tile: &mut [u8],
            typesize: usize,
            width: usize,
        ) {
            let mut tile = RowsMut::new(tile, 8);
            for j in 0..typesize {
                let rows = match rows(j) {
                    Plane::Bytes(rows) => Adjacent::new(rows, 8),
                    Plane::Constant(byte) => {
                        for i in 0..8 {
                            let r = load(&[bit_mask(byte, i); $width]);
                            for step in 0..width / $width {
                                store(r, tile.row(i, width * j + $width * step));
                            }
                        }
                        continue;
                    }
                };
                for step in 0..width / $width {
                    let mut from = rows.walk(0, 8, first + $width * step);
                    let mut r = [load(from.step()); 8];
                    for r in &mut r[1..] {
                        *r = load(from.step());
                    }
                    transpose(&mut r);
                    let mut to = tile.walk(0, 8, width * j + $width * step);
                    for r in r {
                        store(r, to.step());
                    }
                }
            }
        }
    };
}
pub(crate) use transpose_across;

/// Defines `plane_to_rows` and `rows_to_plane`, for items of one byte, which need no tile.
///
/// The caller has the shuffle network by eight (`gather`, `planes`, `items`, `scatter`).
macro_rules! plane_across {
    ($features:literal, $width:literal) => {
        /// Plane bytes, eight per column, into columns of eight rows from `first` on.
        #[target_feature(enable = $features)]
        pub(crate) fn plane_to_rows(plane: &[u8], rows: &mut [u8], first: usize) {
            let mut rows = RowsMut::new(rows, 8);
            for (step, bytes) in plane.as_chunks::<{ 8 * $width }>().0.iter().enumerate() {
                let mut r = planes::<8, 8>(gather::<8, 8>(bytes));
                transpose(&mut r);
                for (k, r) in r.iter().enumerate() {
                    store(*r, rows.row(k, first + $width * step));
                }
            }
        }

        /// Columns of eight rows from `first` on into plane bytes.
        #[target_feature(enable = $features)]
        pub(crate) fn rows_to_plane(rows: &[u8], first: usize, plane: &mut [u8]) {
            let rows = Adjacent::new(rows, 8);
            for (step, bytes) in plane
                .as_chunks_mut::<{ 8 * $width }>()
                .0
                .iter_mut()
                .enumerate()
            {
                let mut r = [load(rows.row(0, first + $width * step)); 8];
                for (k, r) in r.iter_mut().enumerate().skip(1) {
                    *r = load(rows.row(k, first + $width * step));
                }
                transpose(&mut r);
                scatter::<8, 8>(items::<8, 8>(r), bytes);
            }
        }
    };
}
pub(crate) use plane_across;
