//! The codec `blosc`: chunks of Blosc1, as every Zarr store has them.

use std::any::Any;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use oxiblosc::{CParams, ChunkHeader, CodecId, FilterSlot};
#[cfg(feature = "async")]
use zarrs::array::codec::api::AsyncBytesPartialDecoderTraits;
use zarrs::array::codec::api::{
    BytesPartialDecoderTraits, BytesToBytesCodecTraits, Codec, CodecError, CodecMetadataOptions,
    CodecOptions, CodecTraits, CodecTraitsV2, CodecTraitsV3, PartialDecoderCapability,
    PartialEncoderCapability, RecommendedConcurrency,
};
use zarrs::array::{ArrayBytesRaw, BytesRepresentation};
use zarrs::metadata::Configuration;
use zarrs::metadata::v2::MetadataV2;
use zarrs::metadata::v3::MetadataV3;
use zarrs::metadata_ext::codec::blosc::{
    BloscCodecConfiguration, BloscCodecConfigurationNumcodecs, BloscCodecConfigurationV1,
    BloscCompressor, BloscShuffleMode, BloscShuffleModeNumcodecs,
};
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};
use zarrs::storage::StorageError;
use zarrs::storage::byte_range::{ByteRangeIterator, InvalidByteRangeError};

#[cfg(feature = "async")]
use crate::fetch::fetch_async;
use crate::fetch::{Fetched, fetch};
use crate::plan;
use crate::tools::{Tools, concurrency};

/// The most bytes that a chunk of Blosc1 has beyond its data.
const OVERHEAD: u64 = 16;

/// The codec `blosc` of Zarr, in the place of the one that zarrs has built in.
///
/// [`install`](crate::install) makes zarrs use it; of itself it is a codec as any other of zarrs:
///
/// ```
/// use std::borrow::Cow;
/// use zarrs::array::{BytesRepresentation, CodecOptions};
/// use zarrs::array::codec::api::BytesToBytesCodecTraits;
/// use zarrs_oxiblosc::BloscCodec;
///
/// let json = r#"{"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4,
///     "blocksize": 0}"#;
/// let codec = BloscCodec::new(&serde_json::from_str(json)?)?;
/// let data: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
/// let options = CodecOptions::default();
/// let chunk = codec.encode(Cow::Borrowed(&data), &options)?;
/// assert!(chunk.len() * 10 < data.len());
/// let size = BytesRepresentation::FixedSize(400_000);
/// assert_eq!(codec.decode(chunk, &size, &options)?, data);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BloscCodec {
    configuration: BloscCodecConfigurationV1,
    /// The name in Zarr v3 metadata.
    name: &'static str,
    cparams: CParams,
    tools: Arc<Tools>,
}

/// The name of the codec in Zarr.
pub(crate) const NAME: &str = "blosc";
/// Its name where zarr-python writes it through numcodecs.
pub(crate) const NAME_NUMCODECS: &str = "numcodecs.blosc";

impl BloscCodec {
    /// A codec of these parameters. A block size of 0 bytes is automatic; items of more than 255
    /// bytes are single bytes to Blosc1.
    ///
    /// Of the parameters of numcodecs, which lack the size of an item, chunks are compressed as
    /// single bytes: data does not compress well, and is read as fast.
    ///
    /// # Errors
    /// When the data is to be shuffled and the size of an item is missing or zero, and for
    /// configurations that are not known.
    pub fn new(configuration: &BloscCodecConfiguration) -> Result<Self, PluginCreateError> {
        match configuration {
            BloscCodecConfiguration::V1(v1) => Self::named(v1.clone(), NAME),
            BloscCodecConfiguration::Numcodecs(v2) => Self::named(v1_of(v2, None), NAME),
            _ => Err(PluginCreateError::Other(
                "an unknown configuration of blosc".to_owned(),
            )),
        }
    }

    fn named(
        configuration: BloscCodecConfigurationV1,
        name: &'static str,
    ) -> Result<Self, PluginCreateError> {
        let filter = match configuration.shuffle {
            BloscShuffleMode::NoShuffle => FilterSlot::NONE,
            BloscShuffleMode::Shuffle => FilterSlot::SHUFFLE,
            BloscShuffleMode::BitShuffle => FilterSlot::BITSHUFFLE,
        };
        let typesize = configuration.typesize.unwrap_or(0);
        if filter != FilterSlot::NONE && typesize == 0 {
            let text = "blosc: shuffle needs a typesize of at least 1";
            return Err(PluginCreateError::Other(text.to_owned()));
        }
        let codec = match configuration.cname {
            BloscCompressor::BloscLZ => CodecId::BLOSCLZ,
            BloscCompressor::LZ4 => CodecId::LZ4,
            BloscCompressor::LZ4HC => CodecId::LZ4HC,
            BloscCompressor::Snappy => CodecId::SNAPPY,
            BloscCompressor::Zlib => CodecId::ZLIB,
            BloscCompressor::Zstd => CodecId::ZSTD,
        };
        let typesize = if (1..=255).contains(&typesize) {
            typesize
        } else {
            1
        };
        let blocksize = Some(configuration.blocksize).filter(|&size| size > 0);
        let cparams = CParams::new(typesize)
            .codec(codec)
            .clevel(configuration.clevel.into())
            .filters([filter])
            .blocksize(blocksize);
        Ok(Self {
            configuration,
            name,
            cparams,
            tools: Arc::default(),
        })
    }

    /// The decoded size that a chunk states, which has to be that of its place in the array.
    fn nbytes_of(chunk: &[u8], expected: &BytesRepresentation) -> Result<usize, CodecError> {
        let header = ChunkHeader::parse(chunk).map_err(failed)?;
        check_nbytes(header.nbytes.into(), expected)
    }

    fn decode_whole(
        &self,
        chunk: &[u8],
        expected: &BytesRepresentation,
        threads: usize,
    ) -> Result<Vec<u8>, CodecError> {
        Self::nbytes_of(chunk, expected)?;
        let done = self.tools.decode(threads, |decoder| decoder.decode(chunk));
        done.map_err(failed)
    }

    /// The wanted ranges of what was fetched.
    fn decode_fetched(
        &self,
        fetched: &Fetched<'_>,
        wanted: &[Range<usize>],
        expected: &BytesRepresentation,
        threads: usize,
    ) -> Result<Vec<ArrayBytesRaw<'static>>, CodecError> {
        let mut all = vec![0; wanted.iter().map(Range::len).sum()];
        let decoded = match fetched {
            Fetched::Whole(chunk) => {
                Self::nbytes_of(chunk, expected)?;
                self.tools.decode(threads, |decoder| {
                    decoder.decode_ranges_into(chunk, wanted, &mut all)
                })
            }
            Fetched::Parts(front, ranges, bytes) => {
                check_nbytes(front.header().nbytes.into(), expected)?;
                let parts = plan::parts(ranges, bytes);
                self.tools.decode(threads, |decoder| {
                    decoder.decode_parts_into(front, &parts, wanted, &mut all)
                })
            }
        };
        decoded.map_err(failed)?;
        if let [_] = wanted {
            return Ok(vec![Cow::Owned(all)]);
        }
        let mut rest = all.as_slice();
        let mut ranges = Vec::with_capacity(wanted.len());
        for range in wanted {
            let (bytes, after) = rest.split_at(range.len());
            ranges.push(Cow::Owned(bytes.to_vec()));
            rest = after;
        }
        Ok(ranges)
    }
}

/// An error of the library as one of zarrs.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn failed(error: oxiblosc::Error) -> CodecError {
    CodecError::Other(error.to_string())
}

/// Refuses a chunk of another decoded size than its place in the array has.
fn check_nbytes(found: u64, expected: &BytesRepresentation) -> Result<usize, CodecError> {
    let wrong = match *expected {
        BytesRepresentation::FixedSize(size) => found != size,
        BytesRepresentation::BoundedSize(most) => found > most,
        BytesRepresentation::UnboundedSize => false,
    };
    match usize::try_from(found) {
        Ok(found) if !wrong => Ok(found),
        _ => Err(CodecError::Other(format!(
            "chunk header, offset 4: nbytes is {found}, the chunk of the array has {expected:?}",
        ))),
    }
}

/// The parameters of numcodecs with the size of an item, where that is known.
pub(crate) fn v1_of(
    v2: &BloscCodecConfigurationNumcodecs,
    typesize: Option<usize>,
) -> BloscCodecConfigurationV1 {
    let shuffle = match (&v2.shuffle, typesize) {
        (_, None) | (BloscShuffleModeNumcodecs::NoShuffle, _) => BloscShuffleMode::NoShuffle,
        (BloscShuffleModeNumcodecs::BitShuffle, _)
        | (BloscShuffleModeNumcodecs::AutoShuffle, Some(1)) => BloscShuffleMode::BitShuffle,
        _ => BloscShuffleMode::Shuffle,
    };
    BloscCodecConfigurationV1 {
        cname: v2.cname,
        clevel: v2.clevel,
        shuffle,
        typesize,
        blocksize: v2.blocksize,
    }
}

/// The size of an item that zarr-python adds to the parameters of numcodecs.
fn typesize_of(configuration: &Configuration) -> Option<usize> {
    let size = configuration.get("typesize")?.as_u64()?;
    usize::try_from(size).ok().filter(|&size| size > 0)
}

impl CodecTraitsV3 for BloscCodec {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let codec = if metadata.name() == NAME_NUMCODECS {
            let v2: BloscCodecConfigurationNumcodecs = metadata.to_typed_configuration()?;
            let typesize = metadata.configuration().and_then(typesize_of);
            Self::named(v1_of(&v2, typesize), NAME_NUMCODECS)?
        } else {
            Self::new(&metadata.to_typed_configuration()?)?
        };
        Ok(Codec::BytesToBytes(Arc::new(codec)))
    }
}

impl CodecTraitsV2 for BloscCodec {
    fn create(metadata: &MetadataV2) -> Result<Codec, PluginCreateError> {
        let codec = Self::new(&metadata.to_typed_configuration()?)?;
        Ok(Codec::BytesToBytes(Arc::new(codec)))
    }
}

impl ExtensionName for BloscCodec {
    fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match version {
            ZarrVersion::V2 => NAME,
            ZarrVersion::V3 => self.name,
        }))
    }
}

impl CodecTraits for BloscCodec {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(
        &self,
        version: ZarrVersion,
        _options: &CodecMetadataOptions,
    ) -> Option<Configuration> {
        if matches!(version, ZarrVersion::V3) && self.name == NAME {
            return Some(BloscCodecConfiguration::V1(self.configuration.clone()).into());
        }
        let shuffle = match self.configuration.shuffle {
            BloscShuffleMode::NoShuffle => BloscShuffleModeNumcodecs::NoShuffle,
            BloscShuffleMode::Shuffle => BloscShuffleModeNumcodecs::Shuffle,
            BloscShuffleMode::BitShuffle => BloscShuffleModeNumcodecs::BitShuffle,
        };
        let numcodecs = BloscCodecConfigurationNumcodecs {
            cname: self.configuration.cname,
            clevel: self.configuration.clevel,
            shuffle,
            blocksize: self.configuration.blocksize,
        };
        let stated: Configuration = BloscCodecConfiguration::Numcodecs(numcodecs).into();
        if let (ZarrVersion::V3, Some(typesize)) = (version, self.configuration.typesize) {
            let mut fields = (*stated).clone();
            fields.insert("typesize".to_owned(), typesize.into());
            return Some(fields.into());
        }
        Some(stated)
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

#[cfg_attr(
    all(feature = "async", not(target_arch = "wasm32")),
    async_trait::async_trait
)]
#[cfg_attr(all(feature = "async", target_arch = "wasm32"), async_trait::async_trait(?Send))]
impl BytesToBytesCodecTraits for BloscCodec {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn BytesToBytesCodecTraits> {
        self
    }

    fn recommended_concurrency(
        &self,
        decoded: &BytesRepresentation,
    ) -> Result<RecommendedConcurrency, CodecError> {
        Ok(concurrency(decoded.size().unwrap_or(0)))
    }

    fn encoded_representation(&self, decoded: &BytesRepresentation) -> BytesRepresentation {
        decoded
            .size()
            .and_then(|size| size.checked_add(OVERHEAD))
            .map_or(
                BytesRepresentation::UnboundedSize,
                BytesRepresentation::BoundedSize,
            )
    }

    fn encode<'a>(
        &self,
        decoded: ArrayBytesRaw<'a>,
        options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let threads = options.concurrent_target();
        let chunk = self.tools.encode(&self.cparams, threads, |encoder| {
            encoder.encode_blosc1(&decoded)
        });
        chunk.map(Cow::Owned).map_err(failed)
    }

    fn decode<'a>(
        &self,
        chunk: ArrayBytesRaw<'a>,
        decoded: &BytesRepresentation,
        options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let threads = options.concurrent_target();
        self.decode_whole(&chunk, decoded, threads).map(Cow::Owned)
    }

    fn partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn BytesPartialDecoderTraits>,
        decoded: &BytesRepresentation,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn BytesPartialDecoderTraits>, CodecError> {
        let decoded = *decoded;
        Ok(Arc::new(Part {
            codec: self,
            input,
            decoded,
        }))
    }

    #[cfg(feature = "async")]
    async fn async_partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn AsyncBytesPartialDecoderTraits>,
        decoded: &BytesRepresentation,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn AsyncBytesPartialDecoderTraits>, CodecError> {
        let decoded = *decoded;
        Ok(Arc::new(Part {
            codec: self,
            input,
            decoded,
        }))
    }
}

/// Reads parts of one chunk.
struct Part<I: ?Sized> {
    codec: Arc<BloscCodec>,
    input: Arc<I>,
    decoded: BytesRepresentation,
}

impl<I: ?Sized> Part<I> {
    /// The decoded size, where it is known before the chunk is read.
    fn nbytes(&self) -> Option<u64> {
        match self.decoded {
            BytesRepresentation::FixedSize(nbytes) => Some(nbytes),
            _ => None,
        }
    }

    fn first(&self, wanted: &[Range<usize>]) -> plan::Next {
        let nbytes = self
            .decoded
            .size()
            .and_then(|size| usize::try_from(size).ok());
        let len = wanted.iter().map(Range::len).sum();
        plan::first(nbytes.unwrap_or(0), len, self.codec.configuration.blocksize)
    }

    /// Ranges of a whole chunk whose size only the chunk states.
    fn of_whole(
        &self,
        chunk: &[u8],
        regions: ByteRangeIterator<'_>,
        threads: usize,
    ) -> Result<Vec<ArrayBytesRaw<'static>>, CodecError> {
        let data = self.codec.decode_whole(chunk, &self.decoded, threads)?;
        let nbytes = u64::try_from(data.len()).unwrap_or(u64::MAX);
        let wanted = resolve(regions, nbytes)?;
        let part = |range: Range<usize>| data.get(range).unwrap_or_default().to_vec();
        Ok(wanted.into_iter().map(part).map(Cow::Owned).collect())
    }
}

/// Ranges of bytes of decoded data.
fn resolve(regions: ByteRangeIterator<'_>, nbytes: u64) -> Result<Vec<Range<usize>>, CodecError> {
    let range = |region: zarrs::storage::byte_range::ByteRange| {
        let range = region.start(nbytes)..region.end(nbytes);
        match (usize::try_from(range.start), usize::try_from(range.end)) {
            (Ok(start), Ok(end)) if range.end <= nbytes && start <= end => Ok(start..end),
            _ => Err(InvalidByteRangeError::new(region, nbytes).into()),
        }
    };
    regions.map(range).collect()
}

impl BytesPartialDecoderTraits for Part<dyn BytesPartialDecoderTraits> {
    fn exists(&self) -> Result<bool, StorageError> {
        self.input.exists()
    }

    fn size_held(&self) -> usize {
        self.input.size_held()
    }

    fn partial_decode_many(
        &self,
        regions: ByteRangeIterator<'_>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'_>>>, CodecError> {
        let threads = options.concurrent_target();
        let Some(nbytes) = self.nbytes() else {
            let chunk = self.input.decode(options)?;
            return chunk
                .map(|chunk| self.of_whole(&chunk, regions, threads))
                .transpose();
        };
        let wanted = resolve(regions, nbytes)?;
        let fetched = fetch(&*self.input, &wanted, self.first(&wanted), options)?;
        let decode = |fetched| {
            self.codec
                .decode_fetched(&fetched, &wanted, &self.decoded, threads)
        };
        fetched.map(decode).transpose()
    }

    fn supports_partial_decode(&self) -> bool {
        true
    }
}

#[cfg(feature = "async")]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
impl AsyncBytesPartialDecoderTraits for Part<dyn AsyncBytesPartialDecoderTraits> {
    async fn exists(&self) -> Result<bool, StorageError> {
        self.input.exists().await
    }

    fn size_held(&self) -> usize {
        self.input.size_held()
    }

    async fn partial_decode_many<'a>(
        &'a self,
        regions: ByteRangeIterator<'a>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'a>>>, CodecError> {
        let threads = options.concurrent_target();
        let Some(nbytes) = self.nbytes() else {
            let chunk = self.input.decode(options).await?;
            return chunk
                .map(|chunk| self.of_whole(&chunk, regions, threads))
                .transpose();
        };
        let wanted = resolve(regions, nbytes)?;
        let fetched = fetch_async(&*self.input, &wanted, self.first(&wanted), options).await?;
        let decode = |fetched| {
            self.codec
                .decode_fetched(&fetched, &wanted, &self.decoded, threads)
        };
        fetched.map(decode).transpose()
    }

    fn supports_partial_decode(&self) -> bool {
        true
    }
}
