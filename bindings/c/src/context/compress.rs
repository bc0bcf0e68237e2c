//! Compressing with a context.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::slice;
use std::time::Instant;

use oxiblosc::{ChunkEncoder, Error};

use super::{Age, Call, Context, Shown, Way, Work, core_cparams, current_chunk, instrument};
use crate::abi::{
    BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED, BLOSC2_MAX_BUFFERSIZE, blosc2_context, blosc2_cparams,
};
use crate::boundary::{Answer, Code, answer, bytes, room};
use crate::global;
use crate::registry::{self, tuner};

/// Bytes of C that are about to be written, as a slice that can be read, too: an encoder may read
/// what it has written.
pub(crate) fn writable(room: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    // SAFETY: the bytes come from the caller across the boundary, where they have some value; this
    // library writes each before it reads it.
    unsafe { slice::from_raw_parts_mut(room.as_mut_ptr().cast::<u8>(), room.len()) }
}

impl Work {
    /// The encoder for the parameters of now.
    fn encoder(
        &mut self,
        context: &Context,
        cparams: &blosc2_cparams,
    ) -> Answer<(&Call, &mut ChunkEncoder)> {
        let age = Age(registry::age(), global::threads_age());
        if self.encoder.as_ref().is_none_or(|(then, _)| *then != age) {
            // SAFETY: `create` was promised that the pointers are null or valid for the life of
            // the context, and has replaced `preparams` by a copy.
            let (core, call) = unsafe { core_cparams(cparams, context.pointer()) }?;
            self.encoder = Some((age, ChunkEncoder::new(core)?));
            self.call = call;
        }
        let (_, encoder) = self.encoder.as_mut().ok_or(Code::FAILURE)?;
        Ok((&self.call, encoder))
    }
}

impl Context {
    /// Calls `work` with the encoder of a context for compression.
    ///
    /// # Errors
    /// `INVALID_PARAM` for a context for decompression; those of the parameters and of `work`.
    pub(crate) fn with_encoder<R>(
        &self,
        chunk: *const u8,
        work: impl FnOnce(&blosc2_cparams, &mut ChunkEncoder) -> Answer<R>,
    ) -> Answer<R> {
        if self.way() != Way::Compress {
            return Err(Code::INVALID);
        }
        let mut busy = self.busy()?;
        let cparams = self.cparams();
        if cparams.tuner_id != 0 {
            tuner::before(self, busy.work.tuned)?;
            busy.work.tuned = true;
        }
        let (call, encoder) = busy.work.encoder(self, cparams)?;
        let _shown = Shown::new(&call.chunk, chunk);
        // SAFETY: null or a super-chunk, as `create` was promised.
        match unsafe { current_chunk(cparams.schunk) } {
            Some(number) => encoder.in_chunk(number, |encoder| work(cparams, encoder)),
            None => work(cparams, encoder),
        }
    }

    /// Compresses `src` to the front of `dst`; the length of the chunk, 0 if it does not fit.
    ///
    /// # Errors
    /// Those of [`with_encoder`](Self::with_encoder), and of compressing.
    pub(crate) fn compress(&self, src: &[u8], dst: &mut [u8]) -> Answer<usize> {
        if src.len() > largest() || dst.len() < 32 {
            return Err(Code(BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED));
        }
        let tuned = self.cparams().tuner_id != 0;
        let started = tuned.then(Instant::now);
        let header = [0_u8; 32];
        let done = self.with_encoder(header.as_ptr(), |cparams, encoder| {
            if cparams.instr_codec {
                return instrument::compress(encoder, src, dst);
            }
            fitted(encoder.encode_into(src, dst))
        })?;
        if let Some(started) = started {
            tuner::after(self, started.elapsed())?;
        }
        Ok(done)
    }
}

/// The most bytes of a chunk's data.
fn largest() -> usize {
    usize::try_from(BLOSC2_MAX_BUFFERSIZE).unwrap_or(0)
}

/// The length of a chunk; 0 for one that does not fit.
pub(crate) fn fitted(done: oxiblosc::Result<usize>) -> Answer<usize> {
    match done {
        Err(Error::OutputTooSmall { .. }) => Ok(0),
        done => Ok(done?),
    }
}

/// Compresses `srcsize` bytes; the length of the chunk, 0 if it does not fit into `destsize`
/// bytes, or an error code.
///
/// # Safety
/// `context` is null or a context, `src` null or readable for `srcsize` bytes, `dest` null or
/// writable for `destsize` bytes, apart from `src`.
#[unsafe(export_name = symbol!("blosc2_compress_ctx"))]
pub unsafe extern "C" fn blosc2_compress_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::at(context) }?;
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, srcsize) }?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, destsize) }?;
        Ok(c_int::try_from(context.compress(src, writable(dest))?)?)
    })
}
