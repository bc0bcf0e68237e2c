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
    /// A stream of zlib.
    Zlib,
    /// A member of gzip.
    Gzip,
}

impl Stored {
    /// The compressed form that a codec makes, by its name in either version.
    fn of(name: &str) -> Option<Self> {
        match name.strip_prefix("numcodecs.").unwrap_or(name) {
            "blosc" => Some(Self::Blosc),
            "zstd" => Some(Self::Zstd),
            "zlib" => Some(Self::Zlib),
            "gzip" => Some(Self::Gzip),
            _ => None,
        }
    }
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
        asked: "blosc, zstd, gzip, zlib, or none".into(),
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
        Some(compressor) => {
            let id = json::field(compressor, "id").as_str();
            let id = id.unwrap_or("a compressor without id");
            Stored::of(id).ok_or_else(|| refused(id))
        }
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
            ("crc32c", Some(chain), None) if !chain.checksum => chain.checksum = true,
            (name, Some(chain), None) if chain.stored == Stored::Raw && !chain.checksum => {
                chain.stored = Stored::of(name).ok_or_else(|| refused(name))?;
            }
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
