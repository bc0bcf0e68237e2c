//! The state of the process: threads, the parameters of the functions without a context, the
//! variables `BLOSC_*`.

mod calls;
mod defaults;
mod engine;
mod env;
mod errors;
mod names;
mod settings;
mod threads;
mod time;

pub use calls::*;
pub use defaults::*;
pub use errors::*;
pub use names::*;
pub use threads::*;
pub use time::*;

pub(crate) use env::Environment;
pub(crate) use threads::age as threads_age;

/// Prints an error to the standard error if the variable `BLOSC_TRACE` is set.
pub(crate) fn trace(error: &dyn std::fmt::Display) {
    say("BLOSC_TRACE", "error", error);
}

/// Prints a message to the standard error if the variable `BLOSC_INFO` is set.
pub(crate) fn inform(message: &dyn std::fmt::Display) {
    say("BLOSC_INFO", "INFO", message);
}

fn say(variable: &str, kind: &str, message: &dyn std::fmt::Display) {
    if std::env::var_os(variable).is_some() {
        use std::io::Write;
        // The message is all that can be lost.
        let _ = writeln!(std::io::stderr(), "[{kind}] - {message}");
    }
}
