//! Whether the elements of an array are values of a Rust type, and in which byte order.

use crate::b2nd::layout::dtype::element::Element;
use crate::b2nd::layout::dtype::equivalent::{data_fields, unit};
use crate::b2nd::layout::dtype::kind::{ByteOrder, DtypeKind};
use crate::b2nd::layout::dtype::structured::Field;
use crate::b2nd::layout::dtype::swap::{Swap, SwappedField};
use crate::b2nd::layout::dtype::text::Dtype;
use crate::error::{Error, Result};
use crate::num::saturating_usize;

impl Dtype {
    /// The dtype of an element type on this machine.
    pub fn of<T: Element>() -> Self {
        T::dtype()
    }

    /// Checks that elements of this type are values of `T`, and says whether some of their bytes
    /// are swapped.
    ///
    /// Points in time and time spans are read as `i64`. Records need the same fields at the same
    /// offsets; padding may be written in any way.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with both types.
    pub fn check<T: Element>(&self) -> Result<bool> {
        Ok(self.swap::<T>()? != Swap::Nothing)
    }

    /// Checks that elements of this type are values of `T`, and returns which bytes are swapped.
    #[inline]
    pub(crate) fn swap<T: Element>(&self) -> Result<Swap> {
        let same_size = self.itemsize == u64::try_from(size_of::<T>()).ok();
        let swap = if !same_size {
            None
        } else if T::KIND == DtypeKind::Structured {
            compare(self, &T::dtype())
        } else if number(self.kind) == T::KIND {
            // Without the text of the dtype: single elements are read, too.
            Some(if self.order.is_swapped() {
                Swap::Numbers(T::PART)
            } else {
                Swap::Nothing
            })
        } else {
            None
        };
        swap.ok_or_else(|| Error::Mismatch {
            what: "dtype",
            stored: self.text.clone(),
            asked: T::dtype().text,
        })
    }
}

/// The kind of number that a point in time or a time span is.
fn number(kind: DtypeKind) -> DtypeKind {
    match kind {
        DtypeKind::Timedelta | DtypeKind::Datetime => DtypeKind::Int,
        kind => kind,
    }
}

/// How bytes of a stored type become those of another; `None` when they cannot.
fn compare(stored: &Dtype, asked: &Dtype) -> Option<Swap> {
    if stored.itemsize != asked.itemsize {
        return None;
    }
    match (stored.kind, asked.kind) {
        (DtypeKind::Unknown, _) | (_, DtypeKind::Unknown) => None,
        (DtypeKind::Structured, DtypeKind::Structured) => compare_fields(stored, asked),
        (one, other) => {
            let is_time = |kind| matches!(kind, DtypeKind::Timedelta | DtypeKind::Datetime);
            // A unit of time counts only when both state one.
            let same = if is_time(other) {
                one == other && unit(stored) == unit(asked)
            } else {
                number(one) == other
            };
            same.then(|| swap_of(stored, asked))
        }
    }
}

fn compare_fields(stored: &Dtype, asked: &Dtype) -> Option<Swap> {
    let (mut left, mut right) = (data_fields(stored), data_fields(asked));
    let mut fields = Vec::new();
    loop {
        match (left.next(), right.next()) {
            (None, None) if fields.is_empty() => return Some(Swap::Nothing),
            (None, None) => return Some(Swap::Fields(fields)),
            (Some(left), Some(right)) => fields.extend(compare_field(left, right)?),
            _ => return None,
        }
    }
}

/// The bytes of a field that are swapped, if any; `None` when it is another field.
fn compare_field(stored: &Field, asked: &Field) -> Option<Option<SwappedField>> {
    let place = |field: &Field| (field.offset, field.nbytes);
    if stored.name != asked.name || stored.shape != asked.shape || place(stored) != place(asked) {
        return None;
    }
    let dtype = Dtype::from_stored(&stored.dtype);
    let swap = compare(&dtype, &Dtype::from_stored(&asked.dtype))?;
    let step = dtype.itemsize.unwrap_or(0);
    Some((swap != Swap::Nothing).then(|| SwappedField {
        offset: saturating_usize(stored.offset),
        step: saturating_usize(step),
        count: saturating_usize(stored.nbytes.checked_div(step).unwrap_or(0)),
        swap,
    }))
}

fn swap_of(stored: &Dtype, asked: &Dtype) -> Swap {
    let orders = [stored.order, asked.order];
    if stored.order == asked.order || orders.contains(&ByteOrder::Irrelevant) {
        return Swap::Nothing;
    }
    let itemsize = saturating_usize(stored.itemsize.unwrap_or(0));
    Swap::Numbers(match stored.kind {
        DtypeKind::Complex => itemsize / 2,
        DtypeKind::Text => 4,
        _ => itemsize,
    })
}
