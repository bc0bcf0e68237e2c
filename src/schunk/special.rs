//! Chunks that are stored as a kind and a size, without bytes ([format §9.6](crate::format#9.6)).

use crate::chunk::{ChunkDecoder, ChunkHeader, HEADER_LEN, Special};
use crate::codec::CodecId;
use crate::error::{Error, Part, Result};
use crate::filter::{FilterSlot, MAX_FILTERS};
use crate::num::saturating_u32;
use crate::params::MAX_BLOCKSIZE;

/// Fills the front of `dst` with bytes `start..end` of the special chunk and returns their
/// number.
pub(crate) fn fill_special(
    special: Special<'_>,
    typesize: usize,
    nbytes: usize,
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

/// [`fill_special`], through the postfilter of the decoder, if any: it receives the blocks of an
/// equivalent stored chunk, of `blocksize` bytes, or a single one when that is 0.
pub(crate) fn decode_special(
    decoder: &mut ChunkDecoder,
    special: Special<'_>,
    (typesize, blocksize): (usize, usize),
    nbytes: usize,
    (start, end): (usize, usize),
    dst: &mut [u8],
) -> Result<usize> {
    if decoder.dparams().postfilter.is_none() {
        return fill_special(special, typesize, nbytes, (start, end), dst);
    }
    check(special, typesize, nbytes)?;
    let chunk = special_header(special, typesize, blocksize, nbytes);
    decoder.decode_bytes_into(&chunk, start..end, dst)
}

/// The bytes of a special chunk as C writes them, for a frame of this typesize.
pub(crate) fn special_header(
    special: Special<'_>,
    typesize: usize,
    blocksize: usize,
    nbytes: usize,
) -> [u8; HEADER_LEN] {
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
        nbytes: saturating_u32(nbytes),
        blocksize: saturating_u32(blocksize.clamp(1, MAX_BLOCKSIZE)),
        cbytes: u32::try_from(HEADER_LEN).unwrap_or(0),
        filters: [FilterSlot::NONE; MAX_FILTERS],
        udcodec: CodecId::BLOSCLZ,
        codec_meta: 0,
        flags2: 0,
        blosc2_flags: special.code() << 4,
    }
    .to_bytes()
}

/// The same values as a chunk that is not special, where C reads nothing else: the index of a frame
/// of variable-size chunks cannot name special chunks, and C refuses such a frame when its first
/// chunk is 32 bytes of zeros, NaN or nothing.
///
/// It becomes a repeated value of the frame's typesize, which is the only width that C reads from
/// files; a size that is no multiple of the item becomes blocks of zero runs.
pub(crate) fn solid_chunk(
    special: Special<'_>,
    typesize: usize,
    blocksize: usize,
    nbytes: usize,
) -> Result<Vec<u8>> {
    let item = check(special, typesize, nbytes)?;
    if item > 255 || nbytes.checked_rem(typesize) != Some(0) {
        return Ok(zero_runs(nbytes));
    }
    let mut value = vec![0; item];
    special.fill(item, 0, &mut value);
    let mut chunk = special_header(Special::Repeat(&value), typesize, blocksize, nbytes).to_vec();
    chunk.extend_from_slice(&value);
    set_cbytes(&mut chunk);
    Ok(chunk)
}

/// A chunk of zero bytes that is not special: every block is one stream of a zero run.
fn zero_runs(nbytes: usize) -> Vec<u8> {
    let typesize = 1;
    let mut chunk = special_header(Special::Zeros, typesize, 0, nbytes).to_vec();
    let short = nbytes < 32;
    // Blocks are not split; below 32 bytes, nothing is ever compressed.
    for (at, value) in [(2, if short { 0x07 } else { 0x15 }), (31, 0)] {
        if let Some(byte) = chunk.get_mut(at) {
            *byte = value;
        }
    }
    if short {
        chunk.resize(chunk.len().saturating_add(nbytes), 0);
    } else {
        let nblocks = nbytes.div_ceil(nbytes.clamp(1, MAX_BLOCKSIZE));
        let first = HEADER_LEN.saturating_add(nblocks.saturating_mul(4));
        for block in 0..nblocks {
            let start = saturating_u32(first.saturating_add(block.saturating_mul(4)));
            chunk.extend_from_slice(&start.to_le_bytes());
        }
        for _ in 0..nblocks {
            chunk.extend_from_slice(&0_i32.to_le_bytes());
        }
    }
    set_cbytes(&mut chunk);
    chunk
}

fn set_cbytes(chunk: &mut [u8]) {
    let cbytes = saturating_u32(chunk.len()).to_le_bytes();
    if let Some(field) = chunk.get_mut(12..16) {
        field.copy_from_slice(&cbytes);
    }
}

/// Refuses NaN of another size than 4 and 8 bytes; returns the typesize.
fn check(special: Special<'_>, typesize: usize, nbytes: usize) -> Result<usize> {
    let whole = nbytes.checked_rem(typesize) == Some(0);
    if matches!(special, Special::Nans) && !(whole && (typesize == 4 || typesize == 8)) {
        let rule = "NaN chunks hold whole items of 4 or 8 bytes";
        return Err(Error::broken(Part::Index, 0, rule));
    }
    Ok(typesize)
}
