//! Zstandard ([format §7.1](crate::format#7.1), [§7.3](crate::format#7.3)).
//!
//! The levels 4 to 6 are written by our own encoder, [`zstd`](oxiblosc_kernels::zstd), which is
//! faster there and writes less; the others, and all streams with a dictionary, by libzstd.
//!
//! At the levels 1 to 3 our encoder also writes streams in which matches save nothing, such as
//! planes of images with bytedelta, as literals alone: libzstd takes matches that cost more than
//! they save, and needs 2 to 5 times as long.
//!
//! All streams are read by our own decoder, which is faster than libzstd on most of them and stops
//! as soon as the front of a stream is there that is asked for.

use std::ops::RangeInclusive;

#[cfg(feature = "zstd")]
use oxiblosc_kernels::Kernels;
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
        {
            let libzstd = super::zstd_c::encoder(cx)?;
            if cx.dict.is_some() || cx.clevel > *OWN_LEVELS.start() {
                return Ok(libzstd);
            }
            Ok(Box::new(LiteralsOr {
                kernels: cx.kernels,
                clevel: cx.clevel,
                own: None,
                libzstd,
            }))
        }
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

/// A low level: literals alone where matches save nothing, and libzstd.
#[cfg(feature = "zstd")]
struct LiteralsOr {
    kernels: Kernels,
    clevel: u8,
    /// Our own encoder, once there was a stream that it looks at.
    own: Option<oxiblosc_kernels::zstd::Encoder>,
    libzstd: Box<dyn StreamEncoder>,
}

#[cfg(feature = "zstd")]
impl StreamEncoder for LiteralsOr {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        use oxiblosc_kernels::zstd::Encoder;

        if src.len() >= Encoder::LEAST_WITHOUT_MATCHES {
            let own = self
                .own
                .get_or_insert_with(|| Encoder::new(self.kernels, self.clevel));
            if let Some(written) = own.encode_without_matches(src, dst) {
                return Ok(Some(written));
            }
        }
        self.libzstd.encode(src, dst)
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

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use zstd::zstd_safe::{CCtx, DCtx};

    use super::*;

    #[test]
    fn without_matches_streams_are_smaller_than_those_of_libzstd() {
        // The sum of three dice, as small differences are distributed.
        let mut state = 1_u64;
        let mut below = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % most).to_le_bytes()[0]
        };
        let mut sum = || below(4) + below(4) + below(4);
        let dice: Vec<u8> = (0..1 << 16).map(|_| sum()).collect();
        let digits: Vec<u8> = (0..1 << 16).map(|_| below(10)).collect();
        let by_libzstd = |src: &[u8], level: i32| {
            let mut dst = vec![0; src.len() + 64];
            let len = CCtx::create().compress(&mut dst[..], src, level).unwrap();
            dst.truncate(len);
            dst
        };
        for (clevel, level, len) in [
            (1, 1, 1 << 16),
            (2, 3, 1 << 16),
            (3, 5, 50_000),
            (3, 5, 1500),
        ] {
            let cx = crate::codec::tests::context(clevel, None);
            let mut encoder = Zstd.encoder(&cx).unwrap();
            let src = &dice[..len];
            let mut dst = vec![0; len + 64];
            let written = encoder.encode(src, &mut dst).unwrap().unwrap();
            let most = by_libzstd(src, level).len();
            assert!(written < most, "{clevel} {len}: {written} of {most}");
            let mut decoded = vec![0; len];
            let produced = DCtx::create().decompress(&mut decoded[..], &dst[..written]);
            assert_eq!(produced, Ok(len));
            assert!(decoded == src);
            // Matches that do pay are not lost, and short streams are libzstd's.
            for other in [&src.repeat(2)[..], &src[..1000]] {
                let mut dst = vec![0; other.len() + 64];
                let written = encoder.encode(other, &mut dst).unwrap().unwrap();
                assert!(dst[..written] == by_libzstd(other, level), "{clevel} {len}");
            }
            // Digits are hardly ever equal by chance, which level 1 notices as soon.
            let digits = &digits[..len];
            let mut dst = vec![0; len + 64];
            let written = encoder.encode(digits, &mut dst).unwrap().unwrap();
            let theirs = by_libzstd(digits, level);
            assert_eq!(dst[..written] == theirs, clevel == 1, "{clevel} {len}");
            assert!(written <= theirs.len(), "{clevel} {len}");
        }
    }
}
