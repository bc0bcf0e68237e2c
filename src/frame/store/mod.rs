//! The stores of frames: where the parts are, and how changes reach them.

pub(super) mod cache;
pub(super) mod commit;
pub(super) mod contiguous;
pub(super) mod located;
pub(super) mod names;
pub(super) mod sparse;
pub(super) mod traits;
pub(super) mod undo;
pub(super) mod watch;
