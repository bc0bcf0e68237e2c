//! Functions on chunks without a context: headers, special values, shuffling.

mod info;
mod shuffle;
mod special;

pub use info::*;
pub use shuffle::*;
pub use special::*;

use oxiblosc::ChunkHeader;

use crate::abi::{BLOSC2_ERROR_READ_BUFFER, BLOSC2_ERROR_VERSION_SUPPORT, BLOSC2_VL_BLOCKS};
use crate::boundary::{Answer, Code};

/// The bit of the last byte of a header that says that blocks are in a file.
const LAZY: u8 = 0x08;

/// The newest version of chunks.
pub(crate) const NEWEST: u8 = 6;

/// The header of a chunk, and whether its blocks are in a file: the library below takes no such
/// chunk, so the bit is taken away before it sees the header.
///
/// # Errors
/// `READ_BUFFER` for less than a header, `INVALID_HEADER` for impossible fields.
pub(crate) fn header_of(chunk: &[u8]) -> Answer<(ChunkHeader, bool)> {
    if chunk.len() < 16 {
        return Err(Code(BLOSC2_ERROR_READ_BUFFER));
    }
    let extended = chunk.get(2).is_some_and(|flags| flags & 5 == 5);
    let lazy = extended && chunk.get(31).is_some_and(|flags| flags & LAZY != 0);
    let newer = extended && chunk.first().is_some_and(|version| *version > NEWEST);
    if !lazy && !newer {
        return Ok((ChunkHeader::parse(chunk)?, false));
    }
    let Some(front) = chunk.first_chunk::<32>() else {
        return Err(Code(BLOSC2_ERROR_READ_BUFFER));
    };
    let mut header = *front;
    header[31] &= !LAZY;
    if newer {
        // As long as a chunk uses nothing that version 6 has not, it is one of version 6.
        if header[30] & !BLOSC2_VL_BLOCKS != 0 {
            return Err(Code(BLOSC2_ERROR_VERSION_SUPPORT));
        }
        header[0] = NEWEST;
    }
    Ok((ChunkHeader::parse(&header)?, lazy))
}
