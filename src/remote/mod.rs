//! Arrays and frames that are somewhere else, read without doing any I/O here.
//!
//! ```
//! use oxiblosc::b2nd::{Array, ArrayParams};
//! use oxiblosc::remote::{FrameOpen, ReadPolicy};
//! use oxiblosc::DParams;
//!
//! # let numbers: Vec<i32> = (0..10_000).collect();
//! # let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>([100, 100]))?;
//! # let object = array.schunk().to_cframe()?;
//! // `fetch` asks for ranges of an object: over HTTP, from a bucket, with any runtime.
//! let fetch = |range: std::ops::Range<u64>| {
//!     object[range.start as usize..range.end as usize].to_vec()
//! };
//!
//! let mut open = FrameOpen::new(object.len() as u64, DParams::new());
//! loop {
//!     let ranges = open.needs()?;
//!     if ranges.is_empty() {
//!         break;
//!     }
//!     for range in ranges {
//!         open.give(range.start, fetch(range)); // at once, where there are several
//!     }
//! }
//! let array = Array::open_in(open.finish()?)?;
//!
//! let mut read = array.plan_read((7, ..), &ReadPolicy::default())?;
//! let mut row = vec![0; read.nbytes()];
//! while read.finish_into(&mut row)?.is_none() {
//!     for range in read.needs()? {
//!         read.give(range.start, fetch(range));
//!     }
//! }
//! assert_eq!(row[..4], 700_i32.to_le_bytes());
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! A [`FrameOpen`] or a [`RemoteRead`] says which ranges of bytes it needs, all those of one round
//! at once, and takes them in any order. How they are fetched is the caller's: threads, an async
//! runtime, a browser. [`FrameOpen::fetch_from`] and [`RemoteRead::fetch_from`] do it from a
//! [`ReadAt`](crate::storage::ReadAt), such as one that a program for object stores implements.
//!
//! # What a read fetches
//!
//! The shape of the array tells which blocks of which chunks a selection touches. A chunk of which
//! much is wanted, or a small one, is fetched as a whole in the first round. Of the others the
//! first round has the header with the table of blocks, the second one the blocks. Ranges with
//! small gaps between them are joined, long ones are cut. [`ReadPolicy`] has the prices that
//! decide.
//!
//! [`RemoteRead::decode_held_into`] decodes chunks as they arrive, while others are under way, and
//! lets go of their bytes; without it, the end decodes all of them.
//!
//! A plan changes how fast a read is, never its result: what it has forgotten is asked for in
//! another round. What was fetched stays in the array up to
//! [`DParams::cache_bytes`](crate::DParams::cache_bytes) and serves later reads.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod fetch;
mod open;
mod policy;
mod read;

pub use open::FrameOpen;
pub use policy::ReadPolicy;
pub use read::RemoteRead;

use crate::b2nd::Array;
use crate::frame::{Contiguous, FrameReader};
use crate::storage::Pieces;

/// A contiguous frame of which pieces are held.
pub type RemoteFrame = FrameReader<Contiguous<Pieces>>;

/// An array in such a frame.
pub type RemoteArray = Array<RemoteFrame>;
