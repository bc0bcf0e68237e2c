//! Zstandard ([format §7.1](crate::format#7.1), [§7.3](crate::format#7.3)).
//!
//! The levels 4 to 6 are written by our own encoder, [`zstd`](oxiblosc_kernels::zstd), which is
//! faster there and writes less; the others, and all streams with a dictionary, by libzstd.
//!
//! Whole streams are read by libzstd, and in builds without C by our own decoder, which is slower
//! on most streams. The front of a stream is always read by our own, which stops as soon as it is
//! there.

use std::ops::RangeInclusive;

use oxiblosc_kernels::{Kernels, zstd::Zstd as Own};

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

/// Our own encoder.
struct Encoder(oxiblosc_kernels::zstd::Encoder);

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(self.0.encode(src, dst))
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
