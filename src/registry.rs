//! User-defined codecs and filters as a value: without globals, two libraries in one process cannot
//! conflict over an id.

use std::sync::Arc;

use crate::codec::Codec;
use crate::codec::id::CodecId;
use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::filter::id::FilterId;

/// User-defined codecs and filters, in addition to the built-in ones.
///
/// Hand it to [`CParams::registry`](crate::CParams::registry) and
/// [`DParams::registry`](crate::DParams::registry) inside an `Arc`. Nothing is ever loaded
/// because data names it: a chunk with an id that is not registered is an error.
///
/// ```
/// use std::sync::Arc;
///
/// use oxiblosc::error::BoxError;
/// use oxiblosc::filter::{Filter, FilterContext, FilterId};
/// use oxiblosc::{CParams, ChunkDecoder, DParams, FilterSlot, Registry, compress};
///
/// type Done = Result<(), BoxError>;
///
/// /// All bits turned over.
/// #[derive(Debug)]
/// struct Not;
///
/// impl Filter for Not {
///     fn id(&self) -> FilterId {
///         FilterId::new(200)
///     }
///     fn name(&self) -> &str {
///         "not"
///     }
///     fn forward(&self, _: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Done {
///         dst.iter_mut().zip(src).for_each(|(dst, src)| *dst = !src);
///         Ok(())
///     }
///     fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Done {
///         self.forward(cx, src, dst)
///     }
/// }
///
/// let registry = Arc::new(Registry::new().with_filter(Not)?);
/// let not = FilterSlot::new(FilterId::new(200), 0);
/// let cparams = CParams::new(1).filters([not]).registry(Arc::clone(&registry));
/// let chunk = compress(&[1, 2, 3, 4].repeat(100), &cparams)?;
/// let mut decoder = ChunkDecoder::new(DParams::new().registry(registry));
/// assert_eq!(decoder.decode(&chunk)?, [1, 2, 3, 4].repeat(100));
/// assert!(oxiblosc::decompress(&chunk).is_err());
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "blosc2_register_codec")]
#[doc(alias = "blosc2_register_filter")]
#[derive(Clone, Debug, Default)]
pub struct Registry {
    codecs: Vec<Arc<dyn Codec>>,
    filters: Vec<Arc<dyn Filter>>,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a codec. It takes precedence over a built-in one with the same registered id.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when the id is below 32 (reserved for Blosc) or taken.
    pub fn with_codec(mut self, codec: impl Codec) -> Result<Self> {
        let id = codec.id();
        if id.get() < 32 || self.codec(id).is_some() {
            return Err(Error::InvalidParam {
                name: "codec id",
                value: i64::from(id.get()),
                expected: "an id of 32 or more that is not registered yet",
            });
        }
        self.codecs.push(Arc::new(codec));
        Ok(self)
    }

    /// Adds a filter. It takes precedence over a built-in one with the same registered id.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when the id is below 32 (reserved for Blosc) or taken.
    pub fn with_filter(mut self, filter: impl Filter) -> Result<Self> {
        let id = filter.id();
        if id.get() < 32 || self.filter(id).is_some() {
            return Err(Error::InvalidParam {
                name: "filter id",
                value: i64::from(id.get()),
                expected: "an id of 32 or more that is not registered yet",
            });
        }
        self.filters.push(Arc::new(filter));
        Ok(self)
    }

    /// The user-defined codec with this id.
    pub fn codec(&self, id: CodecId) -> Option<&dyn Codec> {
        self.codecs
            .iter()
            .find(|codec| codec.id() == id)
            .map(|codec| &**codec)
    }

    /// The user-defined filter with this id.
    pub fn filter(&self, id: FilterId) -> Option<&dyn Filter> {
        self.filters
            .iter()
            .find(|filter| filter.id() == id)
            .map(|filter| &**filter)
    }

    /// All user-defined codecs, in the order they were added.
    pub fn codecs(&self) -> impl Iterator<Item = &dyn Codec> {
        self.codecs.iter().map(|codec| &**codec)
    }

    /// All user-defined filters, in the order they were added.
    pub fn filters(&self) -> impl Iterator<Item = &dyn Filter> {
        self.filters.iter().map(|filter| &**filter)
    }
}
