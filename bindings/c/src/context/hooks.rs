//! Prefilters and postfilters of C.

use std::ffi::c_int;

use oxiblosc::error::BoxError;
use oxiblosc::filter::BlockContext;
use oxiblosc::{CParams, DParams};

use super::scratch;
use crate::abi::{
    blosc2_context, blosc2_cparams, blosc2_dparams, blosc2_postfilter_fn, blosc2_postfilter_params,
    blosc2_prefilter_fn, blosc2_prefilter_params,
};

/// Parameters of the caller that go to several threads.
#[derive(Clone, Copy)]
struct Shared<T>(T);

// SAFETY: C calls these functions on several threads with copies of the parameters, too; the
// pointers within are handed on and not followed.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T: Copy> Shared<T> {
    /// The value; a method, so that closures capture the whole.
    fn get(&self) -> T {
        self.0
    }
}

/// A number of the library as C has it; those of blocks and chunks fit.
fn int(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn chunk_number(cx: &BlockContext) -> i64 {
    cx.chunk.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1)
}

fn outcome(name: &str, code: c_int) -> Result<(), BoxError> {
    if code == 0 {
        return Ok(());
    }
    Err(format!("the {name} returned {code}").into())
}

/// Adds a prefilter.
///
/// # Safety
/// `cparams.preparams` is null or valid.
pub(super) unsafe fn prefilter(
    core: CParams,
    function: blosc2_prefilter_fn,
    cparams: &blosc2_cparams,
    ctx: *mut blosc2_context,
) -> CParams {
    let none = blosc2_prefilter_params {
        user_data: std::ptr::null_mut(),
        input: std::ptr::null(),
        output: std::ptr::null_mut(),
        output_size: 0,
        output_typesize: 0,
        output_offset: 0,
        nchunk: -1,
        nblock: 0,
        tid: 0,
        ttmp: std::ptr::null_mut(),
        ttmp_nbytes: 0,
        ctx,
        output_is_disposable: false,
    };
    // SAFETY: null or valid by the caller's promise.
    let given = unsafe { cparams.preparams.as_ref() }.copied();
    let template = Shared((given.unwrap_or(none), ctx));
    let typesize = cparams.typesize;
    core.prefilter(move |cx, src, dst| {
        scratch::with(dst.len(), |scratch| {
            let (given, ctx) = template.get();
            let mut params = blosc2_prefilter_params {
                input: src.as_ptr(),
                output: dst.as_mut_ptr(),
                output_size: int(dst.len()),
                output_typesize: typesize,
                output_offset: int(cx.offset),
                nchunk: chunk_number(cx),
                nblock: int(cx.block),
                tid: int(cx.thread),
                ttmp: scratch.as_mut_ptr(),
                ttmp_nbytes: scratch.len(),
                ctx,
                output_is_disposable: false,
                ..given
            };
            // SAFETY: the caller's function with what its documentation promises: a block to read,
            // one of the same length to write, and scratch memory of this thread.
            outcome("prefilter", unsafe { function(&raw mut params) })
        })
    })
}

/// Adds a postfilter.
///
/// # Safety
/// `dparams.postparams` is null or valid.
pub(super) unsafe fn postfilter(
    core: DParams,
    function: blosc2_postfilter_fn,
    dparams: &blosc2_dparams,
    ctx: *mut blosc2_context,
) -> DParams {
    let none = blosc2_postfilter_params {
        user_data: std::ptr::null_mut(),
        input: std::ptr::null(),
        output: std::ptr::null_mut(),
        size: 0,
        typesize: 0,
        offset: 0,
        nchunk: -1,
        nblock: 0,
        tid: 0,
        ttmp: std::ptr::null_mut(),
        ttmp_nbytes: 0,
        ctx,
    };
    // SAFETY: null or valid by the caller's promise.
    let given = unsafe { dparams.postparams.as_ref() }.copied();
    let template = Shared((given.unwrap_or(none), ctx));
    core.postfilter(move |cx, src, dst| {
        scratch::with(dst.len(), |scratch| {
            let (given, ctx) = template.get();
            let mut params = blosc2_postfilter_params {
                input: src.as_ptr(),
                output: dst.as_mut_ptr(),
                size: int(dst.len()),
                typesize: int(cx.typesize),
                offset: int(cx.offset),
                nchunk: chunk_number(cx),
                nblock: int(cx.block),
                tid: int(cx.thread),
                ttmp: scratch.as_mut_ptr(),
                ttmp_nbytes: scratch.len(),
                ctx,
                ..given
            };
            // SAFETY: as for the prefilter.
            outcome("postfilter", unsafe { function(&raw mut params) })
        })
    })
}
