//! The state of the process: threads, the Blosc1 context, the variables `BLOSC_*`.

/// Prints an error to the standard error if the variable `BLOSC_TRACE` is set.
pub(crate) fn trace(error: &dyn std::fmt::Display) {
    if std::env::var_os("BLOSC_TRACE").is_some() {
        use std::io::Write;
        // The message is all that can be lost.
        let _ = writeln!(std::io::stderr(), "[error] - {error}");
    }
}
