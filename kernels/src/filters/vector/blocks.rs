//! The loops around the networks, once for all levels.
//!
//! A block is as many items as a vector has bytes, so that every plane gets one whole vector. The
//! last block overlaps the one before it: from one block up there is no remainder. Items of more
//! than 16 bytes are cut into pieces of 16, the last piece overlapping too.
//!
//! Loads and stores of items of other sizes than powers of two reach past their items. Blocks where
//! that would leave the slice use a padded copy.

/// Bytes of a line of the caches.
const LINE: usize = 64;

/// Elements of `size` bytes before the first line that begins in `dst`, for `count` of them; 0
/// where no line begins with one, and for few.
///
/// Buffers begin in the middle of a line, as `malloc` returns them. Stores that cross from one line
/// to the next take 1.2 to 1.4 times as long as others on a Zen 3, and up to 2 times in the
/// second-level cache of an Emerald Rapids.
#[inline]
pub(crate) fn before_line(dst: &[u8], size: usize, count: usize) -> usize {
    // `align_offset` may give up and say so with a larger number.
    let bytes = dst.as_ptr().align_offset(LINE);
    if count >= 8 * LINE && bytes < LINE && bytes.is_multiple_of(size) {
        bytes / size
    } else {
        0
    }
}

/// Most blocks are shuffled with regard to lines from here on: they leave the first-level cache.
pub(crate) const LONG: usize = 32_768;

/// Whether two blocks of long ones are stored at once, so that whole lines are.
///
/// In the second-level cache of an Emerald Rapids, stores that visit a line twice with others
/// between them take 1.5 times as long. On a Zen 3 pairs are 1.1 times as fast for 3 bytes and 1.2
/// for 8, at 0.97 for 4, and at 0.75 for 5 to 7, whose vectors are too many.
pub(crate) const fn paired(block: usize, typesize: usize) -> bool {
    2 * block == LINE && matches!(typesize, 3 | 4 | 8)
}

/// A report of shuffle on the planes: the bytes in which items differ from the first one.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    /// The first item.
    pub(crate) item: &'a [u8],
    /// Per byte of the item, nonzero when it differs in some item.
    pub(crate) differs: &'a mut [u8],
}

impl Report<'_> {
    /// Notes a run of vectors: `seen` has the bits in which any of them differed from `head`.
    ///
    /// Each `SPAN` bytes start with `SPAN / P` items of `T` bytes; unused bytes may follow.
    #[inline(always)]
    pub(crate) fn note<const T: usize, const P: usize, const SPAN: usize>(
        &mut self,
        seen: &[u8],
        head: &[u8],
    ) {
        let mut items = SPAN / P;
        let mut differs = [0; SPAN];
        // Lanes against the first lane, its items against their neighbours, then halves of it.
        for (seen, lane) in seen.chunks_exact(SPAN).zip(head.chunks_exact(SPAN)) {
            for (o, differs) in differs.iter_mut().enumerate() {
                *differs |= seen[o] | (lane[o] ^ head[o]);
            }
        }
        for (o, differs) in differs[..(items - 1) * T].iter_mut().enumerate() {
            *differs |= head[o] ^ head[o + T];
        }
        while items > 1 {
            items /= 2;
            let (lower, upper) = differs.split_at_mut(items * T);
            for (lower, upper) in lower.iter_mut().zip(&upper[..items * T]) {
                *lower |= upper;
            }
        }
        for (j, known) in self.differs[..T].iter_mut().enumerate() {
            *known |= differs[j] | (head[j] ^ self.item[j]);
        }
    }
}

/// Defines `shuffle` for one level out of its parts.
///
/// For items of `T` bytes in `P` vectors the caller has `gather` (load a block of items), `planes`
/// (transpose it, plane `j` into vector `j`), `differ` (`seen | (a ^ b)`) and `subtract`; larger
/// items are for [`pieces`](super::pieces). Sizes for which the level has its own function follow.
macro_rules! shuffle_blocks {
    ($feature:literal, $vector:ident, $zero:ident, $bytes:literal, $span:literal,
     $([$t:literal $p:literal])+ $(; $([$own:literal $function:ident])+)?) => {
        /// Shuffles whole items, at least [`BLOCK`] of them and of 2 bytes or more.
        ///
        /// `report` is kept for items of up to 16 bytes.
        #[target_feature(enable = $feature)]
        pub(crate) fn shuffle(
            typesize: usize,
            src: &[u8],
            dst: &mut [u8],
            report: Option<Report<'_>>,
        ) {
            match typesize {
                $($t => blocks::<$t, $p>(src, dst, report),)+
                $($($own => $function::<$own>(src, dst, report),)+)?
                _ => pieces(typesize, src, dst),
            }
        }

        /// Shuffles whole blocks of items of `T` bytes, a power of two, and nothing else.
        ///
        /// The short way for small blocks, where calls and checks take as long as the work.
        #[target_feature(enable = $feature)]
        pub(crate) fn exact<const T: usize>(src: &[u8], dst: &mut [u8]) {
            let mut rows = RowsMut::new(dst, T);
            for (block, items) in src.chunks_exact(BLOCK * T).enumerate() {
                let x = planes::<T, T>(gather::<T, T>(items));
                unrolled!(J => if J < T {
                    store(x[J], rows.row(J, block * BLOCK));
                });
            }
        }

        /// Shuffles the differences of neighbouring items of 2, 4 or 8 bytes; of the first one
        /// from 0. There are at least [`BLOCK`] of them, and nothing else.
        #[target_feature(enable = $feature)]
        pub(crate) fn differences<const T: usize>(src: &[u8], dst: &mut [u8]) {
            let n = src.len() / T;
            let to_vector = $crate::filters::vector::blocks::before_line(dst, 1, n) % BLOCK;
            let mut rows = RowsMut::new(dst, T);
            let mut before = [0; BLOCK * 8];
            before[T..BLOCK * T].copy_from_slice(&src[..(BLOCK - 1) * T]);
            difference::<T>(src, &before, 0, &mut rows);
            let mut next = if to_vector > 0 { to_vector } else { BLOCK };
            while next < n {
                let first = next.min(n - BLOCK);
                let before = &src[(first - 1) * T..];
                difference::<T>(&before[T..], before, first, &mut rows);
                next += BLOCK;
            }
        }

        /// One block of [`differences`]: the first items of `items`, and those before each.
        #[target_feature(enable = $feature)]
        #[inline]
        fn difference<const T: usize>(
            items: &[u8],
            before: &[u8],
            first: usize,
            rows: &mut RowsMut<'_>,
        ) {
            let mut x = gather::<T, T>(items);
            let before = gather::<T, T>(before);
            for (x, before) in x.iter_mut().zip(before) {
                *x = subtract(*x, before);
            }
            let x = planes::<T, T>(x);
            unrolled!(J => if J < T {
                store(x[J], rows.row(J, first));
            });
        }

        /// All blocks of items of `T` bytes.
        #[target_feature(enable = $feature)]
        fn blocks<const T: usize, const P: usize>(
            src: &[u8],
            dst: &mut [u8],
            mut report: Option<Report<'_>>,
        ) {
            use $crate::filters::vector::blocks::{LONG, before_line, paired};

            let n = src.len() / T;
            let reach = $span - $span / P * T;
            let mut next = 0;
            if src.len() > LONG {
                next = before_line(dst, 1, n);
            }
            if next > 0 {
                run::<T, P, true>(src, 0, next.div_ceil(BLOCK), dst, report.as_mut());
            }
            let mut whole = (src.len() - next * T - reach) / (BLOCK * T);
            if paired(BLOCK, T) && src.len() > LONG {
                let (rest, pairs) = (&src[next * T..], whole / 2);
                if report.is_some() {
                    run_pairs::<T, P, true>(rest, next, pairs, dst, report.as_mut());
                } else {
                    run_pairs::<T, P, false>(rest, next, pairs, dst, None);
                }
                next += 2 * pairs * BLOCK;
                whole %= 2;
            }
            let rest = &src[next * T..];
            if whole > 0 && report.is_some() {
                run::<T, P, true>(rest, next, whole, dst, report.as_mut());
            } else if whole > 0 {
                run::<T, P, false>(rest, next, whole, dst, None);
            }
            next += whole * BLOCK;
            while next < n {
                let first = next.min(n - BLOCK);
                let mut padded = [0; BLOCK * 16 + 64];
                padded[..BLOCK * T].copy_from_slice(&src[first * T..][..BLOCK * T]);
                run::<T, P, true>(&padded, first, 1, dst, report.as_mut());
                next += BLOCK;
            }
        }

        /// `count` blocks from the front of `src`; its first item is item `first` of the planes.
        #[target_feature(enable = $feature)]
        #[inline(never)]
        fn run<const T: usize, const P: usize, const REPORT: bool>(
            src: &[u8],
            first: usize,
            count: usize,
            dst: &mut [u8],
            report: Option<&mut Report<'_>>,
        ) {
            let mut rows = RowsMut::new(dst, T);
            let head = gather::<T, P>(src)[0];
            // Four accumulators: a single one is a dependency chain over all vectors.
            let mut seen = [$zero(); 4];
            for block in 0..count {
                let x = gather::<T, P>(&src[block * BLOCK * T..]);
                if REPORT {
                    unrolled!(K => if K < P {
                        seen[K % 4] = differ(seen[K % 4], x[K], head);
                    });
                }
                let x = planes::<T, P>(x);
                unrolled!(J => if J < T {
                    store(x[J], rows.row(J, first + block * BLOCK));
                });
            }
            note::<T, P>(seen, head, report);
        }

        /// [`run`] of `2 * count` blocks, which stores two of each plane at once.
        #[target_feature(enable = $feature)]
        #[inline(never)]
        fn run_pairs<const T: usize, const P: usize, const REPORT: bool>(
            src: &[u8],
            first: usize,
            count: usize,
            dst: &mut [u8],
            report: Option<&mut Report<'_>>,
        ) {
            let mut rows = RowsMut::new(dst, T);
            let head = gather::<T, P>(src)[0];
            let mut seen = [$zero(); 4];
            for pair in 0..count {
                let x = gather::<T, P>(&src[2 * pair * BLOCK * T..]);
                let y = gather::<T, P>(&src[(2 * pair + 1) * BLOCK * T..]);
                if REPORT {
                    unrolled!(K => if K < P {
                        seen[K % 4] = differ(seen[K % 4], x[K], head);
                        seen[K % 4] = differ(seen[K % 4], y[K], head);
                    });
                }
                let (x, y) = (planes::<T, P>(x), planes::<T, P>(y));
                let at = first + 2 * pair * BLOCK;
                unrolled!(J => if J < T {
                    store(x[J], rows.row(J, at));
                    store(y[J], rows.row(J, at + BLOCK));
                });
            }
            note::<T, P>(seen, head, report);
        }

        /// Tells the report in what the vectors of a run differed from the first one.
        #[target_feature(enable = $feature)]
        #[inline]
        fn note<const T: usize, const P: usize>(
            seen: [$vector; 4],
            head: $vector,
            report: Option<&mut Report<'_>>,
        ) {
            let Some(report) = report else { return };
            let mut all = seen[0];
            for x in &seen[1..] {
                // The OR of all accumulators: the comparison is with zero.
                all = differ(all, *x, $zero());
            }
            let (mut seen_bytes, mut head_bytes) = ([0; $bytes], [0; $bytes]);
            store(all, &mut seen_bytes);
            store(head, &mut head_bytes);
            Report::note::<T, P, $span>(report, &seen_bytes, &head_bytes);
        }
    };
}
pub(crate) use shuffle_blocks;

/// Defines the short way for each of the typesizes as `exact`, which both macros here define.
///
/// A level that is faster in another way writes the function itself.
macro_rules! exact_by_blocks {
    ($feature:literal, $($name:ident $t:literal),+) => {
        $(
            /// Whole blocks of items, and nothing else.
            #[target_feature(enable = $feature)]
            pub(crate) fn $name(src: &[u8], dst: &mut [u8]) {
                exact::<$t>(src, dst);
            }
        )+
    };
}
pub(crate) use exact_by_blocks;

/// Defines `unshuffle` for one level out of its parts.
///
/// A store reaches up to `$span / P * (P - T)` bytes past its block.
///
/// For items of `T` bytes in `P` vectors the caller has `items` (transpose one vector per plane)
/// and `scatter` (store a block of items); larger items are for
/// [`pieces`](super::pieces).
macro_rules! unshuffle_blocks {
    ($feature:literal, $vector:ident, $zero:ident, $bytes:literal, $span:literal,
     $([$t:literal $p:literal])+ $(; $([$own:literal $function:ident])+)?) => {
        /// Unshuffles whole items, at least [`BLOCK`] of them, of 2 to 16 bytes.
        #[target_feature(enable = $feature)]
        pub(crate) fn unshuffle<R: Rows>(typesize: usize, rows: R, dst: &mut [u8]) {
            match typesize {
                $($t => blocks::<R, $t, $p>(rows, dst),)+
                $($($own => $function::<R, $own>(rows, dst),)+)?
                _ => unreachable!("larger items are unshuffled in pieces"),
            }
        }

        /// Unshuffles whole blocks of items of `T` bytes, a power of two, and nothing else.
        #[target_feature(enable = $feature)]
        pub(crate) fn exact<const T: usize>(src: &[u8], dst: &mut [u8]) {
            let rows = $crate::filters::vector::window::Adjacent::new(src, T);
            exact_rows::<_, T>(rows, dst);
        }

        /// [`exact`] from planes that lie anywhere. False, and nothing is written, when one of them
        /// is constant or has another length.
        #[target_feature(enable = $feature)]
        pub(crate) fn exact_planes<const T: usize>(
            planes: &[$crate::filters::plane::Plane<'_>],
            dst: &mut [u8],
        ) -> bool {
            use $crate::filters::vector::window::Separate;

            let Some(rows) = Separate::<T>::new(planes, dst.len() / T) else {
                return false;
            };
            exact_rows::<_, T>(&rows, dst);
            true
        }

        #[target_feature(enable = $feature)]
        #[inline]
        fn exact_rows<R: Rows, const T: usize>(rows: R, dst: &mut [u8]) {
            for (block, to) in dst.chunks_exact_mut(BLOCK * T).enumerate() {
                let mut x = [$zero(); T];
                unrolled!(J => if J < T {
                    x[J] = load(rows.row(J, block * BLOCK));
                });
                scatter::<T, T>(items::<T, T>(x), to);
            }
        }

        /// All blocks of items of `T` bytes.
        #[target_feature(enable = $feature)]
        fn blocks<R: Rows, const T: usize, const P: usize>(rows: R, dst: &mut [u8]) {
            let n = dst.len() / T;
            let reach = $span / P * (P - T);
            if reach == 0 {
                use $crate::filters::vector::blocks::{LONG, before_line};

                let mut skipped = 0;
                // In the first-level cache 16 bytes gain nothing by whole lines.
                if T < 16 || dst.len() > LONG {
                    skipped = before_line(dst, T, n);
                }
                if skipped > 0 {
                    run::<R, T, P>(rows, 0, skipped.div_ceil(BLOCK), dst);
                }
                let whole = (n - skipped) / BLOCK;
                run::<R, T, P>(rows, skipped, whole, &mut dst[skipped * T..]);
                if skipped + whole * BLOCK < n {
                    run::<R, T, P>(rows, n - BLOCK, 1, &mut dst[(n - BLOCK) * T..]);
                }
                return;
            }
            let whole = (dst.len() - reach) / (BLOCK * T);
            if whole > 0 {
                run::<R, T, P>(rows, 0, whole, dst);
            }
            let mut next = whole * BLOCK;
            while next < n {
                let first = next.min(n - BLOCK);
                let mut padded = [0; BLOCK * 16 + 64];
                run::<R, T, P>(rows, first, 1, &mut padded);
                dst[first * T..][..BLOCK * T].copy_from_slice(&padded[..BLOCK * T]);
                next += BLOCK;
            }
        }

        /// `count` blocks to the front of `dst`; its first item is item `first` of the planes.
        #[target_feature(enable = $feature)]
        #[inline(never)]
        fn run<R: Rows, const T: usize, const P: usize>(
            rows: R,
            first: usize,
            count: usize,
            dst: &mut [u8],
        ) {
            for block in 0..count {
                let mut x = [$zero(); P];
                unrolled!(J => if J < T {
                    x[J] = load(rows.row(J, first + block * BLOCK));
                });
                scatter::<T, P>(items::<T, P>(x), &mut dst[block * BLOCK * T..]);
            }
        }
    };
}
pub(crate) use unshuffle_blocks;
