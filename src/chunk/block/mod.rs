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

pub(crate) use decode::BlockDecoder;
pub(crate) use encode::BlockEncoder;
#[cfg(feature = "b2nd")]
pub(crate) use part::Rows;
pub(crate) use part::{Extent, decode_some};
