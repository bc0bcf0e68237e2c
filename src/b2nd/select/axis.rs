//! Selections: ranges with steps and lists of indices, one per axis.

use std::ops::Range;

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::Element;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::Region;
use crate::b2nd::select::plan::{Along, Plan};
use crate::error::{Error, Result};
use crate::schunk::ChunkSource;

/// What a selection takes along one axis.
///
/// ```
/// use oxiblosc::b2nd::AxisSelection;
///
/// assert_eq!(AxisSelection::from(2..5), AxisSelection::Steps(2..5, 1));
/// assert_eq!(AxisSelection::Steps(0..10, 4).len(), 3); // 0, 4, 8
/// assert_eq!(AxisSelection::List(&[7, 7, 0]).len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AxisSelection<'a> {
    /// The first index of a range, and every so-manieth behind it. The step is 1 or more.
    Steps(Range<u64>, u64),
    /// These indices, in any order; each may come more than once.
    List(&'a [u64]),
}

impl From<Range<u64>> for AxisSelection<'_> {
    fn from(range: Range<u64>) -> Self {
        Self::Steps(range, 1)
    }
}

impl<'a, const N: usize> From<&'a [u64; N]> for AxisSelection<'a> {
    fn from(list: &'a [u64; N]) -> Self {
        Self::List(list)
    }
}

impl AxisSelection<'_> {
    /// The number of indices.
    pub fn len(&self) -> u64 {
        match self {
            Self::Steps(range, step) => {
                let len = range.end.saturating_sub(range.start);
                len.div_ceil((*step).max(1))
            }
            Self::List(list) => list.len() as u64,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that all indices are below `len`.
    fn check(&self, len: u64) -> Result<Along> {
        let outside = |index| Error::OutOfBounds {
            what: "index of a selection",
            index,
            len,
        };
        match self {
            Self::Steps(range, step) => {
                if *step == 0 {
                    return Err(Error::InvalidParam {
                        name: "step of a selection",
                        value: 0,
                        expected: "1 or more",
                    });
                }
                if range.start > range.end {
                    return Err(Error::OutOfBounds {
                        what: "start of a selection",
                        index: range.start,
                        len: range.end,
                    });
                }
                if range.end > len {
                    return Err(outside(range.end));
                }
                let len = self.len();
                Ok(Along::Steps {
                    start: range.start,
                    // Nobody goes this step, however long it is.
                    step: if len > 1 { *step } else { 1 },
                    len,
                })
            }
            Self::List(list) => match list.iter().find(|&&index| index >= len) {
                Some(&index) => Err(outside(index)),
                None => Ok(Along::list(list)),
            },
        }
    }
}

impl<C: ChunkSource> Array<C> {
    /// The elements of a selection, in C order: those whose index along every axis is one that the
    /// [`AxisSelection`] of the axis takes. The result has the lengths of the picks.
    ///
    /// Each block that the selection touches is decoded once, however the lists are ordered.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection};
    ///
    /// let numbers: Vec<i32> = (0..20).collect();
    /// let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>(&[4, 5]))?;
    /// let odd = array.select::<i32>(&[AxisSelection::Steps(1..4, 2), AxisSelection::from(0..2)])?;
    /// assert_eq!(odd, [5, 6, 15, 16]);
    /// let corners = array.select::<i32>(&[AxisSelection::List(&[3, 0]), AxisSelection::List(&[0, 4])])?;
    /// assert_eq!(corners, [15, 19, 0, 4]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; [`Error::LimitExceeded`] when the
    /// result is larger than [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`select_bytes_into`](Self::select_bytes_into).
    #[doc(alias = "b2nd_get_orthogonal_selection")]
    pub fn select<T: Element>(&self, picks: &[AxisSelection<'_>]) -> Result<Vec<T>> {
        self.plan_to_elements(&self.plan(picks)?)
    }

    /// Writes the elements of a selection to the front of `dst`, in C order, and returns how many
    /// they are.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`select_bytes_into`](Self::select_bytes_into).
    pub fn select_into<T: Element>(
        &self,
        picks: &[AxisSelection<'_>],
        dst: &mut [T],
    ) -> Result<usize> {
        self.plan_into(&self.plan(picks)?, dst)
    }

    /// The elements of a selection as bytes, in C order.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when the result is larger than
    /// [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`select_bytes_into`](Self::select_bytes_into).
    pub fn select_bytes(&self, picks: &[AxisSelection<'_>]) -> Result<Vec<u8>> {
        self.plan_to_bytes(&self.plan(picks)?)
    }

    /// Writes the elements of a selection to the front of `dst` as bytes, in C order, and returns
    /// how many bytes they are.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another number of picks than dimensions; [`Error::OutOfBounds`] for
    /// an index outside of the shape or a range that runs backwards; [`Error::InvalidParam`] for a
    /// step of 0; [`Error::OutputTooSmall`]; and what decoding a chunk reports.
    pub fn select_bytes_into(&self, picks: &[AxisSelection<'_>], dst: &mut [u8]) -> Result<usize> {
        self.read_plan(&self.plan(picks)?, dst)
    }

    fn plan(&self, picks: &[AxisSelection<'_>]) -> Result<Plan> {
        self.plan_within(picks, &Region::whole(self.shape()))
    }

    /// A selection within a box, whose corner is index 0.
    pub(crate) fn plan_within(&self, picks: &[AxisSelection<'_>], within: &Region) -> Result<Plan> {
        if picks.len() != self.ndim() {
            return Err(self.other_ndim(picks.len()));
        }
        let mut along = [const { Along::ONE }; MAX_NDIM];
        for (axis, pick) in picks.iter().enumerate() {
            along[axis] = pick.check(within.len(axis))?.shifted(within.lo[axis]);
        }
        Ok(Plan::new(along, self.ndim()))
    }
}
