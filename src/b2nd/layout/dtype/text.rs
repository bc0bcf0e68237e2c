//! A dtype: its text, and the meaning of the text.

use std::fmt;
use std::str::FromStr;

use crate::b2nd::layout::dtype::kind::{ByteOrder, DtypeKind};
use crate::b2nd::layout::dtype::simple::simple;
use crate::b2nd::layout::dtype::structured::{self, Field};
use crate::error::{Error, Result};
use crate::num::to_u64;

/// The type of the elements of an array: its text and meaning.
///
/// ```
/// use oxiblosc::b2nd::{ByteOrder, Dtype, DtypeKind};
///
/// let dtype: Dtype = ">f8".parse()?;
/// assert_eq!((dtype.kind(), dtype.itemsize()), (DtypeKind::Float, Some(8)));
/// assert_eq!(dtype.byte_order(), ByteOrder::Big);
///
/// let record: Dtype = "[('x', '<i4'), ('name', 'S12', (2,))]".parse()?;
/// assert_eq!(record.itemsize(), Some(28));
/// assert_eq!(record.fields()[1].name, "name");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dtype {
    pub(super) text: Box<str>,
    pub(super) kind: DtypeKind,
    pub(super) order: ByteOrder,
    pub(super) itemsize: Option<u64>,
    pub(super) fields: Vec<Field>,
}

impl Dtype {
    /// The dtype of a record of `itemsize` bytes: names of fields, their offsets in bytes, their
    /// dtypes, and their shapes, which are empty for fields that are no arrays. Bytes between the
    /// fields are padding. [`Element`](crate::b2nd::Element) is derived with it.
    ///
    /// ```
    /// use oxiblosc::b2nd::Dtype;
    ///
    /// let fields = [
    ///     ("id", 0, Dtype::of::<u8>(), &[][..]),
    ///     ("position", 4, Dtype::from_stored("<f4"), &[3]),
    /// ];
    /// let dtype = Dtype::record(16, &fields);
    /// assert_eq!(
    ///     dtype.as_str(),
    ///     "[('id', '|u1'), ('', '|V3'), ('position', '<f4', (3,))]",
    /// );
    /// assert_eq!(dtype.itemsize(), Some(16));
    /// ```
    #[must_use]
    pub fn record(itemsize: usize, fields: &[(&str, usize, Self, &[usize])]) -> Self {
        let field = |(name, offset, dtype, shape): &(&str, usize, Self, &[usize])| {
            let shape: Vec<u64> = shape.iter().map(|&len| to_u64(len)).collect();
            let size = dtype.itemsize.unwrap_or(0);
            Field {
                name: (*name).to_owned(),
                title: String::new(),
                dtype: dtype.text.to_string(),
                offset: to_u64(*offset),
                nbytes: shape
                    .iter()
                    .fold(size, |size, &len| size.saturating_mul(len)),
                shape,
            }
        };
        let mut fields: Vec<Field> = fields.iter().map(field).collect();
        fields.sort_by_key(|field| field.offset);
        Self::from_stored(&structured::describe(to_u64(itemsize), &fields))
    }

    /// Raw bytes: `|V<typesize>`.
    pub fn void(typesize: usize) -> Self {
        Self::from_stored(&format!("|V{typesize}"))
    }

    /// A dtype as found in a file. Text that is not understood is kept, with the kind
    /// [`DtypeKind::Unknown`] and no item size.
    pub fn from_stored(text: &str) -> Self {
        Self::understand(text).unwrap_or_else(|| Self {
            text: text.into(),
            kind: DtypeKind::Unknown,
            order: ByteOrder::Irrelevant,
            itemsize: None,
            fields: Vec::new(),
        })
    }

    fn understand(text: &str) -> Option<Self> {
        if let Some(simple) = simple(text) {
            let (kind, order, itemsize) = simple;
            return Some(Self {
                text: text.into(),
                kind,
                order,
                itemsize: Some(itemsize),
                fields: Vec::new(),
            });
        }
        let (itemsize, fields) = structured::parse(text)?;
        Some(Self {
            text: text.into(),
            kind: DtypeKind::Structured,
            order: ByteOrder::Irrelevant,
            itemsize: Some(itemsize),
            fields,
        })
    }

    /// The text, as stored.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The kind of element.
    pub fn kind(&self) -> DtypeKind {
        self.kind
    }

    /// The order of the bytes of a number.
    pub fn byte_order(&self) -> ByteOrder {
        self.order
    }

    /// The size of an element in bytes, when the text was understood.
    pub fn itemsize(&self) -> Option<u64> {
        self.itemsize
    }

    /// The fields of a structured type; none otherwise.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The type as the header of an `.npy` file describes it, quotes included.
    ///
    /// Text that is not understood is quoted as it is.
    pub fn to_npy_descr(&self) -> String {
        match (self.kind, self.itemsize) {
            (DtypeKind::Structured, Some(itemsize)) => structured::describe(itemsize, &self.fields),
            _ => structured::quote(&self.text),
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Dtype {
    type Err = Error;

    /// Reads a dtype that must be understood, and have elements of one byte at least.
    fn from_str(text: &str) -> Result<Self> {
        match Self::understand(text) {
            Some(dtype) if dtype.itemsize != Some(0) && dtype.kind != DtypeKind::Object => {
                Ok(dtype)
            }
            _ => Err(Error::Mismatch {
                what: "dtype",
                stored: text.into(),
                asked: "a NumPy dtype of one byte or more, such as <f8 or [('x', '<i4')]".into(),
            }),
        }
    }
}
