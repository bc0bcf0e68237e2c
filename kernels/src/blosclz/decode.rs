//! The decoder (format §6.1).
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use core::fmt;

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
pub fn decode(src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
    decode_prefix(src, dst, usize::MAX)
}

/// Decodes `src` like [`decode`], but stops as soon as `wanted` bytes are produced.
///
/// Returns the number of bytes produced: at least `wanted`, unless the stream is shorter. What follows the place
/// where it stops is not looked at.
///
/// ```
/// use oxiblosc_kernels::blosclz::decode_prefix;
///
/// let stream = *b"\x27abcdefgh\xe0\x4c\x07\x02fgh";
/// let mut dst = [0; 96];
/// assert_eq!(decode_prefix(&stream, &mut dst, 3), Ok(8));
/// assert_eq!(dst[..3], *b"abc");
/// ```
///
/// # Errors
///
/// As [`decode`], for the part of the stream that is read.
pub fn decode_prefix(src: &[u8], dst: &mut [u8], wanted: usize) -> Result<usize, DecodeError> {
    let first = *src.first().ok_or(DecodeError::Empty)?;
    let mut cursor = Cursor {
        src,
        dst,
        at: 0,
        read: 1,
        produced: 0,
    };
    let mut token = first & 31;
    while cursor.produced < wanted {
        match cursor.step(token)? {
            Some(next) => token = next,
            None => break,
        }
    }
    Ok(cursor.produced)
}

/// Where the decoder stands.
struct Cursor<'a, 'b> {
    src: &'a [u8],
    dst: &'b mut [u8],
    /// Offset of the token in work.
    at: usize,
    /// Offset of the next byte to read.
    read: usize,
    produced: usize,
}

impl Cursor<'_, '_> {
    /// Carries out `token` and returns the next one, or `None` at the end.
    fn step(&mut self, token: u8) -> Result<Option<u8>, DecodeError> {
        if token < 32 {
            let len = usize::from(token).saturating_add(1);
            let produced = self.room_for(len)?;
            let end = self.read.saturating_add(len);
            let literals = self
                .src
                .get(self.read..end)
                .ok_or_else(|| self.truncated(end))?;
            if let Some(target) = self.dst.get_mut(self.produced..produced) {
                target.copy_from_slice(literals);
            }
            (self.read, self.produced) = (end, produced);
            return Ok(self.next_token());
        }
        let (len, distance) = self.read_match(token)?;
        let produced = self.room_for(len)?;
        let Some(from) = self.produced.checked_sub(distance) else {
            return Err(DecodeError::Distance {
                at: self.at,
                distance,
                produced: self.produced,
            });
        };
        let next = self.next_token();
        if next.is_some() {
            // The copied part doubles until it is long enough.
            while self.produced < produced {
                let ready = self
                    .produced
                    .saturating_sub(from)
                    .min(produced.saturating_sub(self.produced));
                self.dst
                    .copy_within(from..from.saturating_add(ready), self.produced);
                self.produced = self.produced.saturating_add(ready);
            }
        }
        Ok(next)
    }

    /// The rest of a match token: length and distance.
    fn read_match(&mut self, token: u8) -> Result<(usize, usize), DecodeError> {
        let mut len = usize::from(token >> 5).saturating_add(2);
        let high = usize::from(token & 31) << 8;
        if token >= 7 << 5 {
            loop {
                let more = self.read_inner()?;
                len = len.saturating_add(usize::from(more));
                if more != 255 {
                    break;
                }
            }
            // The last byte of a token may stand at the end; the one after the length must not be missing.
        } else {
            self.peek_two()?;
        }
        let low = *self
            .src
            .get(self.read)
            .ok_or_else(|| self.truncated(self.read.saturating_add(1)))?;
        self.read = self.read.saturating_add(1);
        if low == 255 && high == 31 << 8 {
            self.peek_two()?;
            let pair = self.src.get(self.read..self.read.saturating_add(2));
            let [hi, lo] = pair.and_then(|pair| pair.try_into().ok()).unwrap_or([0; 2]);
            self.read = self.read.saturating_add(2);
            let far = usize::from(u16::from_be_bytes([hi, lo]));
            return Ok((len, far.saturating_add(super::NEAR).saturating_add(1)));
        }
        Ok((len, high.saturating_add(usize::from(low)).saturating_add(1)))
    }

    /// Reads a byte that must not be the last one.
    fn read_inner(&mut self) -> Result<u8, DecodeError> {
        self.peek_two()?;
        let byte = self.src.get(self.read).copied().unwrap_or(0);
        self.read = self.read.saturating_add(1);
        Ok(byte)
    }

    fn peek_two(&self) -> Result<(), DecodeError> {
        let end = self.read.saturating_add(2);
        if end > self.src.len() {
            Err(self.truncated(end))
        } else {
            Ok(())
        }
    }

    fn next_token(&mut self) -> Option<u8> {
        self.at = self.read;
        let token = self.src.get(self.read).copied()?;
        self.read = self.read.saturating_add(1);
        Some(token)
    }

    /// The output's length after `len` more bytes.
    fn room_for(&self, len: usize) -> Result<usize, DecodeError> {
        let room = self.dst.len().saturating_sub(self.produced);
        if len > room {
            return Err(DecodeError::Overflow {
                at: self.at,
                len,
                room,
            });
        }
        Ok(self.produced.saturating_add(len))
    }

    fn truncated(&self, end: usize) -> DecodeError {
        DecodeError::Truncated {
            at: self.at,
            needed: end.saturating_sub(self.at),
            available: self.src.len().saturating_sub(self.at),
        }
    }
}
