//! Execution policy: the calling thread alone, a rayon pool, or a parallel-for of the caller.
//!
//! Nothing here starts a thread unless asked to, and the bytes written never depend on the choice.

pub(crate) mod claim;
#[cfg(feature = "frame")]
pub(crate) mod lazy;
mod policy;
pub(crate) mod pool;
#[cfg(feature = "rayon")]
mod rayon;
pub(crate) mod sync;
pub(crate) mod work;

pub use policy::{ParallelFor, Threads};
