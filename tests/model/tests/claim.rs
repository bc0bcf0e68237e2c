//! Claiming: every item once, the failure of the first item that fails, no work after a failure,
//! tools that no two threads hold.

#[path = "../../../src/threads/claim.rs"]
mod claim;
#[path = "../../../src/threads/policy.rs"]
mod policy;
#[path = "../../../src/threads/pool.rs"]
mod pool;

mod error {
    pub(crate) use oxiblosc::{Error, Result};
}

mod sync {
    pub(crate) use oxiblosc_model::sync::*;
}

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use claim::{Helpers, Numbered, share_pooled};
use error::{Error, Result};
use oxiblosc_model::explore;
use policy::{ParallelFor, Threads};
use pool::Pool;

const ITEMS: usize = 4;

/// The calling thread and at most two helpers.
const THREADS: usize = 3;

/// Threads of the checker. Helpers come when the schedule lets them, also after all work is done.
#[derive(Debug)]
struct Modelled;

impl ParallelFor for Modelled {
    fn count(&self) -> usize {
        3
    }

    fn run(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        shuttle::thread::scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(work);
            }
            work();
        });
    }
}

/// An error that names its item.
fn failure(item: usize) -> Error {
    Error::limit_exceeded("model", item as u64, 0)
}

/// How often each item was begun.
#[derive(Debug, Default)]
struct Seen {
    begun: [AtomicUsize; ITEMS],
}

impl Seen {
    fn of(&self, item: usize) -> usize {
        self.begun[item].load(Ordering::Relaxed)
    }

    fn all(&self) -> usize {
        (0..ITEMS).map(|item| self.of(item)).sum()
    }
}

/// Tools: whether a thread holds them.
#[derive(Debug, Default)]
struct Tools {
    held: Arc<AtomicUsize>,
}

/// Shares the items out to the caller and `count` helpers; the items of the mask fail.
impl Numbered for Tools {
    fn set_thread(&mut self, thread: usize) {
        assert!(thread < THREADS, "thread {thread}");
    }
}

fn share(count: usize, at_once: usize, fails: usize, pool: &Pool<Tools>) -> (Result<()>, Seen) {
    let threads = Threads::External(Arc::new(Modelled));
    let helpers = Helpers {
        threads: &threads,
        count,
        at_once,
    };
    let seen = Seen::default();
    let done = share_pooled(helpers, pool, 0..ITEMS, |tools: &mut Tools, item| {
        let others = tools.held.fetch_add(1, Ordering::Relaxed);
        assert_eq!(others, 0, "tools held by two threads");
        seen.begun[item].fetch_add(1, Ordering::Relaxed);
        shuttle::thread::yield_now();
        tools.held.fetch_sub(1, Ordering::Relaxed);
        if fails >> item & 1 == 1 {
            return Err(failure(item));
        }
        Ok(())
    });
    (done, seen)
}

#[test]
fn every_item_is_worked_on_once() {
    for (count, at_once) in [(1, 1), (2, 1), (1, 2), (2, 3)] {
        explore(move || {
            let (done, seen) = share(count, at_once, 0, &Pool::new());
            done.unwrap();
            for item in 0..ITEMS {
                assert_eq!(seen.of(item), 1, "item {item}");
            }
        });
    }
}

#[test]
fn the_first_item_that_fails_is_reported() {
    for fails in 1_usize..1 << ITEMS {
        let count = 1 + fails % 2;
        let at_once = 1 + fails / 8;
        explore(move || {
            let (done, seen) = share(count, at_once, fails, &Pool::new());
            let first = usize::try_from(fails.trailing_zeros()).unwrap();
            let expected = failure(first).to_string();
            assert_eq!(done.unwrap_err().to_string(), expected);
            for item in 0..=first {
                assert_eq!(seen.of(item), 1, "item {item}, before the failure");
            }
            for item in first..ITEMS {
                assert!(seen.of(item) <= 1, "item {item}, twice");
            }
        });
    }
}

#[test]
fn nothing_is_claimed_after_a_failure() {
    for count in [1, 2] {
        explore(move || {
            // A thread that fails stops, and its failure is seen by those that come later.
            let (done, seen) = share(count, 1, (1 << ITEMS) - 1, &Pool::new());
            done.unwrap_err();
            assert!(seen.all() <= count + 1, "{} items", seen.all());
        });
    }
}

#[test]
fn a_pool_holds_as_many_values_as_threads_worked_at_once() {
    explore(|| {
        let pool = Pool::new();
        for _ in 0..2 {
            share(2, 1, 0, &pool).0.unwrap();
        }
        let held = std::iter::from_fn(|| pool.take()).count();
        assert!((1..=3).contains(&held), "{held} values");
    });
}
