//! Appending streams of bytes and items, cut into chunks.

use std::io;

use super::edit::Change;
use super::writer::FrameWriter;
use crate::chunk::scratch::grown;
use crate::chunk::{ChunkDecoder, max_chunk_len};
use crate::error::{Error, Result};
use crate::frame::layout::offsets::Entry;
use crate::frame::read::reader::FrameReader;
use crate::frame::store::traits::FrameStoreMut;
use crate::num::to_u64;
use crate::schunk::{ChunkSource, Origin, set_items};

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Appends bytes, cut into chunks of the chunk size. Bytes that do not fill a chunk
    /// stay pending until more arrive, or until [`commit`](Self::commit).
    ///
    /// # Errors
    /// When a chunk cannot be compressed or stored; [`Error::Refused`] when the frame consists of
    /// variable-length blocks.
    #[doc(alias = "blosc2_schunk_append_buffer")]
    pub fn append(&mut self, src: &[u8]) -> Result<()> {
        if src.is_empty() {
            return Ok(());
        }
        if self.reader.header().vlblocks {
            let what = "append bytes";
            return Err(Error::Refused {
                what,
                why: "the frame has variable-length blocks",
            });
        }
        self.extend(|writer| writer.append_some(src))
    }

    fn append_some(&mut self, mut src: &[u8]) -> Result<()> {
        self.reopen_last()?;
        loop {
            let room = self.chunksize.saturating_sub(self.pending.len());
            if src.len() < room {
                self.pending.extend_from_slice(src);
                return Ok(());
            }
            let (now, later) = src.split_at(room);
            if self.pending.is_empty() {
                // The common case of large writes: no copy.
                self.encode_and_store(now)?;
            } else {
                self.pending.extend_from_slice(now);
                self.flush_chunk()?;
            }
            src = later;
            if src.is_empty() {
                return Ok(());
            }
        }
    }

    /// Adds the bytes of another super-chunk at the end, decompressed and cut into chunks of this
    /// frame's size; one chunk at a time is in memory. The boundaries of variable-length blocks are
    /// lost; [`recode`](crate::schunk::recode) keeps them, and the sizes of the chunks.
    ///
    /// ```
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::{CParams, FrameParams, FrameWriter, SChunk};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut small = SChunk::new(CParams::new(4), 400)?;
    /// small.append(&[1, 2, 3, 4].repeat(2500))?;
    /// let mut large = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 4000))?;
    /// large.append_source(&small)?;
    /// large.flush_chunk()?;
    /// assert_eq!((small.layout().nchunks, large.layout().nchunks), (25, 3));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a chunk cannot be read or decoded; as [`append`](Self::append).
    #[doc(alias = "blosc2_schunk_copy")]
    pub fn append_source(&mut self, source: &(impl ChunkSource + ?Sized)) -> Result<()> {
        let dparams = source.dparams();
        let mut decoder = ChunkDecoder::new(dparams.clone());
        let mut data = Vec::new();
        for nchunk in 0..source.layout().nchunks {
            let nbytes = source.chunk_nbytes(nchunk)?;
            dparams.limits.check_alloc(to_u64(nbytes), None)?;
            data.resize(nbytes, 0);
            source.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
            self.append(&data)?;
        }
        Ok(())
    }

    /// Appends a chunk of variable-length blocks, and returns the new number of chunks.
    ///
    /// # Errors
    /// [`Error::Refused`] when the frame has chunks of another kind, or a block is empty; when the
    /// chunk cannot be stored.
    #[doc(alias = "blosc2_vlcompress_ctx")]
    pub fn append_vlblocks<B: AsRef<[u8]> + Sync>(&mut self, blocks: &[B]) -> Result<u64> {
        self.extend(|writer| {
            let nchunk = writer.reader.contents.index.len() as u64;
            let encoder = writer.encoder()?;
            let chunk = encoder.in_chunk(nchunk, |encoder| encoder.encode_vlblocks(blocks))?;
            writer.append_from(&chunk, Origin::Encoder)
        })
    }

    /// Overwrites items from item `start` on with `src`; the chunks they lie in are compressed
    /// again. Like every change, this becomes visible with the next commit.
    ///
    /// ```
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::{CParams, FrameParams, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(2), 1000))?;
    /// writer.append(&[7; 3000])?;
    /// writer.set_items(499, &[1, 2, 3, 4])?;
    /// let mut items = [0; 6];
    /// writer.read_items_into(&mut Default::default(), 499..502, &mut items)?;
    /// assert_eq!(items, [1, 2, 3, 4, 7, 7]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when `src` reaches beyond the end; [`Error::Refused`] when the frame
    /// has variable-length blocks; an error of decoding, compressing or storing.
    #[doc(alias = "blosc2_schunk_set_slice_buffer")]
    pub fn set_items(&mut self, start: u64, src: &[u8]) -> Result<()> {
        self.change(|writer| {
            writer.flush_chunk()?;
            let dparams = writer.reader.dparams.clone();
            set_items(writer, &dparams, start, src, |writer, nchunk, data| {
                let encoder = writer.encoder()?;
                let chunk = encoder.in_chunk(nchunk, |encoder| encoder.encode(data))?;
                writer.update_from(nchunk, &chunk, Origin::Encoder)
            })
        })
    }

    /// Stores the pending bytes as a chunk, which is then shorter than the others.
    ///
    /// # Errors
    /// When the chunk cannot be compressed or stored.
    pub fn flush_chunk(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut pending = std::mem::take(&mut self.pending);
        let done = self.encode_and_store(&pending);
        if done.is_ok() {
            pending.clear();
        }
        self.pending = pending;
        done
    }

    fn encode_and_store(&mut self, src: &[u8]) -> Result<()> {
        if self.reader.contents.index.is_empty() {
            // The chunk size is the requested one, however short the first chunk is.
            self.reader.contents.header.chunksize = Some(self.chunksize);
        }
        let mut chunk = std::mem::take(&mut self.chunk);
        let to = grown(&mut chunk, max_chunk_len(src.len()));
        let nchunks = self.reader.contents.index.len();
        let encoded = self.encoder().and_then(|encoder| {
            encoder.in_chunk(nchunks as u64, |encoder| encoder.encode_into(src, to))
        });
        let done = encoded.and_then(|cbytes| {
            let chunk = to.get(..cbytes).unwrap_or_default();
            self.store_chunk(Change::Insert(nchunks), chunk, Origin::Encoder)
        });
        self.chunk = chunk;
        done
    }

    /// Takes a short last chunk back, so that it can be filled up.
    fn reopen_last(&mut self) -> Result<()> {
        let sizes = self.reader.contents.sizes();
        let Some(last) = sizes.last_len().filter(|_| self.pending.is_empty()) else {
            return Ok(());
        };
        // A single chunk that defined the chunk size can still grow.
        let ours = sizes.chunksize == Some(self.chunksize) || sizes.nchunks == 1;
        if !ours || last >= self.chunksize {
            return Ok(());
        }
        let nchunk = sizes.nchunks.saturating_sub(1);
        let limits = &self.reader.dparams.limits;
        limits.check_alloc(to_u64(last), None)?;
        self.pending.resize(last, 0);
        let mut decoder = ChunkDecoder::new(self.reader.dparams.clone());
        if let Err(error) = self
            .reader
            .decode_chunk_into(&mut decoder, nchunk, &mut self.pending)
        {
            self.pending.clear();
            return Err(error);
        }
        self.take_last(nchunk, last)
    }

    /// Drops the last chunk, whose bytes are pending again.
    fn take_last(&mut self, nchunk: u64, nbytes: usize) -> Result<()> {
        if let Entry::Stored(place) = self.reader.entry(nchunk)? {
            let len = self.stored_len(nchunk, place)?;
            let FrameReader {
                store, contents, ..
            } = &mut *self.reader;
            contents.header.cbytes = store.take_back(contents, place, len, self.mode)?;
        }
        let mut sizes = self.reader.contents.sizes();
        sizes.delete(nchunk, nbytes)?;
        if sizes.nchunks == 0 {
            sizes.chunksize = Some(0);
        }
        self.reader.contents.index.pop();
        self.accept(sizes);
        Ok(())
    }
}

impl<S: FrameStoreMut> io::Write for FrameWriter<S> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.append(buf)?;
        Ok(buf.len())
    }

    /// Stores the pending bytes as a chunk; the next write fills it up. Nothing is committed.
    fn flush(&mut self) -> io::Result<()> {
        Ok(self.flush_chunk()?)
    }
}
