//! Locks and identities of open files.

use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::Path;

use super::lock::{LockKind, LockOutcome, Stamp};

/// Locks an open file. On Unix this is `flock`, as C uses it: the lock belongs to the open file,
/// not to the process.
pub(super) fn flock(file: &File, kind: LockKind, wait: bool) -> io::Result<LockOutcome> {
    let locked = match (kind, wait) {
        (LockKind::Shared, true) => file.lock_shared(),
        (LockKind::Exclusive, true) => file.lock(),
        (_, false) => {
            let tried = match kind {
                LockKind::Shared => file.try_lock_shared(),
                LockKind::Exclusive => file.try_lock(),
            };
            match tried {
                Ok(()) => Ok(()),
                Err(TryLockError::WouldBlock) => return Ok(LockOutcome::Busy),
                Err(TryLockError::Error(error)) => Err(error),
            }
        }
    };
    match locked {
        Ok(()) => Ok(LockOutcome::Taken),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(LockOutcome::Unsupported),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => flock(file, kind, wait),
        Err(error) => Err(error),
    }
}

/// Releases a lock. Where files cannot be locked there is none.
pub(super) fn unlock(file: &File) -> io::Result<()> {
    match file.unlock() {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        done => done,
    }
}

/// Whether a path still names an open file. Always true where files have no numbers.
pub(super) fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(named) => Ok(same_file(&named, &file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// The number of a file, 0 where files have none.
#[cfg(unix)]
pub(super) fn file_id(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
pub(super) fn file_id(_: &Metadata) -> u64 {
    0
}

/// The stamp of an open file.
pub(super) fn stamp(metadata: &Metadata) -> Stamp {
    let modified = metadata.modified().ok();
    Stamp::new(
        [device(metadata), file_id(metadata)],
        metadata.len(),
        modified,
    )
}

#[cfg(unix)]
fn device(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::dev(metadata)
}

#[cfg(not(unix))]
fn device(_: &Metadata) -> u64 {
    0
}
