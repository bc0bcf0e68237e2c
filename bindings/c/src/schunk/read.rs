//! Reading chunks, compressed and decompressed.

use std::ffi::{c_int, c_void};
use std::ops::{Deref, Range};
use std::sync::Arc;

use super::pieces::Piece;
use super::shared::{Kind, Shared};
use super::{fields, locked, shared_of, with};
use crate::abi::{
    BLOSC2_ERROR_INVALID_PARAM, BLOSC2_ERROR_WRITE_BUFFER, blosc2_context, blosc2_schunk,
};
use crate::boundary::{Answer, Code, answer, put, room};
use crate::context::Context;
use crate::memory::Heap;

/// The bytes of a chunk, without the lock.
#[derive(Debug)]
pub(crate) enum ChunkBytes {
    /// In memory, shared.
    Piece(Arc<Piece>),
    /// A copy.
    Copy(Vec<u8>),
}

impl Deref for ChunkBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Piece(piece) => piece.bytes(),
            Self::Copy(bytes) => bytes,
        }
    }
}

/// The bytes of chunk `nchunk`; of one on disk, those for the data `range` are enough.
fn chunk_bytes(
    shared: &mut Shared,
    nchunk: u64,
    range: Option<&Range<usize>>,
) -> Answer<ChunkBytes> {
    if let Kind::Pieces(_) = shared.kind {
        let at = usize::try_from(nchunk)?;
        let piece = shared.pieces.get(at).ok_or(Code::INVALID)?;
        return Ok(ChunkBytes::Piece(Arc::clone(piece)));
    }
    let on_disk = !matches!(shared.kind, Kind::Bytes(_));
    shared
        .read(|store| {
            if let Some(range) = range.filter(|_| on_disk) {
                let mut chunk = store.lazy(nchunk)?;
                if chunk.front().is_some() {
                    return Ok(chunk.bytes_for(range.clone())?.to_vec());
                }
            }
            let source = store.source();
            let chunk = source.chunk(nchunk)?.into_bytes(&source.layout());
            Ok(chunk.into_owned())
        })
        .map(ChunkBytes::Copy)
}

/// The bytes of a chunk, and the context for decompressing it.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
pub(crate) unsafe fn fetch(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    range: Option<&Range<usize>>,
) -> Answer<(ChunkBytes, *mut blosc2_context)> {
    // SAFETY: the caller's promise.
    unsafe {
        with(schunk, |shared, public| {
            let number = shared.nchunk(nchunk)?;
            public.current_nchunk = nchunk;
            let bytes = chunk_bytes(shared, number, range)?;
            Ok((bytes, public.dctx))
        })
    }
}

/// Decompresses a chunk: its bytes, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose context is valid; `dest` is null or
/// writable for `nbytes` bytes.
#[unsafe(export_name = symbol!("blosc2_schunk_decompress_chunk"))]
pub unsafe extern "C" fn blosc2_schunk_decompress_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    dest: *mut c_void,
    nbytes: i32,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let (chunk, context) = unsafe { fetch(schunk, nchunk, None) }?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, nbytes) }?;
        // SAFETY: the context of the super-chunk, or one that the caller put in its place.
        let context = unsafe { Context::at(context) }?;
        let done = context.decompress(&chunk, dest);
        let done = done.map_err(|code| match (code.0, &chunk) {
            (BLOSC2_ERROR_WRITE_BUFFER, ChunkBytes::Piece(_)) => Code(BLOSC2_ERROR_INVALID_PARAM),
            _ => code,
        })?;
        Ok(c_int::try_from(done)?)
    })
}

/// A chunk for the caller: where it is, how long, and whether the caller frees it.
pub(super) type Lent = (*mut u8, usize, bool);

/// A chunk where it is, or a copy of it.
pub(super) fn lend(shared: &mut Shared, nchunk: u64) -> Answer<Lent> {
    if let Kind::Bytes(_) = shared.kind {
        let source = shared.store.source();
        let chunk = source.chunk(nchunk)?;
        if let oxiblosc::schunk::StoredChunk::Bytes(std::borrow::Cow::Borrowed(bytes)) = chunk {
            return Ok((bytes.as_ptr().cast_mut(), bytes.len(), false));
        }
    }
    match chunk_bytes(shared, nchunk, None)? {
        ChunkBytes::Piece(piece) => Ok((piece.start(), piece.bytes().len(), false)),
        ChunkBytes::Copy(bytes) => Ok((Heap::copy(&bytes)?.give(), bytes.len(), true)),
    }
}

/// Stores a chunk, or a part of it, at the pointers of the caller.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `chunk` and `needs_free` are null or
/// writable.
pub(super) unsafe fn lend_to(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut *mut u8,
    needs_free: *mut bool,
    lend: impl FnOnce(&mut Shared, u64) -> Answer<Lent>,
) -> Answer<c_int> {
    // SAFETY: null or writable by the caller's promise.
    unsafe { put(chunk, std::ptr::null_mut()) };
    // SAFETY: null or writable by the caller's promise.
    unsafe { put(needs_free, false) };
    if chunk.is_null() || needs_free.is_null() {
        return Err(Code::NULL);
    }
    // SAFETY: the caller's promise.
    let (start, len, free) = unsafe {
        with(schunk, |shared, public| {
            let number = shared.nchunk(nchunk)?;
            public.current_nchunk = nchunk;
            lend(shared, number)
        })
    }?;
    // SAFETY: writable by the caller's promise.
    unsafe { put(chunk, start) };
    // SAFETY: writable by the caller's promise.
    unsafe { put(needs_free, free) };
    Ok(c_int::try_from(len)?)
}

/// Stores the address of a compressed chunk, and whether the caller has to free it: its length, or
/// an error code. What the caller does not free holds until the super-chunk changes.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `chunk` and `needs_free` are null or
/// writable.
#[unsafe(export_name = symbol!("blosc2_schunk_get_chunk"))]
pub unsafe extern "C" fn blosc2_schunk_get_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut *mut u8,
    needs_free: *mut bool,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { lend_to(schunk, nchunk, chunk, needs_free, lend) })
}

/// Decompresses one block of a chunk whose blocks have variable lengths: its bytes, or an error
/// code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose context is valid; `dest` and `destsize`
/// are null or writable. The caller frees the block with `free`.
#[unsafe(export_name = symbol!("blosc2_schunk_get_vlblock"))]
pub unsafe extern "C" fn blosc2_schunk_get_vlblock(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    nblock: i32,
    dest: *mut *mut u8,
    destsize: *mut i32,
) -> c_int {
    answer(|| {
        if dest.is_null() || destsize.is_null() {
            return Err(Code::INVALID);
        }
        // SAFETY: the caller's promise.
        let (chunk, context) = unsafe { fetch(schunk, nchunk, None) }?;
        // SAFETY: the context of the super-chunk, or one that the caller put in its place.
        let block = unsafe { Context::at(context) }?.vlblock(&chunk, nblock)?;
        let len = i32::try_from(block.len())?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(destsize, len) };
        // SAFETY: writable by the caller's promise.
        unsafe { put(dest, block.give()) };
        Ok(len)
    })
}

/// The typesize of a super-chunk in bytes, and whether it has locks.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
pub(super) unsafe fn typesize(schunk: *mut blosc2_schunk) -> Answer<u64> {
    // SAFETY: the caller's promise.
    let shared = unsafe { shared_of(schunk) }?;
    let _held = locked(&shared);
    // SAFETY: the lock is held, and no function of a user is called.
    let typesize = unsafe { fields(schunk) }.typesize;
    u64::try_from(typesize)
        .ok()
        .filter(|&size| size > 0)
        .ok_or(Code::INVALID)
}
