//! Facts of a super-chunk: its length, its parameters, the positions of its chunks.

use std::ffi::c_int;

use oxiblosc::Special;
use oxiblosc::frame::ChunkPlace;

use super::shared::Kind;
use super::with;
use crate::abi::{BLOSC2_ERROR_NULL_POINTER, blosc2_cparams, blosc2_dparams, blosc2_schunk};
use crate::boundary::{Answer, Code, answer, answer_long, answer_pointer, object, put};
use crate::context::Context;
use crate::memory;

/// The bytes of the frame, of a directory those of its `chunks.b2frame`; of chunks in memory, about
/// those that a frame would have.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
#[unsafe(export_name = symbol!("blosc2_schunk_frame_len"))]
pub unsafe extern "C" fn blosc2_schunk_frame_len(schunk: *mut blosc2_schunk) -> i64 {
    answer_long(|| {
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, public| {
                if let Kind::Pieces(_) = shared.kind {
                    return Ok(public
                        .cbytes
                        .saturating_add(public.nchunks.saturating_mul(8)));
                }
                shared.sync()?;
                Ok(i64::try_from(shared.store.header().frame_len)?)
            })
        }
    })
}

/// Stores a copy of the parameters for compression; 0, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `cparams` is null or writable. The caller
/// frees the copy with `free`.
#[unsafe(export_name = symbol!("blosc2_schunk_get_cparams"))]
pub unsafe extern "C" fn blosc2_schunk_get_cparams(
    schunk: *mut blosc2_schunk,
    cparams: *mut *mut blosc2_cparams,
) -> c_int {
    answer(|| {
        // SAFETY: null or a super-chunk by the caller's promise.
        let public = unsafe { object(schunk) }?;
        if cparams.is_null() {
            return Err(Code(BLOSC2_ERROR_NULL_POINTER));
        }
        // SAFETY: the context of a super-chunk, which the caller may have replaced by another.
        let mut copy = *unsafe { Context::at(public.cctx) }?.cparams();
        copy.schunk = schunk.cast();
        // SAFETY: writable by the caller's promise.
        unsafe { put(cparams, memory::boxed(copy)?) };
        Ok(0)
    })
}

/// Stores a copy of the parameters for decompression; 0, or an error code.
///
/// # Safety
/// As for [`blosc2_schunk_get_cparams`].
#[unsafe(export_name = symbol!("blosc2_schunk_get_dparams"))]
pub unsafe extern "C" fn blosc2_schunk_get_dparams(
    schunk: *mut blosc2_schunk,
    dparams: *mut *mut blosc2_dparams,
) -> c_int {
    answer(|| {
        // SAFETY: null or a super-chunk by the caller's promise.
        let public = unsafe { object(schunk) }?;
        if dparams.is_null() {
            return Err(Code(BLOSC2_ERROR_NULL_POINTER));
        }
        // SAFETY: the context of a super-chunk, which the caller may have replaced by another.
        let mut copy = *unsafe { Context::at(public.dctx) }?.dparams();
        copy.schunk = schunk.cast();
        // SAFETY: writable by the caller's promise.
        unsafe { put(dparams, memory::boxed(copy)?) };
        Ok(0)
    })
}

/// The entry of the index for a special value without bytes.
fn special_entry(special: Option<Special<'_>>) -> i64 {
    let kind: u8 = match special {
        Some(Special::Nans) => 2,
        Some(Special::Uninit) => 4,
        _ => 1,
    };
    i64::from_le_bytes([0, 0, 0, 0, 0, 0, 0, 0x80 | kind])
}

/// The index of a frame: for each chunk its position after the header, the number of its file, or
/// a negative number for a special value. Null without a frame, and on failure.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library. The caller frees the result, which has
/// `schunk->nchunks` entries, with `free`.
#[unsafe(export_name = symbol!("blosc2_frame_get_offsets"))]
pub unsafe extern "C" fn blosc2_frame_get_offsets(schunk: *mut blosc2_schunk) -> *mut i64 {
    answer_pointer(|| {
        // SAFETY: the caller's promise.
        let offsets = unsafe {
            with(schunk, |shared, _| {
                if let Kind::Pieces(_) = shared.kind {
                    return Err(Code::NULL);
                }
                shared.sync()?;
                let store = &*shared.store;
                let header_len = store.header().header_len;
                let entry = |(place, nchunk): (ChunkPlace, u64)| -> Answer<i64> {
                    Ok(match place {
                        ChunkPlace::Offset(at) => i64::try_from(at.saturating_sub(header_len))?,
                        ChunkPlace::File(number) => i64::try_from(number)?,
                        _ => special_entry(store.source().special_value(nchunk)),
                    })
                };
                store
                    .places()
                    .zip(0..)
                    .map(entry)
                    .collect::<Answer<Vec<i64>>>()
            })
        }?;
        memory::array(&offsets)
    })
}
