//! The few msgpack forms that frames use, each at its full width.
//!
//! msgpack offers several widths for a number and asks writers for the shortest. A frame wants
//! fields at fixed places, so it always takes the wide ones: `d2` + 4 bytes for an int32 even
//! when the number is 7. Numbers are big-endian.

use rmp::Marker;
use rmp::decode::{self, RmpRead, ValueReadError};

use crate::error::{Error, Part, Result};

/// Writing: each method appends a marker byte and the big-endian number after it.
pub(crate) trait Put {
    fn put_marker(&mut self, marker: Marker);
    fn put_bytes(&mut self, bytes: &[u8]);

    fn put_u8(&mut self, byte: u8) {
        self.put_bytes(&[byte]);
    }

    fn put_bool(&mut self, value: bool) {
        self.put_marker(if value { Marker::True } else { Marker::False });
    }

    fn put_i16(&mut self, value: i16) {
        self.put_marker(Marker::I16);
        self.put_bytes(&value.to_be_bytes());
    }

    fn put_i32(&mut self, value: i32) {
        self.put_marker(Marker::I32);
        self.put_bytes(&value.to_be_bytes());
    }

    fn put_i64(&mut self, value: i64) {
        self.put_marker(Marker::I64);
        self.put_bytes(&value.to_be_bytes());
    }

    fn put_u16(&mut self, value: u16) {
        self.put_marker(Marker::U16);
        self.put_bytes(&value.to_be_bytes());
    }

    fn put_u32(&mut self, value: u32) {
        self.put_marker(Marker::U32);
        self.put_bytes(&value.to_be_bytes());
    }

    fn put_u64(&mut self, value: u64) {
        self.put_marker(Marker::U64);
        self.put_bytes(&value.to_be_bytes());
    }

    fn put_map16(&mut self, entries: u16) {
        self.put_marker(Marker::Map16);
        self.put_bytes(&entries.to_be_bytes());
    }

    fn put_array16(&mut self, elements: u16) {
        self.put_marker(Marker::Array16);
        self.put_bytes(&elements.to_be_bytes());
    }

    fn put_bin32(&mut self, len: u32) {
        self.put_marker(Marker::Bin32);
        self.put_bytes(&len.to_be_bytes());
    }
}

impl Put for Vec<u8> {
    fn put_marker(&mut self, marker: Marker) {
        self.push(marker.to_u8());
    }

    fn put_bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Reading: a cursor that names the part and the byte offset of everything it refuses.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The offset of `bytes` in what the caller handed in.
    base: u64,
    part: Part,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(part: Part, bytes: &'a [u8], base: u64) -> Self {
        Self {
            bytes,
            at: 0,
            base,
            part,
        }
    }

    /// The same bytes, read from another position on.
    pub(crate) fn at(&self, at: usize) -> Self {
        Self { at, ..self.clone() }
    }

    /// The position within the bytes.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The bytes that were not read yet.
    pub(crate) fn left(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The offset of the next byte in what the caller handed in.
    pub(crate) fn offset(&self) -> u64 {
        self.base.saturating_add(self.at as u64)
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn truncated(&self, needed: usize) -> Error {
        Error::Truncated {
            part: self.part,
            offset: self.offset(),
            needed: needed as u64,
            available: self.rest().len() as u64,
        }
    }

    /// The next `n` bytes as they are.
    pub(crate) fn bytes(&mut self, n: usize) -> Result<&'a [u8]> {
        let bytes = self.rest().get(..n).ok_or_else(|| self.truncated(n))?;
        self.at = self.at.saturating_add(n);
        Ok(bytes)
    }

    /// The next byte as it is.
    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(self.bytes(1)?.first().copied().unwrap_or_default())
    }

    /// A marker that has to be there.
    pub(crate) fn marker(&mut self, field: &'static str, expected: Marker) -> Result<()> {
        let offset = self.offset();
        let found = self.u8()?;
        if found != expected.to_u8() {
            return Err(Error::unequal(
                self.part,
                offset,
                field,
                found,
                expected.to_u8(),
            ));
        }
        Ok(())
    }

    fn number<T>(
        &mut self,
        field: &'static str,
        marker: Marker,
        read: impl FnOnce(&mut &'a [u8]) -> Result<T, ValueReadError<<&'a [u8] as RmpRead>::Error>>,
    ) -> Result<T> {
        let before = self.rest();
        let mut rest = before;
        match read(&mut rest) {
            Ok(value) => {
                self.at = self
                    .at
                    .saturating_add(before.len().saturating_sub(rest.len()));
                Ok(value)
            }
            Err(ValueReadError::TypeMismatch(found)) => Err(Error::unequal(
                self.part,
                self.offset(),
                field,
                found.to_u8(),
                marker.to_u8(),
            )),
            Err(_) => Err(self.truncated(width(marker))),
        }
    }

    pub(crate) fn i16(&mut self, field: &'static str) -> Result<i16> {
        self.number(field, Marker::I16, decode::read_i16)
    }

    pub(crate) fn i32(&mut self, field: &'static str) -> Result<i32> {
        self.number(field, Marker::I32, decode::read_i32)
    }

    pub(crate) fn i64(&mut self, field: &'static str) -> Result<i64> {
        self.number(field, Marker::I64, decode::read_i64)
    }

    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16> {
        self.number(field, Marker::U16, decode::read_u16)
    }

    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32> {
        self.number(field, Marker::U32, decode::read_u32)
    }

    pub(crate) fn u64(&mut self, field: &'static str) -> Result<u64> {
        self.number(field, Marker::U64, decode::read_u64)
    }

    pub(crate) fn bool(&mut self, field: &'static str) -> Result<bool> {
        self.number(field, Marker::False, decode::read_bool)
    }

    /// A marker followed by 16 bits that count entries.
    pub(crate) fn count16(&mut self, field: &'static str, marker: Marker) -> Result<u16> {
        self.marker(field, marker)?;
        let bytes = self.bytes(2)?;
        Ok(bytes.try_into().map(u16::from_be_bytes).unwrap_or_default())
    }

    /// The length of a byte string in its 32-bit form.
    pub(crate) fn bin32(&mut self, field: &'static str) -> Result<u32> {
        self.marker(field, Marker::Bin32)?;
        let bytes = self.bytes(4)?;
        Ok(bytes.try_into().map(u32::from_be_bytes).unwrap_or_default())
    }

    /// A string of at most 31 bytes.
    pub(crate) fn short_str(&mut self, field: &'static str) -> Result<&'a str> {
        let offset = self.offset();
        let found = self.u8()?;
        let Marker::FixStr(len) = Marker::from_u8(found) else {
            return Err(Error::out_of_range(
                self.part, offset, field, found, 0xA0, 0xBF,
            ));
        };
        let bytes = self.bytes(usize::from(len))?;
        std::str::from_utf8(bytes)
            .map_err(|_| Error::broken(self.part, offset, "a metalayer name is not UTF-8"))
    }
}

/// The bytes that a number takes with its marker.
fn width(marker: Marker) -> usize {
    match marker {
        Marker::I16 | Marker::U16 => 3,
        Marker::I32 | Marker::U32 => 5,
        Marker::I64 | Marker::U64 => 9,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_keep_their_width() {
        let mut out = Vec::new();
        out.put_i32(7);
        out.put_u64(1);
        out.put_bin32(0);
        out.put_bool(true);
        assert_eq!(
            out,
            [
                0xD2, 0, 0, 0, 7, 0xCF, 0, 0, 0, 0, 0, 0, 0, 1, 0xC6, 0, 0, 0, 0, 0xC3
            ]
        );
    }

    #[test]
    fn wrong_marker_and_early_end_are_named() {
        let mut fields = Fields::new(Part::FrameHeader, &[0xD3, 0, 0], 100);
        let error = fields.i32("chunksize").unwrap_err();
        assert_eq!(
            error.to_string(),
            "frame header: chunksize is 211, expected 210, at offset 100"
        );
        let error = fields.i64("nbytes").unwrap_err();
        assert_eq!(
            error.to_string(),
            "frame header: need 9 bytes at offset 100, found 3"
        );
    }
}
