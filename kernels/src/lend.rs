//! Work that is lent to threads which may come late, or never.
//!
//! ```text
//! calling thread   lend | work . . . . . . . | take back, wait for calls that run | return
//! helper                    . . | work . . . |
//! helper                                                                     . . | nothing
//! ```
//!
//! A scope of threads waits until every task in it has run, also those that no thread has begun: a
//! busy pool delays its caller, and one whose threads are gone, because the process is the child of
//! a fork, never lets it return. Here the caller waits only for threads that are at work.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;
use core::panic::AssertUnwindSafe;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The work of a call of [`lend`], for another thread. It may outlive the call.
#[derive(Clone)]
pub struct Helper(Arc<Desk>);

struct Desk {
    state: Mutex<State>,
    /// A helper has left.
    left: Condvar,
}

struct State {
    /// The work, until the call takes it back.
    work: Option<&'static (dyn Fn() + Sync)>,
    /// How many helpers are at work.
    running: usize,
    /// The first panic of a helper.
    panic: Option<Box<dyn Any + Send>>,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Helper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Helper({} at work)", self.0.lock().running)
    }
}

impl Helper {
    /// Calls the work, unless the call that lends it has taken it back. Never panics: a panic of
    /// the work continues on the thread that lends it.
    pub fn help(&self) {
        let mut state = self.0.lock();
        let Some(work) = state.work else {
            return;
        };
        state.running += 1;
        drop(state);
        let done = catch_unwind(AssertUnwindSafe(work));
        let mut state = self.0.lock();
        if let Err(panic) = done {
            state.panic.get_or_insert(panic);
        }
        state.running -= 1;
        drop(state);
        self.0.left.notify_all();
    }
}

/// Takes the work back: no helper begins it any more, and none is at work.
struct TakeBack<'a>(&'a Desk);

impl Drop for TakeBack<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.work = None;
        while state.running > 0 {
            let next = self.0.left.wait(state);
            state = next.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Calls `ask` with a [`Helper`], which it gives to other threads; then `work` on this thread.
/// Returns when that call and those of helpers have returned; a helper that comes later does
/// nothing.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use oxiblosc_kernels::lend;
///
/// let left = AtomicUsize::new(100);
/// let take = |n: usize| n.checked_sub(1);
/// let work = || while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {};
/// lend(&work, |helper| drop(std::thread::spawn(move || helper.help())));
/// assert_eq!(left.into_inner(), 0);
/// ```
///
/// # Panics
/// With the panic of `work`, of `ask`, or of a helper.
pub fn lend(work: &(dyn Fn() + Sync), ask: impl FnOnce(Helper)) {
    // SAFETY: `take_back` ends every use of the longer lifetime before `work` is invalid: helpers
    // copy the reference only to call it, are counted in `running` from before that copy until
    // after the call, and find `None` once `take_back` is dropped, which waits for `running` to be
    // 0 when this function returns and when it unwinds.
    let forever: &'static (dyn Fn() + Sync) = unsafe { core::mem::transmute(work) };
    let desk = Arc::new(Desk {
        state: Mutex::new(State {
            work: Some(forever),
            running: 0,
            panic: None,
        }),
        left: Condvar::new(),
    });
    let take_back = TakeBack(&desk);
    ask(Helper(Arc::clone(&desk)));
    work();
    drop(take_back);
    let panic = desk.lock().panic.take();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}
