//! Buffers of `OpenVDB` files that are compressed with Blosc
//! ([format §17.12](crate::format#17.12)).
//!
//! The structure of a `.vdb` file, which says where buffers are and how large, is not read.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use crate::chunk::ChunkDecoder;
use crate::error::{Error, Part, Result};
use crate::num::{saturating_usize, to_u64};

const PART: Part = Part::VdbBuffer;

/// Decodes a buffer at the start of `bytes` into `dst`, which has its size, and returns the number
/// of bytes that it takes in the file.
///
/// A buffer is a little-endian 64-bit length and so many bytes: a Blosc chunk, or, when the length
/// is negative or zero, the data itself with the length's sign reversed.
///
/// ```
/// use oxiblosc::{ChunkDecoder, CParams};
/// use oxiblosc::store::openvdb;
/// let chunk = oxiblosc::compress(&[7; 4096], &CParams::new(4))?;
/// let file = [&(chunk.len() as i64).to_le_bytes()[..], &chunk, b"next"].concat();
/// let mut voxels = [0; 4096];
/// let taken = openvdb::decode_buffer(&file, &mut voxels, &mut ChunkDecoder::default())?;
/// assert_eq!((&file[taken..], voxels), (&b"next"[..], [7; 4096]));
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// # Errors
/// [`Error::Truncated`] when `bytes` end early, [`Error::Corrupt`] when the buffer has another size
/// than `dst`; as [`ChunkDecoder::decode_into`].
pub fn decode_buffer(bytes: &[u8], dst: &mut [u8], decoder: &mut ChunkDecoder) -> Result<usize> {
    let cut = |offset: u64, needed: u64, available: usize| Error::Truncated {
        part: PART,
        offset,
        needed,
        available: to_u64(available),
    };
    let Some((len, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(cut(0, 8, bytes.len()));
    };
    let len = i64::from_le_bytes(*len);
    let stored = len.unsigned_abs();
    let data = rest.get(..saturating_usize(stored));
    let data = data.ok_or_else(|| cut(8, stored, rest.len()))?;
    if len > 0 {
        let decoded = decoder.decode_into(data, dst);
        let nbytes = decoded.map_err(|error| error.rebase(8))?;
        if nbytes != dst.len() {
            return Err(Error::unequal(PART, 12, "nbytes", nbytes, dst.len()));
        }
    } else if data.len() == dst.len() {
        dst.copy_from_slice(data);
    } else {
        return Err(Error::unequal(PART, 0, "length", data.len(), dst.len()));
    }
    Ok(data.len().saturating_add(8))
}
