//! The loops around the networks, once for all x86 levels.
//!
//! A block is as many items as a vector has bytes, so that every plane gets one whole vector. The
//! last block overlaps the one before it: from one block up there is no remainder. Items of more
//! than 16 bytes are cut into pieces of 16, the last piece overlapping too.
//!
//! Loads and stores of items whose size is no power of two reach behind the items they are for.
//! Blocks for which that would leave the slice go through a padded copy.

/// What shuffle learns about the planes on its way: where items differ from the first one.
#[derive(Debug)]
pub(crate) struct Spread<'a> {
    /// The first item.
    pub(crate) item: &'a [u8],
    /// Per byte of the item, nonzero when some item has another one.
    pub(crate) differs: &'a mut [u8],
}

impl Spread<'_> {
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
/// (transpose it, plane `j` into vector `j`) and `differ` (`seen | (a ^ b)`); for larger items
/// `gather_pieces`, which loads 16 bytes of each item of a block.
macro_rules! shuffle_blocks {
    ($feature:literal, $vector:ident, $zero:ident, $bytes:literal, $span:literal, $([$t:literal $p:literal])+) => {
        /// Items per block.
        pub(crate) const BLOCK: usize = $bytes;

        /// Shuffles whole items, at least [`BLOCK`] of them and of 2 bytes or more.
        ///
        /// `spread` is kept for items of up to 16 bytes.
        #[target_feature(enable = $feature)]
        pub(crate) fn shuffle(
            typesize: usize,
            src: &[u8],
            dst: &mut [u8],
            spread: Option<Spread<'_>>,
        ) {
            match typesize {
                $($t => blocks::<$t, $p>(src, dst, spread),)+
                _ => pieces(typesize, src, dst),
            }
        }

        /// All blocks of items of `T` bytes.
        #[target_feature(enable = $feature)]
        fn blocks<const T: usize, const P: usize>(
            src: &[u8],
            dst: &mut [u8],
            mut spread: Option<Spread<'_>>,
        ) {
            let n = src.len() / T;
            let reach = $span - $span / P * T;
            let whole = (src.len() - reach) / (BLOCK * T);
            if whole > 0 && spread.is_some() {
                run::<T, P, true>(src, 0, whole, dst, spread.as_mut());
            } else if whole > 0 {
                run::<T, P, false>(src, 0, whole, dst, None);
            }
            let mut next = whole * BLOCK;
            while next < n {
                let first = next.min(n - BLOCK);
                let mut padded = [0; BLOCK * 16 + 64];
                padded[..BLOCK * T].copy_from_slice(&src[first * T..][..BLOCK * T]);
                run::<T, P, true>(&padded, first, 1, dst, spread.as_mut());
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
            spread: Option<&mut Spread<'_>>,
        ) {
            let mut rows = RowsMut::new(dst, T);
            let head = gather::<T, P>(src)[0];
            // Four sums: a single one would be as slow as its chain of additions.
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
            if let Some(spread) = spread {
                let mut all = seen[0];
                for x in &seen[1..] {
                    // What any vector saw: the second comparison is with nothing.
                    all = differ(all, *x, $zero());
                }
                let (mut seen_bytes, mut head_bytes) = ([0; $bytes], [0; $bytes]);
                store(all, &mut seen_bytes);
                store(head, &mut head_bytes);
                Spread::note::<T, P, $span>(spread, &seen_bytes, &head_bytes);
            }
        }

        /// All blocks of items of more than 16 bytes, piece by piece.
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
                let at = typesize - 16;
                let dst = &mut dst[(typesize - left) * n..];
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
                next += BLOCK;
            }
        }

        /// The last `R` of the 16 bytes from `at` on of a block of items, into `R` planes.
        #[target_feature(enable = $feature)]
        #[inline(never)]
        fn piece<const R: usize>(items: &[u8], at: usize, first: usize, dst: &mut [u8]) {
            let x = transpose::<16, 1>(gather_pieces(Adjacent::new(items, BLOCK), at));
            let mut rows = RowsMut::new(dst, R);
            unrolled!(J => if J < R {
                store(x[16 - R + J], rows.row(J, first));
            });
        }
    };
}
pub(crate) use shuffle_blocks;

/// Defines `unshuffle` for one level out of its parts.
///
/// For items of `T` bytes in `P` vectors the caller has `items` (transpose one vector per plane
/// back) and `scatter` (store a block of items); for larger items `scatter_pieces`, which stores
/// 16 bytes of each item of a block.
macro_rules! unshuffle_blocks {
    ($feature:literal, $vector:ident, $zero:ident, $bytes:literal, $span:literal, $([$t:literal $p:literal])+) => {
        /// Unshuffles whole items, at least [`BLOCK`] of them, of 2 to 16 bytes.
        #[target_feature(enable = $feature)]
        pub(crate) fn unshuffle<R: Rows>(typesize: usize, rows: R, dst: &mut [u8]) {
            match typesize {
                $($t => blocks::<R, $t, $p>(rows, dst),)+
                _ => unreachable!("larger items go piece by piece"),
            }
        }

        /// All blocks of items of `T` bytes.
        #[target_feature(enable = $feature)]
        fn blocks<R: Rows, const T: usize, const P: usize>(rows: R, dst: &mut [u8]) {
            let n = dst.len() / T;
            let reach = $span - $span / P * T;
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
pub(crate) use unshuffle_blocks;
