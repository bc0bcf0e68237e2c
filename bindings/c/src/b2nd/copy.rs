//! New arrays of the items of others.

use std::ffi::c_int;
use std::ops::Range;

use oxiblosc::b2nd::Array;

use super::array::{self, Handle};
use super::buffers::{self, Part};
use super::chunks::Chunks;
use super::context::{self, Metalayer, lengths};
use super::create::fill;
use super::geometry::Geometry;
use super::read::lens;
use super::resize::resize;
use super::write::set_region;
use crate::abi::{b2nd_array_t, b2nd_context_t, blosc2_schunk};
use crate::boundary::{Answer, Code, answer, bytes, put, text};
use crate::memory;
use crate::schunk::{blosc2_vlmeta_add, blosc2_vlmeta_get};

/// Makes an array of a box of another, which may reach beyond its end: zeros are there.
///
/// # Safety
/// `ctx` is null or parameters of this library, valid with all that they point to.
unsafe fn part(
    ctx: *mut b2nd_context_t,
    src: &Handle<'_>,
    more: &[Metalayer],
    region: impl FnOnce(&Geometry) -> Vec<Range<u64>>,
) -> Answer<*mut b2nd_array_t> {
    src.read(|chunks, known| {
        let region = region(known);
        // SAFETY: null or valid by the caller's promise.
        unsafe { context::set_shape(ctx, &lens(&region)) }?;
        // SAFETY: as above.
        let context = unsafe { context::at(ctx) }?;
        let geometry = &context.geometry;
        if geometry.typesize != known.typesize {
            return Err(Code::INVALID);
        }
        let src = chunks.array()?;
        fill(context, geometry, more, |chunks| {
            let params = geometry.params()?.cparams(chunks.new_cparams()?);
            Ok(Array::from_fn_in(chunks, &params, |part, dst| {
                read_part(&src, &region, part, dst)
            })?)
        })
    })
}

/// Reads the box `part` of the box `region` of an array; what is beyond its end is zero.
fn read_part(
    src: &Array<Chunks>,
    region: &[Range<u64>],
    part: &[Range<u64>],
    dst: &mut [u8],
) -> oxiblosc::Result<()> {
    let wanted: Vec<Range<u64>> = part
        .iter()
        .zip(region)
        .map(|(part, region)| {
            part.start.saturating_add(region.start)..part.end.saturating_add(region.start)
        })
        .collect();
    let there: Vec<Range<u64>> = wanted
        .iter()
        .zip(src.shape())
        .map(|(range, &len)| range.start.min(len)..range.end.min(len))
        .collect();
    if there == wanted {
        src.slice_bytes_into(wanted, dst)?;
        return Ok(());
    }
    dst.fill(0);
    if there.iter().any(Range::is_empty) {
        return Ok(());
    }
    let (inner, outer) = (lens(&there), lens(&wanted));
    let origin = vec![0; inner.len()];
    let bytes = src.slice_bytes(there)?;
    let beyond = |_| oxiblosc::Error::refused("copy a box", "it is not within its buffer");
    let from = Part::new(&inner, &origin, &inner).map_err(beyond)?;
    let to = Part::new(&outer, &origin, &inner).map_err(beyond)?;
    buffers::copy(src.typesize(), &bytes, &from, dst, &to).map_err(beyond)
}

/// Makes an array of a slice of another: 0, or an error code. The shape of the parameters becomes
/// that of the slice.
///
/// # Safety
/// `ctx` is null or parameters of this library, valid with all that they point to; `src` is null or
/// an array; `start` and `stop` are null or have as many numbers as it has axes; `array` is null or
/// writable.
#[unsafe(export_name = symbol!("b2nd_get_slice"))]
pub unsafe extern "C" fn b2nd_get_slice(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    src: *const b2nd_array_t,
    start: *const i64,
    stop: *const i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let src = unsafe { array::at(src) }?;
        if ctx.is_null() || array.is_null() {
            return Err(Code::NULL);
        }
        let ndim = src.known().shape.len();
        if ndim > 0 && (start.is_null() || stop.is_null()) {
            return Err(Code::NULL);
        }
        // SAFETY: as many numbers as axes by the caller's promise.
        let start = unsafe { lengths(start, ndim) }?;
        // SAFETY: as above.
        let stop = unsafe { lengths(stop, ndim) }?;
        // SAFETY: valid by the caller's promise.
        let made = unsafe {
            part(ctx, &src, &[], |_| {
                start
                    .iter()
                    .zip(&stop)
                    .map(|(&a, &b)| a..b.max(a))
                    .collect()
            })
        }?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(array, made) };
        Ok(0)
    })
}

/// Makes an array of all items of another, with its variable-length metalayers: 0, or an error
/// code. The shape of the parameters becomes that of the array.
///
/// # Safety
/// As for [`b2nd_get_slice`].
#[unsafe(export_name = symbol!("b2nd_copy"))]
pub unsafe extern "C" fn b2nd_copy(
    ctx: *mut b2nd_context_t,
    src: *const b2nd_array_t,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let src = unsafe { array::at(src) }?;
        if ctx.is_null() || array.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: valid by the caller's promise.
        let made = unsafe { copy(ctx, &src) }?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(array, made) };
        Ok(0)
    })
}

/// Makes a copy of an array.
///
/// # Safety
/// `ctx` is valid parameters.
unsafe fn copy(ctx: *mut b2nd_context_t, src: &Handle<'_>) -> Answer<*mut b2nd_array_t> {
    // SAFETY: the super-chunk of the array.
    let more = unsafe { metalayers(src.schunk()) }?;
    // SAFETY: the caller's promise.
    let made = unsafe {
        part(ctx, src, &more, |geometry| {
            geometry.shape.iter().map(|&len| 0..len).collect()
        })
    }?;
    // SAFETY: made above.
    let handle = unsafe { array::at(made) }?;
    // SAFETY: the super-chunks of both arrays.
    if let Err(code) = unsafe { copy_vlmetalayers(src.schunk(), handle.schunk()) } {
        // SAFETY: made above, and no one else has it.
        unsafe { array::free(made) }?;
        return Err(code);
    }
    Ok(made)
}

/// The fixed metalayers of a super-chunk.
///
/// # Safety
/// `schunk` is a super-chunk of this library.
unsafe fn metalayers(schunk: *mut blosc2_schunk) -> Answer<Vec<Metalayer>> {
    // SAFETY: a super-chunk, whose fields no one writes meanwhile.
    let public = unsafe { &*schunk };
    let mut all = Vec::new();
    for place in public
        .metalayers
        .iter()
        .take(usize::from(public.nmetalayers))
    {
        // SAFETY: the first entries are valid.
        let Some(layer) = (unsafe { place.as_ref() }) else {
            continue;
        };
        // SAFETY: a C string.
        let name = unsafe { text(layer.name) }?;
        // SAFETY: the content is as long as stated.
        let content = unsafe { bytes(layer.content.cast_const().cast(), layer.content_len) }?;
        all.push((name.to_owned(), content.to_vec()));
    }
    Ok(all)
}

/// Copies variable-length metalayers.
///
/// # Safety
/// Both are super-chunks of this library.
unsafe fn copy_vlmetalayers(from: *mut blosc2_schunk, to: *mut blosc2_schunk) -> Answer<()> {
    // SAFETY: a super-chunk, whose fields no one writes meanwhile.
    let public = unsafe { &*from };
    let count = usize::try_from(public.nvlmetalayers)?;
    for place in public.vlmetalayers.iter().take(count) {
        // SAFETY: the first entries are valid.
        let Some(layer) = (unsafe { place.as_ref() }) else {
            continue;
        };
        let (mut content, mut len) = (std::ptr::null_mut(), 0);
        // SAFETY: a name of the super-chunk; the others are writable.
        let code = unsafe { blosc2_vlmeta_get(from, layer.name, &raw mut content, &raw mut len) };
        if code < 0 {
            return Err(Code(code));
        }
        // SAFETY: the content is copied, with the default parameters.
        let code = unsafe { blosc2_vlmeta_add(to, layer.name, content, len, std::ptr::null_mut()) };
        // SAFETY: from `malloc`, for this function.
        unsafe { memory::free(content) };
        if code < 0 {
            return Err(Code(code));
        }
    }
    Ok(())
}

/// Appends an array to a copy of another, or to the other itself without `copy`, along an axis: 0,
/// or an error code.
///
/// # Safety
/// `ctx` is null or parameters of this library, valid with all that they point to; `src1` and
/// `src2` are null or arrays, `src1` one that may be changed without `copy`; `array` is null or
/// writable.
#[unsafe(export_name = symbol!("b2nd_concatenate"))]
pub unsafe extern "C" fn b2nd_concatenate(
    ctx: *mut b2nd_context_t,
    src1: *const b2nd_array_t,
    src2: *const b2nd_array_t,
    axis: i8,
    copy: bool,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let first = unsafe { array::at(src1) }?;
        // SAFETY: as above.
        let second = unsafe { array::at(src2) }?;
        if ctx.is_null() || array.is_null() {
            return Err(Code::NULL);
        }
        first.sync()?;
        second.sync()?;
        let (a, b) = (first.known(), second.known());
        let axis = usize::try_from(axis)?;
        let mut others = (0..a.shape.len()).filter(|&other| other != axis);
        let fits = a.typesize == b.typesize
            && a.shape.len() == b.shape.len()
            && axis < a.shape.len()
            && others.all(|other| a.shape.get(other) == b.shape.get(other));
        if !fits {
            return Err(Code::INVALID);
        }
        let made = if copy {
            // SAFETY: valid by the caller's promise.
            unsafe { self::copy(ctx, &first) }?
        } else {
            first.not_a_view()?;
            src1.cast_mut()
        };
        // SAFETY: made above, or an array by the caller's promise.
        let done = append(&unsafe { array::at(made) }?, &second, axis);
        if let Err(code) = done {
            if copy {
                // SAFETY: made above, and no one else has it.
                unsafe { array::free(made) }?;
            }
            return Err(code);
        }
        // SAFETY: writable by the caller's promise.
        unsafe { put(array, made) };
        Ok(0)
    })
}

/// Appends the items of `src` to `dst`, as many at once as chunks along the axis have.
fn append(dst: &Handle<'_>, src: &Handle<'_>, axis: usize) -> Answer<()> {
    let (known, other) = (dst.known(), src.known());
    let (old, added) = (known.shape[axis], other.shape[axis]);
    let mut shape = known.shape.clone();
    shape[axis] = old.checked_add(added).ok_or(Code::INVALID)?;
    dst.change(|chunks, geometry| resize(chunks, geometry, &shape, None))?;
    let chunk = known.chunkshape[axis].max(1);
    let mut at = 0;
    while at < added {
        let end = (old.saturating_add(at) / chunk + 1).saturating_mul(chunk);
        let end = end.saturating_sub(old).min(added);
        let mut region: Vec<Range<u64>> = other.shape.iter().map(|&len| 0..len).collect();
        region[axis] = at..end;
        let data = src.read(|chunks, _| Ok(chunks.array()?.slice_bytes(region.clone())?))?;
        region[axis] = old.saturating_add(at)..old.saturating_add(end);
        if !data.is_empty() {
            set_region(dst, region, &data)?;
        }
        at = end;
    }
    Ok(())
}
