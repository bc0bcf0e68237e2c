//! Whether two texts mean the same elements.

use crate::b2nd::layout::dtype::kind::DtypeKind;
use crate::b2nd::layout::dtype::structured::Field;
use crate::b2nd::layout::dtype::text::Dtype;

impl Dtype {
    /// Whether elements of both types are the same values in the same bytes, however the texts
    /// write it: `i1` is `|i1`, and padding may be an unnamed field or a gap between offsets.
    /// Titles do not count. Text that is not understood is equivalent to itself only.
    ///
    /// ```
    /// use oxiblosc::b2nd::Dtype;
    ///
    /// let npy = Dtype::from_stored("[('a', '|i1'), ('', '|V7'), ('b', '<f8')]");
    /// let aligned = Dtype::from_stored(
    ///     "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16}",
    /// );
    /// assert!(npy.is_equivalent(&aligned));
    /// assert!(!Dtype::from_stored("<M8[s]").is_equivalent(&Dtype::from_stored("<M8[ns]")));
    /// ```
    #[must_use]
    pub fn is_equivalent(&self, other: &Self) -> bool {
        equivalent(self, other)
    }
}

/// Whether bytes of one type can be read as the other: NumPy, python-blosc2 and `.npy` headers
/// write the same type as `i1`, `|i1` and `int8`, and padding as unnamed fields or as offsets.
fn equivalent(one: &Dtype, other: &Dtype) -> bool {
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
pub(super) fn unit(dtype: &Dtype) -> Option<&str> {
    dtype.text.find('[').and_then(|at| dtype.text.get(at..))
}

/// The fields that are not padding. NumPy names an unnamed field of raw bytes after its position,
/// and python-blosc2 stores that name.
pub(super) fn data_fields(dtype: &Dtype) -> impl Iterator<Item = &Field> {
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
