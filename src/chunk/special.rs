//! Chunks that repeat one value, in 32 bytes and the value ([format §4](crate::format#4)).
//!
//! ```text
//! zeros, NaN, uninit:  | header 32 |             cbytes = 32
//! repeated value:      | header 32 | value w |   cbytes = 32 + w; w is not always the typesize
//! ```

use std::fmt;

use crate::error::{Error, Result};

/// A value that a special chunk repeats.
///
/// ```
/// use oxiblosc::{decompress, CParams, ChunkEncoder, Special};
/// let mut encoder = ChunkEncoder::new(CParams::new(2))?;
/// let chunk = encoder.encode_special(Special::Repeat(&[1, 2]), 6)?;
/// assert_eq!(chunk.len(), 34);
/// assert_eq!(decompress(&chunk)?, [1, 2, 1, 2, 1, 2]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Special<'a> {
    /// Zero bytes.
    #[doc(alias = "blosc2_chunk_zeros")]
    Zeros,
    /// Quiet NaNs; items of 4 or 8 bytes.
    #[doc(alias = "blosc2_chunk_nans")]
    Nans,
    /// Unspecified content. Decodes to zeros here, so that no memory leaks out.
    #[doc(alias = "blosc2_chunk_uninit")]
    Uninit,
    /// This value, repeated.
    #[doc(alias = "blosc2_chunk_repeatval")]
    Repeat(&'a [u8]),
}

/// The longest value that is printed in full.
const PRINTED: usize = 16;

impl fmt::Debug for Special<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zeros => f.write_str("Zeros"),
            Self::Nans => f.write_str("Nans"),
            Self::Uninit => f.write_str("Uninit"),
            Self::Repeat(value) if value.len() <= PRINTED => write!(f, "Repeat({value:?})"),
            Self::Repeat(value) => write!(f, "Repeat({} bytes)", value.len()),
        }
    }
}

/// The kind of a special value as its three bits say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialKind {
    /// Zero bytes.
    Zeros,
    /// Quiet NaNs.
    Nans,
    /// A repeated value.
    Repeat,
    /// No particular content.
    Uninit,
}

/// A quiet NaN of 4 bytes.
const NAN4: [u8; 4] = 0x7FC0_0000_u32.to_le_bytes();
/// A quiet NaN of 8 bytes.
const NAN8: [u8; 8] = 0x7FF8_0000_0000_0000_u64.to_le_bytes();

impl<'a> Special<'a> {
    /// The bytes that a chunk stores for it.
    pub(crate) fn value(self) -> &'a [u8] {
        match self {
            Self::Repeat(value) => value,
            _ => &[],
        }
    }

    /// The bits that say this kind.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Zeros => 1,
            Self::Nans => 2,
            Self::Repeat(_) => 3,
            Self::Uninit => 4,
        }
    }

    /// Refuses chunks that could not be decoded: sizes of partial items, and NaN of sizes other
    /// than 4 and 8.
    pub(crate) fn check(self, typesize: usize, nbytes: usize) -> Result<()> {
        let invalid = |name, value: usize, expected| Error::InvalidParam {
            name,
            value: i64::try_from(value).unwrap_or(i64::MAX),
            expected,
        };
        if !nbytes.is_multiple_of(typesize) {
            let expected = "a multiple of the typesize";
            return Err(invalid("nbytes", nbytes, expected));
        }
        match self {
            Self::Nans if typesize != 4 && typesize != 8 => {
                Err(invalid("typesize", typesize, "4 or 8 for NaN"))
            }
            Self::Repeat(value) if value.len() != typesize => Err(invalid(
                "length of the repeated value",
                value.len(),
                "the typesize",
            )),
            Self::Repeat(_) if nbytes == 0 => {
                Err(invalid("nbytes", nbytes, "at least one repeated value"))
            }
            Self::Zeros | Self::Nans | Self::Uninit | Self::Repeat(_) => Ok(()),
        }
    }

    /// Fills `dst` with the repeated value, from byte `offset` on.
    pub(crate) fn fill(self, typesize: usize, offset: usize, dst: &mut [u8]) {
        match self {
            Self::Zeros | Self::Uninit => dst.fill(0),
            Self::Nans if typesize == 4 => fill_repeat(&NAN4, offset, dst),
            Self::Nans => fill_repeat(&NAN8, offset, dst),
            Self::Repeat(value) => fill_repeat(value, offset, dst),
        }
    }
}

/// The most bytes that one copy repeats: they stay in the first-level cache while they are read
/// repeatedly.
const PIECE: usize = 8 << 10;

/// Fills `dst` with `value` repeated, from byte `offset` of the repetition on.
pub(crate) fn fill_repeat(value: &[u8], offset: usize, dst: &mut [u8]) {
    match *value {
        [] => return dst.fill(0),
        [byte] => return dst.fill(byte),
        _ => {}
    }
    let skip = offset.checked_rem(value.len()).unwrap_or(0);
    let (front, dst) = dst.split_at_mut(dst.len().min((value.len() - skip) % value.len()));
    front.copy_from_slice(&value[skip..skip + front.len()]);
    let mut filled = value.len().min(dst.len());
    dst[..filled].copy_from_slice(&value[..filled]);
    // The filled part grows by doubling, then by copies of its largest cached whole multiple.
    let piece = value.len().max(PIECE - PIECE % value.len().clamp(1, PIECE));
    while filled < dst.len() {
        let len = filled.min(piece).min(dst.len() - filled);
        dst.copy_within(..len, filled);
        filled += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_repeat_agrees_with_indexing() {
        for width in [1_usize, 2, 3, 4, 7, 8, 12, 100, 255, 9000] {
            let value: Vec<u8> = (0..width).map(|i| (i * 7 + 1).to_le_bytes()[0]).collect();
            for len in [0, 1, 5, 8, 100, 8191, 8192, 8193, 40_000] {
                for offset in [0, 1, 3, width, 5 * width + 1] {
                    let mut dst = vec![0xEE; len];
                    fill_repeat(&value, offset, &mut dst);
                    for (i, byte) in dst.iter().enumerate() {
                        assert_eq!(*byte, value[(offset + i) % width], "{width} {len} {offset}");
                    }
                }
            }
        }
    }
}
