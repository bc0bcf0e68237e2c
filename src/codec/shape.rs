//! The shape of a block, for codecs of n-dimensional arrays ([format §11.1](crate::format#11.1)).

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use super::CodecContext;
use crate::error::BoxError;
use crate::filter::metalayer::{Cursor, MAX_NDIM, Shapes};

/// The lengths of a block in items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    ndim: usize,
    lens: [usize; MAX_NDIM],
}

impl Shape {
    /// The length along each dimension.
    pub(super) fn lens(&self) -> &[usize] {
        self.lens.get(..self.ndim).unwrap_or_default()
    }
}

/// The blockshape of the `b2nd` metalayer.
pub(super) fn blockshape(cx: &CodecContext<'_>) -> Result<Shape, BoxError> {
    let metalayer = cx
        .b2nd
        .ok_or("a codec for arrays needs the b2nd metalayer")?;
    let shapes = Shapes::read(&mut Cursor::new(metalayer)?.0)?;
    let mut lens = [0; MAX_NDIM];
    for (to, &len) in lens.iter_mut().zip(&shapes.blockshape) {
        *to = usize::try_from(len)?;
    }
    Ok(Shape {
        ndim: shapes.ndim,
        lens,
    })
}

/// Refuses a stream that is no whole block: the metalayer may lie.
pub(super) fn fits(shape: &[usize], typesize: usize, len: usize) -> Result<(), BoxError> {
    let mut lens = shape.iter();
    if lens.try_fold(typesize, |product, &n| product.checked_mul(n)) == Some(len) {
        return Ok(());
    }
    Err(format!(
        "the stream has {len} bytes, but the blockshape {shape:?} of the b2nd metalayer with items \
         of {typesize} bytes needs another number"
    )
    .into())
}
