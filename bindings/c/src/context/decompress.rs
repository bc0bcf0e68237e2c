//! Decompressing with a context: whole chunks, items, ranges of bytes.

use std::borrow::Cow;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc::ChunkDecoder;

use super::{Age, Call, Context, Shown, Way, Work, core_dparams, current_chunk};
use crate::abi::{
    BLOSC2_ERROR_INVALID_HEADER, BLOSC2_ERROR_WRITE_BUFFER, blosc2_context, blosc2_dparams,
    blosc2_schunk,
};
use crate::boundary::{Answer, Code, answer, bytes, room};
use crate::chunk::{NEWEST, Sizes, header_of, is_plain, refused};
use crate::{global, registry, schunk};

impl Work {
    /// The decoder for the parameters of now.
    fn decoder(
        &mut self,
        context: &Context,
        dparams: &blosc2_dparams,
    ) -> Answer<(&Call, &mut ChunkDecoder)> {
        let age = Age(registry::age(), global::threads_age());
        if self.decoder.as_ref().is_none_or(|(then, _)| *then != age) {
            // SAFETY: `create` was promised that the pointers are null or valid for the life of
            // the context, and has replaced `postparams` by a copy.
            let (core, call) = unsafe { core_dparams(dparams, context.pointer()) }?;
            self.decoder = Some((age, ChunkDecoder::new(core)));
            self.call = call;
        }
        let (_, decoder) = self.decoder.as_mut().ok_or(Code::FAILURE)?;
        Ok((&self.call, decoder))
    }
}

/// The chunk as the decoder wants it: no longer than it says, and with blocks that are in a file
/// read from there, those that have bytes of the range.
///
/// # Errors
/// As C's: `READ_BUFFER` for less than a header, `INVALID_HEADER` for less than the chunk.
pub(crate) fn whole<'a>(
    chunk: &'a [u8],
    schunk: *mut c_void,
    wanted: Option<&Range<usize>>,
) -> Answer<(Sizes, Cow<'a, [u8]>)> {
    let sizes = Sizes::of(chunk)?;
    let whole = || {
        let incomplete = || refused(chunk, Code(BLOSC2_ERROR_INVALID_HEADER));
        chunk.get(..sizes.cbytes).ok_or_else(incomplete)
    };
    if is_plain(chunk) {
        return Ok((sizes, Cow::Borrowed(whole()?)));
    }
    let (_, lazy) = header_of(chunk)?;
    if lazy {
        let schunk = schunk.cast::<blosc2_schunk>();
        if schunk.is_null() {
            return Err(Code::INVALID);
        }
        // SAFETY: not null; a super-chunk for as long as the context is, as `create` was promised.
        let chunk = unsafe { schunk::lazy::read_lazy(schunk, chunk, wanted) }?;
        return Ok((sizes, Cow::Owned(chunk)));
    }
    let mut known = whole()?.to_vec();
    if let Some(version) = known.first_mut() {
        *version = NEWEST;
    }
    Ok((sizes, Cow::Owned(known)))
}

impl Context {
    /// Calls `work` with the decoder and the chunk, of which only the wanted bytes may be there.
    ///
    /// # Errors
    /// Those of the parameters, of the chunk and of `work`.
    pub(crate) fn with_decoder<R>(
        &self,
        chunk: &[u8],
        wanted: Option<&Range<usize>>,
        work: impl FnOnce(Sizes, &mut ChunkDecoder, &[u8]) -> Answer<R>,
    ) -> Answer<R> {
        let mut busy = self.busy()?;
        let dparams = self.dparams();
        let (call, decoder) = busy.work.decoder(self, dparams)?;
        let (sizes, chunk) = whole(chunk, dparams.schunk, wanted)?;
        let _shown = Shown::new(&call.chunk, chunk.as_ptr());
        // SAFETY: null or a super-chunk, as `create` was promised.
        match unsafe { current_chunk(dparams.schunk) } {
            Some(number) => decoder.in_chunk(number, |decoder| work(sizes, decoder, &chunk)),
            None => work(sizes, decoder, &chunk),
        }
    }

    /// Decompresses a chunk to the front of `dst`; its bytes. Those of blocks that the mask leaves
    /// out are counted, as in C, and not written.
    ///
    /// # Errors
    /// `INVALID_PARAM` for a context for compression; those of decompressing.
    pub(crate) fn decompress(&self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Answer<usize> {
        if self.way() != Way::Decompress {
            return Err(Code::INVALID);
        }
        let mask = self.take_mask();
        self.with_decoder(chunk, None, |sizes, decoder, chunk| {
            let nbytes = sizes.nbytes;
            if dst.len() < nbytes {
                return Err(refused(chunk, Code(BLOSC2_ERROR_WRITE_BUFFER)));
            }
            let Some(mask) = mask else {
                return Ok(decoder.decode_uninit(chunk, dst)?.len());
            };
            let blocksize = sizes.blocksize.max(1);
            let nblocks = nbytes.div_ceil(blocksize);
            if mask.len() != nblocks {
                return Err(refused(chunk, Code::INVALID));
            }
            for (block, left_out) in mask.iter().enumerate() {
                let start = (block * blocksize).min(nbytes);
                let end = (start + blocksize).min(nbytes);
                if !left_out && let Some(room) = dst.get_mut(start..end) {
                    decoder.decode_bytes_uninit(chunk, start..end, room)?;
                }
            }
            Ok(nbytes)
        })
    }

    /// Decompresses a range of bytes to the front of `dst`; their number.
    ///
    /// # Errors
    /// `INVALID_PARAM` for bytes that the chunk has not, or that are no whole items;
    /// `WRITE_BUFFER` for a `dst` that is too short.
    pub(crate) fn decompress_range(
        &self,
        chunk: &[u8],
        range: impl FnOnce(Sizes) -> Answer<Range<usize>>,
        dst: &mut [MaybeUninit<u8>],
    ) -> Answer<usize> {
        let range = range_within(chunk, range)?;
        let Some(dst) = dst.get_mut(..range.len()) else {
            return Err(refused(chunk, Code(BLOSC2_ERROR_WRITE_BUFFER)));
        };
        self.with_decoder(chunk, Some(&range.clone()), |_, decoder, chunk| {
            Ok(decoder.decode_bytes_uninit(chunk, range, dst)?.len())
        })
    }
}

/// The range of bytes that `range` finds for a chunk, which has them.
///
/// # Errors
/// `INVALID_PARAM` for bytes that the chunk has not; those of its header and of `range`.
pub(crate) fn range_within(
    chunk: &[u8],
    range: impl FnOnce(Sizes) -> Answer<Range<usize>>,
) -> Answer<Range<usize>> {
    let sizes = Sizes::of(chunk)?;
    match range(sizes) {
        Ok(range) if range.end <= sizes.nbytes => Ok(range),
        Ok(_) => Err(refused(chunk, Code::INVALID)),
        Err(code) => Err(refused(chunk, code)),
    }
}

/// The bytes of `nitems` items from `start` on.
pub(crate) fn items_range(sizes: Sizes, start: c_int, nitems: c_int) -> Answer<Range<usize>> {
    let start = usize::try_from(start)?.checked_mul(sizes.typesize);
    let len = usize::try_from(nitems)?.checked_mul(sizes.typesize);
    let start = start.ok_or(Code::INVALID)?;
    let end = len
        .and_then(|len| start.checked_add(len))
        .ok_or(Code::INVALID)?;
    Ok(start..end)
}

/// Decompresses a chunk; its bytes (with those of blocks that a mask leaves out, which are not
/// written), or an error code.
///
/// # Safety
/// `context` is null or a context, `src` null or readable for `srcsize` bytes, `dest` null or
/// writable for `destsize` bytes, apart from `src`.
#[unsafe(export_name = symbol!("blosc2_decompress_ctx"))]
pub unsafe extern "C" fn blosc2_decompress_ctx(
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
        let destsize = usize::try_from(destsize).map_err(|_| Code(BLOSC2_ERROR_WRITE_BUFFER))?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, destsize) }?;
        Ok(c_int::try_from(context.decompress(src, dest)?)?)
    })
}

/// Decompresses `nitems` items from `start` on, counted in the typesize of the chunk; their bytes,
/// or an error code.
///
/// # Safety
/// As for [`blosc2_decompress_ctx`].
#[unsafe(export_name = symbol!("blosc2_getitem_ctx"))]
pub unsafe extern "C" fn blosc2_getitem_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    start: c_int,
    nitems: c_int,
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
        let range = |sizes| items_range(sizes, start, nitems);
        Ok(c_int::try_from(
            context.decompress_range(src, range, dest)?,
        )?)
    })
}

/// Decompresses `nbytes` bytes from `start` on, both multiples of the typesize of the chunk; their
/// number, or an error code.
///
/// # Safety
/// As for [`blosc2_decompress_ctx`].
#[unsafe(export_name = symbol!("blosc2_getitem_bytes_ctx"))]
pub unsafe extern "C" fn blosc2_getitem_bytes_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    start: i32,
    nbytes: i32,
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
        let range = |sizes: Sizes| {
            let typesize = sizes.typesize.max(1);
            let (start, len) = (usize::try_from(start)?, usize::try_from(nbytes)?);
            if !start.is_multiple_of(typesize) || !len.is_multiple_of(typesize) {
                return Err(Code::INVALID);
            }
            Ok(start..start.checked_add(len).ok_or(Code::INVALID)?)
        };
        Ok(c_int::try_from(
            context.decompress_range(src, range, dest)?,
        )?)
    })
}
