//! Runs one case under valgrind, for `ci/icount.sh` to count its instructions.
//!
//! ```text
//! cargo build --release --config 'profile.release.package.oxiblosc-kernels.codegen-units=1' \
//!     -p oxiblosc-kernels --example icount
//! ci/icount.sh target/release/examples/icount kernels/benches/counts.tsv 2
//! UPDATE=1 ci/icount.sh target/release/examples/icount kernels/benches/counts.tsv
//! ```
//!
//! `--list` prints the names. Anything that is done outside of [`icount_region`] is not counted.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a report is what this program is for"
)]

#[path = "../benches/counts/cases.rs"]
mod cases;

use std::process::ExitCode;

/// The function that the script counts, found by its name.
#[inline(never)]
fn icount_region(call: &mut cases::Call) {
    call();
}

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        Some("--list") => {
            for name in cases::names() {
                println!("{name}");
            }
        }
        Some(name) => {
            let Some(mut call) = cases::prepare(name) else {
                eprintln!("no case {name}, or no AVX2");
                return ExitCode::FAILURE;
            };
            icount_region(&mut call);
        }
        None => {
            eprintln!("usage: icount --list | NAME");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
