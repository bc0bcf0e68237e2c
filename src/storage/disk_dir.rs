//! Directories of the operating system.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::disk::DiskFile;
use super::disk_lock::flock;
use super::lock::{LockKind, Sidecar};
use super::new_file::exists;
use super::sidecar::DiskSidecar;
use super::{Directory, plain_name, temporary_name};

/// A directory of the file system.
///
/// Files are replaced by writing a temporary file next to them and renaming it.
#[derive(Clone, Debug)]
pub struct DiskDir {
    path: PathBuf,
    /// Of a directory that is removed again, unless something is committed to it.
    created: Option<Arc<Created>>,
}

/// The lock file of those who share the frame in a directory.
const SIDECAR: &str = ".b2lock";

/// A directory that was created for a frame.
#[derive(Debug)]
struct Created {
    path: PathBuf,
    committed: AtomicBool,
}

impl Drop for Created {
    fn drop(&mut self) {
        if !*self.committed.get_mut() {
            // Only an empty directory is removed.
            let _ = fs::remove_file(self.path.join(SIDECAR));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

impl DiskDir {
    /// An existing directory.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotADirectory`] when the path is something else, or nothing.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        if !fs::metadata(&path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let created = None;
        Ok(Self { path, created })
    }

    /// Creates a directory.
    ///
    /// # Errors
    /// When the system refuses, or the path exists already.
    pub fn create_new(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        fs::create_dir(&path)?;
        let created = None;
        Ok(Self { path, created })
    }

    /// Creates a directory for a frame. When all handles are dropped before
    /// [`replace_and_open`](Directory::replace_and_open) has stored a file, which is how a frame
    /// commits, it is removed again, if it is empty then. With `overwrite`, a directory that exists
    /// is opened instead.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] without `overwrite`, when the path exists already;
    /// [`io::ErrorKind::NotADirectory`] when it is something else; when the system refuses.
    pub fn create_atomic(path: impl Into<PathBuf>, overwrite: bool) -> io::Result<Self> {
        let path = path.into();
        match fs::create_dir(&path) {
            Ok(()) => {
                let created = Created {
                    path: path.clone(),
                    committed: AtomicBool::new(false),
                };
                let created = Some(Arc::new(created));
                Ok(Self { path, created })
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if overwrite => Self::open(path),
            Err(_) => Err(exists()),
        }
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file under a temporary name, locks it if asked to, and renames it: a locked file is
    /// never seen without its lock.
    fn write(&self, name: &str, bytes: &[u8], sync: bool, lock: bool) -> io::Result<File> {
        let target = self.path.join(plain_name(name)?);
        let temporary = self.path.join(temporary_name(name));
        let written = (|| {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(true);
            let mut file = options.open(&temporary)?;
            if lock {
                flock(&file, LockKind::Exclusive, false)?;
            }
            file.write_all(bytes)?;
            if sync {
                file.sync_all()?;
            }
            fs::rename(&temporary, &target)?;
            Ok(file)
        })();
        if written.is_err() {
            // The error of the write is the one to report, not that of the clean-up.
            let _ = fs::remove_file(&temporary);
        }
        if sync {
            written.and_then(|file| self.sync_names().map(|()| file))
        } else {
            written
        }
    }

    /// Makes renames and removals in the directory survive a loss of power, where that is
    /// possible (not on Windows).
    fn sync_names(&self) -> io::Result<()> {
        if cfg!(unix) {
            File::open(&self.path)?.sync_all()?;
        }
        Ok(())
    }
}

impl Directory for DiskDir {
    type File = DiskFile;

    fn open(&self, name: &str) -> io::Result<Self::File> {
        DiskFile::open(self.path.join(plain_name(name)?))
    }

    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.write(name, bytes, sync, false).map(drop)
    }

    fn replace_and_open(
        &mut self,
        name: &str,
        bytes: &[u8],
        sync: bool,
        lock: bool,
    ) -> io::Result<Self::File> {
        let file = self.write(name, bytes, sync, lock)?;
        if let Some(created) = self.created.take() {
            created.committed.store(true, Ordering::Release);
        }
        if !lock {
            return self.open(name);
        }
        Ok(DiskFile::renamed(file, self.path.join(name)))
    }

    fn sidecar(&self, create: bool) -> io::Result<Option<Box<dyn Sidecar>>> {
        let opened = DiskSidecar::open(self.path.join(SIDECAR), create)?;
        Ok(opened.map(|sidecar| Box::new(sidecar) as Box<dyn Sidecar>))
    }

    fn second_handle(&self) -> Option<Box<dyn Directory<File = Self::File>>> {
        Some(Box::new(self.clone()))
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(plain_name(name)?))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_type()?.is_file()
                && let Ok(name) = entry.file_name().into_string()
            {
                names.push(name);
            }
        }
        Ok(names)
    }
}
