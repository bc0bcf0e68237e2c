//! Filters: reversible rearrangements of a block that make it compress better (format §5).
//!
//! ```text
//!            slot 0    slot 1   ...   slot 5
//! block --> filter --> filter --> ... filter --> streams        compressing
//! block <-- filter <-- filter <-- ... filter <-- streams        decompressing
//! ```
//!
//! A filter maps a block of n bytes to n bytes. Filters never change sizes, never fail on data
//! and know nothing of codecs.

#[cfg(feature = "bytedelta")]
mod bytedelta;
mod cells;
mod delta;
pub(crate) mod hook;
pub(crate) mod metalayer;
mod ndcell;
mod ndmean;
pub(crate) mod pipeline;
mod shuffle;
#[cfg(test)]
mod tests;
mod truncate;

pub use hook::{BlockContext, BlockFn};

use std::fmt;

use oxiblosc_kernels::Kernels;

use crate::error::BoxError;
use crate::registry::Registry;

/// The number of filter slots of a pipeline.
pub const MAX_FILTERS: usize = 6;

/// The id of a filter as stored in chunk and frame headers (format §5.10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilterId(u8);

impl FilterId {
    /// An empty slot.
    #[doc(alias = "BLOSC_NOFILTER")]
    pub const NONE: Self = Self(0);
    /// Byte shuffle.
    #[doc(alias = "BLOSC_SHUFFLE")]
    pub const SHUFFLE: Self = Self(1);
    /// Bit shuffle.
    #[doc(alias = "BLOSC_BITSHUFFLE")]
    pub const BITSHUFFLE: Self = Self(2);
    /// XOR against a reference block.
    #[doc(alias = "BLOSC_DELTA")]
    pub const DELTA: Self = Self(3);
    /// Zeroing of low mantissa bits; lossy.
    #[doc(alias = "BLOSC_TRUNC_PREC")]
    pub const TRUNC_PREC: Self = Self(4);
    /// Reordering of a block into n-dimensional cells.
    #[doc(alias = "BLOSC_FILTER_NDCELL")]
    pub const NDCELL: Self = Self(32);
    /// Mean over n-dimensional cells; lossy.
    #[doc(alias = "BLOSC_FILTER_NDMEAN")]
    pub const NDMEAN: Self = Self(33);
    /// Byte-wise differences as releases 2.8 and 2.9 wrote them; read only.
    pub const BYTEDELTA_BUGGY: Self = Self(34);
    /// Byte-wise differences within each byte plane.
    #[doc(alias = "BLOSC_FILTER_BYTEDELTA")]
    pub const BYTEDELTA: Self = Self(35);
    /// Zeroing of low integer bits; lossy.
    #[doc(alias = "BLOSC_FILTER_INT_TRUNC")]
    pub const INT_TRUNC: Self = Self(36);

    /// The id with this number, whoever defines it.
    pub const fn new(id: u8) -> Self {
        Self(id)
    }

    /// An id of the range 160 to 255, which is free for users.
    pub const fn user(id: u8) -> Option<Self> {
        if id >= 160 { Some(Self(id)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The name of a built-in filter.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "none",
            1 => "shuffle",
            2 => "bitshuffle",
            3 => "delta",
            4 => "trunc_prec",
            32 => "ndcell",
            33 => "ndmean",
            34 => "bytedelta_buggy",
            35 => "bytedelta",
            36 => "int_trunc",
            _ => return None,
        })
    }
}

impl fmt::Display for FilterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} ({name})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// One slot of a pipeline: a filter and its meta byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FilterSlot {
    /// The filter; [`FilterId::NONE`] for an empty slot.
    pub id: FilterId,
    /// The meta byte; its meaning is the filter's.
    pub meta: u8,
}

impl FilterSlot {
    /// An empty slot.
    pub const NONE: Self = Self::new(FilterId::NONE, 0);
    /// Byte shuffle by the typesize (format §5.2).
    pub const SHUFFLE: Self = Self::new(FilterId::SHUFFLE, 0);
    /// Bit shuffle (format §5.3).
    pub const BITSHUFFLE: Self = Self::new(FilterId::BITSHUFFLE, 0);
    /// XOR against the first block (format §5.4).
    #[doc(alias = "blosc2_set_delta")]
    pub const DELTA: Self = Self::new(FilterId::DELTA, 0);
    /// Byte-wise differences by the typesize (format §5.6).
    pub const BYTEDELTA: Self = Self::new(FilterId::BYTEDELTA, 0);

    /// A filter with its meta byte.
    pub const fn new(id: FilterId, meta: u8) -> Self {
        Self { id, meta }
    }

    /// Keeps `bits` mantissa bits of each float, or drops `-bits` if negative (format §5.5).
    pub const fn trunc_prec(bits: i8) -> Self {
        Self::new(FilterId::TRUNC_PREC, bits.cast_unsigned())
    }

    /// Keeps `bits` bits of each integer, or drops `-bits` if negative (format §5.7).
    pub const fn int_trunc(bits: i8) -> Self {
        Self::new(FilterId::INT_TRUNC, bits.cast_unsigned())
    }
}

/// What a filter is told about the block at hand.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct FilterContext<'a> {
    /// The meta byte of the slot.
    pub meta: u8,
    /// The stored typesize in bytes, 1 to 255.
    pub typesize: usize,
    /// The version byte of the chunk; 2 asks for the rules of Blosc1.
    pub version: u8,
    /// The index of the block within the chunk.
    pub block: u32,
    /// The position of the block within the decoded chunk, in bytes.
    pub offset: usize,
    /// The first block as a decoder reconstructs it; `None` while the first block itself is
    /// at work. At least as long as the block.
    pub reference: Option<&'a [u8]>,
    /// The content of the `b2nd` metalayer, when the chunk belongs to an array.
    pub b2nd: Option<&'a [u8]>,
    /// The kernels of the encoder or decoder.
    pub kernels: Kernels,
}

/// A filter. The built-in ones implement it, and users' own do.
pub trait Filter: fmt::Debug + Send + Sync + 'static {
    /// The id that chunks store.
    fn id(&self) -> FilterId;

    /// The name, for reports.
    fn name(&self) -> &str;

    /// Whether `backward` undoes `forward` exactly. True by default.
    fn is_lossless(&self) -> bool {
        true
    }

    /// Filters a block for compression: fills all of `dst`, which is as long as `src`.
    ///
    /// # Errors
    /// When the meta byte or the typesize does not suit the filter.
    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError>;

    /// Undoes [`forward`](Self::forward): fills all of `dst`, which is as long as `src`.
    ///
    /// # Errors
    /// When the meta byte or the typesize does not suit the filter.
    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError>;
}

/// The filter with this id: the user's own, or else a built-in one. `None` for ids nobody knows,
/// for those whose feature is off, and for [`FilterId::NONE`].
pub(crate) fn find(registry: Option<&Registry>, id: FilterId) -> Option<&dyn Filter> {
    if id.get() >= 32
        && let Some(filter) = registry.and_then(|registry| registry.filter(id))
    {
        return Some(filter);
    }
    Some(match id {
        FilterId::SHUFFLE => &shuffle::Shuffle,
        FilterId::BITSHUFFLE => &shuffle::Bitshuffle,
        FilterId::DELTA => &delta::Delta,
        FilterId::TRUNC_PREC => &truncate::TruncPrec,
        FilterId::NDCELL => &ndcell::Ndcell,
        FilterId::NDMEAN => &ndmean::Ndmean,
        #[cfg(feature = "bytedelta")]
        FilterId::BYTEDELTA_BUGGY => &bytedelta::BytedeltaBuggy,
        #[cfg(feature = "bytedelta")]
        FilterId::BYTEDELTA => &bytedelta::Bytedelta,
        FilterId::INT_TRUNC => &truncate::IntTrunc,
        _ => return None,
    })
}

/// Refuses an output that is not as long as the input.
fn same_len(src: &[u8], dst: &[u8]) -> Result<(), BoxError> {
    if src.len() == dst.len() {
        return Ok(());
    }
    Err(format!(
        "the output has {} bytes, the input {}",
        dst.len(),
        src.len()
    )
    .into())
}

/// Refuses a typesize of 0.
fn typesize(cx: &FilterContext<'_>) -> Result<(), BoxError> {
    if cx.typesize > 0 {
        return Ok(());
    }
    Err("the typesize is 0, at least 1 is needed".into())
}
