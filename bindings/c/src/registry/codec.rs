//! A codec of the caller as a codec of the library.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use oxiblosc::CodecId;
use oxiblosc::codec::{Codec, CodecContext, StreamDecoder, StreamEncoder};
use oxiblosc::error::BoxError;

use super::Named;
use crate::abi::blosc2_codec;
use crate::context::Call;

/// The codec, and what its functions receive.
#[derive(Clone, Debug)]
pub(super) struct Adapter {
    codec: Named<blosc2_codec>,
    call: Arc<Call>,
    meta: u8,
}

impl Adapter {
    pub(super) fn new(codec: Named<blosc2_codec>, call: Arc<Call>) -> Self {
        Self {
            codec,
            call,
            meta: 0,
        }
    }

    fn with_meta(&self, cx: &CodecContext<'_>) -> Box<Self> {
        Box::new(Self {
            meta: cx.meta,
            ..self.clone()
        })
    }
}

impl Codec for Adapter {
    fn id(&self) -> CodecId {
        CodecId::new(self.codec.entry.compcode)
    }

    fn name(&self) -> &str {
        self.codec.name.to_str().unwrap_or("a registered codec")
    }

    fn format_version(&self) -> u8 {
        self.codec.entry.version
    }

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        if self.codec.entry.encoder.is_none() {
            return Err("the codec has no encoder".into());
        }
        Ok(self.with_meta(cx))
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        if self.codec.entry.decoder.is_none() {
            return Err("the codec has no decoder".into());
        }
        Ok(self.with_meta(cx))
    }
}

impl StreamEncoder for Adapter {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let encoder = self.codec.entry.encoder.ok_or("the codec has no encoder")?;
        let (src_len, dst_len) = (i32::try_from(src.len())?, i32::try_from(dst.len())?);
        let mut cparams = self.call.cparams;
        // SAFETY: the caller's function with what its documentation promises: a stream to read,
        // room to write, and parameters that live for the call.
        let len = unsafe {
            encoder(
                src.as_ptr(),
                src_len,
                dst.as_mut_ptr(),
                dst_len,
                self.meta,
                &raw mut cparams,
                self.call.chunk.load(Ordering::Relaxed).cast_const().cast(),
            )
        };
        match usize::try_from(len) {
            Ok(0) => Ok(None),
            Ok(len) if len <= dst.len() => Ok(Some(len)),
            Ok(len) => Err(format!("{len} bytes were written where {dst_len} fit").into()),
            Err(_) => Err(format!("the encoder returned {len}").into()),
        }
    }
}

impl StreamDecoder for Adapter {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let decoder = self.codec.entry.decoder.ok_or("the codec has no decoder")?;
        let (src_len, dst_len) = (i32::try_from(src.len())?, i32::try_from(dst.len())?);
        let mut dparams = self.call.dparams;
        // SAFETY: as for the encoder.
        let len = unsafe {
            decoder(
                src.as_ptr(),
                src_len,
                dst.as_mut_ptr(),
                dst_len,
                self.meta,
                &raw mut dparams,
                self.call.chunk.load(Ordering::Relaxed).cast_const().cast(),
            )
        };
        if len == dst_len {
            return Ok(());
        }
        Err(format!("the decoder returned {len}, the stream has {dst_len} bytes").into())
    }
}
