//! Values of msgpack: metadata of stores, and the objects of object arrays
//! ([format §17.1](crate::format#17.1)).
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::fmt::{self, Write};

use rmp::Marker;

use crate::error::{Error, Part, Result};
use crate::limits::{self, Limits};
use crate::num::{saturating_usize, to_u64};

/// The deepest nesting of arrays and maps.
const MAX_DEPTH: usize = 128;

/// A msgpack value.
///
/// Its `Display` is JSON, with two additions for bytes: `{"bytes": "00ff"}`, and
/// `{"ext": 42, "bytes": "00ff"}` for an extension; floats that JSON lacks are `NaN` and `inf`.
///
/// ```
/// use oxiblosc::Limits;
/// use oxiblosc::store::Value;
/// let value = Value::decode(b"\x82\xa1a\x01\xa1b\x92\xc3\xc0", &Limits::UNTRUSTED)?;
/// assert_eq!(value.get("a").and_then(Value::as_u64), Some(1));
/// assert_eq!(value.to_string(), r#"{"a": 1, "b": [true, null]}"#);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Nil,
    /// True or false.
    Bool(bool),
    /// A negative integer, or one of a signed form.
    Int(i64),
    /// An integer of an unsigned form.
    Uint(u64),
    /// A float.
    Float(f64),
    /// Text.
    Str(String),
    /// Bytes.
    Bin(Vec<u8>),
    /// Values in order. Tuples of Python begin with the text `__tuple__`.
    Array(Vec<Value>),
    /// Keys and values in order.
    Map(Vec<(Value, Value)>),
    /// An extension: its number, and bytes.
    Ext(i8, Vec<u8>),
}

/// Bytes are not printed, but their number.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut one =
            |name: &str, value: &dyn fmt::Debug| f.debug_tuple(name).field(value).finish();
        match self {
            Self::Nil => f.write_str("Nil"),
            Self::Bool(value) => one("Bool", value),
            Self::Int(value) => one("Int", value),
            Self::Uint(value) => one("Uint", value),
            Self::Float(value) => one("Float", value),
            Self::Str(value) => one("Str", value),
            Self::Array(values) => one("Array", values),
            Self::Map(entries) => one("Map", entries),
            Self::Bin(bytes) => write!(f, "Bin({} bytes)", bytes.len()),
            Self::Ext(kind, bytes) => write!(f, "Ext({kind}, {} bytes)", bytes.len()),
        }
    }
}

impl Value {
    /// Decodes exactly one value.
    ///
    /// # Errors
    /// When the bytes are damaged, end early or go on after the value; when its parts take more
    /// than [`Limits::max_alloc`] bytes together. Offsets count from the start of `bytes`.
    pub fn decode(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let mut reader = Reader {
            bytes,
            at: 0,
            taken: 0,
            limits,
        };
        let value = reader.value(0)?;
        match bytes.len().checked_sub(reader.at) {
            Some(0) => Ok(value),
            _ => Err(reader.broken("bytes follow the value")),
        }
    }

    /// The bytes of the value.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(self, &mut out);
        out
    }

    /// The value of a text key of a map.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else {
            return None;
        };
        let found = entries.iter().find(|(name, _)| name.as_str() == Some(key));
        found.map(|(_, value)| value)
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if it is one and not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match *self {
            Self::Uint(number) => Some(number),
            Self::Int(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// The values of an array, or of a tuple of Python without its first text.
    pub fn as_list(&self) -> Option<&[Self]> {
        let Self::Array(values) = self else {
            return None;
        };
        match values.split_first() {
            Some((first, rest)) if first.as_str() == Some("__tuple__") => Some(rest),
            _ => Some(values),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Str(text.to_owned())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Uint(number)
    }
}

/// Bytes, the next position, and the memory taken so far.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    taken: u64,
    limits: &'a Limits,
}

impl<'a> Reader<'a> {
    fn broken(&self, rule: &'static str) -> Error {
        Error::broken(Part::Value, to_u64(self.at), rule)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..len).ok_or(Error::Truncated {
            part: Part::Value,
            offset: to_u64(self.at),
            needed: to_u64(len),
            available: to_u64(rest.len()),
        })?;
        self.at = self.at.saturating_add(len);
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        Ok(taken.try_into().unwrap_or([0; N]))
    }

    /// Counts memory before it is taken.
    fn account(&mut self, count: usize, size: usize) -> Result<()> {
        let more = to_u64(count).saturating_mul(to_u64(size));
        self.taken = self.taken.saturating_add(more);
        let at = Some(to_u64(self.at));
        limits::check("max_alloc", self.taken, self.limits.max_alloc, at)
    }

    fn text(&mut self, len: usize) -> Result<Value> {
        let bytes = self.take(len)?;
        self.account(len, 1)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Value::Str(text.to_owned())),
            Err(_) => Err(self.broken("text is not UTF-8")),
        }
    }

    fn bin(&mut self, len: usize) -> Result<Vec<u8>> {
        let bytes = self.take(len)?;
        self.account(len, 1)?;
        Ok(bytes.to_vec())
    }

    fn ext(&mut self, len: usize) -> Result<Value> {
        let [kind] = self.number()?;
        Ok(Value::Ext(kind.cast_signed(), self.bin(len)?))
    }

    fn array(&mut self, len: usize, depth: usize) -> Result<Value> {
        self.check_room(len, depth)?;
        self.account(len, size_of::<Value>())?;
        let mut values = Vec::with_capacity(len);
        for _ in 0..len {
            values.push(self.value(depth.saturating_add(1))?);
        }
        Ok(Value::Array(values))
    }

    fn map(&mut self, len: usize, depth: usize) -> Result<Value> {
        self.check_room(len.saturating_mul(2), depth)?;
        self.account(len, size_of::<(Value, Value)>())?;
        let mut entries = Vec::with_capacity(len);
        for _ in 0..len {
            let key = self.value(depth.saturating_add(1))?;
            entries.push((key, self.value(depth.saturating_add(1))?));
        }
        Ok(Value::Map(entries))
    }

    /// Each value takes a byte at least, so no count exceeds the bytes that are left.
    fn check_room(&self, values: usize, depth: usize) -> Result<()> {
        let available = self.bytes.len().saturating_sub(self.at);
        if values > available {
            return Err(Error::Truncated {
                part: Part::Value,
                offset: to_u64(self.at),
                needed: to_u64(values),
                available: to_u64(available),
            });
        }
        if depth >= MAX_DEPTH {
            return Err(self.broken("values are nested deeper than 128"));
        }
        Ok(())
    }

    fn len8(&mut self) -> Result<usize> {
        Ok(usize::from(u8::from_be_bytes(self.number()?)))
    }

    fn len16(&mut self) -> Result<usize> {
        Ok(usize::from(u16::from_be_bytes(self.number()?)))
    }

    fn len32(&mut self) -> Result<usize> {
        Ok(saturating_usize(u32::from_be_bytes(self.number()?)))
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        let [byte] = self.number()?;
        Ok(match Marker::from_u8(byte) {
            Marker::Null => Value::Nil,
            Marker::True => Value::Bool(true),
            Marker::False => Value::Bool(false),
            Marker::FixPos(number) => Value::Uint(number.into()),
            Marker::FixNeg(number) => Value::Int(number.into()),
            Marker::U8 => Value::Uint(u8::from_be_bytes(self.number()?).into()),
            Marker::U16 => Value::Uint(u16::from_be_bytes(self.number()?).into()),
            Marker::U32 => Value::Uint(u32::from_be_bytes(self.number()?).into()),
            Marker::U64 => Value::Uint(u64::from_be_bytes(self.number()?)),
            Marker::I8 => Value::Int(i8::from_be_bytes(self.number()?).into()),
            Marker::I16 => Value::Int(i16::from_be_bytes(self.number()?).into()),
            Marker::I32 => Value::Int(i32::from_be_bytes(self.number()?).into()),
            Marker::I64 => Value::Int(i64::from_be_bytes(self.number()?)),
            Marker::F32 => Value::Float(f32::from_be_bytes(self.number()?).into()),
            Marker::F64 => Value::Float(f64::from_be_bytes(self.number()?)),
            Marker::FixStr(len) => self.text(len.into())?,
            Marker::Str8 => self.len8().and_then(|len| self.text(len))?,
            Marker::Str16 => self.len16().and_then(|len| self.text(len))?,
            Marker::Str32 => self.len32().and_then(|len| self.text(len))?,
            Marker::Bin8 => Value::Bin(self.len8().and_then(|len| self.bin(len))?),
            Marker::Bin16 => Value::Bin(self.len16().and_then(|len| self.bin(len))?),
            Marker::Bin32 => Value::Bin(self.len32().and_then(|len| self.bin(len))?),
            Marker::FixArray(len) => self.array(len.into(), depth)?,
            Marker::Array16 => self.len16().and_then(|len| self.array(len, depth))?,
            Marker::Array32 => self.len32().and_then(|len| self.array(len, depth))?,
            Marker::FixMap(len) => self.map(len.into(), depth)?,
            Marker::Map16 => self.len16().and_then(|len| self.map(len, depth))?,
            Marker::Map32 => self.len32().and_then(|len| self.map(len, depth))?,
            Marker::FixExt1 => self.ext(1)?,
            Marker::FixExt2 => self.ext(2)?,
            Marker::FixExt4 => self.ext(4)?,
            Marker::FixExt8 => self.ext(8)?,
            Marker::FixExt16 => self.ext(16)?,
            Marker::Ext8 => self.len8().and_then(|len| self.ext(len))?,
            Marker::Ext16 => self.len16().and_then(|len| self.ext(len))?,
            Marker::Ext32 => self.len32().and_then(|len| self.ext(len))?,
            Marker::Reserved => return Err(self.broken("a marker is reserved")),
        })
    }
}

/// Appends the shortest form of a value.
fn put(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Nil => out.push(Marker::Null.to_u8()),
        Value::Bool(true) => out.push(Marker::True.to_u8()),
        Value::Bool(false) => out.push(Marker::False.to_u8()),
        Value::Uint(number) => put_uint(*number, out),
        Value::Int(number) => match u64::try_from(*number) {
            Ok(number) => put_uint(number, out),
            Err(_) => {
                out.push(Marker::I64.to_u8());
                out.extend(number.to_be_bytes());
            }
        },
        Value::Float(number) => {
            out.push(Marker::F64.to_u8());
            out.extend(number.to_be_bytes());
        }
        Value::Str(text) => {
            put_len(text.len(), (0xA0, 31), [0xD9, 0xDA, 0xDB], out);
            out.extend_from_slice(text.as_bytes());
        }
        Value::Bin(bytes) => {
            put_len(bytes.len(), (0, 0), [0xC4, 0xC5, 0xC6], out);
            out.extend_from_slice(bytes);
        }
        Value::Array(values) => {
            put_len(values.len(), (0x90, 15), [0, 0xDC, 0xDD], out);
            values.iter().for_each(|value| put(value, out));
        }
        Value::Map(entries) => {
            put_len(entries.len(), (0x80, 15), [0, 0xDE, 0xDF], out);
            for (key, value) in entries {
                put(key, out);
                put(value, out);
            }
        }
        Value::Ext(kind, bytes) => {
            put_len(bytes.len(), (0, 0), [0xC7, 0xC8, 0xC9], out);
            out.push(kind.cast_unsigned());
            out.extend_from_slice(bytes);
        }
    }
}

fn put_uint(number: u64, out: &mut Vec<u8>) {
    match (u8::try_from(number), u32::try_from(number)) {
        (Ok(byte @ ..=0x7F), _) => out.push(byte),
        (_, Ok(number)) => {
            out.push(Marker::U32.to_u8());
            out.extend(number.to_be_bytes());
        }
        _ => {
            out.push(Marker::U64.to_u8());
            out.extend(number.to_be_bytes());
        }
    }
}

/// A length in the marker itself (base, greatest), or after one for 8, 16 and 32 bits; a marker of
/// 0 does not exist.
fn put_len(len: usize, fix: (u8, u8), wide: [u8; 3], out: &mut Vec<u8>) {
    let [m8, m16, m32] = wide;
    match (u8::try_from(len), u16::try_from(len)) {
        (Ok(len), _) if fix.1 > 0 && len <= fix.1 => out.push(fix.0 | len),
        (Ok(len), _) if m8 != 0 => out.extend([m8, len]),
        (_, Ok(len)) => {
            out.push(m16);
            out.extend(len.to_be_bytes());
        }
        _ => {
            out.push(m32);
            out.extend(u32::try_from(len).unwrap_or(u32::MAX).to_be_bytes());
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Uint(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number:?}"),
            Self::Str(text) => quoted(text, f),
            Self::Bin(bytes) => {
                f.write_str("{\"bytes\": \"")?;
                hex(bytes, f)?;
                f.write_str("\"}")
            }
            Self::Ext(kind, bytes) => {
                write!(f, "{{\"ext\": {kind}, \"bytes\": \"")?;
                hex(bytes, f)?;
                f.write_str("\"}")
            }
            Self::Array(values) => {
                f.write_char('[')?;
                for (n, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if n > 0 { ", " } else { "" })?;
                }
                f.write_char(']')
            }
            Self::Map(entries) => {
                f.write_char('{')?;
                for (n, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if n > 0 { ", " } else { "" })?;
                    match key {
                        Self::Str(text) => quoted(text, f)?,
                        key => quoted(&key.to_string(), f)?,
                    }
                    write!(f, ": {value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for char in text.chars() {
        match char {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' => write!(f, "\\u{:04x}", u32::from(char))?,
            char => f.write_char(char)?,
        }
    }
    f.write_char('"')
}

fn hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}
