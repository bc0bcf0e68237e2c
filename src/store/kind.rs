//! The kind of an object, by its metalayers ([format §17](crate::format#17)).

use std::fmt;

use super::tensor::PACKED;
use super::value::Value;
use crate::b2nd::{METALAYER, METALAYER_CATERVA};
use crate::error::Result;
use crate::schunk::{ChunkSource, Metalayers};

/// The metalayer of objects that python-blosc2 builds from a recipe or a reference.
pub(super) const RECIPE: &str = "b2o";
/// The metalayer of a lazy function in Python.
pub(super) const LAZY_ARRAY: &str = "LazyArray";
/// The metalayer of a cache of another array.
pub(super) const PROXY: &str = "proxy-source";
/// The metalayers of stores.
pub(super) const STORES: [(&str, Kind); 3] = [
    ("b2embed", Kind::EmbedStore),
    ("b2dict", Kind::DictStore),
    ("b2tree", Kind::TreeStore),
];
/// The metalayer of an object array.
pub(super) const OBJECTS: &str = "vlarray";
/// The metalayer of objects in batches.
pub(super) const BATCHES: &str = "batcharray";
/// The metalayer of lists, beside one of the two above.
pub(super) const LISTS: &str = "listarray";

/// The kind of an object in a store, or of a single frame.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A group: other objects are below it.
    Group,
    /// A table (`CTable`), whose columns are below it.
    Table,
    /// An n-dimensional array.
    Array,
    /// A super-chunk of items without further meaning.
    SChunk,
    /// An array or tensor of `save_array`, `pack_tensor` and the like.
    Tensor,
    /// Objects of variable length (`ObjectArray`).
    ObjectArray,
    /// Objects of variable length in batches (`BatchArray`).
    BatchArray,
    /// Lists (`ListArray`).
    ListArray,
    /// A Zarr array.
    ZarrArray,
    /// An embedded store (`EmbedStore`).
    EmbedStore,
    /// The embedded part of a `DictStore`.
    DictStore,
    /// The embedded part of a `TreeStore`.
    TreeStore,
    /// An expression over other arrays, without data of its own.
    LazyExpr,
    /// A function of other arrays, without data of its own.
    LazyUdf,
    /// A reference to an array on a server.
    C2Array,
    /// A reference to a remote array, perhaps with a cache of some chunks.
    RemoteArray,
    /// A cache of another array, of which some or all chunks are there.
    Proxy,
    /// A recipe or reference of a kind that this version does not know.
    OtherRecipe,
}

impl Kind {
    /// The kind of a super-chunk. Only metalayers are read, no chunk.
    ///
    /// ```
    /// use oxiblosc::store::Kind;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// let array = Array::zeros(&ArrayParams::new::<u8>(&[5, 5]))?;
    /// assert_eq!(Kind::of(array.schunk())?, Kind::Array);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// When a vlmetalayer that names the kind cannot be decoded.
    pub fn of(source: &(impl ChunkSource + ?Sized)) -> Result<Self> {
        let metalayers = source.metalayers();
        let has = |name: &str| metalayers.get(name).is_some();
        if let Some(content) = metalayers.get(RECIPE) {
            return Ok(Self::of_recipe(content, source));
        }
        if has(LAZY_ARRAY) {
            return Ok(Self::LazyUdf);
        }
        if has(PROXY) {
            return Ok(Self::Proxy);
        }
        if let Some(kind) = Self::of_store(metalayers) {
            return Ok(kind);
        }
        if has(LISTS) {
            return Ok(Self::ListArray);
        }
        if has(BATCHES) {
            return Ok(Self::BatchArray);
        }
        if has(OBJECTS) {
            return Ok(Self::ObjectArray);
        }
        if has(METALAYER) || has(METALAYER_CATERVA) {
            return Ok(Self::Array);
        }
        if source.vlmetalayer(PACKED)?.is_some() {
            return Ok(Self::Tensor);
        }
        Ok(Self::SChunk)
    }

    /// The kind of store that a frame embeds.
    pub(super) fn of_store(metalayers: &Metalayers) -> Option<Self> {
        let found = STORES
            .iter()
            .find(|(name, _)| metalayers.get(name).is_some());
        found.map(|&(_, kind)| kind)
    }

    fn of_recipe(content: &[u8], source: &(impl ChunkSource + ?Sized)) -> Self {
        let value = Value::decode(content, &source.dparams().limits).ok();
        let kind = value.as_ref().and_then(|value| value.get("kind")?.as_str());
        match kind {
            Some("lazyexpr") => Self::LazyExpr,
            Some("lazyudf") => Self::LazyUdf,
            Some("c2array") => Self::C2Array,
            Some("remote_array") => Self::RemoteArray,
            _ => Self::OtherRecipe,
        }
    }

    /// Whether objects of this kind state how or where to get data, instead of holding it.
    ///
    /// Their chunks decode to zeros, which are not the data. [`Kind::Proxy`] is not among them: it
    /// may hold all chunks.
    pub fn is_recipe(self) -> bool {
        matches!(
            self,
            Self::LazyExpr | Self::LazyUdf | Self::C2Array | Self::RemoteArray | Self::OtherRecipe
        )
    }

    /// Whether other objects are below this one.
    pub fn is_group(self) -> bool {
        matches!(self, Self::Group | Self::Table)
    }

    /// The name, as messages and lists show it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Table => "table",
            Self::Array => "array",
            Self::SChunk => "schunk",
            Self::Tensor => "tensor",
            Self::ObjectArray => "object array",
            Self::BatchArray => "batch array",
            Self::ListArray => "list array",
            Self::ZarrArray => "zarr array",
            Self::EmbedStore => "embed store",
            Self::DictStore => "dict store",
            Self::TreeStore => "tree store",
            Self::LazyExpr => "lazy expression",
            Self::LazyUdf => "lazy function",
            Self::C2Array => "remote reference",
            Self::RemoteArray => "remote array",
            Self::Proxy => "proxy",
            Self::OtherRecipe => "recipe",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
