//! Whether two texts mean the same elements.

use crate::b2nd::layout::dtype::Dtype;
use crate::b2nd::layout::dtype::kind::DtypeKind;
use crate::b2nd::layout::dtype::structured::Field;

/// Whether bytes of one type can be read as the other: NumPy, python-blosc2 and `.npy` headers
/// write the same type as `i1`, `|i1` and `int8`, and padding as unnamed fields or as offsets.
pub(super) fn equivalent(one: &Dtype, other: &Dtype) -> bool {
    if one.text == other.text {
        return true;
    }
    let meaning = |dtype: &Dtype| (dtype.kind, dtype.order, dtype.itemsize);
    if one.kind == DtypeKind::Unknown || meaning(one) != meaning(other) {
        return false;
    }
    match one.kind {
        DtypeKind::Timedelta | DtypeKind::Datetime => unit(one) == unit(other),
        DtypeKind::Structured => {
            let mut left = named(one);
            let mut right = named(other);
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return true,
                    (Some(left), Some(right)) if same_field(left, right) => {}
                    _ => return false,
                }
            }
        }
        _ => true,
    }
}

/// The unit of a point in time, brackets included.
fn unit(dtype: &Dtype) -> Option<&str> {
    dtype.text.find('[').and_then(|at| dtype.text.get(at..))
}

/// The fields that hold data.
fn named(dtype: &Dtype) -> impl Iterator<Item = &Field> {
    dtype.fields.iter().filter(|field| !field.name.is_empty())
}

fn same_field(one: &Field, other: &Field) -> bool {
    let at = |field: &Field| (field.offset, field.nbytes);
    one.name == other.name
        && one.shape == other.shape
        && at(one) == at(other)
        && equivalent(
            &Dtype::from_stored(&one.dtype),
            &Dtype::from_stored(&other.dtype),
        )
}
