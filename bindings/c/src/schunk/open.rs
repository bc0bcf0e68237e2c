//! Opening super-chunks: files, directories, frames in memory.

use std::ffi::{CStr, CString, c_char};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use oxiblosc::FrameWriter;
use oxiblosc::frame::{Contiguous, FrameReader, Sparse};

use super::frame_bytes::{FrameBytes, Place};
use super::shared::{Kind, Shared, UserFrame, dparams, front_of};
use super::store::Store;
use super::{copy, create};
use crate::abi::{BLOSC2_IO_FILESYSTEM, blosc2_cparams, blosc2_io, blosc2_schunk, blosc2_storage};
use crate::boundary::{Answer, Code, answer_pointer, bytes, object, text};
use crate::io;
use crate::io::backend::{Backend, BackendDir, BackendFile};

/// Opens the super-chunk in a file or directory; null on failure.
///
/// # Safety
/// `urlpath` is null or a C string. The result is freed with
/// [`blosc2_schunk_free`](super::blosc2_schunk_free).
#[unsafe(export_name = symbol!("blosc2_schunk_open"))]
pub unsafe extern "C" fn blosc2_schunk_open(urlpath: *const c_char) -> *mut blosc2_schunk {
    // SAFETY: the caller's promise.
    unsafe { blosc2_schunk_open_offset_udio(urlpath, 0, ptr::null()) }
}

/// Opens the super-chunk that begins at byte `offset` of a file; null on failure.
///
/// # Safety
/// As for [`blosc2_schunk_open`].
#[unsafe(export_name = symbol!("blosc2_schunk_open_offset"))]
pub unsafe extern "C" fn blosc2_schunk_open_offset(
    urlpath: *const c_char,
    offset: i64,
) -> *mut blosc2_schunk {
    // SAFETY: the caller's promise.
    unsafe { blosc2_schunk_open_offset_udio(urlpath, offset, ptr::null()) }
}

/// Opens a super-chunk through the I/O of `udio`; null on failure.
///
/// # Safety
/// As for [`blosc2_schunk_open_offset_udio`].
#[unsafe(export_name = symbol!("blosc2_schunk_open_udio"))]
pub unsafe extern "C" fn blosc2_schunk_open_udio(
    urlpath: *const c_char,
    udio: *const blosc2_io,
) -> *mut blosc2_schunk {
    // SAFETY: the caller's promise.
    unsafe { blosc2_schunk_open_offset_udio(urlpath, 0, udio) }
}

/// Opens the super-chunk that begins at byte `offset` of a file, through the I/O of `udio`; null on
/// failure.
///
/// # Safety
/// `urlpath` is null or a C string; `udio` is null, for files, or valid: its parameters are those
/// of its id and stay until the super-chunk is freed. The result is freed with
/// [`blosc2_schunk_free`](super::blosc2_schunk_free).
#[unsafe(export_name = symbol!("blosc2_schunk_open_offset_udio"))]
pub unsafe extern "C" fn blosc2_schunk_open_offset_udio(
    urlpath: *const c_char,
    offset: i64,
    udio: *const blosc2_io,
) -> *mut blosc2_schunk {
    answer_pointer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let path = unsafe { text(urlpath) }?;
        // SAFETY: null or valid by the caller's promise.
        let io = unsafe { object(udio) }.map_or_else(|_| blosc2_io::default(), |io| *io);
        // SAFETY: the parameters are those of this I/O by the caller's promise.
        unsafe { open(path, u64::try_from(offset)?, &io) }
    })
}

/// Opens a super-chunk on disk or with I/O callbacks.
///
/// # Safety
/// The parameters of `io` are those of its id, until the super-chunk is freed.
unsafe fn open(urlpath: &CStr, offset: u64, io: &blosc2_io) -> Answer<*mut blosc2_schunk> {
    let path = io::local_path(urlpath);
    let contiguous = !path.is_dir();
    // SAFETY: the caller's promise.
    let locking = unsafe { create::locking(io) } && offset == 0;
    let shared = if io.id == BLOSC2_IO_FILESYSTEM && offset == 0 {
        Shared::new(on_disk(&path, contiguous, locking)?, Kind::Disk, locking)
    } else {
        let backend = Backend::of(io)?;
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|_| Code::INVALID)?;
        let user = user_frame(backend, path, contiguous, offset)?;
        let store = (user.open)()?;
        Shared::new(store, Kind::Backend(Box::new(user)), false)
    };
    let path = CString::new(path.as_os_str().as_bytes()).map_err(|_| Code::INVALID)?;
    let storage = blosc2_storage {
        contiguous,
        urlpath: path.as_ptr().cast_mut(),
        io: ptr::from_ref(io).cast_mut(),
        ..blosc2_storage::default()
    };
    let cparams = cparams_of(&shared);
    // SAFETY: the storage points to the path and the I/O, which are valid.
    unsafe { create::finish(shared, &storage, cparams) }
}

/// The parameters that the header of a frame states.
pub(super) fn cparams_of(shared: &Shared) -> blosc2_cparams {
    header_cparams(shared.store.header())
}

/// A frame on disk: to be changed, or where that is impossible to be read.
fn on_disk(path: &Path, contiguous: bool, locking: bool) -> Answer<Box<dyn Store>> {
    let access = create::access(locking);
    if contiguous {
        if let Ok(mut writer) = FrameWriter::open_with(path, dparams(), access) {
            writer.set_in_place(true)?;
            return Ok(Box::new(writer));
        }
        return Ok(Box::new(FrameReader::open_with(path, dparams(), access)?));
    }
    if let Ok(mut writer) = FrameWriter::open_sparse_with(path, dparams(), access) {
        writer.set_in_place(true)?;
        return Ok(Box::new(writer));
    }
    Ok(Box::new(FrameReader::open_sparse_with(
        path,
        dparams(),
        access,
    )?))
}

/// The means to open a frame with I/O callbacks, now and when others have changed it.
pub(super) fn user_frame(
    backend: Arc<Backend>,
    path: CString,
    contiguous: bool,
    offset: u64,
) -> Answer<UserFrame> {
    let header = if contiguous {
        BackendFile::new(Arc::clone(&backend), path.clone(), offset)
    } else {
        let file = Path::new(io::plain_path(path.to_bytes()));
        let file = file.join(oxiblosc::frame::SPARSE_FRAME_FILE);
        let file = CString::new(file.as_os_str().as_bytes()).map_err(|_| Code::INVALID)?;
        BackendFile::new(Arc::clone(&backend), file, 0)
    };
    let again = Arc::clone(&backend);
    let open = move || -> Answer<Box<dyn Store>> {
        let access = create::access(false);
        if contiguous {
            let file = || {
                let file = BackendFile::new(Arc::clone(&again), path.clone(), offset);
                Contiguous::new(file)
            };
            if let Ok(mut writer) = FrameWriter::open_in_with(file(), dparams(), access) {
                writer.set_in_place(true)?;
                return Ok(Box::new(writer));
            }
            return Ok(Box::new(FrameReader::open_in(file(), dparams())?));
        }
        let dir = BackendDir::new(Arc::clone(&again), path.clone());
        let dir = Sparse::open(dir).map_err(|_| Code::FAILURE)?;
        let mut writer = FrameWriter::open_in_with(dir, dparams(), access)?;
        writer.set_in_place(true)?;
        Ok(Box::new(writer))
    };
    Ok(UserFrame {
        backend,
        front: front_of(&header),
        file: header,
        open: Box::new(open),
    })
}

/// A super-chunk from a contiguous frame in memory; null on failure. With `copy`, its chunks are
/// copied; without, the memory is used as it is.
///
/// # Safety
/// `cframe` is null or readable for `len` bytes; without `copy` also writable, and it stays until
/// the super-chunk is freed, which frees it only after
/// [`blosc2_schunk_avoid_cframe_free`](super::blosc2_schunk_avoid_cframe_free) with `false`.
#[unsafe(export_name = symbol!("blosc2_schunk_from_buffer"))]
pub unsafe extern "C" fn blosc2_schunk_from_buffer(
    cframe: *mut u8,
    len: i64,
    copy: bool,
) -> *mut blosc2_schunk {
    answer_pointer(|| {
        // SAFETY: null or readable by the caller's promise.
        let frame = unsafe { bytes(cframe.cast_const().cast(), len) }?;
        if frame.is_empty() {
            return Err(Code::NULL);
        }
        if copy {
            let reader = FrameReader::from_bytes(frame, dparams())?;
            // What the chunks say of themselves is checked when they are copied.
            let vlmetalayers = reader.vlmetalayers().clone();
            let header = reader.header();
            let storage = blosc2_storage::default();
            let cparams = header_cparams(header);
            return copy::memory_copy(&reader, &vlmetalayers, &storage, cparams);
        }
        let place = Place::borrowed(cframe, frame.len());
        let storage = || Contiguous::new(FrameBytes(Arc::clone(&place)));
        let store: Box<dyn Store> = match FrameWriter::open_in(storage(), dparams()) {
            Ok(mut writer) => {
                writer.set_in_place(true)?;
                Box::new(writer)
            }
            Err(_) => Box::new(FrameReader::open_in(storage(), dparams())?),
        };
        if store.source().layout().nchunks > 0 {
            // As C does it, the first chunk is looked at.
            store.source().chunk_nbytes(0)?;
        }
        let shared = Shared::new(store, Kind::Bytes(place), false);
        let cparams = cparams_of(&shared);
        let io = blosc2_io::default();
        let storage = blosc2_storage {
            contiguous: true,
            io: ptr::from_ref(&io).cast_mut(),
            ..blosc2_storage::default()
        };
        // SAFETY: the storage points to the I/O, which is valid.
        unsafe { create::finish(shared, &storage, cparams) }
    })
}

fn header_cparams(header: &oxiblosc::frame::FrameHeader) -> blosc2_cparams {
    let number = |size: usize| i32::try_from(size).unwrap_or(0);
    blosc2_cparams {
        compcode: header.codec.get(),
        compcode_meta: header.codec_meta,
        clevel: header.clevel,
        use_dict: i32::from(header.use_dict),
        typesize: number(header.typesize),
        blocksize: number(header.blocksize),
        splitmode: header.split_mode.get().into(),
        filters: header.filters.map(|slot| slot.id.get()),
        filters_meta: header.filters.map(|slot| slot.meta),
        ..blosc2_cparams::default()
    }
}
