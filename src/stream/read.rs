//! Iteration over the streams of a block: every read is bounded, nothing is decoded.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use super::{CSIZE_LEN, RUN_TOKEN, Room};
use crate::error::{Error, Part, Result};

/// One stream as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream<'a> {
    /// All bytes are this one.
    Run(u8),
    /// The bytes themselves.
    Raw(&'a [u8]),
    /// Compressed bytes.
    Coded {
        /// The codec's data, and the bytes that follow it in the chunk.
        within: &'a [u8],
        /// How many of these bytes are the codec's.
        csize: usize,
        /// The offset of the data in the chunk.
        offset: u64,
    },
}

/// A position among the streams of one block.
#[derive(Clone, Debug)]
pub(crate) struct StreamCursor<'a> {
    /// The bytes from here to the end of the chunk.
    rest: &'a [u8],
    /// The end of `rest`, counted from the start of the chunk.
    end: u64,
    /// How long a coded stream may be.
    room: Room,
}

impl<'a> StreamCursor<'a> {
    /// A cursor at the front of `block`, the bytes from the block's first stream on; they begin
    /// at `offset` of the chunk and may continue after the block.
    pub(crate) fn new(block: &'a [u8], offset: u64, room: Room) -> Self {
        Self {
            rest: block,
            end: offset.saturating_add(block.len() as u64),
            room,
        }
    }

    /// The offset in the chunk.
    pub(crate) fn at(&self) -> u64 {
        self.offset(self.rest)
    }

    /// The next stream, which decodes to `len` bytes.
    #[inline(always)]
    pub(crate) fn next(&mut self, len: usize) -> Result<Stream<'a>> {
        let Some((csize, within)) = self.rest.split_first_chunk::<CSIZE_LEN>() else {
            return Err(self.truncated(self.rest, CSIZE_LEN));
        };
        let csize = i32::from_le_bytes(*csize);
        if csize > 0 {
            // A positive i32 fits; on machines where it did not, no slice could be that long.
            let csize = usize::try_from(csize).unwrap_or(usize::MAX);
            if csize > len && csize > self.room.longest(len) {
                return Err(self.out_of_range(csize, self.room.longest(len)));
            }
            let Some((data, behind)) = within.split_at_checked(csize) else {
                return Err(self.truncated(within, csize));
            };
            self.rest = behind;
            return Ok(if csize == len {
                Stream::Raw(data)
            } else {
                Stream::Coded {
                    within,
                    csize,
                    offset: self.offset(within),
                }
            });
        }
        if csize == 0 {
            self.rest = within;
            return Ok(Stream::Run(0));
        }
        let Ok(value) = u8::try_from(csize.unsigned_abs()) else {
            return Err(self.out_of_range(csize, len));
        };
        let Some((&token, behind)) = within.split_first() else {
            return Err(self.truncated(within, 1));
        };
        if token & RUN_TOKEN == 0 {
            return Err(self.no_run(within));
        }
        self.rest = behind;
        Ok(Stream::Run(value))
    }

    /// The offset of `rest`, which extends to the end of the chunk.
    fn offset(&self, rest: &[u8]) -> u64 {
        self.end.saturating_sub(rest.len() as u64)
    }

    /// `needed` bytes are missing.
    #[cold]
    fn truncated(&self, rest: &[u8], needed: usize) -> Error {
        Error::Truncated {
            part: Part::Stream,
            offset: self.offset(rest),
            needed: needed as u64,
            available: rest.len() as u64,
        }
    }

    /// No stream of `len` bytes has this size.
    #[cold]
    fn out_of_range(&self, csize: impl TryInto<i64>, len: usize) -> Error {
        let at = self.offset(self.rest);
        Error::out_of_range(Part::Stream, at, "csize", csize, -255, len)
    }

    /// The token that should be at the front of `rest` is another one.
    #[cold]
    fn no_run(&self, rest: &[u8]) -> Error {
        let rule = "bit 0 of the token after a negative csize must be set";
        Error::broken(Part::Stream, self.offset(rest), rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn one(bytes: &[u8], len: usize) -> Result<(Stream<'_>, u64)> {
        one_within(bytes, len, Room::Content)
    }

    fn one_within(bytes: &[u8], len: usize, room: Room) -> Result<(Stream<'_>, u64)> {
        let mut cursor = StreamCursor::new(bytes, 100, room);
        let stream = cursor.next(len)?;
        Ok((stream, cursor.offset(cursor.rest)))
    }

    #[test]
    fn every_kind_of_stream_is_told_apart() {
        let run = |value, end| Ok((Stream::Run(value), end));
        let same = |a: Result<(Stream<'_>, u64)>, b: Result<(Stream<'_>, u64)>| {
            assert_eq!(a.unwrap(), b.unwrap());
        };
        same(one(&[0, 0, 0, 0, 9], 3), run(0, 104));
        same(one(&[0xFF, 0xFF, 0xFF, 0xFF, 1], 3), run(1, 105));
        same(one(&[0x01, 0xFF, 0xFF, 0xFF, 0x81], 3), run(255, 105));
        same(one(&[2, 0, 0, 0, 7, 8], 2), Ok((Stream::Raw(&[7, 8]), 106)));
        let coded = Stream::Coded {
            within: &[7, 8, 9],
            csize: 2,
            offset: 104,
        };
        same(one(&[2, 0, 0, 0, 7, 8, 9], 3), Ok((coded, 106)));
    }

    /// Blosc1 gives snappy the room of its worst case, 32 + L + L/6 bytes, and stores what that
    /// wrote.
    #[test]
    fn a_stream_of_snappy_may_be_longer_than_its_content() {
        let stored = |csize: u8| [&[csize, 0, 0, 0][..], &[7; 50]].concat();
        let (longest, same) = (stored(39), stored(6));
        let (stream, end) = one_within(&longest, 6, Room::Snappy).unwrap();
        let Stream::Coded { csize, offset, .. } = stream else {
            panic!("{stream:?}");
        };
        assert_eq!((csize, offset, end), (39, 104, 143));
        let error = one_within(&stored(40), 6, Room::Snappy).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::Corrupt, Some(100))
        );
        assert!(one(&stored(39), 6).is_err());
        let raw = one_within(&same, 6, Room::Snappy).unwrap().0;
        assert_eq!(raw, Stream::Raw(&[7; 6]));
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let fails = |bytes: &[u8], kind, offset| {
            let error = one(bytes, 3).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, Some(offset)));
            assert_eq!(error.part(), Some(Part::Stream));
        };
        fails(&[], ErrorKind::Truncated, 100);
        fails(&[1, 0, 0], ErrorKind::Truncated, 100);
        fails(&[2, 0, 0, 0, 7], ErrorKind::Truncated, 104);
        fails(&[4, 0, 0, 0, 1, 2, 3, 4], ErrorKind::Corrupt, 100);
        fails(&[0xFF, 0xFF, 0xFF, 0x7F, 1], ErrorKind::Corrupt, 100);
        fails(&[0, 0, 0, 0x80, 1], ErrorKind::Corrupt, 100);
        fails(&[0x00, 0xFF, 0xFF, 0xFF, 1], ErrorKind::Corrupt, 100);
        fails(&[0xFF, 0xFF, 0xFF, 0xFF], ErrorKind::Truncated, 104);
        fails(&[0xFF, 0xFF, 0xFF, 0xFF, 2], ErrorKind::Corrupt, 104);
    }
}
