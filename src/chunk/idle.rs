//! What a dropped encoder or decoder leaves to the next one of its thread: buffers and codecs, so
//! that one made for a single chunk starts like one that is kept.
//!
//! ```text
//! first use   takes the idle worker of the thread, or makes one
//! drop        puts the worker back, unless it is large
//! ```
//!
//! At most one worker is idle per thread, with at most [`MOST_KEPT`] bytes of buffers and codecs of
//! about half as much. Codecs of others and those with a dictionary are dropped at once.

use std::cell::Cell;

use super::scratch::Worker;

/// The most bytes of buffers that an idle worker keeps.
const MOST_KEPT: usize = 1 << 20;

thread_local! {
    static IDLE: Cell<Option<Box<Worker>>> = const { Cell::new(None) };
}

/// The worker of an encoder or decoder, which leaves it to the next one.
#[derive(Debug, Default)]
pub(crate) struct OwnWorker(Option<Box<Worker>>);

impl OwnWorker {
    /// The worker.
    #[inline]
    pub(crate) fn get(&mut self) -> &mut Worker {
        self.0.get_or_insert_with(|| {
            // There is none while the thread ends.
            let idle = IDLE.try_with(Cell::take).ok().flatten();
            idle.unwrap_or_default()
        })
    }
}

impl Drop for OwnWorker {
    fn drop(&mut self) {
        let Some(mut worker) = self.0.take() else {
            return;
        };
        worker.coders.keep_light();
        if worker.capacity() <= MOST_KEPT {
            // While the thread ends, the worker goes as well.
            let _ = IDLE.try_with(|idle| idle.set(Some(worker)));
        }
    }
}
