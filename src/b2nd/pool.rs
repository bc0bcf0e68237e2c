//! Objects kept between calls, so that their buffers are allocated once.

use std::sync::{Mutex, PoisonError};

/// Idle objects: at most as many as there were threads that used one at the same time.
#[derive(Debug)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// An idle object, if there is one.
    pub(crate) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps an object for the next call.
    pub(crate) fn put(&self, object: T) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(object);
    }
}
