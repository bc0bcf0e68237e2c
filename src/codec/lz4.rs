//! The adapters of LZ4 and LZ4 HC, which live with the kernels ([format §7.1](crate::format#7.1)).
//!
//! Both write the same stream format, and one decoder reads it. The level of LZ4 is its
//! acceleration turned round: 10 - clevel. A dictionary precedes each stream as history.

use oxiblosc_kernels::{Kernels, lz4};

use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, filled};
use crate::error::BoxError;

/// LZ4.
#[derive(Debug)]
pub(crate) struct Lz4;

/// LZ4 HC.
#[derive(Debug)]
pub(crate) struct Lz4hc;

impl Codec for Lz4 {
    fn id(&self) -> CodecId {
        CodecId::LZ4
    }

    fn name(&self) -> &str {
        "lz4"
    }

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        Ok(Box::new(Encoder {
            acceleration: u32::from(10_u8.saturating_sub(cx.clevel)),
            dict: cx.dict.map(Box::from),
            inner: lz4::Encoder::new(cx.kernels),
        }))
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(match cx.dict {
            None => Box::new(Decoder(cx.kernels)),
            Some(dict) => Box::new(DictDecoder {
                kernels: cx.kernels,
                dict: dict.into(),
            }),
        })
    }
}

impl Codec for Lz4hc {
    fn id(&self) -> CodecId {
        CodecId::LZ4HC
    }

    fn name(&self) -> &str {
        "lz4hc"
    }

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        Ok(Box::new(HcEncoder {
            level: cx.clevel,
            dict: cx.dict.map(Box::from),
            inner: lz4::HcEncoder::new(cx.kernels),
        }))
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Lz4.decoder(cx)
    }
}

struct Encoder {
    acceleration: u32,
    dict: Option<Box<[u8]>>,
    inner: lz4::Encoder,
}

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(match &self.dict {
            None => self.inner.encode(self.acceleration, src, dst),
            Some(dict) => self
                .inner
                .encode_with_dict(self.acceleration, dict, src, dst),
        })
    }
}

struct HcEncoder {
    level: u8,
    dict: Option<Box<[u8]>>,
    inner: lz4::HcEncoder,
}

impl StreamEncoder for HcEncoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(match &self.dict {
            None => self.inner.encode(self.level, src, dst),
            Some(dict) => self.inner.encode_with_dict(self.level, dict, src, dst),
        })
    }
}

/// The decoder of streams without a dictionary.
struct Decoder(Kernels);

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        filled(lz4::decode(self.0, src, dst)?, dst.len())
    }

    fn decode_within(
        &mut self,
        src: &[u8],
        csize: usize,
        dst: &mut [u8],
        len: usize,
    ) -> Result<(), BoxError> {
        filled(lz4::decode_within(self.0, src, csize, dst)?, len)
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        _total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        filled(lz4::decode_prefix(self.0, src, dst)?, dst.len())?;
        Ok(true)
    }

    fn decode_front(
        &mut self,
        src: &[u8],
        csize: usize,
        dst: &mut [u8],
        (_total, wanted): (usize, usize),
    ) -> Result<bool, BoxError> {
        let produced = lz4::decode_front(self.0, src, csize, dst, wanted)?;
        filled(produced.min(wanted), wanted)?;
        Ok(true)
    }
}

struct DictDecoder {
    kernels: Kernels,
    dict: Box<[u8]>,
}

impl StreamDecoder for DictDecoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        filled(
            lz4::decode_with_dict(self.kernels, src, &self.dict, dst)?,
            dst.len(),
        )
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        _total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        let produced = lz4::decode_prefix_with_dict(self.kernels, src, &self.dict, dst)?;
        filled(produced, dst.len())?;
        Ok(true)
    }
}
