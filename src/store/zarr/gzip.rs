//! Chunks that gzip (RFC 1952) made of the elements.
//!
//! ```text
//! 1F 8B 08 flags | time (4) level system | what the flags say | deflate | CRC-32 | length
//! ```

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::inflate::Inflate;

use super::crc::{CRC32, crc};
use crate::codec::CodecId;
use crate::error::{Error, Part, Result};
use crate::num::to_u64;

/// The first bytes, the method included.
const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];

/// The bytes before the optional fields.
const FIXED: usize = 10;

/// A header of zlib, which takes the place of the last two bytes of the header.
const ZLIB_HEADER: [u8; 2] = [0x78, 0x01];

/// Decodes the first member, whose content fills `dst`.
pub(super) fn decode(mut bytes: Vec<u8>, dst: &mut [u8]) -> Result<()> {
    let part = Part::ZarrChunk;
    let start = header_len(&bytes)?;
    let front = start - ZLIB_HEADER.len();
    if let Some(place) = bytes.get_mut(front..start) {
        place.copy_from_slice(&ZLIB_HEADER);
    }
    let stream = bytes.get(front..).unwrap_or_default();
    let decoded = Inflate::new(Kernels::best()).decode(stream, dst);
    // The four bytes after the stream are the CRC-32, the low byte first.
    let (len, stored) = decoded.map_err(|source| Error::Codec {
        id: CodecId::ZLIB,
        block: 0,
        stream: 0,
        offset: to_u64(front),
        source: source.into(),
    })?;
    if len != dst.len() {
        return Err(Error::unequal(part, 0, "length", len, dst.len()));
    }
    let at = to_u64(bytes.len().saturating_sub(8));
    let (stored, found) = (stored.swap_bytes(), crc(&CRC32, dst));
    if stored != found {
        return Err(Error::unequal(part, at, "checksum", stored, found));
    }
    // The length modulo 2^32 ends the chunk.
    let stored = bytes
        .last_chunk()
        .map_or(0, |last| u32::from_le_bytes(*last));
    let [low @ .., _, _, _, _] = to_u64(len).to_le_bytes();
    match u32::from_le_bytes(low) {
        low if low == stored => Ok(()),
        low => Err(Error::unequal(part, at + 4, "length", stored, low)),
    }
}

/// The bytes before the stream; ten at least.
fn header_len(bytes: &[u8]) -> Result<usize> {
    let cut = |needed: usize| Error::Truncated {
        part: Part::ZarrChunk,
        offset: 0,
        needed: to_u64(needed),
        available: to_u64(bytes.len()),
    };
    let (fixed, _) = bytes
        .split_first_chunk::<FIXED>()
        .ok_or_else(|| cut(FIXED))?;
    let [magic @ .., flags, _, _, _, _, _, _] = *fixed;
    if magic != MAGIC {
        return Err(Error::broken(
            Part::ZarrChunk,
            0,
            "gzip begins with 1F 8B 08",
        ));
    }
    let mut at = FIXED;
    if flags & 4 != 0 {
        let extra = bytes.get(at..).and_then(<[u8]>::first_chunk);
        let extra = extra.ok_or_else(|| cut(at + 2))?;
        at += 2 + usize::from(u16::from_le_bytes(*extra));
    }
    // A name and a comment end with a zero each.
    for flag in [8, 16] {
        if flags & flag != 0 {
            let rest = bytes.get(at..).unwrap_or_default();
            let len = rest.iter().position(|&byte| byte == 0);
            at += len.ok_or_else(|| cut(bytes.len() + 1))? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    if at > bytes.len() {
        return Err(cut(at));
    }
    Ok(at)
}
