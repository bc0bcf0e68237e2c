//! Zstandard ([format §7.1](crate::format#7.1), [§7.3](crate::format#7.3)): written by libzstd,
//! whole streams read by libzstd, too, and by our own decoder, [`zstd`](oxiblosc_kernels::zstd), in
//! builds without C, because it is slower than libzstd on most streams. The front of a stream is
//! always read by our own, which stops as soon as it is there.

use oxiblosc_kernels::zstd::Zstd as Own;

use super::dict::refused;
use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, filled};
use crate::error::BoxError;

/// Zstandard.
#[derive(Debug)]
pub(crate) struct Zstd;

impl Codec for Zstd {
    fn id(&self) -> CodecId {
        CodecId::ZSTD
    }

    fn name(&self) -> &str {
        "zstd"
    }

    #[cfg(feature = "zstd")]
    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        super::zstd_c::encoder(cx)
    }

    #[cfg(not(feature = "zstd"))]
    fn encoder(&self, _cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        Err("writing Zstandard needs the feature zstd, found zstd-read alone".into())
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        let own = match cx.dict {
            Some(dict) => Own::with_dict(cx.kernels, dict).map_err(|_| refused(dict))?,
            None => Own::new(cx.kernels),
        };
        Ok(Box::new(Decoder {
            own,
            #[cfg(feature = "zstd")]
            whole: super::zstd_c::Decoder::new(cx.dict)?,
        }))
    }
}

struct Decoder {
    own: Own,
    #[cfg(feature = "zstd")]
    whole: super::zstd_c::Decoder,
}

impl StreamDecoder for Decoder {
    #[cfg(feature = "zstd")]
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        self.whole.decode(src, dst)
    }

    #[cfg(not(feature = "zstd"))]
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let produced = self.own.decode(src, dst)?;
        filled(produced, dst.len())
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        _total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        let produced = self.own.decode_prefix(src, dst)?;
        filled(produced, dst.len())?;
        Ok(true)
    }
}
