//! The properties of an array, from its document of version 2 or 3.

use serde_json::Value as Json;

use super::super::value::Value;
use super::codecs::{self, Chain, Codecs, Stored};
use super::walk::inside;
use super::{dtype, fill, json};
use crate::b2nd::Dtype;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::storage::FileTree;

/// The properties of an array.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub(super) version: u8,
    pub(super) shape: Vec<u64>,
    /// The length of a chunk along each axis; inside of shards, that of an inner chunk.
    pub(super) chunkshape: Vec<u64>,
    pub(super) dtype: Dtype,
    pub(super) typesize: usize,
    pub(super) chain: Chain,
    pub(super) shard: Option<ShardMeta>,
    /// The bytes of an element of a chunk that is not stored, when they are understood.
    pub(super) fill: Option<Vec<u8>>,
    pub(super) names: Names,
    pub(super) attributes: Vec<(String, Value)>,
}

/// The partition of shards into chunks.
#[derive(Clone, Debug)]
pub(super) struct ShardMeta {
    /// The number of chunks of a shard along each axis.
    pub(super) lens: Vec<u64>,
    /// The bytes of the index: order, and whether a checksum follows.
    pub(super) index: Chain,
    /// Whether the index is at the end of the file; else at the start.
    pub(super) at_end: bool,
}

/// The names of the files of chunks.
#[derive(Clone, Debug)]
pub(super) struct Names {
    prefix: &'static str,
    separator: char,
}

impl Names {
    /// The name of the chunk or shard at these coordinates.
    pub(super) fn of(&self, coords: &[u64]) -> String {
        let numbers: Vec<String> = coords.iter().map(u64::to_string).collect();
        let separator = self.separator.to_string();
        match (self.prefix, numbers.is_empty()) {
            ("", true) => "0".to_owned(),
            ("", false) => numbers.join(&separator),
            (prefix, true) => prefix.to_owned(),
            (prefix, false) => format!("{prefix}{separator}{}", numbers.join(&separator)),
        }
    }

    fn new(prefix: &'static str, separator: Option<&Json>, default: char) -> Result<Self> {
        let separator = match separator.and_then(Json::as_str) {
            None => default,
            Some("/") => '/',
            Some(".") => '.',
            Some(_) => {
                return Err(json::broken(
                    "the separator of names is neither / nor a dot",
                ));
            }
        };
        Ok(Self { prefix, separator })
    }
}

impl Meta {
    /// Reads the document of the array in a folder.
    pub(super) fn read(files: &dyn FileTree, folder: &str, limits: &Limits) -> Result<Self> {
        if let Some(document) = json::read(files, &inside(folder, "zarr.json"), limits)? {
            return Self::of_v3(&document);
        }
        let Some(document) = json::read(files, &inside(folder, ".zarray"), limits)? else {
            return Err(json::broken("there is neither zarr.json nor .zarray"));
        };
        let mut meta = Self::of_v2(&document)?;
        let attributes = json::read(files, &inside(folder, ".zattrs"), limits)?;
        meta.attributes = json::attributes(attributes.as_ref());
        Ok(meta)
    }

    fn of_v2(document: &Json) -> Result<Self> {
        let shape: Vec<u64> = json::numbers(json::field(document, "shape"))
            .ok_or_else(|| json::broken("shape is no list of lengths"))?;
        let chunkshape = json::numbers(json::field(document, "chunks"))
            .ok_or_else(|| json::broken("chunks is no list of lengths"))?;
        if json::field(document, "order").as_str() == Some("F") && shape.len() > 1 {
            return Err(Error::Mismatch {
                what: "order of the elements of a Zarr array",
                stored: "F".into(),
                asked: "C".into(),
            });
        }
        let dtype = dtype::of_v2(json::field(document, "dtype"))?;
        let stored = codecs::of_v2(document.get("compressor"), document.get("filters"))?;
        let names = Names::new("", document.get("dimension_separator"), '.')?;
        let chain = Chain {
            stored,
            checksum: false,
            order: '<',
        };
        Self::new(2, shape, chunkshape, &dtype, chain, names)?.filled(document)
    }

    fn of_v3(document: &Json) -> Result<Self> {
        let shape: Vec<u64> = json::numbers(json::field(document, "shape"))
            .ok_or_else(|| json::broken("shape is no list of lengths"))?;
        let grid = json::field(document, "chunk_grid");
        if json::field(grid, "name").as_str() != Some("regular") {
            return Err(Error::Mismatch {
                what: "Zarr chunk grid",
                stored: json::field(grid, "name").to_string().into(),
                asked: "regular".into(),
            });
        }
        let mut chunkshape: Vec<u64> = json::numbers(json::field(
            json::field(grid, "configuration"),
            "chunk_shape",
        ))
        .ok_or_else(|| json::broken("chunk_shape is no list of lengths"))?;
        let keys = json::field(document, "chunk_key_encoding");
        let separator = json::field(keys, "configuration").get("separator");
        let names = match keys.as_str().or_else(|| json::field(keys, "name").as_str()) {
            Some("v2") => Names::new("", separator, '.')?,
            Some("default") => Names::new("c", separator, '/')?,
            _ => return Err(json::broken("chunk_key_encoding is neither default nor v2")),
        };
        let ndim = shape.len();
        let (chain, shard) = match codecs::of_v3(json::field(document, "codecs"), ndim)? {
            Codecs::Chunk(chain) => (chain, None),
            Codecs::Shard(config) => {
                let inner: Vec<u64> = json::numbers(json::field(config, "chunk_shape"))
                    .ok_or_else(|| json::broken("chunk_shape of a shard is no list of lengths"))?;
                let shard = ShardMeta::new(config, &chunkshape, &inner)?;
                let Codecs::Chunk(chain) = codecs::of_v3(json::field(config, "codecs"), ndim)?
                else {
                    return Err(json::broken("shards are inside of shards"));
                };
                chunkshape = inner;
                (chain, Some(shard))
            }
        };
        let dtype = dtype::of_v3(json::field(document, "data_type"), chain.order)?;
        let mut meta = Self::new(3, shape, chunkshape, &dtype, chain, names)?.filled(document)?;
        meta.shard = shard;
        meta.attributes = json::attributes(document.get("attributes"));
        Ok(meta)
    }

    fn new(
        version: u8,
        shape: Vec<u64>,
        chunkshape: Vec<u64>,
        dtype: &str,
        chain: Chain,
        names: Names,
    ) -> Result<Self> {
        if chunkshape.len() != shape.len() {
            return Err(json::broken(
                "shape and chunks differ in their number of axes",
            ));
        }
        let dtype = Dtype::from_stored(dtype);
        let size = dtype.itemsize().and_then(|size| usize::try_from(size).ok());
        let Some(typesize) = size.filter(|&size| size > 0) else {
            return Err(Error::Mismatch {
                what: "Zarr data type",
                stored: dtype.as_str().into(),
                asked: "one whose elements have a fixed size".into(),
            });
        };
        Ok(Self {
            version,
            shape,
            chunkshape,
            dtype,
            typesize,
            chain,
            shard: None,
            fill: None,
            names,
            attributes: Vec::new(),
        })
    }

    fn filled(mut self, document: &Json) -> Result<Self> {
        self.fill = fill::element(document.get("fill_value"), &self.dtype, self.typesize);
        Ok(self)
    }
}

impl ShardMeta {
    fn new(config: &Json, shard: &[u64], inner: &[u64]) -> Result<Self> {
        let whole = shard.len() == inner.len()
            && shard
                .iter()
                .zip(inner)
                .all(|(&shard, &inner)| inner > 0 && shard.is_multiple_of(inner));
        if !whole {
            return Err(json::broken("a shard is no whole number of chunks"));
        }
        let index = match codecs::of_v3(json::field(config, "index_codecs"), 0)? {
            Codecs::Chunk(chain) if chain.stored == Stored::Raw => chain,
            _ => return Err(json::broken("the index of a shard is compressed")),
        };
        let at_end = match json::field(config, "index_location").as_str() {
            None | Some("end") => true,
            Some("start") => false,
            Some(_) => return Err(json::broken("index_location is neither start nor end")),
        };
        let lens = shard
            .iter()
            .zip(inner)
            .map(|(&shard, &inner)| shard / inner.max(1));
        Ok(Self {
            lens: lens.collect(),
            index,
            at_end,
        })
    }
}
