//! The codec `oxiblosc.b2nd_chunk`: a Zarr chunk is a Blosc2 chunk with n-dimensional blocks.

use std::any::Any;
use std::borrow::Cow;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

use oxiblosc::b2nd::{Array, ArrayParams, Grid};
use oxiblosc::schunk::StoredChunk;
use oxiblosc::{CParams, ChunkHeader, ChunkSource, CodecId, FilterId, FilterSlot};
use serde::{Deserialize, Serialize};
use zarrs::array::codec::BytesCodec;
use zarrs::array::codec::api::{
    ArrayCodecTraits, ArrayPartialDecoderTraits, ArrayToBytesCodecTraits,
    BytesPartialDecoderTraits, Codec, CodecError, CodecMetadataOptions, CodecOptions, CodecTraits,
    CodecTraitsV3, PartialDecoderCapability, PartialEncoderCapability, RecommendedConcurrency,
};
#[cfg(feature = "async")]
use zarrs::array::codec::api::{AsyncArrayPartialDecoderTraits, AsyncBytesPartialDecoderTraits};
use zarrs::array::{
    ArrayBytes, ArrayBytesRaw, BytesRepresentation, ChunkShape, DataType, FillValue, Indexer,
};
use zarrs::metadata::v3::MetadataV3;
use zarrs::metadata::{Configuration, ConfigurationSerialize};
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};
use zarrs::storage::StorageError;

use crate::blosc::failed;
#[cfg(feature = "async")]
use crate::fetch::fetch_async;
use crate::fetch::{Fetched, fetch};
use crate::plan;
use crate::tools::{Tools, concurrency, threads};

/// The name of the codec in Zarr.
pub(crate) const NAME: &str = "oxiblosc.b2nd_chunk";
/// The most filters of a chunk.
const MAX_FILTERS: usize = 6;

/// The byte order of the elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Endian {
    /// The least significant byte first.
    #[default]
    Little,
    /// The most significant byte first.
    Big,
}

/// The parameters of [`B2ndChunkCodec`], as Zarr metadata has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct B2ndChunkConfiguration {
    /// The lengths of a block in elements, one per axis, at most those of the chunk.
    pub blocks: Vec<u64>,
    /// The codec of new chunks, by its name in Blosc2; `"zstd"` by default.
    #[serde(default = "default_codec")]
    pub codec: String,
    /// The compression level of new chunks, 0 to 9; 5 by default.
    #[serde(default = "default_clevel")]
    pub clevel: u8,
    /// The filters of new chunks, at most six, in the order of application; `["shuffle"]` by
    /// default.
    #[serde(default = "default_filters")]
    pub filters: Vec<String>,
    /// The meta byte of each filter; zeros by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters_meta: Vec<u8>,
    /// The byte order of the elements.
    #[serde(default)]
    pub endian: Endian,
}

fn default_codec() -> String {
    "zstd".to_owned()
}

fn default_clevel() -> u8 {
    5
}

fn default_filters() -> Vec<String> {
    vec!["shuffle".to_owned()]
}

impl ConfigurationSerialize for B2ndChunkConfiguration {}

impl B2ndChunkConfiguration {
    /// Blocks of these lengths in elements, and the defaults.
    pub fn new(blocks: impl Into<Vec<u64>>) -> Self {
        Self {
            blocks: blocks.into(),
            codec: default_codec(),
            clevel: default_clevel(),
            filters: default_filters(),
            filters_meta: Vec::new(),
            endian: Endian::Little,
        }
    }

    /// The parameters of the library, but for the size of an element.
    fn cparams(&self) -> Result<CParams, PluginCreateError> {
        let refuse = |text: String| PluginCreateError::Other(format!("{NAME}: {text}"));
        let codec = CodecId::from_name(&self.codec)
            .ok_or_else(|| refuse(format!("codec {:?} is not known", self.codec)))?;
        if self.clevel > 9 {
            return Err(refuse(format!("clevel is {}, it is 0 to 9", self.clevel)));
        }
        if self.filters.len() > MAX_FILTERS || self.filters_meta.len() > self.filters.len() {
            let (names, metas) = (self.filters.len(), self.filters_meta.len());
            return Err(refuse(format!(
                "{names} filters and {metas} filters_meta; at most six"
            )));
        }
        let mut slots = Vec::with_capacity(MAX_FILTERS);
        for (n, name) in self.filters.iter().enumerate() {
            let id =
                filter_of(name).ok_or_else(|| refuse(format!("filter {name:?} is not known")))?;
            slots.push(FilterSlot::new(
                id,
                self.filters_meta.get(n).copied().unwrap_or(0),
            ));
        }
        Ok(CParams::new(1)
            .codec(codec)
            .clevel(self.clevel)
            .filters(slots))
    }
}

fn filter_of(name: &str) -> Option<FilterId> {
    if ["nofilter", "none"].contains(&name) {
        return Some(FilterId::NONE);
    }
    (0..=u8::MAX)
        .map(FilterId::new)
        .find(|id| id.name() == Some(name))
}

/// The codec `oxiblosc.b2nd_chunk`, from an array to bytes: a chunk of Zarr is a chunk of Blosc2
/// with n-dimensional blocks, of which a read fetches and decodes those that it touches.
///
/// It stands in the place of `bytes` and of a compressor. The chunks of a `.b2nd` file are chunks
/// of this codec as they lie in the file.
///
/// ```
/// use std::sync::Arc;
/// use zarrs::array::{ArrayBuilder, ArraySubset, data_type};
/// use zarrs::storage::store::MemoryStore;
/// use zarrs_oxiblosc::{B2ndChunkCodec, B2ndChunkConfiguration};
///
/// let codec = B2ndChunkCodec::new(B2ndChunkConfiguration::new([64, 64]))?;
/// let array = ArrayBuilder::new(vec![500, 500], vec![250, 250], data_type::float32(), 0.0_f32)
///     .array_to_bytes_codec(Arc::new(codec))
///     .build(Arc::new(MemoryStore::new()), "/grid")?;
/// let numbers: Vec<f32> = (0..250_000).map(|n| n as f32).collect();
/// array.store_array_subset(&array.subset_all(), &numbers)?;
/// let two: Vec<f32> = array.retrieve_array_subset(&ArraySubset::new_with_ranges(&[3..5, 7..8]))?;
/// assert_eq!(two, [1507.0, 2007.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct B2ndChunkCodec {
    configuration: B2ndChunkConfiguration,
    cparams: CParams,
    tools: Arc<Tools>,
}

impl B2ndChunkCodec {
    /// A codec of these parameters.
    ///
    /// # Errors
    /// For a codec or filter that is not known, more than six filters, and a level above 9.
    pub fn new(configuration: B2ndChunkConfiguration) -> Result<Self, PluginCreateError> {
        Ok(Self {
            cparams: configuration.cparams()?,
            configuration,
            tools: Arc::default(),
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &B2ndChunkConfiguration {
        &self.configuration
    }

    /// The conversion between the memory of zarrs and the byte order of the chunk.
    fn order(&self) -> BytesCodec {
        match self.configuration.endian {
            Endian::Little => BytesCodec::little(),
            Endian::Big => BytesCodec::big(),
        }
    }

    /// The only chunk of an array of this shape.
    fn grid(&self, shape: &[NonZeroU64], data_type: &DataType) -> Result<Grid, CodecError> {
        let typesize = data_type
            .fixed_size()
            .filter(|_| data_type.as_optional().is_none());
        let typesize = typesize.ok_or_else(|| {
            CodecError::Other(format!("{NAME}: elements of no fixed size, {data_type:?}"))
        })?;
        let lens: Vec<u64> = shape.iter().map(|len| len.get()).collect();
        Grid::new(typesize, &lens, &lens, &self.configuration.blocks).map_err(failed)
    }

    /// Refuses a chunk that is cut otherwise than the metadata says.
    fn check(header: &ChunkHeader, grid: &Grid) -> Result<(), CodecError> {
        let wide = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
        let typesize = if grid.typesize() > 255 {
            1
        } else {
            wide(grid.typesize())
        };
        let special = header.nbytes > 0 && header.blocksize > header.nbytes;
        for (offset, name, found, expected) in [
            (3, "typesize", u64::from(header.typesize), typesize),
            (4, "nbytes", header.nbytes.into(), wide(grid.chunksize())),
            (
                8,
                "blocksize",
                header.blocksize.into(),
                wide(grid.blocksize()),
            ),
        ] {
            if found != expected && !(special && offset == 8) {
                return Err(CodecError::Other(format!(
                    "chunk header, offset {offset}: {name} is {found}, expected {expected}",
                )));
            }
        }
        Ok(())
    }

    /// A box of what was fetched.
    fn decode_box(
        &self,
        fetched: &Fetched<'_>,
        grid: &Grid,
        region: &[Range<u64>],
        threads: usize,
    ) -> Result<Vec<u8>, CodecError> {
        let nitems: u64 = region
            .iter()
            .map(|range| range.end.saturating_sub(range.start))
            .product();
        let len = usize::try_from(nitems)
            .unwrap_or(usize::MAX)
            .saturating_mul(grid.typesize());
        let mut dst = vec![0; len.min(grid.chunksize())];
        let decoded = match fetched {
            Fetched::Whole(chunk) => {
                Self::check(&ChunkHeader::parse(chunk).map_err(failed)?, grid)?;
                self.tools.decode(threads, |decoder| {
                    grid.decode_box_into(decoder, chunk, region, &mut dst)
                })
            }
            Fetched::Parts(front, ranges, bytes) => {
                Self::check(front.header(), grid)?;
                let parts = plan::parts(ranges, bytes);
                self.tools.decode(threads, |decoder| {
                    grid.decode_box_parts_into(decoder, front, &parts, region, &mut dst)
                })
            }
        };
        decoded.map_err(failed)?;
        Ok(dst)
    }
}

impl CodecTraitsV3 for B2ndChunkCodec {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let codec = Self::new(metadata.to_typed_configuration()?)?;
        Ok(Codec::ArrayToBytes(Arc::new(codec)))
    }
}

impl ExtensionName for B2ndChunkCodec {
    fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
        matches!(version, ZarrVersion::V3).then_some(Cow::Borrowed(NAME))
    }
}

impl CodecTraits for B2ndChunkCodec {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(
        &self,
        version: ZarrVersion,
        _options: &CodecMetadataOptions,
    ) -> Option<Configuration> {
        matches!(version, ZarrVersion::V3).then(|| self.configuration.clone().into())
    }

    fn partial_decoder_capability(&self) -> PartialDecoderCapability {
        PartialDecoderCapability {
            partial_read: true,
            partial_decode: true,
        }
    }

    fn partial_encoder_capability(&self) -> PartialEncoderCapability {
        PartialEncoderCapability {
            partial_encode: false,
        }
    }
}

impl ArrayCodecTraits for B2ndChunkCodec {
    fn recommended_concurrency(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
    ) -> Result<RecommendedConcurrency, CodecError> {
        let nbytes = self.grid(shape, data_type)?.chunksize();
        Ok(concurrency(u64::try_from(nbytes).unwrap_or(u64::MAX)))
    }

    fn partial_decode_granularity(&self, shape: &[NonZeroU64]) -> ChunkShape {
        let blocks = self.configuration.blocks.iter();
        let lens = blocks
            .zip(shape)
            .map(|(&block, &len)| NonZeroU64::new(block).unwrap_or(len));
        lens.collect()
    }
}

#[cfg_attr(
    all(feature = "async", not(target_arch = "wasm32")),
    async_trait::async_trait
)]
#[cfg_attr(all(feature = "async", target_arch = "wasm32"), async_trait::async_trait(?Send))]
impl ArrayToBytesCodecTraits for B2ndChunkCodec {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToBytesCodecTraits> {
        self
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
        _fill_value: &FillValue,
    ) -> Result<BytesRepresentation, CodecError> {
        let most = oxiblosc::max_chunk_len(self.grid(shape, data_type)?.chunksize());
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        Ok(BytesRepresentation::BoundedSize(most))
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let grid = self.grid(shape, data_type)?;
        let bytes = self
            .order()
            .encode(bytes, shape, data_type, fill_value, options)?;
        let params = || {
            let dtype = format!("|V{}", grid.typesize()).parse()?;
            let budget = threads(options.concurrent_target());
            let mut cparams = self.cparams.clone().threads(budget);
            cparams.typesize = grid.typesize();
            Ok(ArrayParams::with_dtype(dtype, grid.shape())
                .chunkshape(grid.chunkshape())
                .blockshape(grid.blockshape())
                .cparams(cparams))
        };
        let made = params().and_then(|params| Array::from_bytes(&bytes, &params));
        let array = made.map_err(failed)?;
        match array.schunk().chunk(0).map_err(failed)? {
            StoredChunk::Bytes(chunk) => Ok(Cow::Owned(chunk.into_owned())),
            _ => Err(CodecError::Other(format!("{NAME}: a chunk without bytes"))),
        }
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let grid = self.grid(shape, data_type)?;
        let region: Vec<Range<u64>> = grid.shape().iter().map(|&len| 0..len).collect();
        let threads = options.concurrent_target();
        let decoded = self.decode_box(&Fetched::Whole(bytes), &grid, &region, threads)?;
        self.order()
            .decode(Cow::Owned(decoded), shape, data_type, fill_value, options)
    }

    fn partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        Ok(Arc::new(Part {
            grid: self.grid(shape, data_type)?,
            codec: self,
            input,
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
        }))
    }

    #[cfg(feature = "async")]
    async fn async_partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn AsyncBytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn AsyncArrayPartialDecoderTraits>, CodecError> {
        Ok(Arc::new(Part {
            grid: self.grid(shape, data_type)?,
            codec: self,
            input,
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
        }))
    }
}

/// Reads boxes of one chunk.
struct Part<I: ?Sized> {
    codec: Arc<B2ndChunkCodec>,
    input: Arc<I>,
    grid: Grid,
    data_type: DataType,
    fill_value: FillValue,
}

/// A box of a chunk, and what it needs of the decoded bytes.
struct Wanted {
    region: Vec<Range<u64>>,
    bytes: Vec<Range<usize>>,
    /// Whether the selection is the box, and not some elements of the whole chunk.
    is_box: bool,
}

impl<I: ?Sized> Part<I> {
    fn wanted(&self, indexer: &dyn Indexer) -> Result<Wanted, CodecError> {
        let subset = indexer.as_array_subset();
        let region: Vec<Range<u64>> = match &subset {
            Some(subset) => subset.to_ranges(),
            None => self.grid.shape().iter().map(|&len| 0..len).collect(),
        };
        Ok(Wanted {
            bytes: self.grid.bytes_of_box(&region).map_err(failed)?,
            is_box: subset.is_some(),
            region,
        })
    }

    fn first(&self, wanted: &Wanted) -> plan::Next {
        let len = wanted.bytes.len().saturating_mul(self.grid.blocksize());
        plan::first(self.grid.chunksize(), len, self.grid.blocksize())
    }

    /// The elements of a selection, from what was fetched.
    fn decode(
        &self,
        fetched: Option<&Fetched<'_>>,
        wanted: &Wanted,
        indexer: &dyn Indexer,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'static>, CodecError> {
        let (data_type, fill_value) = (&self.data_type, &self.fill_value);
        let Some(fetched) = fetched else {
            return Ok(ArrayBytes::new_fill_value(
                data_type,
                indexer.len(),
                fill_value,
            )?);
        };
        let threads = options.concurrent_target();
        let decoded = self
            .codec
            .decode_box(fetched, &self.grid, &wanted.region, threads)?;
        let lens: Option<Vec<NonZeroU64>> = wanted
            .region
            .iter()
            .map(|range| NonZeroU64::new(range.end.saturating_sub(range.start)))
            .collect();
        // Nothing is in an empty box.
        let Some(lens) = lens else {
            return Ok(ArrayBytes::new_flen(Vec::new()));
        };
        let order = self.codec.order();
        let decoded = order.decode(Cow::Owned(decoded), &lens, data_type, fill_value, options)?;
        if wanted.is_box {
            return Ok(decoded.into_owned());
        }
        let some = decoded.extract_array_subset(indexer, self.grid.shape(), data_type)?;
        Ok(some.into_owned())
    }
}

impl ArrayPartialDecoderTraits for Part<dyn BytesPartialDecoderTraits> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn exists(&self) -> Result<bool, StorageError> {
        self.input.exists()
    }

    fn size_held(&self) -> usize {
        self.input.size_held()
    }

    fn partial_decode(
        &self,
        indexer: &dyn Indexer,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'_>, CodecError> {
        let wanted = self.wanted(indexer)?;
        let fetched = fetch(&*self.input, &wanted.bytes, self.first(&wanted), options)?;
        self.decode(fetched.as_ref(), &wanted, indexer, options)
    }

    fn supports_partial_decode(&self) -> bool {
        true
    }
}

#[cfg(feature = "async")]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
impl AsyncArrayPartialDecoderTraits for Part<dyn AsyncBytesPartialDecoderTraits> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    async fn exists(&self) -> Result<bool, StorageError> {
        self.input.exists().await
    }

    fn size_held(&self) -> usize {
        self.input.size_held()
    }

    async fn partial_decode<'a>(
        &'a self,
        indexer: &dyn Indexer,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let wanted = self.wanted(indexer)?;
        let first = self.first(&wanted);
        let fetched = fetch_async(&*self.input, &wanted.bytes, first, options).await?;
        self.decode(fetched.as_ref(), &wanted, indexer, options)
    }

    fn supports_partial_decode(&self) -> bool {
        true
    }
}
