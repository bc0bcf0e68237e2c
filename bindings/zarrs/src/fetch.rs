//! Reading a part of a chunk through a partial decoder of zarrs, synchronously or not.

use std::ops::Range;

use oxiblosc::chunk::ChunkFront;
use zarrs::array::ArrayBytesRaw;
#[cfg(feature = "async")]
use zarrs::array::codec::api::AsyncBytesPartialDecoderTraits;
use zarrs::array::codec::api::{BytesPartialDecoderTraits, CodecError, CodecOptions};
use zarrs::storage::byte_range::ByteRange;

use crate::plan::{self, Next};

/// The bytes that were fetched of a chunk.
pub(crate) enum Fetched<'a> {
    Whole(ArrayBytesRaw<'a>),
    Parts(Box<ChunkFront>, Vec<Range<usize>>, Vec<ArrayBytesRaw<'a>>),
}

impl Fetched<'_> {
    /// Whether blocks use bytes beyond their places, as those of a damaged chunk may: then the
    /// whole chunk is needed.
    fn lacks(&self, wanted: &[Range<usize>]) -> bool {
        match self {
            Fetched::Whole(_) => false,
            Fetched::Parts(front, ranges, bytes) => {
                let parts = plan::parts(ranges, bytes);
                front
                    .missing(wanted, &parts)
                    .is_ok_and(|missing| !missing.is_empty())
            }
        }
    }
}

/// The first bytes of a chunk.
fn front_range(len: usize) -> ByteRange {
    ByteRange::FromStart(0, Some(u64::try_from(len).unwrap_or(u64::MAX)))
}

/// The body of [`fetch`] and of its asynchronous twin: `$wait` is what follows a request.
macro_rules! fetch {
    ($input:ident, $options:ident, $wanted:ident, $next:ident $(, $wait:ident)?) => {{
        let mut asked = 0;
        loop {
            match $next {
                // Each front is longer than the one before, and there are few kinds of them.
                Next::Front(len) if len > asked => {
                    asked = len;
                    // A store refuses a range beyond the end of a short chunk: that is read whole,
                    // which reports what else may be wrong.
                    let front = $input.partial_decode(front_range(len), $options)$(.$wait)?;
                    $next = match front {
                        Ok(Some(front)) => plan::after_front(&front, len, $wanted)
                            .unwrap_or(Next::Whole),
                        Ok(None) => return Ok(None),
                        Err(_) => Next::Whole,
                    };
                }
                Next::Parts(front, ranges) => {
                    let requests = Box::new(plan::requests(&ranges).into_iter());
                    let bytes = $input.partial_decode_many(requests, $options)$(.$wait)??;
                    let Some(bytes) = bytes else { return Ok(None) };
                    let fetched = Fetched::Parts(front, ranges, bytes);
                    if !fetched.lacks($wanted) {
                        return Ok(Some(fetched));
                    }
                    $next = Next::Whole;
                }
                Next::Whole | Next::Front(_) => {
                    return Ok($input.decode($options)$(.$wait)??.map(Fetched::Whole));
                }
            }
        }
    }};
}

/// Fetches what `wanted` bytes of the decoded chunk need; `None` when there is no chunk.
pub(crate) fn fetch<'a>(
    input: &'a dyn BytesPartialDecoderTraits,
    wanted: &[Range<usize>],
    mut next: Next,
    options: &CodecOptions,
) -> Result<Option<Fetched<'a>>, CodecError> {
    fetch!(input, options, wanted, next)
}

/// As [`fetch`], through an asynchronous decoder.
#[cfg(feature = "async")]
pub(crate) async fn fetch_async<'a>(
    input: &'a dyn AsyncBytesPartialDecoderTraits,
    wanted: &[Range<usize>],
    mut next: Next,
    options: &CodecOptions,
) -> Result<Option<Fetched<'a>>, CodecError> {
    fetch!(input, options, wanted, next, await)
}
