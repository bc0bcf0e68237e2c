//! The rules of shapes, chunkshapes and blockshapes ([format §11.3](crate::format#11.3)), and the
//! errors that state where in the metalayer one is broken.

use crate::error::{Error, Fault, Part, Result};
use crate::filter::metalayer::{BLOCKSHAPE, CHUNKSHAPE, SHAPE};
use crate::num::to_u64;

/// The fields of the metalayer whose offsets errors state.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    Shape,
    Chunkshape,
    Blockshape,
}

/// The offset of a length in the metalayer.
pub(crate) fn field_offset(ndim: usize, field: Field, axis: usize) -> u64 {
    let at = match field {
        Field::Shape => 4 + 9 * axis + 1,
        Field::Chunkshape => 4 + 9 * ndim + 1 + 5 * axis + 1,
        Field::Blockshape => 4 + 14 * ndim + 2 + 5 * axis + 1,
    };
    to_u64(at)
}

/// The rules of one axis ([format §11.3](crate::format#11.3)).
pub(crate) fn check_axis(ndim: usize, axis: usize, s: u64, c: u64, b: u64) -> Result<()> {
    if s > i64::MAX.cast_unsigned() {
        let at = field_offset(ndim, Field::Shape, axis);
        let [name, _] = SHAPE[axis];
        return Err(Error::out_of_range(Part::B2nd, at, name, s, 0, i64::MAX));
    }
    let max = i32::MAX.cast_unsigned();
    if c > max.into() || c == 0 && s > 0 {
        let at = field_offset(ndim, Field::Chunkshape, axis);
        return Err(Error::out_of_range(
            Part::B2nd,
            at,
            CHUNKSHAPE[axis][0],
            c,
            u8::from(s > 0),
            max,
        ));
    }
    if b > max.into() || b == 0 && c > 0 {
        let at = field_offset(ndim, Field::Blockshape, axis);
        return Err(Error::out_of_range(
            Part::B2nd,
            at,
            BLOCKSHAPE[axis][0],
            b,
            u8::from(c > 0),
            max,
        ));
    }
    Ok(())
}

/// A broken rule of shapes that the caller gave, as an error about a parameter.
pub(crate) fn as_param(error: Error, shapes: (&[u64], &[u64], &[u64])) -> Error {
    let Error::Corrupt {
        fault:
            Fault::OutOfRange {
                field,
                value,
                min,
                max,
            },
        ..
    } = error
    else {
        return error;
    };
    let (shape, chunkshape, blockshape) = shapes;
    let mut axes = shape.iter().zip(chunkshape).zip(blockshape).enumerate();
    let broken =
        axes.find(|&(axis, ((&s, &c), &b))| check_axis(shape.len(), axis, s, c, b).is_err());
    match broken {
        Some((axis, _)) => Error::InvalidAxisParam {
            axis,
            // The axis is not part of the parameter's name.
            name: field.split(" of axis").next().unwrap_or(field),
            value,
            expected: format!("{min} to {max}").into(),
        },
        None => Error::InvalidParam {
            name: field,
            value,
            expected: "shape, chunkshape and blockshape within the limits of the format",
        },
    }
}

pub(crate) fn bounded(
    value: Option<u64>,
    max: u64,
    offset: u64,
    field: &'static str,
) -> Result<usize> {
    let value = value.unwrap_or(u64::MAX);
    usize::try_from(value)
        .ok()
        .filter(|_| value <= max)
        .ok_or_else(|| Error::out_of_range(Part::B2nd, offset, field, value, 0, max))
}
