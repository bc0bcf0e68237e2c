//! The adapter of BloscLZ, which lives with the kernels (format §6).

use oxiblosc_kernels::blosclz;

use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, filled};
use crate::error::BoxError;

/// BloscLZ.
#[derive(Debug)]
pub(crate) struct Blosclz;

impl Codec for Blosclz {
    fn id(&self) -> CodecId {
        CodecId::BLOSCLZ
    }

    fn name(&self) -> &str {
        "blosclz"
    }

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        super::no_dict(cx)?;
        Ok(Box::new(Encoder {
            clevel: cx.clevel,
            inner: blosclz::Encoder::new(),
        }))
    }

    fn decoder(&self, _cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Decoder { whole: Vec::new() }))
    }
}

struct Encoder {
    clevel: u8,
    inner: blosclz::Encoder,
}

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(self.inner.encode(self.clevel, src, dst))
    }
}

struct Decoder {
    /// Room for a whole stream, of which only the front is wanted: a token may pass the end of
    /// that front.
    whole: Vec<u8>,
}

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        filled(blosclz::decode(src, dst)?, dst.len())
    }

    fn decode_within(
        &mut self,
        src: &[u8],
        csize: usize,
        dst: &mut [u8],
        len: usize,
    ) -> Result<(), BoxError> {
        filled(blosclz::decode_within(src, csize, dst)?, len)
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        if self.whole.len() < total {
            self.whole.resize(total, 0);
        }
        let room = self.whole.get_mut(..total).unwrap_or_default();
        let produced = blosclz::decode_prefix(src, room, dst.len())?;
        filled(produced.min(dst.len()), dst.len())?;
        dst.copy_from_slice(
            room.get(..dst.len())
                .ok_or("the prefix is longer than the stream")?,
        );
        Ok(true)
    }
}
