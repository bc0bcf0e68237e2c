//! Changing a contiguous frame so that a crash loses nothing that was committed.
//!
//! ```text
//! before    | header | chunks           | index | trailer |
//! writing   | header | chunks           | index | trailer | new chunks | new index | new trailer |
//! after     | header'| chunks           . . . dead . . . . new chunks  | new index | new trailer |
//!             ^ one write of the header, after all other writes
//! ```
//!
//! The first bytes of the header hold everything in which the old and the new frame differ: the
//! frame length, which locates the trailer, and `cbytes`, which locates the index. They fit in one
//! sector, so they change together. Bytes below `floor`, the end of the committed frame, are not
//! overwritten, with one exception: a frame without chunks has its trailer directly after the
//! header, where C expects it. When both fit into the first sector, one write stores both.
//! Otherwise an intermediate commit puts the trailer after all other bytes: this crate reads it as
//! the new frame, C finds no trailer, and the next step, or `recover` after a crash, moves the
//! trailer to its place.
//!
//! Metalayers are updated in place, in the header. A loss of power during an update can damage
//! those after its first sector.
//!
//! With [`in_place`](crate::frame::FrameParams::in_place), the floor is 0 and changes are made as C
//! makes them ([format §9.7](crate::format#9.7)).

use super::contiguous::Contiguous;
use super::located::io_error;
use super::traits::{Committed, FrameStoreMut, Moved, Placed, WriteMode, sealed};
use super::undo::{Abandon, UndoContiguous};
use crate::error::{Error, Part, Result};
use crate::frame::layout::contents::Contents;
use crate::frame::layout::params::Durability;
use crate::frame::layout::seal;
use crate::num::saturating_usize;
use crate::storage::WriteAt;

/// The bytes that a disk writes atomically.
const SECTOR: u64 = 512;
/// The buffer size for moving chunks, in bytes.
const MOVE_PIECE: u64 = 1 << 20;

impl<S: WriteAt> Contiguous<S> {
    pub(crate) fn write(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<()> {
        let written = self.storage.write_all_at(bytes, offset);
        written.map_err(|source| io_error(part, offset, source))
    }

    /// Fills `bytes` from `offset` on.
    pub(crate) fn read_part(&self, part: Part, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let read = self.storage.read_exact_at(bytes, offset);
        read.map_err(|source| io_error(part, offset, source))
    }

    fn sync(&mut self, durability: Durability) -> Result<()> {
        let done = match durability {
            Durability::None => Ok(()),
            Durability::Data => self.storage.sync_data(),
            Durability::Full => self.storage.sync(),
        };
        done.map_err(|source| Error::Io {
            part: Part::FrameHeader,
            offset: None,
            source,
        })
    }

    /// Moves the bytes `from..end` so that they begin at `to`.
    fn shift(&mut self, from: u64, end: u64, to: u64) -> Result<()> {
        let part = Part::ChunksSection;
        let len = end.saturating_sub(from);
        if from == to || len == 0 {
            return Ok(());
        }
        let piece = saturating_usize(len.min(MOVE_PIECE));
        let mut buf = vec![0; piece];
        let mut done = 0;
        while done < len {
            let step = (len - done).min(buf.len() as u64);
            // Overlapping moves copy the first bytes first towards the front, and last to the back.
            let at = if to < from { done } else { len - done - step };
            let bytes = buf.get_mut(..saturating_usize(step));
            let bytes = bytes.unwrap_or_default();
            let read = self.storage.read_exact_at(bytes, from.saturating_add(at));
            read.map_err(|source| io_error(part, from.saturating_add(at), source))?;
            let write = self.storage.write_all_at(bytes, to.saturating_add(at));
            write.map_err(|source| io_error(part, to.saturating_add(at), source))?;
            done = done.saturating_add(step);
        }
        Ok(())
    }

    /// Puts `new` in place of `old_len` bytes, and moves everything after them.
    fn replace_in_place(
        &mut self,
        contents: &Contents,
        old: u64,
        old_len: u64,
        new: &[u8],
    ) -> Result<Placed> {
        let section = contents.header.header_len;
        let at = section.saturating_add(old);
        let end = section.saturating_add(contents.header.cbytes);
        let new_len = new.len() as u64;
        let next = at.saturating_add(old_len);
        self.shift(next, end, at.saturating_add(new_len))?;
        self.write(Part::ChunksSection, at, new)?;
        let cbytes = contents.header.cbytes.saturating_add(new_len);
        Ok(Placed {
            place: old,
            cbytes: cbytes.saturating_sub(old_len),
            moved: Some(Moved {
                after: old,
                old_len,
                new_len,
            }),
        })
    }

    /// Writes index and trailer from `start` on, then the header, which makes them valid. A trailer
    /// that shares the first sector with the header is part of that last write.
    fn write_tail(
        &mut self,
        contents: &Contents,
        index: &[u8],
        start: u64,
        mode: WriteMode,
    ) -> Result<Committed> {
        let mut trailer = contents.trailer()?;
        let section = contents.header.header_len;
        let index_end = start.saturating_add(index.len() as u64);
        let frame_len = index_end.saturating_add(trailer.len() as u64);
        let cbytes = start.saturating_sub(section);
        let mut fields = contents.header.clone();
        (fields.cbytes, fields.frame_len) = (cbytes, frame_len);
        let mut header = fields.write(&contents.metalayers)?;
        let fingerprint = seal::sign(contents, &header, index, &mut trailer);
        if start == section && index.is_empty() && frame_len <= SECTOR {
            header.extend_from_slice(&trailer);
        } else {
            let mut end = index.to_vec();
            end.extend_from_slice(&trailer);
            self.write(Part::Index, start, &end)?;
            self.sync(mode.durability)?;
        }
        self.write(Part::FrameHeader, 0, &header)?;
        self.sync(mode.durability)?;
        Ok(Committed {
            cbytes,
            frame_len,
            fingerprint,
        })
    }

    /// The offset of the next bytes of the section.
    fn section_end(&self, contents: &Contents) -> u64 {
        let section = contents.header.header_len;
        section
            .saturating_add(contents.header.cbytes)
            .max(self.floor)
    }
}

impl<S: WriteAt> FrameStoreMut for Contiguous<S> {}

#[expect(private_interfaces, reason = "the trait is sealed")]
impl<S: WriteAt> sealed::SealedMut for Contiguous<S> {
    fn begin(&mut self) -> Result<()> {
        self.floor = 0;
        let cut = self.storage.set_len(0);
        cut.map_err(|source| io_error(Part::FrameHeader, 0, source))
    }

    fn keep_locked(&mut self, _locked: bool) {
        // Commits do not replace the file, so its lock stays.
    }

    fn undo(&self) -> Result<Option<Box<dyn Abandon>>> {
        let floor = self.floor;
        let handle = self.storage.second_handle();
        let handle = handle.map_err(|source| io_error(Part::FrameHeader, 0, source))?;
        Ok(handle.map(|storage| Box::new(UndoContiguous { storage, floor }) as Box<dyn Abandon>))
    }

    fn resume(&mut self, contents: &Contents, mode: WriteMode) {
        self.floor = if mode.in_place {
            0
        } else {
            contents.header.frame_len
        };
    }

    fn put(&mut self, contents: &Contents, chunk: &[u8], _mode: WriteMode) -> Result<Placed> {
        let section = contents.header.header_len;
        let at = self.section_end(contents);
        self.write(Part::ChunksSection, at, chunk)?;
        let place = at.saturating_sub(section);
        Ok(Placed {
            place,
            cbytes: place.saturating_add(chunk.len() as u64),
            moved: None,
        })
    }

    fn replace(
        &mut self,
        contents: &Contents,
        old: u64,
        old_len: u64,
        new: Option<&[u8]>,
        mode: WriteMode,
    ) -> Result<Placed> {
        if mode.in_place {
            return self.replace_in_place(contents, old, old_len, new.unwrap_or_default());
        }
        let unchanged = Placed {
            place: old,
            cbytes: contents.header.cbytes,
            moved: None,
        };
        let Some(new) = new else {
            return Ok(unchanged);
        };
        let at = contents.header.header_len.saturating_add(old);
        if at >= self.floor && new.len() as u64 <= old_len {
            self.write(Part::ChunksSection, at, new)?;
            return Ok(unchanged);
        }
        self.put(contents, new, mode)
    }

    fn remove(
        &mut self,
        contents: &Contents,
        _old: u64,
        _old_len: u64,
        _mode: WriteMode,
    ) -> Result<u64> {
        // The bytes stay unused until the frame is compacted.
        Ok(contents.header.cbytes)
    }

    fn take_back(
        &mut self,
        contents: &Contents,
        old: u64,
        old_len: u64,
        _mode: WriteMode,
    ) -> Result<u64> {
        let cbytes = contents.header.cbytes;
        let at = contents.header.header_len.saturating_add(old);
        let is_end = at >= self.floor && old.saturating_add(old_len) == cbytes;
        Ok(if is_end { old } else { cbytes })
    }

    fn commit(&mut self, contents: &Contents, index: &[u8], mode: WriteMode) -> Result<Committed> {
        let mut start = self.section_end(contents);
        if contents.index.is_empty() {
            let section = contents.header.header_len;
            let trailer_len = contents.trailer()?.len() as u64;
            let whole = section.saturating_add(trailer_len);
            if self.floor > 0 && whole > SECTOR {
                self.write_tail(contents, index, start.max(whole), mode)?;
            }
            start = section;
        }
        let committed = self.write_tail(contents, index, start, mode)?;
        let frame_len = committed.frame_len;
        let io = |source| io_error(Part::FrameTrailer, frame_len, source);
        if self.storage.len().map_err(io)? > frame_len {
            self.storage.set_len(frame_len).map_err(io)?;
        }
        let sync = mode.durability != Durability::None;
        self.storage.publish(sync).map_err(io)?;
        self.floor = if mode.in_place { 0 } else { frame_len };
        Ok(committed)
    }
}
