//! Tuners of the caller.
//!
//! A tuner chooses parameters through the fields of a context. Contexts are opaque here, so a
//! tuner can ask a context for its parameters and is told of chunks and their times; what it
//! writes into a context by the layout of another library's is not possible.

use std::ffi::c_int;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use crate::abi::{
    BLOSC2_ERROR_SUCCESS, BLOSC2_ERROR_TUNER, BLOSC2_USER_REGISTERED_START, blosc2_context,
    blosc2_cparams, blosc2_tuner,
};
use crate::boundary::{Answer, Code, answer, object};
use crate::context::Context;

#[derive(Clone, Copy, Debug)]
struct Entry(blosc2_tuner);

// SAFETY: the entry is an id, a name and functions; C calls the functions on several threads, too.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

static TUNERS: RwLock<Vec<Entry>> = RwLock::new(Vec::new());

fn find(id: c_int) -> Option<blosc2_tuner> {
    if id == 0 {
        return None;
    }
    let tuners = TUNERS.read().unwrap_or_else(PoisonError::into_inner);
    let found = tuners.iter().find(|entry| entry.0.id == id)?;
    Some(found.0)
}

/// Whether a context may name this tuner.
pub(crate) fn exists(id: c_int) -> bool {
    id == 0 || find(id).is_some()
}

fn checked(code: c_int) -> Answer<()> {
    if code < 0 {
        return Err(Code(BLOSC2_ERROR_TUNER));
    }
    Ok(())
}

fn pointer(context: &Context) -> *mut blosc2_context {
    std::ptr::from_ref(context)
        .cast_mut()
        .cast::<blosc2_context>()
}

/// Tells the tuner of a new context.
pub(crate) fn created(context: &Context, cparams: &blosc2_cparams) -> Answer<()> {
    let Some(init) = find(cparams.tuner_id).and_then(|tuner| tuner.init) else {
        return Ok(());
    };
    // SAFETY: the caller's function with a context and its parameters; there is no other context.
    checked(unsafe { init(cparams.tuner_params, pointer(context), std::ptr::null_mut()) })
}

/// Asks the tuner before a chunk; `again` after the first one.
pub(crate) fn before(context: &Context, again: bool) -> Answer<()> {
    let Some(tuner) = find(context.cparams().tuner_id) else {
        return Ok(());
    };
    let ask = if again {
        tuner.next_cparams
    } else {
        tuner.next_blocksize
    };
    let Some(ask) = ask else { return Ok(()) };
    // SAFETY: the caller's function with a context.
    checked(unsafe { ask(pointer(context)) })
}

/// Tells the tuner how long a chunk took.
pub(crate) fn after(context: &Context, time: Duration) -> Answer<()> {
    let Some(update) = find(context.cparams().tuner_id).and_then(|tuner| tuner.update) else {
        return Ok(());
    };
    // SAFETY: the caller's function with a context.
    checked(unsafe { update(pointer(context), time.as_secs_f64()) })
}

/// Tells the tuner of the end of a context.
pub(crate) fn freed(context: &Context) {
    if let Some(free) = find(context.cparams().tuner_id).and_then(|tuner| tuner.free) {
        // SAFETY: the caller's function with a context, which is still whole.
        let _ = unsafe { free(pointer(context)) };
    }
}

/// Registers a tuner with an id of 160 to 255; one that is registered stays.
///
/// # Safety
/// `tuner` is null or valid, with functions that can be called as long as the process lives. It is
/// copied.
#[unsafe(export_name = symbol!("blosc2_register_tuner"))]
pub unsafe extern "C" fn blosc2_register_tuner(tuner: *mut blosc2_tuner) -> c_int {
    answer(|| {
        // SAFETY: null or valid by the caller's promise.
        let tuner = unsafe { object(tuner) }?;
        if tuner.id < c_int::from(BLOSC2_USER_REGISTERED_START) || tuner.id > 255 {
            return Err(Code::FAILURE);
        }
        if exists(tuner.id) {
            return Ok(BLOSC2_ERROR_SUCCESS);
        }
        let mut tuners = TUNERS.write().unwrap_or_else(PoisonError::into_inner);
        tuners.push(Entry(*tuner));
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}
