//! Values of types of serde as msgpack, in the forms that python-blosc2 writes and reads
//! ([format §9.4](crate::format#9.4), [§17.1](crate::format#17.1)).
//!
//! ```text
//! tuple      array ["__tuple__", 1, 2]      read as [1, 2]
//! complex    ext 44: two big-endian f64     read as [re, im]
//! set        ext 45: an array               read as the array
//! ndarray    ext 46: a map                  read as {"dtype": {"str": ...}, "shape", "data"}
//! ```
//!
//! Bytes to read are untrusted: they are walked and rewritten to plain msgpack before serde sees
//! them, so that lengths and depth are those of bytes which are there.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use rmp::{Marker, encode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Part, Result};
use crate::num::{saturating_u32, saturating_usize, to_u64};

/// The deepest nesting of arrays and maps.
const MAX_DEPTH: usize = 128;

/// The first item of a tuple of Python, as msgpack.
const TUPLE: &[u8] = b"\xA9__tuple__";

/// Extensions of python-blosc2.
const COMPLEX: u8 = 44;
const SET: u8 = 45;
const NDARRAY: u8 = 46;

/// The value as msgpack: structs are maps, tuples are arrays.
pub(crate) fn encode<V: Serialize + ?Sized>(name: &str, value: &V) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    let mut serializer = rmp_serde::Serializer::new(&mut content)
        .with_struct_map()
        .with_human_readable();
    let written = value.serialize(&mut serializer);
    written.map_err(|error| metadata(name, error.to_string()))?;
    rewrite(&content, true)?;
    Ok(content)
}

/// The value that msgpack holds.
pub(crate) fn decode<V: DeserializeOwned>(name: &str, content: &[u8]) -> Result<V> {
    let plain = rewrite(content, false)?;
    let mut deserializer = rmp_serde::Deserializer::from_read_ref(&plain).with_human_readable();
    V::deserialize(&mut deserializer).map_err(|error| {
        let wanted = std::any::type_name::<V>();
        metadata(name, format!("expected a value of type {wanted}: {error}"))
    })
}

fn metadata(name: &str, why: String) -> Error {
    Error::Metadata {
        name: name.into(),
        why: why.into(),
    }
}

/// Checks that bytes are one value, and returns it without the forms of Python. With `for_python`
/// the keys of maps must be such as python-blosc2 reads.
fn rewrite(bytes: &[u8], for_python: bool) -> Result<Vec<u8>> {
    let mut walk = Walk {
        bytes,
        at: 0,
        base: 0,
        out: Vec::with_capacity(bytes.len()),
        for_python,
    };
    walk.only_value(0)?;
    Ok(walk.out)
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The offset of `bytes` in the whole content.
    base: usize,
    out: Vec<u8>,
    for_python: bool,
}

impl<'a> Walk<'a> {
    fn offset(&self) -> u64 {
        to_u64(self.base.saturating_add(self.at))
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn truncated(&self, needed: usize) -> Error {
        Error::Truncated {
            part: Part::Value,
            offset: self.offset(),
            needed: to_u64(needed),
            available: to_u64(self.rest().len()),
        }
    }

    fn broken(&self, rule: &'static str) -> Error {
        Error::broken(Part::Value, self.offset(), rule)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let taken = self.rest().get(..len).ok_or_else(|| self.truncated(len))?;
        self.at = self.at.saturating_add(len);
        Ok(taken)
    }

    /// A big-endian number of `N` bytes.
    fn number<const N: usize>(&mut self) -> Result<usize> {
        let number = self.take(N)?.iter();
        let number = number.fold(0_u32, |number, &byte| number << 8 | u32::from(byte));
        Ok(saturating_usize(number))
    }

    fn only_value(&mut self, depth: usize) -> Result<()> {
        self.value(depth)?;
        match self.rest() {
            [] => Ok(()),
            _ => Err(self.broken("bytes follow the value")),
        }
    }

    /// Copies `len` bytes that follow the marker.
    fn copy(&mut self, len: usize) -> Result<()> {
        let start = self.at.saturating_sub(1);
        self.take(len)?;
        self.out
            .extend(self.bytes.get(start..self.at).unwrap_or_default());
        Ok(())
    }

    /// Copies a text or bytes, whose length has `N` bytes after the marker.
    fn copy_sized<const N: usize>(&mut self) -> Result<()> {
        let start = self.at;
        let len = self.number::<N>()?;
        self.at = start;
        self.copy(len.saturating_add(N))
    }

    fn value(&mut self, depth: usize) -> Result<()> {
        let marker = self.take(1)?.first().copied().unwrap_or_default();
        match Marker::from_u8(marker) {
            Marker::Null | Marker::True | Marker::False | Marker::FixPos(_) | Marker::FixNeg(_) => {
                self.copy(0)
            }
            Marker::U8 | Marker::I8 => self.copy(1),
            Marker::U16 | Marker::I16 => self.copy(2),
            Marker::U32 | Marker::I32 | Marker::F32 => self.copy(4),
            Marker::U64 | Marker::I64 | Marker::F64 => self.copy(8),
            Marker::FixStr(len) => self.copy(len.into()),
            Marker::Str8 | Marker::Bin8 => self.copy_sized::<1>(),
            Marker::Str16 | Marker::Bin16 => self.copy_sized::<2>(),
            Marker::Str32 | Marker::Bin32 => self.copy_sized::<4>(),
            Marker::FixArray(len) => self.array(len.into(), depth),
            Marker::Array16 => self.number::<2>().and_then(|len| self.array(len, depth)),
            Marker::Array32 => self.number::<4>().and_then(|len| self.array(len, depth)),
            Marker::FixMap(len) => self.map(len.into(), depth),
            Marker::Map16 => self.number::<2>().and_then(|len| self.map(len, depth)),
            Marker::Map32 => self.number::<4>().and_then(|len| self.map(len, depth)),
            Marker::FixExt1 => self.ext(1, depth),
            Marker::FixExt2 => self.ext(2, depth),
            Marker::FixExt4 => self.ext(4, depth),
            Marker::FixExt8 => self.ext(8, depth),
            Marker::FixExt16 => self.ext(16, depth),
            Marker::Ext8 => self.number::<1>().and_then(|len| self.ext(len, depth)),
            Marker::Ext16 => self.number::<2>().and_then(|len| self.ext(len, depth)),
            Marker::Ext32 => self.number::<4>().and_then(|len| self.ext(len, depth)),
            Marker::Reserved => Err(self.broken("a marker is reserved")),
        }
    }

    /// Each value takes a byte at least, so no count exceeds the bytes that are left.
    fn check_room(&self, values: usize, depth: usize) -> Result<()> {
        if values > self.rest().len() {
            return Err(self.truncated(values));
        }
        if depth >= MAX_DEPTH {
            return Err(self.broken("values are nested deeper than 128"));
        }
        Ok(())
    }

    fn array(&mut self, mut len: usize, depth: usize) -> Result<()> {
        self.check_room(len, depth)?;
        if len > 0 && self.rest().starts_with(TUPLE) && !self.for_python {
            self.take(TUPLE.len())?;
            len = len.saturating_sub(1);
        }
        encode::write_array_len(&mut self.out, saturating_u32(len)).map_err(unwritten)?;
        for _ in 0..len {
            self.value(depth.saturating_add(1))?;
        }
        Ok(())
    }

    fn map(&mut self, len: usize, depth: usize) -> Result<()> {
        self.check_room(len.saturating_mul(2), depth)?;
        encode::write_map_len(&mut self.out, saturating_u32(len)).map_err(unwritten)?;
        for _ in 0..len {
            if self.for_python && !self.is_text() {
                return Err(Error::Refused {
                    what: "set the vlmetalayer",
                    why: "python-blosc2 reads no maps with other keys than texts",
                });
            }
            self.value(depth.saturating_add(1))?;
            self.value(depth.saturating_add(1))?;
        }
        Ok(())
    }

    /// Whether the next value is a text.
    fn is_text(&self) -> bool {
        matches!(self.rest().first(), Some(0xA0..=0xBF | 0xD9..=0xDB))
    }

    fn ext(&mut self, len: usize, depth: usize) -> Result<()> {
        let kind = self.take(1)?.first().copied().unwrap_or_default();
        let base = self.base.saturating_add(self.at);
        let content = self.take(len)?;
        match (kind, content.as_chunks::<8>()) {
            (COMPLEX, ([re, im], [])) => {
                encode::write_array_len(&mut self.out, 2).map_err(unwritten)?;
                for part in [re, im] {
                    encode::write_f64(&mut self.out, f64::from_be_bytes(*part))
                        .map_err(unwritten)?;
                }
                Ok(())
            }
            (SET | NDARRAY, _) => {
                self.check_room(0, depth)?;
                let mut inner = Walk {
                    bytes: content,
                    at: 0,
                    base,
                    out: std::mem::take(&mut self.out),
                    for_python: self.for_python,
                };
                let walked = inner.only_value(depth.saturating_add(1));
                self.out = inner.out;
                walked
            }
            _ => {
                let kind = kind.cast_signed();
                encode::write_ext_meta(&mut self.out, saturating_u32(len), kind)
                    .map_err(unwritten)?;
                self.out.extend_from_slice(content);
                Ok(())
            }
        }
    }
}

/// The error of writing to memory, which does not fail.
fn unwritten<E>(_: E) -> Error {
    Error::refused("encode a value", "memory cannot be written")
}
