//! Copies of super-chunks: to another storage, to memory, to a file.

use std::ffi::{CStr, c_char};
use std::fs::{self, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use oxiblosc::FrameParams;
use oxiblosc::schunk::{ChunkSource, VlMetalayers};

use super::frame_bytes::Place;
use super::read::fetch;
use super::shared::{Changed, Kind, Shared, dparams};
use super::store::Change;
use super::{create, free, open, with};
use crate::abi::{
    BLOSC2_ERROR_FILE_OPEN, BLOSC2_ERROR_FILE_WRITE, BLOSC2_ERROR_SCHUNK_COPY, blosc2_cparams,
    blosc2_schunk, blosc2_storage,
};
use crate::boundary::{Answer, Code, answer_long, answer_pointer, object, put, text};
use crate::context::Context;
use crate::io;

/// A copy in memory, chunk by chunk, of what is not a super-chunk yet.
pub(super) fn memory_copy(
    source: &dyn ChunkSource,
    vlmetalayers: &VlMetalayers,
    storage: &blosc2_storage,
    mut cparams: blosc2_cparams,
) -> Answer<*mut blosc2_schunk> {
    let storage = blosc2_storage {
        cparams: &raw mut cparams,
        ..*storage
    };
    // SAFETY: the storage is that of this function, its parameters are valid.
    let schunk = unsafe { create::new(&storage, Some((source.metalayers(), vlmetalayers))) }?;
    let nchunks = source.layout().nchunks;
    let copied = append_all(schunk, nchunks, |nchunk| {
        let chunk = source.chunk(nchunk)?.into_bytes(&source.layout());
        Ok(chunk.into_owned())
    });
    match copied {
        Ok(()) => Ok(schunk),
        Err(code) => {
            // SAFETY: made here, and no one else has it.
            unsafe { free::free(schunk) };
            Err(code)
        }
    }
}

/// Appends chunks, which `chunk` gives, and stores them in the end.
fn append_all(
    schunk: *mut blosc2_schunk,
    nchunks: u64,
    mut chunk: impl FnMut(u64) -> Answer<Vec<u8>>,
) -> Answer<()> {
    for nchunk in 0..nchunks {
        let chunk = chunk(nchunk)?;
        // SAFETY: a super-chunk that was just made, which no one else has.
        unsafe {
            with(schunk, |shared, _| {
                Ok(shared.store.change(Change::Append(&chunk))??)
            })
        }?;
    }
    // SAFETY: a super-chunk that was just made, which no one else has.
    unsafe {
        with(schunk, |shared, _| {
            shared.chunks = Changed::All;
            if shared.pieces().is_none() {
                shared.store.commit()?;
            }
            Ok(())
        })
    }
}

/// Whether two parameters give the same chunks.
fn same(a: &blosc2_cparams, b: &blosc2_cparams) -> bool {
    let key = |c: &blosc2_cparams| {
        (
            (c.compcode, c.compcode_meta, c.clevel, c.use_dict != 0),
            (c.typesize, c.blocksize, c.splitmode),
            (c.filters, c.filters_meta),
        )
    };
    key(a) == key(b) && b.prefilter.is_none()
}

/// Copies a super-chunk with its metalayers to another storage. Chunks are compressed again where
/// the parameters differ. Null on failure.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, whose contexts are valid; `storage` is as for
/// [`blosc2_schunk_new`](super::blosc2_schunk_new), without parameters for compression those of
/// `schunk` are taken.
#[unsafe(export_name = symbol!("blosc2_schunk_copy"))]
pub unsafe extern "C" fn blosc2_schunk_copy(
    schunk: *mut blosc2_schunk,
    storage: *mut blosc2_storage,
) -> *mut blosc2_schunk {
    answer_pointer(|| {
        // SAFETY: null or a super-chunk by the caller's promise.
        let public = unsafe { object(schunk) }?;
        // SAFETY: the context of the super-chunk, or one that the caller put in its place.
        let mut own = *unsafe { Context::at(public.cctx) }?.cparams();
        // SAFETY: null or valid by the caller's promise.
        let given = unsafe { object(storage) };
        let mut given = given.map_or_else(|_| blosc2_storage::default(), |storage| *storage);
        if given.cparams.is_null() {
            given.cparams = &raw mut own;
        }
        // SAFETY: valid by the caller's promise.
        let cparams = *unsafe { object(given.cparams) }?;
        if cparams.typesize != public.typesize {
            return Err(Code(BLOSC2_ERROR_SCHUNK_COPY));
        }
        // SAFETY: the caller's promise.
        let (metalayers, vlmetalayers, nchunks, vlblocks) = unsafe {
            with(schunk, |shared, _| {
                shared.sync()?;
                let store = &shared.store;
                let (fixed, variable) = (store.metalayers().clone(), store.vlmetalayers().clone());
                Ok((fixed, variable, store.nchunks(), store.header().vlblocks))
            })
        }?;
        // SAFETY: valid by the caller's promise.
        let copy = unsafe { create::new(&given, Some((&metalayers, &vlmetalayers))) }?;
        let verbatim = vlblocks || same(&own, &cparams);
        // SAFETY: made just now.
        let context = unsafe { object(copy) }?.cctx;
        let mut data = Vec::new();
        let done = append_all(copy, nchunks, |nchunk| {
            // SAFETY: the caller's promise.
            let (chunk, from) = unsafe { fetch(schunk, i64::try_from(nchunk)?, None) }?;
            if verbatim {
                return Ok(chunk.to_vec());
            }
            // SAFETY: the context of the super-chunk, or one that the caller put in its place.
            let from = unsafe { Context::at(from) }?;
            // SAFETY: the context of the copy.
            let to = unsafe { Context::at(context) }?;
            let nbytes = usize::try_from(oxiblosc::ChunkHeader::parse(&chunk)?.nbytes)?;
            data.clear();
            data.reserve(nbytes);
            let room = data.spare_capacity_mut();
            let read = from.decompress(&chunk, room.get_mut(..nbytes).unwrap_or_default())?;
            // SAFETY: so many bytes were written.
            unsafe { data.set_len(read) };
            let mut new = vec![0; oxiblosc::max_chunk_len(read)];
            let cbytes = to.compress(&data, &mut new)?;
            new.truncate(cbytes);
            Ok(new)
        });
        match done {
            Ok(()) => Ok(copy),
            Err(code) => {
                // SAFETY: made here, and no one else has it.
                unsafe { free::free(copy) };
                Err(code)
            }
        }
    })
}

/// A super-chunk as a frame in one piece, its length, and whether it was made for this.
fn to_frame(shared: &mut Shared) -> Answer<(Arc<Place>, usize, bool)> {
    if let Kind::Bytes(place) = &shared.kind {
        let len = usize::try_from(shared.store.header().frame_len)?;
        return Ok((Arc::clone(place), len, false));
    }
    // As in C, what is known counts where the file is gone: a caller may write the result to the
    // very file, which is empty by now. Chunks that cannot be read are errors.
    let _ = shared.sync();
    let cparams = open::cparams_of(shared);
    let source = shared.store.source();
    let core = create::header_params(&cparams)?;
    let mut params = FrameParams::new(core, 1 << 20)
        .dparams(dparams())
        .in_place(true)
        .encoded_chunks(true);
    params.metalayers = source.metalayers().clone();
    params.vlmetalayers = shared.store.vlmetalayers().clone();
    let (mut frame, kind) = create::in_bytes(params)?;
    for nchunk in 0..source.layout().nchunks {
        let chunk = source.chunk(nchunk)?.into_bytes(&source.layout());
        frame.change(Change::Append(&chunk))??;
    }
    frame.commit()?;
    let len = usize::try_from(frame.header().frame_len)?;
    match kind {
        Kind::Bytes(place) => Ok((place, len, true)),
        _ => Err(Code::FAILURE),
    }
}

/// Stores the address of the super-chunk as a frame in one piece, and whether the caller has to
/// free it: its length, or an error code. What the caller does not free holds until the super-chunk
/// changes.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `cframe` and `needs_free` are null or
/// writable.
#[unsafe(export_name = symbol!("blosc2_schunk_to_buffer"))]
pub unsafe extern "C" fn blosc2_schunk_to_buffer(
    schunk: *mut blosc2_schunk,
    cframe: *mut *mut u8,
    needs_free: *mut bool,
) -> i64 {
    answer_long(|| {
        if cframe.is_null() || needs_free.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: the caller's promise.
        let (place, len, free) = unsafe { with(schunk, |shared, _| to_frame(shared)) }?;
        if free {
            // Given to the caller.
            place.set_ours(false);
        }
        // SAFETY: writable by the caller's promise.
        unsafe { put(cframe, place.get().0) };
        // SAFETY: writable by the caller's promise.
        unsafe { put(needs_free, free) };
        Ok(i64::try_from(len)?)
    })
}

/// Calls `write` with the super-chunk as a frame in one piece.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
unsafe fn with_frame<R>(
    schunk: *mut blosc2_schunk,
    write: impl FnOnce(&[u8], bool) -> Answer<R>,
) -> Answer<R> {
    // SAFETY: the caller's promise.
    unsafe {
        with(schunk, |shared, _| {
            let (place, len, converted) = to_frame(shared)?;
            let bytes = place.bytes().get(..len).ok_or(Code::FAILURE)?;
            write(bytes, converted)
        })
    }
}

/// Writes the super-chunk to a new file, as a frame in one piece: its length, or an error code. A
/// file that is there is replaced by a frame in memory only.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `urlpath` is null or a C string.
#[unsafe(export_name = symbol!("blosc2_schunk_to_file"))]
pub unsafe extern "C" fn blosc2_schunk_to_file(
    schunk: *mut blosc2_schunk,
    urlpath: *const c_char,
) -> i64 {
    answer_long(|| {
        // SAFETY: null or a C string by the caller's promise.
        let path = io::local_path(unsafe { text(urlpath) }?);
        // SAFETY: the caller's promise.
        unsafe {
            with_frame(schunk, |frame, converted| {
                if converted && path.exists() {
                    return Err(Code(BLOSC2_ERROR_SCHUNK_COPY));
                }
                fs::write(&path, frame).map_err(|_| Code(BLOSC2_ERROR_FILE_OPEN))?;
                Ok(i64::try_from(frame.len())?)
            })
        }
    })
}

/// Writes the super-chunk to the end of a file, as a frame in one piece: where it begins, or an
/// error code.
///
/// # Safety
/// As for [`blosc2_schunk_to_file`].
#[unsafe(export_name = symbol!("blosc2_schunk_append_file"))]
pub unsafe extern "C" fn blosc2_schunk_append_file(
    schunk: *mut blosc2_schunk,
    urlpath: *const c_char,
) -> i64 {
    answer_long(|| {
        // SAFETY: null or a C string by the caller's promise.
        let path: &CStr = unsafe { text(urlpath) }?;
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(io::local_path(path));
        let mut file = file.map_err(|_| Code(BLOSC2_ERROR_FILE_OPEN))?;
        let offset = file
            .seek(SeekFrom::End(0))
            .map_err(|_| Code(BLOSC2_ERROR_FILE_OPEN))?;
        // SAFETY: the caller's promise.
        unsafe {
            with_frame(schunk, |frame, _| {
                file.write_all(frame)
                    .map_err(|_| Code(BLOSC2_ERROR_FILE_WRITE))?;
                Ok(i64::try_from(offset)?)
            })
        }
    })
}
