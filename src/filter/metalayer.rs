//! The shapes in a `b2nd` metalayer, for filters on n-dimensional blocks and for arrays
//! ([format §11.1](crate::format#11.1)).

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use crate::error::{Error, Part, Result};

/// The most dimensions that the format allows.
pub(crate) const MAX_NDIM: usize = 16;

/// The msgpack marker of a 32-bit integer.
pub(crate) const INT32: u8 = 0xD2;
/// The msgpack marker of a 64-bit integer.
pub(crate) const INT64: u8 = 0xD3;

/// The lengths of a metalayer, read into place: filters read them once per block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes {
    /// The number of dimensions; further entries are 0.
    pub(crate) ndim: usize,
    pub(crate) shape: [u64; MAX_NDIM],
    pub(crate) chunkshape: [u32; MAX_NDIM],
    pub(crate) blockshape: [u32; MAX_NDIM],
}

impl Shapes {
    /// Reads the lengths. The cursor then stands after them.
    ///
    /// # Errors
    /// [`Error::Truncated`] and [`Error::Corrupt`] with the offset within the metalayer.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        let _version = cursor.byte()?;
        let ndim = usize::from(cursor.byte()?);
        if ndim > MAX_NDIM {
            return Err(Error::out_of_range(Part::B2nd, 2, "ndim", ndim, 0, 16));
        }
        let mut shapes = Self {
            ndim,
            shape: [0; MAX_NDIM],
            chunkshape: [0; MAX_NDIM],
            blockshape: [0; MAX_NDIM],
        };
        let _list = cursor.byte()?;
        for (len, field) in shapes.shape.iter_mut().zip(SHAPE).take(ndim) {
            *len = cursor.length64(field)?;
        }
        let _list = cursor.byte()?;
        for (len, field) in shapes.chunkshape.iter_mut().zip(CHUNKSHAPE).take(ndim) {
            *len = cursor.length32(field)?;
        }
        let _list = cursor.byte()?;
        for (len, field) in shapes.blockshape.iter_mut().zip(BLOCKSHAPE).take(ndim) {
            *len = cursor.length32(field)?;
        }
        Ok(shapes)
    }
}

/// The names of a length along each axis, and of its marker, in errors.
macro_rules! named {
    ($what:literal: $($axis:literal)*) => {
        [$([
            concat!($what, " of axis ", $axis),
            concat!("marker of the ", $what, " of axis ", $axis),
        ]),*]
    };
}

pub(crate) const SHAPE: [[&str; 2]; MAX_NDIM] =
    named!("shape": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
pub(crate) const CHUNKSHAPE: [[&str; 2]; MAX_NDIM] =
    named!("chunkshape": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
pub(crate) const BLOCKSHAPE: [[&str; 2]; MAX_NDIM] =
    named!("blockshape": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// A position in the metalayer; every read is bounded.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    content: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The cursor after the first byte, and that byte: the number of fields.
    pub(crate) fn new(content: &'a [u8]) -> Result<(Self, u8)> {
        let mut cursor = Self { content, at: 0 };
        let fields = cursor.byte()?;
        if !(0x95..=0x97).contains(&fields) {
            return Err(Error::unequal(Part::B2nd, 0, "array marker", fields, 0x97));
        }
        Ok((cursor, fields))
    }

    pub(crate) fn offset(&self) -> u64 {
        self.at as u64
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let rest = self.content.get(self.at..).unwrap_or_default();
        let Some(taken) = rest.get(..len) else {
            return Err(Error::Truncated {
                part: Part::B2nd,
                offset: self.offset(),
                needed: len as u64,
                available: rest.len() as u64,
            });
        };
        self.at = self.at.saturating_add(len);
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        let mut array = [0; N];
        array.copy_from_slice(taken);
        Ok(array)
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn marker(&mut self, field: &'static str, expected: u8) -> Result<()> {
        let at = self.offset();
        let marker = self.byte()?;
        if marker != expected {
            return Err(Error::unequal(Part::B2nd, at, field, marker, expected));
        }
        Ok(())
    }

    /// One length of the shape.
    fn length64(&mut self, [field, marker]: [&'static str; 2]) -> Result<u64> {
        self.marker(marker, INT64)?;
        let at = self.offset();
        let len = i64::from_be_bytes(self.array()?);
        u64::try_from(len).map_err(|_| Error::out_of_range(Part::B2nd, at, field, len, 0, i64::MAX))
    }

    /// One length of the chunkshape or blockshape.
    fn length32(&mut self, [field, marker]: [&'static str; 2]) -> Result<u32> {
        self.marker(marker, INT32)?;
        let at = self.offset();
        let len = i32::from_be_bytes(self.array()?);
        u32::try_from(len).map_err(|_| Error::out_of_range(Part::B2nd, at, field, len, 0, i32::MAX))
    }
}
