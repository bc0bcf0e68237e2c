//! The decoded bytes of a super-chunk as one stream to read and to seek in.

use std::fmt;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use crate::chunk::ChunkDecoder;
use crate::error::{Error, Result};
use crate::num::{saturating_usize, to_u64};
use crate::params::DParams;
use crate::schunk::ChunkSource;

/// [`io::Read`], [`io::BufRead`] and [`io::Seek`] over the decoded bytes of a super-chunk.
///
/// Holds one decoded chunk in memory, within [`Limits::max_alloc`](crate::Limits::max_alloc).
///
/// ```
/// use std::io::{Read, Seek, SeekFrom};
/// use oxiblosc::frame::ItemReader;
/// use oxiblosc::schunk::SChunk;
/// use oxiblosc::CParams;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut schunk = SChunk::new(CParams::new(1), 10)?;
/// schunk.append(b"twenty-four bytes of text")?;
/// let mut reader = ItemReader::new(&schunk);
/// reader.seek(SeekFrom::End(-4))?;
/// let mut end = String::new();
/// reader.read_to_string(&mut end)?;
/// assert_eq!(end, "text");
/// # Ok(())
/// # }
/// ```
pub struct ItemReader<'a, C: ?Sized> {
    source: &'a C,
    decoder: ChunkDecoder,
    /// The decoded chunk that holds `position`, and its first byte.
    chunk: Vec<u8>,
    start: u64,
    /// The chunk after the decoded one, when its number is known.
    next: Option<u64>,
    position: u64,
    len: u64,
}

impl<C: fmt::Debug + ?Sized> fmt::Debug for ItemReader<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemReader")
            .field("source", &self.source)
            .field("position", &self.position)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl<'a, C: ChunkSource + ?Sized> ItemReader<'a, C> {
    /// A reader at the first byte, with the parameters of the source.
    pub fn new(source: &'a C) -> Self {
        Self::with_dparams(source, source.dparams().clone())
    }

    /// [`new`](Self::new) with other parameters than those of the source.
    pub fn with_dparams(source: &'a C, dparams: DParams) -> Self {
        Self {
            source,
            decoder: ChunkDecoder::new(dparams),
            chunk: Vec::new(),
            start: 0,
            next: Some(0),
            position: 0,
            len: source.layout().nbytes,
        }
    }

    /// The number of decoded bytes in all.
    pub fn nbytes(&self) -> u64 {
        self.len
    }

    /// The decoded bytes from the position to the end of their chunk.
    fn fill(&mut self) -> Result<&[u8]> {
        if self.position >= self.len {
            return Ok(&[]);
        }
        let end = self.start.saturating_add(self.chunk.len() as u64);
        if self.position < self.start || self.position >= end {
            let (nchunk, start) = match self.next {
                Some(next) if self.position == end => (next, end),
                _ => self.source.find_chunk(self.position)?,
            };
            let nbytes = self.source.chunk_nbytes(nchunk)?;
            let limits = &self.decoder.dparams().limits;
            limits.check_alloc(to_u64(nbytes), None)?;
            self.chunk.resize(nbytes, 0);
            let done = self
                .source
                .decode_chunk_into(&mut self.decoder, nchunk, &mut self.chunk);
            if let Err(error) = done {
                self.chunk.clear();
                self.next = None;
                return Err(error);
            }
            self.start = start;
            self.next = nchunk.checked_add(1);
        }
        let skip = saturating_usize(self.position.saturating_sub(self.start));
        Ok(self.chunk.get(skip..).unwrap_or_default())
    }

    fn advance(&mut self, n: usize) {
        self.position = self.position.saturating_add(n as u64);
    }
}

impl<C: ChunkSource + ?Sized> Read for ItemReader<'_, C> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill()?;
        let n = bytes.len().min(buf.len());
        if let (Some(dst), Some(src)) = (buf.get_mut(..n), bytes.get(..n)) {
            dst.copy_from_slice(src);
        }
        self.advance(n);
        Ok(n)
    }
}

impl<C: ChunkSource + ?Sized> BufRead for ItemReader<'_, C> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.fill()?)
    }

    fn consume(&mut self, n: usize) {
        self.advance(n);
    }
}

impl<C: ChunkSource + ?Sized> Seek for ItemReader<'_, C> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => self.len.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let before_start = Error::OutOfBounds {
            what: "byte",
            index: 0,
            len: self.len,
        };
        self.position =
            target.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, before_start))?;
        Ok(self.position)
    }
}
