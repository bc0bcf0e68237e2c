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
    // A record of nothing but padding is raw bytes.
    let kind = |dtype: &Dtype| match dtype.kind {
        DtypeKind::Structured if data_fields(dtype).next().is_none() => DtypeKind::Void,
        kind => kind,
    };
    let meaning = |dtype: &Dtype| (kind(dtype), dtype.order, dtype.itemsize);
    if one.kind == DtypeKind::Unknown || meaning(one) != meaning(other) {
        return false;
    }
    match kind(one) {
        DtypeKind::Timedelta | DtypeKind::Datetime => unit(one) == unit(other),
        DtypeKind::Structured => {
            let (mut left, mut right) = (data_fields(one), data_fields(other));
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

/// The fields that are not padding. NumPy names an unnamed field of raw bytes after its position,
/// and python-blosc2 stores that name.
fn data_fields(dtype: &Dtype) -> impl Iterator<Item = &Field> {
    let is_padding = |at: usize, field: &Field| {
        let raw = Dtype::from_stored(&field.dtype).kind == DtypeKind::Void;
        field.name.is_empty() || raw && field.name == format!("f{at}")
    };
    let fields = dtype.fields.iter().enumerate();
    fields
        .filter(move |(at, field)| !is_padding(*at, field))
        .map(|(_, field)| field)
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
