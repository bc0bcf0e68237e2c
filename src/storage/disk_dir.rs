//! Directories of the operating system.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::disk::DiskFile;
use super::disk_lock::flock;
use super::lock::{LockKind, Sidecar};
use super::sidecar::DiskSidecar;
use super::{Directory, plain_name, temporary_name};

/// A directory of the file system.
///
/// Files are replaced by writing a temporary file next to them and renaming it.
#[derive(Clone, Debug)]
pub struct DiskDir {
    path: PathBuf,
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
        Ok(Self { path })
    }

    /// Creates a directory.
    ///
    /// # Errors
    /// When the system refuses, or the path exists already.
    pub fn create_new(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        fs::create_dir(&path)?;
        Ok(Self { path })
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
        if !lock {
            self.replace(name, bytes, sync)?;
            return self.open(name);
        }
        let file = self.write(name, bytes, sync, true)?;
        Ok(DiskFile::renamed(file, self.path.join(name)))
    }

    fn sidecar(&self, create: bool) -> io::Result<Option<Box<dyn Sidecar>>> {
        let opened = DiskSidecar::open(self.path.join(".b2lock"), create)?;
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
