//! The checker's locks and atomics under the names of `src/threads/sync.rs`, and how schedules are
//! explored.
//!
//! ```text
//! tests/claim.rs   src/threads/{claim,policy,pool}.rs   items, failures, cancelling, buffers
//! tests/ahead.rs   src/schunk/ahead.rs                  chunks decoded ahead of their reader
//! tests/encode.rs  src/chunk/encode/parallel.rs           blocks written in order, full, failures
//! tests/lazy.rs    src/threads/lazy.rs                  values that the first thread computes
//! ```
//!
//! A test states what holds for every schedule of 2 or 3 threads on 3 or 4 items. The checker runs
//! threads as coroutines and decides at every lock and atomic who goes on: depth first from the
//! first schedule, at random, and at random with few changes of priority, which finds rare orders.
//! A schedule in which all threads wait is a failure. Memory is sequentially consistent in it.

/// The names of `src/threads/sync.rs`, as the checker has them.
pub mod sync {
    pub use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard, PoisonError};

    /// Locks `mutex`.
    pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a mutex that no other thread holds.
    pub fn into_inner<T>(mutex: Mutex<T>) -> T {
        mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// A cell that is written once, with a choice of the schedule at each use.
    #[derive(Debug)]
    pub struct OnceLock<T> {
        turn: shuttle::sync::Mutex<()>,
        value: std::sync::OnceLock<T>,
    }

    impl<T> OnceLock<T> {
        /// An empty cell.
        #[must_use]
        pub const fn new() -> Self {
            Self {
                turn: shuttle::sync::Mutex::new(()),
                value: std::sync::OnceLock::new(),
            }
        }

        /// The value, if there is one.
        pub fn get(&self) -> Option<&T> {
            drop(lock(&self.turn));
            self.value.get()
        }

        /// The value; that of `init` when there is none.
        pub fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
            let turn = lock(&self.turn);
            let value = self.value.get_or_init(init);
            drop(turn);
            value
        }
    }

    impl<T> Default for OnceLock<T> {
        fn default() -> Self {
            Self::new()
        }
    }
}

/// Schedules of each kind; `OXIBLOSC_LONG=1` takes twenty times as many.
fn schedules() -> usize {
    match std::env::var("OXIBLOSC_LONG") {
        Ok(long) if long == "1" => 40_000,
        _ => 2_000,
    }
}

/// Runs `model` in many schedules.
pub fn explore(model: impl Fn() + Send + Sync + Copy + 'static) {
    let count = schedules();
    shuttle::check_dfs(model, Some(count));
    shuttle::check_random(model, count);
    shuttle::check_pct(model, count, 3);
}
