//! Items across chunks: slices and single ones.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;

use super::read::{fetch, typesize};
use super::store::Change;
use super::{change, with};
use crate::abi::{BLOSC2_ERROR_CHUNK_UPDATE, BLOSC2_ERROR_FAILURE, blosc2_schunk};
use crate::boundary::{Answer, Code, answer, bytes, items, room};
use crate::context::Context;

/// A part of a chunk.
#[derive(Clone, Debug)]
struct Part {
    nchunk: i64,
    range: Range<usize>,
    nbytes: usize,
}

impl Part {
    fn is_whole(&self) -> bool {
        self.range.len() == self.nbytes
    }
}

/// The parts of chunks that hold bytes of the data.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
unsafe fn parts(schunk: *mut blosc2_schunk, span: &Range<u64>) -> Answer<Vec<Part>> {
    // SAFETY: the caller's promise.
    unsafe {
        with(schunk, |shared, _| {
            shared.sync()?;
            if span.end > shared.store.header().nbytes {
                return Err(Code(BLOSC2_ERROR_FAILURE));
            }
            shared.read(|store| {
                let source = store.source();
                let (mut nchunk, mut start) = source.find_chunk(span.start)?;
                let mut parts = Vec::new();
                while start < span.end {
                    let nbytes = source.chunk_nbytes(nchunk)?;
                    let end = start.saturating_add(nbytes as u64);
                    let within = |at: u64| usize::try_from(at.saturating_sub(start)).unwrap_or(0);
                    let range = within(span.start)..within(span.end.min(end));
                    if !range.is_empty() {
                        parts.push(Part {
                            nchunk: i64::try_from(nchunk).unwrap_or(i64::MAX),
                            range,
                            nbytes,
                        });
                    }
                    (nchunk, start) = (nchunk.saturating_add(1), end);
                }
                Ok(parts)
            })
        })
    }
}

/// Decompresses a part of a chunk.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose context is valid.
unsafe fn decode(
    schunk: *mut blosc2_schunk,
    part: &Part,
    dest: &mut [MaybeUninit<u8>],
) -> Answer<()> {
    let range = part.range.clone();
    let wanted = Some(&part.range).filter(|_| !part.is_whole());
    // SAFETY: the caller's promise.
    let (chunk, context) = unsafe { fetch(schunk, part.nchunk, wanted) }?;
    // SAFETY: the context of the super-chunk, or one that the caller put in its place.
    let context = unsafe { Context::at(context) }?;
    let len = range.len();
    let done = if part.is_whole() {
        context.decompress(&chunk, dest)?
    } else {
        context.decompress_range(&chunk, |_| Ok(range), dest)?
    };
    if done == len {
        Ok(())
    } else {
        Err(Code(BLOSC2_ERROR_FAILURE))
    }
}

/// The bytes of items `start` to `stop`; `None` when there are none.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
unsafe fn span(schunk: *mut blosc2_schunk, start: i64, stop: i64) -> Answer<Option<Range<u64>>> {
    // SAFETY: the caller's promise.
    let typesize = unsafe { typesize(schunk) }?;
    let outside = |_| Code(BLOSC2_ERROR_FAILURE);
    let (start, stop) = (
        u64::try_from(start).map_err(outside)?,
        u64::try_from(stop).map_err(outside)?,
    );
    if stop <= start {
        return Ok(None);
    }
    let end = stop
        .checked_mul(typesize)
        .ok_or(Code(BLOSC2_ERROR_FAILURE))?;
    Ok(Some(start.saturating_mul(typesize)..end))
}

/// Decompresses items `start` to `stop`: 0, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose context is valid; `buffer` is null or
/// writable for the items.
#[unsafe(export_name = symbol!("blosc2_schunk_get_slice_buffer"))]
pub unsafe extern "C" fn blosc2_schunk_get_slice_buffer(
    schunk: *mut blosc2_schunk,
    start: i64,
    stop: i64,
    buffer: *mut c_void,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let Some(span) = unsafe { span(schunk, start, stop) }? else {
            return Ok(0);
        };
        // SAFETY: the caller's promise.
        let parts = unsafe { parts(schunk, &span) }?;
        // SAFETY: null or writable for the items by the caller's promise; they are there.
        let mut dest = unsafe { room(buffer, span.end - span.start) }?;
        for part in parts {
            let (now, later) = dest.split_at_mut(part.range.len().min(dest.len()));
            // SAFETY: the caller's promise.
            unsafe { decode(schunk, &part, now) }?;
            dest = later;
        }
        Ok(0)
    })
}

/// Decompresses single items: 0, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose context is valid; `coords` is null or
/// readable for `ncoords` numbers, `buffer` null or writable for as many items.
#[unsafe(export_name = symbol!("blosc2_schunk_get_sparse_buffer"))]
pub unsafe extern "C" fn blosc2_schunk_get_sparse_buffer(
    schunk: *mut blosc2_schunk,
    ncoords: i64,
    coords: *const i64,
    buffer: *mut c_void,
) -> c_int {
    answer(|| {
        // SAFETY: null or readable by the caller's promise.
        let coords = unsafe { items(coords, ncoords) }?;
        // SAFETY: the caller's promise.
        let typesize = unsafe { typesize(schunk) }?;
        let size = usize::try_from(typesize)?;
        let len = coords.len().checked_mul(size).ok_or(Code::INVALID)?;
        // SAFETY: null or writable for the items by the caller's promise.
        let dest = unsafe { room(buffer, len) }?;
        let mut order: Vec<(i64, usize)> = coords.iter().copied().zip(0..).collect();
        order.sort_unstable();
        // The chunk that the last items came from, and the bytes of the data that it holds.
        let mut data: Vec<u8> = Vec::new();
        let mut held = 0..0;
        for (item, place) in order {
            let start = u64::try_from(item)?
                .checked_mul(typesize)
                .ok_or(Code::INVALID)?;
            let end = start.checked_add(typesize).ok_or(Code::INVALID)?;
            let at = place.saturating_mul(size);
            let dest = dest
                .get_mut(at..at.saturating_add(size))
                .unwrap_or_default();
            if !(held.start <= start && end <= held.end) {
                // SAFETY: the caller's promise.
                let parts = unsafe { parts(schunk, &(start..end)) }.map_err(|_| Code::INVALID)?;
                let [part] = parts.as_slice() else {
                    let mut dest = dest;
                    for part in parts {
                        let (now, later) = dest.split_at_mut(part.range.len().min(dest.len()));
                        // SAFETY: the caller's promise.
                        unsafe { decode(schunk, &part, now) }?;
                        dest = later;
                    }
                    continue;
                };
                held.start = start.saturating_sub(part.range.start as u64);
                held.end = held.start.saturating_add(part.nbytes as u64);
                let whole = Part {
                    range: 0..part.nbytes,
                    ..part.clone()
                };
                data.clear();
                data.reserve(part.nbytes);
                let room = data.spare_capacity_mut();
                let room = room.get_mut(..part.nbytes).unwrap_or_default();
                // SAFETY: the caller's promise.
                unsafe { decode(schunk, &whole, room) }?;
                // SAFETY: `decode` has written so many bytes.
                unsafe { data.set_len(part.nbytes) };
            }
            let from = usize::try_from(start.saturating_sub(held.start))?;
            let from = data
                .get(from..from.saturating_add(size))
                .unwrap_or_default();
            for (to, from) in dest.iter_mut().zip(from) {
                to.write(*from);
            }
        }
        Ok(0)
    })
}

/// Replaces the data of one part of a chunk.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose contexts are valid.
unsafe fn replace(schunk: *mut blosc2_schunk, part: &Part, new: &[u8]) -> Answer<()> {
    let mut patched = Vec::new();
    let data = if part.is_whole() {
        new
    } else {
        let whole = Part {
            range: 0..part.nbytes,
            ..part.clone()
        };
        patched.reserve(part.nbytes);
        let room = patched.spare_capacity_mut();
        let room = room.get_mut(..part.nbytes).unwrap_or_default();
        // SAFETY: the caller's promise.
        unsafe { decode(schunk, &whole, room) }?;
        // SAFETY: `decode` has written so many bytes.
        unsafe { patched.set_len(part.nbytes) };
        if let Some(old) = patched.get_mut(part.range.clone()) {
            old.copy_from_slice(new);
        }
        &patched
    };
    let number = u64::try_from(part.nchunk)?;
    // SAFETY: the caller's promise.
    unsafe {
        let nchunk = Some(part.nchunk);
        change::encode(
            schunk,
            nchunk,
            data,
            |chunk| Change::Update(number, chunk),
            |_| Ok(()),
        )
    }
}

/// Replaces items `start` to `stop`; the chunks that hold them are compressed again: 0, or an
/// error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose contexts are valid; `buffer` is null or
/// readable for the items.
#[unsafe(export_name = symbol!("blosc2_schunk_set_slice_buffer"))]
pub unsafe extern "C" fn blosc2_schunk_set_slice_buffer(
    schunk: *mut blosc2_schunk,
    start: i64,
    stop: i64,
    buffer: *mut c_void,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let Some(span) = unsafe { span(schunk, start, stop) }? else {
            return Ok(0);
        };
        let beyond = |_| Code(BLOSC2_ERROR_CHUNK_UPDATE);
        // SAFETY: the caller's promise.
        let parts = unsafe { parts(schunk, &span) }.map_err(beyond)?;
        // SAFETY: null or readable for the items by the caller's promise; they are there.
        let mut src = unsafe { bytes(buffer.cast_const(), span.end - span.start) }?;
        // Others see all of it or nothing.
        // SAFETY: the caller's promise.
        if unsafe { super::blosc2_schunk_lock(schunk) } < 0 {
            return Err(Code(BLOSC2_ERROR_CHUNK_UPDATE));
        }
        let mut done = Ok(());
        for part in parts {
            let (now, later) = src.split_at(part.range.len().min(src.len()));
            // SAFETY: the caller's promise.
            done = unsafe { replace(schunk, &part, now) };
            if done.is_err() {
                break;
            }
            src = later;
        }
        // SAFETY: the caller's promise.
        let unlocked = unsafe { super::blosc2_schunk_unlock(schunk) };
        done?;
        Ok(unlocked.min(0))
    })
}
