//! Selections.

use oxiblosc::b2nd::AxisSelection;
use pyo3::prelude::*;

use crate::bytes::Source;

/// The selection along one axis: an index, `(start, stop, step)`, or an array of `int64`.
#[derive(Debug, FromPyObject)]
pub(crate) enum Axis {
    /// One index.
    One(u64),
    /// Every `step`-th index of a range.
    Range((u64, u64, u64)),
    /// Native `int64`, 0 or more each.
    List(Source),
}

/// The selections of the library.
pub(crate) fn selection(axes: &[Axis]) -> Vec<AxisSelection> {
    axes.iter().map(Axis::selection).collect()
}

impl Axis {
    fn selection(&self) -> AxisSelection {
        match self {
            &Self::One(index) => AxisSelection::index(index),
            &Self::Range((start, stop, step)) => AxisSelection::steps(start..stop, step),
            Self::List(list) => AxisSelection::list(&list.integers()),
        }
    }
}

impl Source {
    /// The bytes as native `int64`.
    pub(crate) fn integers(&self) -> Vec<i64> {
        let (integers, _) = self.bytes().as_chunks::<8>();
        integers
            .iter()
            .map(|&bytes| i64::from_ne_bytes(bytes))
            .collect()
    }
}
