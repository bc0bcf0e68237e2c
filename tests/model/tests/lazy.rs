//! Values that the first thread computes: all threads see one of them, and failures are not kept.

#[path = "../../../src/threads/lazy.rs"]
mod lazy;

mod error {
    pub(crate) use oxiblosc::{Error, Result};
}

mod sync {
    pub(crate) use oxiblosc_model::sync::*;
}

use std::sync::atomic::{AtomicUsize, Ordering};

use error::{Error, Result};
use lazy::Lazy;
use oxiblosc_model::explore;

/// Three threads read twice each; the computation of thread `fails` fails.
fn read(fails: Option<usize>) {
    let lazy = Lazy::new();
    let computed = AtomicUsize::new(0);
    let get = &|thread: usize| -> Result<usize> {
        lazy.get_or_fill(|| {
            shuttle::thread::yield_now();
            if fails == Some(thread) {
                return Err(Error::limit_exceeded("model", thread as u64, 0));
            }
            Ok(computed.fetch_add(1, Ordering::Relaxed) + thread * 10)
        })
        .copied()
    };
    let seen = shuttle::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|thread| scope.spawn(move || [get(thread), get(thread)]))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    let mut values: Vec<_> = seen
        .iter()
        .filter_map(|found| found.as_ref().ok())
        .collect();
    let (failed, all) = (seen.len() - values.len(), seen.len());
    values.dedup();
    assert_eq!(values.len(), 1, "{all} reads: {seen:?}");
    assert!(failed <= if fails.is_some() { 2 } else { 0 }, "{seen:?}");
    // What was stored is stored for good.
    assert_eq!(lazy.get_or_fill(|| unreachable!()).unwrap(), values[0]);
}

#[test]
fn all_threads_see_one_value() {
    explore(|| read(None));
}

#[test]
fn a_failure_is_its_threads_own() {
    explore(|| read(Some(0)));
}
