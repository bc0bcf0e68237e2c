//! Where the parts of a frame lie: all in one piece, or a file for each chunk.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::ops::Range;

use super::contents::Contents;
use super::header::{FrameHeader, FrameType};
use super::params::Durability;
use crate::chunk::{ChunkHeader, HEADER_LEN};
use crate::error::{Error, Part, Result};
use crate::storage::ReadAt;

/// How many bytes of a chunk are read before its header tells how many there are.
const FIRST_READ: u64 = 256 << 10;

/// A place where a frame can be read: [`Contiguous`](super::Contiguous) or
/// [`Sparse`](super::Sparse).
pub trait FrameStore: sealed::Sealed + fmt::Debug + Send + Sync {
    /// The frame type that the header has to name.
    const FRAME_TYPE: FrameType;
}

/// A store that can be changed.
pub trait FrameStoreMut: FrameStore + sealed::SealedMut {}

#[expect(
    unnameable_types,
    private_interfaces,
    reason = "the set of stores is closed: these methods are not for others to write or call"
)]
pub(super) mod sealed {
    use super::{Contents, FrameHeader, Located, Plan, ReadAt, Result};

    /// What reading takes.
    pub trait Sealed {
        /// The bytes that hold the header, the index and the trailer.
        fn frame(&self) -> Result<&dyn ReadAt>;

        /// Where a stored chunk lies.
        fn locate(&self, header: &FrameHeader, place: u64) -> Result<Located<'_>>;
    }

    /// What writing takes. Methods keep `cbytes` of the header, and the places of other chunks in
    /// the index, but leave the entry of the chunk itself to the caller.
    pub trait SealedMut: Sealed {
        /// Prepares for a new, empty frame.
        fn begin(&mut self, contents: &mut Contents) -> Result<()>;

        /// Prepares for changes to an existing frame.
        fn resume(&mut self, contents: &mut Contents, plan: Plan) -> Result<()>;

        /// Stores a new chunk and returns its place.
        fn put(&mut self, contents: &mut Contents, chunk: &[u8], plan: Plan) -> Result<u64>;

        /// Stores a chunk in place of one with `old_len` bytes at `old`; returns its place.
        /// With no new chunk, the bytes of the old one are given up.
        fn replace(
            &mut self,
            contents: &mut Contents,
            old: u64,
            old_len: u64,
            new: Option<&[u8]>,
            plan: Plan,
        ) -> Result<u64>;

        /// Gives up a chunk that leaves the index.
        fn remove(
            &mut self,
            contents: &mut Contents,
            old: u64,
            old_len: u64,
            plan: Plan,
        ) -> Result<()>;

        /// Gives up the last chunk, which is about to be written anew with more data.
        fn take_back(
            &mut self,
            contents: &mut Contents,
            old: u64,
            old_len: u64,
            plan: Plan,
        ) -> Result<()>;

        /// Makes the frame on the storage the one in `contents`.
        fn commit(&mut self, contents: &mut Contents, index: &[u8], plan: Plan) -> Result<()>;
    }
}

/// How changes reach the storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(super) durability: Durability,
    pub(super) in_place: bool,
}

/// A stored chunk, found but not read.
#[derive(Debug)]
pub(crate) struct Located<'a> {
    /// What the chunk is a part of.
    pub(super) file: Opened<'a>,
    /// Where the chunk begins there.
    pub(super) start: u64,
    /// Where the room for it ends there.
    pub(super) end: u64,
    /// The part to name when the bytes cannot be read.
    pub(super) part: Part,
}

/// A file that is open anyway, or was opened for one chunk.
#[derive(Debug)]
pub(super) enum Opened<'a> {
    Shared(&'a dyn ReadAt),
    Own(Box<dyn ReadAt + 'a>),
}

impl Opened<'_> {
    fn get(&self) -> &dyn ReadAt {
        match self {
            Self::Shared(file) => *file,
            Self::Own(file) => &**file,
        }
    }
}

impl<'a> Located<'a> {
    /// The bytes that are there for the chunk.
    pub(super) fn room(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Where the chunk begins, for offsets in errors.
    pub(super) fn base(&self) -> u64 {
        self.start
    }

    /// Fills `buf` with the bytes of the chunk from `at` on.
    pub(super) fn read_at(&self, at: u64, buf: &mut [u8]) -> Result<()> {
        read_at(
            self.file.get(),
            self.part,
            self.start.saturating_add(at),
            buf,
        )
    }

    /// Fills `bufs` with ranges of bytes of the chunk.
    pub(super) fn read_ranges(
        &self,
        ranges: &[Range<usize>],
        bufs: &mut [&mut [u8]],
    ) -> Result<()> {
        let at = |at: usize| self.start.saturating_add(at as u64);
        let ranges: Vec<Range<u64>> = ranges
            .iter()
            .map(|range| at(range.start)..at(range.end))
            .collect();
        let first = ranges.first().map_or(self.start, |range| range.start);
        let read = self.file.get().read_ranges(&ranges, bufs);
        read.map_err(|source| io_error(self.part, first, source))
    }

    /// The chunk without a copy, when it lies in memory that outlives this call.
    pub(super) fn borrow(&self) -> Option<Result<&'a [u8]>> {
        let Opened::Shared(file) = self.file else {
            return None;
        };
        let all = file.as_slice()?;
        let range = usize::try_from(self.start).ok()?..usize::try_from(self.end).ok()?;
        let room = all.get(range)?;
        Some(self.header(room).map(|header| {
            let cbytes = usize::try_from(header.cbytes).unwrap_or(usize::MAX);
            room.get(..cbytes).unwrap_or(room)
        }))
    }

    /// Parses the header of the chunk and checks it against the room.
    pub(super) fn header(&self, bytes: &[u8]) -> Result<ChunkHeader> {
        let header = ChunkHeader::parse(bytes).map_err(|error| error.rebase(self.base()))?;
        let cbytes = u64::from(header.cbytes);
        if cbytes > self.room() {
            return Err(Error::Truncated {
                part: self.part,
                offset: self.base(),
                needed: cbytes,
                available: self.room(),
            });
        }
        if cbytes < self.room() && self.part == Part::ChunkFile {
            // The file of a chunk ends with it.
            let at = self.base().saturating_add(12);
            return Err(Error::unequal(self.part, at, "cbytes", cbytes, self.room()));
        }
        Ok(header)
    }

    /// Reads the chunk to the front of `buf`, which grows when needed and never shrinks, and
    /// returns its length. `guess` is how long it probably is.
    pub(super) fn read(&self, guess: u64, buf: &mut Vec<u8>) -> Result<usize> {
        let first = guess
            .min(FIRST_READ)
            .max(HEADER_LEN as u64)
            .min(self.room());
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        grow(buf, first);
        let front = buf.get_mut(..first).unwrap_or_default();
        self.read_at(0, front)?;
        let cbytes = usize::try_from(self.header(front)?.cbytes).unwrap_or(usize::MAX);
        if cbytes > first {
            grow(buf, cbytes);
            let rest = buf.get_mut(first..cbytes).unwrap_or_default();
            self.read_at(first as u64, rest)?;
        }
        Ok(cbytes)
    }

    /// The chunk, borrowed when possible.
    pub(super) fn bytes(&self, guess: u64) -> Result<Cow<'a, [u8]>> {
        if let Some(bytes) = self.borrow() {
            return bytes.map(Cow::Borrowed);
        }
        let mut buf = Vec::new();
        let cbytes = self.read(guess, &mut buf)?;
        buf.truncate(cbytes);
        Ok(Cow::Owned(buf))
    }
}

/// Makes `buf` at least `len` bytes long.
pub(super) fn grow(buf: &mut Vec<u8>, len: usize) {
    if buf.len() < len {
        buf.resize(len, 0);
    }
}

/// Reads `buf.len()` bytes at `offset`; the error names the part.
pub(super) fn read_at(file: &dyn ReadAt, part: Part, offset: u64, buf: &mut [u8]) -> Result<()> {
    file.read_exact_at(buf, offset)
        .map_err(|source| io_error(part, offset, source))
}

/// The bytes at `offset`, borrowed when possible. The caller knows that they are there.
pub(super) fn bytes_at(
    file: &dyn ReadAt,
    part: Part,
    offset: u64,
    len: u64,
) -> Result<Cow<'_, [u8]>> {
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    if let Some(all) = file.as_slice() {
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|at| all.get(at..)?.get(..len));
        return bytes.map(Cow::Borrowed).ok_or(Error::Truncated {
            part,
            offset,
            needed: len as u64,
            available: (all.len() as u64).saturating_sub(offset),
        });
    }
    let mut bytes = vec![0; len];
    read_at(file, part, offset, &mut bytes)?;
    Ok(Cow::Owned(bytes))
}

/// A failure of the storage while it was at work on a part.
pub(super) fn io_error(part: Part, offset: u64, source: io::Error) -> Error {
    Error::Io {
        part,
        offset: Some(offset),
        source,
    }
}
