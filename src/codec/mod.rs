//! Codecs: what turns a stream of bytes into fewer bytes (format §6, §7).
//!
//! A codec makes encoders and decoders; each belongs to one worker and is reused from stream to
//! stream, so that tables and contexts are allocated once.

mod blosclz;
pub(crate) mod dict;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "snappy")]
mod snappy;
#[cfg(test)]
mod tests;
#[cfg(feature = "zlib")]
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

use std::fmt;

use oxiblosc_kernels::Kernels;

use crate::error::BoxError;
use crate::registry::Registry;

/// The compressor code of a codec, as frames store it (format §1.5, §7.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodecId(u8);

impl CodecId {
    /// BloscLZ, always available.
    #[doc(alias = "BLOSC_BLOSCLZ")]
    pub const BLOSCLZ: Self = Self(0);
    /// LZ4 with acceleration.
    #[doc(alias = "BLOSC_LZ4")]
    pub const LZ4: Self = Self(1);
    /// LZ4 HC: the same stream format, searched harder.
    #[doc(alias = "BLOSC_LZ4HC")]
    pub const LZ4HC: Self = Self(2);
    /// Snappy, which only Blosc1 wrote; read only.
    #[doc(alias = "BLOSC_SNAPPY")]
    pub const SNAPPY: Self = Self(3);
    /// zlib (RFC 1950).
    #[doc(alias = "BLOSC_ZLIB")]
    pub const ZLIB: Self = Self(4);
    /// Zstandard.
    #[doc(alias = "BLOSC_ZSTD")]
    pub const ZSTD: Self = Self(5);

    /// The id with this number, whoever defines it.
    pub const fn new(id: u8) -> Self {
        Self(id)
    }

    /// An id of the range 160 to 255, which is free for users.
    pub const fn user(id: u8) -> Option<Self> {
        if id >= 160 { Some(Self(id)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The name of a built-in codec.
    #[doc(alias = "blosc2_compcode_to_compname")]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "blosclz",
            1 => "lz4",
            2 => "lz4hc",
            3 => "snappy",
            4 => "zlib",
            5 => "zstd",
            _ => return None,
        })
    }

    /// The built-in codec with this name.
    #[doc(alias = "blosc2_compname_to_compcode")]
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::BLOSCLZ,
            Self::LZ4,
            Self::LZ4HC,
            Self::ZLIB,
            Self::ZSTD,
        ]
        .into_iter()
        .find(|id| id.name() == Some(name))
    }

    /// The stream format that the flags of a chunk store for this codec, 0 to 6 (format §1.5);
    /// `None` for the reserved codes below 32.
    pub(crate) const fn compformat(self) -> Option<u8> {
        Some(match self.0 {
            0 => 0,
            1 | 2 => 1,
            3 => 2,
            4 => 3,
            5 => 4,
            32.. => 6,
            _ => return None,
        })
    }

    /// The codec that reads a stream format. `registered` is the codec byte of an extended chunk
    /// header, which only counts for format 6. `None` for formats that nobody defines.
    pub(crate) const fn from_compformat(compformat: u8, registered: u8) -> Option<Self> {
        Some(match compformat {
            0 => Self::BLOSCLZ,
            1 => Self::LZ4,
            2 => Self::SNAPPY,
            3 => Self::ZLIB,
            4 => Self::ZSTD,
            6 if registered >= 32 => Self(registered),
            _ => return None,
        })
    }
}

impl fmt::Display for CodecId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} ({name})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// What a codec is told when it makes an encoder or a decoder.
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
}

/// A codec. The built-in ones implement it, and users' own do.
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

/// The compressing half of a codec. What it writes depends on its parameters and `src` alone,
/// never on what it compressed before.
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

    /// Decompresses the stream `src[..csize]`, which must fill the first `len` bytes of `dst`. What is behind
    /// the stream belongs to others and may be read; what is behind the content may be overwritten: that
    /// spares codecs that move whole vectors some care. By default, neither is.
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
        let src = src.get(..csize).ok_or("the stream is not all there")?;
        let dst = dst
            .get_mut(..len)
            .ok_or("there is less room than content")?;
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

    /// [`decode_prefix`](Self::decode_prefix) with the freedom of [`decode_within`](Self::decode_within): of the
    /// stream `src[..csize]`, whose whole length is `total`, the first `wanted` bytes go to the front of `dst`; what
    /// is behind either may be read and overwritten. By default, neither is.
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
        let src = src.get(..csize).ok_or("the stream is not all there")?;
        let dst = dst
            .get_mut(..wanted)
            .ok_or("there is less room than content")?;
        self.decode_prefix(src, total, dst)
    }
}

/// The codec with this id: the user's own, or else a built-in one. `None` for ids nobody knows and
/// for those whose feature is off.
pub(crate) fn find(registry: Option<&Registry>, id: CodecId) -> Option<&dyn Codec> {
    if id.get() >= 32 {
        return registry.and_then(|registry| registry.codec(id));
    }
    Some(match id {
        CodecId::BLOSCLZ => &blosclz::Blosclz,
        #[cfg(feature = "lz4")]
        CodecId::LZ4 => &lz4::Lz4,
        #[cfg(feature = "lz4")]
        CodecId::LZ4HC => &lz4::Lz4hc,
        #[cfg(feature = "snappy")]
        CodecId::SNAPPY => &snappy::Snappy,
        #[cfg(feature = "zlib")]
        CodecId::ZLIB => &zlib::Zlib,
        #[cfg(feature = "zstd")]
        CodecId::ZSTD => &zstd::Zstd,
        _ => return None,
    })
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
    Err(format!("the stream decodes to {produced} bytes, {needed} are needed").into())
}
