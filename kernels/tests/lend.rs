//! Lent work: helpers that come in time, late, never, and that panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;

use oxiblosc_kernels::lend;

#[test]
fn nobody_has_to_come() {
    let calls = AtomicUsize::new(0);
    let kept = Mutex::new(None);
    lend(
        &|| {
            calls.fetch_add(1, Ordering::Relaxed);
        },
        |helper| *kept.lock().unwrap() = Some(helper),
    );
    // Too late: the closure is gone.
    kept.lock().unwrap().take().unwrap().help();
    assert_eq!(calls.into_inner(), 1);
}

#[test]
fn a_call_waits_for_those_at_work() {
    for _ in 0..200 {
        let (begun, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut threads = Vec::new();
        lend(
            &|| {
                begun.fetch_add(1, Ordering::SeqCst);
                thread::yield_now();
                finished.fetch_add(1, Ordering::SeqCst);
            },
            |helper| {
                for _ in 0..3 {
                    let helper = helper.clone();
                    threads.push(thread::spawn(move || helper.help()));
                }
            },
        );
        let after = (begun.into_inner(), finished.into_inner());
        assert_eq!(after.0, after.1);
        assert!((1..=4).contains(&after.0));
        for thread in threads {
            thread.join().unwrap();
        }
    }
}

/// The panic of a helper arrives at the caller, after its own work.
#[test]
fn a_panic_of_a_helper_continues_here() {
    let caller = thread::current().id();
    let meet = Barrier::new(2);
    let done = catch_unwind(AssertUnwindSafe(|| {
        lend(
            &|| {
                meet.wait();
                assert_eq!(thread::current().id(), caller, "a helper");
            },
            |helper| {
                thread::spawn(move || helper.help());
            },
        );
    }));
    let panic = done.unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("a helper"));
}

/// While the caller unwinds, helpers are still waited for.
#[test]
fn a_panic_of_the_caller_waits() {
    let caller = thread::current().id();
    let (meet, finished) = (Barrier::new(2), AtomicUsize::new(0));
    let done = catch_unwind(AssertUnwindSafe(|| {
        lend(
            &|| {
                meet.wait();
                assert_ne!(thread::current().id(), caller, "the caller");
                for _ in 0..1000 {
                    thread::yield_now();
                }
                finished.fetch_add(1, Ordering::SeqCst);
            },
            |helper| {
                thread::spawn(move || helper.help());
            },
        );
    }));
    assert!(done.is_err());
    assert_eq!(finished.into_inner(), 1);
}
