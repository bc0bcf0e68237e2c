//! Writing frames: appending, changing, committing, sealing, compacting.

pub(super) mod append;
pub(super) mod cframe;
pub(super) mod compact;
pub(super) mod edit;
pub(super) mod seal;
pub(super) mod writer;
