//! New super-chunks.

use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use oxiblosc::frame::{Contiguous, Locking, Sparse};
use oxiblosc::schunk::{Metalayers, VlMetalayers};
use oxiblosc::{CParams, CodecId, FrameParams, FrameWriter, SplitMode};

use super::frame_bytes::{FrameBytes, Place};
use super::pieces::{PieceDir, Pieces};
use super::shared::{Kind, Shared, UserFrame, dparams, front_of};
use super::store::Store;
use super::{Owned, open, publish};
use crate::abi::{
    BLOSC2_ERROR_FILE_OPEN, BLOSC2_IO_FILESYSTEM, blosc2_context, blosc2_cparams, blosc2_dparams,
    blosc2_frame, blosc2_io, blosc2_schunk, blosc2_stdio_params, blosc2_storage,
};
use crate::boundary::{Answer, Code, answer_pointer, object, text};
use crate::context::{self, blosc2_create_cctx, blosc2_create_dctx, blosc2_free_ctx};
use crate::io::backend::{Backend, BackendDir, BackendFile};
use crate::{io, memory};

/// The chunk size until the first chunk or `blosc2_schunk_fill_special` says another one, in bytes.
const CHUNKSIZE: usize = 1 << 20;

/// Makes a super-chunk: in memory, or in a new file or directory where nothing may be yet. Null on
/// failure.
///
/// # Safety
/// `storage` is null or valid, as is what it points to; all but `cparams->tuner_params`,
/// `preparams`, the parameters of codec and filters and `io->params` is copied. The result is freed
/// with [`blosc2_schunk_free`](super::blosc2_schunk_free).
#[unsafe(export_name = symbol!("blosc2_schunk_new"))]
pub unsafe extern "C" fn blosc2_schunk_new(storage: *mut blosc2_storage) -> *mut blosc2_schunk {
    answer_pointer(|| {
        // SAFETY: null or valid by the caller's promise.
        let given = *unsafe { object(storage) }?;
        // SAFETY: valid by the caller's promise.
        let schunk = unsafe { new(&given, None) }?;
        // SAFETY: made just now.
        if unsafe { object(schunk) }?.cctx.is_null() {
            // SAFETY: as above, and no one else has it.
            unsafe { super::free::free(schunk) };
            return Err(Code::INVALID);
        }
        Ok(schunk)
    })
}

/// A new super-chunk, with metalayers to begin with.
///
/// # Safety
/// As for [`blosc2_schunk_new`].
pub(super) unsafe fn new(
    given: &blosc2_storage,
    metalayers: Option<(&Metalayers, &VlMetalayers)>,
) -> Answer<*mut blosc2_schunk> {
    // SAFETY: null or valid by the caller's promise.
    let cparams = unsafe { object(given.cparams) }.map_or_else(|_| <_>::default(), |c| *c);
    let core = header_params(&cparams)?;
    // SAFETY: null or valid by the caller's promise.
    let given_io = unsafe { object(given.io) }.map_or_else(|_| <_>::default(), |io| *io);
    // SAFETY: null or a C string by the caller's promise.
    let path = unsafe { text(given.urlpath) }.ok();
    // SAFETY: parameters of this I/O by the caller's promise.
    let locking = unsafe { locking(&given_io) };
    let params = || {
        let mut params = FrameParams::new(core.clone(), CHUNKSIZE)
            .dparams(dparams())
            .in_place(true)
            .encoded_chunks(true)
            .locking(access(locking && path.is_some()));
        if let Some((fixed, variable)) = metalayers {
            params.metalayers = fixed.clone();
            params.vlmetalayers = variable.clone();
        }
        params
    };
    let (store, kind) = match path {
        None if given.contiguous => in_bytes(params())?,
        None => {
            let pieces = Arc::<Pieces>::default();
            let dir = Sparse::new(PieceDir(Arc::clone(&pieces)));
            let writer = FrameWriter::create_in(dir, params())?;
            (Box::new(writer) as Box<dyn Store>, Kind::Pieces(pieces))
        }
        Some(path) if given_io.id == BLOSC2_IO_FILESYSTEM => (
            on_disk(&io::local_path(path), given.contiguous, params())?,
            Kind::Disk,
        ),
        Some(path) => user_frame(&given_io, path, given.contiguous, params())?,
    };
    let mut shared = Shared::new(store, kind, locking);
    if shared.pieces().is_none() {
        shared.store.commit()?;
    }
    if let Kind::Backend(user) = &mut shared.kind {
        user.front = front_of(&user.file);
    }
    let filled = blosc2_storage {
        io: &raw const given_io as *mut blosc2_io,
        ..*given
    };
    // SAFETY: as the caller promised, and `io` was set to a valid one.
    unsafe { finish(shared, &filled, cparams) }
}

/// How others are kept out.
pub(super) fn access(locking: bool) -> oxiblosc::frame::Access {
    if locking {
        oxiblosc::frame::Access::from(Locking::Shared).wait(true)
    } else {
        Locking::None.into()
    }
}

/// Whether the parameters of files, or the variable `BLOSC_LOCKING`, ask for locks.
///
/// # Safety
/// The parameters of `io` are null or those of its id.
pub(super) unsafe fn locking(io: &blosc2_io) -> bool {
    if io.id != BLOSC2_IO_FILESYSTEM {
        return false;
    }
    // SAFETY: null or parameters of files by the caller's promise.
    let params = unsafe { object(io.params.cast::<blosc2_stdio_params>()) };
    let wanted = std::env::var_os("BLOSC_LOCKING");
    params.is_ok_and(|params| params.locking)
        || wanted.is_some_and(|value| !value.is_empty() && value != "0")
}

/// The parameters that the header of a frame states. The frame compresses nothing itself, so they
/// may be those of a codec that is not there.
pub(super) fn header_params(cparams: &blosc2_cparams) -> Answer<CParams> {
    let split = u8::try_from(cparams.splitmode)?;
    let blocksize = usize::try_from(cparams.blocksize)?;
    Ok(CParams::new(usize::try_from(cparams.typesize)?)
        .codec(CodecId::new(cparams.compcode))
        .codec_meta(cparams.compcode_meta)
        .clevel(cparams.clevel)
        .filter_slots(context::slots(cparams))
        .split_mode(SplitMode::new(split).unwrap_or_default())
        .blocksize(Some(blocksize).filter(|&size| size > 0))
        .use_dict(cparams.use_dict != 0))
}

/// The parameters for compressing metalayers.
///
/// # Safety
/// The pointers of `cparams` are valid.
pub(super) unsafe fn core_of(cparams: &blosc2_cparams) -> Answer<CParams> {
    let plain = blosc2_cparams {
        nthreads: 1,
        schunk: std::ptr::null_mut(),
        prefilter: None,
        preparams: std::ptr::null_mut(),
        ..*cparams
    };
    // SAFETY: without a super-chunk and a prefilter.
    let (core, _) = unsafe { context::core_cparams(&plain, std::ptr::null_mut()) }?;
    Ok(core)
}

/// A contiguous frame in memory.
pub(super) fn in_bytes(params: FrameParams) -> Answer<(Box<dyn Store>, Kind)> {
    let place = Place::empty();
    let writer = FrameWriter::create_in(Contiguous::new(FrameBytes(Arc::clone(&place))), params)?;
    Ok((Box::new(writer), Kind::Bytes(place)))
}

fn on_disk(path: &Path, contiguous: bool, params: FrameParams) -> Answer<Box<dyn Store>> {
    Ok(if contiguous {
        Box::new(FrameWriter::create(path, params)?)
    } else {
        Box::new(FrameWriter::create_sparse(path, params)?)
    })
}

fn user_frame(
    io: &blosc2_io,
    path: &CStr,
    contiguous: bool,
    params: FrameParams,
) -> Answer<(Box<dyn Store>, Kind)> {
    let backend = Backend::of(io)?;
    let failed = |_| Code(BLOSC2_ERROR_FILE_OPEN);
    let path = CString::new(io::local_path(path).as_os_str().as_bytes());
    let path = path.map_err(|_| Code::INVALID)?;
    let store: Box<dyn Store> = if contiguous {
        let file = BackendFile::new(Arc::clone(&backend), path.clone(), 0);
        file.create().map_err(failed)?;
        Box::new(FrameWriter::create_in(Contiguous::new(file), params)?)
    } else {
        let dir = BackendDir::new(Arc::clone(&backend), path.clone());
        dir.create().map_err(failed)?;
        Box::new(FrameWriter::create_in(Sparse::new(dir), params)?)
    };
    let user: UserFrame = open::user_frame(backend, path, contiguous, 0)?;
    Ok((store, Kind::Backend(Box::new(user))))
}

/// Makes the super-chunk that callers see.
///
/// # Safety
/// `given` is valid, as is what it points to; its `io` is not null.
pub(super) unsafe fn finish(
    shared: Shared,
    given: &blosc2_storage,
    cparams: blosc2_cparams,
) -> Answer<*mut blosc2_schunk> {
    // SAFETY: any size; the memory is zeroed.
    let owned = unsafe { libc::calloc(1, size_of::<Owned>()) }.cast::<Owned>();
    if owned.is_null() {
        return Err(Code::MEMORY);
    }
    // SAFETY: fresh memory for an `Owned`.
    let place = unsafe { &raw mut (*owned).shared };
    // SAFETY: not initialised before, so nothing is overwritten.
    unsafe { place.write(Arc::new(Mutex::new(shared))) };
    let schunk = owned.cast::<blosc2_schunk>();
    // SAFETY: a super-chunk now; zeros are valid in every public field, and no one else has it.
    let public = unsafe { &mut *schunk };
    // SAFETY: as the caller promised.
    let filled = unsafe { fill(public, given, cparams) };
    let published = filled.and_then(|()| {
        // SAFETY: the super-chunk was just made.
        let shared = unsafe { super::shared_of(schunk) }?;
        let mut shared = super::locked(&shared);
        publish::publish(&mut shared, public)?;
        public.change_tick = 0;
        Ok(())
    });
    if let Err(code) = published {
        // SAFETY: made above, and no one else has it.
        unsafe { super::free::free(schunk) };
        return Err(code);
    }
    Ok(schunk)
}

/// Fills the fields that do not change with the chunks.
///
/// # Safety
/// As for [`finish`].
unsafe fn fill(
    public: &mut blosc2_schunk,
    given: &blosc2_storage,
    mut cparams: blosc2_cparams,
) -> Answer<()> {
    let schunk = std::ptr::from_mut(public).cast::<c_void>();
    // SAFETY: null or valid by the caller's promise.
    let dparams = unsafe { object(given.dparams) };
    let mut dparams: blosc2_dparams = dparams.map_or_else(|_| <_>::default(), |d| *d);
    cparams.schunk = schunk;
    dparams.schunk = schunk;
    dparams.typesize = cparams.typesize;
    public.compcode = cparams.compcode;
    public.compcode_meta = cparams.compcode_meta;
    public.clevel = cparams.clevel;
    public.splitmode = u8::try_from(cparams.splitmode)?;
    public.typesize = cparams.typesize;
    public.blocksize = cparams.blocksize;
    public.use_dict = u8::from(cparams.use_dict != 0);
    public.filters = cparams.filters;
    public.filters_meta = cparams.filters_meta;
    public.tuner_params = cparams.tuner_params;
    public.tuner_id = cparams.tuner_id;
    // SAFETY: valid by the caller's promise.
    public.storage = unsafe { storage(given, cparams, dparams) }?;
    // SAFETY: the pointers are valid by the caller's promise, the super-chunk outlives them.
    public.cctx = unsafe { blosc2_create_cctx(cparams) };
    // SAFETY: the pointers are valid by the caller's promise, the super-chunk outlives them.
    public.dctx = unsafe { blosc2_create_dctx(dparams) };
    // Callers only ask whether there is a frame.
    let framed = given.contiguous || !given.urlpath.is_null();
    if framed {
        public.frame = std::ptr::from_mut(public).cast::<blosc2_frame>();
    }
    Ok(())
}

/// A copy of a storage with everything in it.
///
/// # Safety
/// As for [`finish`].
unsafe fn storage(
    given: &blosc2_storage,
    cparams: blosc2_cparams,
    dparams: blosc2_dparams,
) -> Answer<*mut blosc2_storage> {
    // SAFETY: null or a C string by the caller's promise.
    let urlpath = match unsafe { text(given.urlpath) } {
        Ok(path) => memory::string(path)?,
        Err(_) => std::ptr::null_mut(),
    };
    // SAFETY: valid by the caller's promise.
    let io = *unsafe { object(given.io) }?;
    memory::boxed(blosc2_storage {
        contiguous: given.contiguous,
        urlpath,
        cparams: memory::boxed(cparams)?,
        dparams: memory::boxed(dparams)?,
        io: memory::boxed(io)?,
    })
}

/// Frees a storage that [`storage`] made.
///
/// # Safety
/// `storage` is null or came from [`storage`], and no one uses it afterwards; so are its parts.
pub(super) unsafe fn free_storage(storage: *mut blosc2_storage) {
    // SAFETY: null or valid by the caller's promise.
    let Ok(&parts) = (unsafe { object(storage) }) else {
        return;
    };
    // SAFETY: null or from `malloc`.
    unsafe { memory::free(parts.urlpath) };
    // SAFETY: null or from `malloc`.
    unsafe { memory::free(parts.cparams) };
    // SAFETY: null or from `malloc`.
    unsafe { memory::free(parts.dparams) };
    // SAFETY: null or from `malloc`.
    unsafe { memory::free(parts.io) };
    // SAFETY: from `malloc`.
    unsafe { memory::free(storage) };
}

/// Frees a context; null is left alone.
///
/// # Safety
/// `context` is null or a context that no one uses afterwards.
pub(super) unsafe fn free_context(context: *mut blosc2_context) {
    if !context.is_null() {
        // SAFETY: a context by the caller's promise.
        unsafe { blosc2_free_ctx(context) };
    }
}
