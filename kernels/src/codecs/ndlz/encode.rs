//! From the block to the stream.

use alloc::boxed::Box;

use super::layout::{HEADER_LEN, NDIM, Side};
use super::tokens::{CONSTANT, LITERAL, patterns};
use crate::codecs::boxed::zeroed;

/// Entries of the table.
const TABLE_LEN: usize = 1 << TABLE_BITS;
const TABLE_BITS: u32 = 13;
/// The farthest match.
const MAX_DISTANCE: usize = 65_535;

/// Finds rows in what it has written, and keeps its table from block to block.
pub struct Encoder {
    /// The last position in literals of bytes with this hash; 0 for none.
    table: Box<[u32; TABLE_LEN]>,
}

impl core::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes the stream; `None` once the output is full.
struct Output<'a> {
    dst: &'a mut [u8],
    at: usize,
}

impl Output<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        let to = self.dst.get_mut(self.at..)?.get_mut(..bytes.len())?;
        to.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }
}

/// The table entry for some rows.
fn slot<const S: usize>(rows: &[[u8; S]]) -> usize {
    let words = rows.as_flattened().as_chunks().0.iter();
    let hash = words.fold(rows.len() as u64, |hash, word| {
        (hash ^ u64::from(u32::from_le_bytes(*word)))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    });
    usize::try_from(hash >> (64 - TABLE_BITS)).unwrap_or(0)
}

impl Encoder {
    /// An encoder.
    #[must_use]
    pub fn new() -> Self {
        Self { table: zeroed() }
    }

    /// Encodes a block of `shape` bytes, rows and columns, with cells of this side into the front
    /// of `dst`, and returns the length of the stream. `None` when it does not fit, or the shape is
    /// not that of `src`.
    pub fn encode(
        &mut self,
        side: Side,
        shape: [usize; 2],
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        if shape[0].checked_mul(shape[1]) != Some(src.len()) {
            return None;
        }
        self.table.fill(0);
        let mut out = Output { dst, at: 0 };
        out.put(&[NDIM])?;
        for len in shape {
            out.put(&i32::try_from(len).ok()?.to_le_bytes())?;
        }
        debug_assert_eq!(out.at, HEADER_LEN);
        match side {
            Side::Four => self.cells::<4>(shape[1], src, &mut out)?,
            Side::Eight => self.cells::<8>(shape[1], src, &mut out)?,
        }
        Some(out.at)
    }

    fn cells<const S: usize>(
        &mut self,
        ncols: usize,
        src: &[u8],
        out: &mut Output<'_>,
    ) -> Option<()> {
        if src.is_empty() {
            return Some(());
        }
        for band in src.chunks(S * ncols) {
            for first in (0..ncols).step_by(S) {
                let width = S.min(ncols - first);
                let rows = band
                    .chunks_exact(ncols)
                    .map(|row| &row[first..first + width]);
                if width < S || band.len() < S * ncols {
                    out.put(&[LITERAL])?;
                    for row in rows {
                        out.put(row)?;
                    }
                    continue;
                }
                let mut cell = [[0; S]; S];
                for (to, row) in cell.iter_mut().zip(rows) {
                    to.copy_from_slice(row);
                }
                self.cell(&cell, out)?;
            }
        }
        Some(())
    }

    /// A whole cell.
    fn cell<const S: usize>(&mut self, cell: &[[u8; S]; S], out: &mut Output<'_>) -> Option<()> {
        let token_at = out.at;
        let value = cell[0][0];
        if cell.as_flattened().iter().all(|&byte| byte == value) {
            return out.put(&[CONSTANT, value]);
        }
        for pattern in patterns(S) {
            let [first, second] = pattern.matches;
            let Some(distance) = self.find(cell, first, out) else {
                continue;
            };
            let further = if second.is_empty() {
                None
            } else {
                let Some(distance) = self.find(cell, second, out) else {
                    continue;
                };
                Some(distance)
            };
            out.put(&[pattern.token])?;
            for distance in [Some(distance), further].into_iter().flatten() {
                out.put(&distance.to_le_bytes())?;
            }
            let literals_at = out.at;
            let mut literals = 0;
            for (index, row) in cell.iter().enumerate() {
                if !first.contains(&index) && !second.contains(&index) {
                    out.put(row)?;
                    literals += 1;
                }
            }
            self.remember::<S>(out, literals_at, literals);
            return Some(());
        }
        out.put(&[LITERAL])?;
        out.put(cell.as_flattened())?;
        self.remember::<S>(out, token_at + 1, S);
        Some(())
    }

    /// The distance back to these rows of a cell.
    fn find<const S: usize>(
        &self,
        cell: &[[u8; S]; S],
        rows: &[usize],
        out: &Output<'_>,
    ) -> Option<u16> {
        let mut wanted = [[0; S]; S];
        for (to, &row) in wanted.iter_mut().zip(rows) {
            *to = cell[row];
        }
        let wanted = &wanted[..rows.len()];
        let at = self.table[slot(wanted)] as usize;
        let distance = out.at - at;
        if at == 0 || distance > MAX_DISTANCE {
            return None;
        }
        let bytes = wanted.as_flattened();
        if out.dst[at..out.at].get(..bytes.len()) != Some(bytes) {
            return None;
        }
        u16::try_from(distance).ok()
    }

    /// Enters `count` rows of literals at `at`: all of them, and all runs of two and three.
    fn remember<const S: usize>(&mut self, out: &Output<'_>, at: usize, count: usize) {
        let literals = out.dst[at..].as_chunks().0;
        let literals: &[[u8; S]] = &literals[..count];
        for len in [2, 3, S] {
            for (row, run) in literals.windows(len).enumerate() {
                // Streams are shorter than blocks, whose lengths fit.
                self.table[slot(run)] = u32::try_from(at + row * S).unwrap_or(0);
            }
        }
    }
}
