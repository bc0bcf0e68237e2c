//! Claiming: threads take items from one list until none is left.
//!
//! ```text
//! calling thread   | 0 | 1 |   3   | 4 | 6 |          each free thread claims the next items
//! helper     ...... woken | 2 |   5     | 7 |
//! ```
//!
//! The list is an iterator protected by a lock, claimed in order: with one helper or fifteen, late
//! or never, every item is claimed exactly once. A failure cancels the items not yet claimed.

use super::policy::Threads;
use super::pool::Pool;
use super::sync::{AtomicBool, AtomicUsize, Mutex, Ordering, into_inner, lock};
use crate::error::{Error, Result};

/// About how many bytes of data a thread claims at once, when blocks are smaller.
const GRAIN: usize = 64 << 10;

/// How many blocks of this size a thread claims at once.
pub(crate) fn blocks_at_once(blocksize: usize, nblocks: usize, helpers: usize) -> usize {
    let most = nblocks / (4 * (helpers + 1));
    (GRAIN / blocksize.max(1)).min(most).max(1)
}

/// The threads that share the items of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Helpers<'a> {
    pub(crate) threads: &'a Threads,
    /// How many threads to wake beside the calling one.
    pub(crate) count: usize,
    /// How many items a thread claims at once.
    pub(crate) at_once: usize,
}

/// The tools (buffers, codec states) of one thread, which can tell the number of the thread.
pub(crate) trait Numbered {
    /// Sets the number of the thread that works with these tools from now on.
    fn set_thread(&mut self, thread: usize);
}

/// The tools that threads work with.
#[derive(Debug)]
pub(crate) struct Tools<'a, T> {
    /// Those of the calling thread where it works alone; they keep the number that they have.
    pub(crate) own: &'a mut T,
    /// Those of all threads otherwise.
    pub(crate) pool: &'a Pool<T>,
}

/// Runs `work` on every item: as a plain loop without helpers, else on the calling thread and on
/// as many helpers as are free.
///
/// # Errors
/// The failure of the first item, in the order of the iterator, that fails.
#[inline]
pub(crate) fn for_each<T, I>(
    helpers: Helpers<'_>,
    tools: Tools<'_, T>,
    mut items: I,
    work: impl Fn(&mut T, I::Item) -> Result<()> + Sync,
) -> Result<()>
where
    T: Default + Numbered + Send,
    I: Iterator<Item: Send> + Send,
{
    let Tools { own, pool } = tools;
    if helpers.count == 0 {
        return items.try_for_each(|item| work(own, item));
    }
    share_pooled(helpers, pool, items, work)
}

/// [`share_out`] with tools from a pool, which get the numbers of their threads.
pub(crate) fn share_pooled<T, I>(
    helpers: Helpers<'_>,
    pool: &Pool<T>,
    items: I,
    work: impl Fn(&mut T, I::Item) -> Result<()> + Sync,
) -> Result<()>
where
    T: Default + Numbered + Send,
    I: Iterator<Item: Send> + Send,
{
    let with_tools = |thread, run: &mut dyn FnMut(&mut T)| {
        pool.with(T::default, |tools| {
            tools.set_thread(thread);
            run(tools);
        });
    };
    share_out(helpers, items, with_tools, work)
}

/// Runs `work` on every item, on the calling thread and on as many helpers as are free. A thread
/// that claims an item calls `with_tools` with its number, from 0 to that of the helpers, which
/// passes its tools to the loop.
///
/// # Errors
/// The failure of the first item, in the order of the iterator, that fails: those before it were
/// claimed before it, and a claimed item is completed unless one before it fails.
///
/// # Panics
/// When `work` panicked on a thread of the caller that caught it: items are then missing.
#[inline(never)]
pub(crate) fn share_out<I: Iterator + Send, T>(
    helpers: Helpers<'_>,
    items: I,
    with_tools: impl Fn(usize, &mut dyn FnMut(&mut T)) + Sync,
    work: impl Fn(&mut T, I::Item) -> Result<()> + Sync,
) -> Result<()> {
    let items = Mutex::new(items.enumerate());
    let failed = AtomicBool::new(false);
    let (started, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let first_failure: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let claim = |batch: &mut Vec<(usize, I::Item)>| {
        batch.clear();
        if !failed.load(Ordering::Relaxed) {
            batch.extend(lock(&items).by_ref().take(helpers.at_once));
        }
        !batch.is_empty()
    };
    let record = |index: usize, error: Error| {
        failed.store(true, Ordering::Relaxed);
        let mut first = lock(&first_failure);
        if first.as_ref().is_none_or(|(other, _)| index < *other) {
            *first = Some((index, error));
        }
    };
    helpers.threads.run(helpers.count, || {
        let thread = started.fetch_add(1, Ordering::Relaxed);
        let mut batch = Vec::with_capacity(helpers.at_once);
        // A parallel-for of the caller may call this on more threads than it was asked for.
        if thread <= helpers.count && claim(&mut batch) {
            with_tools(thread, &mut |tools| {
                loop {
                    for (index, item) in batch.drain(..) {
                        if let Err(error) = work(tools, item) {
                            return record(index, error);
                        }
                    }
                    if !claim(&mut batch) {
                        return;
                    }
                }
            });
        }
        finished.fetch_add(1, Ordering::Release);
    });
    let finished = finished.load(Ordering::Acquire);
    let unfinished = started.load(Ordering::Relaxed).saturating_sub(finished);
    assert!(unfinished == 0, "{unfinished} threads panicked");
    match into_inner(first_failure) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}
