//! Snappy, which only Blosc1 wrote ([format §1.5](crate::format#1.5)): read, never written.

use snap::raw;

use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, filled};
use crate::error::BoxError;

/// Snappy.
#[derive(Debug)]
pub(crate) struct Snappy;

impl Codec for Snappy {
    fn id(&self) -> CodecId {
        CodecId::SNAPPY
    }

    fn name(&self) -> &str {
        "snappy"
    }

    fn encoder(&self, _cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        Err("snappy is read from chunks of Blosc1 and never written".into())
    }

    fn decoder(&self, _cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Decoder(raw::Decoder::new())))
    }
}

struct Decoder(raw::Decoder);

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        // The stream begins with its length: compared before anything is decoded.
        filled(raw::decompress_len(src)?, dst.len())?;
        filled(self.0.decompress(src, dst)?, dst.len())
    }
}
