//! One object of a store.

use super::kind::Kind;
use super::objects::Objects;
use super::recipe;
use super::tensor::Tensor;
use super::value::Value;
use super::zarr::ZarrArray;
use crate::b2nd::Array;
use crate::error::{Error, Result};
use crate::frame::AnyFrame;
use crate::params::DParams;
use crate::schunk::ChunkSource;

/// An array over the chunks of a leaf.
pub type LeafArray = Array<Box<dyn ChunkSource>>;

/// An open object of a store.
#[derive(Debug)]
pub struct Leaf {
    kind: Kind,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Frame(Box<AnyFrame>),
    Zarr(Box<ZarrArray>),
    /// A reference in the map of an embedded store.
    Reference(Value),
}

impl Leaf {
    pub(super) fn of_frame(frame: AnyFrame) -> Result<Self> {
        let kind = Kind::of(&frame)?;
        let body = Body::Frame(Box::new(frame));
        Ok(Self { kind, body })
    }

    pub(super) fn of_zarr(array: ZarrArray) -> Self {
        Self {
            kind: Kind::ZarrArray,
            body: Body::Zarr(Box::new(array)),
        }
    }

    pub(super) fn of_reference(value: Value) -> Self {
        Self {
            kind: Kind::C2Array,
            body: Body::Reference(value),
        }
    }

    /// The kind of the object.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The frame; `None` for Zarr arrays, and for references without one.
    pub fn frame(&self) -> Option<&AnyFrame> {
        match &self.body {
            Body::Frame(frame) => Some(frame),
            _ => None,
        }
    }

    /// The frame, for other uses.
    pub fn into_frame(self) -> Option<AnyFrame> {
        match self.body {
            Body::Frame(frame) => Some(*frame),
            _ => None,
        }
    }

    /// The chunks; `None` for references.
    pub fn chunks(&self) -> Option<&dyn ChunkSource> {
        match &self.body {
            Body::Frame(frame) => Some(&**frame),
            Body::Zarr(array) => Some(&**array),
            Body::Reference(_) => None,
        }
    }

    /// Refuses an object whose chunks are not its data: a recipe, a reference, or a proxy that
    /// lacks chunks.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the kind, and the error of a damaged proxy.
    pub fn check_data(&self) -> Result<()> {
        match self.chunks() {
            Some(source) => recipe::check_data(self.kind, source),
            None => Err(Error::Mismatch {
                what: "object",
                stored: format!("a {}, which has no data of its own", self.kind).into(),
                asked: "data".into(),
            }),
        }
    }

    /// The n-dimensional array: of an array, a Zarr array, or a proxy that has all chunks.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for objects of another kind or without data; as [`Array::open_in_with`].
    pub fn into_array(self, dparams: DParams) -> Result<LeafArray> {
        self.check_data()?;
        if !matches!(self.kind, Kind::Array | Kind::ZarrArray | Kind::Proxy) {
            return Err(Error::Mismatch {
                what: "object",
                stored: self.kind.name().into(),
                asked: "array".into(),
            });
        }
        let source: Box<dyn ChunkSource> = match self.body {
            Body::Frame(frame) => frame,
            Body::Zarr(array) => array,
            Body::Reference(_) => {
                let (what, why) = ("open as an array", "it is a reference");
                return Err(Error::Refused { what, why });
            }
        };
        Array::open_in_with(source, dparams)
    }

    /// The dtype and shape of a packed tensor, whose elements are the bytes of the chunks.
    ///
    /// # Errors
    /// As [`Tensor::of`].
    pub fn tensor(&self) -> Result<Option<Tensor>> {
        match self.kind {
            Kind::Tensor => self.chunks().map_or(Ok(None), Tensor::of),
            _ => Ok(None),
        }
    }

    /// The objects of an object array, a batch array or a list array.
    ///
    /// # Errors
    /// As [`Objects::of`].
    pub fn objects(&self) -> Result<Objects<'_>> {
        match self.chunks() {
            Some(source) => Objects::of(source),
            None => Err(Error::Refused {
                what: "read objects",
                why: "it is a reference",
            }),
        }
    }

    /// The stored recipe of a lazy expression or function, the target of a reference, the source of
    /// a proxy; `None` for other kinds. Nothing is executed or fetched.
    ///
    /// # Errors
    /// When it is damaged, or larger than the limits allow.
    pub fn description(&self) -> Result<Option<Value>> {
        match (&self.body, self.chunks()) {
            (Body::Reference(value), _) => Ok(Some(value.clone())),
            (_, Some(source)) => recipe::description(self.kind, source),
            _ => Ok(None),
        }
    }

    /// The attributes of the object, by name: the vlmetalayers of a frame, or those of a Zarr
    /// array.
    ///
    /// # Errors
    /// When one is damaged, or larger than the limits allow.
    pub fn metadata(&self) -> Result<Vec<(String, Value)>> {
        match &self.body {
            Body::Frame(frame) => frame_metadata(frame),
            Body::Zarr(array) => Ok(array.attributes().to_vec()),
            Body::Reference(_) => Ok(Vec::new()),
        }
    }
}

/// The vlmetalayers of a frame as values; one that is no msgpack is its bytes.
pub(super) fn frame_metadata(frame: &AnyFrame) -> Result<Vec<(String, Value)>> {
    let limits = frame.dparams().limits;
    let names = frame.vlmetalayers().names();
    let value = |name: &str| {
        let content = frame.vlmetalayer(name)?.unwrap_or_default();
        let value = Value::decode(&content, &limits).unwrap_or(Value::Bin(content));
        Ok((name.to_owned(), value))
    };
    names.map(value).collect()
}
