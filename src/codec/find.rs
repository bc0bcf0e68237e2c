//! From the id of a codec to the codec.

use super::Codec;
use super::id::CodecId;
use crate::registry::Registry;

/// The codec with this id: the user's own, or else a built-in one. `None` for unknown ids and
/// for those whose feature is off.
#[inline]
pub(crate) fn find(registry: Option<&Registry>, id: CodecId) -> Option<&dyn Codec> {
    /// Most chunks name one of these, and a table is faster than a jump.
    static FIRST: [Option<&'static dyn Codec>; 6] = [
        built_in(CodecId::new(0)),
        built_in(CodecId::new(1)),
        built_in(CodecId::new(2)),
        built_in(CodecId::new(3)),
        built_in(CodecId::new(4)),
        built_in(CodecId::new(5)),
    ];
    match FIRST.get(usize::from(id.get())) {
        Some(codec) => *codec,
        None => find_other(registry, id),
    }
}

/// [`find`] of an id that is not among the first.
#[inline(never)]
fn find_other(registry: Option<&Registry>, id: CodecId) -> Option<&dyn Codec> {
    if id.get() >= 32
        && let Some(codec) = registry.and_then(|registry| registry.codec(id))
    {
        return Some(codec);
    }
    built_in(id)
}

/// The built-in codec with this id.
const fn built_in(id: CodecId) -> Option<&'static dyn Codec> {
    Some(match id {
        CodecId::BLOSCLZ => &super::blosclz::Blosclz,
        #[cfg(feature = "lz4")]
        CodecId::LZ4 => &super::lz4::Lz4,
        #[cfg(feature = "lz4")]
        CodecId::LZ4HC => &super::lz4::Lz4hc,
        #[cfg(feature = "snappy")]
        CodecId::SNAPPY => &super::snappy::Snappy,
        #[cfg(feature = "zlib")]
        CodecId::ZLIB => &super::zlib::Zlib,
        #[cfg(feature = "zstd-read")]
        CodecId::ZSTD => &super::zstd::Zstd,
        #[cfg(feature = "ndlz")]
        CodecId::NDLZ => &super::ndlz::Ndlz,
        #[cfg(feature = "zfp")]
        CodecId::ZFP_ACC => &super::zfp::Zfp::Accuracy,
        #[cfg(feature = "zfp")]
        CodecId::ZFP_PREC => &super::zfp::Zfp::Precision,
        #[cfg(feature = "zfp")]
        CodecId::ZFP_RATE => &super::zfp::Zfp::Rate,
        _ => return None,
    })
}
