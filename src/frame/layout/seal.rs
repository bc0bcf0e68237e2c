//! Seals: checksums of every chunk, and a fingerprint over all other parts.
//!
//! ```text
//! vlmetalayer "oxiblosc.seal"     C6 len | 8 bytes for the metalayers | 8 bytes per chunk
//! fingerprint in the trailer      XXH3-128 of header, index and trailer without its last 16 bytes
//! ```
//!
//! A chunk's 8 bytes are the XXH3-64 of its stored bytes, 0 when it has none; those of the
//! metalayers are that of their contents, in order, and of the numbers of threads. The
//! fingerprint treats all these as zeros: C rewrites them in the header when it updates a
//! metalayer, and keeps the seal. All other changes by C remove the fingerprint. The
//! vlmetalayer is in msgpack, which python-blosc2 expects of all of them.
//!
//! The trailer reserves space for a fingerprint, which C never fills
//! ([format §9.5](crate::format#9.5)); C reads sealed frames like any other. Checksums detect
//! accidental damage; they do not protect against forgery.

use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::contents::Contents;
use super::header::FrameHeader;
use super::trailer::{Fingerprint, SEAL_KIND};
use crate::schunk::Metalayers;

/// The numbers of threads in a header, with the marker between them.
const THREADS: Range<usize> = 0x3F..0x44;
/// The bytes of a fingerprint.
pub(crate) const FINGERPRINT_LEN: usize = 16;
/// The bytes of a chunk's checksum.
pub(crate) const CHECKSUM_LEN: usize = 8;

/// The checksum of a chunk as stored: XXH3-64.
///
/// ```
/// // The specification's value for no bytes at all.
/// assert_eq!(oxiblosc::frame::chunk_checksum(b""), 0x2D06_8005_38D3_94C2);
/// ```
pub fn chunk_checksum(chunk: &[u8]) -> u64 {
    xxh3_64(chunk)
}

/// Writes the fingerprint of a sealed frame into its trailer, and returns it.
pub(crate) fn sign(
    contents: &Contents,
    header: &[u8],
    index: &[u8],
    trailer: &mut [u8],
) -> Fingerprint {
    let (metalayers, mut fingerprint) = (&contents.metalayers, contents.fingerprint);
    if fingerprint.kind != SEAL_KIND {
        return fingerprint;
    }
    let header = masked(header, metalayers);
    let split = trailer.len().saturating_sub(FINGERPRINT_LEN);
    if let Some((signed, value)) = trailer.split_at_mut_checked(split) {
        fingerprint.value = hash(&header, index, signed);
        value.copy_from_slice(&fingerprint.value);
    }
    fingerprint
}

/// A header with zeros for the fields that C updates without removing the seal: the contents of
/// metalayers, at its end, and the numbers of threads.
pub(crate) fn masked(header: &[u8], metalayers: &Metalayers) -> Vec<u8> {
    let mut masked = header.to_vec();
    let mut clear = |range: Range<usize>| {
        if let Some(bytes) = masked.get_mut(range) {
            bytes.fill(0);
        }
    };
    clear(THREADS);
    let mut end = header.len();
    let lens: Vec<usize> = metalayers
        .iter()
        .map(|(_, content)| content.len())
        .collect();
    for len in lens.into_iter().rev() {
        clear(end.saturating_sub(len)..end);
        // The marker and the length of the content stay.
        end = end.saturating_sub(len).saturating_sub(5);
    }
    masked
}

/// The checksum of the fields that `masked` clears.
pub(crate) fn metalayers_checksum(contents: &Contents) -> u64 {
    let FrameHeader {
        compress_threads,
        decompress_threads,
        ..
    } = contents.header;
    let mut hash = Xxh3::new();
    for (_, content) in contents.metalayers.iter() {
        hash.update(content);
    }
    hash.update(&compress_threads.to_be_bytes());
    hash.update(&decompress_threads.to_be_bytes());
    hash.digest()
}

/// The fingerprint of these three parts.
pub(crate) fn hash(header: &[u8], index: &[u8], trailer: &[u8]) -> [u8; FINGERPRINT_LEN] {
    let mut hash = Xxh3::new();
    for part in [header, index, trailer] {
        hash.update(part);
    }
    hash.digest128().to_be_bytes()
}
