//! The atomics and locks of what threads share, imported through this module alone: in the crate
//! `tests/model` those of a model checker stand here, beside the same files.

pub(super) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
#[cfg(feature = "frame")]
pub(crate) use std::sync::{Condvar, OnceLock};
pub(crate) use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`. Poisoning is ignored: the panic that caused it propagates on its own thread.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a mutex that no other thread holds.
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
