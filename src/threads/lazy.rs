//! A value that the first thread that needs it computes.

use super::sync::OnceLock;
use crate::error::Result;

/// A value computed on first use. Threads that need it at the same time each compute it, none waits
/// for another, and all see the one that was stored first. A failure is not stored.
#[derive(Debug)]
pub(crate) struct Lazy<T>(OnceLock<T>);

impl<T> Lazy<T> {
    /// Without a value.
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The value, computed by `fill` when there is none.
    pub(crate) fn get_or_fill(&self, fill: impl FnOnce() -> Result<T>) -> Result<&T> {
        if let Some(value) = self.0.get() {
            return Ok(value);
        }
        let value = fill()?;
        Ok(self.0.get_or_init(|| value))
    }

    /// Removes the value.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }
}
