//! Files that are written under a temporary name and get theirs when they are complete.
//!
//! ```text
//! created    .NAME.4711-0.new   written, locked        NAME   the old file, if any, also locked
//! published  NAME               the same open file            the old file has no name any more
//! dropped    removed                                   NAME   as it was
//! ```

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::disk_lock::{flock, is_named, unlock};
use super::lock::{LockKind, LockOutcome};

/// The longest file name that becomes a part of the temporary one, in bytes.
const LONGEST_NAME: usize = 200;

/// The names of a file that is not published yet. Dropped before that, it removes the file.
#[derive(Debug)]
pub(super) struct NewFile {
    temporary: PathBuf,
    target: PathBuf,
    overwrite: bool,
    /// The file that is to be replaced, open so that it can be locked.
    replaced: Option<File>,
    published: bool,
}

impl NewFile {
    /// Creates an empty file beside `path`.
    pub(super) fn create(path: &Path, overwrite: bool) -> io::Result<(File, Self)> {
        // A link stays, and what it names is replaced.
        let target = match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_symlink() => {
                fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
            }
            _ => path.to_owned(),
        };
        let replaced = open_replaced(&target, overwrite)?;
        let (file, temporary) = create_beside(&target)?;
        let new = Self {
            temporary,
            target,
            overwrite,
            replaced,
            published: false,
        };
        if let Some(replaced) = &new.replaced {
            let permissions = replaced.metadata()?.permissions();
            match fs::set_permissions(&new.temporary, permissions) {
                // Where files have no permissions there is nothing to keep.
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
                done => done?,
            }
        }
        Ok((file, new))
    }

    /// Locks the file that is to be replaced.
    pub(super) fn lock(&self, wait: bool) -> io::Result<LockOutcome> {
        match &self.replaced {
            Some(file) => flock(file, LockKind::Exclusive, wait),
            None => Ok(LockOutcome::Taken),
        }
    }

    /// Unlocks the file that is to be replaced.
    pub(super) fn unlock(&self) -> io::Result<()> {
        self.replaced.as_ref().map_or(Ok(()), unlock)
    }

    /// Whether the target is still what it was when this was created.
    pub(super) fn is_current(&self) -> io::Result<bool> {
        match &self.replaced {
            Some(file) => is_named(file, &self.target),
            None => Ok(!fs::exists(&self.target)?),
        }
    }

    /// Looks at the target again.
    pub(super) fn reopen(&mut self) -> io::Result<()> {
        self.replaced = open_replaced(&self.target, self.overwrite)?;
        Ok(())
    }

    /// Gives the file its name. With `sync`, the name survives a loss of power.
    pub(super) fn publish(&mut self, sync: bool) -> io::Result<()> {
        if self.overwrite {
            fs::rename(&self.temporary, &self.target)?;
        } else {
            // A second name fails where a file has it by now, and a new name would replace it. Not
            // every file system has second names.
            match fs::hard_link(&self.temporary, &self.target) {
                Ok(()) => drop(fs::remove_file(&self.temporary)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(exists());
                }
                Err(_) if fs::exists(&self.target)? => return Err(exists()),
                Err(_) => fs::rename(&self.temporary, &self.target)?,
            }
        }
        self.published = true;
        if sync && cfg!(unix) {
            let folder = self.target.parent().filter(|dir| *dir != Path::new(""));
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        Ok(())
    }

    pub(super) fn is_published(&self) -> bool {
        self.published
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.published {
            // A destructor returns no error, and a file of this name does no harm.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// The error of a file that is not to be replaced.
pub(super) fn exists() -> io::Error {
    let message = "there is one already, and overwriting it was not asked for";
    io::Error::new(io::ErrorKind::AlreadyExists, message)
}

/// The file at the target, when it may be replaced.
fn open_replaced(target: &Path, overwrite: bool) -> io::Result<Option<File>> {
    match fs::metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(_) if !overwrite => Err(exists()),
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => File::options()
            .read(true)
            .write(true)
            .open(target)
            .map(Some),
    }
}

/// Creates a file with a free name in the folder of the target.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let Some(name) = target.file_name() else {
        let message = format!("{} is no name of a file", target.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let name = name.to_string_lossy();
    let name = if name.len() > LONGEST_NAME { "" } else { &name };
    // WebAssembly has no numbers of processes, and the standard library panics there.
    let process = if cfg!(target_family = "wasm") {
        0
    } else {
        std::process::id()
    };
    let mut number = 0_u64;
    loop {
        let path = target.with_file_name(format!(".{name}.{process}-{number}.new"));
        let mut options = File::options();
        match options.read(true).write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
            Ok(file) => return Ok((file, path)),
        }
    }
}
