//! A directory that appears only when it is complete: a sparse frame.
//!
//! It is filled under a temporary name beside its target and takes its place in one step, where the
//! system can exchange two directories (Linux, Android, macOS and iOS); elsewhere the target has no
//! name for a moment. When the run fails, the temporary directory is removed and the target keeps
//! its content. A directory is replaced if all of its files belong to a sparse frame.

use std::ffi::{OsStr, OsString};
use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use crate::failure::{Failure, InFile};
use crate::interrupt::Temporary;
use crate::output::{exists, sync_folder};
use crate::sniff::SPARSE_HEADER;

/// A new directory, not yet under its name.
#[derive(Debug)]
pub(crate) struct Folder {
    temp: TempDir,
    path: PathBuf,
    target: PathBuf,
    force: bool,
    _guard: Temporary,
}

impl Folder {
    /// Prepares to make `target`; what is there is refused without `force`, and a directory that
    /// is no sparse frame always.
    pub(crate) fn create(target: &Path, force: bool) -> Result<Self, Failure> {
        if let Ok(metadata) = fs::symlink_metadata(target) {
            if !force {
                return Err(exists(target));
            }
            let frame = target.join(SPARSE_HEADER).is_file();
            let empty = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
            if metadata.is_dir() && !frame && !empty() {
                return Err(Failure::in_file(
                    target,
                    "is a directory, and no sparse frame",
                ));
            }
            if metadata.is_dir()
                && let Some(name) = foreign(target).in_file(target)?
            {
                return Err(Failure::in_file(target, holds(&name)));
            }
        }
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let temp = Builder::new()
            .prefix(".oxiblosc-")
            .suffix(".tmp")
            .tempdir_in(parent)
            .in_file(target)?;
        Ok(Self {
            path: temp.path().join("frame"),
            _guard: Temporary::new(temp.path()),
            temp,
            target: target.to_owned(),
            force,
        })
    }

    /// Gives a new directory the permissions of the input, searchable where that is readable; one
    /// that is replaced keeps its own.
    #[cfg(unix)]
    pub(crate) fn take_mode(&self, input: Option<fs::Metadata>) {
        use std::os::unix::fs::PermissionsExt;
        let of_input = |input: fs::Metadata| {
            let mode = input.permissions().mode();
            match input.is_dir() {
                true => mode,
                false => mode | (mode & 0o444) >> 2,
            }
        };
        let kept = fs::metadata(&self.target).ok().filter(fs::Metadata::is_dir);
        let kept = kept.map(|kept| kept.permissions().mode());
        if let Some(mode) = kept.or_else(|| input.map(of_input)) {
            // Where permissions cannot be set, the directory has those of any new one.
            let _ = fs::set_permissions(&self.path, fs::Permissions::from_mode(mode));
        }
    }

    /// Nothing: permissions are inherited here.
    #[cfg(not(unix))]
    pub(crate) fn take_mode(&self, _: Option<fs::Metadata>) {}

    /// The temporary path of the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of all files in it.
    pub(crate) fn len(&self) -> io::Result<u64> {
        let mut len = 0_u64;
        for entry in fs::read_dir(&self.path)? {
            len = len.saturating_add(entry?.metadata()?.len());
        }
        Ok(len)
    }

    /// Puts the directory under its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let target = &self.target;
        if fs::symlink_metadata(target).is_err() {
            fs::rename(&self.path, target).in_file(target)?;
            sync_folder(target);
            return Ok(());
        }
        if !self.force {
            return Err(exists(target));
        }
        // Kept until the old frame is gone: its writers would go on by its name.
        let frame = fs::File::open(target.join(SPARSE_HEADER)).ok();
        if let Some(frame) = &frame
            && matches!(frame.try_lock(), Err(TryLockError::WouldBlock))
        {
            return Err(Failure::in_file(target, "another process is changing it"));
        }
        let old = self.replace_target()?;
        sync_folder(target);
        remove_frame(&old).map_err(|error| {
            // Files that appeared meanwhile are not ours to remove.
            let temp = self.temp.keep();
            let old = temp.join(old.file_name().unwrap_or_default());
            Failure::in_file(&old, error)
        })
    }

    /// Puts the new directory in the place of the old one; returns where that is now.
    fn replace_target(&self) -> Result<PathBuf, Failure> {
        let target = &self.target;
        match exchange(&self.path, target) {
            Ok(()) => return Ok(self.path.clone()),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(error) => return Err(Failure::in_file(target, error)),
        }
        let old = self.temp.path().join("old");
        fs::rename(target, &old).in_file(target)?;
        if let Err(error) = fs::rename(&self.path, target) {
            fs::rename(&old, target).in_file(target)?;
            return Err(Failure::in_file(target, error));
        }
        Ok(old)
    }
}

/// Exchanges two names in one step.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    // Not every file system can do it.
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(|error| match error {
        Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => io::ErrorKind::Unsupported.into(),
        error => error.into(),
    })
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether a name is one of the files of a sparse frame, finished or not, or its lock file.
fn belongs(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let temporary = name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(".new"));
    let name = temporary.unwrap_or(name);
    let hex = |digits: &str| {
        let upper = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
        digits.len() == 8 && digits.bytes().all(upper)
    };
    name == SPARSE_HEADER || name == ".b2lock" || name.strip_suffix(".chunk").is_some_and(hex)
}

/// The first entry of a directory that is no file of a sparse frame.
fn foreign(folder: &Path) -> io::Result<Option<OsString>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !belongs(&entry.file_name()) || !entry.file_type()?.is_file() {
            return Ok(Some(entry.file_name()));
        }
    }
    Ok(None)
}

fn holds(name: &OsStr) -> String {
    let name = name.to_string_lossy();
    format!("is not replaced: {name} in it does not belong to a sparse frame")
}

/// Removes a sparse frame, and nothing else.
fn remove_frame(old: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(old)?.is_dir() {
        return fs::remove_file(old);
    }
    if let Some(name) = foreign(old)? {
        return Err(io::Error::other(holds(&name)));
    }
    for entry in fs::read_dir(old)? {
        fs::remove_file(entry?.path())?;
    }
    fs::remove_dir(old)
}
