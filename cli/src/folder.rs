//! A directory that appears only when it is complete: a sparse frame.
//!
//! It is filled under a temporary name beside its target and renamed. When the run fails, the
//! temporary directory is removed and the target keeps what it had.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use crate::failure::{Failure, InFile};
use crate::output::{exists, sync_folder};
use crate::sniff::SPARSE_HEADER;

/// A new directory, not yet under its name.
#[derive(Debug)]
pub(crate) struct Folder {
    temp: TempDir,
    path: PathBuf,
    target: PathBuf,
    force: bool,
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
            temp,
            target: target.to_owned(),
            force,
        })
    }

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
        let old = self.temp.path().join("old");
        let there = fs::symlink_metadata(target).is_ok();
        if there {
            if !self.force {
                return Err(exists(target));
            }
            fs::rename(target, &old).in_file(target)?;
        }
        if let Err(error) = fs::rename(&self.path, target) {
            if there {
                fs::rename(&old, target).in_file(target)?;
            }
            return Err(Failure::in_file(target, error));
        }
        sync_folder(target);
        Ok(())
    }
}
