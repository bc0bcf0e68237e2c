//! Kinds of elements and byte orders.

/// The kind of element.
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
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// `<`
    Little,
    /// `>`
    Big,
    /// `|`: single bytes, or a record whose fields have separate orders.
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
