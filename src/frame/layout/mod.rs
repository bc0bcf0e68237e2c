//! Bytes to fields and back: the parts of a frame but its chunks.

pub(super) mod contents;
pub(super) mod header;
pub(super) mod legacy;
pub(super) mod locking;
pub(super) mod lost;
pub(super) mod metadata;
pub(super) mod msgpack;
pub(super) mod offsets;
pub(super) mod params;
pub(super) mod seal;
#[cfg(feature = "serde")]
mod stored;
pub(super) mod trailer;
