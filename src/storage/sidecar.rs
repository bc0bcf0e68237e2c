//! The sidecar lock file ([format §9.10](crate::format#9.10)).
//!
//! The file is locked with `flock`, as C does it, and never removed here: a handle that keeps the
//! old file open would no longer meet the others. Those who do remove it (python-blosc2 with
//! `mode="w"`) are noticed, since every lock checks that the path still names the open file.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::disk_lock::{file_id, flock, is_named, unlock};
use super::lock::{Generation, LockKind, LockOutcome, Sidecar};
use super::positioned::{read_exact_at, write_all_at};

/// The offset of the generation counter.
const COUNTER_AT: u64 = 8;

/// A sidecar on disk.
#[derive(Debug)]
pub(super) struct DiskSidecar {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// How many shared locks are held.
    readers: usize,
}

impl DiskSidecar {
    /// Opens the sidecar at a path; `None` when there is none and none is to be created.
    pub(super) fn open(path: PathBuf, create: bool) -> io::Result<Option<Self>> {
        match open(&path, create) {
            Ok(file) => Ok(Some(Self {
                path,
                state: Mutex::new(State { file, readers: 0 }),
            })),
            Err(error) if !create && error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens a sidecar; for reading only where nothing can be written, which is enough to read.
fn open(path: &Path, create: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(create);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            File::open(path).map_err(|_| error)
        }
        opened => opened,
    }
}

impl Sidecar for DiskSidecar {
    fn lock(&self, kind: LockKind, wait: bool) -> io::Result<LockOutcome> {
        let mut state = self.state();
        if kind == LockKind::Shared && state.readers > 0 {
            state.readers = state.readers.saturating_add(1);
            return Ok(LockOutcome::Taken);
        }
        loop {
            let outcome = flock(&state.file, kind, wait)?;
            if outcome != LockOutcome::Taken {
                return Ok(outcome);
            }
            if is_named(&state.file, &self.path)? {
                state.readers = usize::from(kind == LockKind::Shared);
                return Ok(LockOutcome::Taken);
            }
            // Closing the old file releases its lock.
            state.file = open(&self.path, true)?;
        }
    }

    fn unlock(&self) -> io::Result<()> {
        let mut state = self.state();
        state.readers = state.readers.saturating_sub(1);
        if state.readers > 0 {
            return Ok(());
        }
        unlock(&state.file)
    }

    fn generation(&self) -> io::Result<Generation> {
        generation(&self.state().file)
    }

    fn advance(&self) -> io::Result<Generation> {
        let state = self.state();
        let mut generation = generation(&state.file)?;
        generation.count = generation.count.wrapping_add(1);
        write_all_at(&state.file, &generation.count.to_ne_bytes(), COUNTER_AT)?;
        Ok(generation)
    }
}

fn generation(file: &File) -> io::Result<Generation> {
    let mut count = [0; 8];
    match read_exact_at(file, &mut count, COUNTER_AT) {
        // A new sidecar is empty.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => count = [0; 8],
        read => read?,
    }
    Ok(Generation {
        file: file_id(&file.metadata()?),
        count: u64::from_ne_bytes(count),
    })
}
