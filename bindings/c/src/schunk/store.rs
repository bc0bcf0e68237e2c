//! The frame that a super-chunk is kept in, as its writer or reader.

use oxiblosc::frame::{
    ChunkPlace, FrameHeader, FrameReader, FrameStore, FrameStoreMut, FrameWriter, LazyChunk,
};
use oxiblosc::schunk::{ChunkSink as _, ChunkSource, Metalayers, VlMetalayers};
use oxiblosc::{CParams, ChunkEncoder, Result, Special};

use crate::boundary::{Answer, Code};

/// A frame, in memory, on disk or with I/O callbacks.
pub(super) trait Store: Send {
    /// Its chunks.
    fn source(&self) -> &dyn ChunkSource;
    /// Its header.
    fn header(&self) -> &FrameHeader;
    /// Its variable-length metalayers.
    fn vlmetalayers(&self) -> &VlMetalayers;
    /// The places of its chunks.
    fn places(&self) -> Box<dyn ExactSizeIterator<Item = ChunkPlace> + '_>;
    /// A chunk of which only the table is read.
    fn lazy(&self, nchunk: u64) -> Result<LazyChunk<'_>>;
    /// Whether no one else has changed the frame.
    fn is_current(&self) -> bool;
    /// Reads the frame again, when others have changed it.
    fn refresh(&mut self) -> Result<bool>;
    /// Sets the size of the chunks of a frame without chunks, in bytes.
    fn keep_chunksize(&mut self, chunksize: usize);
    /// Makes a change.
    ///
    /// # Errors
    /// `INVALID_PARAM` for what can only be read; within, those of the change.
    fn change(&mut self, change: Change<'_>) -> Answer<Result<()>>;
    /// Stores what has changed.
    fn commit(&mut self) -> Result<()>;
    /// Keeps others out.
    fn lock(&mut self) -> Result<()>;
    /// Lets others in again.
    fn unlock(&mut self) -> Result<()>;

    /// Its fixed metalayers.
    fn metalayers(&self) -> &Metalayers {
        self.source().metalayers()
    }

    /// The number of its chunks.
    fn nchunks(&self) -> u64 {
        self.source().layout().nchunks
    }
}

/// A change of a super-chunk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change<'a> {
    Append(&'a [u8]),
    Insert(u64, &'a [u8]),
    Update(u64, &'a [u8]),
    Delete(u64),
    Reorder(&'a [u64]),
    Fill {
        special: Special<'static>,
        nbytes: u64,
        chunksize: usize,
    },
    AddMeta(&'a str, &'a [u8]),
    UpdateMeta(&'a str, &'a [u8]),
    SetVlMeta(&'a str, &'a [u8], &'a CParams),
    RemoveVlMeta(&'a str),
}

impl<S: FrameStoreMut> Store for FrameWriter<S> {
    fn source(&self) -> &dyn ChunkSource {
        self
    }

    fn header(&self) -> &FrameHeader {
        self.reader().header()
    }

    fn vlmetalayers(&self) -> &VlMetalayers {
        self.reader().vlmetalayers()
    }

    fn places(&self) -> Box<dyn ExactSizeIterator<Item = ChunkPlace> + '_> {
        Box::new(self.reader().chunk_places())
    }

    fn lazy(&self, nchunk: u64) -> Result<LazyChunk<'_>> {
        self.reader().lazy_chunk(nchunk)
    }

    fn is_current(&self) -> bool {
        self.reader().is_current()
    }

    fn refresh(&mut self) -> Result<bool> {
        FrameWriter::refresh(self)
    }

    fn keep_chunksize(&mut self, chunksize: usize) {
        FrameWriter::keep_chunksize(self, Some(chunksize));
    }

    fn change(&mut self, change: Change<'_>) -> Answer<Result<()>> {
        Ok(match change {
            Change::Append(chunk) => self.append_chunk(chunk).map(drop),
            Change::Insert(nchunk, chunk) => self.insert_chunk(nchunk, chunk),
            Change::Update(nchunk, chunk) => self.update_chunk(nchunk, chunk),
            Change::Delete(nchunk) => self.delete_chunk(nchunk),
            Change::Reorder(order) => self.reorder_chunks(order),
            Change::Fill {
                special,
                nbytes,
                chunksize,
            } => fill(self, special, nbytes, chunksize),
            Change::AddMeta(name, content) => self.add_metalayer(name, content),
            Change::UpdateMeta(name, content) => self.update_metalayer(name, content),
            Change::SetVlMeta(name, content, cparams) => {
                self.set_vlmetalayer_with(name, content, cparams)
            }
            Change::RemoveVlMeta(name) => self.remove_vlmetalayer(name).map(drop),
        })
    }

    fn commit(&mut self) -> Result<()> {
        FrameWriter::commit(self)
    }

    fn lock(&mut self) -> Result<()> {
        FrameWriter::lock(self).map(drop)
    }

    fn unlock(&mut self) -> Result<()> {
        FrameWriter::unlock(self)
    }
}

/// Fills a frame with special values, which take the block size alone from the parameters.
fn fill<S: FrameStoreMut>(
    writer: &mut FrameWriter<S>,
    special: Special<'static>,
    nbytes: u64,
    chunksize: usize,
) -> Result<()> {
    let cparams = writer.cparams();
    if ChunkEncoder::new(cparams.clone()).is_err() {
        let plain = CParams::new(cparams.typesize).blocksize(cparams.blocksize);
        writer.set_cparams(plain)?;
    }
    writer.set_chunksize(chunksize)?;
    writer.append_special(special, nbytes)
}

impl<S: FrameStore> Store for FrameReader<S> {
    fn source(&self) -> &dyn ChunkSource {
        self
    }

    fn header(&self) -> &FrameHeader {
        FrameReader::header(self)
    }

    fn vlmetalayers(&self) -> &VlMetalayers {
        FrameReader::vlmetalayers(self)
    }

    fn places(&self) -> Box<dyn ExactSizeIterator<Item = ChunkPlace> + '_> {
        Box::new(self.chunk_places())
    }

    fn lazy(&self, nchunk: u64) -> Result<LazyChunk<'_>> {
        self.lazy_chunk(nchunk)
    }

    fn is_current(&self) -> bool {
        FrameReader::is_current(self)
    }

    fn refresh(&mut self) -> Result<bool> {
        FrameReader::refresh(self)
    }

    fn keep_chunksize(&mut self, _chunksize: usize) {}

    fn change(&mut self, _change: Change<'_>) -> Answer<Result<()>> {
        Err(Code::INVALID)
    }

    fn commit(&mut self) -> Result<()> {
        Ok(())
    }

    fn lock(&mut self) -> Result<()> {
        Ok(())
    }

    fn unlock(&mut self) -> Result<()> {
        Ok(())
    }
}
