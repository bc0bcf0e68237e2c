//! Finding and reading one stored chunk.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use super::cache::{Cache, Place};
use super::watch::Current;
use crate::chunk::{ChunkHeader, HEADER_LEN};
use crate::error::{Error, Part, Result};
use crate::num::saturating_usize;
use crate::storage::ReadAt;

/// The bytes of a chunk that are read before its header is known.
const FIRST_READ: u64 = 256 << 10;

/// A stored chunk, found but not read.
pub(crate) struct Located<'a> {
    /// The storage that holds the chunk.
    pub(crate) file: Opened<'a>,
    /// The offset of the chunk in it.
    pub(crate) start: u64,
    /// The end of the bytes that can belong to the chunk.
    pub(crate) end: u64,
    /// The part that errors name.
    pub(crate) part: Part,
    /// The handle that must be up to date when the chunk is read.
    pub(crate) watch: Option<&'a dyn Current>,
    /// The bytes that were read before, and the number of the file in them.
    pub(crate) cache: Option<(&'a Cache, u64)>,
}

impl fmt::Debug for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Located")
            .field("file", &self.file)
            .field("start", &self.start)
            .field("end", &self.end)
            .field("part", &self.part)
            .finish_non_exhaustive()
    }
}

/// An open file: that of the frame, or one opened for a single chunk.
#[derive(Debug)]
pub(crate) enum Opened<'a> {
    Shared(&'a dyn ReadAt),
    Own(Box<dyn ReadAt + 'a>),
    /// Opened with the first bytes that the cache does not have.
    Later(Later<'a>),
}

type Open<'a> = dyn Fn() -> Result<Box<dyn ReadAt + 'a>> + Send + Sync + 'a;

/// A file that need not be opened.
pub(crate) struct Later<'a> {
    open: Box<Open<'a>>,
    file: OnceLock<Box<dyn ReadAt + 'a>>,
}

impl fmt::Debug for Later<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Later").field(&self.file).finish()
    }
}

impl<'a> Opened<'a> {
    /// A file that `open` opens when something of it is needed.
    pub(crate) fn later(
        open: impl Fn() -> Result<Box<dyn ReadAt + 'a>> + Send + Sync + 'a,
    ) -> Self {
        Self::Later(Later {
            open: Box::new(open),
            file: OnceLock::new(),
        })
    }
}

impl Opened<'_> {
    fn get(&self) -> Result<&dyn ReadAt> {
        match self {
            Self::Shared(file) => Ok(*file),
            Self::Own(file) => Ok(&**file),
            Self::Later(Later { open, file }) => {
                if file.get().is_none() {
                    let _ = file.set(open()?);
                }
                match file.get() {
                    Some(file) => Ok(&**file),
                    None => Err(io_error(Part::ChunkFile, 0, io::ErrorKind::NotFound.into())),
                }
            }
        }
    }
}

impl<'a> Located<'a> {
    /// An error of the chunk, with its number and its file.
    pub(crate) fn in_chunk(&self, nchunk: u64, error: Error) -> Error {
        let error = error.in_chunk(nchunk);
        match self.file.get().ok().and_then(ReadAt::shareable) {
            Some(file) => error.in_file(file.path()),
            None => error,
        }
    }

    /// The bytes available for the chunk.
    pub(crate) fn room(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// The offset of the chunk, for errors.
    pub(crate) fn base(&self) -> u64 {
        self.start
    }

    /// Fills `buf` with the bytes of the chunk from `at` on.
    pub(crate) fn read_at(&self, at: u64, buf: &mut [u8]) -> Result<()> {
        let offset = self.start.saturating_add(at);
        let Some((cache, place)) = self.cached(offset) else {
            return self.watched(|| read_at(self.file.get()?, self.part, offset, buf));
        };
        let mut found = false;
        self.watched(|| {
            found = cache.fill(place, buf);
            match found {
                true => Ok(()),
                false => read_at(self.file.get()?, self.part, offset, buf),
            }
        })?;
        if !found {
            // Only now: bytes of a frame that has changed are not kept.
            cache.keep(place, buf, self.end);
        }
        Ok(())
    }

    /// The cache, and the name of an offset in it.
    fn cached(&self, offset: u64) -> Option<(&'a Cache, Place)> {
        self.cache.map(|(cache, file)| (cache, (file, offset)))
    }

    /// Calls `read`, which goes to the storage, and refuses its result when the handle is stale.
    fn watched(&self, mut read: impl FnMut() -> Result<()>) -> Result<()> {
        match self.watch {
            Some(watch) => watch.reading(&mut read),
            None => read(),
        }
    }

    /// Fills `bufs` with ranges of bytes of the chunk.
    pub(crate) fn read_ranges(
        &self,
        ranges: &[Range<usize>],
        bufs: &mut [&mut [u8]],
    ) -> Result<()> {
        let at = |at: usize| self.start.saturating_add(at as u64);
        let ranges: Vec<Range<u64>> = ranges
            .iter()
            .map(|range| at(range.start)..at(range.end))
            .collect();
        if self.cache.is_none() {
            return self.watched(|| self.fetch(&ranges, bufs));
        }
        let kept = |(range, buf): (&Range<u64>, &mut &mut [u8])| {
            let place = self.cached(range.start);
            place.is_some_and(|(cache, place)| cache.fill(place, buf))
        };
        let mut missing = Vec::new();
        self.watched(|| {
            let found: Vec<bool> = ranges.iter().zip(&mut *bufs).map(kept).collect();
            let (places, mut parts): (Vec<_>, Vec<&mut [u8]>) = ranges
                .iter()
                .zip(&mut *bufs)
                .zip(&found)
                .filter(|(_, found)| !**found)
                .map(|((range, buf), _)| (range.clone(), &mut **buf))
                .unzip();
            missing = found.iter().map(|found| !found).collect();
            match places.is_empty() {
                true => Ok(()),
                false => self.fetch(&places, &mut parts),
            }
        })?;
        for ((range, buf), missing) in ranges.iter().zip(bufs).zip(missing) {
            if let Some((cache, place)) = self.cached(range.start)
                && missing
            {
                cache.keep(place, buf, self.end);
            }
        }
        Ok(())
    }

    /// Reads ranges of bytes of the storage in one request.
    fn fetch(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> Result<()> {
        let file = self.file.get()?;
        file.read_ranges(ranges, bufs).map_err(|source| {
            // The storage does not tell which range failed: the one that passes the end, if there
            // is one, or else the request as a whole.
            let len = file.len().unwrap_or(u64::MAX);
            let past_end = ranges.iter().find(|range| range.end > len);
            let starts = || ranges.iter().map(|range| range.start).min();
            let at = past_end.map(|range| range.start).or_else(starts);
            io_error(self.part, at.unwrap_or(self.start), source)
        })
    }

    /// The chunk without a copy, when it lies in memory that outlives this call.
    pub(crate) fn borrow(&self) -> Option<Result<&'a [u8]>> {
        let Opened::Shared(file) = self.file else {
            return None;
        };
        let all = file.as_slice()?;
        let range = usize::try_from(self.start).ok()?..usize::try_from(self.end).ok()?;
        let room = all.get(range)?;
        Some(self.header(room).map(|header| {
            let cbytes = saturating_usize(header.cbytes);
            room.get(..cbytes).unwrap_or(room)
        }))
    }

    /// Parses the header of the chunk and checks its size against the available bytes.
    pub(crate) fn header(&self, bytes: &[u8]) -> Result<ChunkHeader> {
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
    pub(crate) fn read(&self, guess: u64, buf: &mut Vec<u8>) -> Result<usize> {
        let first = guess
            .min(FIRST_READ)
            .max(HEADER_LEN as u64)
            .min(self.room());
        let first = saturating_usize(first);
        grow(buf, first);
        let front = buf.get_mut(..first).unwrap_or_default();
        self.read_at(0, front)?;
        let cbytes = saturating_usize(self.header(front)?.cbytes);
        if cbytes > first {
            grow(buf, cbytes);
            let rest = buf.get_mut(first..cbytes).unwrap_or_default();
            self.read_at(first as u64, rest)?;
        }
        Ok(cbytes)
    }

    /// The chunk, borrowed when possible.
    pub(crate) fn bytes(&self, guess: u64) -> Result<Cow<'a, [u8]>> {
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
pub(crate) fn grow(buf: &mut Vec<u8>, len: usize) {
    if buf.len() < len {
        buf.resize(len, 0);
    }
}

/// Reads `buf.len()` bytes at `offset`; the error names the part.
pub(crate) fn read_at(file: &dyn ReadAt, part: Part, offset: u64, buf: &mut [u8]) -> Result<()> {
    file.read_exact_at(buf, offset)
        .map_err(|source| io_error(part, offset, source))
}

/// The bytes at `offset`, borrowed when possible. The caller knows that they are there.
pub(crate) fn bytes_at(
    file: &dyn ReadAt,
    part: Part,
    offset: u64,
    len: u64,
) -> Result<Cow<'_, [u8]>> {
    let len = saturating_usize(len);
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

/// A failure of the storage while it reads or writes a part.
pub(crate) fn io_error(part: Part, offset: u64, source: io::Error) -> Error {
    Error::Io {
        part,
        offset: Some(offset),
        source,
    }
}
