//! zlib streams (RFC 1950), [format §7.1](crate::format#7.1): written by our own encoder,
//! [`deflate`](oxiblosc_kernels::deflate), read by our own decoder,
//! [`inflate`](oxiblosc_kernels::inflate).
//!
//! Against the zlib-ng inside C-Blosc2 3.3.5: speed as multiples of C's and size as a part of C's,
//! geometric means over *One table on a Zen 3* in `benches/RESULTS.md` (26 kinds of data, five
//! pipelines, chunks of up to 1 MiB), one core. Each decoder reads its own encoder's streams.
//!
//! | clevel | encoding | decoding | size |
//! |---|---|---|---|
//! | 1 | 1.8 | 1.3 | 0.93 |
//! | 5 | 2.1 | 1.4 | 0.99 |
//! | 9 | 2.7 | 1.4 | 0.99 |
//!
//! With the feature `libdeflate`, that library (C) decodes the streams that begin with the fixed
//! Huffman codes, as level 1 writes them, unless they are much shorter than their content: those
//! and all others are decoded faster by `inflate`, whose table of numbers says why.

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::deflate::Deflate;
use oxiblosc_kernels::inflate::Inflate;

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
        Ok(Box::new(Encoder(Deflate::new(cx.kernels, cx.clevel))))
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Decoder {
            kernels: cx.kernels,
            own: Inflate::new(cx.kernels),
            #[cfg(feature = "libdeflate")]
            fixed: fixed::Fixed::default(),
        }))
    }
}

struct Encoder(Deflate);

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(self.0.encode(src, dst))
    }
}

struct Decoder {
    kernels: Kernels,
    own: Inflate,
    #[cfg(feature = "libdeflate")]
    fixed: fixed::Fixed,
}

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        #[cfg(feature = "libdeflate")]
        if fixed::Fixed::is_faster(src, dst.len()) {
            return self.fixed.decode(src, dst);
        }
        let (produced, expected) = self.own.decode(src, dst)?;
        filled(produced, dst.len())?;
        let checksum = self.kernels.adler32(dst);
        if checksum != expected {
            return Err(format!(
                "zlib stream: expected the checksum {expected:#010x}, found {checksum:#010x}"
            )
            .into());
        }
        Ok(())
    }

    fn decode_prefix(
        &mut self,
        src: &[u8],
        _total: usize,
        dst: &mut [u8],
    ) -> Result<bool, BoxError> {
        let produced = self.own.decode_prefix(src, dst)?;
        filled(produced, dst.len())?;
        Ok(true)
    }
}

/// Streams with the fixed codes, decoded by libdeflate.
#[cfg(feature = "libdeflate")]
mod fixed {
    use libdeflater::{DecompressionError, Decompressor};

    use crate::codec::filled;
    use crate::error::BoxError;

    /// The compression ratio above which a stream consists of matches for the most part.
    const SHORT: usize = 3;

    /// A decoder, made when the first stream for it comes.
    #[derive(Default)]
    pub(super) struct Fixed(Option<Decompressor>);

    impl Fixed {
        /// Whether a stream with so many bytes of content begins with the fixed codes, and
        /// libdeflate decodes it faster.
        pub(super) fn is_faster(src: &[u8], len: usize) -> bool {
            src.get(2).is_some_and(|byte| (byte >> 1) & 3 == 1) && len / SHORT < src.len()
        }

        pub(super) fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
            let decoder = self.0.get_or_insert_with(Decompressor::new);
            let produced = decoder
                .zlib_decompress(src, dst)
                .map_err(|error| match error {
                    DecompressionError::BadData => {
                        format!("zlib stream: {} bytes, damaged", src.len())
                    }
                    DecompressionError::InsufficientSpace => {
                        format!(
                            "zlib stream: expected {} bytes of content, found more",
                            dst.len()
                        )
                    }
                })?;
            filled(produced, dst.len())
        }
    }
}

/// Streams of few values, which have paths of their own in both directions, against libdeflate.
#[cfg(all(test, feature = "libdeflate"))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use libdeflater::{CompressionLvl, Compressor, Decompressor};
    use oxiblosc_kernels::Kernels;
    use oxiblosc_kernels::deflate::Deflate;
    use oxiblosc_kernels::inflate::Inflate;

    /// `len` bytes below `symbols`, of which one in `rarity` is not 0.
    fn few(len: usize, symbols: u64, rarity: u64, seed: u64) -> Vec<u8> {
        let mut state = seed;
        let mut next = move |end: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) % end
        };
        let items = std::iter::repeat_with(|| match next(rarity) {
            0 => u8::try_from(next(symbols)).unwrap(),
            _ => 0,
        });
        items.take(len).collect()
    }

    /// Masks, and masks in front of something else or after it.
    fn contents() -> impl Iterator<Item = Vec<u8>> {
        let lens = [8191, 8192, 8193, 32_768, 65_537, 140_000];
        let shapes = [(2, 1), (2, 10), (3, 5), (4, 1), (5, 2), (256, 20)];
        let masks = lens.into_iter().flat_map(move |len| {
            let shape = shapes.into_iter().zip(1..);
            shape.map(move |((symbols, rarity), seed)| few(len, symbols, rarity, seed))
        });
        masks.flat_map(|mask| {
            let other = [
                few(20_000, 256, 1, 9),
                vec![0; 20_000],
                b"a table of words ".repeat(2000),
            ];
            let around =
                other.map(|other| [[&mask[..], &other].concat(), [&other, &mask[..]].concat()]);
            std::iter::once(mask).chain(around.into_iter().flatten())
        })
    }

    #[test]
    fn libdeflate_reads_what_level_1_writes() {
        let mut encoder = Deflate::new(Kernels::best(), 1);
        for (case, src) in contents().enumerate() {
            let mut stream = vec![0; src.len() + src.len() / 1000 + 64];
            let len = encoder.encode(&src, &mut stream).unwrap();
            let mut back = vec![1; src.len()];
            let decoded = Decompressor::new().zlib_decompress(&stream[..len], &mut back);
            assert_eq!(decoded, Ok(src.len()), "case {case}");
            assert!(back == src, "case {case}");
            // The exact length is enough, and nothing shorter.
            let mut exact = vec![0; len];
            assert_eq!(encoder.encode(&src, &mut exact), Some(len), "case {case}");
            assert!(exact == stream[..len], "case {case}");
            for short in [len - 1, len - 9, len / 2, len / 8, 7] {
                let found = encoder.encode(&src, &mut exact[..short]);
                assert_eq!(found, None, "case {case}, {short} of {len} bytes");
            }
        }
    }

    #[test]
    fn four_literals_at_once_are_those_of_libdeflate() {
        let mut decoder = Inflate::new(Kernels::best());
        for (case, src) in contents().enumerate() {
            for level in [1, 9] {
                let mut compressor = Compressor::new(CompressionLvl::new(level).unwrap());
                let mut stream = vec![0; compressor.zlib_compress_bound(src.len())];
                let len = compressor.zlib_compress(&src, &mut stream).unwrap();
                let mut back = vec![1; src.len()];
                let decoded = decoder.decode(&stream[..len], &mut back);
                assert_eq!(decoded.map(|(len, _)| len), Ok(src.len()), "case {case}");
                assert!(back == src, "case {case}");
                for front in (0..9).chain(src.len() - 330..src.len()).step_by(7) {
                    let mut back = vec![1; front];
                    let found = decoder.decode_prefix(&stream[..len], &mut back);
                    assert_eq!(found, Ok(front), "case {case}");
                    assert!(back == src[..front], "case {case}, {front} bytes");
                    assert!(decoder.decode(&stream[..len], &mut back).is_err());
                }
            }
        }
    }
}
