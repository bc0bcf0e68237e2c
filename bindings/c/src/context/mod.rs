//! Contexts: parameters and kept buffers for compressing or decompressing chunks.
//!
//! The parameters of a context stay as they were given. Its buffers have a lock, held for the
//! length of a call, so that two threads on one context wait for each other. Callbacks run under it
//! and may ask the context for its parameters; a call on the context that is calling them is
//! refused instead of waiting for ever.

mod compress;
mod create;
mod decompress;
mod hooks;
mod instrument;
mod params;
mod scratch;
mod vlblocks;

pub use compress::*;
pub use create::*;
pub use decompress::*;
pub use vlblocks::*;

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oxiblosc::{ChunkDecoder, ChunkEncoder};

use crate::abi::{
    blosc2_context, blosc2_cparams, blosc2_dparams, blosc2_postfilter_params,
    blosc2_prefilter_params, blosc2_schunk,
};
use crate::boundary::{Answer, Code};

pub(crate) use params::{Call, core_cparams, core_dparams, slots};

/// The direction of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// For compression.
    Compress,
    /// For decompression.
    Decompress,
}

/// A context, which callers hold as `blosc2_context *`.
#[derive(Debug)]
pub(crate) struct Context {
    way: Way,
    params: Params,
    /// The blocks that the next call leaves out.
    maskout: Mutex<Option<Vec<bool>>>,
    /// Whether there are such blocks: most calls need no lock to see that there are none.
    masked: AtomicBool,
    work: Mutex<Work>,
    /// The thread that holds `work`, as [`this_thread`] numbers it; 0 for none.
    worker: AtomicUsize,
}

/// The parameters, as callers gave them.
#[derive(Debug)]
pub(crate) struct Params {
    pub(crate) cparams: blosc2_cparams,
    pub(crate) dparams: blosc2_dparams,
    /// The object of `cparams.preparams`.
    _preparams: Option<Box<blosc2_prefilter_params>>,
    /// The object of `dparams.postparams`.
    _postparams: Option<Box<blosc2_postfilter_params>>,
}

/// Buffers and codecs, kept from call to call.
#[derive(Debug, Default)]
struct Work {
    encoder: Option<(Age, ChunkEncoder)>,
    decoder: Option<(Age, ChunkDecoder)>,
    call: Arc<Call>,
    /// Whether the tuner has been told of this context.
    tuned: bool,
}

/// Changes of the registry and of the threads since the process began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Age(u64, u64);

// SAFETY: the pointers in the parameters are handed to the caller's functions, or read under the
// conditions of the functions that read them; nothing is done with them because of this.
unsafe impl Send for Params {}
// SAFETY: as above; the parameters do not change.
unsafe impl Sync for Params {}

/// A number that no other thread has now.
fn this_thread() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| std::ptr::from_ref(here).addr())
}

/// The kept state, for one call.
struct Busy<'a> {
    work: MutexGuard<'a, Work>,
    worker: &'a AtomicUsize,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.worker.store(0, Ordering::Relaxed);
    }
}

impl Context {
    /// The context at a pointer of the caller.
    ///
    /// # Errors
    /// `NULL_POINTER` for null.
    ///
    /// # Safety
    /// `pointer` is null or came from `blosc2_create_cctx` or `blosc2_create_dctx`, or is that of a
    /// super-chunk, and has not been freed; no one frees it while the result is in use.
    pub(crate) unsafe fn at<'a>(pointer: *mut blosc2_context) -> Answer<&'a Self> {
        // SAFETY: a context, if not null, by the caller's promise.
        unsafe { pointer.cast::<Self>().as_ref() }.ok_or(Code::NULL)
    }

    /// Gives the context away; [`take`](Self::take) takes it back.
    pub(crate) fn give(self: Box<Self>) -> *mut blosc2_context {
        Box::into_raw(self).cast::<blosc2_context>()
    }

    /// Takes back a context that was given away.
    ///
    /// # Safety
    /// As for [`at`](Self::at), and no one uses the pointer afterwards.
    pub(crate) unsafe fn take(pointer: *mut blosc2_context) -> Option<Box<Self>> {
        if pointer.is_null() {
            return None;
        }
        // SAFETY: not null; came from `give` by the caller's promise.
        Some(unsafe { Box::from_raw(pointer.cast::<Self>()) })
    }

    /// Its direction.
    pub(crate) fn way(&self) -> Way {
        self.way
    }

    /// Sets the blocks that the next call leaves out.
    fn mask(&self, blocks: Vec<bool>) {
        let mut maskout = self.maskout.lock().unwrap_or_else(PoisonError::into_inner);
        *maskout = Some(blocks);
        self.masked.store(true, Ordering::Release);
    }

    /// The blocks that this call leaves out; the next one leaves out none.
    fn take_mask(&self) -> Option<Vec<bool>> {
        if !self.masked.load(Ordering::Acquire) {
            return None;
        }
        let mut maskout = self.maskout.lock().unwrap_or_else(PoisonError::into_inner);
        self.masked.store(false, Ordering::Relaxed);
        maskout.take()
    }

    /// The pointer that callers have.
    fn pointer(&self) -> *mut blosc2_context {
        std::ptr::from_ref(self).cast_mut().cast::<blosc2_context>()
    }

    /// The kept state, when other calls are done with it.
    ///
    /// # Errors
    /// `FAILURE` within a callback of a call on this context.
    fn busy(&self) -> Answer<Busy<'_>> {
        let me = this_thread();
        let work = match self.work.try_lock() {
            Ok(work) => work,
            Err(_) if self.worker.load(Ordering::Relaxed) == me => return Err(Code::FAILURE),
            Err(_) => self.work.lock().unwrap_or_else(PoisonError::into_inner),
        };
        self.worker.store(me, Ordering::Relaxed);
        Ok(Busy {
            work,
            worker: &self.worker,
        })
    }

    /// The parameters for compression.
    pub(crate) fn cparams(&self) -> &blosc2_cparams {
        &self.params.cparams
    }

    /// The parameters for decompression.
    pub(crate) fn dparams(&self) -> &blosc2_dparams {
        &self.params.dparams
    }
}

/// The number of the chunk that a super-chunk is working on; none without one.
///
/// # Safety
/// `schunk` is null or a super-chunk.
pub(crate) unsafe fn current_chunk(schunk: *mut c_void) -> Option<u64> {
    let schunk = schunk.cast::<blosc2_schunk>();
    if schunk.is_null() {
        return None;
    }
    // SAFETY: a super-chunk by the caller's promise; the place of a field, without a reference.
    let place = unsafe { &raw const (*schunk).current_nchunk };
    // SAFETY: a field of a super-chunk, which is initialised.
    u64::try_from(unsafe { place.read() }).ok()
}

/// A pointer for callbacks, for the length of a call.
struct Shown<'a>(&'a AtomicPtr<u8>);

impl<'a> Shown<'a> {
    fn new(place: &'a AtomicPtr<u8>, pointer: *const u8) -> Self {
        place.store(pointer.cast_mut(), Ordering::Relaxed);
        Self(place)
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.0.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
}
