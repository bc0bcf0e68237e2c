//! zlib streams (RFC 1950), through libdeflate (format §7.1).

use libdeflater::{CompressionLvl, Compressor, DecompressionError, Decompressor};

use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, filled};
use crate::error::BoxError;

/// zlib.
#[derive(Debug)]
pub(crate) struct Zlib;

impl Codec for Zlib {
    fn id(&self) -> CodecId {
        CodecId::ZLIB
    }

    fn name(&self) -> &str {
        "zlib"
    }

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        super::no_dict(cx)?;
        let level = i32::from(cx.clevel.clamp(1, 9));
        let level = CompressionLvl::new(level).map_err(|_| format!("no level {level}"))?;
        Ok(Box::new(Encoder(Compressor::new(level))))
    }

    fn decoder(&self, _cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Decoder(Decompressor::new())))
    }
}

struct Encoder(Compressor);

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(self.0.zlib_compress(src, dst).ok())
    }
}

struct Decoder(Decompressor);

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let produced = self
            .0
            .zlib_decompress(src, dst)
            .map_err(|error| match error {
                DecompressionError::BadData => {
                    format!("the zlib stream of {} bytes is damaged", src.len())
                }
                DecompressionError::InsufficientSpace => {
                    format!("the zlib stream decodes to more than {} bytes", dst.len())
                }
            })?;
        filled(produced, dst.len())
    }
}
