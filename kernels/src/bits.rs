//! Bitshuffle for the vector levels: which bytes meet where. The levels bring the bit transposes.
//!
//! A byte shuffle puts the bytes that share bit rows side by side; what is left is a transposition
//! of 8 by 8 bits. Both run tile by tile, so that the bytes in between stay in the first-level
//! cache:
//!
//! ```text
//! typesize planes of eight bytes per group          (a level that transposes within a register)
//!   src  --shuffle by typesize-->      tile   plane j = byte j of every item
//!        --8x8 bits, byte columns-->   dst    rows 8 * j + k, bit k of byte j
//!
//! 8 * typesize rows of one byte per group           (a level that transposes across registers)
//!   src  --shuffle by 8 * typesize-->  tile   row i * typesize + j = byte j of every eighth item
//!        --8x8 bits, column by column-->  dst
//! ```
//!
//! A group is eight items. The last tile overlaps the one before it: every byte is a function of
//! the source, so writing it twice is harmless, and no remainder is left once there is a tile.

use crate::Plane;
use crate::level::Level;
use crate::scalar::bitshuffle as scalar;

/// The most bytes of a tile.
const TILE: usize = 32 << 10;

/// Blocks up to this size fit in the first-level cache and take the smallest tile that serves,
/// which is the cheapest to clear.
const SMALL_BLOCK: usize = 48 << 10;

/// Calls `$run` with a tile that suits the block.
macro_rules! with_tile {
    ($level:ty, $typesize:expr, $len:expr, $tile:ident => $run:expr) => {{
        let least = 8 * $typesize * <$level>::STEP;
        if $len > SMALL_BLOCK || least > 16 << 10 {
            let $tile = &mut [0; TILE];
            $run
        } else if least > 8 << 10 {
            let $tile = &mut [0; 16 << 10];
            $run
        } else if least > 4 << 10 {
            let $tile = &mut [0; 8 << 10];
            $run
        } else {
            let $tile = &mut [0; 4 << 10];
            $run
        }
    }};
}

/// The eight bit rows of one byte of the items, and the window of columns at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// The first column.
    pub(crate) first: usize,
    /// The number of columns.
    pub(crate) groups: usize,
}

/// A level's transposition of bits, from and to the rows of a tile.
pub(crate) trait BitTranspose: Level {
    /// How many columns one step handles.
    const STEP: usize;

    /// How many items side by side the byte shuffle treats as one: 1 or 8.
    const ITEMS: usize;

    /// Bytes `j` of the items of a shuffled tile into columns of their eight rows of `rows.len() / 8`
    /// bytes each.
    fn rows_from_tile(
        self,
        typesize: usize,
        j: usize,
        tile: &[u8],
        rows: &mut [u8],
        window: Window,
    );

    /// Columns of eight rows into bytes `j` of the items of a shuffled tile.
    fn tile_from_rows(
        self,
        typesize: usize,
        j: usize,
        rows: Plane<'_>,
        tile: &mut [u8],
        window: Window,
    );
}

/// Whether a tile of the least size fits.
pub(crate) const fn fits(typesize: usize, step: usize) -> bool {
    8 * typesize * step <= TILE
}

/// How many columns a tile has: a multiple of the step, as many as fit.
fn columns(typesize: usize, step: usize, groups: usize, tile: usize) -> usize {
    let most = (tile / (8 * typesize)).max(step);
    most.min(groups) / step * step
}

/// The windows that cover `groups` columns, the last one moved back to be whole.
fn windows(groups: usize, width: usize) -> impl Iterator<Item = Window> {
    (0..groups.div_ceil(width)).map(move |i| Window {
        first: (i * width).min(groups - width),
        groups: width,
    })
}

/// Bitshuffle on a level that has the kernel for this typesize.
#[inline]
pub(crate) fn bitshuffle<L: BitTranspose<Lower: Level>>(
    level: L,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    let groups = src.len() / typesize / 8;
    if groups < L::STEP || !fits(typesize, L::STEP) {
        return level.lower().bitshuffle(typesize, src, dst);
    }
    let covered = groups * 8 * typesize;
    dst[covered..].copy_from_slice(&src[covered..]);
    let (src, dst) = (&src[..covered], &mut dst[..covered]);
    if L::ITEMS * typesize == 1 {
        return forward(level, typesize, src, dst, &mut []);
    }
    with_tile!(L, typesize, covered, tile => forward(level, typesize, src, dst, tile));
}

fn forward<L: BitTranspose>(
    level: L,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
    tile: &mut [u8],
) {
    let groups = src.len() / typesize / 8;
    let width = columns(
        typesize,
        L::STEP,
        groups,
        tile.len().max(TILE * usize::from(tile.is_empty())),
    );
    for window in windows(groups, width) {
        let items = &src[window.first * 8 * typesize..][..width * 8 * typesize];
        let shuffled = if L::ITEMS * typesize == 1 {
            items
        } else {
            let tile = &mut tile[..items.len()];
            level.shuffle(L::ITEMS * typesize, items, tile);
            &*tile
        };
        for (j, rows) in dst.chunks_exact_mut(8 * groups).enumerate() {
            level.rows_from_tile(typesize, j, shuffled, rows, window);
        }
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
    let groups = src.len() / typesize / 8;
    if groups < L::STEP || !fits(typesize, L::STEP) {
        return level.lower().bitunshuffle(typesize, src, dst);
    }
    let covered = groups * 8 * typesize;
    dst[covered..].copy_from_slice(&src[covered..]);
    let rows = |j: usize| Plane::Bytes(&src[8 * groups * j..8 * groups * (j + 1)]);
    backward(level, typesize, rows, &mut dst[..covered]);
}

/// Bitunshuffle from planes that lie anywhere.
///
/// With a multiple of eight items a plane is the eight rows of one byte; other counts let the
/// planes cut the rows anywhere, and the scalar level picks the bytes together.
#[inline]
pub(crate) fn bitunshuffle_planes<L: BitTranspose<Lower: Level>>(
    level: L,
    planes: &[Plane<'_>],
    tail: &[u8],
    dst: &mut [u8],
) {
    let typesize = planes.len();
    let items = dst.len() / typesize;
    if !items.is_multiple_of(8) {
        return scalar::bitunshuffle_planes_from(planes, 0, tail, dst);
    }
    if items / 8 < L::STEP || !fits(typesize, L::STEP) {
        return level.lower().bitunshuffle_planes(planes, tail, dst);
    }
    let (dst, dst_tail) = dst.split_at_mut(items * typesize);
    dst_tail.copy_from_slice(tail);
    backward(level, typesize, |j| planes[j], dst);
}

#[inline]
fn backward<'a, L: BitTranspose>(
    level: L,
    typesize: usize,
    rows: impl Fn(usize) -> Plane<'a>,
    dst: &mut [u8],
) {
    if L::ITEMS * typesize == 1 {
        return backward_tiled(level, typesize, rows, dst, &mut []);
    }
    with_tile!(L, typesize, dst.len(), tile => backward_tiled(level, typesize, rows, dst, tile));
}

fn backward_tiled<'a, L: BitTranspose>(
    level: L,
    typesize: usize,
    rows: impl Fn(usize) -> Plane<'a>,
    dst: &mut [u8],
    tile: &mut [u8],
) {
    let groups = dst.len() / typesize / 8;
    let width = columns(typesize, L::STEP, groups, tile.len());
    for window in windows(groups, width) {
        let items = &mut dst[window.first * 8 * typesize..][..width * 8 * typesize];
        if L::ITEMS * typesize == 1 {
            level.tile_from_rows(typesize, 0, rows(0), items, window);
            continue;
        }
        let tile = &mut tile[..items.len()];
        for j in 0..typesize {
            level.tile_from_rows(typesize, j, rows(j), tile, window);
        }
        level.unshuffle(L::ITEMS * typesize, tile, items);
    }
}

/// The window of each of the eight rows in `rows`.
#[inline]
pub(crate) fn split_rows(rows: &mut [u8], window: Window) -> [&mut [u8]; 8] {
    let len = rows.len() / 8;
    let mut rest = rows;
    core::array::from_fn(|_| {
        let (row, behind) = core::mem::take(&mut rest).split_at_mut(len);
        rest = behind;
        &mut row[window.first..window.first + window.groups]
    })
}

/// The window of each of the eight rows in `rows`, to read.
#[inline]
pub(crate) fn pick_rows(rows: &[u8], window: Window) -> [&[u8]; 8] {
    let len = rows.len() / 8;
    core::array::from_fn(|k| &rows[k * len + window.first..][..window.groups])
}

/// Rows `i * typesize + j` of a tile, for `i` from 0 to 7.
#[inline]
pub(crate) fn pick_tile(typesize: usize, j: usize, tile: &[u8], window: Window) -> [&[u8]; 8] {
    core::array::from_fn(|i| &tile[(i * typesize + j) * window.groups..][..window.groups])
}

/// Rows `i * typesize + j` of a tile, for `i` from 0 to 7, to write.
#[inline]
pub(crate) fn pick_tile_mut(
    typesize: usize,
    j: usize,
    tile: &mut [u8],
    window: Window,
) -> [&mut [u8]; 8] {
    let mut rest = tile;
    core::array::from_fn(|_| {
        let (row, behind) = core::mem::take(&mut rest).split_at_mut(typesize * window.groups);
        rest = behind;
        &mut row[j * window.groups..(j + 1) * window.groups]
    })
}

/// What eight rows of one byte are the transpose of: item `i` of every group is all ones where bit
/// `i` of the byte is set, all zeros otherwise.
#[inline]
pub(crate) fn expand_constant(byte: u8, items: &mut [&mut [u8]; 8]) {
    for (i, item) in items.iter_mut().enumerate() {
        item.fill(if byte >> i & 1 == 1 { 0xFF } else { 0 });
    }
}
