//! Bitshuffle for the vector levels, around the bit transposes that each level has.
//!
//! A column is one byte of each bit row: the same bit of eight items. The byte shuffle treats these
//! eight as one item of eight times as many bytes, so that in a tile their bytes have the same
//! offset in eight planes. Bits then move vertically between eight registers (see
//! [`across`](super::across)), and no interleaving is needed. All runs tile by tile, so that
//! intermediate bytes stay in the first-level cache:
//!
//! ```text
//! src  --shuffle by 8 * typesize-->  tile  plane typesize * i + j: byte j of item i of all columns
//!      --8x8 bits, columns------->  dst   row 8 * j + k: bit k of byte j
//! ```
//!
//! AVX-512 has another transpose for most sizes, which expects the eight bytes adjacent: there the
//! tile has `typesize` planes.
//!
//! The last tile overlaps the one before it: every byte is a function of the source, so writing it
//! twice is harmless, and no remainder is left once there is a tile.

use crate::filters::contract::items;
use crate::filters::level::Level;
use crate::filters::plane::Plane;
use crate::filters::scalar::bitshuffle as scalar;
use crate::filters::vector::blocks::{LONG, before_line};
use crate::filters::vector::scratch::Scratch;

/// The largest tile in bytes.
pub(crate) const TILE: usize = 32 << 10;

/// Blocks up to this size fit in the first-level cache, together with a tile of [`SMALL_TILE`].
const SMALL_BLOCK: usize = 48 << 10;

/// The bytes of a tile for small blocks.
const SMALL_TILE: usize = 16 << 10;

/// The lines of a tile that suits the block are a constant in `$run`.
///
/// The tile itself is on the stack of a function that is not inlined: a call that needs none would
/// touch all of its pages.
macro_rules! with_lines {
    ($level:ty, $typesize:expr, $len:expr, $lines:ident => $run:expr) => {{
        if $typesize == 1 {
            const $lines: usize = 0;
            $run
        } else if $len > SMALL_BLOCK || 8 * $typesize * <$level>::STEP > SMALL_TILE {
            const $lines: usize = TILE / 64;
            $run
        } else {
            const $lines: usize = SMALL_TILE / 64;
            $run
        }
    }};
}

/// A level's transposition of bits between a plane of a tile and its eight rows.
pub(crate) trait BitTranspose: Level {
    /// The columns of one step.
    const STEP: usize;

    /// The narrowest window in columns: a step, or half of one.
    const LEAST: usize = Self::STEP;

    /// Whether bits are to move between the planes of eight items ([`Self::tile_to_rows`]), or
    /// inside the planes of single ones ([`Self::plane_to_rows`]).
    fn across(_typesize: usize) -> bool {
        true
    }

    /// A tile, `8 * typesize` planes of `width` bytes, into columns of all rows of `dst` from
    /// `first` on: byte `j` of item `i` of every group is plane `typesize * i + j`.
    ///
    /// The width is a multiple of `STEP`, or `LEAST`.
    fn tile_to_rows(self, tile: &[u8], typesize: usize, width: usize, dst: &mut [u8], first: usize);

    /// Columns of all rows from `first` on to a tile; `rows(j)` is the eight rows of byte `j`.
    fn rows_to_tile<'a>(
        self,
        rows: impl Fn(usize) -> Plane<'a>,
        first: usize,
        tile: &mut [u8],
        typesize: usize,
        width: usize,
    );

    /// Items of one byte, a multiple of `8 * STEP`, into columns of `rows` from `first` on.
    fn plane_to_rows(self, plane: &[u8], rows: &mut [u8], first: usize);

    /// Columns of `rows` from `first` on into items of one byte.
    fn rows_to_plane(self, rows: &[u8], first: usize, plane: &mut [u8]);

    /// Turns whole groups, at least `STEP` of them, into rows in a loop of the level's own; `false`
    /// when it has none for this size.
    fn blocks_to_rows(self, _typesize: usize, _src: &[u8], _dst: &mut [u8]) -> bool {
        false
    }

    /// The inverse of [`Self::blocks_to_rows`]; `rows(j)` is the eight rows of byte `j`.
    fn blocks_from_rows<'a>(
        self,
        _typesize: usize,
        _rows: impl Fn(usize) -> Plane<'a>,
        _dst: &mut [u8],
    ) -> bool {
        false
    }

    /// Turns fewer than `STEP` groups of items into rows; `false` when this is left to the lower
    /// level.
    fn few_to_rows(self, _typesize: usize, _groups: usize, _src: &[u8], _dst: &mut [u8]) -> bool {
        false
    }

    /// The inverse of [`Self::few_to_rows`]; `rows(j)` is the eight rows of byte `j`.
    fn few_from_rows<'a>(
        self,
        _typesize: usize,
        _groups: usize,
        _rows: impl Fn(usize) -> Plane<'a>,
        _dst: &mut [u8],
    ) -> bool {
        false
    }
}

/// Whether a tile of the least size fits.
pub(crate) const fn fits(typesize: usize, step: usize) -> bool {
    8 * typesize * step <= TILE
}

/// The columns of a tile: the largest multiple of the step that fits.
fn columns(typesize: usize, step: usize, groups: usize, tile: usize) -> usize {
    let most = (tile / (8 * typesize)).max(step);
    most.min(groups) / step * step
}

/// The windows of `width` columns that cover `groups`, as first columns and widths.
///
/// The last one has as many steps as are left, or half of one, and starts early enough to be whole.
/// The first one ends at `skipped` or after it, where the next one begins; 0 is no such column.
fn windows<L: BitTranspose>(
    typesize: usize,
    groups: usize,
    width: usize,
    skipped: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let covering = skipped.next_multiple_of(L::STEP);
    let front = (0 < skipped && covering <= width).then_some((0, covering));
    let least = if L::across(typesize) {
        L::LEAST
    } else {
        L::STEP
    };
    let mut next = if front.is_some() { skipped } else { 0 };
    let rest = core::iter::from_fn(move || {
        let left = groups.checked_sub(next).filter(|left| *left > 0)?;
        let rest = left.next_multiple_of(least);
        let width = if left >= width {
            width
        } else if rest < L::STEP {
            rest
        } else {
            rest / L::STEP * L::STEP
        };
        let first = next.min(groups - width);
        next += width;
        Some((first, width))
    });
    front.into_iter().chain(rest)
}

/// Bitshuffle on a level that has the kernel for this typesize.
#[inline]
pub(crate) fn bitshuffle<L: BitTranspose<Lower: Level>>(
    level: L,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    let groups = items(src.len(), typesize) / 8;
    if groups < L::STEP || !fits(typesize, L::STEP) {
        let covered = groups * 8 * typesize;
        if groups < L::STEP
            && level.few_to_rows(typesize, groups, &src[..covered], &mut dst[..covered])
        {
            dst[covered..].copy_from_slice(&src[covered..]);
            return;
        }
        return level.lower().bitshuffle(typesize, src, dst);
    }
    let covered = groups * 8 * typesize;
    dst[covered..].copy_from_slice(&src[covered..]);
    let (src, dst) = (&src[..covered], &mut dst[..covered]);
    if level.blocks_to_rows(typesize, src, dst) {
        return;
    }
    with_lines!(L, typesize, covered, LINES => encode::<L, LINES>(level, typesize, src, dst));
}

#[inline(never)]
fn encode<L: BitTranspose, const LINES: usize>(
    level: L,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    let mut tile = Scratch::<LINES>::new();
    let tile = tile.bytes();
    let groups = src.len() / typesize / 8;
    let width = columns(
        typesize,
        L::STEP,
        groups,
        tile.len().max(TILE * usize::from(tile.is_empty())),
    );
    let mut skipped = 0;
    if src.len() > LONG {
        skipped = before_line(dst, 1, groups);
    }
    for (first, width) in windows::<L>(typesize, groups, width, skipped) {
        let items = &src[first * 8 * typesize..][..width * 8 * typesize];
        if typesize == 1 {
            level.plane_to_rows(items, dst, first);
            continue;
        }
        let tile = &mut tile[..items.len()];
        if !L::across(typesize) {
            level.shuffle(typesize, items, tile);
            let planes = tile.chunks_exact(8 * width);
            for (plane, rows) in planes.zip(dst.chunks_exact_mut(8 * groups)) {
                level.plane_to_rows(plane, rows, first);
            }
            continue;
        }
        level.shuffle(8 * typesize, items, tile);
        level.tile_to_rows(tile, typesize, width, dst, first);
    }
}

/// Bitunshuffle on a level that has the kernel for this typesize.
#[inline]
pub(crate) fn bitunshuffle<L: BitTranspose<Lower: Level>>(
    level: L,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    let groups = items(src.len(), typesize) / 8;
    let covered = groups * 8 * typesize;
    let rows = |j: usize| Plane::Bytes(&src[8 * groups * j..8 * groups * (j + 1)]);
    if groups < L::STEP || !fits(typesize, L::STEP) {
        if groups < L::STEP && level.few_from_rows(typesize, groups, rows, &mut dst[..covered]) {
            dst[covered..].copy_from_slice(&src[covered..]);
            return;
        }
        return level.lower().bitunshuffle(typesize, src, dst);
    }
    dst[covered..].copy_from_slice(&src[covered..]);
    decode(level, typesize, rows, &mut dst[..covered]);
}

/// Bitunshuffle from separate planes.
///
/// With a multiple of eight items a plane is the eight rows of one byte. With other counts rows
/// cross planes, and the scalar level collects the bytes.
#[inline]
pub(crate) fn bitunshuffle_planes<L: BitTranspose<Lower: Level>>(
    level: L,
    planes: &[Plane<'_>],
    tail: &[u8],
    dst: &mut [u8],
) {
    let typesize = planes.len();
    let items = items(dst.len(), typesize);
    if !items.is_multiple_of(8) {
        return scalar::bitunshuffle_planes_from(planes, 0, tail, dst);
    }
    let groups = items / 8;
    if groups < L::STEP || !fits(typesize, L::STEP) {
        let covered = items * typesize;
        if groups < L::STEP
            && level.few_from_rows(typesize, groups, |j| planes[j], &mut dst[..covered])
        {
            dst[covered..].copy_from_slice(tail);
            return;
        }
        return level.lower().bitunshuffle_planes(planes, tail, dst);
    }
    let (dst, dst_tail) = dst.split_at_mut(items * typesize);
    dst_tail.copy_from_slice(tail);
    decode(level, typesize, |j| planes[j], dst);
}

#[inline]
fn decode<'a, L: BitTranspose>(
    level: L,
    typesize: usize,
    rows: impl Fn(usize) -> Plane<'a>,
    dst: &mut [u8],
) {
    if level.blocks_from_rows(typesize, &rows, dst) {
        return;
    }
    with_lines!(L, typesize, dst.len(), LINES => {
        decode_tiled::<L, LINES>(level, typesize, rows, dst);
    });
}

#[inline(never)]
fn decode_tiled<'a, L: BitTranspose, const LINES: usize>(
    level: L,
    typesize: usize,
    rows: impl Fn(usize) -> Plane<'a>,
    dst: &mut [u8],
) {
    let mut tile = Scratch::<LINES>::new();
    let tile = tile.bytes();
    let groups = dst.len() / typesize / 8;
    let width = columns(typesize, L::STEP, groups, tile.len());
    for (first, width) in windows::<L>(typesize, groups, width, 0) {
        let items = &mut dst[first * 8 * typesize..][..width * 8 * typesize];
        let plane_from = |j: usize, plane: &mut [u8]| match rows(j) {
            Plane::Bytes(rows) => level.rows_to_plane(rows, first, plane),
            Plane::Constant(byte) => expand_constant(byte, plane),
        };
        if typesize == 1 {
            plane_from(0, items);
            continue;
        }
        let tile = &mut tile[..items.len()];
        if !L::across(typesize) {
            for (j, plane) in tile.chunks_exact_mut(8 * width).enumerate() {
                plane_from(j, plane);
            }
            level.unshuffle(typesize, tile, items);
            continue;
        }
        level.rows_to_tile(&rows, first, tile, typesize, width);
        level.unshuffle(8 * typesize, tile, items);
    }
}

/// The transpose of eight constant rows: item `i` of every group.
pub(crate) fn expand_constant(byte: u8, plane: &mut [u8]) {
    let group = core::array::from_fn(|i| bit_mask(byte, i));
    for to in plane.as_chunks_mut::<8>().0 {
        *to = group;
    }
}

/// All ones where bit `i` of the byte is set, all zeros otherwise.
pub(crate) const fn bit_mask(byte: u8, i: usize) -> u8 {
    if byte >> i & 1 == 1 { 0xFF } else { 0 }
}

/// The bit transposes of a level, from the functions of its folder.
///
/// Half a step is left to the folder of the lower level, if one is named together with
/// [`BitTranspose::across`].
macro_rules! impl_bit_transpose {
    ($level:ident, $folder:ident, $step:literal
     $(, $half:ident, $least:literal, $across:expr)? $(; $($few:item)+)?) => {
        impl $crate::filters::vector::bits::BitTranspose for $level {
            const STEP: usize = $step;

            $(const LEAST: usize = $least;

            fn across(typesize: usize) -> bool {
                $across(typesize)
            })?

            #[inline]
            fn tile_to_rows(
                self,
                tile: &[u8],
                typesize: usize,
                width: usize,
                dst: &mut [u8],
                first: usize,
            ) {
                $(if width < $step {
                    return with_proof!(
                        self, $half::bits::tile_to_rows(tile, typesize, width, dst, first)
                    );
                })?
                with_proof!(self, $folder::bits::tile_to_rows(tile, typesize, width, dst, first))
            }

            #[inline]
            fn rows_to_tile<'a>(
                self,
                rows: impl Fn(usize) -> $crate::filters::plane::Plane<'a>,
                first: usize,
                tile: &mut [u8],
                typesize: usize,
                width: usize,
            ) {
                $(if width < $step {
                    return with_proof!(
                        self, $half::bits::rows_to_tile(rows, first, tile, typesize, width)
                    );
                })?
                with_proof!(self, $folder::bits::rows_to_tile(rows, first, tile, typesize, width))
            }

            #[inline]
            fn plane_to_rows(self, plane: &[u8], rows: &mut [u8], first: usize) {
                with_proof!(self, $folder::bits::plane_to_rows(plane, rows, first))
            }

            #[inline]
            fn rows_to_plane(self, rows: &[u8], first: usize, plane: &mut [u8]) {
                with_proof!(self, $folder::bits::rows_to_plane(rows, first, plane))
            }

            $($($few)+)?
        }
    };
}
pub(crate) use impl_bit_transpose;

/// The bit shuffles of a level, from its [`BitTranspose`].
macro_rules! bit_shuffles {
    () => {
        fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            $crate::filters::vector::bits::bitshuffle(self, typesize, src, dst);
        }

        fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            $crate::filters::vector::bits::bitunshuffle(self, typesize, src, dst);
        }

        fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
            $crate::filters::vector::bits::bitunshuffle_planes(self, planes, tail, dst);
        }
    };
}
pub(crate) use bit_shuffles;
