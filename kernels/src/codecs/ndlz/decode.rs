//! From the stream to the block.

use super::layout::{HEADER_LEN, NDIM, Side};
use super::tokens::{CONSTANT, LITERAL, patterns};
use crate::codecs::{DecodeError, DecodeErrorKind};

/// A position in the stream.
struct Input<'a> {
    src: &'a [u8],
    at: usize,
}

fn error(offset: usize, kind: DecodeErrorKind) -> DecodeError {
    DecodeError::new("ndlz", offset, kind)
}

fn invalid(offset: usize, reason: &'static str) -> DecodeError {
    error(offset, DecodeErrorKind::Invalid { reason })
}

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let rest = self.src.get(self.at..).unwrap_or_default();
        let Some(taken) = rest.get(..len) else {
            let available = rest.len();
            let needed = len;
            return Err(error(
                self.at,
                DecodeErrorKind::Truncated { needed, available },
            ));
        };
        self.at += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let taken = self.take(N)?;
        Ok(*taken.first_chunk().unwrap_or(&[0; N]))
    }

    /// One length of the shape.
    fn len(&mut self) -> Result<usize, DecodeError> {
        let at = self.at;
        let len = i32::from_le_bytes(self.array()?);
        usize::try_from(len).map_err(|_| invalid(at, "expected a length of 0 or more"))
    }

    /// The `len` bytes of a match, which ends before its token.
    fn matched(&mut self, token_at: usize, len: usize) -> Result<&'a [u8], DecodeError> {
        let at = self.at;
        let distance = usize::from(u16::from_le_bytes(self.array()?));
        let history = token_at - HEADER_LEN;
        if distance == 0 || distance > history {
            return Err(error(at, DecodeErrorKind::Distance { distance, history }));
        }
        let start = token_at - distance;
        if len > distance {
            return Err(invalid(at, "expected a match that ends before its token"));
        }
        Ok(&self.src[start..start + len])
    }
}

/// Decodes a block with cells of this side into `dst` and returns its length in bytes.
///
/// # Errors
/// When the stream is damaged, or `dst` is shorter than the block.
pub fn decode(side: Side, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    match side {
        Side::Four => decode_cells::<4>(src, dst),
        Side::Eight => decode_cells::<8>(src, dst),
    }
}

fn decode_cells<const S: usize>(src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    let mut input = Input { src, at: 0 };
    if input.array()? != [NDIM] {
        return Err(invalid(0, "expected 2 axes"));
    }
    let (nrows, ncols) = (input.len()?, input.len()?);
    let needed = nrows.saturating_mul(ncols);
    let available = dst.len();
    let Some(dst) = dst.get_mut(..needed) else {
        return Err(error(1, DecodeErrorKind::Overflow { needed, available }));
    };
    if needed > 0 {
        for band in dst.chunks_mut(S * ncols) {
            for first in (0..ncols).step_by(S) {
                let width = S.min(ncols - first);
                if width == S && band.len() == S * ncols {
                    let cell = decode_cell::<S>(&mut input)?;
                    for (row, from) in band.chunks_exact_mut(ncols).zip(&cell) {
                        row[first..first + S].copy_from_slice(from);
                    }
                } else {
                    let at = input.at;
                    if input.array()? != [LITERAL] {
                        return Err(invalid(at, "expected a literal for a cell at the edge"));
                    }
                    for row in band.chunks_exact_mut(ncols) {
                        row[first..first + width].copy_from_slice(input.take(width)?);
                    }
                }
            }
        }
    }
    if input.at != src.len() {
        return Err(invalid(input.at, "expected the end of the stream"));
    }
    Ok(needed)
}

/// Decodes a whole cell.
fn decode_cell<const S: usize>(input: &mut Input<'_>) -> Result<[[u8; S]; S], DecodeError> {
    let token_at = input.at;
    let [token] = input.array()?;
    let mut cell = [[0; S]; S];
    let mut filled = [false; S];
    if token == CONSTANT {
        let [value] = input.array()?;
        return Ok([[value; S]; S]);
    }
    if token != LITERAL {
        let mut all = patterns(S).iter();
        let Some(pattern) = all.find(|pattern| pattern.token == token) else {
            return Err(invalid(token_at, "expected a token of the cell's side"));
        };
        for rows in pattern.matches.into_iter().filter(|rows| !rows.is_empty()) {
            let bytes = input.matched(token_at, rows.len() * S)?;
            for (&row, from) in rows.iter().zip(bytes.as_chunks().0) {
                (cell[row], filled[row]) = (*from, true);
            }
        }
    }
    for (row, _) in cell.iter_mut().zip(filled).filter(|(_, filled)| !filled) {
        *row = input.array()?;
    }
    Ok(cell)
}
