//! Keeping up with changes by others.
//!
//! A reader knows the header, the index and the trailer as they were when it was opened, and reads
//! chunks later, when others may have moved them. With locks, the shared lock of the sidecar is
//! held during a read, and its generation counter tells whether the reader is up to date. Without,
//! the stamp of the file is compared after each read. A file of another length does not mean that
//! the frame changed: a writer may have begun to append. The header, the index and the trailer are
//! then read again and compared; compacting, which can make them what they were at an earlier time,
//! counts in the trailer ([format §9.5](crate::format#9.5)).

use std::sync::{Mutex, PoisonError};

use super::open;
use super::reader::FrameReader;
use crate::error::{Error, Part, Result};
use crate::frame::layout::header::{FRAME_HEADER_LEN, FrameType};
use crate::frame::layout::locking::{Access, Locking};
use crate::frame::store::located::io_error;
use crate::frame::store::traits::FrameStore;
use crate::frame::store::watch::{Current, Seen, Shared, Watch, locked, stale, stamped};
use crate::params::DParams;
use crate::storage::{LockKind, LockOutcome, ReadAt, Shareable, Stamp};

impl<S: FrameStore> FrameReader<S> {
    /// Opens the frame in a store with locks.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in); [`Error::Refused`] for [`Locking::Exclusive`], which keeps
    /// out writers only, and for [`Locking::Shared`] in a storage without a sidecar.
    pub fn open_in_with(store: S, dparams: DParams, access: impl Into<Access>) -> Result<Self> {
        match access.into() {
            Access {
                locking: Locking::None,
                ..
            } => Self::open_in(store, dparams),
            Access {
                locking: Locking::Exclusive,
                ..
            } => Err(Error::Refused {
                what: "open a reader with an exclusive lock",
                why: "only writers have one",
            }),
            access @ Access {
                locking: Locking::Shared,
                ..
            } => Self::open_shared(store, dparams, access),
        }
    }

    fn open_shared(mut store: S, dparams: DParams, access: Access) -> Result<Self> {
        let mut shared = shared(&store)?;
        lock(&store, &shared, LockKind::Shared, access.wait)?;
        // The file may have been replaced before the lock was taken.
        store.reopen()?;
        shared.generation = shared.sidecar.generation().map_err(sidecar_error)?;
        let contents = open::open(&store, &dparams);
        shared.sidecar.unlock().map_err(sidecar_error)?;
        let (contents, _) = contents?;
        let mut reader = Self::with_contents(store, contents, dparams);
        reader.watch = Watch::Shared(shared);
        Ok(reader)
    }

    /// The watch of a frame whose contents were just read, after this stamp was taken.
    pub(crate) fn watch_stamp(&self, stamp: Option<Stamp>) -> Result<Watch> {
        let mut front = [0; FRAME_HEADER_LEN];
        if stamp.is_some() {
            read_front(self.store.frame()?, &mut front)?;
        }
        Ok(stamped(stamp, front))
    }

    /// Reads the header, the index and the trailer again, and returns whether others have changed
    /// the frame, be it in its chunks only. Without it, reads of a frame that has changed are
    /// [`Error::Stale`].
    ///
    /// ```
    /// use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
    /// use oxiblosc::{CParams, ChunkSource, DParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("frame");
    /// let mut writer = FrameWriter::create(&path, FrameParams::new(CParams::new(1), 1000))?;
    /// writer.commit()?;
    /// let mut reader = FrameReader::open(&path, DParams::new())?;
    /// writer.append(&[7; 1000])?;
    /// writer.commit()?;
    /// assert_eq!(reader.layout().nbytes, 0);
    /// assert!(reader.refresh()?);
    /// assert_eq!(reader.layout().nbytes, 1000);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in). The reader then is as before.
    #[doc(alias = "blosc2_schunk_refresh")]
    pub fn refresh(&mut self) -> Result<bool> {
        let stale = self.reading(&mut || Ok(())).is_err();
        self.cache.clear();
        let held = match &self.watch {
            Watch::Shared(shared) => {
                lock(&self.store, shared, LockKind::Shared, true)?;
                Some(shared.sidecar.generation().map_err(sidecar_error))
            }
            Watch::Stamp(_) => None,
            Watch::Off if self.store.shareable().is_some() => None,
            Watch::Off => return Ok(false),
        };
        let done = self.reread();
        let Watch::Shared(shared) = &mut self.watch else {
            return done.map(|changed| changed || stale);
        };
        shared.sidecar.unlock().map_err(sidecar_error)?;
        if let (Some(generation), Ok(_)) = (held, &done) {
            shared.generation = generation?;
        }
        done.map(|changed| changed || stale)
    }

    /// Whether the frame is still the one that was read last, as far as this can be told without
    /// reading it again: by its path, which may name another file by now, and by its stamp and its
    /// first bytes, or by the generation of its sidecar.
    ///
    /// ```
    /// use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
    /// use oxiblosc::{CParams, DParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("frame");
    /// let mut writer = FrameWriter::create(&path, FrameParams::new(CParams::new(1), 1000))?;
    /// writer.commit()?;
    /// let reader = FrameReader::open(&path, DParams::new())?;
    /// assert!(reader.is_current());
    /// writer.append(&[7; 1000])?;
    /// writer.commit()?;
    /// assert!(!reader.is_current());
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_current(&self) -> bool {
        let same = matches!(self.watch, Watch::Off) || self.reading(&mut || Ok(())).is_ok();
        same && self.is_named().unwrap_or(false)
    }

    /// Reads the contents again; returns whether they differ.
    pub(crate) fn reread(&mut self) -> Result<bool> {
        if !self.is_named()? {
            self.store.reopen()?;
        }
        let stamp = self.store.stamp()?;
        let (contents, front) = open::open(&self.store, &self.dparams)?;
        if matches!(self.watch, Watch::Stamp(_)) {
            self.watch = stamped(stamp, front);
        }
        self.cache.clear();
        let changed = contents != self.contents;
        if changed {
            self.contents = contents;
            self.starts.clear();
        }
        Ok(changed)
    }

    /// Whether the open file is the one that the path names.
    fn is_named(&self) -> Result<bool> {
        let named = self.store.shareable().map(Shareable::is_current);
        named
            .transpose()
            .map(|named| named.unwrap_or(true))
            .map_err(|source| io_error(Part::FrameHeader, 0, source))
    }

    /// [`Error::Stale`] when the frame has changed, else `error`.
    pub(crate) fn stale_or(&self, error: Error) -> Error {
        let checked = match &self.watch {
            Watch::Off => Ok(()),
            _ => self.reading(&mut || Ok(())),
        };
        checked.err().unwrap_or(error)
    }

    /// Refuses a read after which the file is not as it was seen.
    fn check_stamp(&self, seen: &Mutex<Seen>) -> Result<()> {
        let Some(stamp) = self.store.stamp().map_err(|_| self.stale())? else {
            return Ok(());
        };
        let last = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, settled, known) = (last.stamp, last.settled, last.front);
        drop(last);
        let same = before == stamp;
        if same && settled {
            return Ok(());
        }
        // Only a commit replaces the file of a sparse frame. In one file, bytes that are not
        // committed yet make it longer.
        if !same && (S::FRAME_TYPE == FrameType::Sparse || before.is_overwritten(&stamp)) {
            return Err(self.stale());
        }
        let now_settled = stamp.is_settled();
        let mut front = [0; FRAME_HEADER_LEN];
        if same {
            // Changed again at the time of the same clock tick, if at all: the header tells.
            let read = read_front(self.store.frame()?, &mut front);
            if read.is_err() || front != known {
                return Err(self.stale());
            }
            if now_settled {
                let mut last = seen.lock().unwrap_or_else(PoisonError::into_inner);
                last.settled |= last.stamp == stamp;
            }
            return Ok(());
        }
        let live = self.store.live_frame().map_err(|_| self.stale())?;
        read_front(&*live, &mut front).map_err(|_| self.stale())?;
        if front != known {
            return Err(self.stale());
        }
        let contents = open::open_file(&*live, S::FRAME_TYPE, &self.dparams);
        if contents.ok().map(|(contents, _)| contents).as_ref() != Some(&self.contents) {
            return Err(self.stale());
        }
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = Seen {
            stamp,
            settled: now_settled,
            front,
        };
        Ok(())
    }

    pub(crate) fn stale(&self) -> Error {
        stale(self.store.shareable())
    }
}

impl<S: FrameStore> Current for FrameReader<S> {
    fn reading(&self, read: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        match &self.watch {
            Watch::Off => read(),
            Watch::Stamp(seen) => {
                let done = read();
                self.check_stamp(seen)?;
                done
            }
            Watch::Shared(shared) if shared.held => read(),
            Watch::Shared(shared) => {
                lock(&self.store, shared, LockKind::Shared, true)?;
                let done = match shared.sidecar.generation() {
                    Ok(generation) if generation == shared.generation => read(),
                    Ok(_) => Err(self.stale()),
                    Err(source) => Err(sidecar_error(source)),
                };
                shared.sidecar.unlock().map_err(sidecar_error)?;
                done
            }
        }
    }
}

/// The first bytes of a frame; zeros where there are none.
pub(crate) fn read_front(file: &dyn ReadAt, front: &mut [u8; FRAME_HEADER_LEN]) -> Result<()> {
    let read = file.read_exact_at(front, 0);
    read.map_err(|source| io_error(Part::FrameHeader, 0, source))
}

/// Opens the sidecar of a frame, or creates it.
pub(crate) fn shared<S: FrameStore>(store: &S) -> Result<Shared> {
    let sidecar = store.sidecar(true)?.ok_or(Error::Refused {
        what: "share the frame",
        why: "its storage has no locks",
    })?;
    Ok(Shared {
        sidecar,
        generation: Default::default(),
        held: false,
    })
}

/// Takes a lock of the sidecar.
pub(crate) fn lock<S: FrameStore>(
    store: &S,
    shared: &Shared,
    kind: LockKind,
    wait: bool,
) -> Result<()> {
    match shared.sidecar.lock(kind, wait).map_err(sidecar_error)? {
        LockOutcome::Taken => Ok(()),
        LockOutcome::Busy => Err(locked(store.shareable())),
        LockOutcome::Unsupported => Err(Error::Refused {
            what: "share the frame",
            why: "the file system has no locks",
        }),
    }
}

/// A failure of the sidecar.
pub(crate) fn sidecar_error(source: std::io::Error) -> Error {
    Error::Io {
        part: Part::FrameHeader,
        offset: None,
        source,
    }
}
