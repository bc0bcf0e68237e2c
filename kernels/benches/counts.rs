//! Instructions, cache hits and branches of the main kernels on AVX2, under valgrind.
//!
//! ```text
//! cargo install iai-callgrind-runner --version 0.16.1 --locked
//! cargo bench -p oxiblosc-kernels --bench counts
//! ```
//!
//! This is for work on a kernel: it compares with the run before, and leaves callgrind's profiles
//! under `target/iai`. For a comparison with the committed `counts.tsv`, which needs no runner, see
//! `ci/icount.sh`. The cases are the same.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[path = "counts/cases.rs"]
mod cases;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[path = "counts/groups.rs"]
mod groups;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use groups::{codecs, filters};

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
iai_callgrind::main!(library_benchmark_groups = filters, codecs);

/// Valgrind and AVX2 are needed together.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {}
