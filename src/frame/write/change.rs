//! Beginning and ending changes: locks, and what is removed when a change is given up.

use super::turn::{lock_existing_sidecar, take_turn, unlock_data};
use super::writer::FrameWriter;
use crate::error::{Error, Result};
use crate::frame::layout::header::FRAME_HEADER_LEN;
use crate::frame::layout::locking::Locking;
use crate::frame::read::current::{read_front, sidecar_error};
use crate::frame::store::traits::FrameStoreMut;
use crate::frame::store::undo::Undo;
use crate::frame::store::watch::Watch;

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Begins a change of several commits: others wait, or are refused, until
    /// [`unlock`](Self::unlock). With [`Locking::Shared`] only; any other writer has its locks
    /// already, or none. Calls nest. Returns whether the frame was read again, since others have
    /// changed it.
    ///
    /// # Errors
    /// [`Error::Locked`] when another handle holds a lock, and this one does not
    /// [wait](crate::frame::Access::wait); [`Error::Stale`] when others changed the frame of a
    /// writer that does not share it; an error of reading the frame again.
    #[doc(alias = "blosc2_schunk_lock")]
    pub fn lock(&mut self) -> Result<bool> {
        let reread = self.begin()?;
        self.turn.depth = self.turn.depth.saturating_add(1);
        Ok(reread)
    }

    /// Ends what [`lock`](Self::lock) began. Changes that are not committed yet keep the lock until
    /// they are.
    ///
    /// # Errors
    /// When the storage fails.
    #[doc(alias = "blosc2_schunk_unlock")]
    pub fn unlock(&mut self) -> Result<()> {
        self.turn.depth = self.turn.depth.saturating_sub(1);
        self.end_unchanged()
    }

    /// Calls `work` between [`lock`](Self::lock) and [`unlock`](Self::unlock).
    pub(crate) fn locked<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.lock()?;
        let done = work(self);
        let unlocked = self.unlock();
        done.and_then(|done| unlocked.map(|()| done))
    }

    /// Calls `work`, which changes the frame. When it fails before anything has changed, the lock
    /// is given back.
    pub(crate) fn change<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.begin()?;
        self.end.others = true;
        let done = work(self);
        if done.is_err() {
            self.end.failed = true;
            self.end_unchanged()?;
        }
        done
    }

    /// Calls `work`, which adds something at the end of the frame and changes nothing else.
    pub(crate) fn extend<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let others = self.end.others;
        let done = self.change(work);
        if done.is_ok() {
            self.end.others = others;
        }
        done
    }

    /// Begins a change, unless one has begun: takes the lock of a shared frame and reads the frame
    /// again if others have changed it. Returns whether it did.
    pub(crate) fn begin(&mut self) -> Result<bool> {
        if self.turn.changing {
            return Ok(false);
        }
        let mut reread = false;
        let reader = &mut *self.reader;
        if let Watch::Shared(shared) = &mut reader.watch {
            if take_turn(&mut reader.store, shared, self.turn.access)? {
                self.turn.changing = true;
                if let Err(error) = self.reread() {
                    self.end_change()?;
                    return Err(error);
                }
                reread = true;
            }
        } else {
            if self.turn.access.locking == Locking::Exclusive && self.turn.sidecar.is_none() {
                // Others that began to share the frame meanwhile lock the sidecar only.
                self.turn.sidecar = lock_existing_sidecar(&self.reader.store, true)?;
            }
            self.check_unchanged()?;
            self.reader.watch = Watch::Off;
        }
        self.turn.changing = true;
        if let Err(error) = self.arm() {
            // Without what undoes it, the change has not begun.
            self.end_change()?;
            return Err(error);
        }
        Ok(reread)
    }

    /// From now on, a writer that is dropped removes what it wrote since.
    fn arm(&mut self) -> Result<()> {
        if !self.mode.in_place {
            self.undo = Undo::new(self.reader.store.undo()?);
        }
        Ok(())
    }

    /// Reads the frame again.
    fn reread(&mut self) -> Result<bool> {
        let before = self.reader.contents.header.chunksize;
        let changed = self.reader.reread()?;
        self.adopt(before);
        Ok(changed)
    }

    /// Prepares for changes to contents that were read again.
    fn adopt(&mut self, before: Option<usize>) {
        let after = self.reader.contents.header.chunksize;
        if let Some(chunksize) = after.filter(|&size| size > 0)
            && before != after
        {
            self.chunksize = chunksize;
        }
        self.resume();
    }

    /// Refuses to continue when the frame is not the one of the last commit: writing would discard
    /// the commits of other writers.
    pub(crate) fn check_unchanged(&self) -> Result<()> {
        let Some(known) = &self.turn.front else {
            return Ok(());
        };
        let live = self.reader.store.live_frame();
        let mut front = [0; FRAME_HEADER_LEN];
        let read = live.and_then(|live| read_front(&*live, &mut front));
        if read.is_err() || front != *known {
            return Err(self.reader.stale());
        }
        Ok(())
    }

    /// Notes that everything is committed, and ends the change.
    pub(crate) fn committed(&mut self) -> Result<()> {
        self.undo.forget();
        self.turn.committed = true;
        self.turn.note_front(&self.reader)?;
        if self.turn.depth > 0 {
            return self.arm();
        }
        self.end_change()
    }

    /// Ends a change in which nothing has changed yet.
    pub(crate) fn end_unchanged(&mut self) -> Result<()> {
        if self.dirty || !self.pending.is_empty() {
            return Ok(());
        }
        self.end_change()
    }

    /// Ends a change: others have their turn.
    pub(crate) fn end_change(&mut self) -> Result<()> {
        if self.turn.depth > 0 || !self.turn.changing {
            return Ok(());
        }
        // Removes what was written, unless it is committed.
        self.undo = Undo::default();
        self.turn.changing = false;
        match self.turn.access.locking {
            Locking::Shared => unlock_data(&self.reader.store)?,
            Locking::None => {
                let stamp = self.reader.store.stamp()?;
                self.reader.watch = self.reader.watch_stamp(stamp)?;
            }
            Locking::Exclusive => {}
        }
        if let Watch::Shared(shared) = &mut self.reader.watch {
            shared.held = false;
            shared.sidecar.unlock().map_err(sidecar_error)?;
        }
        Ok(())
    }

    /// Discards everything since the last commit: pending bytes, changes, and what they left in
    /// the storage. The reader is as after that commit, or after later ones by others.
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkSource, FrameParams, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 100))?;
    /// writer.append(&[7; 100])?;
    /// writer.commit()?;
    /// writer.append(&[8; 250])?;
    /// writer.rollback()?;
    /// assert_eq!(writer.layout().nbytes, 100);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`] when nothing was committed yet, or the writer works
    /// [in place](crate::frame::FrameParams::in_place); when the frame cannot be read again.
    pub fn rollback(&mut self) -> Result<()> {
        let why = if !self.turn.committed {
            "nothing was committed yet"
        } else if self.mode.in_place {
            "changes in place cannot be undone"
        } else {
            ""
        };
        if !why.is_empty() {
            let what = "roll back";
            return Err(Error::Refused { what, why });
        }
        self.pending.clear();
        self.undo = Undo::default();
        self.reread()?;
        self.dirty = false;
        self.end.committed();
        self.turn.note_front(&self.reader)?;
        if self.turn.depth > 0 {
            return self.arm();
        }
        self.end_change()
    }

    /// Reads the frame again when others have changed it, and returns whether they have.
    ///
    /// # Errors
    /// [`Error::Refused`] when there are changes that are not committed;
    /// as [`FrameReader::refresh`](crate::frame::FrameReader::refresh).
    #[doc(alias = "blosc2_schunk_refresh")]
    pub fn refresh(&mut self) -> Result<bool> {
        if self.dirty || !self.pending.is_empty() {
            return Err(Error::Refused {
                what: "refresh the writer",
                why: "changes are not committed; commit or roll back first",
            });
        }
        if self.turn.changing {
            return self.reread();
        }
        let before = self.reader.contents.header.chunksize;
        let changed = self.reader.refresh()?;
        self.adopt(before);
        self.turn.note_front(&self.reader)?;
        Ok(changed)
    }
}
