//! Super-chunks.

pub(crate) mod lazy;
