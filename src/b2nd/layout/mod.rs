//! Shapes, dtypes and the partition into chunks and blocks: arithmetic without data.

pub(crate) mod dtype;
pub(crate) mod grid;
pub(crate) mod meta;
pub(crate) mod params;
pub(crate) mod region;
pub(crate) mod rules;
pub(crate) mod shapes;
#[cfg(feature = "serde")]
mod stored;
