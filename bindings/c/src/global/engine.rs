//! Compressing and decompressing with the parameters of the process.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc::{ChunkDecoder, ChunkEncoder};

use super::Environment;
use super::env::set_delta;
use super::settings::{Key, Settings, locked};
use crate::abi::{
    BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED, BLOSC2_ERROR_WRITE_BUFFER, BLOSC2_MAX_BUFFERSIZE,
    blosc2_cparams, blosc2_dparams,
};
use crate::boundary::{Answer, Code};
use crate::chunk::{Sizes, refused};
use crate::context::{Context, core_cparams, core_dparams, fitted, range_within, whole};
use crate::{global, registry};

impl Settings {
    /// The parameters of a call, with what the environment says, which stays.
    fn cparams(
        &mut self,
        (clevel, shuffle, typesize): (c_int, c_int, i32),
        environment: &Environment,
    ) -> Answer<blosc2_cparams> {
        let mut cparams = blosc2_cparams {
            compcode: self.compcode,
            clevel: u8::try_from(clevel).unwrap_or(u8::MAX),
            typesize,
            nthreads: self.nthreads,
            blocksize: self.blocksize,
            splitmode: self.splitmode,
            filters: [0; 6],
            ..blosc2_cparams::default()
        };
        // As in C: every number but those of the two shuffles is no filter.
        cparams.filters[5] = match shuffle {
            1 => 1,
            2 => 2,
            _ => 0,
        };
        set_delta(&mut cparams.filters, self.delta);
        environment.apply(&mut cparams)?;
        self.compcode = cparams.compcode;
        self.nthreads = cparams.nthreads;
        self.blocksize = cparams.blocksize;
        self.splitmode = cparams.splitmode;
        self.delta = cparams.filters[4] != 0;
        if cparams.typesize <= 0 || cparams.typesize > 255 {
            cparams.typesize = 1;
        }
        Ok(cparams)
    }
}

/// Compresses; the length of the chunk, 0 if it does not fit.
pub(super) fn compress(params: (c_int, c_int, i32), src: &[u8], dst: &mut [u8]) -> Answer<usize> {
    if src.len() > usize::try_from(BLOSC2_MAX_BUFFERSIZE)? {
        return Err(Code(BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED));
    }
    let environment = Environment::read();
    let mut settings = locked();
    let cparams = settings.cparams(params, &environment)?;
    if environment.get("BLOSC_NOLOCK").is_some() {
        drop(settings);
        // SAFETY: the parameters have no pointers.
        let context = unsafe { Context::new_compress(cparams) }?;
        return context.compress(src, dst);
    }
    let key = Key::new(&cparams, global::threads_age() + registry::age());
    if settings
        .encoder
        .as_ref()
        .is_none_or(|(then, _)| *then != key)
    {
        // SAFETY: the parameters have no pointers.
        let (core, _) = unsafe { core_cparams(&cparams, std::ptr::null_mut()) }?;
        settings.encoder = Some((key, ChunkEncoder::new(core)?));
    }
    let (_, encoder) = settings.encoder.as_mut().ok_or(Code::FAILURE)?;
    if environment.get("BLOSC_BLOSC1_COMPAT").is_some() {
        return fitted(encoder.encode_blosc1_into(src, dst));
    }
    fitted(encoder.encode_into(src, dst))
}

/// Calls `work` with the sizes of the chunk, the decoder and the chunk.
fn with_decoder<R>(
    chunk: &[u8],
    work: impl FnOnce(Sizes, &mut ChunkDecoder, &[u8]) -> Answer<R>,
) -> Answer<R> {
    let environment = Environment::read();
    let (sizes, chunk) = whole(chunk, std::ptr::null_mut(), None)?;
    let mut settings = locked();
    if let Some(count) = environment.threads()? {
        settings.nthreads = count;
    }
    let dparams = blosc2_dparams {
        nthreads: settings.nthreads,
        ..blosc2_dparams::default()
    };
    if environment.get("BLOSC_NOLOCK").is_some() {
        drop(settings);
        // SAFETY: the parameters have no pointers.
        let (core, _) = unsafe { core_dparams(&dparams, std::ptr::null_mut()) }?;
        return work(sizes, &mut ChunkDecoder::new(core), &chunk);
    }
    let key = (dparams.nthreads, global::threads_age() + registry::age());
    if settings
        .decoder
        .as_ref()
        .is_none_or(|(then, _)| *then != key)
    {
        // SAFETY: the parameters have no pointers.
        let (core, _) = unsafe { core_dparams(&dparams, std::ptr::null_mut()) }?;
        settings.decoder = Some((key, ChunkDecoder::new(core)));
    }
    let (_, decoder) = settings.decoder.as_mut().ok_or(Code::FAILURE)?;
    work(sizes, decoder, &chunk)
}

/// Decompresses; the bytes of the data.
pub(super) fn decompress(chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Answer<usize> {
    with_decoder(chunk, |sizes, decoder, chunk| {
        if dst.len() < sizes.nbytes {
            return Err(refused(chunk, Code(BLOSC2_ERROR_WRITE_BUFFER)));
        }
        Ok(decoder.decode_uninit(chunk, dst)?.len())
    })
}

/// Decompresses a range of bytes; their number.
pub(super) fn getitem(
    chunk: &[u8],
    range: impl FnOnce(Sizes) -> Answer<Range<usize>>,
    dst: impl FnOnce(usize) -> Answer<&'static mut [MaybeUninit<u8>]>,
) -> Answer<usize> {
    let range = range_within(chunk, range)?;
    let dst = dst(range.len())?;
    with_decoder(chunk, |_, decoder, chunk| {
        Ok(decoder.decode_bytes_uninit(chunk, range, dst)?.len())
    })
}
