//! The decoder's careful step: one token with every check.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use core::ops::Range;

use super::fast::State;
use super::limits::MAX_SHORT_DISTANCE;
use crate::codecs::{DecodeError, DecodeErrorKind};

/// The name of the format, for errors.
const FORMAT: &str = "BloscLZ";

/// The first byte of a stream.
pub(super) fn first(stream: &[u8]) -> Result<u8, DecodeError> {
    stream.first().copied().ok_or_else(|| {
        let kind = DecodeErrorKind::Truncated {
            needed: 1,
            available: 0,
        };
        DecodeError::new(FORMAT, 0, kind)
    })
}

/// The decoder of single tokens, which checks everything.
///
/// With `PREFIX`, a token that does not fit the output is cut.
pub(super) struct Careful<'a, 'b, const PREFIX: bool> {
    pub(super) src: &'a [u8],
    pub(super) dst: &'b mut [u8],
    pub(super) state: &'b mut State,
}

impl<const PREFIX: bool> Careful<'_, '_, PREFIX> {
    /// Carries out the token; whether there is a next one.
    pub(super) fn step(&mut self) -> Result<bool, DecodeError> {
        let State {
            token,
            read,
            produced,
        } = *self.state;
        if token < 32 {
            let len = token.saturating_add(1);
            let target = self.target(len)?;
            let end = read.saturating_add(target.len());
            let literals = self.src.get(read..end).ok_or_else(|| self.truncated(end))?;
            if let Some(target) = self.dst.get_mut(target.clone()) {
                target.copy_from_slice(literals);
            }
            return Ok(self.advance(end, target.end));
        }
        let (len, distance, end) = self.match_token()?;
        let target = self.target(len)?;
        let Some(from) = produced.checked_sub(distance) else {
            return Err(self.error(DecodeErrorKind::Distance {
                distance,
                history: produced,
            }));
        };
        if end == self.src.len() {
            // C drops a match at the end of a stream.
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
        // In every step the byte read must not be the last one, except for a distance that
        // follows a length.
        let mut pair = [255, 0];
        if token >= 7 << 5 {
            // Eight bytes of 255 at a time, which one byte more follows.
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
        if near <= MAX_SHORT_DISTANCE {
            return Ok((len, near, read));
        }
        let more = usize::from(u16::from_be_bytes(self.pair(read)?));
        Ok((len, near.saturating_add(more), read.saturating_add(2)))
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

    /// The part of the output for `len` more bytes.
    fn target(&self, len: usize) -> Result<Range<usize>, DecodeError> {
        let produced = self.state.produced;
        let available = self.dst.len().saturating_sub(produced);
        if len > available && !PREFIX {
            let needed = len;
            return Err(self.error(DecodeErrorKind::Overflow { needed, available }));
        }
        Ok(produced..produced.saturating_add(len.min(available)))
    }

    /// Offset of the token.
    fn at(&self) -> usize {
        self.state.read.saturating_sub(1)
    }

    fn error(&self, kind: DecodeErrorKind) -> DecodeError {
        DecodeError::new(FORMAT, self.at(), kind)
    }

    fn truncated(&self, end: usize) -> DecodeError {
        let at = self.at();
        self.error(DecodeErrorKind::Truncated {
            needed: end.saturating_sub(at),
            available: self.src.len().saturating_sub(at),
        })
    }
}
