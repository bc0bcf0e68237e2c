//! Reading: from the selection through the blocks that it touches into the output.

pub(crate) mod chunkwise;
mod gather;
mod parallel;
pub(crate) mod parts;
mod pending;
mod points;
mod scatter;
mod single;
pub(crate) mod slice;
pub(crate) mod view;
pub(crate) mod wanted;
