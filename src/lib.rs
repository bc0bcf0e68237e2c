//! Blosc2 in Rust: chunks, frames and n-dimensional arrays on hand-written SIMD kernels.
#![forbid(unsafe_code)]

pub mod codec;
pub mod error;
pub mod filter;
pub mod limits;
pub mod params;
pub mod registry;
#[cfg(feature = "frame")]
pub mod storage;
pub mod threads;

pub use oxiblosc_kernels as kernels;

pub use codec::CodecId;
pub use error::{Error, ErrorKind, Fault, Missing, Part, Result};
pub use filter::{FilterId, FilterSlot};
pub use limits::Limits;
pub use params::{CParams, DParams, SplitMode};
pub use registry::Registry;
pub use threads::Threads;
