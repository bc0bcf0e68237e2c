//! Selections of elements of an array.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::select::axis::{AxisIndex, AxisSelection};
use crate::error::{Error, Result};

/// The elements that a read or write addresses: one [`AxisSelection`] per axis, all elements, or a
/// list of points.
///
/// Methods take `impl Into<Selection>`:
///
/// | selection | written as |
/// |---|---|
/// | all elements | `..` |
/// | a box | `&[1..3, 0..2]`, `[1..3, 0..2]`, `(1..3, ..2)` |
/// | all but the last rows and columns | `(..-1, ..-1)`: negative indices count from the end |
/// | row 3, without its axis | `(3, ..)` |
/// | every second column | `(.., AxisSelection::steps(.., 2))` |
/// | rows from a list | `(&[7, 0, 7], ..)` |
/// | row 3 of any number of axes | `(3, AxisSelection::REST)` |
/// | the same with the steps of `ndarray` | `s![..10, 3, ..;2]`: see [`s!`](crate::s) |
/// | single elements | `Selection::points(&[[9, 9], [0, 3]])` |
///
/// Arrays and slices hold one item per axis, all of one type; tuples mix types and have up to eight
/// items, the macro up to 16. A range or an index alone is that of the only axis. Elements come in
/// C order, those of points in the order of the list. Clippy takes a literal `1..-1` for a reversed
/// range (`clippy::reversed_empty_ranges`); a variable avoids that.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, Selection};
///
/// let numbers: Vec<u16> = (0..100).collect();
/// let array = Array::from_elements(&numbers, &ArrayParams::new::<u16>(&[10, 10]))?;
/// assert_eq!(array.slice::<u16>(..)?, numbers);
/// assert_eq!(array.slice::<u16>(&[8..10, 3..5])?, [83, 84, 93, 94]);
/// assert_eq!(array.slice::<u16>([8.., 8..])?, [88, 89, 98, 99]);
/// assert_eq!(array.slice::<u16>((-1, 1..=2))?, [91, 92]);
/// assert_eq!(array.slice::<u16>((0, AxisSelection::steps(.., 4)))?, [0, 4, 8]);
/// assert_eq!(array.slice::<u16>((&[9, 2], 5))?, [95, 25]);
/// let points = Selection::points(&[[9, 9], [0, 3], [9, 9]]);
/// assert_eq!(array.slice::<u16>(points)?, [99, 3, 99]);
///
/// let error = array.slice::<u16>((.., 5..200)).unwrap_err();
/// assert_eq!(error.to_string(), "axis 1: 200 is outside the shape (10)");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Selection<'a>(pub(crate) Selected<'a>);

/// The kinds of selections.
#[expect(
    clippy::large_enum_variant,
    reason = "selections are made for one call; 16 axes in place spare it an allocation"
)]
#[derive(Clone, Debug)]
pub(crate) enum Selected<'a> {
    /// Every element.
    All,
    /// The selections along the axes; only the first `len` count. More than 16 axes fit no array.
    Axes {
        axes: [AxisSelection; MAX_NDIM],
        len: usize,
    },
    /// Single elements.
    Points(Points<'a>),
}

/// A list of points: `len` times `ndim` indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Points<'a> {
    pub(crate) indices: &'a [u64],
    pub(crate) ndim: usize,
    pub(crate) len: usize,
}

impl Points<'_> {
    /// Refuses indices that are not a whole number of points of this array.
    pub(crate) fn check(&self, ndim: usize) -> Result<()> {
        if self.ndim != ndim {
            return Err(other_ndim(ndim, self.ndim));
        }
        let whole = self.len.saturating_mul(self.ndim);
        if whole != self.indices.len() {
            return Err(Error::Mismatch {
                what: "number of indices of whole points",
                stored: whole.to_string().into(),
                asked: self.indices.len().to_string().into(),
            });
        }
        Ok(())
    }
}

/// The error for too many or too few axes.
pub(crate) fn other_ndim(ndim: usize, asked: usize) -> Error {
    Error::Mismatch {
        what: "number of dimensions",
        stored: ndim.to_string().into(),
        asked: asked.to_string().into(),
    }
}

impl<'a> Selection<'a> {
    /// The elements at some points, an index per axis each. Points may repeat; the result has one
    /// axis. Each block that holds one of them is decoded once.
    pub fn points<const N: usize>(points: &'a [[u64; N]]) -> Self {
        Self(Selected::Points(Points {
            indices: points.as_flattened(),
            ndim: N,
            len: points.len(),
        }))
    }

    /// The elements at points whose indices follow each other, `ndim` of them per point. Reads
    /// return [`Error::Mismatch`] when the last point is incomplete.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams, Selection};
    ///
    /// let array = Array::from_elements(&[1_u8, 2, 3, 4], &ArrayParams::new::<u8>(&[2, 2]))?;
    /// assert_eq!(array.slice::<u8>(Selection::points_flat(&[1, 1, 0, 1], 2))?, [4, 2]);
    /// assert!(array.slice::<u8>(Selection::points_flat(&[1, 1, 0], 2)).is_err());
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn points_flat(indices: &'a [u64], ndim: usize) -> Self {
        Self(Selected::Points(Points {
            indices,
            ndim,
            len: indices.len().checked_div(ndim).unwrap_or(0),
        }))
    }

    /// Whether it is a list of points.
    pub(crate) fn is_points(&self) -> bool {
        matches!(self.0, Selected::Points(_))
    }

    fn axes<A: Into<AxisSelection>>(selections: impl IntoIterator<Item = A>) -> Self {
        let mut axes = [const { AxisSelection::ALL }; MAX_NDIM];
        let mut len = 0_usize;
        for selection in selections {
            if let Some(axis) = axes.get_mut(len) {
                *axis = selection.into();
            }
            len = len.saturating_add(1);
        }
        Self(Selected::Axes { axes, len })
    }
}

impl<A: Into<AxisSelection>, const N: usize> From<[A; N]> for Selection<'_> {
    fn from(axes: [A; N]) -> Self {
        Self::axes(axes)
    }
}

impl<A: Clone + Into<AxisSelection>, const N: usize> From<&[A; N]> for Selection<'_> {
    fn from(axes: &[A; N]) -> Self {
        Self::axes(axes.iter().cloned())
    }
}

impl<A: Clone + Into<AxisSelection>> From<&[A]> for Selection<'_> {
    fn from(axes: &[A]) -> Self {
        Self::axes(axes.iter().cloned())
    }
}

impl<A: Clone + Into<AxisSelection>> From<&Vec<A>> for Selection<'_> {
    fn from(axes: &Vec<A>) -> Self {
        Self::axes(axes.iter().cloned())
    }
}

impl<'a> From<&Self> for Selection<'a> {
    fn from(selection: &Self) -> Self {
        selection.clone()
    }
}

impl From<RangeFull> for Selection<'_> {
    fn from(_: RangeFull) -> Self {
        Self(Selected::All)
    }
}

/// The only element of an array without axes.
impl From<()> for Selection<'_> {
    fn from((): ()) -> Self {
        Self::axes([AxisSelection::ALL; 0])
    }
}

impl<A: Into<AxisSelection>> From<Vec<A>> for Selection<'_> {
    fn from(axes: Vec<A>) -> Self {
        Self::axes(axes)
    }
}

impl From<AxisSelection> for Selection<'_> {
    fn from(axis: AxisSelection) -> Self {
        Self::axes([axis])
    }
}

/// A range of the only axis.
macro_rules! one_range {
    ($($range:ty)+) => {$(
        impl<I: Into<AxisIndex>> From<$range> for Selection<'_> {
            fn from(range: $range) -> Self {
                Self::axes([range])
            }
        }
    )+};
}

one_range!(Range<I> RangeFrom<I> RangeTo<I> RangeInclusive<I> RangeToInclusive<I>);

/// An index of the only axis.
macro_rules! one_index {
    ($($integer:ty)+) => {$(
        impl From<$integer> for Selection<'_> {
            fn from(index: $integer) -> Self {
                Self::axes([index])
            }
        }
    )+};
}

one_index!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! tuples {
    ($($($axis:ident)+;)+) => {$(
        impl<$($axis: Into<AxisSelection>),+> From<($($axis,)+)> for Selection<'_> {
            #[expect(non_snake_case, reason = "types and values share names in the macro")]
            fn from(($($axis,)+): ($($axis,)+)) -> Self {
                Self::axes([$(Into::<AxisSelection>::into($axis)),+])
            }
        }
    )+};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}

/// A [`Selection`](crate::b2nd::Selection) in the notation of `ndarray::s!`: an item per axis, each
/// with a step after a semicolon if it has one. Steps are 1 or more.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
/// use oxiblosc::s;
///
/// let numbers: Vec<u8> = (0..24).collect();
/// let array = Array::from_elements(&numbers, &ArrayParams::new::<u8>([2, 3, 4]))?;
/// assert_eq!(array.slice::<u8>(s![..1, 2, ..;2])?, [8, 10]);
/// assert_eq!(array.slice::<u8>(s![-1, &[2, 0], 1..=2])?, [21, 22, 13, 14]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[macro_export]
macro_rules! s {
    (@axis $range:expr; $step:expr) => {
        $crate::b2nd::AxisSelection::steps($range, $step)
    };
    (@axis $axis:expr) => {
        $crate::b2nd::AxisSelection::from($axis)
    };
    () => {
        $crate::b2nd::Selection::from(())
    };
    ($($axis:expr $(; $step:expr)?),+ $(,)?) => {
        $crate::b2nd::Selection::from([$($crate::s!(@axis $axis $(; $step)?)),+])
    };
}
