//! The ids of codecs.

use std::fmt;

/// The compressor code of a codec, as frames store it ([format §1.5](crate::format#1.5),
/// [§7.5](crate::format#7.5)).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Snappy, for chunks of Blosc1 alone:
    /// [`ChunkEncoder::for_blosc1`](crate::ChunkEncoder::for_blosc1).
    #[doc(alias = "BLOSC_SNAPPY")]
    pub const SNAPPY: Self = Self(3);
    /// zlib (RFC 1950).
    #[doc(alias = "BLOSC_ZLIB")]
    pub const ZLIB: Self = Self(4);
    /// Zstandard.
    #[doc(alias = "BLOSC_ZSTD")]
    pub const ZSTD: Self = Self(5);
    /// NDLZ, for arrays of two dimensions and items of one byte. Its meta byte is the side of a
    /// cell, 4 or 8.
    #[doc(alias = "BLOSC_CODEC_NDLZ")]
    pub const NDLZ: Self = Self(32);
    /// ZFP, lossy, for arrays of floats with 1 to 4 dimensions. The meta byte, a signed number, is
    /// the power of ten that errors do not exceed.
    #[doc(alias = "BLOSC_CODEC_ZFP_FIXED_ACCURACY")]
    pub const ZFP_ACC: Self = Self(33);
    /// ZFP with a number of bit planes, the meta byte.
    #[doc(alias = "BLOSC_CODEC_ZFP_FIXED_PRECISION")]
    pub const ZFP_PREC: Self = Self(34);
    /// ZFP with a fixed size, the meta byte in percent.
    #[doc(alias = "BLOSC_CODEC_ZFP_FIXED_RATE")]
    pub const ZFP_RATE: Self = Self(35);

    /// The id with this number, built-in or not.
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

    /// The name of a built-in codec, or of one that C-Blosc2 loads when it meets it.
    #[doc(alias = "blosc2_compcode_to_compname")]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "blosclz",
            1 => "lz4",
            2 => "lz4hc",
            3 => "snappy",
            4 => "zlib",
            5 => "zstd",
            32 => "ndlz",
            33 => "zfp_acc",
            34 => "zfp_prec",
            35 => "zfp_rate",
            36 => "openhtj2k",
            37 => "grok",
            38 => "openzl",
            39 => "j2k",
            40 => "htj2k",
            _ => return None,
        })
    }

    /// The built-in codec with this name, if chunks of Blosc2 can be written with it.
    #[doc(alias = "blosc2_compname_to_compcode")]
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::BLOSCLZ,
            Self::LZ4,
            Self::LZ4HC,
            Self::ZLIB,
            Self::ZSTD,
            Self::NDLZ,
            Self::ZFP_ACC,
            Self::ZFP_PREC,
            Self::ZFP_RATE,
        ]
        .into_iter()
        .find(|id| id.name() == Some(name))
    }

    /// The stream format that the flags of a chunk store for this codec, 0 to 6
    /// ([format §1.5](crate::format#1.5)); `None` for the reserved codes below 32.
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
    /// header, which only counts for format 6. `None` for undefined formats.
    pub(crate) const fn from_compformat(compformat: u8, registered: u8) -> Option<Self> {
        if compformat == 6 {
            return if registered >= 32 {
                Some(Self(registered))
            } else {
                None
            };
        }
        Some(match compformat {
            0 => Self::BLOSCLZ,
            1 => Self::LZ4,
            2 => Self::SNAPPY,
            3 => Self::ZLIB,
            4 => Self::ZSTD,
            _ => return None,
        })
    }
}

/// The name, or the number of one that has none.
///
/// ```
/// use oxiblosc::CodecId;
/// assert_eq!(format!("{:?}", CodecId::ZSTD), "zstd");
/// assert_eq!(format!("{:?}", CodecId::new(200)), "CodecId(200)");
/// ```
impl fmt::Debug for CodecId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "CodecId({})", self.0),
        }
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
