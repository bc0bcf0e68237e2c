//! The decoder: a loop of wide moves, and a careful step near the ends of its buffers.
//!
//! A sequence is a token, literals, and a match:
//!
//! ```text
//! token  [more literal length]  literals  distance (2 bytes, LE)  [more match length]
//! LLLLMMMM     255 ... 255 n              1 ..= 65535                255 ... 255 n
//! ```
//!
//! The literal length is `L`, plus the following bytes up to the first that is not 255 when `L` is
//! 15; the match length is `M + 4`, extended the same way. The stream ends after literals.
//!
//! The fast loop moves a whole vector for a few bytes, so it runs only while a vector follows every
//! position it accesses, and leaves every doubtful sequence, unread, to the careful step, which is
//! safe code and the only one that reports errors. The last bytes of a stream are copied to a
//! buffer with slack, so that the fast loop decodes them, too; a caller whose output has slack
//! after the content avoids the careful step at the end.
//!
//! The bottleneck is mispredicted branches, and loads of bytes that several stores in flight have
//! written: short matches are therefore copied in pieces of 8 bytes, never by a whole vector
//! (0.89 times the C library's speed with vectors throughout, 1.22 in pieces; geometric mean over
//! 24 kinds of data), the second in the place of the first if one is enough (1.9 instead of 1.0 on
//! numbers of 8 bytes, 1.05 to 1.15 on planes of real ones); two bytes more are copied always,
//! which costs less than to ask. A length with an extension byte is copied in vectors.
//!
//! Between two mispredictions the bottleneck is the chain from one token to the next: a load and
//! two operations of one cycle each.

use crate::Kernels;
use crate::codecs::lz::copy::{copy_long, copy_pairs, copy_up_to_18, repeat_up_to_18};
use crate::codecs::lz::raw::move_bytes;
use crate::codecs::lz::{self, Lanes, Task, load};

use super::limits::MIN_MATCH;
use crate::codecs::{DecodeError, DecodeErrorKind};

/// A sequence boundary: bytes of the stream read, bytes of output produced.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// [`ENDED`] after the last sequence.
    read: usize,
    produced: usize,
}

/// No slice is so long.
const ENDED: usize = usize::MAX;

/// Decodes a whole stream; returns how many bytes it holds.
///
/// `dst` is the output, exactly as long as the stream's content or longer; bytes after the
/// returned length are unspecified.
///
/// # Errors
/// When the stream ends inside a sequence, a distance is 0 or reaches before the start of the
/// output, or the content does not fit `dst`.
///
/// # Example
/// ```
/// use oxiblosc_kernels::{Kernels, lz4};
/// let mut dst = [0; 9];
/// // One literal, a match of 4 + 2 at distance 1, and two literals at the end.
/// let stream = [0x12, b'a', 1, 0, 0x20, b'b', b'c'];
/// assert_eq!(lz4::decode(Kernels::best(), &stream, &mut dst), Ok(9));
/// assert_eq!(&dst, b"aaaaaaabc");
/// ```
#[doc(alias = "LZ4_decompress_safe")]
pub fn decode(kernels: Kernels, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    run::<false>(kernels, src, src.len(), &[], dst, usize::MAX)
}

/// [`decode`] of the stream `src[..len]`, which more bytes follow: they are ignored, but save
/// copying the end of a stream, and all of a short one, to a buffer with slack (streams of 3 to 11
/// KB: 1.05 to 1.15 times as fast).
///
/// # Errors
/// As [`decode`]. Of a `len` beyond `src`, all of `src` is the stream.
///
/// # Example
/// ```
/// use oxiblosc_kernels::{Kernels, lz4};
/// let mut dst = [0; 9];
/// let chunk = [0x12, b'a', 1, 0, 0x20, b'b', b'c', 7, 7, 7];
/// assert_eq!(lz4::decode_within(Kernels::best(), &chunk, 7, &mut dst), Ok(9));
/// assert_eq!(&dst, b"aaaaaaabc");
/// ```
pub fn decode_within(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
) -> Result<usize, DecodeError> {
    run::<false>(kernels, src, len, &[], dst, usize::MAX)
}

/// Decodes a whole stream whose distances may reach back into `dict`, as if it preceded the output.
///
/// # Errors
/// As [`decode`]; a distance must stay within output and dictionary together.
#[doc(alias = "LZ4_decompress_safe_usingDict")]
pub fn decode_with_dict(
    kernels: Kernels,
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
) -> Result<usize, DecodeError> {
    run::<false>(kernels, src, src.len(), dict, dst, usize::MAX)
}

/// Decodes the beginning of a stream: stops as soon as `dst` is full.
///
/// Returns `dst.len()`, or less when the stream holds less.
///
/// # Errors
/// As [`decode`], for the part of the stream that is read; more content than `dst` takes is none.
#[doc(alias = "LZ4_decompress_safe_partial")]
pub fn decode_prefix(kernels: Kernels, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    run::<true>(kernels, src, src.len(), &[], dst, usize::MAX)
}

/// [`decode_prefix`] with a dictionary, as in [`decode_with_dict`].
///
/// # Errors
/// As [`decode_prefix`].
#[doc(alias = "LZ4_decompress_safe_partial_usingDict")]
pub fn decode_prefix_with_dict(
    kernels: Kernels,
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
) -> Result<usize, DecodeError> {
    run::<true>(kernels, src, src.len(), dict, dst, usize::MAX)
}

/// [`decode_within`] that stops as soon as `wanted` bytes are produced; returns how many are. Where
/// `dst` is longer than `wanted`, that is faster than [`decode_prefix`].
///
/// # Errors
/// As [`decode_within`], for the part of the stream that is read.
pub fn decode_front(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    run::<false>(kernels, src, len, &[], dst, wanted)
}

/// Decodes `src[..len]`, at least until `wanted` bytes are there.
#[inline]
fn run<const PREFIX: bool>(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dict: &[u8],
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    let stream = src.get(..len).unwrap_or(src);
    lz::run(
        kernels,
        Call::<PREFIX> {
            // A length that does not end in the stream is not read much further.
            src: src
                .get(..stream.len().saturating_add(READ_MARGIN))
                .unwrap_or(stream),
            stream,
            dict,
            dst,
            wanted,
            folds: lz::folds(kernels),
        },
    )
}

/// A call of [`run`]. All loops of a call are compiled for the instruction set together: a short
/// stream takes about as long as the arguments of a second dispatch.
struct Call<'a, const PREFIX: bool> {
    /// The stream and the bytes after it, if enough of them are there.
    src: &'a [u8],
    stream: &'a [u8],
    dict: &'a [u8],
    dst: &'a mut [u8],
    wanted: usize,
    folds: bool,
}

impl<const PREFIX: bool> Task for Call<'_, PREFIX> {
    type Output = Result<usize, DecodeError>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        if L::FOLDS && self.folds {
            self.decode::<L, true>(lanes)
        } else {
            self.decode::<L, false>(lanes)
        }
    }
}

impl<const PREFIX: bool> Call<'_, PREFIX> {
    #[inline(always)]
    fn decode<L: Lanes, const FOLD: bool>(self, lanes: L) -> Result<usize, DecodeError> {
        let Self {
            src,
            stream,
            dict,
            dst,
            wanted,
            folds: _,
        } = self;
        let len = stream.len();
        let followed = src.len() >= len.saturating_add(TOKEN_MARGIN);
        let mut at = Cursor {
            read: 0,
            produced: 0,
        };
        loop {
            if len - at.read > if followed { SHORT } else { READ_MARGIN } {
                at = sequences::<L, FOLD, false>(lanes, stream, len, dst, at, wanted);
            }
            at = if followed {
                sequences::<L, FOLD, true>(lanes, src, len, dst, at, wanted)
            } else {
                fast_to_the_end::<L, FOLD>(lanes, stream, dst, at, wanted)
            };
            if at.read == ENDED || at.produced >= wanted {
                return Ok(at.produced);
            }
            match careful::<PREFIX>(stream, dict, dst, at)? {
                Step::Next(next) => at = next,
                Step::End(produced) => return Ok(produced),
            }
        }
    }
}

/// The bytes that the fast loop reads of a sequence with less than 15 literals, and some more.
const TOKEN_MARGIN: usize = 24;

/// The widest margin that the fast loop keeps at the end of a stream.
const READ_MARGIN: usize = 2 * 32 + 8;

/// Up to here one loop tests for the stream's end in every sequence; longer streams begin with one
/// that does not.
const SHORT: usize = 2048;

/// Runs the fast loop on a copy of the last bytes of the stream, which has slack after them.
#[inline(always)]
fn fast_to_the_end<L: Lanes, const FOLD: bool>(
    lanes: L,
    src: &[u8],
    dst: &mut [u8],
    at: Cursor,
    wanted: usize,
) -> Cursor {
    let rest = src.get(at.read..).unwrap_or_default();
    // More is left when the loop stopped for another reason; less is a last sequence.
    if rest.len() > READ_MARGIN + 16 || rest.len() < 8 || at.produced + 96 >= dst.len() {
        return at;
    }
    let mut padded = [0; 2 * READ_MARGIN + 16];
    let Some(front) = padded.get_mut(..rest.len()) else {
        return at;
    };
    front.copy_from_slice(rest);
    let front = Cursor { read: 0, ..at };
    let end = sequences::<L, FOLD, true>(lanes, &padded, rest.len(), dst, front, wanted);
    Cursor {
        read: at.read.saturating_add(end.read),
        produced: end.produced,
    }
}

/// The fast loop: decodes sequences while every move fits, and returns the boundary before the
/// first one left. With `PADDED`, only the first `len` bytes of `src` are the stream. It stops
/// after `wanted` bytes.
#[inline(always)]
fn sequences<L: Lanes, const FOLD: bool, const PADDED: bool>(
    lanes: L,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    at: Cursor,
    wanted: usize,
) -> Cursor {
    let width = L::WIDTH;
    let Cursor { read, mut produced } = at;
    // token, short literals, distance, one extension
    let Some(read_end) = src.len().checked_sub(TOKEN_MARGIN) else {
        return at;
    };
    // long literals, copied in vectors
    let literals_end = src.len().saturating_sub(2 * width);
    // literals (a vector) and a match (a vector)
    let Some(produced_end) = dst.len().checked_sub(3 * width) else {
        return at;
    };
    let read_end = if PADDED { read_end.min(len) } else { read_end };
    let stop = produced_end.min(wanted);
    let begin = src.as_ptr();
    let to = dst.as_mut_ptr();
    let read_end = begin.wrapping_add(read_end);
    let literals_end = begin.wrapping_add(literals_end);
    let end = begin.wrapping_add(len);
    // A pointer, not an offset: loads with an index take a cycle longer, and the next token waits
    // for this one's.
    let mut from = begin.wrapping_add(read);
    while from < read_end && produced < stop {
        // SAFETY: from < read_end, which is in `src`.
        let [token] = unsafe { load(from) };
        // The length of the literals, and two bytes after the place where they begin: `next` is one
        // addition away from the token's literal length.
        let mut literals = usize::from(token >> 4);
        let mut start = from.wrapping_add(3);
        if literals < 15 {
            // SAFETY: from + 1 + 16 is in `src`, and produced + 2 * width <= dst.len().
            unsafe { move_bytes::<16>(start.wrapping_sub(2), to.wrapping_add(produced)) };
        } else {
            out_of_line();
            // SAFETY: from + 1 is in `src`.
            let extended = unsafe { extend(src, from.wrapping_add(1), literals) };
            let Some((all, r)) = extended else {
                break;
            };
            literals = all;
            // The margins hold again after the literals.
            if literals > literals_end.addr().saturating_sub(r.addr())
                || literals > produced_end - produced
            {
                break;
            }
            // SAFETY: two vectors follow the literals on both sides.
            unsafe { copy_pairs::<L>(r, to.wrapping_add(produced), literals) };
            start = r.wrapping_add(2);
        }
        let mut next = start.wrapping_add(literals);
        let p = produced + literals;
        if PADDED && next.wrapping_sub(2) >= end {
            if next.wrapping_sub(2) == end {
                return Cursor {
                    read: ENDED,
                    produced: p,
                };
            }
            break;
        }

        // SAFETY: next is in `src`: at most from + 17, or the margin just checked.
        let distance = unsafe { load(next.wrapping_sub(2)) };
        let distance = usize::from(u16::from_le_bytes(distance));
        let Some(back) = p.checked_sub(distance) else {
            break;
        };
        let mut length = usize::from(token & 15);
        if length == 15 {
            out_of_line();
            // SAFETY: next is in `src`, as above.
            let extended = unsafe { extend(src, next, length + MIN_MATCH) };
            let Some((all, after)) = extended else {
                break;
            };
            (length, next) = (all, after);
            if distance == 0 || length > produced_end.saturating_sub(p) {
                break;
            }
            // SAFETY: p + length + 2 * width <= dst.len(), 1 <= distance <= p.
            unsafe { copy_long(lanes, to.wrapping_add(p), distance, length) };
            // A sequence that reads past the stream is not one: its output is not counted.
            if PADDED && next > end {
                break;
            }
            from = next;
            produced = p + length;
            continue;
        }
        if distance >= 8 {
            // SAFETY: p <= produced + 16 or the margin checked, and two vectors more are in it;
            // 8 <= distance <= p.
            unsafe {
                copy_up_to_18::<FOLD>(
                    to.wrapping_add(back),
                    to.wrapping_add(p),
                    length + MIN_MATCH,
                );
            };
        } else {
            out_of_line();
            if distance == 0 {
                break;
            }
            // SAFETY: as above; 1 <= distance <= p.
            unsafe { repeat_up_to_18(lanes, to.wrapping_add(p), distance) };
        }
        // As above.
        if PADDED && next > end {
            break;
        }
        from = next;
        produced = p + length + MIN_MATCH;
    }
    let read = from.addr() - begin.addr();
    Cursor { read, produced }
}

/// Moves what follows out of the loop's straight line, so that the other branch has no jump: a
/// short sequence takes one, back to the next token.
#[cold]
#[inline]
fn out_of_line() {}

/// Adds the extension at `at` to a length: the sum, and the place after the extension. `None` when
/// it does not end, or when the sum wraps, as it can where `usize` has 32 bits: the careful step
/// judges both.
///
/// # Safety
/// `at` is in `src`.
#[inline(always)]
unsafe fn extend(src: &[u8], at: *const u8, length: usize) -> Option<(usize, *const u8)> {
    // SAFETY: the contract.
    let [more] = unsafe { load(at) };
    let length = length + usize::from(more);
    let next = at.wrapping_add(1);
    if more < 255 {
        return Some((length, next));
    }
    let begin = src.as_ptr();
    let (more, after) = extended(src, next.addr() - begin.addr())?;
    Some((length.checked_add(more)?, begin.wrapping_add(after)))
}

/// Reads the rest of an extended length: `(sum, offset after it)`, or `None` when it does not end.
#[inline]
fn extended(src: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut sum = 0usize;
    let mut at = from;
    loop {
        let byte = *src.get(at)?;
        sum = sum.checked_add(usize::from(byte))?;
        at += 1;
        if byte != 255 {
            return Some((sum, at));
        }
    }
}

const fn error(offset: usize, kind: DecodeErrorKind) -> DecodeError {
    DecodeError::new("LZ4", offset, kind)
}

const fn overflow(offset: usize, needed: usize, available: usize) -> DecodeError {
    error(offset, DecodeErrorKind::Overflow { needed, available })
}

enum Step {
    Next(Cursor),
    End(usize),
}

/// Decodes one sequence with every check, in safe code; with `PREFIX` a full `dst` is the end.
#[inline(never)]
fn careful<const PREFIX: bool>(
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
    at: Cursor,
) -> Result<Step, DecodeError> {
    let Cursor { read, produced: p } = at;
    if PREFIX && p == dst.len() {
        return Ok(Step::End(p));
    }
    let truncated = |offset: usize, needed: usize| {
        let available = src.len().saturating_sub(offset);
        error(offset, DecodeErrorKind::Truncated { needed, available })
    };
    let token = *src.get(read).ok_or_else(|| truncated(read, 1))?;
    let mut r = read + 1;
    let mut literals = usize::from(token >> 4);
    if literals == 15 {
        let (more, next) = extended(src, r).ok_or_else(|| truncated(src.len(), 1))?;
        literals = literals.saturating_add(more);
        r = next;
    }
    let available = dst.len() - p;
    let fits = literals <= available;
    if !fits && !PREFIX {
        return Err(overflow(read, literals, available));
    }
    let taken = literals.min(available);
    let bytes = src
        .get(r..)
        .and_then(|rest| rest.get(..taken))
        .ok_or_else(|| truncated(r, literals))?;
    let p = match dst.get_mut(p..).and_then(|rest| rest.get_mut(..taken)) {
        Some(target) => {
            target.copy_from_slice(bytes);
            p + taken
        }
        None => p,
    };
    r += taken;
    if r == src.len() || (PREFIX && p == dst.len()) {
        return Ok(Step::End(p));
    }

    let distance_at = r;
    let distance = match src.get(r..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => usize::from(u16::from_le_bytes(*bytes)),
        None => return Err(truncated(r, 2)),
    };
    r += 2;
    let mut length = usize::from(token & 15);
    if length == 15 {
        let (more, next) = extended(src, r).ok_or_else(|| truncated(src.len(), 1))?;
        length = length.saturating_add(more);
        r = next;
    }
    length = length.saturating_add(MIN_MATCH);
    if distance == 0 || distance > p.saturating_add(dict.len()) {
        let history = p.saturating_add(dict.len());
        return Err(error(
            distance_at,
            DecodeErrorKind::Distance { distance, history },
        ));
    }
    let available = dst.len() - p;
    if length > available && !PREFIX {
        return Err(overflow(read, length, available));
    }
    let produced = copy_match(dict, dst, p, distance, length.min(available));
    Ok(Step::Next(Cursor { read: r, produced }))
}

/// Copies a match that may start in the dictionary; returns the end of the output.
///
/// The caller has checked `1 <= distance <= p + dict.len()` and `p + length <= dst.len()`.
fn copy_match(
    dict: &[u8],
    dst: &mut [u8],
    mut p: usize,
    distance: usize,
    mut length: usize,
) -> usize {
    if distance > p {
        let from_dict = (distance - p).min(length);
        let start = dict.len() - (distance - p);
        dst[p..p + from_dict].copy_from_slice(&dict[start..start + from_dict]);
        p += from_dict;
        length -= from_dict;
    }
    // The bytes between `back` and the end repeat: each pass copies all of them.
    let end = p + length;
    if p < end {
        let back = p - distance;
        while p < end {
            let step = (p - back).min(end - p);
            dst.copy_within(back..back + step, p);
            p += step;
        }
    }
    end
}
