//! Creating and freeing contexts, and asking for their parameters.

use std::ffi::c_int;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use super::params::unknown_filter;
use super::{Context, Params, Way, Work};
use crate::abi::{
    BLOSC2_ERROR_SUCCESS, BLOSC2_ERROR_TUNER, blosc2_context, blosc2_cparams, blosc2_dparams,
};
use crate::boundary::{Answer, Code, answer, answer_pointer, guard, items, object_mut};
use crate::global::Environment;
use crate::registry::tuner;

impl Context {
    /// A context for compression.
    ///
    /// # Errors
    /// For a filter or tuner that no one has, and for variables with impossible values.
    ///
    /// # Safety
    /// `cparams.preparams` is null or valid; the other pointers are as their uses demand.
    pub(crate) unsafe fn new_compress(mut cparams: blosc2_cparams) -> Answer<Box<Self>> {
        Environment::read().apply(&mut cparams)?;
        unknown_filter(&cparams.filters)?;
        if !tuner::exists(cparams.tuner_id) {
            return Err(Code(BLOSC2_ERROR_TUNER));
        }
        // SAFETY: null or valid by the caller's promise.
        let given = unsafe { cparams.preparams.as_ref() };
        let mut preparams = given.copied().map(Box::new);
        if let Some(preparams) = &mut preparams {
            cparams.preparams = std::ptr::from_mut(preparams.as_mut());
        }
        let context = Box::new(Self::new(
            Way::Compress,
            Params {
                cparams,
                dparams: blosc2_dparams {
                    schunk: cparams.schunk,
                    typesize: cparams.typesize,
                    ..blosc2_dparams::default()
                },
                _preparams: preparams,
                _postparams: None,
            },
        ));
        tuner::created(&context, &cparams)?;
        Ok(context)
    }

    /// A context for decompression.
    ///
    /// # Errors
    /// For variables with impossible values.
    ///
    /// # Safety
    /// `dparams.postparams` is null or valid; the other pointers are as their uses demand.
    pub(crate) unsafe fn new_decompress(mut dparams: blosc2_dparams) -> Answer<Box<Self>> {
        if let Some(count) = Environment::read().threads()? {
            dparams.nthreads = count;
        }
        // SAFETY: null or valid by the caller's promise.
        let given = unsafe { dparams.postparams.as_ref() };
        let mut postparams = given.copied().map(Box::new);
        if let Some(postparams) = &mut postparams {
            dparams.postparams = std::ptr::from_mut(postparams.as_mut());
        }
        Ok(Box::new(Self::new(
            Way::Decompress,
            Params {
                cparams: blosc2_cparams::default(),
                dparams,
                _preparams: None,
                _postparams: postparams,
            },
        )))
    }

    fn new(way: Way, params: Params) -> Self {
        Self {
            way,
            params,
            maskout: Mutex::default(),
            masked: AtomicBool::new(false),
            work: Mutex::new(Work::default()),
            worker: AtomicUsize::new(0),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        tuner::freed(self);
    }
}

/// A context for compression; null for parameters that nothing fits.
///
/// # Safety
/// The pointers in `cparams` are null or valid: the super-chunk and the parameters of codec and
/// filters for as long as the context is, `preparams` and `tuner_params` during this call, which
/// copies the first. The caller frees the result with `blosc2_free_ctx`.
#[unsafe(export_name = symbol!("blosc2_create_cctx"))]
pub unsafe extern "C" fn blosc2_create_cctx(cparams: blosc2_cparams) -> *mut blosc2_context {
    answer_pointer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::new_compress(cparams) }?;
        Ok(context.give())
    })
}

/// A context for decompression.
///
/// # Safety
/// As for [`blosc2_create_cctx`], with `postparams`.
#[unsafe(export_name = symbol!("blosc2_create_dctx"))]
pub unsafe extern "C" fn blosc2_create_dctx(dparams: blosc2_dparams) -> *mut blosc2_context {
    answer_pointer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::new_decompress(dparams) }?;
        Ok(context.give())
    })
}

/// Frees a context; null is left alone.
///
/// # Safety
/// `context` is null or a context that no one is using or will use.
#[unsafe(export_name = symbol!("blosc2_free_ctx"))]
pub unsafe extern "C" fn blosc2_free_ctx(context: *mut blosc2_context) {
    guard((), || {
        // SAFETY: the caller's promise.
        drop(unsafe { Context::take(context) });
    });
}

/// Stores the parameters of a context for compression.
///
/// # Safety
/// `ctx` is null or a context, `cparams` null or writable. What the pointers in the result point
/// to belongs to the context.
#[unsafe(export_name = symbol!("blosc2_ctx_get_cparams"))]
pub unsafe extern "C" fn blosc2_ctx_get_cparams(
    ctx: *mut blosc2_context,
    cparams: *mut blosc2_cparams,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::at(ctx) }?;
        // SAFETY: null or writable by the caller's promise; every bit pattern that C leaves there
        // is overwritten before it is read.
        let place = unsafe { object_mut(cparams.cast::<std::mem::MaybeUninit<blosc2_cparams>>()) }?;
        place.write(*context.cparams());
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Stores the parameters of a context for decompression.
///
/// # Safety
/// As for [`blosc2_ctx_get_cparams`].
#[unsafe(export_name = symbol!("blosc2_ctx_get_dparams"))]
pub unsafe extern "C" fn blosc2_ctx_get_dparams(
    ctx: *mut blosc2_context,
    dparams: *mut blosc2_dparams,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::at(ctx) }?;
        // SAFETY: as for the parameters for compression.
        let place = unsafe { object_mut(dparams.cast::<std::mem::MaybeUninit<blosc2_dparams>>()) }?;
        place.write(*context.dparams());
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Sets the blocks that the next `blosc2_decompress_ctx` leaves out.
///
/// # Safety
/// `ctx` is null or a context, `maskout` null or `nblocks` values of `bool`, which are copied.
#[unsafe(export_name = symbol!("blosc2_set_maskout"))]
pub unsafe extern "C" fn blosc2_set_maskout(
    ctx: *mut blosc2_context,
    maskout: *mut bool,
    nblocks: c_int,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::at(ctx) }?;
        // Bytes, so that a value beyond 0 and 1 is no more than a mistake.
        // SAFETY: null or `nblocks` bytes by the caller's promise.
        let mask = unsafe { items(maskout.cast_const().cast::<u8>(), nblocks) }?;
        let mask = mask.iter().map(|byte| *byte != 0).collect();
        context.mask(mask);
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}
