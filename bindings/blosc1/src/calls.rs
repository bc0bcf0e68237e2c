//! Compressing and decompressing.

use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc::{ChunkDecoder, ChunkEncoder, ChunkHeader, DParams, Error, Limits};

use crate::boundary::{answer, bytes, room, text, writable};
use crate::names::code_of;
use crate::settings::{Params, locked, process, threads, unlocked};

/// The most bytes of a chunk's data.
const MAX_BUFFERSIZE: usize = 0x7FFF_FFFF - 16;

/// Compresses; the length of the chunk, 0 if it does not fit.
fn encode(encoder: &mut ChunkEncoder, src: &[u8], dst: &mut [u8]) -> Option<c_int> {
    match encoder.encode_blosc1_into(src, dst) {
        Ok(len) => c_int::try_from(len).ok(),
        Err(Error::OutputTooSmall { .. }) => Some(0),
        Err(_) => None,
    }
}

/// Compresses with the parameters of the process; the length of the chunk, 0 if it does not fit,
/// or a negative number.
///
/// # Safety
/// `src` is null or readable for `nbytes` bytes, `dest` null or writable for `destsize` bytes,
/// apart from `src`.
#[unsafe(export_name = symbol!("blosc_compress"))]
pub unsafe extern "C" fn blosc_compress(
    clevel: c_int,
    doshuffle: c_int,
    typesize: usize,
    nbytes: usize,
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
) -> c_int {
    answer(|| {
        if nbytes > MAX_BUFFERSIZE {
            return None;
        }
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, nbytes) }?;
        // SAFETY: null or writable by the caller's promise.
        let dst = writable(unsafe { room(dest, destsize) }?);
        let mut settings = locked();
        let params = settings.params(clevel, doshuffle, typesize)?;
        if unlocked() {
            drop(settings);
            return encode(&mut params.encoder()?, src, dst);
        }
        let here = process(params.nthreads);
        let kept = settings.encoder.as_ref();
        if kept.is_none_or(|(then, there, _)| *then != params || *there != here) {
            settings.encoder = Some((params, here, params.encoder()?));
        }
        let (.., encoder) = settings.encoder.as_mut()?;
        encode(encoder, src, dst)
    })
}

/// Compresses with parameters of its own, without waiting for other calls; the length of the
/// chunk, 0 if it does not fit, or a negative number.
///
/// # Safety
/// As for [`blosc_compress`]; `compressor` is null or a C string.
#[unsafe(export_name = symbol!("blosc_compress_ctx"))]
pub unsafe extern "C" fn blosc_compress_ctx(
    clevel: c_int,
    doshuffle: c_int,
    typesize: usize,
    nbytes: usize,
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
    compressor: *const c_char,
    blocksize: usize,
    numinternalthreads: c_int,
) -> c_int {
    answer(|| {
        if nbytes > MAX_BUFFERSIZE {
            return None;
        }
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, nbytes) }?;
        // SAFETY: null or writable by the caller's promise.
        let dst = writable(unsafe { room(dest, destsize) }?);
        // SAFETY: null or a C string by the caller's promise.
        let code = code_of(unsafe { text(compressor) }?)?;
        let params = Params {
            clevel,
            shuffle: doshuffle,
            typesize,
            code,
            blocksize,
            splitmode: locked().splitmode,
            nthreads: numinternalthreads,
        };
        encode(&mut params.encoder()?, src, dst)
    })
}

/// The chunk at a pointer, as long as its header says.
///
/// # Safety
/// `src` is null or a chunk, readable for the length in its header.
unsafe fn chunk_at<'a>(src: *const c_void) -> Option<(ChunkHeader, &'a [u8])> {
    // SAFETY: at least a header by the caller's promise.
    let front = unsafe { bytes(src, 16) }?;
    let &[_, _, _, _, _, _, _, _, _, _, _, _, c0, c1, c2, c3] = front else {
        return None;
    };
    let len = usize::try_from(i32::from_le_bytes([c0, c1, c2, c3])).ok()?;
    // SAFETY: readable for the length in the header by the caller's promise.
    let chunk = unsafe { bytes(src, len.max(16)) }?;
    Some((ChunkHeader::parse(chunk).ok()?, chunk))
}

fn decoder(nthreads: c_int) -> Option<ChunkDecoder> {
    let dparams = DParams::new().limits(Limits::FORMAT);
    Some(ChunkDecoder::new(dparams.threads(threads(nthreads)?)))
}

/// Calls `work` with the decoder of the process.
fn with_decoder<R>(work: impl FnOnce(&mut ChunkDecoder) -> Option<R>) -> Option<R> {
    let mut settings = locked();
    settings.read_threads()?;
    let nthreads = settings.nthreads;
    if unlocked() {
        drop(settings);
        return work(&mut decoder(nthreads)?);
    }
    let here = process(nthreads);
    let kept = settings.decoder.as_ref();
    if kept.is_none_or(|(then, there, _)| *then != nthreads || *there != here) {
        settings.decoder = Some((nthreads, here, decoder(nthreads)?));
    }
    let (.., decoder) = settings.decoder.as_mut()?;
    work(decoder)
}

fn decode(
    decoder: &mut ChunkDecoder,
    (header, chunk): (ChunkHeader, &[u8]),
    dst: &mut [MaybeUninit<u8>],
) -> Option<c_int> {
    if dst.len() < usize::try_from(header.nbytes).ok()? {
        return None;
    }
    let done = decoder.decode_uninit(chunk, dst).ok()?;
    c_int::try_from(done.len()).ok()
}

/// Decompresses; the bytes of the data, or a negative number.
///
/// # Safety
/// `src` is null or a chunk, readable for the length in its header (`blosc_cbuffer_validate`
/// tells); `dest` is null or writable for `destsize` bytes, apart from `src`.
#[unsafe(export_name = symbol!("blosc_decompress"))]
pub unsafe extern "C" fn blosc_decompress(
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let chunk = unsafe { chunk_at(src) }?;
        // SAFETY: null or writable by the caller's promise.
        let dst = unsafe { room(dest, destsize) }?;
        with_decoder(|decoder| decode(decoder, chunk, dst))
    })
}

/// As [`blosc_decompress`], with a number of threads, without waiting for other calls.
///
/// # Safety
/// As for [`blosc_decompress`].
#[unsafe(export_name = symbol!("blosc_decompress_ctx"))]
pub unsafe extern "C" fn blosc_decompress_ctx(
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
    numinternalthreads: c_int,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let chunk = unsafe { chunk_at(src) }?;
        // SAFETY: null or writable by the caller's promise.
        let dst = unsafe { room(dest, destsize) }?;
        decode(&mut decoder(numinternalthreads)?, chunk, dst)
    })
}

/// The bytes of items; none if the chunk does not have them all.
fn range_of(header: &ChunkHeader, start: c_int, nitems: c_int) -> Option<Range<usize>> {
    let typesize = usize::from(header.typesize);
    let start = usize::try_from(start).ok()?.checked_mul(typesize)?;
    let end = usize::try_from(nitems).ok()?.checked_mul(typesize)?;
    let end = end.checked_add(start)?;
    (end <= usize::try_from(header.nbytes).ok()?).then_some(start..end)
}

/// Decompresses `nitems` items from `start` on; their bytes, or a negative number.
///
/// # Safety
/// `src` is null or a chunk, readable for the length in its header; `dest` is null or writable for
/// the items, apart from `src`.
#[unsafe(export_name = symbol!("blosc_getitem"))]
pub unsafe extern "C" fn blosc_getitem(
    src: *const c_void,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let (header, chunk) = unsafe { chunk_at(src) }?;
        let range = range_of(&header, start, nitems)?;
        // SAFETY: null or writable for the items by the caller's promise.
        let dst = unsafe { room(dest, range.len()) }?;
        with_decoder(|decoder| {
            let done = decoder.decode_bytes_uninit(chunk, range, dst).ok()?;
            c_int::try_from(done.len()).ok()
        })
    })
}
