//! From bytes to chunks.
//!
//! ```text
//! data -> [prefilter] -> cut into blocks -> block -> assemble or parallel, vlblocks -> chunk
//! ```

mod assemble;
mod block;
mod blosc1;
mod check;
mod dict;
mod encoder;
mod output;
mod parallel;
mod prefilter;
mod source;
mod special;
mod vlblocks;

pub use encoder::{ChunkEncoder, max_chunk_len};
