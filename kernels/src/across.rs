//! The 8x8 bit transpose across eight registers, stamped per register width.
//!
//! Register `i` holds a byte of items `i`, `i + 8`, ...; bits move straight up and down between the
//! registers, in three rounds that swap nibbles, pairs and single bits across the diagonal:
//!
//! ```text
//! high half of register i  <-->  low half of register i + 4     (then i + 2, then i + 1)
//! ```

/// Defines `rows_from_tile` and `tile_from_rows` on registers of `$width` bytes.
///
/// The caller has `swap::<SHIFT>(low, high)`, which swaps, byte by byte, the high `SHIFT` bits of
/// every `2 * SHIFT` of `low` with the low ones of `high`.
macro_rules! transpose_across {
    ($features:literal, $width:literal, $vector:ty) => {
        /// Bit `k` of register `i` becomes bit `i` of register `k`, in every byte.
        #[target_feature(enable = $features)]
        #[inline]
        fn transpose(r: &mut [$vector; 8]) {
            let [a, b, c, d, e, f, g, h] = r;
            for (low, high) in [
                (&mut *a, &mut *e),
                (&mut *b, &mut *f),
                (&mut *c, &mut *g),
                (&mut *d, &mut *h),
            ] {
                swap::<4>(low, high);
            }
            for (low, high) in [
                (&mut *a, &mut *c),
                (&mut *b, &mut *d),
                (&mut *e, &mut *g),
                (&mut *f, &mut *h),
            ] {
                swap::<2>(low, high);
            }
            for (low, high) in [(a, b), (c, d), (e, f), (g, h)] {
                swap::<1>(low, high);
            }
        }

        /// Rows `i * typesize + j` of a tile into the eight bit rows of byte `j`.
        #[target_feature(enable = $features)]
        pub(crate) fn rows_from_tile(
            typesize: usize,
            j: usize,
            tile: &[u8],
            rows: &mut [u8],
            window: Window,
        ) {
            let from = pick_tile(typesize, j, tile, window);
            let mut to = split_rows(rows, window);
            transpose_all(from, &mut to);
        }

        /// The eight bit rows of byte `j` into rows `i * typesize + j` of a tile.
        #[target_feature(enable = $features)]
        pub(crate) fn tile_from_rows(
            typesize: usize,
            j: usize,
            rows: Plane<'_>,
            tile: &mut [u8],
            window: Window,
        ) {
            let mut to = pick_tile_mut(typesize, j, tile, window);
            match rows {
                Plane::Bytes(bytes) => transpose_all(pick_rows(bytes, window), &mut to),
                Plane::Constant(byte) => expand_constant(byte, &mut to),
            }
        }

        /// Transposes whole columns of eight rows.
        #[target_feature(enable = $features)]
        #[inline]
        fn transpose_all(from: [&[u8]; 8], to: &mut [&mut [u8]; 8]) {
            let from = from.map(|row| row.as_chunks::<$width>().0);
            let [a, b, c, d, e, f, g, h] = to;
            let to = [a, b, c, d, e, f, g, h].map(|row| row.as_chunks_mut::<$width>().0);
            let steps = from[0].len();
            let from = from.map(|row| &row[..steps]);
            let mut to = to.map(|row| &mut row[..steps]);
            for step in 0..steps {
                let mut r = from.map(|row| load(&row[step]));
                transpose(&mut r);
                for (row, r) in to.iter_mut().zip(r) {
                    store(r, &mut row[step]);
                }
            }
        }
    };
}
pub(crate) use transpose_across;
