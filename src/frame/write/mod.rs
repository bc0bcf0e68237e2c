//! Writing frames: appending, changing, committing, sealing, compacting.

pub(super) mod any;
pub(super) mod append;
pub(super) mod cframe;
pub(super) mod change;
pub(super) mod compact;
pub(super) mod dropped;
pub(super) mod edit;
pub(super) mod end;
pub(super) mod meta;
pub(super) mod seal;
pub(super) mod turn;
pub(super) mod writer;
