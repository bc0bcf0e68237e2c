//! Blocks of N5 data sets that are compressed with Blosc
//! ([format §17.11](crate::format#17.11)).
//!
//! The file of a block is its name's numbers in folders, `0/1/2`, first axis first; the first axis
//! runs fastest, and elements are big-endian. `attributes.json` is not read.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use crate::chunk::ChunkDecoder;
use crate::error::{Error, Missing, Part, Result};
use crate::num::{saturating_usize, to_u64};

const PART: Part = Part::N5Block;

/// A decoded block.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The length of each axis, in elements; blocks at the end of an axis may be shorter than the
    /// others. Empty in blocks of mode 2, which hold an object.
    pub shape: Vec<u64>,
    /// The number of elements in the block.
    pub nitems: u64,
    /// The elements, big-endian, the first axis fastest.
    pub bytes: Vec<u8>,
}

/// Decodes the file of a block whose compression is `blosc`; elements have `typesize` bytes.
///
/// ```
/// use oxiblosc::ChunkDecoder;
/// use oxiblosc::store::n5;
/// let file = std::fs::read("tests/data/old/n5_block").unwrap();
/// let block = n5::decode_block(&file, 4, &mut ChunkDecoder::default())?;
/// assert_eq!(block.shape, [20, 30]);
/// assert_eq!(block.bytes[4..8], 1_i32.to_be_bytes());
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] for an unknown mode, [`Error::Truncated`] or [`Error::Corrupt`] when the
/// block is damaged, or holds another number of elements than it states; as
/// [`ChunkDecoder::decode`].
pub fn decode_block(file: &[u8], typesize: usize, decoder: &mut ChunkDecoder) -> Result<Block> {
    let mut reader = Reader { file, at: 0 };
    let mode = u16::from_be_bytes(reader.take()?);
    if mode > 2 {
        return Err(Error::Unsupported {
            part: PART,
            offset: 0,
            what: Missing::Version(u8::try_from(mode).unwrap_or(u8::MAX)),
        });
    }
    let mut shape: Vec<u64> = Vec::new();
    if mode < 2 {
        let ndim = u16::from_be_bytes(reader.take()?);
        for _ in 0..ndim {
            shape.push(u32::from_be_bytes(reader.take()?).into());
        }
    }
    let product = shape
        .iter()
        .try_fold(1_u64, |all, &len| all.checked_mul(len));
    let nitems = match mode {
        0 => product.ok_or_else(|| Error::broken(PART, 4, "the shape is too large"))?,
        _ => u32::from_be_bytes(reader.take()?).into(),
    };
    let base = to_u64(reader.at);
    let chunk = file.get(reader.at..).unwrap_or_default();
    let bytes = decoder.decode(chunk).map_err(|error| error.rebase(base))?;
    let expected = nitems.saturating_mul(to_u64(typesize));
    if to_u64(bytes.len()) != expected {
        let at = base.saturating_add(4);
        return Err(Error::unequal(PART, at, "nbytes", bytes.len(), expected));
    }
    Ok(Block {
        shape,
        nitems,
        bytes,
    })
}

struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let rest = self.file.get(self.at..).unwrap_or_default();
        let Some(bytes) = rest.first_chunk() else {
            return Err(Error::Truncated {
                part: PART,
                offset: to_u64(self.at),
                needed: to_u64(N),
                available: to_u64(rest.len()),
            });
        };
        self.at = self.at.saturating_add(N);
        debug_assert!(self.at <= saturating_usize(to_u64(self.file.len())));
        Ok(*bytes)
    }
}
