//! The decoder (format §6.1).
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use super::careful::Careful;
use super::fast::{self, ENDED, State};
use crate::Kernels;
use crate::codecs::DecodeError;
use crate::codecs::lz::{self, Lanes, Task};

/// Decodes the stream `src` into the front of `dst` and returns the number of bytes produced.
///
/// The length of `dst` is the output limit; bytes after those produced may be overwritten. A match
/// that ends the stream is dropped, as C does; no encoder ends a stream so.
///
/// # Errors
///
/// When the stream is empty or ends inside a token, produces more than `dst.len()` bytes, or refers
/// to bytes before its output. The content of `dst` is then unspecified.
///
/// Source: format §6.1.
#[doc(alias = "blosclz_decompress")]
pub fn decode(kernels: Kernels, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    decode_front(kernels, src, src.len(), dst, usize::MAX)
}

/// Decodes the front of a stream: stops as soon as `dst` is full.
///
/// Returns `dst.len()`, or less when the content is shorter. It does not read the
/// bytes of the stream after the stop.
///
/// ```
/// use oxiblosc_kernels::{Kernels, blosclz::decode_prefix};
///
/// let stream = *b"\x27abcdefgh\xe0\x4c\x07\x02fgh";
/// let mut dst = [0; 3];
/// assert_eq!(decode_prefix(Kernels::best(), &stream, &mut dst), Ok(3));
/// assert_eq!(dst, *b"abc");
/// ```
///
/// # Errors
///
/// As [`decode`], for the part of the stream that is read; more content than `dst` holds is none.
pub fn decode_prefix(kernels: Kernels, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    let wanted = dst.len();
    lz::run(
        kernels,
        Stream::<true> {
            src,
            len: src.len(),
            dst,
            wanted,
        },
    )
}

/// [`decode`] of the stream `src[..len]`, which more bytes follow: they are ignored, but save
/// copying the end of a stream, and all of a short one, to a buffer with slack.
///
/// # Errors
///
/// As [`decode`]. Of a `len` beyond `src`, all of `src` is the stream.
///
/// ```
/// use oxiblosc_kernels::{Kernels, blosclz::decode_within};
///
/// let chunk = *b"\x03abcdefgh";
/// let mut dst = [0; 4];
/// assert_eq!(decode_within(Kernels::best(), &chunk, 5, &mut dst), Ok(4));
/// assert_eq!(dst, *b"abcd");
/// ```
pub fn decode_within(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
) -> Result<usize, DecodeError> {
    decode_front(kernels, src, len, dst, usize::MAX)
}

/// [`decode_within`] that stops as soon as `wanted` bytes are produced; returns how many are. Where
/// `dst` is longer than `wanted`, that is faster than [`decode_prefix`].
///
/// # Errors
///
/// As [`decode_within`], for the part of the stream that is read.
pub fn decode_front(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    lz::run(
        kernels,
        Stream::<false> {
            src,
            len,
            dst,
            wanted,
        },
    )
}

/// A call: the stream is `src[..len]`, and decoding stops at `wanted` bytes. With `PREFIX`, content
/// that does not fit `dst` is cut.
struct Stream<'a, const PREFIX: bool> {
    src: &'a [u8],
    len: usize,
    dst: &'a mut [u8],
    wanted: usize,
}

impl<const PREFIX: bool> Task for Stream<'_, PREFIX> {
    type Output = Result<usize, DecodeError>;

    /// Carries out tokens: the ordinary ones fast, the others one at a time.
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Self {
            src,
            len,
            dst,
            wanted,
        } = self;
        let stream = src.get(..len).unwrap_or(src);
        let len = stream.len();
        // No more of the following bytes: a length that does not end here is not read on for long.
        let padded = len.saturating_add(fast::READ_MARGIN);
        let src = src.get(..padded).unwrap_or(stream);
        let followed = src.len() > len;
        let mut state = State {
            token: usize::from(super::careful::first(stream)? & 31),
            read: 1,
            produced: 0,
        };
        loop {
            if !followed || len.saturating_sub(state.read) > SHORT {
                fast::run::<L, false>(lanes, stream, len, dst, &mut state, wanted);
            }
            if followed {
                fast::run::<L, true>(lanes, src, len, dst, &mut state, wanted);
            } else {
                run_to_the_end(lanes, stream, dst, &mut state, wanted);
            }
            if state.produced >= wanted || state.token == ENDED {
                return Ok(state.produced);
            }
            let mut careful = Careful::<PREFIX> {
                src: stream,
                dst,
                state: &mut state,
            };
            if !careful.step()? {
                return Ok(state.produced);
            }
        }
    }
}

/// Up to here one loop tests for the stream's end in every token; longer streams begin with one
/// that does not.
const SHORT: usize = 2048;

/// Carries out the last tokens fast, from a copy of them that more bytes follow.
#[inline(always)]
fn run_to_the_end<L: Lanes>(
    lanes: L,
    src: &[u8],
    dst: &mut [u8],
    state: &mut State,
    wanted: usize,
) {
    let rest = src.get(state.read..).unwrap_or_default();
    let mut padded = [0; 3 * fast::READ_MARGIN];
    let most = fast::READ_MARGIN.saturating_add(8);
    let capacity = dst.len().saturating_sub(state.produced);
    // More is left when the loop stopped for another reason; less is a last token.
    if rest.len() > most || rest.len() < 4 || capacity <= fast::WRITE_MARGIN {
        return;
    }
    if let Some(front) = padded.get_mut(..rest.len()) {
        front.copy_from_slice(rest);
        let before = state.read;
        state.read = 0;
        fast::run::<L, true>(lanes, &padded, rest.len(), dst, state, wanted);
        state.read = state.read.saturating_add(before);
    }
}
