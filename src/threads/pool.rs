//! Values that threads reuse from call to call.

use super::sync::{Mutex, lock};

/// Idle values, such as the buffers and codec states of a thread. A value is created only when all
/// others are in use, so a pool holds no more of them than threads have worked at once.
#[derive(Debug)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Pool<T> {
    /// An empty pool.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Runs `work` with an idle value, or with a new one from `make`, and keeps the value.
    pub(crate) fn with<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let mut value = self.take().unwrap_or_else(make);
        let done = work(&mut value);
        self.put(value);
        done
    }

    /// Removes an idle value.
    pub(crate) fn take(&self) -> Option<T> {
        lock(&self.0).pop()
    }

    /// Keeps a value for a later call.
    pub(crate) fn put(&self, value: T) {
        lock(&self.0).push(value);
    }
}
