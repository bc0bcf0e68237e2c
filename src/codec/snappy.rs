//! Snappy, which only Blosc1 has ([format §1.5](crate::format#1.5)), by the crate `snap`.

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

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        super::no_dict(cx)?;
        Ok(Box::new(Encoder {
            snappy: raw::Encoder::new(),
            room: Vec::new(),
        }))
    }

    fn decoder(&self, _cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Decoder(raw::Decoder::new())))
    }
}

struct Encoder {
    snappy: raw::Encoder,
    /// The crate writes into the room of the worst case alone, which is longer than the stream.
    room: Vec<u8>,
}

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let most = raw::max_compress_len(src.len());
        if self.room.len() < most {
            self.room.resize(most, 0);
        }
        let len = self.snappy.compress(src, &mut self.room)?;
        let stream = self.room.get(..len).unwrap_or_default();
        Ok(dst.get_mut(..len).map(|dst| {
            dst.copy_from_slice(stream);
            len
        }))
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
