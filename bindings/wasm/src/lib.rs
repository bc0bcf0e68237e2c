//! Blosc2 arrays in a browser: the functions that `page/oxiblosc.js` calls.
//!
//! The module does no I/O: it says which ranges of bytes it needs, and the page fetches them. A
//! page holds handles, which it closes; calls leave their result in the answer of the handle:
//! numbers are `u64` in little-endian order, texts are UTF-8. Each call returns 0 when it is done,
//! 1 when bytes are missing, and -1 when it failed, with the reason as the answer.

mod exports;
mod handle;

pub use handle::{Handle, Outcome};
