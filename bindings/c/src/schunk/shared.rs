//! The part of a super-chunk that its lock protects.

use std::fmt;
use std::sync::Arc;

use oxiblosc::storage::ReadAt as _;
use oxiblosc::{ChunkHeader, DParams, Error, Limits};

use super::frame_bytes::Place;
use super::pieces::{Piece, Pieces};
use super::publish::Named;
use super::store::{Change, Store};
use crate::boundary::{Answer, Code};
use crate::io::backend::{Backend, BackendFile};

/// How often a call is repeated when others change the frame meanwhile.
const TRIES: usize = 16;
/// The bytes of a frame that change with it.
const FRONT: usize = 87;

/// The kind of place that the chunks are in.
pub(super) enum Kind {
    /// In memory, one by one.
    Pieces(Arc<Pieces>),
    /// In memory, in one piece.
    Bytes(Arc<Place>),
    /// On disk.
    Disk,
    /// With the I/O callbacks of a user.
    Backend(Box<UserFrame>),
}

/// The means to notice changes by others through I/O callbacks, and to read them.
pub(super) struct UserFrame {
    pub(super) backend: Arc<Backend>,
    /// The file with the header.
    pub(super) file: BackendFile,
    pub(super) front: [u8; FRONT],
    pub(super) open: Box<dyn Fn() -> Answer<Box<dyn Store>> + Send>,
}

/// The chunks that have to be published again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    Nothing,
    /// A chunk was added at the end.
    Last,
    /// Chunks anywhere.
    All,
}

/// The part of a super-chunk that its lock protects.
pub(super) struct Shared {
    pub(super) store: Box<dyn Store>,
    pub(super) kind: Kind,
    /// Whether others are kept out during changes.
    pub(super) locking: bool,
    /// How often `blosc2_schunk_lock` was called.
    pub(super) depth: usize,
    pub(super) metalayers: Vec<Named>,
    pub(super) vlmetalayers: Vec<Named>,
    /// Whether metalayers have changed since they were published, of either kind.
    pub(super) metadata: bool,
    pub(super) chunks: Changed,
    /// The chunks that `data` shows, and how many of them have no bytes in the index.
    pub(super) pieces: Vec<Arc<Piece>>,
    pub(super) special: u64,
    pub(super) pointers: Vec<*mut u8>,
    /// Memory for chunks that are being compressed.
    pub(super) scratch: Vec<u8>,
    /// The size of chunks that the caller has set before the first one, in bytes; 0 for none.
    pub(super) preset: usize,
}

// SAFETY: the pointers are those of `pieces`, which are `Send`; those of metalayers belong to this.
unsafe impl Send for Shared {}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("nchunks", &self.store.nchunks())
            .field("locking", &self.locking)
            .finish_non_exhaustive()
    }
}

/// The parameters for opening frames: the limits are those of the format, as in C.
pub(super) fn dparams() -> DParams {
    DParams::new().limits(Limits::FORMAT)
}

fn is_stale(error: &Error) -> bool {
    match error {
        Error::Stale { .. } => true,
        Error::InChunk { source, .. } | Error::InFile { source, .. } => is_stale(source),
        _ => false,
    }
}

/// The bytes of a frame that change with it; zeros where they cannot be read.
pub(super) fn front_of(file: &BackendFile) -> [u8; FRONT] {
    let mut front = [0; FRONT];
    if file.read_exact_at(&mut front, 0).is_err() {
        return [0; FRONT];
    }
    front
}

impl Shared {
    /// A super-chunk whose fields are not published yet.
    pub(super) fn new(store: Box<dyn Store>, kind: Kind, locking: bool) -> Self {
        Self {
            store,
            kind,
            locking,
            depth: 0,
            metalayers: Vec::new(),
            vlmetalayers: Vec::new(),
            metadata: true,
            chunks: Changed::All,
            pieces: Vec::new(),
            special: 0,
            pointers: Vec::new(),
            scratch: Vec::new(),
            preset: 0,
        }
    }

    /// Whether chunks are in memory, one by one.
    pub(super) fn pieces(&self) -> Option<&Arc<Pieces>> {
        match &self.kind {
            Kind::Pieces(pieces) => Some(pieces),
            _ => None,
        }
    }

    /// Reads the frame again when others have changed it; whether they have.
    pub(super) fn sync(&mut self) -> Answer<bool> {
        match &mut self.kind {
            Kind::Pieces(_) | Kind::Bytes(_) => Ok(false),
            Kind::Disk if self.store.is_current() => Ok(false),
            Kind::Disk => self.refresh(),
            Kind::Backend(user) => {
                let front = front_of(&user.file);
                if front == user.front {
                    return Ok(false);
                }
                self.store = (user.open)()?;
                user.front = front;
                self.metadata = true;
                self.chunks = Changed::All;
                Ok(true)
            }
        }
    }

    fn refresh(&mut self) -> Answer<bool> {
        let before = self.store.source().layout();
        let changed = self.store.refresh()?;
        self.metadata |= changed;
        if changed || before != self.store.source().layout() {
            self.chunks = Changed::All;
        }
        Ok(changed)
    }

    /// Calls `read`, again when others have changed the frame meanwhile.
    pub(super) fn read<R>(
        &mut self,
        read: impl Fn(&dyn Store) -> oxiblosc::Result<R>,
    ) -> Answer<R> {
        self.sync()?;
        let mut done = read(&*self.store);
        for _ in 0..TRIES {
            match &done {
                Err(error) if is_stale(error) => {
                    self.refresh()?;
                    done = read(&*self.store);
                }
                _ => break,
            }
        }
        if done.as_ref().is_err_and(is_stale) && self.locking {
            // Others change it all the time: with the lock, they cannot.
            self.store.lock()?;
            self.metadata = true;
            self.chunks = Changed::All;
            done = read(&*self.store);
            self.store.unlock()?;
        }
        Ok(done?)
    }

    /// Makes a change, and stores it.
    pub(super) fn change(&mut self, change: Change<'_>) -> Answer<()> {
        self.sync()?;
        let before = self.store.source().layout();
        self.keep_preset(change)?;
        let mut done = self.store.change(change)?;
        for _ in 0..TRIES {
            if !done.as_ref().is_err_and(is_stale) {
                break;
            }
            self.refresh()?;
            done = self.store.change(change)?;
        }
        done?;
        match change {
            Change::AddMeta(..)
            | Change::UpdateMeta(..)
            | Change::SetVlMeta(..)
            | Change::RemoveVlMeta(_) => self.metadata = true,
            Change::Append(_) => {
                let after = self.store.source().layout();
                let same = before.chunksize == after.chunksize || before.chunksize == Some(0);
                let next = before.nchunks.saturating_add(1) == after.nchunks;
                self.chunks = match self.chunks {
                    Changed::Nothing if same && next => Changed::Last,
                    _ => Changed::All,
                };
            }
            _ => self.chunks = Changed::All,
        }
        if self.locking {
            // Others may have changed it before the lock was taken.
            self.metadata = true;
        }
        if self.pieces().is_none() {
            self.store.commit()?;
        }
        if let Kind::Backend(user) = &mut self.kind {
            user.front = front_of(&user.file);
        }
        Ok(())
    }

    /// Before the first change of a super-chunk without chunks, gives it the size of chunks that
    /// the caller has set. A first chunk that is longer sets its own.
    fn keep_preset(&mut self, change: Change<'_>) -> Answer<()> {
        let layout = self.store.source().layout();
        let whole = self.preset.checked_rem(layout.typesize) == Some(0);
        if self.preset == 0 || !whole || layout.nchunks > 0 || layout.chunksize != Some(0) {
            return Ok(());
        }
        let fits = match change {
            Change::Append(chunk) => {
                let header = ChunkHeader::parse(chunk)?;
                let nbytes = usize::try_from(header.nbytes)?;
                !header.is_vlblocks() && nbytes <= self.preset && nbytes > 0
            }
            Change::Fill { .. } | Change::Insert(..) => false,
            _ => true,
        };
        if fits {
            self.store.keep_chunksize(self.preset);
        }
        Ok(())
    }

    /// The number of a chunk that is there.
    ///
    /// # Errors
    /// `INVALID_PARAM` for another number.
    pub(super) fn nchunk(&mut self, nchunk: i64) -> Answer<u64> {
        let number = u64::try_from(nchunk)?;
        if number < self.store.nchunks() {
            return Ok(number);
        }
        self.sync()?;
        if number < self.store.nchunks() {
            return Ok(number);
        }
        Err(Code::INVALID)
    }
}
