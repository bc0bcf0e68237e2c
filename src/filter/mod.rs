//! Filters: reversible rearrangements of a block that make it compress better
//! ([format §5](crate::format#5)).
//!
//! ```text
//!            slot 0    slot 1   ...   slot 5
//! block --> filter --> filter --> ... filter --> streams        compressing
//! block <-- filter <-- filter <-- ... filter <-- streams        decompressing
//! ```
//!
//! A filter maps a block of n bytes to n bytes. Filters never change sizes, never fail on data
//! and are independent of codecs.

#[cfg(feature = "bytedelta")]
mod bytedelta;
mod cells;
mod delta;
pub(crate) mod find;
pub(crate) mod hook;
pub(crate) mod id;
pub(crate) mod metalayer;
mod ndcell;
mod ndmean;
pub(crate) mod pipeline;
mod shuffle;
#[cfg(test)]
mod tests;
mod truncate;

pub use hook::{BlockContext, BlockFn};
pub use id::{FilterId, FilterSlot, MAX_FILTERS};

use std::fmt;

use oxiblosc_kernels::Kernels;

use crate::error::BoxError;

/// The context of a block for a filter.
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
    pub block: usize,
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

/// A filter. The built-in ones implement it, and users' own do: see
/// [`Registry`](crate::Registry) for one.
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
