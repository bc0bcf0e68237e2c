//! The atomics and locks of claiming, imported through this module alone: a model checker (loom,
//! shuttle) replaces them here.

pub(super) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub(super) use std::sync::{Mutex, MutexGuard};

/// Locks `mutex`. Poisoning is ignored: the panic that caused it propagates on its own thread.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The value of a mutex that no other thread holds.
pub(super) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
