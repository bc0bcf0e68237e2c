//! Codecs: the compression of streams of bytes ([format §6](crate::format#6),
//! [§7](crate::format#7)).
//!
//! A codec makes encoders and decoders; each belongs to one worker and is reused from stream to
//! stream, so that tables and contexts are allocated once.

mod blosclz;
pub(crate) mod dict;
pub(crate) mod find;
pub(crate) mod id;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "ndlz")]
mod ndlz;
#[cfg(feature = "zstd")]
mod noise;
mod repeats;
#[cfg(any(feature = "ndlz", feature = "zfp"))]
mod shape;
#[cfg(feature = "snappy")]
mod snappy;
#[cfg(test)]
mod tests;
#[cfg(feature = "zfp")]
mod zfp;
#[cfg(feature = "zlib")]
mod zlib;
#[cfg(feature = "zstd-read")]
mod zstd;
#[cfg(feature = "zstd")]
mod zstd_c;

use std::fmt;

pub use id::CodecId;

use oxiblosc_kernels::Kernels;

use crate::error::BoxError;

/// The parameters with which a codec creates an encoder or a decoder.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct CodecContext<'a> {
    /// The compression level, 0 to 9 (0 when decoding).
    pub clevel: u8,
    /// The codec meta byte of the chunk.
    pub meta: u8,
    /// The stored typesize in bytes, 1 to 255.
    pub typesize: usize,
    /// The length of a whole block in bytes.
    pub blocksize: usize,
    /// The dictionary of the chunk, which every stream is coded with.
    pub dict: Option<&'a [u8]>,
    /// The content of the `b2nd` metalayer, when the chunk belongs to an array.
    pub b2nd: Option<&'a [u8]>,
    /// The kernels of the encoder or decoder.
    pub kernels: Kernels,
    /// Whether BloscLZ looks at samples of all of a stream before its own probe looks at one place.
    pub(crate) sampled: bool,
}

/// A codec. The built-in ones implement it, and users' own do.
///
/// ```
/// use std::sync::Arc;
///
/// use oxiblosc::codec::{Codec, CodecContext, StreamDecoder, StreamEncoder};
/// use oxiblosc::error::BoxError;
/// use oxiblosc::{CParams, ChunkDecoder, CodecId, DParams, Registry, compress};
///
/// /// Streams of one number, counted up: 0, 1, 2, ...
/// #[derive(Debug)]
/// struct Counted;
///
/// impl Codec for Counted {
///     fn id(&self) -> CodecId {
///         CodecId::new(200)
///     }
///     fn name(&self) -> &str {
///         "counted"
///     }
///     fn encoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
///         Ok(Box::new(Self))
///     }
///     fn decoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
///         Ok(Box::new(Self))
///     }
/// }
///
/// impl StreamEncoder for Counted {
///     fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
///         // Anything else is stored raw.
///         let counts = src.iter().zip(0_u8..).all(|(byte, n)| *byte == n);
///         dst[0] = 1;
///         Ok(counts.then_some(1))
///     }
/// }
///
/// impl StreamDecoder for Counted {
///     fn decode(&mut self, _: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
///         dst.iter_mut().zip(0_u8..).for_each(|(byte, n)| *byte = n);
///         Ok(())
///     }
/// }
///
/// let registry = Arc::new(Registry::new().with_codec(Counted)?);
/// let data: Vec<u8> = (0..200).collect();
/// let cparams = CParams::new(1).codec(CodecId::new(200)).filters([]);
/// let chunk = compress(&data, &cparams.registry(Arc::clone(&registry)))?;
/// assert!(chunk.len() < 50);
/// let mut decoder = ChunkDecoder::new(DParams::new().registry(registry));
/// assert_eq!(decoder.decode(&chunk)?, data);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
pub trait Codec: fmt::Debug + Send + Sync + 'static {
    /// The compressor code that chunks store.
    fn id(&self) -> CodecId;

    /// The name, for reports.
    fn name(&self) -> &str;

    /// The version of the stream format, which chunks store. 1 by default.
    fn format_version(&self) -> u8 {
        1
    }

    /// Makes an encoder for one worker.
    ///
    /// # Errors
    /// When the level, meta byte or dictionary does not suit the codec.
    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError>;

    /// Makes a decoder for one worker.
    ///
    /// # Errors
    /// When the meta byte or dictionary does not suit the codec.
    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError>;
}

/// The compressing half of a codec. Its output depends on its parameters and `src` alone, never on
/// earlier streams.
pub trait StreamEncoder: Send {
    /// Compresses `src` into the front of `dst` and returns the length; `None` when it does not
    /// fit or does not compress (the stream is then stored raw).
    ///
    /// # Errors
    /// When the codec itself fails.
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError>;
}

/// The decompressing half of a codec.
pub trait StreamDecoder: Send {
    /// Decompresses `src`, which must fill all of `dst`.
    ///
    /// # Errors
    /// When `src` is damaged, or decodes to another length.
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError>;

    /// Decompresses the stream `src[..csize]`, which must fill the first `len` bytes of `dst`.
    /// Bytes after the stream may be read and bytes of `dst` after the content overwritten, which
    /// lets codecs copy whole vectors. By default, neither happens.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    fn decode_within(
        &mut self,
        src: &[u8],
        csize: usize,
        dst: &mut [u8],
        len: usize,
    ) -> Result<(), BoxError> {
        let src = src
            .get(..csize)
            .ok_or("stream: shorter than its stated size")?;
        let dst = dst
            .get_mut(..len)
            .ok_or("output: shorter than the content")?;
        self.decode(src, dst)
    }

    /// Decompresses `src`, whose whole length is `total`, as far as `dst` reaches. Returns `false`
    /// when the codec cannot stop early; `dst` is then unspecified. False by default.
    ///
    /// # Errors
    /// When `src` is damaged before that point.
    fn decode_prefix(
        &mut self,
        src: &[u8],
        total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        let _ = (src, total, dst);
        Ok(false)
    }

    /// [`decode_prefix`](Self::decode_prefix) with the freedom of
    /// [`decode_within`](Self::decode_within): of the stream `src[..csize]`, whose whole length is
    /// `total`, the first `wanted` bytes go to the front of `dst`; bytes after either may be read
    /// and overwritten. By default, neither happens.
    ///
    /// # Errors
    /// As [`decode_prefix`](Self::decode_prefix).
    fn decode_front(
        &mut self,
        src: &[u8],
        csize: usize,
        dst: &mut [u8],
        (total, wanted): (usize, usize),
    ) -> Result<bool, BoxError> {
        let src = src
            .get(..csize)
            .ok_or("stream: shorter than its stated size")?;
        let dst = dst
            .get_mut(..wanted)
            .ok_or("output: shorter than the content")?;
        self.decode_prefix(src, total, dst)
    }
}

/// Refuses a dictionary, for encoders of codecs that have none. Their decoders ignore one, as
/// C-Blosc2 does.
fn no_dict(cx: &CodecContext<'_>) -> Result<(), BoxError> {
    if cx.dict.is_some() {
        return Err("this codec has no dictionaries".into());
    }
    Ok(())
}

/// Refuses a stream that decodes to another length than it must.
fn filled(produced: usize, needed: usize) -> Result<(), BoxError> {
    if produced == needed {
        return Ok(());
    }
    Err(format!("stream: expected {needed} bytes of content, found {produced}").into())
}
