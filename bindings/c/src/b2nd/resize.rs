//! Changing shapes.

use std::ffi::c_int;
use std::ops::Range;

use oxiblosc::b2nd::METALAYER;
use oxiblosc::schunk::ChunkSink as _;
use oxiblosc::{CParams, ChunkEncoder, Special};

use super::array;
use super::chunks::Chunks;
use super::context::lengths;
use super::geometry::Geometry;
use crate::abi::b2nd_array_t;
use crate::boundary::{Answer, Code, answer};

/// Changes the length of each axis, at `start` where it is given and otherwise at the end; what is
/// new is zero. 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; `new_shape` is null or has as many lengths as it
/// has axes, and so has `start`.
#[unsafe(export_name = symbol!("b2nd_resize"))]
pub unsafe extern "C" fn b2nd_resize(
    array: *mut b2nd_array_t,
    new_shape: *const i64,
    start: *const i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        handle.not_a_view()?;
        let ndim = handle.known().shape.len();
        if new_shape.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: as many lengths as axes by the caller's promise.
        let shape = unsafe { lengths(new_shape, ndim) }?;
        let start = if start.is_null() {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { lengths(start, ndim) }?)
        };
        handle.change(|chunks, geometry| resize(chunks, geometry, &shape, start.as_deref()))?;
        Ok(0)
    })
}

/// The chunks that come or go along an axis, by their numbers along it.
struct Moved {
    old: u64,
    new: u64,
    gone: Range<u64>,
    come: Range<u64>,
}

impl Moved {
    fn new(old: u64, new: u64, chunk: u64, start: Option<u64>) -> Answer<Self> {
        let count = |len: u64| if chunk == 0 { 0 } else { len.div_ceil(chunk) };
        let (before, after) = (count(old), count(new));
        // Beyond what is common to both, there is only the end.
        let start = start.filter(|&start| start < old.min(new) && old != new);
        let first = match start {
            Some(start)
                if !start.is_multiple_of(chunk) || !old.abs_diff(new).is_multiple_of(chunk) =>
            {
                return Err(Code::INVALID);
            }
            Some(start) => start / chunk,
            None => before.min(after),
        };
        let moved = first..first.saturating_add(before.abs_diff(after));
        let (gone, come) = if after < before {
            (moved, 0..0)
        } else {
            (0..0, moved)
        };
        Ok(Self {
            old: before,
            new: after,
            gone,
            come,
        })
    }
}

/// The numbers of the chunks whose coordinate along some axis is in its range.
fn touched(counts: &[u64], ranges: &[&Range<u64>]) -> Vec<u64> {
    let mut found = Vec::new();
    let total = counts.iter().product::<u64>();
    for number in 0..total {
        let mut rest = number;
        let pairs = counts.iter().zip(ranges).rev();
        let mut hits = false;
        for (&count, range) in pairs {
            hits |= range.contains(&(rest % count));
            rest /= count;
        }
        if hits {
            found.push(number);
        }
    }
    found
}

/// Changes the shape; the new one. Chunks come and go whole: new ones are zeros, and the padding of
/// the others shows as it was stored, as in C.
pub(super) fn resize(
    mut chunks: Chunks,
    geometry: &Geometry,
    shape: &[u64],
    start: Option<&[u64]>,
) -> Answer<Option<Vec<u64>>> {
    let resized = geometry.with_shape(shape);
    resized.check()?;
    let mut axes = Vec::with_capacity(shape.len());
    for (axis, (&old, &new)) in geometry.shape.iter().zip(shape).enumerate() {
        let start = start.and_then(|start| start.get(axis).copied());
        axes.push(Moved::new(old, new, geometry.chunkshape[axis], start)?);
    }
    let (before, after) = (
        axes.iter().map(|axis| axis.old),
        axes.iter().map(|axis| axis.new),
    );
    let (before, after): (Vec<u64>, Vec<u64>) = (before.collect(), after.collect());
    let mut left = geometry.grid()?.nchunks();
    let empty = after.contains(&0);
    let gone = if empty {
        (0..left).collect()
    } else {
        touched(
            &before,
            &axes.iter().map(|axis| &axis.gone).collect::<Vec<_>>(),
        )
    };
    for &number in gone.iter().rev() {
        chunks.delete_chunk(number)?;
        left = left.saturating_sub(1);
    }
    let come = if empty {
        Vec::new()
    } else if before.contains(&0) {
        (0..resized.grid()?.nchunks()).collect()
    } else {
        touched(
            &after,
            &axes.iter().map(|axis| &axis.come).collect::<Vec<_>>(),
        )
    };
    if !come.is_empty() {
        let (chunksize, _) = resized.sizes()?;
        let mut encoder = ChunkEncoder::new(plain(chunks.new_cparams()?, &resized)?)?;
        let zeros = encoder.encode_special(Special::Zeros, usize::try_from(chunksize)?)?;
        for number in come {
            if number == left {
                chunks.append_chunk(&zeros)?;
            } else {
                chunks.insert_chunk(number, &zeros)?;
            }
            left = left.saturating_add(1);
        }
    }
    chunks.update_metalayer(METALAYER, &resized.plain_meta()?)?;
    Ok(Some(shape.to_vec()))
}

/// Parameters for chunks of special values.
fn plain(mut cparams: CParams, geometry: &Geometry) -> Answer<CParams> {
    cparams.prefilter = None;
    cparams.blocksize = Some(usize::try_from(geometry.sizes()?.1)?);
    cparams.b2nd = Some(geometry.plain_meta()?.into());
    Ok(cparams)
}
