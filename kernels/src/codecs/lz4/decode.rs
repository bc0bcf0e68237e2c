//! The decoder: a loop of wide moves while there is room, one careful sequence where there is not.
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
//! The fast loop moves a whole vector where a few bytes are meant, so it runs only while a vector
//! fits behind every position it touches, and hands every doubtful sequence, unread, to the
//! careful step, which is safe code and the only one that judges: it names what is wrong.
//! The last bytes of a stream are copied to a place with room behind it, so that the fast loop takes
//! them, too; a caller whose output has room behind the content spares the careful step its end.
//! What bounds it is mispredicted branches, and loads of bytes that several stores in flight have
//! written: short matches are therefore copied in pieces of 8 bytes, never by a whole vector
//! (0.89 times the C library's speed with vectors throughout, 1.22 in pieces; geometric mean over
//! 24 kinds of data), and no more pieces than the length takes (1.9 instead of 1.0 on numbers of 8
//! bytes, 1.05 to 1.15 on planes of real ones); a vector is used where a length has an extension byte.

use crate::Kernels;
#[cfg(target_arch = "x86_64")]
use crate::kernels::Proof;

use super::lanes::{Lanes, Portable, load, store, stride_table};
use super::{DecodeError, DecodeFault, MIN_MATCH};

/// A sequence boundary: bytes of the stream read, bytes of output produced.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// [`ENDED`] behind the last sequence.
    read: usize,
    produced: usize,
}

/// No slice is so long.
const ENDED: usize = usize::MAX;

/// Decodes a whole stream; returns how many bytes it holds.
///
/// `dst` is the output, exactly as long as the stream's content or longer; bytes behind the
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

/// [`decode`] of the stream `src[..len]`, where more bytes follow: they are never heeded, but spare the
/// end of a stream, and all of a short one, the copy to a place with room behind it (streams of 3 to 11 KB: 1.05
/// to 1.15 times as fast).
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

/// [`decode_within`] that may stop as soon as `wanted` bytes are there; returns how many are. With room
/// for more in `dst`, that is faster than [`decode_prefix`].
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
fn run<const PREFIX: bool>(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dict: &[u8],
    dst: &mut [u8],
    wanted: usize,
) -> Result<usize, DecodeError> {
    let stream = src.get(..len).unwrap_or(src);
    let len = stream.len();
    // No more of what is behind: a length that does not end here may not be read on for long.
    let src = src.get(..len.saturating_add(READ_MARGIN)).unwrap_or(stream);
    let room_behind = src.len() > len;
    let mut at = Cursor {
        read: 0,
        produced: 0,
    };
    loop {
        if !room_behind || len - at.read > SHORT {
            at = fast::<false>(kernels, stream, len, dst, at, wanted);
        }
        at = if room_behind {
            fast::<true>(kernels, src, len, dst, at, wanted)
        } else {
            fast_to_the_end(kernels, stream, dst, at, wanted)
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

/// The widest margin that the fast loop keeps at the end of a stream.
const READ_MARGIN: usize = 2 * 32 + 8;

/// Up to here one loop looks for the stream's end in every sequence; longer streams begin with one that does not.
const SHORT: usize = 2048;

/// Runs the fast loop on a copy of the last bytes of the stream, with room behind them.
#[inline]
fn fast_to_the_end(
    kernels: Kernels,
    src: &[u8],
    dst: &mut [u8],
    at: Cursor,
    wanted: usize,
) -> Cursor {
    let rest = src.get(at.read..).unwrap_or_default();
    let mut padded = [0; 3 * READ_MARGIN];
    // More is left when the loop stopped for another reason; less is a last sequence.
    if rest.len() > READ_MARGIN + 16 || rest.len() < 8 || at.produced + 96 >= dst.len() {
        return at;
    }
    let Some(front) = padded.get_mut(..rest.len()) else {
        return at;
    };
    front.copy_from_slice(rest);
    let local = Cursor { read: 0, ..at };
    let end = fast::<true>(kernels, &padded, rest.len(), dst, local, wanted);
    Cursor {
        read: at.read.saturating_add(end.read),
        produced: end.produced,
    }
}

/// Runs the fast loop of the best instruction set. With `PADDED`, only the first `len` bytes of
/// `src` are the stream. It stops behind `wanted` bytes.
#[inline]
fn fast<const PADDED: bool>(
    kernels: Kernels,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    at: Cursor,
    wanted: usize,
) -> Cursor {
    #[cfg(target_arch = "x86_64")]
    {
        match kernels.proof() {
            // SAFETY: the token proves the instructions.
            Proof::Avx512(_) => return unsafe { fast_avx512::<PADDED>(src, len, dst, at, wanted) },
            // SAFETY: the token proves the instructions.
            Proof::Avx2(_) => return unsafe { fast_avx2::<PADDED>(src, len, dst, at, wanted) },
            _ => {}
        }
    }
    fast_loop::<Portable, PADDED>(src, len, dst, at, wanted)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn fast_avx512<const PADDED: bool>(
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    at: Cursor,
    wanted: usize,
) -> Cursor {
    fast_loop::<super::lanes::Avx512, PADDED>(src, len, dst, at, wanted)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn fast_avx2<const PADDED: bool>(
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    at: Cursor,
    wanted: usize,
) -> Cursor {
    fast_loop::<super::lanes::Avx2, PADDED>(src, len, dst, at, wanted)
}

/// Decodes sequences while every move fits; returns the boundary before the first that it leaves.
///
/// Callers with `L` other than `Portable` have the instruction set enabled.
#[inline(always)]
fn fast_loop<L: Lanes, const PADDED: bool>(
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    at: Cursor,
    wanted: usize,
) -> Cursor {
    let width = L::WIDTH;
    let Cursor {
        mut read,
        mut produced,
    } = at;
    // token, one extension, literals (a vector), distance, one extension, and one spare
    let Some(read_end) = src.len().checked_sub(2 * width + 8) else {
        return at;
    };
    // literals (a vector) and a match (a vector)
    let Some(produced_end) = dst.len().checked_sub(3 * width) else {
        return at;
    };
    let read_end = if PADDED { read_end.min(len) } else { read_end };
    let from = src.as_ptr();
    let to = dst.as_mut_ptr();
    let stop = produced_end.min(wanted);
    while read < read_end && produced < stop {
        // SAFETY: read < src.len().
        let [token] = unsafe { load(from, read) };
        let mut r = read + 1;
        let mut p = produced;

        let mut literals = usize::from(token >> 4);
        if literals < 15 {
            // SAFETY: read + 1 + 16 <= src.len().
            let v: [u8; 16] = unsafe { load(from, r) };
            // SAFETY: p + 2 * width <= dst.len().
            unsafe { store(to, p, v) };
        } else {
            // SAFETY: read + 1 < src.len().
            let [more] = unsafe { load(from, r) };
            literals += usize::from(more);
            r += 1;
            if more == 255 {
                let Some((more, next)) = extended(src, r) else {
                    break;
                };
                literals += more;
                r = next;
            }
            // The margins hold again behind the literals.
            if literals > read_end.saturating_sub(r) || literals > produced_end - p {
                break;
            }
            // SAFETY: literals > 0, and two vectors fit behind them on both sides.
            unsafe { copy_pair::<L>(from, r, to, p) };
            let mut done = 2 * width;
            while done < literals {
                // SAFETY: done < literals, and two vectors fit behind them on both sides.
                unsafe { copy_pair::<L>(from, r + done, to, p + done) };
                done += 2 * width;
            }
        }
        r += literals;
        p += literals;
        if PADDED && r >= len {
            if r == len {
                (read, produced) = (ENDED, p);
            }
            break;
        }

        // SAFETY: r + 2 <= src.len(): either read + 17, or the margin just checked.
        let distance = usize::from(u16::from_le_bytes(unsafe { load(from, r) }));
        // 0 wraps to the largest value
        if distance.wrapping_sub(1) >= p {
            break;
        }
        r += 2;
        let back = p - distance;
        let mut length = usize::from(token & 15) + MIN_MATCH;
        if length < MIN_MATCH + 15 {
            // SAFETY: p <= produced + 16 or the margin checked, and two vectors more are in it; back < p.
            unsafe { copy_short::<L>(to, back, p, length) };
        } else {
            // SAFETY: r < src.len(): within the margin.
            let [more] = unsafe { load(from, r) };
            length += usize::from(more);
            r += 1;
            if more == 255 {
                let Some((more, next)) = extended(src, r) else {
                    break;
                };
                length += more;
                r = next;
            }
            if length > produced_end.saturating_sub(p) {
                break;
            }
            // SAFETY: back < p, p + length + 2 * width <= dst.len(), 1 <= distance <= p.
            unsafe { copy_long::<L>(to, back, p, length) };
        }
        // A sequence that reads behind the stream is not one: what it wrote is not counted.
        if PADDED && r > len {
            break;
        }
        read = r;
        produced = p + length;
    }
    Cursor { read, produced }
}

/// Copies a match of 4 to 18 bytes.
///
/// # Safety
/// `back < p`, and 18 bytes and a vector are writable from `p` on.
#[inline(always)]
unsafe fn copy_short<L: Lanes>(to: *mut u8, back: usize, p: usize, length: usize) {
    let distance = p - back;
    if distance >= 8 {
        // SAFETY: back + 8 <= p.
        let a: [u8; 8] = unsafe { load(to, back) };
        // SAFETY: the caller's promise.
        unsafe { store(to, p, a) };
        // A match of one word copies it twice: without a branch on the length, and without bytes
        // behind it that a later load would have to wait for. 1.2 times as fast as either on planes,
        // 1.7 times as fast as the branch on text.
        let second = if length > 8 { 8 } else { 0 };
        // SAFETY: back + 16 <= p + 8.
        let b: [u8; 8] = unsafe { load(to, back + second) };
        // SAFETY: as above.
        unsafe { store(to, p + second, b) };
        if length > 16 {
            // SAFETY: back + 18 <= p + 16.
            let c: [u8; 2] = unsafe { load(to, back + 16) };
            // SAFETY: as above.
            unsafe { store(to, p + 16, c) };
        }
        return;
    }
    // SAFETY: back + 8 <= p + 8.
    let bytes: [u8; 8] = unsafe { load(to, back) };
    // SAFETY: the caller enabled the instruction set.
    let v = unsafe { L::repeat_8(bytes, distance) };
    // SAFETY: the caller's promise.
    unsafe { L::store(to, p, v) };
    if L::WIDTH < MIN_MATCH + 14 {
        // A period of 1 to 7 has a multiple in 8..16: it comes from what was written.
        let again = distance * (8usize.div_ceil(distance));
        // SAFETY: again <= 14 <= 16 and p + 16 - again >= back.
        let rest: [u8; 2] = unsafe { load(to, p + 16 - again) };
        // SAFETY: as above.
        unsafe { store(to, p + 16, rest) };
    }
}

/// Copies a match longer than a vector, in order, in whole vectors.
///
/// # Safety
/// `back < p`, and `p + length + L::WIDTH` is within the buffer at `to`.
#[inline(always)]
unsafe fn copy_long<L: Lanes>(to: *mut u8, back: usize, p: usize, length: usize) {
    let width = L::WIDTH;
    let distance = p - back;
    let end = p + length;
    let mut at = p;
    if distance < width {
        let v = if distance < 8 {
            // SAFETY: back + 8 < p + 8.
            let bytes: [u8; 8] = unsafe { load(to, back) };
            // SAFETY: the caller enabled the instruction set.
            unsafe { L::repeat_8(bytes, distance) }
        } else {
            // SAFETY: back + width < p + width; 1 <= distance < width.
            unsafe { L::repeat(to, back, distance) }
        };
        let stride = if width == 16 {
            usize::from(const { stride_table::<16>() }[distance & 15])
        } else {
            usize::from(const { stride_table::<32>() }[distance & 31])
        };
        loop {
            // SAFETY: at < end, and two vectors fit behind `end`.
            unsafe { L::store(to, at, v) };
            // SAFETY: as above, stride <= width.
            unsafe { L::store(to, at + stride, v) };
            at += 2 * stride;
            if at >= end {
                break;
            }
        }
    } else {
        loop {
            // SAFETY: at < end, and two vectors fit behind `end`; the source is before.
            unsafe { copy_pair::<L>(to, at - distance, to, at) };
            at += 2 * width;
            if at >= end {
                break;
            }
        }
    }
}

/// Copies two vectors, one after the other, so that the second may read what the first wrote.
///
/// # Safety
/// `2 * L::WIDTH` bytes are readable at `from + at` and writable at `to + p`.
#[inline(always)]
unsafe fn copy_pair<L: Lanes>(from: *const u8, at: usize, to: *mut u8, p: usize) {
    // SAFETY: the caller's promise.
    let v = unsafe { L::load(from, at) };
    // SAFETY: the caller's promise.
    unsafe { L::store(to, p, v) };
    // SAFETY: the caller's promise.
    let v = unsafe { L::load(from, at + L::WIDTH) };
    // SAFETY: the caller's promise.
    unsafe { L::store(to, p + L::WIDTH, v) };
}

/// Reads the rest of an extended length: `(sum, offset behind it)`, or `None` when it does not end.
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

enum Step {
    Next(Cursor),
    End(usize),
}

/// Decodes one sequence with every check, in safe code; with `PREFIX` a full `dst` is the end.
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
    let truncated = |offset: usize, needed: usize| DecodeError {
        offset,
        fault: DecodeFault::Truncated {
            needed,
            left: src.len().saturating_sub(offset),
        },
    };
    let token = *src.get(read).ok_or_else(|| truncated(read, 1))?;
    let mut r = read + 1;
    let mut literals = usize::from(token >> 4);
    if literals == 15 {
        let (more, next) = extended(src, r).ok_or_else(|| truncated(src.len(), 1))?;
        literals = literals.saturating_add(more);
        r = next;
    }
    let room = dst.len() - p;
    let fits = literals <= room;
    if !fits && !PREFIX {
        return Err(DecodeError {
            offset: read,
            fault: DecodeFault::Overflow {
                needed: literals,
                room,
            },
        });
    }
    let taken = literals.min(room);
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
        return Err(DecodeError {
            offset: distance_at,
            fault: DecodeFault::Distance {
                distance,
                history: p.saturating_add(dict.len()),
            },
        });
    }
    let room = dst.len() - p;
    if length > room && !PREFIX {
        return Err(DecodeError {
            offset: read,
            fault: DecodeFault::Overflow {
                needed: length,
                room,
            },
        });
    }
    let produced = copy_match(dict, dst, p, distance, length.min(room));
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
    // What lies between `back` and the end repeats: each pass may copy all of it.
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
