//! Storages that other handles and other processes use at the same time.
//!
//! ```text
//! Shareable    the file itself     lock, stamp, identity      DiskFile
//! Sidecar      a file beside it    lock, generation counter   FILE.b2lock, DIR/.b2lock
//! ```
//!
//! All locks are advisory: they keep out those who ask for them. The sidecar is the protocol of
//! C-Blosc2 3.2 and later ([format §9.10](crate::format#9.10)). A storage that is not
//! [`Shareable`], such as an object store, has no locks, and changes by others are noticed by
//! opening it again only.

use std::fmt;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Changes closer together than this can leave the same time in a file system.
const CLOCK_TICK: Duration = Duration::from_millis(100);

/// The result of asking for a lock.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockOutcome {
    /// The lock is held until it is released or the file is closed.
    Taken,
    /// Another handle holds it. Only for requests that do not wait.
    Busy,
    /// The system or the file system has no locks.
    Unsupported,
}

/// The kind of a lock.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockKind {
    /// Any number of readers.
    Shared,
    /// One writer, and no reader.
    Exclusive,
}

/// The state of a storage without its bytes: a different stamp means that something was written.
///
/// An equal stamp means equal bytes when the last change is old enough for the clock of the file
/// system to show another one ([`is_settled`](Self::is_settled)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    file: [u64; 2],
    len: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    /// A stamp of the identity of a file, such as its device and number, its length, and the time
    /// of the last change. A storage whose identity changes with every write states no time.
    pub fn new(file: [u64; 2], len: u64, changed: Option<SystemTime>) -> Self {
        Self { file, len, changed }
    }

    /// Whether only the time differs: bytes were overwritten, in the same file of the same length.
    pub(crate) fn is_overwritten(&self, other: &Self) -> bool {
        (self.file, self.len) == (other.file, other.len) && self.changed != other.changed
    }

    /// Whether a later change is certain to give another stamp, when this one was just taken: the
    /// last change is at least 100 ms ago.
    pub fn is_settled(&self) -> bool {
        self.changed
            .is_none_or(|changed| changed.elapsed().is_ok_and(|age| age >= CLOCK_TICK))
    }
}

/// A storage that others may change, and that can be locked against them.
pub trait Shareable: fmt::Debug + Send + Sync {
    /// The path, for messages.
    fn path(&self) -> &Path;

    /// The stamp of the open bytes.
    ///
    /// # Errors
    /// When the storage fails.
    fn stamp(&self) -> io::Result<Stamp>;

    /// Whether the path still names the open bytes: false after another file was renamed over it.
    ///
    /// # Errors
    /// When the storage fails.
    fn is_current(&self) -> io::Result<bool>;

    /// Takes the exclusive lock on the bytes themselves, and waits for it when asked to.
    ///
    /// # Errors
    /// When the storage fails.
    fn lock(&self, wait: bool) -> io::Result<LockOutcome>;

    /// Releases the lock.
    ///
    /// # Errors
    /// When the storage fails.
    fn unlock(&self) -> io::Result<()>;

    /// The sidecar of the storage; `None` when there is none and none is to be created, or the
    /// storage has no such thing.
    ///
    /// # Errors
    /// When the sidecar cannot be opened or created.
    fn sidecar(&self, create: bool) -> io::Result<Option<Box<dyn Sidecar>>>;
}

/// The number of exclusive locks that a sidecar has seen, and which sidecar that was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// The identity of the sidecar, which changes when it is removed and created again.
    pub file: u64,
    /// The counter.
    pub count: u64,
}

/// The lock file beside a storage.
///
/// Threads may share one: the first one that reads takes the shared lock, the last one releases it.
pub trait Sidecar: fmt::Debug + Send + Sync {
    /// Takes the lock, and waits for it when asked to. Held twice as shared, it is released by the
    /// second [`unlock`](Self::unlock).
    ///
    /// # Errors
    /// When the storage fails, or has no locks.
    fn lock(&self, kind: LockKind, wait: bool) -> io::Result<LockOutcome>;

    /// Releases the lock.
    ///
    /// # Errors
    /// When the storage fails.
    fn unlock(&self) -> io::Result<()>;

    /// The generation, while a lock is held.
    ///
    /// # Errors
    /// When the storage fails.
    fn generation(&self) -> io::Result<Generation>;

    /// Adds 1 to the counter, while the exclusive lock is held, and returns the new generation.
    ///
    /// # Errors
    /// When the storage fails.
    fn advance(&self) -> io::Result<Generation>;
}
