//! Chunks whose blocks are in a file.

use crate::abi::blosc2_schunk;
use crate::boundary::{Answer, Code};

/// The whole chunk that a lazy one stands for.
///
/// # Errors
/// `INVALID_PARAM`: there are no files yet.
///
/// # Safety
/// `schunk` is a super-chunk.
pub(crate) unsafe fn read_lazy(schunk: *mut blosc2_schunk, chunk: &[u8]) -> Answer<Vec<u8>> {
    let _ = (schunk, chunk);
    Err(Code::INVALID)
}
