//! Taking turns with other handles and processes.
//!
//! ```text
//! Exclusive   open: lock          change   commit   change   commit   drop: unlock
//! Shared      open                change: lock, read again if others changed the frame
//!                                 commit: unlock
//! ```
//!
//! The sidecar is locked before the data file, everywhere, so that two handles never wait for each
//! other. A handle that waits for the data file gives the sidecar back in between.

use std::thread;
use std::time::Duration;

use crate::error::{Part, Result};
use crate::frame::layout::header::FRAME_HEADER_LEN;
use crate::frame::layout::locking::{Access, Locking};
use crate::frame::read::current::{lock, read_front, shared, sidecar_error};
use crate::frame::read::reader::FrameReader;
use crate::frame::store::located::io_error;
use crate::frame::store::traits::FrameStoreMut;
use crate::frame::store::watch::{Shared, Watch, locked};
use crate::params::DParams;
use crate::storage::{LockKind, LockOutcome, Shareable, Sidecar};

/// The pause between two attempts to lock a data file.
const RETRY: Duration = Duration::from_millis(1);

/// The locks of a writer.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(super) access: Access,
    /// A sidecar that an exclusive writer found, and has locked.
    pub(super) sidecar: Option<Box<dyn Sidecar>>,
    /// Whether a change has begun and is not committed.
    pub(super) changing: bool,
    /// How often [`FrameWriter::lock`](crate::frame::FrameWriter::lock) was called.
    pub(super) depth: usize,
    /// Whether the storage holds a frame to go back to.
    pub(super) committed: bool,
    /// The first bytes of the frame as committed, in a storage that others may change.
    pub(super) front: Option<[u8; FRAME_HEADER_LEN]>,
}

impl Turn {
    fn new(access: Access) -> Self {
        Self {
            access,
            sidecar: None,
            changing: false,
            depth: 0,
            committed: true,
            front: None,
        }
    }

    /// Takes the locks of a new frame, whose first change has begun.
    pub(crate) fn create<S: FrameStoreMut>(store: &mut S, access: Access) -> Result<(Self, Watch)> {
        let mut turn = Self {
            changing: true,
            committed: false,
            ..Self::new(access)
        };
        let mut watch = Watch::Off;
        match access.locking {
            Locking::Exclusive => turn.sidecar = lock_exclusive(store, access.wait)?,
            Locking::Shared => {
                let mut shared = shared(store)?;
                take_turn(store, &mut shared, access)?;
                watch = Watch::Shared(shared);
            }
            Locking::None => {}
        }
        store.keep_locked(access.locking != Locking::None);
        Ok((turn, watch))
    }

    /// Takes the locks that last as long as the writer, and reads the frame.
    pub(crate) fn open<S: FrameStoreMut>(
        mut store: S,
        dparams: DParams,
        access: Access,
    ) -> Result<(Self, FrameReader<S>)> {
        let mut turn = Self::new(access);
        store.keep_locked(access.locking != Locking::None);
        // A writer changes the bytes that it has read.
        let dparams = dparams.cache_bytes(0);
        let reader = match access.locking {
            Locking::Exclusive => {
                turn.sidecar = lock_exclusive(&mut store, access.wait)?;
                let mut reader = FrameReader::open_in(store, dparams)?;
                reader.watch = Watch::Off;
                reader
            }
            Locking::Shared => FrameReader::open_in_with(store, dparams, access)?,
            Locking::None => FrameReader::open_in(store, dparams)?,
        };
        turn.note_front(&reader)?;
        Ok((turn, reader))
    }

    /// Remembers the first bytes of the committed frame.
    pub(super) fn note_front<S: FrameStoreMut>(&mut self, reader: &FrameReader<S>) -> Result<()> {
        if reader.store.shareable().is_some() && self.access.locking != Locking::Shared {
            let mut front = [0; FRAME_HEADER_LEN];
            read_front(reader.store.frame()?, &mut front)?;
            self.front = Some(front);
        }
        Ok(())
    }

    /// Releases the locks of a finished writer.
    pub(crate) fn release<S: FrameStoreMut>(&mut self, reader: &FrameReader<S>) -> Result<()> {
        self.sidecar = None;
        if self.access.locking == Locking::Exclusive {
            unlock_data(&reader.store)?;
        }
        Ok(())
    }
}

/// Locks the data file of a frame, and its sidecar if there is one.
fn lock_exclusive<S: FrameStoreMut>(store: &mut S, wait: bool) -> Result<Option<Box<dyn Sidecar>>> {
    let io = |source| io_error(Part::FrameHeader, 0, source);
    loop {
        let sidecar = lock_existing_sidecar(store, wait)?;
        let Some(file) = store.shareable() else {
            return Ok(sidecar);
        };
        match file.lock(wait).map_err(io)? {
            LockOutcome::Taken => {}
            LockOutcome::Busy => return Err(locked(Some(file))),
            LockOutcome::Unsupported => return Ok(sidecar),
        }
        if !file.is_current().map_err(io)? {
            // Another file has this name by now; the lock is on one without a name.
            drop(sidecar);
            store.reopen()?;
            continue;
        }
        if sidecar.is_none() && store.sidecar(false)?.is_some() {
            // Created since: it comes first.
            file.unlock().map_err(io)?;
            continue;
        }
        return Ok(sidecar);
    }
}

/// Locks the sidecar of a frame, if there is one, and announces a change to those that share it.
pub(super) fn lock_existing_sidecar<S: FrameStoreMut>(
    store: &S,
    wait: bool,
) -> Result<Option<Box<dyn Sidecar>>> {
    let Some(sidecar) = store.sidecar(false)? else {
        return Ok(None);
    };
    match sidecar
        .lock(LockKind::Exclusive, wait)
        .map_err(sidecar_error)?
    {
        LockOutcome::Taken => {}
        LockOutcome::Busy => return Err(locked(store.shareable())),
        LockOutcome::Unsupported => return Ok(None),
    }
    sidecar.advance().map_err(sidecar_error)?;
    Ok(Some(sidecar))
}

/// Takes the exclusive lock of the sidecar, then that of the data file, which keeps out exclusive
/// writers that began when there was no sidecar. Returns whether others have had a turn.
pub(super) fn take_turn<S: FrameStoreMut>(
    store: &mut S,
    shared: &mut Shared,
    access: Access,
) -> Result<bool> {
    loop {
        lock(store, shared, LockKind::Exclusive, access.wait)?;
        let taken = lock_data(store).and_then(|taken| {
            let others = shared.sidecar.generation().map_err(sidecar_error)? != shared.generation;
            if taken {
                shared.generation = shared.sidecar.advance().map_err(sidecar_error)?;
                shared.held = true;
            }
            Ok((taken, others))
        });
        if matches!(taken, Ok((true, _))) {
            return taken.map(|(_, others)| others);
        }
        shared.sidecar.unlock().map_err(sidecar_error)?;
        taken?;
        if !access.wait {
            return Err(locked(store.shareable()));
        }
        thread::sleep(RETRY);
    }
}

/// Tries to lock the file that the path of a frame names.
fn lock_data<S: FrameStoreMut>(store: &mut S) -> Result<bool> {
    let io = |source| io_error(Part::FrameHeader, 0, source);
    loop {
        let Some(file) = store.shareable() else {
            return Ok(true);
        };
        if file.lock(false).map_err(io)? == LockOutcome::Busy {
            if file.is_current().map_err(io)? {
                return Ok(false);
            }
        } else if file.is_current().map_err(io)? {
            return Ok(true);
        }
        store.reopen()?;
    }
}

pub(super) fn unlock_data<S: FrameStoreMut>(store: &S) -> Result<()> {
    let unlocked = store.shareable().map(Shareable::unlock).transpose();
    unlocked
        .map(|_| ())
        .map_err(|source| io_error(Part::FrameHeader, 0, source))
}
