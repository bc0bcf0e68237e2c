//! Parameters of new arrays.

use std::ffi::{CString, c_char, c_int};

use super::geometry::{Geometry, MAX_NDIM, default_dtype};
use crate::abi::{
    b2nd_context_t, blosc2_cparams, blosc2_dparams, blosc2_io, blosc2_metalayer, blosc2_schunk,
    blosc2_storage,
};
use crate::boundary::{Answer, Code, answer, answer_pointer, bytes, items, object, text};
use crate::schunk::{blosc2_meta_add, blosc2_schunk_free, blosc2_schunk_new};

/// A name and a content.
pub(super) type Metalayer = (CString, Vec<u8>);

/// Parameters of new arrays; callers know the first two fields.
#[repr(C)]
pub(super) struct OwnedContext {
    ndim: i8,
    shape: [i64; MAX_NDIM],
    pub(super) geometry: Geometry,
    contiguous: bool,
    urlpath: Option<CString>,
    cparams: blosc2_cparams,
    dparams: blosc2_dparams,
    io: Option<blosc2_io>,
    metalayers: Vec<Metalayer>,
}

/// Unsigned lengths of the first `ndim` axes.
///
/// # Safety
/// `lens` is null or readable for `ndim` numbers.
pub(super) unsafe fn lengths<T: Copy>(lens: *const T, ndim: usize) -> Answer<Vec<u64>>
where
    u64: TryFrom<T>,
{
    // SAFETY: the caller's promise.
    let lens = unsafe { items(lens, ndim) }?;
    let lens: Result<Vec<u64>, _> = lens.iter().map(|&len| u64::try_from(len)).collect();
    lens.map_err(|_| Code::INVALID)
}

/// Makes parameters of new arrays; null for impossible ones.
///
/// # Safety
/// `b2_storage` is null or valid, as is what it points to; the shapes have `ndim` lengths, `dtype`
/// is null or a C string, `metalayers` has `nmetalayers` entries. All but what `cparams` and
/// `dparams` point to is copied. The result is freed with [`b2nd_free_ctx`].
#[unsafe(export_name = symbol!("b2nd_create_ctx"))]
pub unsafe extern "C" fn b2nd_create_ctx(
    b2_storage: *const blosc2_storage,
    ndim: i8,
    shape: *const i64,
    chunkshape: *const i32,
    blockshape: *const i32,
    dtype: *const c_char,
    dtype_format: i8,
    metalayers: *const blosc2_metalayer,
    nmetalayers: i32,
) -> *mut b2nd_context_t {
    answer_pointer(|| {
        let axes = usize::try_from(ndim)?;
        if axes > MAX_NDIM || dtype_format < 0 {
            return Err(Code::INVALID);
        }
        // SAFETY: null or valid by the caller's promise.
        let storage = *unsafe { object(b2_storage) }?;
        // SAFETY: null or valid by the caller's promise.
        let cparams: blosc2_cparams =
            unsafe { object(storage.cparams) }.map_or_else(|_| <_>::default(), |c| *c);
        // SAFETY: null or valid by the caller's promise.
        let dparams: blosc2_dparams =
            unsafe { object(storage.dparams) }.map_or_else(|_| <_>::default(), |d| *d);
        // SAFETY: null or valid by the caller's promise.
        let io = unsafe { object(storage.io) }.ok().copied();
        // SAFETY: null or a C string by the caller's promise.
        let urlpath = unsafe { text(storage.urlpath) }.ok().map(CString::from);
        let typesize = usize::try_from(cparams.typesize)?;
        // SAFETY: null or a C string by the caller's promise.
        let dtype = unsafe { text(dtype) }.map_or_else(|_| default_dtype(typesize), CString::from);
        let geometry = Geometry {
            // SAFETY: `ndim` lengths by the caller's promise.
            shape: unsafe { lengths(shape, axes) }?,
            // SAFETY: as above.
            chunkshape: unsafe { lengths(chunkshape, axes) }?,
            // SAFETY: as above.
            blockshape: unsafe { lengths(blockshape, axes) }?,
            dtype,
            dtype_format,
            typesize,
        };
        geometry.check()?;
        // SAFETY: so many entries by the caller's promise.
        let given = unsafe { items(metalayers, nmetalayers) }?;
        let mut metalayers = Vec::with_capacity(given.len());
        for layer in given {
            // SAFETY: a C string by the caller's promise.
            let name = CString::from(unsafe { text(layer.name) }?);
            // SAFETY: the content is as long as stated.
            let content = unsafe { bytes(layer.content.cast_const().cast(), layer.content_len) }?;
            metalayers.push((name, content.to_vec()));
        }
        let mut public = [1; MAX_NDIM];
        for (to, &from) in public.iter_mut().zip(&geometry.shape) {
            *to = i64::try_from(from)?;
        }
        let context = OwnedContext {
            ndim,
            shape: public,
            geometry,
            contiguous: storage.contiguous,
            urlpath,
            cparams,
            dparams,
            io,
            metalayers,
        };
        Ok(Box::into_raw(Box::new(context)).cast::<b2nd_context_t>())
    })
}

/// Frees parameters: 0, or an error code.
///
/// # Safety
/// `ctx` is null or came from [`b2nd_create_ctx`], and no one uses it afterwards.
#[unsafe(export_name = symbol!("b2nd_free_ctx"))]
pub unsafe extern "C" fn b2nd_free_ctx(ctx: *mut b2nd_context_t) -> c_int {
    answer(|| {
        if ctx.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: came from `b2nd_create_ctx` by the caller's promise.
        drop(unsafe { Box::from_raw(ctx.cast::<OwnedContext>()) });
        Ok(0)
    })
}

/// The parameters at a pointer of the caller.
///
/// # Safety
/// `ctx` is null or came from [`b2nd_create_ctx`], and what it points to is valid; no one changes
/// it while the result is in use.
pub(super) unsafe fn at<'a>(ctx: *mut b2nd_context_t) -> Answer<&'a OwnedContext> {
    // SAFETY: the caller's promise.
    unsafe { object(ctx.cast_const().cast::<OwnedContext>()) }
}

/// Stores another shape in the parameters, where callers read it.
///
/// # Safety
/// As for [`at`], and no one reads it meanwhile.
pub(super) unsafe fn set_shape(ctx: *mut b2nd_context_t, shape: &[u64]) -> Answer<()> {
    // SAFETY: the caller's promise.
    let context = unsafe { crate::boundary::object_mut(ctx.cast::<OwnedContext>()) }?;
    if shape.len() != context.geometry.chunkshape.len() {
        return Err(Code::INVALID);
    }
    for (to, &from) in context.shape.iter_mut().zip(shape) {
        *to = i64::try_from(from)?;
    }
    context.geometry.shape = shape.to_vec();
    Ok(())
}

impl OwnedContext {
    /// A new super-chunk with the metalayers of an array of this geometry, and `more` that the
    /// parameters do not have, and no chunks.
    pub(super) fn schunk(
        &self,
        geometry: &Geometry,
        more: &[Metalayer],
    ) -> Answer<*mut blosc2_schunk> {
        let (_, blocksize) = geometry.sizes()?;
        let mut cparams = self.cparams;
        cparams.blocksize = blocksize;
        let (mut dparams, mut io) = (self.dparams, self.io);
        let urlpath = self
            .urlpath
            .as_ref()
            .map_or(std::ptr::null(), |path| path.as_ptr());
        let mut storage = blosc2_storage {
            contiguous: self.contiguous,
            urlpath: urlpath.cast_mut(),
            cparams: &raw mut cparams,
            dparams: &raw mut dparams,
            io: io.as_mut().map_or(std::ptr::null_mut(), std::ptr::from_mut),
        };
        // SAFETY: valid through the call, which copies it; the rest as `at` was promised.
        let schunk = unsafe { blosc2_schunk_new(&raw mut storage) };
        if schunk.is_null() {
            return Err(Code::FAILURE);
        }
        let b2nd = (c"b2nd".to_owned(), geometry.meta()?);
        let known = |name: &CString| self.metalayers.iter().any(|(other, _)| other == name);
        let more = more
            .iter()
            .filter(|(name, _)| *name != b2nd.0 && !known(name));
        for (name, content) in std::iter::once(&b2nd).chain(&self.metalayers).chain(more) {
            let len = i32::try_from(content.len())?;
            let start = content.as_ptr().cast_mut();
            // SAFETY: name and content are copied.
            let code = unsafe { blosc2_meta_add(schunk, name.as_ptr(), start, len) };
            if code < 0 {
                // SAFETY: made above, and no one else has it.
                unsafe { blosc2_schunk_free(schunk) };
                return Err(Code(code));
            }
        }
        Ok(schunk)
    }
}
