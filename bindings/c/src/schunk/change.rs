//! Adding, replacing, inserting and removing chunks.

use std::ffi::{c_int, c_void};

use oxiblosc::{ChunkHeader, max_chunk_len};

use super::pieces::Piece;
use super::shared::Shared;
use super::store::Change;
use super::{fields, locked, shared_of, with};
use crate::abi::{
    BLOSC2_ERROR_CHUNK_APPEND, BLOSC2_ERROR_DATA, BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED,
    BLOSC2_MAX_BUFFERSIZE, blosc2_schunk,
};
use crate::boundary::{Answer, Code, answer, answer_long, bytes, items};
use crate::context::Context;

/// The bytes of a whole chunk, as its header says how many they are.
///
/// # Safety
/// `chunk` is null or a chunk that is unchanged while the result is in use.
unsafe fn whole<'a>(chunk: *const u8) -> Answer<&'a [u8]> {
    // SAFETY: every chunk has 16 bytes, by the caller's promise.
    let front = unsafe { bytes(chunk.cast::<c_void>(), 16) }?;
    // A header of 16 bytes says as much as one of 32 of the length.
    let mut header = [0; 32];
    for (to, from) in header.iter_mut().zip(front) {
        *to = *from;
    }
    let cbytes = ChunkHeader::parse(&header)?.cbytes;
    // SAFETY: a chunk has as many bytes as its header says, by the caller's promise.
    unsafe { bytes(chunk.cast::<c_void>(), cbytes) }
}

/// The number of chunks after a change.
fn count(shared: &Shared) -> Answer<i64> {
    Ok(i64::try_from(shared.store.nchunks())?)
}

/// Stores a chunk of the caller; without `copy` it is given away.
///
/// # Safety
/// `schunk` is null or a super-chunk; `chunk` is null or a chunk, without `copy` from `malloc`.
unsafe fn store(
    schunk: *mut blosc2_schunk,
    chunk: *mut u8,
    copy: bool,
    change: impl for<'a> FnOnce(&mut Shared, &'a [u8]) -> Answer<(i64, Change<'a>)>,
) -> Answer<i64> {
    // SAFETY: null or a chunk by the caller's promise.
    let whole = unsafe { whole(chunk) }?;
    // SAFETY: from `malloc` and given away, by the caller's promise; kept if the call fails.
    let gift = (!copy).then(|| unsafe { Piece::adopt(chunk, whole.len()) });
    // SAFETY: the caller's promise.
    let done = unsafe {
        with(schunk, |shared, public| {
            let (nchunk, change) = change(shared, whole)?;
            public.current_nchunk = nchunk;
            let pieces = shared.pieces().cloned();
            if let Some(pieces) = &pieces {
                pieces.offer(gift.clone());
            }
            let done = shared.change(change);
            if let Some(pieces) = &pieces {
                pieces.offer(None);
            }
            done?;
            count(shared)
        })
    };
    if done.is_err() {
        // The caller keeps it.
        std::mem::forget(gift);
    }
    done
}

/// Adds a chunk at the end: the number of chunks, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `chunk` is null or a chunk. Without `copy` it
/// came from `malloc` and belongs to the super-chunk from then on, unless the call fails.
#[unsafe(export_name = symbol!("blosc2_schunk_append_chunk"))]
pub unsafe extern "C" fn blosc2_schunk_append_chunk(
    schunk: *mut blosc2_schunk,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    answer_long(|| {
        // SAFETY: the caller's promise.
        unsafe {
            store(schunk, chunk, copy, |shared, chunk| {
                Ok((count(shared)?, Change::Append(chunk)))
            })
        }
    })
}

/// Replaces a chunk: the number of chunks, or an error code.
///
/// # Safety
/// As for [`blosc2_schunk_append_chunk`].
#[unsafe(export_name = symbol!("blosc2_schunk_update_chunk"))]
pub unsafe extern "C" fn blosc2_schunk_update_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    answer_long(|| {
        // SAFETY: the caller's promise.
        unsafe {
            store(schunk, chunk, copy, |shared, chunk| {
                Ok((nchunk, Change::Update(shared.nchunk(nchunk)?, chunk)))
            })
        }
    })
}

/// Inserts a chunk before another, or at the end: the number of chunks, or an error code.
///
/// # Safety
/// As for [`blosc2_schunk_append_chunk`].
#[unsafe(export_name = symbol!("blosc2_schunk_insert_chunk"))]
pub unsafe extern "C" fn blosc2_schunk_insert_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    answer_long(|| {
        // SAFETY: the caller's promise.
        unsafe {
            store(schunk, chunk, copy, |_, chunk| {
                Ok((nchunk, Change::Insert(u64::try_from(nchunk)?, chunk)))
            })
        }
    })
}

/// Removes a chunk: the number of chunks left, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
#[unsafe(export_name = symbol!("blosc2_schunk_delete_chunk"))]
pub unsafe extern "C" fn blosc2_schunk_delete_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
) -> i64 {
    answer_long(|| {
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, public| {
                let number = shared.nchunk(nchunk)?;
                public.current_nchunk = nchunk;
                shared.change(Change::Delete(number))?;
                count(shared)
            })
        }
    })
}

/// Compresses data with the context of a super-chunk, as chunk `nchunk`, into its scratch memory,
/// and calls `store` with the chunk.
///
/// # Safety
/// `schunk` is a super-chunk of this library, whose context is valid.
pub(super) unsafe fn encode<R>(
    schunk: *mut blosc2_schunk,
    nchunk: Option<i64>,
    data: &[u8],
    change: impl for<'a> FnOnce(&'a [u8]) -> Change<'a>,
    done: impl FnOnce(&mut Shared) -> Answer<R>,
) -> Answer<R> {
    if data.len() > usize::try_from(BLOSC2_MAX_BUFFERSIZE)? {
        return Err(Code(BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED));
    }
    // SAFETY: the caller's promise.
    let shared = unsafe { shared_of(schunk) }?;
    let (context, mut scratch) = {
        let mut shared = locked(&shared);
        // SAFETY: the lock is held, and nothing below calls a function of the user.
        let public = unsafe { fields(schunk) };
        public.current_nchunk = match nchunk {
            Some(nchunk) => nchunk,
            None => count(&shared)?,
        };
        (public.cctx, std::mem::take(&mut shared.scratch))
    };
    let room = max_chunk_len(data.len());
    if scratch.len() < room {
        scratch.resize(room, 0);
    }
    // SAFETY: the context of the super-chunk, or one that the caller put in its place.
    let cbytes = unsafe { Context::at(context) }?.compress(data, &mut scratch)?;
    let chunk = scratch.get(..cbytes).filter(|chunk| !chunk.is_empty());
    let chunk = chunk.ok_or(Code(BLOSC2_ERROR_CHUNK_APPEND))?;
    // SAFETY: the caller's promise.
    let stored = unsafe {
        with(schunk, |shared, _| {
            shared.change(change(chunk))?;
            done(shared)
        })
    };
    locked(&shared).scratch = scratch;
    stored
}

/// Compresses data and adds it as a chunk at the end: the number of chunks, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose context is valid; `src` is null or
/// readable for `nbytes` bytes.
#[unsafe(export_name = symbol!("blosc2_schunk_append_buffer"))]
pub unsafe extern "C" fn blosc2_schunk_append_buffer(
    schunk: *mut blosc2_schunk,
    src: *const c_void,
    nbytes: i32,
) -> i64 {
    answer_long(|| {
        if nbytes < 0 {
            return Err(Code(BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED));
        }
        // SAFETY: null or readable by the caller's promise.
        let data = unsafe { bytes(src, nbytes) }?;
        // SAFETY: the caller's promise.
        unsafe {
            encode(
                schunk,
                None,
                data,
                |chunk| Change::Append(chunk),
                |shared| count(shared),
            )
        }
    })
}

/// Changes the order of the chunks: 0, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `offsets_order` is null or readable for
/// `schunk->nchunks` numbers.
#[unsafe(export_name = symbol!("blosc2_schunk_reorder_offsets"))]
pub unsafe extern "C" fn blosc2_schunk_reorder_offsets(
    schunk: *mut blosc2_schunk,
    offsets_order: *mut i64,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let nchunks = unsafe { with(schunk, |shared, _| count(shared)) }?;
        // SAFETY: null or readable for so many numbers by the caller's promise.
        let order = unsafe { items(offsets_order.cast_const(), nchunks) }?;
        let order: Result<Vec<u64>, _> = order.iter().map(|&n| u64::try_from(n)).collect();
        let order = order.map_err(|_| Code(BLOSC2_ERROR_DATA))?;
        // SAFETY: the caller's promise.
        let done = unsafe { with(schunk, |shared, _| shared.change(Change::Reorder(&order))) };
        done.map_err(|_| Code(BLOSC2_ERROR_DATA))?;
        Ok(0)
    })
}
