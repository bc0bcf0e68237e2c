//! libzstd, the C library: writes the streams that our own encoder does not.
//!
//! A stream is one frame with its content size and without a checksum. The levels 1 to 8 are
//! Zstandard's odd levels 1 to 15, level 9 is its highest, 22. A context is made once per worker
//! and reused; that does not change the bytes.
//!
//! From level 7 on libzstd searches at 1 to 10 MB/s, noise as well as anything else. There
//! [`noise`](super::noise) at the front of a stream, 64 KiB or a quarter of it, is stored in raw
//! blocks of the same frame, and libzstd compresses what follows. Everything else has the bytes of
//! the Zstandard 1.5.7 inside C-Blosc2 3.3.5; the streams that come here, that is, see
//! [`zstd`](super::zstd). Speed of the levels 1 to 3, and of what is not noise, as a multiple of it
//! (medians of paired runs on one core of a Zen 5, 9 kinds of content, streams of 4 KiB to 256
//! KiB):
//!
//! | clevel | Zstandard's level | compress |
//! |---|---|---|
//! | 1 | 1 | 1.06–1.08 |
//! | 3 | 5 | 1.11 |
//! | 8 | 15 | 1.06–1.25 |
//! | 9 | 22 | 1.22 (with a table of 2^18) |
//!
//! That holds for a build without debug information: with it the C compiler keeps frame pointers.
//!
//! A dictionary is digested once per worker, always at level 1, as C-Blosc2 does it, so that the
//! level of the chunk makes no difference then.

use zstd::zstd_safe::{CCtx, CDict, CParameter, ResetDirective, get_error_name};

use super::dict::refused;
use super::noise::Noise;
use super::{CodecContext, StreamEncoder};
use crate::error::BoxError;

/// The level of dictionaries, whatever the level of the chunk.
const DICT_LEVEL: i32 = 1;

/// Zstandard's level from which on noise is looked for: what is saved by then exceeds the look.
const NOISE_LEVEL: i32 = level(7);
/// Above this length streams get a hash table of [`HASH_LOG`] at the highest level: with 2^21
/// entries, every look-up of a stream of 1 MiB misses the caches, and with as many as positions,
/// most lists are short. 2^18 is faster where strings repeat (text on a Zen 3: 1.32 of
/// C-Blosc2's speed instead of 1.09), and slower where few do (floats 0.65 and 0.87 instead of 1.05
/// and 1.01). The trees have the same positions in any case; the sizes of 37 streams were the same.
const LONG: usize = 256 << 10;
const HASH_LOG: u32 = 20;
/// The most that a block of a frame holds, in bytes.
const MAX_BLOCK: usize = 128 << 10;
/// The length of a block's header.
const BLOCK_HEADER: usize = 3;

/// Zstandard's level for a level of Blosc.
const fn level(clevel: u8) -> i32 {
    match clevel {
        0 => 1,
        1..=8 => clevel as i32 * 2 - 1,
        _ => 22,
    }
}

/// The text of an error code.
fn error(code: usize) -> BoxError {
    get_error_name(code).into()
}

fn new_context() -> Result<CCtx<'static>, BoxError> {
    CCtx::try_create().ok_or_else(|| "out of memory for a context".into())
}

pub(super) fn encoder(cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
    let context = new_context()?;
    let dict = match cx.dict {
        Some(dict) => Some(CDict::try_create(dict, DICT_LEVEL).ok_or_else(|| refused(dict))?),
        None => None,
    };
    Ok(Box::new(Encoder {
        context,
        level: level(cx.clevel),
        dict,
        noise: Noise::default(),
    }))
}

struct Encoder {
    context: CCtx<'static>,
    level: i32,
    dict: Option<CDict<'static>>,
    noise: Noise,
}

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        // The capacity or the memory for the tables is too small: the stream is stored raw.
        Ok(match &self.dict {
            Some(dict) => self.context.compress_using_cdict(dst, src, dict).ok(),
            None => self.encode_searching(src, dst)?,
        })
    }
}

impl Encoder {
    fn encode_searching(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let front = if self.level < NOISE_LEVEL {
            0
        } else {
            self.noise.front(src)
        };
        if front > 0 {
            if front == src.len() {
                return Ok(None);
            }
            if let Some(written) = self.encode_after(front, src, dst)? {
                return Ok(Some(written));
            }
        }
        self.compress(src, dst)
    }

    /// Compresses `src` to a frame; `None` when there is too little room.
    fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        if self.level < level(9) || src.len() <= LONG {
            return Ok(self.context.compress(dst, src, self.level).ok());
        }
        let parameters = [
            CParameter::CompressionLevel(self.level),
            CParameter::HashLog(HASH_LOG),
        ];
        // A frame that had too little room is not finished.
        self.context
            .reset(ResetDirective::SessionAndParameters)
            .map_err(error)?;
        for parameter in parameters {
            self.context.set_parameter(parameter).map_err(error)?;
        }
        Ok(self.context.compress2(dst, src).ok())
    }

    /// Compresses `src` with its first `front` bytes in raw blocks.
    ///
    /// The rest is compressed as a frame of its own, whose header then makes way: its blocks refer
    /// to nothing before them, and raw blocks leave a decoder's tables and offsets as they are in
    /// the beginning. `None` when that frame has another header than expected, or there is too
    /// little room.
    fn encode_after(
        &mut self,
        front: usize,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>, BoxError> {
        let (noise, rest) = src.split_at(front);
        let Some((whole, inner)) = Header::new(src.len()).zip(Header::new(rest.len())) else {
            return Ok(None);
        };
        let raw = front + front.div_ceil(MAX_BLOCK) * BLOCK_HEADER;
        // The front is longer than a header.
        let at = whole.bytes().len() + raw - inner.bytes().len();
        let Some(room) = dst.get_mut(at..) else {
            return Ok(None);
        };
        let Some(written) = self.compress(rest, room)? else {
            return Ok(None);
        };
        if !room.starts_with(inner.bytes()) {
            return Ok(None);
        }
        let (header, mut blocks) = dst.split_at_mut(whole.bytes().len());
        header.copy_from_slice(whole.bytes());
        for block in noise.chunks(MAX_BLOCK) {
            // Not the last one, raw, and its length.
            let description = (u32::try_from(block.len())? << 3).to_le_bytes();
            let (header, after) = blocks.split_at_mut(BLOCK_HEADER);
            header.copy_from_slice(&description[..BLOCK_HEADER]);
            let (content, after) = after.split_at_mut(block.len());
            content.copy_from_slice(block);
            blocks = after;
        }
        Ok(Some(at + written))
    }
}

/// The header of a frame of one segment that has its content size and nothing else, as libzstd
/// writes it.
struct Header {
    bytes: [u8; 9],
    len: usize,
}

impl Header {
    /// For a content of `len` bytes; `None` above 4 GiB.
    fn new(len: usize) -> Option<Self> {
        const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
        const SINGLE_SEGMENT: u8 = 0x20;
        let size = u32::try_from(len).ok()?;
        // The field of two bytes begins with 256.
        let (flag, field, width) = match size {
            0..256 => (0, size, 1),
            256..65_792 => (0x40, size - 256, 2),
            _ => (0x80, size, 4),
        };
        let mut bytes = [0; 9];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4] = SINGLE_SEGMENT | flag;
        bytes[5..].copy_from_slice(&field.to_le_bytes());
        Some(Self {
            bytes,
            len: 5 + width,
        })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use oxiblosc_kernels::{Kernels, zstd::Zstd as Own};
    use zstd::zstd_safe::DCtx;

    use super::*;

    fn encoder_of(clevel: u8) -> Encoder {
        Encoder {
            context: CCtx::try_create().unwrap(),
            level: level(clevel),
            dict: None,
            noise: Noise::default(),
        }
    }

    /// Numbers whose high bytes change slowly and whose low ones are noise, in planes.
    fn planes(items: usize, high: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let mut noise = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state.to_be_bytes()[0]
        };
        let mut src: Vec<u8> = std::iter::repeat_with(&mut noise).take(items).collect();
        src.extend((0..high).map(|i| (i / 97).to_le_bytes()[0]));
        src
    }

    #[test]
    fn noise_is_stored_raw_and_the_rest_is_what_libzstd_makes_of_it() {
        for (items, high) in [
            (1 << 14, 1),
            (1 << 14, 200),
            (1 << 14, 40_000),
            (65_537, 255),
            (1 << 17, 1 << 17),
            ((1 << 17) + 1, 3000),
            (1 << 19, 1 << 19),
            (110_592, 300_000),
        ] {
            let src = planes(items, high);
            for clevel in [7, 9] {
                let mut encoder = encoder_of(clevel);
                let front = encoder.noise.front(&src);
                assert!(front >= items / 4096 * 4096, "{items} {high}");
                // Used again, also after a stream without room.
                assert_eq!(encoder.encode(&src, &mut [0; 40]).unwrap(), None);
                let mut dst = vec![0; src.len() + 64];
                let len = encoder.encode(&src, &mut dst).unwrap().unwrap();
                let frame = &dst[..len];
                let mut rest = vec![0; src.len() + 64];
                let inner = encoder.compress(&src[front..], &mut rest).unwrap().unwrap();
                assert!(
                    frame.ends_with(&rest[Header::new(src.len() - front).unwrap().len..inner]),
                    "{items} {high} {clevel}"
                );
                let raw = front + front.div_ceil(MAX_BLOCK) * BLOCK_HEADER;
                assert!(len <= raw + inner + 8, "{items} {high} {clevel}");

                let mut decoded = vec![0; src.len()];
                let produced = DCtx::create().decompress(&mut decoded[..], frame);
                assert_eq!(produced, Ok(src.len()));
                assert!(decoded == src, "{items} {high} {clevel}");
                decoded.fill(0);
                let mut own = Own::new(Kernels::best());
                assert_eq!(own.decode(frame, &mut decoded).unwrap(), src.len());
                assert!(decoded == src, "{items} {high} {clevel}");
                let part = items + high / 2;
                own.decode_prefix(frame, &mut decoded[..part]).unwrap();
                assert!(decoded[..part] == src[..part], "{items} {high} {clevel}");
                // Where the room is short, libzstd may choose otherwise.
                let mut exact = vec![0; len];
                if let Some(len) = encoder.encode(&src, &mut exact).unwrap() {
                    let produced = DCtx::create().decompress(&mut decoded[..], &exact[..len]);
                    assert_eq!(produced, Ok(src.len()));
                    assert!(decoded == src, "{items} {high} {clevel}");
                }
            }
            let mut plain = vec![0; src.len() + 64];
            let len = encoder_of(3).encode(&src, &mut plain).unwrap().unwrap();
            let mut theirs = vec![0; src.len() + 64];
            let expected = CCtx::create().compress(&mut theirs[..], &src, 5).unwrap();
            assert_eq!(
                plain[..len],
                theirs[..expected],
                "level 3 has libzstd's bytes"
            );
        }
    }

    #[test]
    fn a_stream_of_noise_is_left_raw() {
        let src = planes(1 << 16, 0);
        for clevel in 7..=9 {
            let mut dst = vec![0; src.len()];
            assert_eq!(encoder_of(clevel).encode(&src, &mut dst).unwrap(), None);
        }
    }

    #[test]
    fn headers_are_those_of_libzstd() {
        for len in [0, 1, 255, 256, 257, 65_791, 65_792, 70_000] {
            let mut dst = vec![0; len + 64];
            CCtx::create()
                .compress(&mut dst[..], &vec![0; len], 22)
                .unwrap();
            assert!(dst.starts_with(Header::new(len).unwrap().bytes()), "{len}");
        }
    }
}
