//! Reading frames: opening, chunks, parts of chunks, streams of items, checks.

pub(super) mod any;
pub(super) mod check;
pub(super) mod current;
pub(super) mod cursor;
pub(super) mod lazy;
pub(super) mod open;
pub(super) mod partial_read;
pub(super) mod places;
pub(super) mod reader;
pub(super) mod sniff;
pub(super) mod source;
pub(super) mod verify;
