//! Element types as NumPy writes them (format §11.1): `<f8`, `|u1`, `>i4`, `|S5`, `<U3`, and
//! descriptions of structured types as text.
//!
//! A file may carry any text here, and C-Blosc2 interprets none of it. So a [`Dtype`] keeps the
//! text as it is, beside what could be understood of it: the kind, the byte order, the item size
//! and the fields.

mod element;
mod literal;
mod structured;

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

pub use element::Element;
pub(crate) use element::swap_bytes;
pub use structured::Field;

/// What an element is.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DtypeKind {
    /// `b`: one byte, 0 or 1.
    Bool,
    /// `i`: a signed integer.
    Int,
    /// `u`: an unsigned integer.
    Uint,
    /// `f`: a float.
    Float,
    /// `c`: a complex number, real part first.
    Complex,
    /// `m`: a time span, an `i8` with a unit.
    Timedelta,
    /// `M`: a point in time, an `i8` with a unit.
    Datetime,
    /// `S`: bytes, padded with NUL.
    Bytes,
    /// `U`: text of 4-byte characters.
    Text,
    /// `V`: raw bytes.
    Void,
    /// `O`: a Python object, which no file can hold.
    Object,
    /// A record of named fields.
    Structured,
    /// Something else.
    Unknown,
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// `<`
    Little,
    /// `>`
    Big,
    /// `|`: single bytes, or a record whose fields have orders of their own.
    Irrelevant,
}

impl ByteOrder {
    /// The order of this machine.
    pub const NATIVE: Self = if cfg!(target_endian = "big") {
        Self::Big
    } else {
        Self::Little
    };

    /// Whether numbers of this order need their bytes reversed on this machine.
    pub fn is_swapped(self) -> bool {
        self != Self::Irrelevant && self != Self::NATIVE
    }
}

/// The type of the elements of an array: its text, and what it means.
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
    text: Box<str>,
    kind: DtypeKind,
    order: ByteOrder,
    itemsize: Option<u64>,
    fields: Vec<Field>,
}

impl Dtype {
    /// The dtype of an element type on this machine.
    pub fn of<T: Element>() -> Self {
        Self::from_stored(T::DTYPE)
    }

    /// Raw bytes: `|V<typesize>`.
    pub fn void(typesize: u32) -> Self {
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

    /// What an element is.
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
    /// Text that is not understood comes out as text.
    pub fn to_npy_descr(&self) -> String {
        match (self.kind, self.itemsize) {
            (DtypeKind::Structured, Some(itemsize)) => structured::describe(itemsize, &self.fields),
            _ => structured::quote(&self.text),
        }
    }

    /// Checks that elements of this type are values of `T`, and says whether their bytes are
    /// swapped.
    ///
    /// Points in time and time spans are read as `i64`.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with both types.
    pub fn check<T: Element>(&self) -> Result<bool> {
        let kind = match self.kind {
            DtypeKind::Timedelta | DtypeKind::Datetime => DtypeKind::Int,
            kind => kind,
        };
        let size = u64::try_from(T::SIZE).ok();
        if kind != T::KIND || self.itemsize.is_none() || self.itemsize != size {
            return Err(Error::Mismatch {
                what: "dtype",
                stored: self.text.clone(),
                asked: T::DTYPE.into(),
            });
        }
        Ok(self.order.is_swapped())
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

/// Reads a type that is no record: order, letter, number.
fn simple(text: &str) -> Option<(DtypeKind, ByteOrder, u64)> {
    let text = named(text).unwrap_or(text);
    let (order, rest) = match text.as_bytes().first()? {
        b'<' => (ByteOrder::Little, text.get(1..)?),
        b'>' => (ByteOrder::Big, text.get(1..)?),
        b'=' => (ByteOrder::NATIVE, text.get(1..)?),
        b'|' => (ByteOrder::Irrelevant, text.get(1..)?),
        _ => (ByteOrder::NATIVE, text),
    };
    let letter = rest.chars().next()?;
    let rest = rest.get(letter.len_utf8()..)?;
    let (digits, unit) = match rest.find('[') {
        Some(at) => (rest.get(..at)?, Some(rest.get(at..)?)),
        None => (rest, None),
    };
    let number = || {
        digits
            .parse::<u32>()
            .ok()
            .filter(|_| !digits.starts_with('+'))
            .map(u64::from)
    };
    let one_of = |sizes: &[u64]| number().filter(|size| sizes.contains(size));
    let (kind, size) = match letter {
        'b' => (DtypeKind::Bool, one_of(&[1])?),
        'i' => (DtypeKind::Int, one_of(&[1, 2, 4, 8])?),
        'u' => (DtypeKind::Uint, one_of(&[1, 2, 4, 8])?),
        'f' => (DtypeKind::Float, one_of(&[2, 4, 8, 12, 16])?),
        'c' => (DtypeKind::Complex, one_of(&[8, 16, 24, 32])?),
        'm' => (DtypeKind::Timedelta, one_of(&[8])?),
        'M' => (DtypeKind::Datetime, one_of(&[8])?),
        'S' | 'a' => (DtypeKind::Bytes, number()?),
        'U' => (DtypeKind::Text, number()?.checked_mul(4)?),
        'V' => (DtypeKind::Void, number()?),
        'O' => (
            DtypeKind::Object,
            if digits.is_empty() { 8 } else { number()? },
        ),
        _ => return None,
    };
    let has_unit = matches!(kind, DtypeKind::Timedelta | DtypeKind::Datetime);
    if unit.is_some_and(|unit| !has_unit || !unit.ends_with(']')) {
        return None;
    }
    let single =
        size == 1 || matches!(kind, DtypeKind::Bytes | DtypeKind::Void | DtypeKind::Object);
    Some((
        kind,
        if single { ByteOrder::Irrelevant } else { order },
        size,
    ))
}

/// Types by name, as NumPy abbreviates them in some places.
fn named(text: &str) -> Option<&'static str> {
    Some(match text {
        "?" | "bool" => "|b1",
        "int8" => "|i1",
        "uint8" => "|u1",
        "int16" => "=i2",
        "uint16" => "=u2",
        "int32" => "=i4",
        "uint32" => "=u4",
        "int64" => "=i8",
        "uint64" => "=u8",
        "float16" => "=f2",
        "float32" => "=f4",
        "float64" => "=f8",
        "complex64" => "=c8",
        "complex128" => "=c16",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
