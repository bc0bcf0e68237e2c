//! Changing single chunks of a frame.
//!
//! A frame begins with one chunk size. The first chunk that breaks the rule (a short one that is
//! not the last, or one that is too long) turns it into a frame of variable-size chunks, for good;
//! special chunks, whose size only the rule implies, get bytes of their own then
//! ([format §9.6](crate::format#9.6), [§9.7](crate::format#9.7)).

use std::borrow::Cow;

use super::writer::FrameWriter;
use crate::chunk::{ChunkHeader, Special};
use crate::error::{Error, Result};
use crate::frame::layout::header::FrameHeader;
use crate::frame::layout::offsets::{self, Entry};
use crate::frame::read::reader::FrameReader;
use crate::frame::store::traits::{FrameStoreMut, Placed};
use crate::limits::Limits;
use crate::num::{saturating_i64, saturating_usize, to_u64};
use crate::schunk::{
    ChunkSink, ChunkSource, EncodedChunk, Origin, Sizes, check_incoming, check_more_chunks,
    forward_chunk_source, solid_chunk,
};

/// The position of an incoming chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    Insert(usize),
    Update(usize),
}

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Appends `nbytes` bytes of one special value. Zeros, NaN and uninitialised chunks take only 8
    /// bytes in the index, and in a frame that was empty not even that. A short last chunk is not
    /// filled up; after one, the frame changes to variable-size chunks
    /// ([format §9.6](crate::format#9.6)).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `nbytes` is no multiple of the typesize, or NaN is requested
    /// with a typesize that is not 4 or 8; [`Error::LimitExceeded`] when there would be more chunks
    /// than the format allows; an error of storing the chunks.
    #[doc(alias = "blosc2_schunk_fill_special")]
    pub fn append_special(&mut self, special: Special<'_>, nbytes: u64) -> Result<()> {
        self.extend(|writer| writer.store_special(special, nbytes))
    }

    fn store_special(&mut self, special: Special<'_>, nbytes: u64) -> Result<()> {
        self.flush_chunk()?;
        let present = self.reader.contents.index.len();
        check_more_chunks(present, nbytes, self.chunksize, size_of::<u64>())?;
        let fresh = present == 0;
        let mut left = nbytes;
        let mut last: Option<(usize, Vec<u8>)> = None;
        while left > 0 {
            let len = saturating_usize(left).min(self.chunksize);
            let chunk = match last.take() {
                Some((same, chunk)) if same == len => chunk,
                _ => self.encoder()?.encode_special(special, len)?,
            };
            if fresh && self.reader.contents.index.is_empty() {
                // C stores the actual block size of a frame that it fills.
                let header = &mut self.reader.contents.header;
                header.blocksize = saturating_usize(ChunkHeader::parse(&chunk)?.blocksize);
                // Deleted chunks no longer define the chunk size.
                header.chunksize = Some(self.chunksize);
            }
            let nchunks = self.reader.contents.index.len();
            self.store_chunk(Change::Insert(nchunks), &chunk, Origin::Encoder)?;
            last = Some((len, chunk));
            left = left.saturating_sub(len as u64);
        }
        self.reader.contents.filled =
            fresh && nbytes > 0 && offsets::special_entry(special).is_some();
        Ok(())
    }

    /// Changes the order of the chunks: chunk `i` becomes what chunk `order[i]` was.
    ///
    /// # Errors
    /// [`Error::Refused`] when `order` does not name every chunk once.
    #[doc(alias = "blosc2_schunk_reorder_offsets")]
    pub fn reorder_chunks(&mut self, order: &[u64]) -> Result<()> {
        self.change(|writer| writer.store_order(order))
    }

    fn store_order(&mut self, order: &[u64]) -> Result<()> {
        self.flush_chunk()?;
        let mut sizes = self.reader.contents.sizes();
        sizes.reorder(order)?;
        self.change_sizes_to(sizes)?;
        let old = &self.reader.contents.index;
        let entry = |&nchunk: &u64| {
            usize::try_from(nchunk)
                .ok()
                .and_then(|at| old.get(at))
                .copied()
        };
        self.reader.contents.index = order.iter().filter_map(entry).collect();
        self.accept(sizes);
        Ok(())
    }

    /// Changes to variable-size chunks when `sizes` require it: special chunks then need bytes,
    /// since the index no longer implies their size.
    fn change_sizes_to(&mut self, sizes: Sizes) -> Result<()> {
        let now = self.reader.contents.sizes();
        if sizes.chunksize.is_some() || now.chunksize.is_none() {
            return Ok(());
        }
        let FrameHeader {
            typesize,
            blocksize,
            ..
        } = self.reader.contents.header;
        for nchunk in 0..self.reader.contents.index.len() {
            let Entry::Special(special) = self.reader.entry(nchunk as u64)? else {
                continue;
            };
            let nbytes = self.reader.special_nbytes(nchunk as u64)?;
            let entry = self.put(&solid_chunk(special, typesize, blocksize, nbytes)?)?;
            if let Some(place) = self.reader.contents.index.get_mut(nchunk) {
                *place = entry;
            }
        }
        self.reader.contents.header.chunksize = None;
        self.reader.contents.filled = false;
        self.dirty = true;
        Ok(())
    }

    fn put(&mut self, chunk: &[u8]) -> Result<i64> {
        let FrameReader {
            store, contents, ..
        } = &mut *self.reader;
        let placed = store.put(contents, chunk, self.mode)?;
        Ok(self.accept_placed(placed))
    }

    /// Applies the changes of a store to the contents; returns the index entry of the chunk.
    fn accept_placed(&mut self, placed: Placed) -> i64 {
        let contents = &mut self.reader.contents;
        contents.header.cbytes = placed.cbytes;
        if let Some(moved) = placed.moved {
            for entry in &mut contents.index {
                if let Ok(place) = u64::try_from(*entry)
                    && place > moved.after
                {
                    let place = place.saturating_add(moved.new_len);
                    let place = place.saturating_sub(moved.old_len);
                    *entry = saturating_i64(place);
                }
            }
        }
        saturating_i64(placed.place)
    }

    /// The compressed size of a stored chunk.
    pub(crate) fn stored_len(&self, nchunk: u64, place: u64) -> Result<u64> {
        Ok(u64::from(self.reader.stored_header(nchunk, place)?.cbytes))
    }

    /// Stores a chunk after the last one; returns the new number of chunks.
    pub(crate) fn append_from(&mut self, chunk: &[u8], origin: Origin) -> Result<u64> {
        self.flush_chunk()?;
        let nchunks = self.reader.contents.index.len();
        self.store_chunk(Change::Insert(nchunks), chunk, origin)?;
        Ok(to_u64(self.reader.contents.index.len()))
    }

    /// Replaces a stored chunk.
    pub(crate) fn update_from(&mut self, nchunk: u64, chunk: &[u8], origin: Origin) -> Result<()> {
        self.flush_chunk()?;
        self.reader.entry(nchunk)?;
        self.store_chunk(Change::Update(saturating_usize(nchunk)), chunk, origin)
    }

    pub(crate) fn store_chunk(
        &mut self,
        change: Change,
        chunk: &[u8],
        origin: Origin,
    ) -> Result<()> {
        // The space after the last commit may belong to another one by now.
        self.check_unchanged()?;
        let contents = &self.reader.contents;
        let vlblocks = (!contents.index.is_empty()).then_some(contents.header.vlblocks);
        let (header, special) = check_incoming(chunk, origin, vlblocks)?;
        let nbytes = saturating_usize(header.nbytes);
        let mut sizes = self.reader.contents.sizes();
        let mut old = None;
        match change {
            Change::Insert(at) => {
                if sizes.nchunks >= Limits::FORMAT.max_nchunks {
                    let why = "the index of a frame cannot hold more chunks";
                    return Err(Error::Refused {
                        what: "store the chunk",
                        why,
                    });
                }
                sizes.insert(at as u64, nbytes)?;
            }
            Change::Update(at) => {
                let nchunk = at as u64;
                let entry = self.reader.entry(nchunk)?;
                sizes.update(nchunk, self.reader.chunk_nbytes(nchunk)?, nbytes)?;
                old = Some(entry);
            }
        }
        self.change_sizes_to(sizes)?;
        let special = special.filter(|&special| offsets::special_entry(special).is_some());
        let typesize = self.reader.contents.header.typesize;
        // Special entries imply whole items of the frame's typesize and the frame's chunk size.
        let implied = sizes.chunksize.is_some()
            && nbytes.checked_rem(typesize) == Some(0)
            && (matches!(special, Some(Special::Zeros | Special::Uninit))
                || usize::from(header.typesize) == typesize);
        let code = special.filter(|_| implied).and_then(offsets::special_entry);
        let chunk = match special {
            Some(special) if code.is_none() => {
                let blocksize = saturating_usize(header.blocksize);
                // NaN depends on its typesize, zeros do not.
                let nan = matches!(special, Special::Nans);
                let typesize = if nan {
                    usize::from(header.typesize)
                } else {
                    typesize
                };
                Cow::Owned(solid_chunk(special, typesize, blocksize, nbytes)?)
            }
            _ => Cow::Borrowed(chunk),
        };
        if let (Some(Entry::Special(_)), Change::Update(at)) = (old, change) {
            // The change to variable sizes may have given the old chunk bytes.
            old = Some(self.reader.entry(at as u64)?);
        }
        let entry = match (old, code) {
            (Some(Entry::Stored(place)), _) => {
                let (Change::Update(at) | Change::Insert(at)) = change;
                let old_len = self.stored_len(at as u64, place)?;
                let new = if code.is_some() { None } else { Some(&*chunk) };
                let FrameReader {
                    store, contents, ..
                } = &mut *self.reader;
                let placed = store.replace(contents, place, old_len, new, self.mode)?;
                let entry = self.accept_placed(placed);
                code.unwrap_or(entry)
            }
            (_, Some(code)) => code,
            (_, None) => self.put(&chunk)?,
        };
        let index = &mut self.reader.contents.index;
        match change {
            Change::Insert(at) => index.insert(at.min(index.len()), entry),
            Change::Update(at) => {
                if let Some(old) = index.get_mut(at) {
                    *old = entry;
                }
            }
        }
        self.reader.contents.header.vlblocks = header.is_vlblocks();
        self.accept(sizes);
        Ok(())
    }

    fn remove_chunk(&mut self, nchunk: u64) -> Result<()> {
        self.flush_chunk()?;
        let entry = self.reader.entry(nchunk)?;
        let mut sizes = self.reader.contents.sizes();
        sizes.delete(nchunk, self.reader.chunk_nbytes(nchunk)?)?;
        if let Entry::Stored(place) = entry {
            let len = self.stored_len(nchunk, place)?;
            let FrameReader {
                store, contents, ..
            } = &mut *self.reader;
            contents.header.cbytes = store.remove(contents, place, len, self.mode)?;
        }
        let index = &mut self.reader.contents.index;
        if let Ok(at) = usize::try_from(nchunk)
            && at < index.len()
        {
            index.remove(at);
        }
        self.accept(sizes);
        Ok(())
    }
}

impl<S: FrameStoreMut> ChunkSource for FrameWriter<S> {
    forward_chunk_source!(self => self.reader);

    fn refresh(&mut self) -> Result<bool> {
        FrameWriter::refresh(self)
    }
}

impl<S: FrameStoreMut> ChunkSink for FrameWriter<S> {
    fn begin_change(&mut self) -> Result<bool> {
        self.begin()
    }

    fn end_unchanged(&mut self) -> Result<()> {
        FrameWriter::end_unchanged(self)
    }

    fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64> {
        self.extend(|writer| writer.append_from(chunk, Origin::Any))
    }

    fn append_encoded_chunk(&mut self, chunk: EncodedChunk) -> Result<u64> {
        self.extend(|writer| writer.append_from(&chunk.into_bytes(), Origin::Encoder))
    }

    fn update_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        self.change(|writer| writer.update_from(nchunk, chunk, Origin::Any))
    }

    fn update_encoded_chunk(&mut self, nchunk: u64, chunk: EncodedChunk) -> Result<()> {
        self.change(|writer| writer.update_from(nchunk, &chunk.into_bytes(), Origin::Encoder))
    }

    fn other_changes(&mut self) -> Option<&mut bool> {
        Some(&mut self.end.others)
    }

    fn note_failure(&mut self, lost: bool) {
        self.end.failed = true;
        self.end.lost |= lost;
    }

    fn insert_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        self.change(|writer| {
            writer.flush_chunk()?;
            let change = Change::Insert(saturating_usize(nchunk));
            writer.store_chunk(change, chunk, Origin::Any)
        })
    }

    fn delete_chunk(&mut self, nchunk: u64) -> Result<()> {
        self.change(|writer| writer.remove_chunk(nchunk))
    }

    fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.change(|writer| {
            writer.reader.contents.metalayers.update(name, content)?;
            writer.reader.contents.unseal();
            writer.dirty = true;
            Ok(())
        })
    }

    fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.change(|writer| {
            writer.reader.contents.vlmetalayers.set(name, content)?;
            writer.reader.contents.unseal();
            writer.dirty = true;
            Ok(())
        })
    }

    fn remove_vlmetalayer(&mut self, name: &str) -> Result<bool> {
        self.change(|writer| {
            let removed = writer.reader.contents.vlmetalayers.remove(name);
            if removed {
                writer.reader.contents.unseal();
                writer.dirty = true;
            }
            Ok(removed)
        })
    }
}
