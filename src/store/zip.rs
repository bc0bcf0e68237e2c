//! Zip archives as trees of files: members that are stored without compression are read in place
//! ([format §17.3](crate::format#17.3)).
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rawzip::{
    CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder,
    ZipLocator,
};

use crate::error::{Error, Part, Result};
use crate::limits::{self, Limits};
use crate::num::{saturating_usize, to_u64};
use crate::storage::{DiskFile, FileTree, ReadAt, TreeEntry, TreeEntryKind, Window, path_names};

/// The memory of a member in the list, beside its name.
const ENTRY_LEN: u64 = 160;

/// A zip archive, of which stored members can be opened.
///
/// Opening reads the directory of the archive; a member is a [`Window`] of the archive's bytes.
/// When several members have one name, the last one counts.
///
/// ```no_run
/// use oxiblosc::Limits;
/// use oxiblosc::storage::FileTree;
/// use oxiblosc::store::ZipTree;
/// let zip = ZipTree::open("store.b2z", &Limits::UNTRUSTED)?;
/// let member = zip.open("group/array.b2nd");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
pub struct ZipTree {
    archive: ZipArchive<Reader>,
    members: BTreeMap<String, Member>,
}

#[derive(Clone, Copy)]
struct Member {
    place: ZipArchiveEntryWayfinder,
    /// The size, when the bytes are neither compressed nor encrypted.
    stored: Option<u64>,
}

impl fmt::Debug for ZipTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ZipTree({} members)", self.members.len())
    }
}

impl ZipTree {
    /// Opens an archive on disk.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in), and when the file cannot be opened.
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Self> {
        let file = DiskFile::open(path).map_err(|error| Error::io(Part::Archive, None, error))?;
        Self::open_in(Arc::new(file), limits)
    }

    /// Opens an archive in a storage.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when its directory is damaged, or a member has a name that is not UTF-8
    /// or leaves the archive; [`Error::LimitExceeded`] when the list of the members takes more
    /// memory than allowed.
    pub fn open_in(storage: Arc<dyn ReadAt>, limits: &Limits) -> Result<Self> {
        let len = storage
            .len()
            .map_err(|error| Error::io(Part::Archive, None, error))?;
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let located = ZipLocator::new().locate_in_reader(Reader(storage), &mut buffer, len);
        let archive = located.map_err(|(_, error)| damaged(len, error))?;

        let mut members = BTreeMap::new();
        let (mut taken, directory) = (0_u64, archive.directory_offset());
        let mut entries = archive.entries(&mut buffer);
        loop {
            let entry = entries.next_entry();
            let Some(entry) = entry.map_err(|error| damaged(directory, error))? else {
                break;
            };
            let at = entry.central_directory_offset();
            let path = entry.file_path();
            let bytes: &[u8] = path.as_ref();
            let more = ENTRY_LEN.saturating_add(to_u64(bytes.len()));
            taken = taken.saturating_add(more);
            limits::check("max_alloc", taken, limits.max_alloc, Some(at))?;
            let name = std::str::from_utf8(bytes).map_err(|_| {
                Error::broken(Part::Archive, at, "the name of a member is no UTF-8")
            })?;
            let folder = name.ends_with('/');
            let name = name.strip_suffix('/').unwrap_or(name);
            if path_names(name).map_or(true, |names| names.is_empty()) {
                let rule = "the name of a member leaves the archive";
                return Err(Error::broken(Part::Archive, at, rule));
            }
            if folder {
                continue;
            }
            let size = entry.compressed_size_hint();
            let stored = entry.compression_method() == CompressionMethod::STORE
                && !entry.flags().is_encrypted()
                && size == entry.uncompressed_size_hint();
            let member = Member {
                place: entry.wayfinder(),
                stored: stored.then_some(size),
            };
            members.insert(name.to_owned(), member);
        }
        Ok(Self { archive, members })
    }

    /// The paths of all members, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }
}

fn damaged(offset: u64, error: rawzip::Error) -> Error {
    let source = io::Error::new(io::ErrorKind::InvalidData, error);
    Error::io(Part::Archive, Some(offset), source)
}

impl FileTree for ZipTree {
    fn open(&self, path: &str) -> io::Result<Arc<dyn ReadAt>> {
        let member = self.members.get(path).ok_or(io::ErrorKind::NotFound)?;
        let Some(size) = member.stored else {
            let what = format!("archive: {path} is compressed; only stored members are read");
            return Err(io::Error::new(io::ErrorKind::Unsupported, what));
        };
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        let entry = self.archive.get_entry(member.place).map_err(invalid)?;
        let (start, _) = entry.compressed_data_range();
        let storage = Arc::clone(&self.archive.get_ref().0);
        Ok(Arc::new(Window::new(storage, start, size)?))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<TreeEntry>> {
        let prefix = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let mut found: Vec<TreeEntry> = Vec::new();
        let from = self.members.range(prefix.clone()..);
        for (path, _) in from.take_while(|(path, _)| path.starts_with(&prefix)) {
            let rest = path.get(prefix.len()..).unwrap_or_default();
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, TreeEntryKind::Folder),
                None => (rest, TreeEntryKind::File),
            };
            if found.last().is_none_or(|last| last.name != name) {
                found.push(TreeEntry::new(name, kind));
            }
        }
        if found.is_empty() && !folder.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(found)
    }
}

/// Positioned reads of a storage, as the parser of archives wants them.
struct Reader(Arc<dyn ReadAt>);

impl ReaderAt for Reader {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = self.0.len()?.saturating_sub(offset);
        let len = saturating_usize(left).min(buf.len());
        let buf = buf.get_mut(..len).unwrap_or_default();
        self.0.read_exact_at(buf, offset)?;
        Ok(len)
    }
}
