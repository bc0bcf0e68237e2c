//! The six slots as a short list of steps, in the order in which they are taken.
//!
//! Empty slots and filters that change nothing here are left out, so that a block without a
//! filter is never copied. Byte shuffle and DELTA are separate steps: the first because
//! shuffling can report runs and unshuffling can read byte planes wherever they lie, the second
//! because it can be undone in place. A byte shuffle whose planes go through bytedelta is one step.

use oxiblosc_kernels::unwritten::Unwritten;
use oxiblosc_kernels::{Isa, Kernels, fuses_bytedelta};

use super::find::find;
use super::id::{FilterId, FilterSlot, MAX_FILTERS};
use super::shuffle::{Bitshuffle, blosc1_untouched};
use super::{Filter, FilterContext};
use crate::error::{Error, Result};
use crate::registry::Registry;

/// One filter at work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// Byte shuffle of groups of this many bytes, at least 2.
    Shuffle {
        /// The width of a group.
        group: usize,
    },
    /// Byte shuffle of groups of this many bytes, and bytedelta of their planes.
    ShuffleBytedelta {
        /// The width of a group, one of [`fuses_bytedelta`].
        group: usize,
    },
    /// Bit shuffle.
    Bitshuffle,
    /// XOR against the reference block.
    Delta,
    /// Any other filter.
    Other {
        /// The filter.
        filter: &'a dyn Filter,
        /// The meta byte of its slot.
        meta: u8,
    },
}

impl Step<'_> {
    /// The filter of this step.
    fn id(&self) -> FilterId {
        match self {
            Self::Shuffle { .. } => FilterId::SHUFFLE,
            Self::ShuffleBytedelta { .. } => FilterId::BYTEDELTA,
            Self::Bitshuffle => FilterId::BITSHUFFLE,
            Self::Delta => FilterId::DELTA,
            Self::Other { filter, .. } => filter.id(),
        }
    }

    /// Whether a block of zeros stays one, both ways and at every length.
    pub(crate) fn keeps_zeros(&self) -> bool {
        match self {
            Self::Shuffle { .. } | Self::ShuffleBytedelta { .. } | Self::Bitshuffle => true,
            Self::Delta => false,
            Self::Other { filter, .. } => {
                matches!(filter.id(), FilterId::BYTEDELTA | FilterId::BYTEDELTA_BUGGY)
            }
        }
    }

    /// Filters `src` into `dst` for compression.
    pub(crate) fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
        match *self {
            Self::Shuffle { group } => cx.kernels.shuffle(group, src, dst),
            Self::ShuffleBytedelta { group } => cx.kernels.shuffle_bytedelta(group, src, dst),
            Self::Bitshuffle => {
                let done = Bitshuffle.forward(cx, src, dst);
                done.map_err(|source| self.failed(cx, source))?;
            }
            Self::Delta => cx.kernels.delta_encode(cx.typesize, cx.reference, src, dst),
            Self::Other { filter, meta } => {
                let done = with_meta(cx, meta, |cx| filter.forward(cx, src, dst));
                done.map_err(|source| self.failed(cx, source))?;
            }
        }
        Ok(())
    }

    /// Undoes [`forward`](Self::forward) from `src` into `dst`.
    pub(crate) fn backward(
        &self,
        cx: &FilterContext<'_>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<()> {
        match *self {
            Self::Shuffle { group } => cx.kernels.unshuffle(group, src, dst),
            Self::ShuffleBytedelta { group } => cx.kernels.unshuffle_bytedelta(group, src, dst),
            Self::Bitshuffle => {
                let done = Bitshuffle.backward(cx, src, dst);
                done.map_err(|source| self.failed(cx, source))?;
            }
            Self::Delta => {
                dst.copy_from_slice(src);
                self.backward_in_place(cx, dst);
            }
            Self::Other { filter, meta } => {
                let done = with_meta(cx, meta, |cx| filter.backward(cx, src, dst));
                done.map_err(|source| self.failed(cx, source))?;
            }
        }
        Ok(())
    }

    /// [`backward`](Self::backward) into memory that is not written yet, which is zeroed first for
    /// filters other than the two shuffles.
    pub(crate) fn backward_unwritten<'d>(
        &self,
        cx: &FilterContext<'_>,
        src: &[u8],
        dst: Unwritten<'d>,
    ) -> Result<&'d mut [u8]> {
        match *self {
            Self::Shuffle { group } => Ok(dst.unshuffle(cx.kernels, group, src)),
            Self::ShuffleBytedelta { group } => Ok(dst.unshuffle_bytedelta(cx.kernels, group, src)),
            Self::Bitshuffle if cx.typesize > 0 && !blosc1_untouched(cx, src.len()) => {
                Ok(dst.bitunshuffle(cx.kernels, cx.typesize, src))
            }
            _ => {
                let dst = dst.zeroed();
                self.backward(cx, src, dst)?;
                Ok(dst)
            }
        }
    }

    /// Whether the step can be undone where the data lies.
    pub(crate) fn is_in_place(&self) -> bool {
        matches!(self, Self::Delta)
    }

    /// Undoes a step for which [`is_in_place`](Self::is_in_place) holds.
    pub(crate) fn backward_in_place(&self, cx: &FilterContext<'_>, block: &mut [u8]) {
        cx.kernels.delta_decode(cx.typesize, cx.reference, block);
    }

    #[cold]
    fn failed(&self, cx: &FilterContext<'_>, source: crate::error::BoxError) -> Error {
        Error::Filter {
            id: self.id(),
            block: cx.block,
            source,
        }
    }
}

/// Shows a filter its meta byte. For most of them it is 0, as in `cx`, which is then not copied.
#[inline]
fn with_meta<R>(cx: &FilterContext<'_>, meta: u8, work: impl FnOnce(&FilterContext<'_>) -> R) -> R {
    if meta == cx.meta {
        return work(cx);
    }
    work(&FilterContext { meta, ..*cx })
}

/// The steps that a block takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pipeline<'a> {
    steps: [Step<'a>; MAX_FILTERS],
    len: usize,
    has_delta: bool,
    lossy: bool,
}

/// A slot names an unknown filter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    /// The slot.
    pub(crate) slot: usize,
    /// The filter.
    pub(crate) id: FilterId,
}

impl<'a> Pipeline<'a> {
    /// Adds the steps that compress by `kernels`, in order.
    #[inline]
    pub(crate) fn push_forward(
        &mut self,
        slots: &[FilterSlot; MAX_FILTERS],
        typesize: usize,
        registry: Option<&'a Registry>,
        kernels: Kernels,
    ) -> Result<(), Unknown> {
        for (slot, filter) in slots.iter().enumerate() {
            // Most slots are empty; `push` would skip them, too.
            if filter.id != FilterId::NONE {
                self.push(slot, *filter, typesize, registry)?;
            }
            if filter.id == FilterId::BYTEDELTA
                && let [.., Step::Shuffle { group }, delta] = *self.steps()
                // Larger items are faster in two passes, and so are all without vectors.
                && group <= 8
                && !matches!(kernels.isa(), Isa::Scalar | Isa::Portable)
            {
                self.fuse(group, delta, typesize, registry);
            }
        }
        Ok(())
    }

    /// The steps that decompress, in order.
    pub(crate) fn backward(
        slots: &[FilterSlot; MAX_FILTERS],
        typesize: usize,
        registry: Option<&'a Registry>,
    ) -> Result<Self, Unknown> {
        let mut pipeline = Self::empty();
        pipeline.push_backward(slots, typesize, registry)?;
        Ok(pipeline)
    }

    /// Adds the steps that decompress, in order.
    #[inline]
    pub(crate) fn push_backward(
        &mut self,
        slots: &[FilterSlot; MAX_FILTERS],
        typesize: usize,
        registry: Option<&'a Registry>,
    ) -> Result<(), Unknown> {
        for (slot, filter) in slots.iter().enumerate().rev() {
            // Truncation is lossy; there is nothing to undo.
            // Empty slots: see `push_forward`.
            if matches!(
                filter.id,
                FilterId::NONE | FilterId::TRUNC_PREC | FilterId::INT_TRUNC
            ) {
                continue;
            }
            self.push(slot, *filter, typesize, registry)?;
            if filter.id == FilterId::SHUFFLE
                && let [.., delta, Step::Shuffle { group }] = *self.steps()
            {
                self.fuse(group, delta, typesize, registry);
            }
        }
        Ok(())
    }

    /// Makes one step of the last two, a shuffle and `delta`, if that is our bytedelta of the same
    /// width.
    fn fuse(
        &mut self,
        group: usize,
        delta: Step<'_>,
        typesize: usize,
        registry: Option<&Registry>,
    ) {
        let Step::Other { filter, meta } = delta else {
            return;
        };
        let own = registry.is_none_or(|registry| registry.filter(FilterId::BYTEDELTA).is_none());
        let width = if meta == 0 { typesize } else { meta.into() };
        if filter.id() == FilterId::BYTEDELTA && own && width == group && fuses_bytedelta(group) {
            self.len -= 1;
            self.steps[self.len - 1] = Step::ShuffleBytedelta { group };
        }
    }

    /// No step at all.
    #[inline]
    pub(crate) fn empty() -> Self {
        Self {
            steps: [Step::Delta; MAX_FILTERS],
            len: 0,
            has_delta: false,
            lossy: false,
        }
    }

    /// Adds the only step of a pipeline that has but this filter, SHUFFLE or BITSHUFFLE without a
    /// meta byte, or none. The step is the same both ways.
    #[inline(always)]
    pub(crate) fn push_only_shuffle(&mut self, filter: FilterId, typesize: usize) {
        self.steps[0] = match filter {
            FilterId::SHUFFLE if typesize > 1 => Step::Shuffle { group: typesize },
            FilterId::BITSHUFFLE => Step::Bitshuffle,
            _ => return,
        };
        self.len = 1;
    }

    #[inline]
    fn push(
        &mut self,
        slot: usize,
        filter: FilterSlot,
        typesize: usize,
        registry: Option<&'a Registry>,
    ) -> Result<(), Unknown> {
        let step = match filter.id {
            FilterId::NONE => return Ok(()),
            FilterId::SHUFFLE => match (filter.meta, typesize) {
                (0, 1) | (1, _) => return Ok(()),
                (0, group) => Step::Shuffle { group },
                (meta, _) => Step::Shuffle { group: meta.into() },
            },
            FilterId::BITSHUFFLE => Step::Bitshuffle,
            FilterId::DELTA => {
                self.has_delta = true;
                Step::Delta
            }
            id => {
                let filter_ = find(registry, id).ok_or(Unknown { slot, id })?;
                self.lossy |= !filter_.is_lossless();
                Step::Other {
                    filter: filter_,
                    meta: filter.meta,
                }
            }
        };
        self.steps[self.len] = step;
        self.len += 1;
        Ok(())
    }

    /// The steps, in the order in which they are taken.
    pub(crate) fn steps(&self) -> &[Step<'a>] {
        &self.steps[..self.len]
    }

    /// Whether later blocks need the first one.
    pub(crate) fn has_delta(&self) -> bool {
        self.has_delta
    }

    /// Whether data comes back changed.
    pub(crate) fn is_lossy(&self) -> bool {
        self.lossy
    }

    /// Takes all steps: from `src` into `x`, then alternately between `x` and `y`. Returns the
    /// buffer of the result; `x` (and `y`, from two steps on) are as long as `src`.
    pub(crate) fn run_forward<'s>(
        &self,
        cx: &FilterContext<'_>,
        src: &'s [u8],
        x: &'s mut [u8],
        y: &'s mut [u8],
    ) -> Result<&'s [u8]> {
        match run(self.steps(), cx, src, x, y)? {
            Some((last, _)) => Ok(last),
            None => Ok(src),
        }
    }

    /// [`run_forward`](Self::run_forward) for a pipeline that ends in a byte shuffle, which
    /// reports constant planes: `constants` has one entry per byte of a group.
    pub(crate) fn run_forward_report<'s>(
        &self,
        cx: &FilterContext<'_>,
        src: &'s [u8],
        x: &'s mut [u8],
        y: &'s mut [u8],
        constants: &mut [Option<u8>],
    ) -> Result<&'s [u8]> {
        let front = self
            .steps()
            .split_last()
            .map_or(&[][..], |(_, front)| front);
        let group = constants.len();
        if front.is_empty() {
            cx.kernels.shuffle_report(group, src, x, constants);
            return Ok(x);
        }
        let Some((last, other)) = run(front, cx, src, x, y)? else {
            return Ok(src);
        };
        cx.kernels.shuffle_report(group, last, other, constants);
        Ok(other)
    }

    /// The group width of a byte shuffle that is the last step taken, if it is one.
    pub(crate) fn last_shuffle(&self) -> Option<usize> {
        match self.steps().last() {
            Some(Step::Shuffle { group }) => Some(*group),
            _ => None,
        }
    }
}

/// Takes steps alternately between `x` and `y`; returns the buffer of the result first.
fn run<'s>(
    steps: &[Step<'_>],
    cx: &FilterContext<'_>,
    src: &[u8],
    mut x: &'s mut [u8],
    mut y: &'s mut [u8],
) -> Result<Option<(&'s mut [u8], &'s mut [u8])>> {
    let Some((first, rest)) = steps.split_first() else {
        return Ok(None);
    };
    first.forward(cx, src, x)?;
    for step in rest {
        step.forward(cx, x, y)?;
        std::mem::swap(&mut x, &mut y);
    }
    Ok(Some((x, y)))
}
