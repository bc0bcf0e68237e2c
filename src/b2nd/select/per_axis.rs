//! One number per axis, as callers write it.

use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::Dims;
use crate::b2nd::select::axis::AxisIndex;
use crate::b2nd::select::selection::other_ndim;
use crate::error::{Error, Result};

/// A number per axis: a shape, a chunkshape or an index.
///
/// Arrays, references to arrays, slices and vectors of any integer type, such as the `&[usize]` of
/// `ndarray::Array::shape`; `()` for an array without axes.
///
/// In an index, negative numbers count from the end of the axis. In a shape they are out of range.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
///
/// let (rows, columns) = (2_usize, 3_usize);
/// let numbers: Vec<u8> = (0..6).collect();
/// let mut array = Array::from_elements(&numbers, &ArrayParams::new::<u8>([rows, columns]))?;
/// assert_eq!(array.get::<u8>([1, 2])?, 5);
/// assert_eq!(array.get::<u8>([-1, 0])?, 3);
/// array.resize(vec![4_u64, 3])?;
/// assert_eq!(array.shape(), [4, 3]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
pub trait PerAxis: sealed::Sealed {
    /// The numbers in the order of the axes.
    #[doc(hidden)]
    fn numbers(self) -> impl ExactSizeIterator<Item = AxisIndex>;
}

mod sealed {
    /// Keeps `PerAxis` to the types below.
    #[expect(unnameable_types, reason = "seals the trait above")]
    pub trait Sealed {}
}

macro_rules! per_axis {
    ($([$($generics:tt)*] $numbers:ty, $into:expr;)+) => {$(
        impl<I: Copy + Into<AxisIndex>, $($generics)*> sealed::Sealed for $numbers {}
        impl<I: Copy + Into<AxisIndex>, $($generics)*> PerAxis for $numbers {
            fn numbers(self) -> impl ExactSizeIterator<Item = AxisIndex> {
                self.into_iter().map($into)
            }
        }
    )+};
}

per_axis! {
    [const N: usize] [I; N], Into::into;
    [const N: usize] &[I; N], |&number| number.into();
    [] &[I], |&number| number.into();
    [] Vec<I>, Into::into;
    [] &Vec<I>, |&number| number.into();
}

impl sealed::Sealed for () {}
impl PerAxis for () {
    fn numbers(self) -> impl ExactSizeIterator<Item = AxisIndex> {
        std::iter::empty()
    }
}

/// The lengths of a shape. Negative ones, and those that an index cannot state, become `u64::MAX`,
/// which no axis reaches.
pub(crate) fn lens(shape: impl PerAxis) -> Vec<u64> {
    let len = |number: AxisIndex| match u64::try_from(number.get()) {
        Ok(len) if number.get() < i64::MAX => len,
        _ => u64::MAX,
    };
    shape.numbers().map(len).collect()
}

/// The index of an element of an array of this shape, and the number of axes.
#[inline]
pub(crate) fn index_within(index: impl PerAxis, shape: &[u64]) -> Result<(Dims, usize)> {
    let numbers = index.numbers();
    let ndim = numbers.len();
    if ndim != shape.len() {
        return Err(other_ndim(shape.len(), ndim));
    }
    let mut resolved = [0; MAX_NDIM];
    for (axis, ((number, &len), at)) in numbers.zip(shape).zip(&mut resolved).enumerate() {
        let within = number.resolve(len).filter(|&index| index < len);
        *at = within.ok_or_else(|| Error::OutsideAxis {
            axis,
            index: number.get(),
            len,
        })?;
    }
    Ok((resolved, ndim))
}
