//! Selection along one axis.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use crate::b2nd::select::indices::AxisIndices;
use crate::error::{Error, Result};
use crate::num::saturating_i64;

/// An index along an axis. A negative one counts from the end of the axis: -1 is the last element.
///
/// Made from every integer type. Values above `i64::MAX` become `i64::MAX`, which no axis reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisIndex(i64);

macro_rules! index {
    ($($integer:ty)+) => {$(
        impl From<$integer> for AxisIndex {
            fn from(index: $integer) -> Self {
                Self(saturating_i64(index))
            }
        }
    )+};
}

index!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl AxisIndex {
    /// The index counted from the start of an axis of `len` elements, if it is not before it.
    pub(crate) fn resolve(self, len: u64) -> Option<u64> {
        if self.0 < 0 {
            len.checked_sub(self.0.unsigned_abs())
        } else {
            Some(self.0.unsigned_abs())
        }
    }

    /// The number itself.
    pub(crate) fn get(self) -> i64 {
        self.0
    }

    /// The index after this one; `None` after the last element of the axis.
    fn following(self) -> Option<Self> {
        (self.0 != -1).then_some(Self(self.0.saturating_add(1)))
    }
}

/// The indices that a selection takes along one axis: a range, every `step`-th index of a range, a
/// list, or a single index, which removes the axis from the result. Lists are slices, arrays or
/// vectors of any integer type.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection};
///
/// let numbers: Vec<i32> = (0..20).collect();
/// let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>(&[4, 5]))?;
/// let every_second = AxisSelection::steps(1.., 2);
/// assert_eq!(array.slice::<i32>((every_second, ..2))?, [5, 6, 15, 16]);
/// let (rows, columns) = (AxisSelection::list(&[3, 0]), AxisSelection::list(&[0, -1]));
/// assert_eq!(array.slice::<i32>((rows, columns))?, [15, 19, 0, 4]);
/// assert_eq!(array.slice::<i32>((vec![3_usize, 0], 1))?, [16, 1]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisSelection(Indices);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Indices {
    /// A single index.
    One(AxisIndex),
    /// Every `step`-th index from `start` on.
    From { start: AxisIndex, step: u64 },
    /// Every `step`-th index of a range.
    Range {
        start: AxisIndex,
        end: AxisIndex,
        step: u64,
    },
    /// A list.
    List(Box<[AxisIndex]>),
    /// All indices of the axes that have no other selection.
    Rest,
}

/// A range of indices of any kind; see [`AxisSelection::steps`].
pub trait AxisRange: sealed::Sealed {
    /// The first index, and the one after the last unless the range is open.
    #[doc(hidden)]
    fn bounds(self) -> (AxisIndex, Option<AxisIndex>);
}

mod sealed {
    /// Restricts `AxisRange` to the ranges of the standard library.
    #[expect(unnameable_types, reason = "seals the trait above")]
    pub trait Sealed {}
}

macro_rules! ranges {
    ($($range:ty, $bound:ident => $bounds:expr;)+) => {$(
        impl<I: Into<AxisIndex>> sealed::Sealed for $range {}
        impl<I: Into<AxisIndex>> AxisRange for $range {
            fn bounds(self) -> (AxisIndex, Option<AxisIndex>) {
                let $bound = self;
                $bounds
            }
        }
        impl<I: Into<AxisIndex>> From<$range> for AxisSelection {
            fn from(range: $range) -> Self {
                Self::steps(range, 1)
            }
        }
    )+};
}

ranges! {
    Range<I>, range => (range.start.into(), Some(range.end.into()));
    RangeFrom<I>, range => (range.start.into(), None);
    RangeTo<I>, range => (AxisIndex(0), Some(range.end.into()));
    RangeToInclusive<I>, range => (AxisIndex(0), range.end.into().following());
    RangeInclusive<I>, range => {
        let (start, last) = range.into_inner();
        (start.into(), last.into().following())
    };
}

impl sealed::Sealed for RangeFull {}
impl AxisRange for RangeFull {
    fn bounds(self) -> (AxisIndex, Option<AxisIndex>) {
        (AxisIndex(0), None)
    }
}
impl From<RangeFull> for AxisSelection {
    fn from(_: RangeFull) -> Self {
        Self::ALL
    }
}

macro_rules! single {
    ($($integer:ty)+) => {$(
        impl From<$integer> for AxisSelection {
            fn from(index: $integer) -> Self {
                Self(Indices::One(index.into()))
            }
        }
    )+};
}

single!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// A list of indices.
macro_rules! lists {
    ($([$($generics:tt)*] $list:ty;)+) => {$(
        impl<I: Copy + Into<AxisIndex>, $($generics)*> From<$list> for AxisSelection {
            fn from(list: $list) -> Self {
                Self::list(&list[..])
            }
        }
    )+};
}

lists! {
    [const N: usize] [I; N];
    [const N: usize] &[I; N];
    [] &[I];
    [] Vec<I>;
    [] &Vec<I>;
}

impl AxisSelection {
    /// The whole axis, as `..`.
    pub const ALL: Self = Self(Indices::From {
        start: AxisIndex(0),
        step: 1,
    });

    /// The first index of a range and every `step`-th index after it. The step is 1 or more.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection};
    ///
    /// let array = Array::from_elements(&[0_u8, 1, 2, 3, 4], &ArrayParams::new::<u8>(&[5]))?;
    /// assert_eq!(array.slice::<u8>([AxisSelection::steps(.., 2)])?, [0, 2, 4]);
    /// assert_eq!(array.slice::<u8>([AxisSelection::steps(..-1, 2)])?, [0, 2]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn steps(range: impl AxisRange, step: u64) -> Self {
        Self(match range.bounds() {
            (start, Some(end)) => Indices::Range { start, end, step },
            (start, None) => Indices::From { start, step },
        })
    }

    /// All axes that the other items of the selection leave over, taken whole: `...` of NumPy. At
    /// most one item is this one.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection};
    ///
    /// let numbers: Vec<u8> = (0..8).collect();
    /// let array = Array::from_elements(&numbers, &ArrayParams::new::<u8>([2, 2, 2]))?;
    /// assert_eq!(array.slice::<u8>((1, AxisSelection::REST))?, [4, 5, 6, 7]);
    /// assert_eq!(array.slice::<u8>((AxisSelection::REST, 0))?, [0, 2, 4, 6]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[doc(alias = "Ellipsis")]
    #[doc(alias = "...")]
    pub const REST: Self = Self(Indices::Rest);

    /// The indices of a list, in any order; each may occur more than once. Negative ones count from
    /// the end of the axis.
    pub fn list<I: Copy + Into<AxisIndex>>(list: &[I]) -> Self {
        Self(Indices::List(
            list.iter().map(|&index| index.into()).collect(),
        ))
    }

    /// A single index, which removes the axis from the result.
    pub fn index(index: impl Into<AxisIndex>) -> Self {
        Self(Indices::One(index.into()))
    }

    /// Whether this stands for all axes without another selection.
    pub(crate) fn is_rest(&self) -> bool {
        matches!(self.0, Indices::Rest)
    }

    /// Whether the axis is absent from the result.
    pub(crate) fn removes_axis(&self) -> bool {
        matches!(self.0, Indices::One(_))
    }

    /// The indices along an axis of `len` elements, all of them checked.
    pub(crate) fn resolve(&self, axis: usize, len: u64) -> Result<AxisIndices> {
        match &self.0 {
            &Indices::One(index) => {
                let start = index.resolve(len).filter(|&start| start < len);
                let start = start.ok_or_else(|| outside(axis, index.0, len))?;
                Ok(AxisIndices::one(start))
            }
            &Indices::From { start, step } => range(axis, len, start, None, step),
            &Indices::Range { start, end, step } => range(axis, len, start, Some(end), step),
            Indices::List(list) => {
                let within = |&index: &AxisIndex| {
                    let within = index.resolve(len).filter(|&index| index < len);
                    within.ok_or_else(|| outside(axis, index.0, len))
                };
                let list: Vec<u64> = list.iter().map(within).collect::<Result<_>>()?;
                Ok(AxisIndices::list(&list))
            }
            Indices::Rest => range(axis, len, AxisIndex(0), None, 1),
        }
    }
}

/// The indices of a range.
fn range(
    axis: usize,
    len: u64,
    start: AxisIndex,
    end: Option<AxisIndex>,
    step: u64,
) -> Result<AxisIndices> {
    if step == 0 {
        return Err(Error::InvalidAxisParam {
            axis,
            name: "step of a selection",
            value: 0,
            expected: "1 or more".into(),
        });
    }
    Ok(AxisIndices::range(bounds(axis, len, start, end)?, step))
}

/// The indices of a range without steps, counted from the start of an axis of `len` elements.
pub(crate) fn bounds(
    axis: usize,
    len: u64,
    start: AxisIndex,
    end: Option<AxisIndex>,
) -> Result<Range<u64>> {
    let bound = |index: AxisIndex| {
        let bound = index.resolve(len).filter(|&bound| bound <= len);
        bound.ok_or_else(|| outside(axis, index.0, len))
    };
    let end = end.map_or(Ok(len), bound)?;
    let first = bound(start)?;
    if first > end {
        return Err(Error::InvalidAxisParam {
            axis,
            name: "start of a range",
            value: start.0,
            expected: format!("at most the end of the range, {end}").into(),
        });
    }
    Ok(first..end)
}

/// The error for an index outside of the shape.
fn outside(axis: usize, index: i64, len: u64) -> Error {
    Error::OutsideAxis { axis, index, len }
}
