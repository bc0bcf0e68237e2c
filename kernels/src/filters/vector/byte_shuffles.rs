//! The byte shuffles of a level around its kernels: tails, small blocks, reports, tiles.

/// The byte shuffles of a level, and its scan of bytes: the same text for each, around the kernels
/// of its folder.
///
/// They serve blocks of items; fewer items are left to the next lower level. `$half` is a function
/// for half a block of 16 bytes.
macro_rules! byte_shuffles {
    ($level:ident $(, $half:ident)?) => {
        fn repeated_byte(self, src: &[u8]) -> Option<u8> {
            if src.len() < $level::BLOCK {
                return self.lower().repeated_byte(src);
            }
            let byte = *src.first()?;
            let run = with_proof!(self, $level::repeat::is_run(byte, src));
            run.then_some(byte)
        }

        #[inline(always)]
        fn shuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            if !self.shuffle_small(typesize, src, dst) {
                self.shuffle_any(typesize, src, dst);
            }
        }

        #[inline(always)]
        fn shuffle_small(self, typesize: usize, src: &[u8], dst: &mut [u8]) -> bool {
            use $crate::filters::vector::byte_shuffles::is_exact;

            if is_exact(src.len(), typesize, $level::BLOCK)
                && !self.lower_is_faster($crate::kernel::Kernel::Shuffle, typesize, src.len())
            {
                match typesize {
                    2 => with_proof!(self, $level::shuffle::exact_2(src, dst)),
                    4 => with_proof!(self, $level::shuffle::exact::<4>(src, dst)),
                    8 => with_proof!(self, $level::shuffle::exact::<8>(src, dst)),
                    _ => with_proof!(self, $level::shuffle::exact_16(src, dst)),
                }
                return true;
            }
            $(
                if typesize == 16 && src.len() == $level::BLOCK * 8 {
                    with_proof!(self, $level::shuffle::$half(src, dst));
                    return true;
                }
            )?
            self.lower().shuffle_small(typesize, src, dst)
        }

        #[inline(never)]
        fn shuffle_any(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            if typesize < 2
                || src.len() < $level::BLOCK * typesize
                || self.lower_is_faster($crate::kernel::Kernel::Shuffle, typesize, src.len())
            {
                return self.lower().shuffle_any(typesize, src, dst);
            }
            let n = $crate::filters::contract::items(src.len(), typesize);
            let whole = n * typesize;
            let (src, tail) = src.split_at(whole);
            let (dst, dst_tail) = dst.split_at_mut(whole);
            if !tail.is_empty() {
                dst_tail.copy_from_slice(tail);
            }
            if $crate::filters::vector::tiles::pays(typesize, whole)
                && !$level::shuffle::direct(typesize, whole)
            {
                $crate::filters::vector::tiles::shuffle(typesize, src, dst, |src, dst| {
                    let report = None;
                    with_proof!(self, $level::shuffle::shuffle(typesize, src, dst, report));
                });
            } else {
                let report = None;
                with_proof!(self, $level::shuffle::shuffle(typesize, src, dst, report));
            }
        }

        fn shuffle_bytedelta(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            if src.len() < $level::BLOCK * typesize {
                return self.lower().shuffle_bytedelta(typesize, src, dst);
            }
            if !matches!(typesize, 2 | 4 | 8) {
                use $crate::filters::scalar::bytedelta::differences;

                return $crate::filters::fused::shuffle_bytedelta(
                    self,
                    typesize,
                    src,
                    dst,
                    differences,
                );
            }
            let whole = $crate::filters::contract::items(src.len(), typesize) * typesize;
            let (src, tail) = src.split_at(whole);
            let (dst, dst_tail) = dst.split_at_mut(whole);
            dst_tail.copy_from_slice(tail);
            match typesize {
                2 => with_proof!(self, $level::shuffle::differences::<2>(src, dst)),
                4 => with_proof!(self, $level::shuffle::differences::<4>(src, dst)),
                _ => with_proof!(self, $level::shuffle::differences::<8>(src, dst)),
            }
        }

        fn unshuffle_bytedelta_planes(
            self,
            planes: &[$crate::filters::plane::Plane<'_>],
            tail: &[u8],
            dst: &mut [u8],
        ) {
            use $crate::filters::vector::delta::Xor as _;

            $crate::filters::fused::unshuffle_bytedelta(self, planes, tail, dst, |items| {
                self.item_sums(planes.len(), items);
            });
        }

        fn shuffle_report(
            self,
            typesize: usize,
            src: &[u8],
            dst: &mut [u8],
            constants: &mut [Option<u8>],
        ) {
            if self.lower_is_faster($crate::kernel::Kernel::Shuffle, typesize, src.len()) {
                return self.lower().shuffle_report(typesize, src, dst, constants);
            }
            let whole = src.len() - src.len() % typesize;
            if !(2..=16).contains(&typesize) || whole / typesize < $level::BLOCK {
                self.shuffle(typesize, src, dst);
                // Most planes differ in their first bytes; only constant ones are read in full.
                return $crate::filters::scalar::repeat::constants_by(
                    typesize,
                    dst,
                    constants,
                    |plane| self.repeated_byte(plane),
                );
            }
            let (src, tail) = src.split_at(whole);
            let (dst, dst_tail) = dst.split_at_mut(whole);
            dst_tail.copy_from_slice(tail);
            let mut differs = [0; 16];
            let report = Some($crate::filters::vector::blocks::Report {
                item: &src[..typesize],
                differs: &mut differs[..typesize],
            });
            with_proof!(self, $level::shuffle::shuffle(typesize, src, dst, report));
            for ((constant, byte), differs) in constants.iter_mut().zip(src).zip(differs) {
                *constant = (differs == 0).then_some(*byte);
            }
        }

        #[inline(always)]
        fn unshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            if !self.unshuffle_small(typesize, src, dst) {
                self.unshuffle_any(typesize, src, dst);
            }
        }

        #[inline(always)]
        fn unshuffle_small(self, typesize: usize, src: &[u8], dst: &mut [u8]) -> bool {
            use $crate::filters::vector::byte_shuffles::is_exact;

            if is_exact(src.len(), typesize, $level::BLOCK) {
                match typesize {
                    2 => with_proof!(self, $level::unshuffle::exact_2(src, dst)),
                    4 => with_proof!(self, $level::unshuffle::exact::<4>(src, dst)),
                    8 => with_proof!(self, $level::unshuffle::exact::<8>(src, dst)),
                    _ => with_proof!(self, $level::unshuffle::exact::<16>(src, dst)),
                }
                return true;
            }
            self.lower().unshuffle_small(typesize, src, dst)
        }

        #[inline(never)]
        fn unshuffle_any(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            if typesize < 2
                || src.len() < $level::BLOCK * typesize
                // A measured exception, see the level.
                || self.lower_is_faster($crate::kernel::Kernel::Unshuffle, typesize, src.len())
            {
                return self.lower().unshuffle_any(typesize, src, dst);
            }
            let n = $crate::filters::contract::items(src.len(), typesize);
            let whole = n * typesize;
            let (src, tail) = src.split_at(whole);
            let (dst, dst_tail) = dst.split_at_mut(whole);
            if !tail.is_empty() {
                dst_tail.copy_from_slice(tail);
            }
            if $crate::filters::vector::tiles::unshuffle_pays(typesize, src.len()) {
                let level = self;
                $crate::filters::vector::tiles::unshuffle(typesize, src, dst, |src, dst| {
                    level.unshuffle(typesize, src, dst);
                });
                return;
            }
            if typesize <= 16 {
                let rows = $crate::filters::vector::window::Adjacent::of(src, typesize, n);
                with_proof!(self, $level::unshuffle::unshuffle(typesize, rows, dst));
                return;
            }
            $crate::filters::vector::byte_shuffles::for_each_piece(
                typesize,
                n,
                $level::BLOCK,
                $level::unshuffle::PIECE,
                |first, count, at| {
                    let rows = $crate::filters::vector::window::Adjacent::new(
                        &src[at * n..][..$level::unshuffle::PIECE.min(typesize) * n],
                        $level::unshuffle::PIECE.min(typesize),
                    );
                    let items = &mut dst[first * typesize..][..count * typesize];
                    with_proof!(
                        self,
                        $level::unshuffle::unshuffle_pieces(rows, first, count, at, items)
                    );
                },
            );
        }

        #[inline(always)]
        fn unshuffle_planes(
            self,
            planes: &[$crate::filters::plane::Plane<'_>],
            tail: &[u8],
            dst: &mut [u8],
        ) {
            if !self.unshuffle_planes_small(planes, dst) {
                self.unshuffle_planes_any(planes, tail, dst);
            }
        }

        #[inline(always)]
        fn unshuffle_planes_small(
            self,
            planes: &[$crate::filters::plane::Plane<'_>],
            dst: &mut [u8],
        ) -> bool {
            use $crate::filters::vector::byte_shuffles::is_exact;

            if is_exact(dst.len(), planes.len(), $level::BLOCK) {
                return match planes.len() {
                    2 => with_proof!(self, $level::unshuffle::exact_planes::<2>(planes, dst)),
                    4 => with_proof!(self, $level::unshuffle::exact_planes::<4>(planes, dst)),
                    8 => with_proof!(self, $level::unshuffle::exact_planes::<8>(planes, dst)),
                    _ => with_proof!(self, $level::unshuffle::exact_planes::<16>(planes, dst)),
                };
            }
            self.lower().unshuffle_planes_small(planes, dst)
        }

        #[inline(never)]
        fn unshuffle_planes_any(
            self,
            planes: &[$crate::filters::plane::Plane<'_>],
            tail: &[u8],
            dst: &mut [u8],
        ) {
            use $crate::filters::vector::window::Scattered;

            let typesize = planes.len();
            let n = $crate::filters::contract::items(dst.len(), typesize);
            if typesize < 2 || n < $level::BLOCK {
                return self.lower().unshuffle_planes_any(planes, tail, dst);
            }
            let (dst, dst_tail) = dst.split_at_mut(n * typesize);
            if !tail.is_empty() {
                dst_tail.copy_from_slice(tail);
            }
            if typesize <= 16 {
                let mut rows = Scattered::<16>::new();
                let rows = rows.set(planes, n);
                // Constant planes need a mask per load; blocks without them have their own code.
                match rows.varied() {
                    Some(rows) => {
                        with_proof!(self, $level::unshuffle::unshuffle(typesize, rows, dst))
                    }
                    None => with_proof!(self, $level::unshuffle::unshuffle(typesize, rows, dst)),
                }
                return;
            }
            let mut rows = Scattered::<{ $level::unshuffle::PIECE }>::new();
            $crate::filters::vector::byte_shuffles::for_each_piece(
                typesize,
                n,
                $level::BLOCK,
                $level::unshuffle::PIECE,
                |first, count, at| {
                    let rows = rows.set(&planes[at..], n);
                    let items = &mut dst[first * typesize..][..count * typesize];
                    with_proof!(
                        self,
                        $level::unshuffle::unshuffle_pieces(rows, first, count, at, items)
                    );
                },
            );
        }
    };
}
pub(crate) use byte_shuffles;

/// Blocks of up to this many bytes take the short way.
const SMALL: usize = 4096;

/// Whether `len` bytes take the short way: whole blocks of `block` items, and few of them.
///
/// There a call takes about as long as a division by the typesize.
#[inline(always)]
pub(crate) const fn is_exact(len: usize, typesize: usize, block: usize) -> bool {
    matches!(typesize, 2 | 4 | 8 | 16)
        && 0 < len
        && len <= SMALL
        && len & (typesize * block - 1) == 0
}

/// Cuts `n` items of more than 16 bytes into tiles of at least `block` items and these into pieces.
///
/// `piece` is called with the tile's first item, its items, and the offset of its `width` bytes in
/// each item; the last piece of an item overlaps the one before, and one piece is enough for items
/// that are not wider. A tile of 16 KiB stays in the L1 cache until all its pieces are written.
#[inline]
pub(crate) fn for_each_piece(
    typesize: usize,
    n: usize,
    block: usize,
    width: usize,
    mut piece: impl FnMut(usize, usize, usize),
) {
    // Whole blocks: then all of them but the last one have the same offset in a line.
    let tile = (16_384 / typesize / block * block).max(block);
    let mut next = 0;
    while next < n {
        let first = next.min(n - block);
        let count = tile.min(n - first);
        for at in (0..(typesize + 1).saturating_sub(width)).step_by(width) {
            piece(first, count, at);
        }
        if !typesize.is_multiple_of(width) {
            piece(first, count, typesize.saturating_sub(width));
        }
        next = first + count;
    }
}
