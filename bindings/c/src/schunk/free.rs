//! Freeing super-chunks.

use std::ffi::c_int;

use super::shared::Kind;
use super::{Owned, create, locked, shared_of};
use crate::abi::blosc2_schunk;
use crate::boundary::{answer, guard};
use crate::memory;

/// Frees a super-chunk; what is on disk stays. Always 0.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, which no one uses afterwards; nor its
/// contexts and metalayers, nor what it lent out.
#[unsafe(export_name = symbol!("blosc2_schunk_free"))]
pub unsafe extern "C" fn blosc2_schunk_free(schunk: *mut blosc2_schunk) -> c_int {
    answer(|| {
        if !schunk.is_null() {
            // SAFETY: the caller's promise.
            unsafe { free(schunk) };
        }
        Ok(0)
    })
}

/// Frees a super-chunk.
///
/// # Safety
/// As for [`blosc2_schunk_free`], and not null.
pub(super) unsafe fn free(schunk: *mut blosc2_schunk) {
    // SAFETY: a super-chunk by the caller's promise.
    let public = unsafe { &mut *schunk };
    // SAFETY: null or a context of this super-chunk, which no one uses any more.
    unsafe { create::free_context(public.cctx) };
    // SAFETY: null or a context of this super-chunk, which no one uses any more.
    unsafe { create::free_context(public.dctx) };
    // SAFETY: null or the copy that was made with the super-chunk.
    unsafe { create::free_storage(public.storage) };
    // SAFETY: null or an array of `malloc` that `b2nd` made.
    unsafe { memory::free(public.blockshape) };
    // SAFETY: a super-chunk by the caller's promise.
    if let Ok(shared) = unsafe { shared_of(schunk) }
        && !public.view
        && let Kind::Backend(user) = &locked(&shared).kind
    {
        user.backend.destroy();
    }
    // SAFETY: every super-chunk is the front of an `Owned`.
    let place = unsafe { &raw mut (*schunk.cast::<Owned>()).shared };
    // SAFETY: initialised when the super-chunk was made, and dropped once.
    unsafe { place.drop_in_place() };
    // SAFETY: from `calloc`.
    unsafe { memory::free(schunk) };
}

/// Sets whether the memory of a contiguous frame in memory stays when the super-chunk is freed;
/// the caller frees it then.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
#[unsafe(export_name = symbol!("blosc2_schunk_avoid_cframe_free"))]
pub unsafe extern "C" fn blosc2_schunk_avoid_cframe_free(
    schunk: *mut blosc2_schunk,
    avoid_cframe_free: bool,
) {
    guard((), || {
        // SAFETY: the caller's promise.
        if let Ok(shared) = unsafe { shared_of(schunk) }
            && let Kind::Bytes(place) = &locked(&shared).kind
        {
            place.set_ours(!avoid_cframe_free);
        }
    });
}
