//! BloscLZ against three oracles: frozen bytes, a naive reading of the format, and the C library.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]
#![expect(clippy::print_stdout, reason = "skipped comparisons say so")]

// Wasm loads no libraries.
#[cfg(not(target_family = "wasm"))]
mod against_c;
mod data;
mod hostile;
mod naive;
mod random;
mod vectors;
