//! One block: the pipeline, the streams and the codec, both directions.
//!
//! ```text
//! encode   block --filters--> filtered block --cut--> streams --codec--> dst
//! decode   chunk --codec----> streams --filters--> block
//! ```
//!
//! Each direction goes over a block once. Encoding, the last byte shuffle tells which streams
//! are runs; decoding, the first byte unshuffle reads raw streams where they lie in the chunk and
//! runs from no memory at all, and the last filter writes where the caller wants the block.

mod decode;
mod encode;
mod part;

/// The most streams of a block, and so the most planes of its items.
const MAX_STREAMS: usize = 255;
/// The number of streams up to which tables of them are small: larger ones take longer to write than
/// short blocks to code.
const FEW_STREAMS: usize = 16;

pub(crate) use decode::BlockDecoder;
pub(crate) use encode::BlockEncoder;
#[cfg(feature = "b2nd")]
pub(crate) use part::Rows;
pub(crate) use part::{Extent, decode_some};
