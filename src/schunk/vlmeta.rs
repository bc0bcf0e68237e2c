//! Variable-length metalayers as values of types of serde ([format §9.4](crate::format#9.4)).

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::msgpack;
use super::sink::ChunkSink;
use super::source::ChunkSource;
use crate::error::Result;

/// The variable-length metalayers of a super-chunk or array as values: metadata by name.
///
/// They are the `vlmeta` of python-blosc2, in msgpack, so that values written here are read there
/// and the other way round:
///
/// | Rust | Python |
/// |---|---|
/// | integers, floats, `bool`, texts, `Option` | `int`, `float`, `bool`, `str`, `None` |
/// | `Vec<T>`, tuples | `list`; `tuple` and `set` are read, too |
/// | structs, maps with text keys | `dict` |
/// | bytes by `serde_bytes` | `bytes` |
/// | `[f64; 2]` or `num_complex::Complex`, read only | `complex` |
/// | a struct with `dtype`, `shape` and `data`, read only | `numpy.ndarray` |
///
/// Scalars of NumPy are written by python-blosc2 as numbers of Python.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
///
/// let mut array = Array::zeros(&ArrayParams::new::<f32>([10, 10]))?;
/// array.vlmeta_mut().set("unit", "kelvin")?;
/// array.vlmeta_mut().set("limits", &(180.0, 320.5))?;
/// assert_eq!(array.vlmeta().get::<String>("unit")?.as_deref(), Some("kelvin"));
/// assert_eq!(array.vlmeta().get::<(f64, f64)>("limits")?, Some((180.0, 320.5)));
/// assert_eq!(array.vlmeta().get::<String>("author")?, None);
/// assert_eq!(array.vlmeta().names(), ["unit", "limits"]);
///
/// let error = array.vlmeta().get::<f64>("unit").unwrap_err();
/// assert!(error.to_string().starts_with("metadata unit: expected a value of type f64: "));
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// Values are stored as bytes of [`VlMetalayers`](crate::schunk::VlMetalayers), where other bytes
/// than msgpack can be kept.
#[doc(alias = "schunk.vlmeta")]
#[derive(Debug)]
pub struct VlMeta<'a, S: ?Sized>(&'a S);

impl<'a, S: ChunkSource + ?Sized> VlMeta<'a, S> {
    /// The metadata of a super-chunk, a frame or any other source.
    ///
    /// ```
    /// use oxiblosc::schunk::{VlMeta, VlMetaMut};
    /// use oxiblosc::{CParams, SChunk};
    ///
    /// let mut schunk = SChunk::new(CParams::new(1), 1000)?;
    /// VlMetaMut::new(&mut schunk).set("made by", "hand")?;
    /// let by: Option<String> = VlMeta::new(&schunk).get("made by")?;
    /// assert_eq!(by.as_deref(), Some("hand"));
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn new(source: &'a S) -> Self {
        Self(source)
    }

    /// The value with this name; `None` when there is none.
    ///
    /// # Errors
    /// [`Error::Metadata`](crate::Error::Metadata) when it is no `V`; when its chunk or its msgpack
    /// is damaged, it is nested deeper than 128 values, or larger than
    /// [`Limits::max_vlmetalayer_nbytes`](crate::Limits::max_vlmetalayer_nbytes).
    pub fn get<V: DeserializeOwned>(&self, name: &str) -> Result<Option<V>> {
        match self.0.vlmetalayer(name)? {
            Some(content) => msgpack::decode(name, &content).map(Some),
            None => Ok(None),
        }
    }

    /// The names, in the order in which they were added.
    pub fn names(&self) -> Vec<String> {
        self.0.vlmetalayer_names()
    }

    /// Whether there is a value with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.names().iter().any(|other| other == name)
    }

    /// Names and values, in the order in which they were added. Values of several types share one
    /// such as `serde_json::Value`.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let mut array = Array::zeros(&ArrayParams::new::<f32>([10]))?;
    /// array.vlmeta_mut().set("low", &180)?;
    /// array.vlmeta_mut().set("high", &320)?;
    /// let all: Vec<(String, i32)> = array.vlmeta().iter().collect::<oxiblosc::Result<_>>()?;
    /// assert_eq!(all, [("low".to_owned(), 180), ("high".to_owned(), 320)]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// Items are errors as those of [`get`](Self::get).
    pub fn iter<V: DeserializeOwned>(&self) -> impl Iterator<Item = Result<(String, V)>> + 'a {
        let source = self.0;
        source.vlmetalayer_names().into_iter().map(move |name| {
            let content = source.vlmetalayer(&name)?.unwrap_or_default();
            let value = msgpack::decode(&name, &content)?;
            Ok((name, value))
        })
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.names().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The variable-length metalayers of a super-chunk or array, to be changed; see [`VlMeta`].
#[derive(Debug)]
pub struct VlMetaMut<'a, S: ?Sized>(&'a mut S);

impl<'a, S: ChunkSink + ?Sized> VlMetaMut<'a, S> {
    /// The metadata of a super-chunk, a frame or any other sink.
    pub fn new(sink: &'a mut S) -> Self {
        Self(sink)
    }

    /// Adds a value, or replaces the one with this name. Of a file it is part of the next commit.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Sensor {
    ///     id: u32,
    ///     place: String,
    /// }
    ///
    /// let mut array = Array::zeros(&ArrayParams::new::<f32>([10]))?;
    /// let sensor = Sensor { id: 7, place: "roof".to_owned() };
    /// array.vlmeta_mut().set("sensor", &sensor)?; // {'id': 7, 'place': 'roof'} in Python
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) for a name that is no name of a metalayer, too
    /// many of them, and maps with other keys than texts, which python-blosc2 does not read;
    /// [`Error::Metadata`](crate::Error::Metadata) when the value cannot be serialized; when it is
    /// nested deeper than 128 values, or the storage fails.
    pub fn set<V: Serialize + ?Sized>(&mut self, name: &str, value: &V) -> Result<()> {
        let content = msgpack::encode(name, value)?;
        self.0.set_vlmetalayer(name, &content)
    }

    /// Removes a value; false when there is none with this name.
    ///
    /// # Errors
    /// When the storage fails.
    pub fn remove(&mut self, name: &str) -> Result<bool> {
        self.0.remove_vlmetalayer(name)
    }
}
