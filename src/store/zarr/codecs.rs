//! Chains of codecs: those of chunks, and those of the index of a shard.

use serde_json::Value as Json;

use super::json;
use crate::error::{Error, Result};

/// The bytes of a chunk in a file or in a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// The elements themselves.
    Raw,
    /// A Blosc chunk.
    Blosc,
    /// A stream of Zstandard.
    Zstd,
}

/// How the elements of a chunk become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) stored: Stored,
    /// Whether four bytes with a checksum follow.
    pub(super) checksum: bool,
    /// The order of the bytes of a number, `<` or `>`.
    pub(super) order: char,
}

/// The codecs of a version 3 array: those of a chunk, or a shard.
#[derive(Debug)]
pub(super) enum Codecs<'a> {
    Chunk(Chain),
    Shard(&'a Json),
}

fn refused(stored: &str) -> Error {
    Error::Mismatch {
        what: "Zarr codec",
        stored: stored.into(),
        asked: "blosc, zstd, or none".into(),
    }
}

/// The compressor and filters of a version 2 array.
pub(super) fn of_v2(compressor: Option<&Json>, filters: Option<&Json>) -> Result<Stored> {
    let first = filters.and_then(|filters| filters.as_array()?.first());
    if let Some(filter) = first {
        return Err(refused(
            json::field(filter, "id").as_str().unwrap_or("a filter"),
        ));
    }
    match compressor {
        None | Some(Json::Null) => Ok(Stored::Raw),
        Some(compressor) => match json::field(compressor, "id").as_str() {
            Some("blosc") => Ok(Stored::Blosc),
            Some("zstd") => Ok(Stored::Zstd),
            id => Err(refused(id.unwrap_or("a compressor without id"))),
        },
    }
}

/// The codecs of a version 3 array of `ndim` dimensions.
pub(super) fn of_v3(codecs: &Json, ndim: usize) -> Result<Codecs<'_>> {
    let codecs = codecs.as_array();
    let codecs = codecs.ok_or_else(|| json::broken("codecs is no list"))?;
    let mut chain: Option<Chain> = None;
    let mut shard = None;
    for codec in codecs {
        let name = codec
            .as_str()
            .or_else(|| json::field(codec, "name").as_str());
        let name = name.ok_or_else(|| json::broken("a codec has no name"))?;
        let config = json::field(codec, "configuration");
        match (name, &mut chain, shard) {
            ("transpose", None, None) if is_identity(json::field(config, "order"), ndim) => {}
            ("bytes" | "endian", None, None) => {
                let order = match json::field(config, "endian").as_str() {
                    Some("big") => '>',
                    _ => '<',
                };
                chain = Some(Chain {
                    stored: Stored::Raw,
                    checksum: false,
                    order,
                });
            }
            ("sharding_indexed", None, None) => shard = Some(config),
            ("blosc", Some(chain), None) if chain.stored == Stored::Raw && !chain.checksum => {
                chain.stored = Stored::Blosc;
            }
            ("zstd", Some(chain), None) if chain.stored == Stored::Raw && !chain.checksum => {
                chain.stored = Stored::Zstd;
            }
            ("crc32c", Some(chain), None) if !chain.checksum => chain.checksum = true,
            (name, _, _) => return Err(refused(name)),
        }
    }
    match (chain, shard) {
        (Some(chain), None) => Ok(Codecs::Chunk(chain)),
        (None, Some(config)) => Ok(Codecs::Shard(config)),
        _ => Err(json::broken("no codec makes bytes of the elements")),
    }
}

/// Whether the order of a transposition leaves all axes where they are.
fn is_identity(order: &Json, ndim: usize) -> bool {
    order.as_str() == Some("C")
        || json::numbers::<usize>(order).is_some_and(|order| order.iter().copied().eq(0..ndim))
}

/// CRC-32C (Castagnoli) of some bytes, as the codec `crc32c` appends it.
pub(super) fn crc32c(bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| {
        let mut crc = crc ^ u32::from(byte);
        for _ in 0..8 {
            let low = crc & 1;
            crc = (crc >> 1) ^ (low.wrapping_neg() & 0x82F6_3B78);
        }
        crc
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::crc32c;

    #[test]
    fn crc32c_has_its_published_check_value() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
    }
}
