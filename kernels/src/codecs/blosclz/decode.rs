//! The decoder (format §6.1).
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use core::fmt;
use core::ops::Range;

use super::copies::{self, Copies};
use super::{NEAR, fast};
use crate::Kernels;
#[cfg(target_arch = "x86_64")]
use crate::kernels::Proof;

/// Why a stream cannot be decoded, and where.
///
/// `at` is the offset, in the compressed stream, of the first byte of the token at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The stream has no bytes at all.
    Empty,
    /// A token, with what belongs to it, needs more bytes than the stream has.
    Truncated {
        /// Offset of the token.
        at: usize,
        /// Bytes from the token on that it needs at least.
        needed: usize,
        /// Bytes from the token on that there are.
        available: usize,
    },
    /// A token produces more bytes than there is room for.
    Overflow {
        /// Offset of the token.
        at: usize,
        /// Bytes it produces.
        len: usize,
        /// Bytes that still fit.
        room: usize,
    },
    /// A match refers to bytes before the beginning of the output.
    Distance {
        /// Offset of the token.
        at: usize,
        /// How far back it refers.
        distance: usize,
        /// Bytes produced so far.
        produced: usize,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => write!(f, "BloscLZ stream: empty"),
            Self::Truncated {
                at,
                needed,
                available,
            } => {
                write!(
                    f,
                    "BloscLZ stream, offset {at}: token needs {needed} bytes, {available} are left"
                )
            }
            Self::Overflow { at, len, room } => {
                write!(
                    f,
                    "BloscLZ stream, offset {at}: token produces {len} bytes, room for {room}"
                )
            }
            Self::Distance {
                at,
                distance,
                produced,
            } => {
                write!(
                    f,
                    "BloscLZ stream, offset {at}: match refers {distance} bytes back, {produced} are there"
                )
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// Decodes the stream `src` into the front of `dst` and returns the number of bytes produced.
///
/// The length of `dst` is the output limit; bytes behind those produced may be overwritten. A match that ends the
/// stream is dropped, as C does; no encoder ends a stream so.
///
/// # Errors
///
/// [`DecodeError`] when the stream is empty or ends inside a token, produces more than `dst.len()` bytes, or refers
/// to bytes before its output. `dst` then holds garbage.
///
/// Source: format §6.1.
#[doc(alias = "blosclz_decompress")]
pub fn decode(kernels: Kernels, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    decode_prefix(kernels, src, dst, usize::MAX)
}

/// Decodes `src` like [`decode`], but stops as soon as `wanted` bytes are produced.
///
/// Returns the number of bytes produced: at least `wanted`, unless the stream is shorter. What follows the place
/// where it stops is not looked at.
///
/// ```
/// use oxiblosc_kernels::{Kernels, blosclz::decode_prefix};
///
/// let stream = *b"\x27abcdefgh\xe0\x4c\x07\x02fgh";
/// let mut dst = [0; 96];
/// assert_eq!(decode_prefix(Kernels::best(), &stream, &mut dst, 3), Ok(8));
/// assert_eq!(dst[..3], *b"abc");
/// ```
///
/// # Errors
///
/// As [`decode`], for the part of the stream that is read.
pub fn decode_prefix(
    kernels: Kernels,
    src: &[u8],
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    dispatch(kernels, src, src.len(), dst, wanted)
}

/// [`decode`] of the stream `src[..len]`, where more bytes follow: they are never heeded, but spare the end of a
/// stream, and all of a short one, the copy to a place with room behind it.
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
    dispatch(kernels, src, len, dst, usize::MAX)
}

/// [`decode_within`] that stops as [`decode_prefix`] does, as soon as `wanted` bytes are produced.
///
/// # Errors
///
/// As [`decode_prefix`].
pub fn decode_front(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    dispatch(kernels, src, len, dst, wanted)
}

#[inline]
fn dispatch(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    match kernels.proof() {
        // SAFETY: `kernels` proves the instructions.
        #[cfg(target_arch = "x86_64")]
        Proof::Avx512(_) => unsafe { tokens_avx512(src, len, dst, wanted) },
        // SAFETY: `kernels` proves the instructions.
        #[cfg(target_arch = "x86_64")]
        Proof::Avx2(_) => unsafe { tokens_avx2(src, len, dst, wanted) },
        // SAFETY: needs nothing.
        _ => unsafe { tokens::<copies::Words>(src, len, dst, wanted) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tokens_avx512(
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    // SAFETY: the function's features are those of the type.
    unsafe { tokens::<copies::Avx512>(src, len, dst, wanted) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tokens_avx2(
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    // SAFETY: the function's features are those of the type.
    unsafe { tokens::<copies::Avx2>(src, len, dst, wanted) }
}

/// Carries out tokens: the ordinary ones fast, the others one at a time.
///
/// # Safety
///
/// The CPU has the instructions of `C`.
#[inline(always)]
unsafe fn tokens<C: Copies>(
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    let stream = src.get(..len).unwrap_or(src);
    // No more of what is behind: a length that does not end here may not be read on for long.
    let padded = stream.len().saturating_add(fast::READ_MARGIN);
    let src = src.get(..padded).unwrap_or(stream);
    let room_behind = src.len() > stream.len();
    let first = *stream.first().ok_or(DecodeError::Empty)?;
    let mut state = State {
        token: usize::from(first & 31),
        read: 1,
        produced: 0,
    };
    loop {
        if !room_behind || stream.len().saturating_sub(state.read) > SHORT {
            // SAFETY: the caller's promise.
            unsafe { fast::run::<C, false>(stream, stream.len(), dst, &mut state, wanted) };
        }
        if room_behind {
            // SAFETY: the caller's promise.
            unsafe { fast::run::<C, true>(src, stream.len(), dst, &mut state, wanted) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { run_to_the_end::<C>(stream, dst, &mut state, wanted) };
        }
        if state.produced >= wanted || state.token == ENDED {
            return Ok(state.produced);
        }
        let mut careful = Careful {
            src: stream,
            dst,
            state: &mut state,
        };
        if !careful.step()? {
            return Ok(state.produced);
        }
    }
}

/// Up to here one loop looks for the stream's end in every token; longer streams begin with one that does not.
const SHORT: usize = 2048;

/// Carries out the last tokens fast, from a copy of them with room behind it.
///
/// # Safety
///
/// The CPU has the instructions of `C`.
#[inline(always)]
unsafe fn run_to_the_end<C: Copies>(src: &[u8], dst: &mut [u8], state: &mut State, wanted: usize) {
    let rest = src.get(state.read..).unwrap_or_default();
    let mut padded = [0; 3 * fast::READ_MARGIN];
    let most = fast::READ_MARGIN.saturating_add(8);
    let room = dst.len().saturating_sub(state.produced);
    // More is left when the loop stopped for another reason; less is a last token.
    if rest.len() > most || rest.len() < 4 || room <= fast::WRITE_MARGIN {
        return;
    }
    if let Some(front) = padded.get_mut(..rest.len()) {
        front.copy_from_slice(rest);
        let before = state.read;
        state.read = 0;
        // SAFETY: the caller's promise.
        unsafe { fast::run::<C, true>(&padded, rest.len(), dst, state, wanted) };
        state.read = state.read.saturating_add(before);
    }
}

/// The token behind the last one; first bytes are below 256.
pub(super) const ENDED: usize = usize::MAX;

/// Where the decoder stands: before a token whose first byte is read.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) token: usize,
    /// Offset behind the token's first byte.
    pub(super) read: usize,
    /// Bytes of output; never more than there is room for.
    pub(super) produced: usize,
}

/// The decoder of single tokens, which checks everything.
struct Careful<'a, 'b> {
    src: &'a [u8],
    dst: &'b mut [u8],
    state: &'b mut State,
}

impl Careful<'_, '_> {
    /// Carries out the token; whether there is a next one.
    fn step(&mut self) -> Result<bool, DecodeError> {
        let State {
            token,
            read,
            produced,
        } = *self.state;
        if token < 32 {
            let len = token.saturating_add(1);
            let target = self.room(len)?;
            let end = read.saturating_add(len);
            let literals = self.src.get(read..end).ok_or_else(|| self.truncated(end))?;
            if let Some(target) = self.dst.get_mut(target.clone()) {
                target.copy_from_slice(literals);
            }
            return Ok(self.advance(end, target.end));
        }
        let (len, distance, end) = self.match_token()?;
        let target = self.room(len)?;
        let Some(from) = produced.checked_sub(distance) else {
            return Err(DecodeError::Distance {
                at: self.at(),
                distance,
                produced,
            });
        };
        if end == self.src.len() {
            // C drops a match at the very end.
            return Ok(false);
        }
        self.repeat(from, target.clone());
        Ok(self.advance(end, target.end))
    }

    /// Fills `target` with the bytes from `from` up to it, over and over.
    fn repeat(&mut self, from: usize, target: Range<usize>) {
        if target.start.saturating_sub(from) == 1 {
            let byte = self.dst.get(from).copied().unwrap_or(0);
            if let Some(target) = self.dst.get_mut(target) {
                target.fill(byte);
            }
            return;
        }
        // The part to copy doubles, as long as it is likely to stay in the first-level cache.
        let mut done = target.start;
        let mut ready = done.saturating_sub(from);
        while done < target.end {
            let len = ready.min(target.end.saturating_sub(done));
            self.dst.copy_within(from..from.saturating_add(len), done);
            done = done.saturating_add(len);
            if ready < 8192 {
                ready = done.saturating_sub(from);
            }
        }
    }

    /// Length, distance and end of a match token.
    fn match_token(&self) -> Result<(usize, usize, usize), DecodeError> {
        let State {
            token, mut read, ..
        } = *self.state;
        let mut len = (token >> 5).saturating_add(2);
        let high = (token & 31) << 8;
        // In every step the byte read must not be the last one, except for a distance that follows a length.
        let mut pair = [255, 0];
        if token >= 7 << 5 {
            // Eight bytes of 255 at a time, one byte behind them.
            while self
                .src
                .get(read..read.saturating_add(9))
                .is_some_and(|bytes| bytes.starts_with(&[255; 8]))
            {
                len = len.saturating_add(8 * 255);
                read = read.saturating_add(8);
            }
            while pair[0] == 255 {
                pair = self.pair(read)?;
                len = len.saturating_add(usize::from(pair[0]));
                read = read.saturating_add(1);
            }
            pair = [pair[1], 0];
        } else {
            pair = self.pair(read)?;
        }
        read = read.saturating_add(1);
        let near = high.saturating_add(usize::from(pair[0])).saturating_add(1);
        if near <= NEAR {
            return Ok((len, near, read));
        }
        let far = usize::from(u16::from_be_bytes(self.pair(read)?));
        Ok((len, near.saturating_add(far), read.saturating_add(2)))
    }

    /// The two bytes at `read`.
    fn pair(&self, read: usize) -> Result<[u8; 2], DecodeError> {
        let end = read.saturating_add(2);
        let pair = self
            .src
            .get(read..end)
            .and_then(|pair| pair.try_into().ok());
        pair.ok_or_else(|| self.truncated(end))
    }

    /// Moves on to the token at `read`; whether there is one.
    fn advance(&mut self, read: usize, produced: usize) -> bool {
        self.state.produced = produced;
        let Some(&token) = self.src.get(read) else {
            return false;
        };
        self.state.token = usize::from(token);
        self.state.read = read.saturating_add(1);
        true
    }

    /// Where `len` more bytes go.
    fn room(&self, len: usize) -> Result<Range<usize>, DecodeError> {
        let produced = self.state.produced;
        let room = self.dst.len().saturating_sub(produced);
        if len > room {
            return Err(DecodeError::Overflow {
                at: self.at(),
                len,
                room,
            });
        }
        Ok(produced..produced.saturating_add(len))
    }

    /// Offset of the token.
    fn at(&self) -> usize {
        self.state.read.saturating_sub(1)
    }

    fn truncated(&self, end: usize) -> DecodeError {
        let at = self.at();
        DecodeError::Truncated {
            at,
            needed: end.saturating_sub(at),
            available: self.src.len().saturating_sub(at),
        }
    }
}
