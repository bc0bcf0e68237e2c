//! libzstd, the C library: writes all streams, and reads whole ones.
//!
//! A stream is one frame with its content size and without a checksum. The levels 1 to 8 are
//! Zstandard's odd levels 1 to 15, level 9 is its highest, 22. A context is made once per worker
//! and reused; that does not change the bytes.
//!
//! The bytes are those of the Zstandard 1.5.7 inside C-Blosc2 3.3.5. Speed as a multiple of it
//! (medians of paired runs on one core of a Zen 5, 9 kinds of content, streams of 4 KiB to 256
//! KiB):
//!
//! | clevel | Zstandard's level | compress | decompress |
//! |---|---|---|---|
//! | 1 | 1 | 1.06–1.08 | 0.98–1.00 |
//! | 3 | 5 | 1.11 | 1.00 |
//! | 5 | 9 | 1.10–1.23 | 1.00 |
//! | 8 | 15 | 1.06–1.25 | not measured |
//! | 9 | 22 | 1.22 | not measured |
//!
//! That holds for a build without debug information: with it the C compiler keeps frame pointers,
//! and decompression falls to 0.95. Ramps whose planes shrink a hundredfold stay at 0.8 of C when
//! decompressing: the code that GCC 12 makes of the copy loop is slower than GCC 14's.
//!
//! A dictionary is digested once per worker, always at level 1, as C-Blosc2 does it, so that the
//! level of the chunk makes no difference then.

use zstd::zstd_safe::{CCtx, CDict, DCtx, DDict, get_error_name};

use super::dict::refused;
use super::{CodecContext, StreamEncoder, filled};
use crate::error::BoxError;

/// The level of dictionaries, whatever the level of the chunk.
const DICT_LEVEL: i32 = 1;

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

pub(super) fn encoder(cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
    let context = CCtx::try_create().ok_or("out of memory for a context")?;
    let dict = match cx.dict {
        Some(dict) => Some(CDict::try_create(dict, DICT_LEVEL).ok_or_else(|| refused(dict))?),
        None => None,
    };
    Ok(Box::new(Encoder {
        context,
        level: level(cx.clevel),
        dict,
    }))
}

struct Encoder {
    context: CCtx<'static>,
    level: i32,
    dict: Option<CDict<'static>>,
}

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let written = match &self.dict {
            None => self.context.compress(dst, src, self.level),
            Some(dict) => self.context.compress_using_cdict(dst, src, dict),
        };
        // The capacity or the memory for the tables is too small; the stream is stored raw.
        Ok(written.ok())
    }
}

/// A decoder of whole streams.
pub(super) struct Decoder {
    context: DCtx<'static>,
    dict: Option<DDict<'static>>,
}

impl Decoder {
    pub(super) fn new(dict: Option<&[u8]>) -> Result<Self, BoxError> {
        let context = DCtx::try_create().ok_or("out of memory for a context")?;
        let dict = match dict {
            Some(dict) => Some(DDict::try_create(dict).ok_or_else(|| refused(dict))?),
            None => None,
        };
        Ok(Self { context, dict })
    }

    /// Decodes `src`, which must fill all of `dst`.
    pub(super) fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let produced = match &self.dict {
            None => self.context.decompress(dst, src),
            Some(dict) => self.context.decompress_using_ddict(dst, src, dict),
        };
        filled(produced.map_err(error)?, dst.len())
    }
}
