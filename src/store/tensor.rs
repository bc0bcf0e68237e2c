//! Arrays and tensors that `save_array`, `pack_tensor` and the like serialise: the elements in the
//! chunks, dtype and shape in a vlmetalayer ([format §17.6](crate::format#17.6)).

use super::value::Value;
use crate::b2nd::Dtype;
use crate::error::{Error, Part, Result};
use crate::schunk::ChunkSource;

/// The vlmetalayer that makes a super-chunk a packed tensor.
pub(super) const PACKED: &str = "__pack_tensor__";

/// The dtype and shape of a packed array or tensor. Its elements, in C order, are the bytes of the
/// super-chunk.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// The library whose array it was: `numpy`, `torch` or `tensorflow`.
    pub library: String,
    /// The length of each axis, in elements.
    pub shape: Vec<u64>,
    /// The type of the elements.
    pub dtype: Dtype,
}

impl Tensor {
    /// Reads dtype and shape; `None` when the super-chunk is no packed tensor.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the vlmetalayer is damaged, or states another size than the
    /// super-chunk has.
    pub fn of(source: &(impl ChunkSource + ?Sized)) -> Result<Option<Self>> {
        let Some(content) = source.vlmetalayer(PACKED)? else {
            return Ok(None);
        };
        let value = Value::decode(&content, &source.dparams().limits)?;
        let broken = |rule| Error::broken(Part::Value, 0, rule);
        let tensor = Self::from_value(&value)
            .ok_or_else(|| broken("a packed tensor is no tuple of library, shape and dtype"))?;
        let items = tensor
            .shape
            .iter()
            .try_fold(1_u64, |all, &len| all.checked_mul(len));
        let nbytes = tensor
            .dtype
            .itemsize()
            .and_then(|size| items?.checked_mul(size));
        if nbytes != Some(source.layout().nbytes) {
            return Err(broken("a packed tensor has another size than its chunks"));
        }
        Ok(Some(tensor))
    }

    fn from_value(value: &Value) -> Option<Self> {
        let [library, shape, dtype] = value.as_list()? else {
            return None;
        };
        let shape = shape.as_list()?.iter().map(Value::as_u64);
        Some(Self {
            library: library.as_str()?.to_owned(),
            shape: shape.collect::<Option<_>>()?,
            dtype: Dtype::from_stored(&dtype_text(dtype)?),
        })
    }
}

/// A dtype as text: a string, or the list of the fields of a structured one.
pub(super) fn dtype_text(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let fields = value.as_list()?.iter().map(|field| {
        let (name, dtype, shape) = match field.as_list()? {
            [name, dtype] => (name, dtype, None),
            [name, dtype, shape] => (name, dtype, Some(shape)),
            _ => return None,
        };
        let name = name.as_str()?.replace('\\', "\\\\").replace('\'', "\\'");
        let dtype = match dtype.as_str() {
            Some(text) => format!("'{text}'"),
            None => dtype_text(dtype)?,
        };
        let shape = match shape {
            Some(shape) => format!(", ({})", lens(shape)?),
            None => String::new(),
        };
        Some(format!("('{name}', {dtype}{shape})"))
    });
    Some(format!(
        "[{}]",
        fields.collect::<Option<Vec<_>>>()?.join(", ")
    ))
}

/// The lengths of a shape, each with a comma after it.
fn lens(shape: &Value) -> Option<String> {
    let lens = shape.as_list()?.iter().map(Value::as_u64);
    let lens = lens.map(|len| Some(format!("{},", len?)));
    lens.collect()
}
