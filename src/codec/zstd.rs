//! Zstandard ([format §7.1](crate::format#7.1), [§7.3](crate::format#7.3)): written by libzstd,
//! whole streams read by libzstd, too, and by our own decoder, [`zstd`](oxiblosc_kernels::zstd), in
//! builds without C, because it is slower than libzstd on most streams. The front of a stream is
//! always read by our own, which stops as soon as it is there.

use oxiblosc_kernels::{Kernels, zstd::Zstd as Own};

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
        let mut decoder = Decoder {
            own: None,
            kernels: cx.kernels,
            dict: cx.dict.map(Box::from),
            #[cfg(feature = "zstd")]
            whole: super::zstd_c::Decoder::new(cx.dict)?,
        };
        if cfg!(not(feature = "zstd")) {
            decoder.own()?;
        }
        Ok(Box::new(decoder))
    }
}

struct Decoder {
    /// Made when the first stream for it comes: its tables take 200 KiB.
    own: Option<Own>,
    kernels: Kernels,
    dict: Option<Box<[u8]>>,
    #[cfg(feature = "zstd")]
    whole: super::zstd_c::Decoder,
}

impl Decoder {
    fn own(&mut self) -> Result<&mut Own, BoxError> {
        let own = match (self.own.take(), &self.dict) {
            (Some(own), _) => own,
            (None, Some(dict)) => Own::with_dict(self.kernels, dict).map_err(|_| refused(dict))?,
            (None, None) => Own::new(self.kernels),
        };
        Ok(self.own.insert(own))
    }
}

impl StreamDecoder for Decoder {
    #[cfg(feature = "zstd")]
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        self.whole.decode(src, dst)
    }

    #[cfg(not(feature = "zstd"))]
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let produced = self.own()?.decode(src, dst)?;
        filled(produced, dst.len())
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        _total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        match self.own()?.decode_prefix(src, dst) {
            // Ours is stricter with damaged streams: libzstd, which reads the whole, decides.
            Err(_) if cfg!(feature = "zstd") => return Ok(false),
            produced => filled(produced?, dst.len())?,
        }
        Ok(true)
    }
}
