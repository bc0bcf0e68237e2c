//! The built command, run as a process.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

mod arrays;
mod bench;
mod bombs;
mod bytes;
mod careful;
mod common;
mod compare;
mod containers;
mod environment;
mod frames;
mod habits;
#[cfg(feature = "hdf5")]
mod hdf5;
mod info;
mod locks;
mod package;
mod parts;
mod salvage;
mod silence;
mod stores;
mod tune;
