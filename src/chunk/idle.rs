//! What a dropped encoder or decoder leaves to the next one of its thread: buffers and codecs, so
//! that one made for a single chunk starts like one that is kept.
//!
//! ```text
//! ChunkDecoder::new   takes the idle worker of the thread, or an empty one
//! drop                puts the worker back, unless it is large
//! ```
//!
//! At most one worker is idle per thread, with at most [`MOST_KEPT`] bytes of buffers and codecs of
//! about half as much. Codecs of others and those with a dictionary are dropped at once.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use super::scratch::Worker;

/// The most bytes of buffers that an idle worker keeps.
const MOST_KEPT: usize = 1 << 20;

thread_local! {
    static IDLE: Cell<Option<Worker>> = const { Cell::new(None) };
}

/// The worker of an encoder or decoder, which leaves it to the next one.
#[derive(Debug)]
pub(crate) struct OwnWorker(Worker);

impl Default for OwnWorker {
    fn default() -> Self {
        // There is none while the thread ends.
        let idle = IDLE.try_with(Cell::take).ok().flatten();
        Self(idle.unwrap_or_default())
    }
}

impl Drop for OwnWorker {
    fn drop(&mut self) {
        let mut worker = std::mem::take(&mut self.0);
        worker.coders.keep_light();
        if worker.capacity() <= MOST_KEPT && !worker.is_unused() {
            // While the thread ends, the worker goes as well.
            let _ = IDLE.try_with(|idle| idle.set(Some(worker)));
        }
    }
}

impl Deref for OwnWorker {
    type Target = Worker;

    fn deref(&self) -> &Worker {
        &self.0
    }
}

impl DerefMut for OwnWorker {
    fn deref_mut(&mut self) -> &mut Worker {
        &mut self.0
    }
}
