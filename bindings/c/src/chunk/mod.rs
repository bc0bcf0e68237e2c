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

/// Sizes in bytes at the front of a chunk, as they stand there: the decoder checks them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) typesize: usize,
    pub(crate) nbytes: usize,
    pub(crate) blocksize: usize,
    pub(crate) cbytes: usize,
}

impl Sizes {
    /// Those of a chunk.
    ///
    /// # Errors
    /// `READ_BUFFER` for less than a header.
    pub(crate) fn of(chunk: &[u8]) -> Answer<Self> {
        let short = Code(BLOSC2_ERROR_READ_BUFFER);
        let (front, _) = chunk.split_first_chunk::<16>().ok_or(short)?;
        let [
            _,
            _,
            _,
            typesize,
            n0,
            n1,
            n2,
            n3,
            b0,
            b1,
            b2,
            b3,
            c0,
            c1,
            c2,
            c3,
        ] = *front;
        let size = |bytes| usize::try_from(u32::from_le_bytes(bytes));
        Ok(Self {
            typesize: usize::from(typesize),
            nbytes: size([n0, n1, n2, n3])?,
            blocksize: size([b0, b1, b2, b3])?,
            cbytes: size([c0, c1, c2, c3])?,
        })
    }
}

/// Whether a chunk needs no change before the decoder takes it: its blocks are not in a file, and
/// its version is a known one.
pub(crate) fn is_plain(chunk: &[u8]) -> bool {
    let extended = chunk.get(2).is_some_and(|flags| flags & 5 == 5);
    let lazy = chunk.get(31).is_none_or(|flags| flags & LAZY != 0);
    let newer = chunk.first().is_none_or(|version| *version > NEWEST);
    !(extended && (lazy || newer))
}

/// The code for a chunk that was refused: that of its header, if it is an impossible one.
#[cold]
pub(crate) fn refused(chunk: &[u8], code: Code) -> Code {
    header_of(chunk).err().unwrap_or(code)
}

/// The header of a chunk, and whether its blocks are in a file: the library below takes no such
/// chunk, so the bit is taken away before it sees the header.
///
/// # Errors
/// `READ_BUFFER` for less than a header, `INVALID_HEADER` for impossible fields.
pub(crate) fn header_of(chunk: &[u8]) -> Answer<(ChunkHeader, bool)> {
    if chunk.len() < 16 {
        return Err(Code(BLOSC2_ERROR_READ_BUFFER));
    }
    if is_plain(chunk) {
        return Ok((ChunkHeader::parse(chunk)?, false));
    }
    let Some(front) = chunk.first_chunk::<32>() else {
        return Err(Code(BLOSC2_ERROR_READ_BUFFER));
    };
    let mut header = *front;
    let lazy = header[31] & LAZY != 0;
    header[31] &= !LAZY;
    if header[0] > NEWEST {
        // As long as a chunk uses nothing that version 6 has not, it is one of version 6.
        if header[30] & !BLOSC2_VL_BLOCKS != 0 {
            return Err(Code(BLOSC2_ERROR_VERSION_SUPPORT));
        }
        header[0] = NEWEST;
    }
    Ok((ChunkHeader::parse(&header)?, lazy))
}
