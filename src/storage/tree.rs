//! Files in folders, read only: the directory of a store, or an archive that is one.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{DiskFile, ReadAt};

/// An entry of a folder.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Its name, without the folder.
    pub name: String,
    /// Its kind.
    pub kind: TreeEntryKind,
}

/// The kind of an entry of a folder.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeEntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Anything else, such as a link or a device; it is never opened.
    Other,
}

impl TreeEntry {
    /// An entry of a folder.
    pub fn new(name: impl Into<String>, kind: TreeEntryKind) -> Self {
        let name = name.into();
        Self { name, kind }
    }
}

/// Files in folders.
///
/// Paths are relative, with `/` between names: `group/array.b2nd`. A path with an empty name, `.`,
/// `..`, `\` or NUL (on Windows also `:`) is refused, so none leaves the tree.
pub trait FileTree: fmt::Debug + Send + Sync {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is no such file, [`io::ErrorKind::InvalidInput`] when
    /// the path would leave the tree.
    fn open(&self, path: &str) -> io::Result<Arc<dyn ReadAt>>;

    /// The entries of a folder in the order of their names; `""` is the folder of everything.
    ///
    /// # Errors
    /// When there is no such folder, or the storage fails.
    fn list(&self, folder: &str) -> io::Result<Vec<TreeEntry>>;
}

/// A folder of the file system with everything below it.
///
/// Links are not followed, neither by [`list`](FileTree::list), which shows them as
/// [`TreeEntryKind::Other`], nor by [`open`](FileTree::open), which refuses them.
///
/// ```
/// use oxiblosc::storage::{DiskTree, FileTree, ReadAt};
/// # fn main() -> std::io::Result<()> {
/// # let dir = tempfile::tempdir()?;
/// # std::fs::create_dir(dir.path().join("a"))?;
/// # std::fs::write(dir.path().join("a/three bytes"), b"abc")?;
/// let tree = DiskTree::open(dir.path())?;
/// assert_eq!(tree.open("a/three bytes")?.len()?, 3);
/// assert!(tree.open("../a").is_err());
/// assert_eq!(tree.list("a")?[0].name, "three bytes");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DiskTree {
    root: PathBuf,
}

impl DiskTree {
    /// An existing folder.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotADirectory`] when the path is something else, or nothing.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        let root = root.as_ref().to_owned();
        if !fs::metadata(&root)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { root })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The path of a file or folder below this one.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] when it would leave the tree, or passes a link;
    /// [`io::ErrorKind::NotFound`] when there is nothing.
    pub fn resolve(&self, path: &str) -> io::Result<PathBuf> {
        let mut full = self.root.clone();
        for name in path_names(path)? {
            full.push(name);
            if fs::symlink_metadata(&full)?.file_type().is_symlink() {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    format!("storage: need a file inside the folder, {path:?} passes a link"),
                ));
            }
        }
        Ok(full)
    }
}

impl FileTree for DiskTree {
    fn open(&self, path: &str) -> io::Result<Arc<dyn ReadAt>> {
        let full = self.resolve(path)?;
        if !fs::metadata(&full)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("storage: need a file, {path:?} is none"),
            ));
        }
        Ok(Arc::new(DiskFile::open(full)?))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<TreeEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.resolve(folder)?)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let kind = if kind.is_file() {
                TreeEntryKind::File
            } else if kind.is_dir() {
                TreeEntryKind::Folder
            } else {
                TreeEntryKind::Other
            };
            // A name that is no text is no name of a store.
            if let Ok(name) = entry.file_name().into_string() {
                entries.push(TreeEntry { name, kind });
            }
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }
}

/// The names of a path, each of which stays in its folder; none for the empty path.
pub(crate) fn path_names(path: &str) -> io::Result<Vec<&str>> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = path.split('/').collect();
    let leaves = |name: &&str| {
        matches!(*name, "" | "." | "..") || name.contains(['\\', '\0']) || is_drive(name)
    };
    if names.iter().any(leaves) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("storage: need a path inside the folder, found {path:?}"),
        ));
    }
    Ok(names)
}

/// Whether Windows reads a name as a drive or a stream of a file.
fn is_drive(name: &str) -> bool {
    cfg!(windows) && name.contains(':')
}
