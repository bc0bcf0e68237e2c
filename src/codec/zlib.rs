//! zlib streams (RFC 1950), [format §7.1](crate::format#7.1): written by our own encoder,
//! [`deflate`](oxiblosc_kernels::deflate), read by libdeflate or by our own decoder.
//!
//! Against the zlib-ng inside C-Blosc2 3.3.5: speed as multiples of C's and size as a part of C's,
//! geometric means over the matrix in `benches/RESULTS.md` (18 kinds of data, four pipelines,
//! chunks of 1 MiB) on one core of a Zen 5. Each decoder reads its own encoder's streams.
//!
//! | clevel | encoding | decoding | size |
//! |---|---|---|---|
//! | 1 | 1.9 | 1.4 | 0.98 |
//! | 5 | 1.9 | 1.3 | 0.98 |
//! | 9 | 2.3 | 1.3 | 0.99 |
//!
//! Streams that begin with the fixed Huffman codes, as level 1 writes them, are decoded by
//! libdeflate (1.07 to 1.3 times the speed of C) unless they are much shorter than their content;
//! those and all others by [`inflate`](oxiblosc_kernels::inflate), whose table of numbers says why.

use libdeflater::{DecompressionError, Decompressor, adler32};
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
            own: Inflate::new(cx.kernels),
            libdeflate: None,
        }))
    }
}

struct Encoder(Deflate);

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        Ok(self.0.encode(src, adler32(src), dst))
    }
}

struct Decoder {
    own: Inflate,
    /// Made when the first stream for it comes.
    libdeflate: Option<Decompressor>,
}

/// The compression ratio above which a stream consists of matches for the most part.
const SHORT: usize = 3;

/// Whether the first block has the fixed Huffman codes.
fn begins_fixed(src: &[u8]) -> bool {
    src.get(2).is_some_and(|byte| (byte >> 1) & 3 == 1)
}

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        if begins_fixed(src) && dst.len() / SHORT < src.len() {
            let libdeflate = self.libdeflate.get_or_insert_with(Decompressor::new);
            let produced = libdeflate
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
            return filled(produced, dst.len());
        }
        let (produced, expected) = self.own.decode(src, dst)?;
        filled(produced, dst.len())?;
        let checksum = adler32(dst);
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
