//! Compacting: removing the gaps that updates, deletions and commits leave.
//!
//! Without [`in_place`](crate::frame::FrameParams::in_place), compacting a contiguous frame takes
//! two commits, so that a crash loses nothing. The first moves all chunks
//! past the end of the frame, far enough that the second can move them to the front without
//! overwriting what the first committed:
//!
//! ```text
//! | header | a . . b . c | index | trailer |
//! | header | . . . . . . . . . . . . . . . . | a b c | index | trailer |
//! | header | a b c | index | trailer |
//! ```
//!
//! A sparse frame has no gaps, but unused files, and file numbers that grow with every change.
//! Compacting removes the unused files and numbers the others 0, 1, 2, ...

use super::writer::FrameWriter;
use crate::error::{Part, Result};
use crate::frame::layout::contents::Contents;
use crate::frame::layout::offsets::Entry;
use crate::frame::read::reader::FrameReader;
use crate::frame::store::contiguous::Contiguous;
use crate::frame::store::located::{grow, io_error};
use crate::frame::store::sparse::{Sparse, next_number};
use crate::num::{saturating_i64, saturating_usize};
use crate::storage::{Directory, WriteAt};

/// The result of compacting.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// The length of the frame before, in bytes.
    pub before: u64,
    /// The length of the frame after, in bytes.
    pub after: u64,
}

impl<S: WriteAt> FrameWriter<Contiguous<S>> {
    /// Moves all chunks to the front, in order and without gaps, and truncates the storage. Commits
    /// pending changes first, and commits the result.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); when the fingerprint of a sealed frame does not match. The
    /// frame is then unchanged.
    pub fn compact(&mut self) -> Result<Compacted> {
        self.locked(Self::move_together)
    }

    fn move_together(&mut self) -> Result<Compacted> {
        self.commit()?;
        self.reader.verify_before_move()?;
        let before = self.reader.contents.header.frame_len;
        if self.is_tight()? {
            return Ok(Compacted {
                before,
                after: before,
            });
        }
        let live = self.live_len()?;
        let section = self.reader.contents.header.header_len;
        let tail = self.tail_len()?;
        // Chunks in the front, the index and the trailer of the final frame have to end before
        // the chunks of the one in between.
        let front = section.saturating_add(live).saturating_add(tail);
        let floor = self.reader.store.floor.max(front).max(before);
        self.move_all(floor)?;
        self.reader.store.floor = floor;
        self.dirty = true;
        self.commit()?;
        self.reader.contents.count_compaction();
        self.move_all(section)?;
        // The front is free of everything that the last commit needs.
        self.reader.store.floor = 0;
        self.dirty = true;
        self.commit()?;
        Ok(Compacted {
            before,
            after: self.reader.contents.header.frame_len,
        })
    }

    /// Commits pending changes and truncates the storage to the frame: an interrupted commit leaves
    /// bytes after it. Returns the number of bytes removed. Opening such a frame works without
    /// this; the next commit overwrites these bytes.
    ///
    /// # Errors
    /// When the storage fails.
    pub fn recover(&mut self) -> Result<u64> {
        self.locked(Self::cut)
    }

    fn cut(&mut self) -> Result<u64> {
        let Contents { header, index, .. } = &self.reader.contents;
        let section = header.header_len;
        let trailer_len = self.reader.contents.trailer()?.len() as u64;
        if index.is_empty() && header.frame_len > section.saturating_add(trailer_len) {
            // An interrupted commit, see `store/commit.rs`.
            self.dirty = true;
        }
        self.commit()?;
        let frame_len = self.reader.contents.header.frame_len;
        let io = |source| io_error(Part::FrameTrailer, frame_len, source);
        let len = self.reader.store.storage.len().map_err(io)?;
        if len > frame_len {
            self.reader.store.storage.set_len(frame_len).map_err(io)?;
        }
        Ok(len.saturating_sub(frame_len))
    }

    /// Whether the chunks lie in order without gaps.
    fn is_tight(&self) -> Result<bool> {
        let mut at = 0;
        for (place, len) in self.stored()? {
            if place != at {
                return Ok(false);
            }
            at = at.saturating_add(len);
        }
        Ok(at == self.reader.contents.header.cbytes)
    }

    fn live_len(&self) -> Result<u64> {
        Ok(self.stored()?.iter().map(|&(_, len)| len).sum())
    }

    /// The most bytes that the index and the trailer can take.
    fn tail_len(&self) -> Result<u64> {
        let index = self
            .reader
            .contents
            .index
            .len()
            .saturating_mul(8)
            .saturating_add(32);
        Ok((index.saturating_add(self.reader.contents.trailer()?.len())) as u64)
    }

    /// Places and lengths of the stored chunks, in their order.
    fn stored(&self) -> Result<Vec<(u64, u64)>> {
        let mut stored = Vec::new();
        for nchunk in 0..self.reader.contents.index.len() as u64 {
            if let Entry::Stored(place) = self.reader.entry(nchunk)? {
                stored.push((place, self.stored_len(nchunk, place)?));
            }
        }
        Ok(stored)
    }

    /// Writes all stored chunks in order from `at` on, and updates the index.
    fn move_all(&mut self, at: u64) -> Result<()> {
        let section = self.reader.contents.header.header_len;
        let stored = self.stored()?;
        let mut to = at;
        let mut places = Vec::with_capacity(stored.len());
        let mut buf = Vec::new();
        for &(place, len) in &stored {
            let len = saturating_usize(len);
            grow(&mut buf, len);
            let bytes = buf.get_mut(..len).unwrap_or_default();
            let from = section.saturating_add(place);
            self.reader
                .store
                .read_part(Part::ChunksSection, from, bytes)?;
            self.reader.store.write(Part::ChunksSection, to, bytes)?;
            places.push(to.saturating_sub(section));
            to = to.saturating_add(len as u64);
        }
        let contents = &mut self.reader.contents;
        let entries = contents.index.iter_mut().filter(|entry| **entry >= 0);
        for (entry, place) in entries.zip(places) {
            *entry = saturating_i64(place);
        }
        contents.header.cbytes = to.saturating_sub(section);
        Ok(())
    }
}

impl<D: Directory> FrameWriter<Sparse<D>> {
    /// Renumbers the chunk files from 0 in the order of the chunks, and removes unused files.
    /// Commits pending changes first, and commits the result. `before` and `after` count the bytes
    /// of all files of the frame.
    ///
    /// A number is written only while the last commit does not use it, so that a crash loses
    /// nothing: files with the number of another one first move to numbers after all others.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); when the fingerprint of a sealed frame does not match. The
    /// frame is then unchanged.
    pub fn compact(&mut self) -> Result<Compacted> {
        self.locked(Self::number_in_order)
    }

    fn number_in_order(&mut self) -> Result<Compacted> {
        self.commit()?;
        self.reader.verify_before_move()?;
        let before = self.reader.store.len()?;
        let reader = &mut *self.reader;
        reader.store.sweep(&reader.contents.index)?;
        let stored = |index: &[i64]| index.iter().filter(|&&entry| entry >= 0).count() as u64;
        let len = stored(&self.reader.contents.index);
        let free = next_number(&self.reader.contents.index).max(len);
        // The number of a file now, and the one it belongs to.
        self.renumber(|number, target| {
            let in_the_way = number != target && number < len;
            in_the_way.then(|| free.saturating_add(target))
        })?;
        self.renumber(|number, target| (number != target).then_some(target))?;
        Ok(Compacted {
            before,
            after: self.reader.store.len()?,
        })
    }

    /// Copies chunk files to other numbers, which are free, and commits if there were any.
    fn renumber(&mut self, to: impl Fn(u64, u64) -> Option<u64>) -> Result<()> {
        let (mut moved, mut left) = (Vec::new(), Vec::new());
        let mut target = 0_u64;
        for nchunk in 0..self.reader.contents.index.len() {
            let Entry::Stored(number) = self.reader.entry(nchunk as u64)? else {
                continue;
            };
            if let Some(to) = to(number, target) {
                let FrameReader {
                    store, contents, ..
                } = &mut *self.reader;
                store.copy(&contents.header, number, to, self.mode)?;
                moved.push((nchunk, saturating_i64(to)));
                left.push(number);
            }
            target = target.saturating_add(1);
        }
        if moved.is_empty() {
            return Ok(());
        }
        let old = self.reader.contents.index.clone();
        for (nchunk, number) in moved {
            if let Some(entry) = self.reader.contents.index.get_mut(nchunk) {
                *entry = number;
            }
        }
        self.reader.store.set_unused(left);
        self.dirty = true;
        let done = self.commit();
        if done.is_err() {
            // The old files are needed again.
            self.reader.contents.index = old;
            self.reader.store.set_unused(Vec::new());
        }
        done
    }

    /// Commits pending changes and removes the chunk files that the frame does not use: those of
    /// replaced chunks and of interrupted commits, also those that still have a temporary name
    /// (`.NAME.new`). Returns the number of files removed. Files with other names stay.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn recover(&mut self) -> Result<u64> {
        self.locked(|writer| {
            writer.commit()?;
            let reader = &mut *writer.reader;
            reader.store.sweep(&reader.contents.index)
        })
    }
}
