//! The adapter of BloscLZ, which lives with the kernels ([format §6](crate::format#6)).

use oxiblosc_kernels::{Kernels, blosclz};

use super::repeats::{Repeats, repeats};
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
            sampled: cx.sampled,
            inner: blosclz::Encoder::new(cx.kernels),
        }))
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Decoder(cx.kernels)))
    }
}

struct Encoder {
    clevel: u8,
    sampled: bool,
    inner: blosclz::Encoder,
}

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let probed = match self.sampled.then(|| repeats(src)) {
            Some(Repeats::Never) => return Ok(None),
            Some(Repeats::InParts) => false,
            Some(Repeats::Somewhere) | None => true,
        };
        Ok(if probed {
            self.inner.encode(self.clevel, src, dst)
        } else {
            self.inner.encode_unprobed(self.clevel, src, dst)
        })
    }
}

struct Decoder(Kernels);

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        filled(blosclz::decode(self.0, src, dst)?, dst.len())
    }

    fn decode_within(
        &mut self,
        src: &[u8],
        csize: usize,
        dst: &mut [u8],
        len: usize,
    ) -> Result<(), BoxError> {
        filled(blosclz::decode_within(self.0, src, csize, dst)?, len)
    }

    fn decode_front(
        &mut self,
        src: &[u8],
        csize: usize,
        dst: &mut [u8],
        (_total, wanted): (usize, usize),
    ) -> Result<bool, BoxError> {
        let produced = blosclz::decode_front(self.0, src, csize, dst, wanted)?;
        filled(produced.min(wanted), wanted)?;
        Ok(true)
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        _total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        filled(blosclz::decode_prefix(self.0, src, dst)?, dst.len())?;
        Ok(true)
    }
}
