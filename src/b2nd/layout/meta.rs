//! The `b2nd` metalayer: shapes and the dtype in msgpack ([format §11.1](crate::format#11.1)).
//!
//! ```text
//! 97 | version 00 | ndim
//!    | 90+ndim | ndim x (D3 int64 shape)
//!    | 90+ndim | ndim x (D2 int32 chunkshape)
//!    | 90+ndim | ndim x (D2 int32 blockshape)
//!    | dtype_format 00 | DB u32 len | dtype
//! ```
//!
//! Integers are big-endian. With 16 dimensions the three array markers become A0, which msgpack
//! would read as an empty string; readers use `ndim` and skip them. The predecessor named
//! `caterva` begins with 96 or 95 and ends before the dtype.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use crate::error::{Error, Part, Result};
use crate::filter::metalayer::{self, Cursor, INT32, INT64, Shapes};
use crate::num::saturating_i64;

/// The most dimensions that the format allows.
#[doc(alias = "B2ND_MAX_DIM")]
pub const MAX_NDIM: usize = metalayer::MAX_NDIM;

/// The name of the metalayer.
pub const METALAYER: &str = "b2nd";

/// The name of its predecessor, which lacks the dtype.
pub const METALAYER_CATERVA: &str = "caterva";

/// The dtype format number of NumPy strings, the only one in use.
pub const DTYPE_NUMPY: u8 = 0;

const STR32: u8 = 0xDB;

/// The content of a `b2nd` metalayer.
///
/// ```
/// use oxiblosc::b2nd::{B2ndMeta, METALAYER};
///
/// let meta = B2ndMeta::new(&[10, 20], &[5, 20], &[5, 4], "<f8");
/// let bytes = meta.to_bytes()?;
/// assert_eq!(bytes.len(), 53);
/// assert_eq!(B2ndMeta::parse(&bytes)?, meta);
/// # assert_eq!(METALAYER, "b2nd");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "b2nd_print_meta")]
#[doc(alias = "b2nd_serialize_meta")]
#[doc(alias = "b2nd_deserialize_meta")]
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct B2ndMeta {
    /// The length of each axis, in elements.
    pub shape: Vec<u64>,
    /// The length of a chunk along each axis, in elements.
    pub chunkshape: Vec<u64>,
    /// The length of a block along each axis, in elements.
    pub blockshape: Vec<u64>,
    /// The notation of the dtype string; [`DTYPE_NUMPY`].
    pub dtype_format: u8,
    /// The dtype as text; `None` in a `caterva` layer.
    pub dtype: Option<String>,
}

impl B2ndMeta {
    /// A metalayer with a NumPy dtype string. Nothing is checked yet.
    pub fn new(shape: &[u64], chunkshape: &[u64], blockshape: &[u64], dtype: &str) -> Self {
        Self {
            shape: shape.to_vec(),
            chunkshape: chunkshape.to_vec(),
            blockshape: blockshape.to_vec(),
            dtype_format: DTYPE_NUMPY,
            dtype: Some(dtype.to_owned()),
        }
    }

    /// The number of dimensions.
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Reads the content of a `b2nd` or `caterva` metalayer ([format §11.1](crate::format#11.1)).
    ///
    /// The lengths are checked one by one; [`Grid::new`](crate::b2nd::Grid::new) checks their
    /// products. Bytes after the dtype are ignored: a metalayer keeps its length when shorter
    /// content overwrites it.
    ///
    /// # Errors
    /// [`Error::Truncated`] and [`Error::Corrupt`] with the offset within the metalayer.
    pub fn parse(content: &[u8]) -> Result<Self> {
        let (mut cursor, fields) = Cursor::new(content)?;
        let shapes = Shapes::read(&mut cursor)?;
        let ndim = shapes.ndim;
        let shape = shapes.shape.iter().take(ndim).copied().collect();
        let widen = |&len: &u32| u64::from(len);
        let chunkshape = shapes.chunkshape.iter().take(ndim).map(widen).collect();
        let blockshape = shapes.blockshape.iter().take(ndim).map(widen).collect();
        if fields < 0x97 {
            return Ok(Self {
                shape,
                chunkshape,
                blockshape,
                dtype_format: 0,
                dtype: None,
            });
        }
        let at = cursor.offset();
        let dtype_format = cursor.byte()?;
        if dtype_format > 0x7F {
            return Err(Error::out_of_range(
                Part::B2nd,
                at,
                "dtype_format",
                dtype_format,
                0,
                127,
            ));
        }
        let dtype = text(&mut cursor)?;
        Ok(Self {
            shape,
            chunkshape,
            blockshape,
            dtype_format,
            dtype: Some(dtype),
        })
    }

    /// The metalayer as bytes, the same that C-Blosc2 writes. A missing dtype becomes `|u1`, as
    /// in C-Blosc2 ([format §11.1](crate::format#11.1)).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when the shapes differ in their number of dimensions, have more
    /// than [`MAX_NDIM`]; [`Error::InvalidAxisParam`] when a length does not fit its field.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = self.shapes_to_bytes(0x97)?;
        let dtype = self.dtype.as_deref().unwrap_or("|u1");
        let dtype_len = u32::try_from(dtype.len()).map_err(|_| Error::InvalidParam {
            name: "dtype",
            value: i64::MAX,
            expected: "less than 4 GiB of text",
        })?;
        out.extend([self.dtype_format, STR32]);
        out.extend(dtype_len.to_be_bytes());
        out.extend(dtype.as_bytes());
        Ok(out)
    }

    /// The metalayer without its dtype, as the predecessor named `caterva` had it
    /// ([format §11.1](crate::format#11.1)).
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_caterva_bytes(&self) -> Result<Vec<u8>> {
        self.shapes_to_bytes(0x96)
    }

    fn shapes_to_bytes(&self, fields: u8) -> Result<Vec<u8>> {
        let ndim = u8::try_from(self.ndim()).unwrap_or(u8::MAX);
        if self.ndim() > MAX_NDIM {
            return Err(Error::InvalidParam {
                name: "ndim",
                value: ndim.into(),
                expected: "0 to 16 dimensions",
            });
        }
        for (name, len) in [
            ("chunkshape", self.chunkshape.len()),
            ("blockshape", self.blockshape.len()),
        ] {
            if len != self.ndim() {
                return Err(Error::InvalidParam {
                    name,
                    value: saturating_i64(len),
                    expected: "as many lengths as the shape has",
                });
            }
        }
        let list = if ndim < 16 { 0x90 | ndim } else { 0xA0 };
        let mut out = vec![fields, 0, ndim, list];
        for (axis, &len) in self.shape.iter().enumerate() {
            let len = i64::try_from(len).map_err(|_| Error::InvalidAxisParam {
                axis,
                name: "shape",
                value: i64::MAX,
                expected: "a length below 2^63".into(),
            })?;
            out.push(INT64);
            out.extend(len.to_be_bytes());
        }
        for (name, lens) in [
            ("chunkshape", &self.chunkshape),
            ("blockshape", &self.blockshape),
        ] {
            out.push(list);
            for (axis, &len) in lens.iter().enumerate() {
                let len = i32::try_from(len).map_err(|_| Error::InvalidAxisParam {
                    axis,
                    name,
                    value: saturating_i64(len),
                    expected: "a length below 2^31".into(),
                })?;
                out.push(INT32);
                out.extend(len.to_be_bytes());
            }
        }
        Ok(out)
    }
}

/// The dtype. NumPy strings are ASCII; field names of other alphabets come as UTF-8.
fn text(cursor: &mut Cursor<'_>) -> Result<String> {
    cursor.marker("marker of the dtype", STR32)?;
    let at = cursor.offset();
    let len = i32::from_be_bytes(cursor.array()?);
    let len = usize::try_from(len)
        .map_err(|_| Error::out_of_range(Part::B2nd, at, "dtype length", len, 0, i32::MAX))?;
    let at = cursor.offset();
    let text = std::str::from_utf8(cursor.take(len)?)
        .map_err(|_| Error::broken(Part::B2nd, at, "the dtype is not UTF-8 text"))?;
    Ok(text.to_owned())
}
