//! Changing a contiguous frame so that a crash loses nothing that was committed.
//!
//! ```text
//! before    | header | chunks            | index | trailer |
//! writing   | header | chunks            | index | trailer | new chunks | new index | new trailer |
//! after     | header'| chunks            . . . dead . . . . new chunks  | new index | new trailer |
//!             ^ one write of the header, after all the rest has arrived
//! ```
//!
//! The first bytes of the header hold all that tells the old frame from the new one: the frame
//! length, from which the trailer is found, and `cbytes`, from which the index is found. They fit
//! in one sector, so they change together. Bytes below `floor`, the end of the committed frame,
//! are written over by nothing else, with one exception: a frame without chunks has its trailer
//! directly behind the header, because C looks for it there. While both fit into the first sector,
//! they go out in one write. Else there is a commit in between, whose trailer lies behind all the
//! rest: this crate reads it as the new frame, C finds no trailer, and the next step, or `recover` after
//! a crash, puts it where C wants it.
//!
//! Metalayers are updated where they are, in the header. What lies behind its first sector is not
//! safe from a loss of power while it is being updated.
//!
//! With [`in_place`](super::FrameParams::in_place), the floor is 0 and changes follow the habits
//! of C (format §9.7).

use super::contents::Contents;
use super::contiguous::Contiguous;
use super::params::Durability;
use super::seal;
use super::store::{FrameStoreMut, Plan, io_error, sealed};
use crate::error::{Error, Part, Result};
use crate::storage::WriteAt;

/// How many bytes a disk writes as a whole or not at all.
const SECTOR: u64 = 512;
/// How many bytes are moved at once when chunks close up.
const MOVE_PIECE: u64 = 1 << 20;

impl<S: WriteAt> Contiguous<S> {
    pub(super) fn write(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<()> {
        let written = self.storage.write_all_at(bytes, offset);
        written.map_err(|source| io_error(part, offset, source))
    }

    /// Fills `bytes` from `offset` on.
    pub(super) fn read_part(&self, part: Part, offset: u64, bytes: &mut [u8]) -> Result<()> {
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
        let piece = usize::try_from(len.min(MOVE_PIECE)).unwrap_or(usize::MAX);
        let mut buf = vec![0; piece];
        let mut done = 0;
        while done < len {
            let step = (len - done).min(buf.len() as u64);
            // Towards the front, the first bytes go first; towards the back, the last.
            let at = if to < from { done } else { len - done - step };
            let bytes = buf.get_mut(..usize::try_from(step).unwrap_or(usize::MAX));
            let bytes = bytes.unwrap_or_default();
            let read = self.storage.read_exact_at(bytes, from.saturating_add(at));
            read.map_err(|source| io_error(part, from.saturating_add(at), source))?;
            let write = self.storage.write_all_at(bytes, to.saturating_add(at));
            write.map_err(|source| io_error(part, to.saturating_add(at), source))?;
            done = done.saturating_add(step);
        }
        Ok(())
    }

    /// Puts `new` where `old_len` bytes were, and moves everything behind them.
    fn squeeze(
        &mut self,
        contents: &mut Contents,
        old: u64,
        old_len: u64,
        new: &[u8],
    ) -> Result<()> {
        let section = u64::from(contents.header.header_len);
        let at = section.saturating_add(old);
        let end = section.saturating_add(contents.header.cbytes);
        let new_len = new.len() as u64;
        let behind = at.saturating_add(old_len);
        self.shift(behind, end, at.saturating_add(new_len))?;
        self.write(Part::ChunksSection, at, new)?;
        for entry in &mut contents.index {
            if let Ok(place) = u64::try_from(*entry)
                && place > old
            {
                let moved = place.saturating_add(new_len).saturating_sub(old_len);
                *entry = i64::try_from(moved).unwrap_or(i64::MAX);
            }
        }
        let cbytes = &mut contents.header.cbytes;
        *cbytes = cbytes.saturating_add(new_len).saturating_sub(old_len);
        Ok(())
    }

    /// Writes index and trailer from `start` on, then the header, which makes them count; returns
    /// the length of the frame. A trailer that shares the first sector with the header needs no
    /// write of its own.
    fn write_tail(
        &mut self,
        contents: &mut Contents,
        index: &[u8],
        start: u64,
        plan: Plan,
    ) -> Result<u64> {
        let mut trailer = contents.trailer()?;
        let section = u64::from(contents.header.header_len);
        let index_end = start.saturating_add(index.len() as u64);
        let frame_len = index_end.saturating_add(trailer.len() as u64);
        contents.header.cbytes = start.saturating_sub(section);
        contents.header.frame_len = frame_len;
        let mut header = contents.header.write(&contents.metalayers)?;
        seal::sign(contents, &header, index, &mut trailer);
        if start == section && index.is_empty() && frame_len <= SECTOR {
            header.extend_from_slice(&trailer);
        } else {
            let mut end = index.to_vec();
            end.extend_from_slice(&trailer);
            self.write(Part::Index, start, &end)?;
            self.sync(plan.durability)?;
        }
        self.write(Part::FrameHeader, 0, &header)?;
        self.sync(plan.durability)?;
        Ok(frame_len)
    }

    /// Where the next bytes of the section go.
    fn section_end(&self, contents: &Contents) -> u64 {
        let section = u64::from(contents.header.header_len);
        section
            .saturating_add(contents.header.cbytes)
            .max(self.floor)
    }
}

impl<S: WriteAt> FrameStoreMut for Contiguous<S> {}

#[expect(private_interfaces, reason = "the trait is sealed")]
impl<S: WriteAt> sealed::SealedMut for Contiguous<S> {
    fn begin(&mut self, contents: &mut Contents) -> Result<()> {
        self.floor = 0;
        let bytes = contents.header.write(&contents.metalayers)?;
        contents.header.header_len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let cut = self.storage.set_len(0);
        cut.map_err(|source| io_error(Part::FrameHeader, 0, source))
    }

    fn resume(&mut self, contents: &mut Contents, plan: Plan) -> Result<()> {
        self.floor = if plan.in_place {
            0
        } else {
            contents.header.frame_len
        };
        if contents.index.is_empty() {
            // C leaves a stale size behind when the last chunk goes (format §9.7).
            contents.header.cbytes = 0;
        }
        Ok(())
    }

    fn put(&mut self, contents: &mut Contents, chunk: &[u8], _plan: Plan) -> Result<u64> {
        let section = u64::from(contents.header.header_len);
        let at = self.section_end(contents);
        self.write(Part::ChunksSection, at, chunk)?;
        let place = at.saturating_sub(section);
        contents.header.cbytes = place.saturating_add(chunk.len() as u64);
        Ok(place)
    }

    fn replace(
        &mut self,
        contents: &mut Contents,
        old: u64,
        old_len: u64,
        new: Option<&[u8]>,
        plan: Plan,
    ) -> Result<u64> {
        if plan.in_place {
            self.squeeze(contents, old, old_len, new.unwrap_or_default())?;
            return Ok(old);
        }
        let Some(new) = new else {
            return Ok(old);
        };
        let at = u64::from(contents.header.header_len).saturating_add(old);
        if at >= self.floor && new.len() as u64 <= old_len {
            self.write(Part::ChunksSection, at, new)?;
            return Ok(old);
        }
        self.put(contents, new, plan)
    }

    fn remove(
        &mut self,
        _contents: &mut Contents,
        _old: u64,
        _old_len: u64,
        _plan: Plan,
    ) -> Result<()> {
        // The bytes stay as dead space until the frame is compacted.
        Ok(())
    }

    fn take_back(
        &mut self,
        contents: &mut Contents,
        old: u64,
        old_len: u64,
        _plan: Plan,
    ) -> Result<()> {
        let at = u64::from(contents.header.header_len).saturating_add(old);
        if at >= self.floor && old.saturating_add(old_len) == contents.header.cbytes {
            contents.header.cbytes = old;
        }
        Ok(())
    }

    fn commit(&mut self, contents: &mut Contents, index: &[u8], plan: Plan) -> Result<()> {
        let mut start = self.section_end(contents);
        if contents.index.is_empty() {
            let section = u64::from(contents.header.header_len);
            let trailer_len = contents.trailer()?.len() as u64;
            let whole = section.saturating_add(trailer_len);
            if self.floor > 0 && whole > SECTOR {
                self.write_tail(contents, index, start.max(whole), plan)?;
            }
            start = section;
        }
        let frame_len = self.write_tail(contents, index, start, plan)?;
        let io = |source| io_error(Part::FrameTrailer, frame_len, source);
        if self.storage.len().map_err(io)? > frame_len {
            self.storage.set_len(frame_len).map_err(io)?;
        }
        self.floor = if plan.in_place { 0 } else { frame_len };
        Ok(())
    }
}
