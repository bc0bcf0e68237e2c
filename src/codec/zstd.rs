//! Zstandard ([format §7.1](crate::format#7.1), [§7.3](crate::format#7.3)).
//!
//! The levels 4 to 6 are written by our own encoder, [`zstd`](oxiblosc_kernels::zstd), which is
//! faster there and writes less; the others, and all streams with a dictionary, by libzstd, but
//! for streams at the levels 1 to 3 in which matches save nothing.
//!
//! All streams are read by our own decoder, which is faster than libzstd on most of them and stops
//! as soon as the front of a stream is there that is asked for.

use std::ops::RangeInclusive;

use oxiblosc_kernels::zstd::Zstd as Own;

use super::dict::refused;
use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, filled};
use crate::error::BoxError;

/// The levels of our own encoder, which builds without C have, too.
const OWN_LEVELS: RangeInclusive<u8> = 4..=6;

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

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        if cx.dict.is_none() && OWN_LEVELS.contains(&cx.clevel) {
            let own = oxiblosc_kernels::zstd::Encoder::new(cx.kernels, cx.clevel);
            return Ok(Box::new(Encoder(own)));
        }
        #[cfg(feature = "zstd")]
        return super::zstd_c::encoder(cx);
        #[cfg(not(feature = "zstd"))]
        Err(format!(
            "writing Zstandard at the level {} or with a dictionary needs the feature zstd, found \
             zstd-read alone",
            cx.clevel
        )
        .into())
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        let own = match cx.dict {
            Some(dict) => Own::with_dict(cx.kernels, dict).map_err(|_| refused(dict))?,
            None => Own::new(cx.kernels),
        };
        Ok(Box::new(Decoder(own)))
    }
}

/// Our own encoder.
struct Encoder(oxiblosc_kernels::zstd::Encoder);

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(self.0.encode(src, dst))
    }
}

/// Our own decoder.
struct Decoder(Own);

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let produced = self.0.decode(src, dst)?;
        filled(produced, dst.len())
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        _total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        let produced = self.0.decode_prefix(src, dst)?;
        filled(produced, dst.len())?;
        Ok(true)
    }
}
