//! Rows at the end of an array that are not in chunks yet.
//!
//! ```text
//! rows   0 ........ first ......... shape[0]
//!        in chunks      | in memory |          until the chunks of these rows are full,
//!                                              or something else needs them stored
//! ```

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most bytes of rows that wait for their chunks to be full.
pub(crate) const MOST_PENDING: usize = 64 << 20;

/// Appended rows that wait for their chunks to be full.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// The elements in C order.
    pub(crate) bytes: Vec<u8>,
    /// The index of the first row.
    pub(crate) first: u64,
    /// The size of a row in bytes.
    pub(crate) row: usize,
    /// How many more bytes there is room for.
    pub(crate) room: usize,
    /// The number of the first chunk that holds some of the rows.
    pub(crate) first_chunk: u64,
    /// The chunks of the rows, uncompressed, of which someone has read.
    pub(crate) chunks: Box<[OnceLock<Vec<u8>>]>,
    /// Whether storing the rows has failed.
    pub(crate) failed: bool,
    /// Whether there is such a chunk.
    built: AtomicBool,
}

impl Tail {
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether whole rows of this many bytes fit and leave room for more.
    pub(crate) fn takes(&self, len: usize) -> bool {
        len < self.room && len.checked_rem(self.row) == Some(0)
    }

    /// The place of the uncompressed chunk, when it holds some of the rows.
    pub(crate) fn chunk(&self, nchunk: u64) -> Option<&OnceLock<Vec<u8>>> {
        if self.is_empty() {
            return None;
        }
        let at = usize::try_from(nchunk.checked_sub(self.first_chunk)?).ok()?;
        self.chunks.get(at)
    }

    /// Notes that a chunk was made for a reader.
    pub(crate) fn note_built(&self) {
        self.built.store(true, Ordering::Relaxed);
    }

    /// The chunks that were made for readers, with their numbers.
    pub(crate) fn built(&mut self) -> impl Iterator<Item = (u64, &mut Vec<u8>)> {
        let any = *self.built.get_mut();
        let chunks = if any { &mut *self.chunks } else { &mut [] };
        let numbers = self.first_chunk..;
        let made = numbers.zip(chunks);
        made.filter_map(|(nchunk, chunk)| chunk.get_mut().map(|chunk| (nchunk, chunk)))
    }

    /// Forgets the rows, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = Self {
            bytes,
            ..Self::default()
        };
    }
}
