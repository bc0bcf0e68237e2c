//! Rayon as a provider of threads: a pool, or that of the calling thread.

use std::sync::Arc;

use ::rayon::{ThreadPool, ThreadPoolBuilder};
use oxiblosc_kernels::lend;

use crate::error::{Error, Result};

/// A pool of `count` threads.
pub(super) fn start(count: usize) -> Result<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(count)
        .thread_name(|index| format!("oxiblosc-{index}"))
        .build();
    let refused = |_| Error::refused("start a pool of threads", "the system starts no more");
    pool.map(Arc::new).map_err(refused)
}

/// The number of threads.
pub(super) fn count(pool: Option<&Arc<ThreadPool>>) -> usize {
    pool.map_or_else(::rayon::current_num_threads, |pool| {
        pool.current_num_threads()
    })
}

/// Runs `work` on the calling thread and, as soon as they are free, on `helpers` others. No thread
/// that has not begun by the end is waited for.
pub(super) fn run(pool: Option<&Arc<ThreadPool>>, helpers: usize, work: &(dyn Fn() + Sync)) {
    lend(work, |helper| {
        for _ in 0..helpers {
            let helper = helper.clone();
            spawn(pool, move || helper.help());
        }
    });
}

/// Starts `work` on another thread.
pub(super) fn spawn(pool: Option<&Arc<ThreadPool>>, work: impl FnOnce() + Send + 'static) {
    match pool {
        Some(pool) => pool.spawn(work),
        None => ::rayon::spawn(work),
    }
}
