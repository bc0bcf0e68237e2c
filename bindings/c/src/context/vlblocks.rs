//! Chunks whose blocks have variable lengths.

use std::ffi::{c_int, c_void};

use oxiblosc::{ChunkHeader, ChunkView, Limits};

use super::Context;
use super::compress::{fitted, writable};
use super::decompress::whole;
use crate::abi::{BLOSC2_ERROR_INVALID_HEADER, blosc2_context};
use crate::boundary::{Answer, Code, answer, bytes, items, items_mut, object_mut, put, room};
use crate::chunk::header_of;
use crate::memory::Heap;

/// Compresses `nblocks` blocks into one chunk; its length, or an error code.
///
/// # Safety
/// `context` is null or a context; `srcs` and `srcsizes` are null or have `nblocks` entries, and
/// each block is null or readable for its size; `dest` is null or writable for `destsize` bytes,
/// apart from the blocks.
#[unsafe(export_name = symbol!("blosc2_vlcompress_ctx"))]
pub unsafe extern "C" fn blosc2_vlcompress_ctx(
    context: *mut blosc2_context,
    srcs: *const *const c_void,
    srcsizes: *const i32,
    nblocks: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::at(context) }?;
        if nblocks <= 0 || srcs.is_null() || srcsizes.is_null() || dest.is_null() {
            return Err(Code::INVALID);
        }
        // SAFETY: `nblocks` entries by the caller's promise.
        let starts = unsafe { items(srcs, nblocks) }?;
        // SAFETY: `nblocks` entries by the caller's promise.
        let sizes = unsafe { items(srcsizes, nblocks) }?;
        let mut blocks = Vec::with_capacity(starts.len());
        for (start, size) in starts.iter().zip(sizes) {
            if *size <= 0 || start.is_null() {
                return Err(Code::INVALID);
            }
            // SAFETY: readable for its size by the caller's promise.
            blocks.push(unsafe { bytes(*start, *size) }?);
        }
        // SAFETY: null or writable by the caller's promise.
        let dest = writable(unsafe { room(dest, destsize) }?);
        let done = context.with_encoder(std::ptr::null(), |_, encoder| {
            fitted(encoder.encode_vlblocks_into(&blocks, dest))
        })?;
        if done == 0 {
            return Err(Code(crate::abi::BLOSC2_ERROR_WRITE_BUFFER));
        }
        Ok(c_int::try_from(done)?)
    })
}

/// The number of blocks of a chunk whose blocks have variable lengths.
fn nblocks_of(header: &ChunkHeader) -> Answer<usize> {
    if !header.is_vlblocks() {
        return Err(Code::INVALID);
    }
    Ok(usize::try_from(header.blocksize)?)
}

/// Decompresses a chunk into a buffer for each block; their number, or an error code.
///
/// # Safety
/// `context` is null or a context, `src` null or readable for `srcsize` bytes, `dests` and
/// `destsizes` null or writable for `maxblocks` entries. The caller frees the buffers with `free`.
#[unsafe(export_name = symbol!("blosc2_vldecompress_ctx"))]
pub unsafe extern "C" fn blosc2_vldecompress_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    dests: *mut *mut c_void,
    destsizes: *mut i32,
    maxblocks: i32,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::at(context) }?;
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, srcsize) }?;
        if dests.is_null() || destsizes.is_null() || maxblocks <= 0 {
            return Err(Code::INVALID);
        }
        let (header, _) = header_of(src)?;
        let nblocks = nblocks_of(&header)?;
        if nblocks > usize::try_from(maxblocks)? {
            return Err(Code::INVALID);
        }
        let blocks = context.with_decoder(src, None, |_, decoder, chunk| {
            let view = ChunkView::parse(chunk, &Limits::FORMAT)?;
            let mut blocks = Vec::with_capacity(nblocks);
            for block in 0..nblocks {
                let mut heap = Heap::new(view.vlblock_len(block)?)?;
                decoder.decode_vlblock_uninit(chunk, block, heap.room())?;
                blocks.push(heap);
            }
            Ok(blocks)
        })?;
        let count = c_int::try_from(blocks.len())?;
        // SAFETY: at least as many writable entries by the caller's promise.
        let starts = unsafe { room(dests.cast(), blocks.len() * size_of::<*mut c_void>()) }?;
        // SAFETY: at least as many writable entries by the caller's promise.
        let sizes = unsafe { items_mut(destsizes, blocks.len()) }?;
        let starts = starts.as_mut_ptr().cast::<*mut c_void>();
        for (index, (block, size)) in blocks.into_iter().zip(sizes).enumerate() {
            *size = i32::try_from(block.len())?;
            // SAFETY: `index` is below the number of blocks, for which there are entries.
            let place = unsafe { starts.add(index) };
            // SAFETY: a writable entry, as above.
            unsafe { put(place, block.give().cast::<c_void>()) };
        }
        Ok(count)
    })
}

/// Stores the number of blocks of a chunk whose blocks have variable lengths; 0, or an error code.
///
/// # Safety
/// `src` is null or readable for `srcsize` bytes, `nblocks` null or writable.
#[unsafe(export_name = symbol!("blosc2_vlchunk_get_nblocks"))]
pub unsafe extern "C" fn blosc2_vlchunk_get_nblocks(
    src: *const c_void,
    srcsize: i32,
    nblocks: *mut i32,
) -> c_int {
    answer(|| {
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, srcsize) }?;
        // SAFETY: null or writable by the caller's promise.
        let nblocks = unsafe { object_mut(nblocks) }?;
        let (header, _) = header_of(src)?;
        *nblocks = i32::try_from(nblocks_of(&header)?)?;
        Ok(0)
    })
}

/// Decompresses one block into a new buffer; its bytes, or an error code.
///
/// # Safety
/// `context` is null or a context, `src` null or readable for `srcsize` bytes, `dest` and
/// `destsize` null or writable. The caller frees the buffer with `free`.
#[unsafe(export_name = symbol!("blosc2_vldecompress_block_ctx"))]
pub unsafe extern "C" fn blosc2_vldecompress_block_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    nblock: i32,
    dest: *mut *mut u8,
    destsize: *mut i32,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::at(context) }?;
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, srcsize) }?;
        if dest.is_null() || destsize.is_null() {
            return Err(Code::INVALID);
        }
        let block = context.vlblock(src, nblock)?;
        let len = i32::try_from(block.len())?;
        // SAFETY: not null; writable by the caller's promise.
        unsafe { put(destsize, len) };
        // SAFETY: not null; writable by the caller's promise.
        unsafe { put(dest, block.give()) };
        Ok(len)
    })
}

impl Context {
    /// One block of a chunk whose blocks have variable lengths.
    ///
    /// # Errors
    /// `INVALID_PARAM` for another chunk and for a block that it has not.
    pub(crate) fn vlblock(&self, chunk: &[u8], nblock: i32) -> Answer<Heap> {
        let (header, _) = header_of(chunk)?;
        let nblocks = nblocks_of(&header)?;
        let nblock = usize::try_from(nblock)?;
        if nblock >= nblocks {
            return Err(Code::INVALID);
        }
        // A lazy chunk that lies about its blocks is refused as such.
        let (_, chunk) = whole(chunk, self.dparams().schunk, None)?;
        self.with_decoder(&chunk, None, |_, decoder, chunk| {
            let view = ChunkView::parse(chunk, &Limits::FORMAT)?;
            let len = view.vlblock_len(nblock)?;
            let mut heap = Heap::new(len)?;
            let filled = decoder
                .decode_vlblock_uninit(chunk, nblock, heap.room())?
                .len();
            if filled != len {
                return Err(Code(BLOSC2_ERROR_INVALID_HEADER));
            }
            Ok(heap)
        })
    }
}
