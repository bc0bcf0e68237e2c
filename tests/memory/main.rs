//! Memory: buffers that are reused allocate nothing, and hostile input allocates little.
//!
//! The counters cover the whole process, so this binary has no test harness and one thread.

mod allocations;
#[path = "../common/mod.rs"]
mod common;
mod limits;

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    allocations::run();
    #[cfg(feature = "b2nd")]
    limits::run();
}
