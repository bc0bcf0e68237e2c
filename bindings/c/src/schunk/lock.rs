//! Keeping others out for several calls, and reading again what they changed.

use std::ffi::c_int;

use super::with;
use crate::abi::blosc2_schunk;
use crate::boundary::answer;

/// Keeps others out until [`blosc2_schunk_unlock`], where the super-chunk has locks; calls nest.
/// 0, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
#[unsafe(export_name = symbol!("blosc2_schunk_lock"))]
pub unsafe extern "C" fn blosc2_schunk_lock(schunk: *mut blosc2_schunk) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, _| {
                if !shared.locking {
                    return Ok(0);
                }
                shared.store.lock()?;
                shared.depth = shared.depth.saturating_add(1);
                // What was read again under the lock may be new.
                shared.metadata = true;
                Ok(0)
            })
        }
    })
}

/// Ends what [`blosc2_schunk_lock`] began: 0, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
#[unsafe(export_name = symbol!("blosc2_schunk_unlock"))]
pub unsafe extern "C" fn blosc2_schunk_unlock(schunk: *mut blosc2_schunk) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, _| {
                if shared.depth > 0 {
                    shared.depth = shared.depth.saturating_sub(1);
                    shared.store.unlock()?;
                }
                Ok(0)
            })
        }
    })
}

/// Reads sizes and metalayers again if others have changed the frame: 1 if they have, 0 if not, or
/// an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
#[unsafe(export_name = symbol!("blosc2_schunk_refresh"))]
pub unsafe extern "C" fn blosc2_schunk_refresh(schunk: *mut blosc2_schunk) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        unsafe { with(schunk, |shared, _| shared.sync().map(c_int::from)) }
    })
}
