//! Threads: pools by their size, made at the first call that wants one, and the callback.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

use oxiblosc::Threads;
use oxiblosc::threads::ParallelFor;

use crate::abi::blosc_threads_callback;
use crate::boundary::{Answer, guard};

/// The pools of this process and the callback, which has priority.
struct Pools {
    /// The forks that led here when the pools were made.
    forks: u64,
    by_count: BTreeMap<i16, Threads>,
    callback: Option<(blosc_threads_callback, Data)>,
}

/// The caller's data for the callback.
#[derive(Clone, Copy, Debug)]
struct Data(*mut c_void);

// SAFETY: the pointer is handed back to the caller's function and never followed here.
unsafe impl Send for Data {}
// SAFETY: as above; nothing that it names is used through a shared reference.
unsafe impl Sync for Data {}

static POOLS: Mutex<Pools> = Mutex::new(Pools {
    forks: 0,
    by_count: BTreeMap::new(),
    callback: None,
});

/// How often this process was forked off since the first pool.
static FORKS: AtomicU64 = AtomicU64::new(0);

extern "C" fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Counts the forks from now on.
fn count_forks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without memory for it, children use the pools of their parent, which is slow and right.
        // SAFETY: the handler adds to an atomic number, which is allowed in the child of a fork.
        let _ = unsafe { libc::pthread_atfork(None, None, Some(forked)) };
    });
}

/// The threads for a call with `count` of them. Contexts share a pool for each number: a program
/// with a thousand contexts of four threads has four threads, not four thousand.
///
/// # Errors
/// When the system starts no more threads.
pub(crate) fn policy(count: i16) -> Answer<Threads> {
    if count < 2 {
        return Ok(Threads::Serial);
    }
    count_forks();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((callback, data)) = pools.callback {
        let threads = Callback {
            count: usize::try_from(count).unwrap_or(1),
            callback,
            data,
        };
        return Ok(Threads::External(Arc::new(threads)));
    }
    let forks = FORKS.load(Ordering::Relaxed);
    if pools.forks != forks {
        // Their threads are in the parent.
        for (_, dead) in std::mem::take(&mut pools.by_count) {
            std::mem::forget(dead);
        }
        pools.forks = forks;
    }
    if let Some(threads) = pools.by_count.get(&count) {
        return Ok(threads.clone());
    }
    let threads = Threads::new(usize::try_from(count)?)?;
    pools.by_count.insert(count, threads.clone());
    Ok(threads)
}

/// A number that grows when threads that were handed out before should no longer be used.
pub(crate) fn age() -> u64 {
    FORKS.load(Ordering::Relaxed) + CALLBACKS.load(Ordering::Relaxed)
}

/// How often the callback was set.
static CALLBACKS: AtomicU64 = AtomicU64::new(0);

/// Gives up the pools; contexts that use one keep it.
pub(super) fn release() {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let forks = FORKS.load(Ordering::Relaxed);
    for (_, threads) in std::mem::take(&mut pools.by_count) {
        if pools.forks != forks {
            std::mem::forget(threads);
        }
    }
}

/// The threads of the caller.
#[derive(Debug)]
struct Callback {
    count: usize,
    callback: blosc_threads_callback,
    data: Data,
}

/// One job for the callback.
struct Job<'a> {
    work: &'a (dyn Fn() + Sync),
}

unsafe extern "C" fn run_job(job: *mut c_void) {
    // SAFETY: `run` passes an array of `Job` and waits until all have run.
    let job = unsafe { &*job.cast::<Job<'_>>().cast_const() };
    // The operation itself notices that a job has not done its part.
    guard((), || (job.work)());
}

impl ParallelFor for Callback {
    fn count(&self) -> usize {
        self.count
    }

    fn run(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        let mut jobs: Vec<Job<'_>> = (0..=helpers).map(|_| Job { work }).collect();
        let count = c_int::try_from(jobs.len()).unwrap_or(1);
        // SAFETY: the callback calls `run_job` once for each of the `count` jobs and returns when
        // all calls have, as its documentation demands; the jobs outlive it.
        unsafe {
            (self.callback)(
                self.data.0,
                Some(run_job),
                count,
                size_of::<Job<'_>>(),
                jobs.as_mut_ptr().cast::<c_void>(),
            );
        }
    }
}

/// Sets the function that runs jobs in place of this library's threads; null for the latter.
///
/// # Safety
/// `callback` is null or such a function, and `callback_data` what it expects, as long as the
/// library is used.
#[unsafe(export_name = symbol!("blosc2_set_threads_callback"))]
pub unsafe extern "C" fn blosc2_set_threads_callback(
    callback: Option<blosc_threads_callback>,
    callback_data: *mut c_void,
) {
    guard((), || {
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        pools.callback = callback.map(|callback| (callback, Data(callback_data)));
        CALLBACKS.fetch_add(1, Ordering::Relaxed);
    });
}
