//! Chunks that are stored as a kind and a size, without bytes of their own (format §9.6).

use crate::chunk::{ChunkHeader, HEADER_LEN, Special};
use crate::codec::CodecId;
use crate::error::{Error, Part, Result};
use crate::filter::{FilterSlot, MAX_FILTERS};
use crate::params::MAX_BLOCKSIZE;

/// Fills the front of `dst` with bytes `start..end` of the special chunk and returns their
/// number.
pub(crate) fn fill_special(
    special: Special<'_>,
    typesize: u32,
    nbytes: u32,
    (start, end): (usize, usize),
    dst: &mut [u8],
) -> Result<usize> {
    let typesize = check(special, typesize, nbytes)?;
    let available = dst.len();
    let needed = end.saturating_sub(start);
    let dst = dst
        .get_mut(..needed)
        .ok_or(Error::OutputTooSmall { needed, available })?;
    special.fill(typesize, start, dst);
    Ok(needed)
}

/// The bytes of a special chunk as C makes them up, for a frame of this typesize.
pub(crate) fn special_header(
    special: Special<'_>,
    typesize: u32,
    blocksize: u32,
    nbytes: u32,
) -> [u8; HEADER_LEN] {
    let max = u32::try_from(MAX_BLOCKSIZE).unwrap_or(u32::MAX);
    let blocksize = if blocksize == 0 {
        nbytes
    } else {
        blocksize.min(nbytes)
    };
    ChunkHeader {
        version: 5,
        versionlz: 1,
        flags: 5,
        typesize: u8::try_from(typesize).unwrap_or(1),
        nbytes,
        blocksize: blocksize.clamp(1, max),
        cbytes: u32::try_from(HEADER_LEN).unwrap_or(0),
        filters: [FilterSlot::NONE; MAX_FILTERS],
        udcodec: CodecId::BLOSCLZ,
        codec_meta: 0,
        flags2: 0,
        blosc2_flags: special.code() << 4,
    }
    .to_bytes()
}

/// Refuses NaN of another size than 4 and 8 bytes; returns the typesize.
fn check(special: Special<'_>, typesize: u32, nbytes: u32) -> Result<usize> {
    let width = usize::try_from(typesize).unwrap_or(usize::MAX);
    let whole = nbytes.checked_rem(typesize) == Some(0);
    if matches!(special, Special::Nans) && !(whole && (width == 4 || width == 8)) {
        let rule = "NaN chunks hold whole items of 4 or 8 bytes";
        return Err(Error::broken(Part::Index, 0, rule));
    }
    Ok(width)
}
