//! Selections of elements, and their runs in chunks and blocks.

pub(crate) mod axis;
pub(crate) mod plan;
