//! An array with what callers do not see.

use std::ffi::CString;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use oxiblosc::b2nd::{METALAYER, METALAYER_CATERVA};

use super::chunks::Chunks;
use super::geometry::Geometry;
use crate::abi::{b2nd_array_t, blosc2_schunk, chunk_cache_s};
use crate::boundary::{Answer, Code, bytes};
use crate::memory;
use crate::schunk::{
    blosc2_schunk_free, blosc2_schunk_lock, blosc2_schunk_refresh, blosc2_schunk_unlock,
};

/// A super-chunk that an array and its views share; the last frees it.
#[derive(Debug)]
pub(super) struct Held {
    schunk: *mut blosc2_schunk,
    /// Taken for changes by one thread alone.
    turn: RwLock<()>,
}

// SAFETY: the functions on super-chunks take a lock of its own.
unsafe impl Send for Held {}
// SAFETY: as above.
unsafe impl Sync for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: it belongs to the arrays, which are all gone.
        unsafe { blosc2_schunk_free(self.schunk) };
    }
}

/// An array of this library.
#[repr(C)]
pub(super) struct Owned {
    public: b2nd_array_t,
    held: Arc<Held>,
    geometry: RwLock<Geometry>,
    /// Whether the metalayer is that of another array, over the same chunks.
    view: bool,
}

/// The array at a pointer of the caller.
///
/// # Errors
/// `NULL_POINTER` for null.
///
/// # Safety
/// `array` is null or an array of this library that no one frees meanwhile; the contexts of its
/// super-chunk are valid.
pub(super) unsafe fn at<'a>(array: *const b2nd_array_t) -> Answer<Handle<'a>> {
    let owned = array.cast::<Owned>();
    if owned.is_null() {
        return Err(Code::NULL);
    }
    // SAFETY: every array of this library is the front of an `Owned`; a field that does not change.
    let held = unsafe { &(*owned).held };
    // SAFETY: as above; the field has a lock of its own.
    let geometry = unsafe { &(*owned).geometry };
    // SAFETY: as above.
    let view = unsafe { (*owned).view };
    Ok(Handle {
        array: array.cast_mut(),
        held,
        geometry,
        view,
    })
}

/// An array during a call.
pub(super) struct Handle<'a> {
    array: *mut b2nd_array_t,
    held: &'a Arc<Held>,
    geometry: &'a RwLock<Geometry>,
    view: bool,
}

/// Ends the exclusion of other processes.
struct Locked(*mut blosc2_schunk);

impl Drop for Locked {
    fn drop(&mut self) {
        // SAFETY: the super-chunk of an array that lives through the call.
        unsafe { blosc2_schunk_unlock(self.0) };
    }
}

impl Handle<'_> {
    /// Its super-chunk.
    pub(super) fn schunk(&self) -> *mut blosc2_schunk {
        self.held.schunk
    }

    /// The chunks' owner, for a view.
    pub(super) fn held(&self) -> Arc<Held> {
        Arc::clone(self.held)
    }

    /// The geometry now, without asking whether others have changed it.
    pub(super) fn known(&self) -> Geometry {
        self.geometry
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Reads the geometry again when others have changed the super-chunk; whether it differs.
    pub(super) fn sync(&self) -> Answer<bool> {
        // SAFETY: the super-chunk of an array that lives through the call.
        let code = unsafe { blosc2_schunk_refresh(self.schunk()) };
        if code < 0 {
            return Err(Code(code));
        }
        if self.view {
            return Ok(false);
        }
        // SAFETY: a super-chunk of this library; the place of a field.
        let tick = unsafe { (*self.schunk()).change_tick };
        // SAFETY: an array of this library; a field that only this function writes.
        let last = unsafe { (*self.array).last_tick };
        if tick == last {
            return Ok(false);
        }
        let mut known = self
            .geometry
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the super-chunk of the array.
        let now = unsafe { stored(self.schunk()) }?;
        let changed = now != *known;
        if changed {
            let same = |a: &Geometry, b: &Geometry| {
                a.chunkshape == b.chunkshape && a.blockshape == b.blockshape
            };
            if !same(&now, &known) {
                return Err(Code(crate::abi::BLOSC2_ERROR_DATA));
            }
            // SAFETY: the lock of the geometry is held.
            now.publish(unsafe { &mut *self.array })?;
            *known = now;
        }
        // SAFETY: as above.
        unsafe { (*self.array).last_tick = tick };
        Ok(changed)
    }

    /// The geometry after a call that may have changed it.
    fn update(&self, geometry: Geometry) -> Answer<()> {
        let mut known = self
            .geometry
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock of the geometry is held.
        let public = unsafe { &mut *self.array };
        geometry.publish(public)?;
        *known = geometry;
        // SAFETY: a super-chunk of this library.
        public.last_tick = unsafe { (*self.schunk()).change_tick };
        Ok(())
    }

    fn reading(&self) -> RwLockReadGuard<'_, ()> {
        self.held
            .turn
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, ()> {
        self.held
            .turn
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the chunks, to be read, and the geometry.
    pub(super) fn read<R>(&self, work: impl FnOnce(Chunks, &Geometry) -> Answer<R>) -> Answer<R> {
        let _turn = self.reading();
        self.sync()?;
        let geometry = self.known();
        // SAFETY: the super-chunk of the array; its contexts are valid, as `at` was promised.
        let chunks = unsafe { Chunks::new(self.schunk(), &geometry) }?;
        work(chunks, &geometry)
    }

    /// Calls `work` with the chunks, to be changed, and the geometry; others are kept out. `work`
    /// returns the new shape, if it has one.
    pub(super) fn change(
        &self,
        work: impl FnOnce(Chunks, &Geometry) -> Answer<Option<Vec<u64>>>,
    ) -> Answer<()> {
        let _turn = self.writing();
        // SAFETY: the super-chunk of the array.
        let code = unsafe { blosc2_schunk_lock(self.schunk()) };
        if code < 0 {
            return Err(Code(code));
        }
        let _locked = Locked(self.schunk());
        self.sync()?;
        let geometry = self.known();
        // SAFETY: the super-chunk of the array; its contexts are valid, as `at` was promised.
        let chunks = unsafe { Chunks::to_change(self.schunk(), &geometry) }?;
        match work(chunks, &geometry)? {
            Some(shape) => self.update(geometry.with_shape(&shape)),
            None => Ok(()),
        }
    }

    /// Refuses to change the shape of a view, whose metalayer is that of another array.
    pub(super) fn not_a_view(&self) -> Answer<()> {
        if self.view {
            Err(Code::INVALID)
        } else {
            Ok(())
        }
    }
}

/// The geometry that the metalayer of a super-chunk states.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
pub(super) unsafe fn stored(schunk: *mut blosc2_schunk) -> Answer<Geometry> {
    // SAFETY: a super-chunk by the caller's promise, whose fields no one writes meanwhile.
    let public = unsafe { schunk.as_ref() }.ok_or(Code::NULL)?;
    let typesize = usize::try_from(public.typesize)?;
    for place in public
        .metalayers
        .iter()
        .take(usize::from(public.nmetalayers))
    {
        // SAFETY: the first `nmetalayers` are valid.
        let Some(layer) = (unsafe { place.as_ref() }) else {
            continue;
        };
        // SAFETY: a C string.
        let name = unsafe { crate::boundary::text(layer.name) }?;
        if name.to_bytes() == METALAYER.as_bytes()
            || name.to_bytes() == METALAYER_CATERVA.as_bytes()
        {
            // SAFETY: the content is as long as stated.
            let content = unsafe { bytes(layer.content.cast_const().cast(), layer.content_len) }?;
            return Geometry::parse(content, typesize);
        }
    }
    Err(Code(crate::abi::BLOSC2_ERROR_METALAYER_NOT_FOUND))
}

/// Makes an array over a super-chunk, which belongs to it from then on.
///
/// # Safety
/// `schunk` is a super-chunk of this library; on an error it stays the caller's.
pub(super) unsafe fn make(
    schunk: *mut blosc2_schunk,
    geometry: Geometry,
) -> Answer<*mut b2nd_array_t> {
    geometry.check()?;
    let held = Arc::new(Held {
        schunk,
        turn: RwLock::new(()),
    });
    finish(held, geometry, false)
}

/// Makes a view of the chunks of another array.
pub(super) fn view(held: Arc<Held>, geometry: Geometry) -> Answer<*mut b2nd_array_t> {
    geometry.check()?;
    finish(held, geometry, true)
}

fn finish(held: Arc<Held>, geometry: Geometry, view: bool) -> Answer<*mut b2nd_array_t> {
    // SAFETY: a super-chunk; the place of a field.
    let tick = unsafe { (*held.schunk).change_tick };
    let zeros = [0; 16];
    let mut public = b2nd_array_t {
        sc: held.schunk,
        shape: [0; 16],
        chunkshape: [0; 16],
        extshape: zeros,
        blockshape: [0; 16],
        extchunkshape: zeros,
        nitems: 0,
        chunknitems: 0,
        extnitems: 0,
        blocknitems: 0,
        extchunknitems: 0,
        ndim: 0,
        chunk_cache: chunk_cache_s {
            data: std::ptr::null_mut(),
            nchunk: -1,
        },
        item_array_strides: zeros,
        item_chunk_strides: zeros,
        item_extchunk_strides: zeros,
        item_block_strides: zeros,
        block_chunk_strides: zeros,
        chunk_array_strides: zeros,
        dtype: string(&geometry.dtype)?,
        dtype_format: geometry.dtype_format,
        last_tick: tick,
    };
    if let Err(code) = geometry.publish(&mut public) {
        // SAFETY: made above.
        unsafe { memory::free(public.dtype) };
        // The super-chunk stays the caller's.
        forget(held, view);
        return Err(code);
    }
    let owned = Box::new(Owned {
        public,
        held,
        geometry: RwLock::new(geometry),
        view,
    });
    Ok(Box::into_raw(owned).cast::<b2nd_array_t>())
}

/// Leaves the super-chunk of an array that was not made to the caller.
fn forget(held: Arc<Held>, view: bool) {
    if !view {
        std::mem::forget(held);
    }
}

fn string(text: &CString) -> Answer<*mut std::ffi::c_char> {
    memory::string(text)
}

/// Frees an array, and its super-chunk unless a view needs it.
///
/// # Safety
/// `array` is an array of this library that no one uses afterwards.
pub(super) unsafe fn free(array: *mut b2nd_array_t) -> Answer<()> {
    if array.is_null() {
        return Err(Code::NULL);
    }
    // SAFETY: every array of this library was made by `finish`.
    let owned = unsafe { Box::from_raw(array.cast::<Owned>()) };
    // SAFETY: from `malloc`, and no one uses it.
    unsafe { memory::free(owned.public.dtype) };
    // SAFETY: as above; null unless the caller has put something there.
    unsafe { memory::free(owned.public.chunk_cache.data) };
    Ok(())
}
