//! The indices that a selection takes along an axis, resolved against its length.

use crate::num::{saturating_usize, to_u64};

/// The indices taken along an axis.
#[derive(Clone, Debug)]
pub(crate) enum AxisIndices {
    /// `start`, `start + step`, ...
    Steps { start: u64, step: u64, len: u64 },
    /// Any indices, in ascending order.
    List(Vec<Entry>),
}

/// An index, and its position in the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) index: u64,
    pub(crate) position: u64,
}

impl AxisIndices {
    /// The first index alone.
    pub(crate) const FIRST: Self = Self::one(0);

    /// A single index.
    pub(crate) const fn one(start: u64) -> Self {
        Self::Steps {
            start,
            step: 1,
            len: 1,
        }
    }

    /// Every `step`-th index of a range that is not reversed.
    pub(crate) fn range(range: std::ops::Range<u64>, step: u64) -> Self {
        let len = (range.end - range.start).div_ceil(step);
        Self::Steps {
            start: range.start,
            // A step that is never taken may be of any length.
            step: if len > 1 { step } else { 1 },
            len,
        }
    }

    /// A list in any order, with repetitions.
    pub(crate) fn list(indices: &[u64]) -> Self {
        // A list that is an arithmetic progression copies like one.
        if let [first, .., last] = *indices
            && last > first
            && let Some(step) = indices.get(1).and_then(|second| second.checked_sub(first))
            && step > 0
            && indices
                .windows(2)
                .all(|pair| pair[0].checked_add(step) == Some(pair[1]))
        {
            return Self::Steps {
                start: first,
                step,
                len: to_u64(indices.len()),
            };
        }
        if let [index] = *indices {
            return Self::one(index);
        }
        let entry = |(position, &index)| Entry {
            index,
            position: to_u64(position),
        };
        let mut entries: Vec<Entry> = indices.iter().enumerate().map(entry).collect();
        entries.sort_by_key(|entry| entry.index);
        Self::List(entries)
    }

    /// The same indices, `by` further along the axis.
    pub(crate) fn shifted(mut self, by: u64) -> Self {
        match &mut self {
            Self::Steps { start, .. } => *start += by,
            Self::List(entries) => entries.iter_mut().for_each(|entry| entry.index += by),
        }
        self
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Steps { len, .. } => *len,
            Self::List(entries) => to_u64(entries.len()),
        }
    }

    /// The `n`-th index.
    pub(crate) fn index(&self, n: u64) -> u64 {
        match self {
            Self::Steps { start, step, .. } => start + n * step,
            Self::List(entries) => entries[saturating_usize(n)].index,
        }
    }

    /// The end of the run that begins with `n`: the first position whose index is `border` or
    /// more, or `end`.
    pub(crate) fn run_end(&self, n: u64, end: u64, border: u64) -> u64 {
        match self {
            Self::Steps { step, .. } => {
                let left = border - self.index(n);
                // Most steps are one, and a division is not free.
                let run = if *step == 1 {
                    left
                } else {
                    left.div_ceil(*step)
                };
                (n + run).min(end)
            }
            Self::List(entries) => {
                let run = &entries[saturating_usize(n)..saturating_usize(end)];
                n + to_u64(run.partition_point(|entry| entry.index < border))
            }
        }
    }
}
