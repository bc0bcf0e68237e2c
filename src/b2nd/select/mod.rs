//! Selections of elements, and their runs in chunks and blocks.

pub(crate) mod axis;
pub(crate) mod indices;
pub(crate) mod per_axis;
pub(crate) mod plan;
pub(crate) mod selection;
