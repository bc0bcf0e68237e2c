//! Files of the operating system.
//!
//! Positioned reads and writes leave the file's cursor alone, so one open file serves many
//! threads. On platforms without them a lock guards the cursor.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::disk_lock::{flock, is_named, stamp, unlock};
use super::lock::{LockKind, LockOutcome, Shareable, Sidecar, Stamp};
use super::new_file::NewFile;
use super::positioned;
use super::sidecar::DiskSidecar;
use super::{ReadAt, WriteAt};

/// An open file.
///
/// ```
/// use oxiblosc::storage::{DiskFile, ReadAt, WriteAt};
/// # fn main() -> std::io::Result<()> {
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("three bytes");
/// let mut file = DiskFile::create(&path)?;
/// file.write_all_at(b"abc", 0)?;
/// assert_eq!(DiskFile::open(&path)?.len()?, 3);
/// # Ok(())
/// # }
/// ```
///
/// A file opened by its path can be locked ([`Shareable`]); one made of a [`File`] cannot, since
/// nothing says where it is.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    /// The path and the way it was opened.
    origin: Option<(PathBuf, Mode)>,
    /// The names of a file that is not published yet.
    new: Option<NewFile>,
    #[cfg(not(any(unix, windows)))]
    cursor: std::sync::Mutex<()>,
}

/// How a file was opened.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Read,
    Write,
    /// For writing, and created when there was none.
    Create,
}

impl Mode {
    fn open(self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        match self {
            Self::Read => &mut options,
            Self::Write => options.write(true),
            Self::Create => options.write(true).create(true).truncate(false),
        };
        options.open(path)
    }
}

impl DiskFile {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// When the system refuses.
    #[doc(alias = "blosc2_stdio_open")]
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::at(path.as_ref(), Mode::Read)
    }

    /// Opens a file for reading and writing.
    ///
    /// # Errors
    /// When the system refuses, or there is no such file.
    pub fn open_rw(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::at(path.as_ref(), Mode::Write)
    }

    /// Opens a file for reading and writing, and creates it when there is none. An existing one
    /// keeps its content, so that it can be locked before it is replaced.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open_or_create(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::at(path.as_ref(), Mode::Create)
    }

    /// Creates an empty file for reading and writing; an existing one loses its content.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = Self::open_or_create(path)?;
        file.file.set_len(0)?;
        Ok(file)
    }

    /// Creates an empty file for reading and writing.
    ///
    /// # Errors
    /// When the system refuses, or there is such a file already.
    pub fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        let file = options.open(path)?;
        Ok(Self::from(file).with_origin(path, Mode::Write))
    }

    /// Creates an empty file for reading and writing under a temporary name beside `path`.
    /// [`publish`](WriteAt::publish) gives it its name, in one step; dropped before that, it is
    /// removed. An existing file is replaced with `overwrite` only, keeps its content until then,
    /// and is locked with the new one. It gives the new one its permissions.
    ///
    /// ```
    /// use oxiblosc::storage::{DiskFile, WriteAt};
    /// # fn main() -> std::io::Result<()> {
    /// # let dir = tempfile::tempdir()?;
    /// # let path = dir.path().join("three bytes");
    /// let mut file = DiskFile::create_atomic(&path, false)?;
    /// file.write_all_at(b"abc", 0)?;
    /// assert!(!path.exists());
    /// file.publish(false)?;
    /// assert_eq!(std::fs::read(&path)?, b"abc");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] without `overwrite`, when there is such a file already;
    /// when the system refuses.
    pub fn create_atomic(path: impl AsRef<Path>, overwrite: bool) -> io::Result<Self> {
        let path = path.as_ref();
        let (file, new) = NewFile::create(path, overwrite)?;
        let mut file = Self::from(file).with_origin(path, Mode::Write);
        file.new = Some(new);
        Ok(file)
    }

    fn at(path: &Path, mode: Mode) -> io::Result<Self> {
        Ok(Self::from(mode.open(path)?).with_origin(path, mode))
    }

    fn with_origin(mut self, path: &Path, mode: Mode) -> Self {
        self.origin = Some((path.to_owned(), mode));
        self
    }

    /// A file that was written under a temporary name and renamed to `path`.
    pub(super) fn renamed(file: File, path: PathBuf) -> Self {
        let mut file = Self::from(file);
        file.origin = Some((path, Mode::Read));
        file
    }

    /// The file of the standard library.
    pub fn into_file(self) -> File {
        self.file
    }

    fn origin_path(&self) -> Option<&Path> {
        self.origin.as_ref().map(|(path, _)| path.as_path())
    }
}

impl From<File> for DiskFile {
    fn from(file: File) -> Self {
        Self {
            file,
            origin: None,
            new: None,
            #[cfg(not(any(unix, windows)))]
            cursor: std::sync::Mutex::new(()),
        }
    }
}

/// A file of the standard library, for reading; neither locked nor checked for changes. On systems
/// other than Unix and Windows, only [`DiskFile`] is a storage.
///
/// ```
/// use oxiblosc::frame::Contiguous;
/// use oxiblosc::{CParams, ChunkSource, DParams, FrameParams, FrameReader, FrameWriter};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("frame");
/// FrameWriter::create(&path, FrameParams::new(CParams::new(1), 1000))?.finish()?;
/// let file = std::fs::File::open(&path)?;
/// let reader = FrameReader::open_in(Contiguous::new(&file), DParams::new())?;
/// assert_eq!(reader.layout().nbytes, 0);
/// # Ok(())
/// # }
/// ```
#[cfg(any(unix, windows))]
impl ReadAt for File {
    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        positioned::read_exact_at(self, buf, offset)
    }
}

impl ReadAt for DiskFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        #[cfg(not(any(unix, windows)))]
        let _guard = self
            .cursor
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        positioned::read_exact_at(&self.file, buf, offset)
    }

    fn shareable(&self) -> Option<&dyn Shareable> {
        self.origin.is_some().then_some(self)
    }

    fn reopen(&mut self) -> io::Result<()> {
        if let Some(new) = &mut self.new {
            return new.reopen();
        }
        if let Some((path, mode)) = &self.origin {
            self.file = mode.open(path)?;
        }
        Ok(())
    }
}

impl WriteAt for DiskFile {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        positioned::write_all_at(&self.file, bytes, offset)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all()
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn second_handle(&self) -> io::Result<Option<Box<dyn WriteAt>>> {
        match self.file.try_clone() {
            // WASI has no second handles.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
            file => Ok(Some(Box::new(Self::from(file?)))),
        }
    }

    fn publish(&mut self, sync: bool) -> io::Result<()> {
        let Some(new) = &mut self.new else {
            return Ok(());
        };
        let published = new.publish(sync);
        if new.is_published() {
            self.new = None;
        }
        published
    }
}

impl Shareable for DiskFile {
    fn path(&self) -> &Path {
        self.origin_path().unwrap_or_else(|| Path::new(""))
    }

    fn stamp(&self) -> io::Result<Stamp> {
        Ok(stamp(&self.file.metadata()?))
    }

    fn is_current(&self) -> io::Result<bool> {
        if let Some(new) = &self.new {
            return new.is_current();
        }
        self.origin_path()
            .map_or(Ok(true), |path| is_named(&self.file, path))
    }

    fn lock(&self, wait: bool) -> io::Result<LockOutcome> {
        if let Some(new) = &self.new
            && new.lock(wait)? == LockOutcome::Busy
        {
            return Ok(LockOutcome::Busy);
        }
        flock(&self.file, LockKind::Exclusive, wait)
    }

    fn unlock(&self) -> io::Result<()> {
        if let Some(new) = &self.new {
            new.unlock()?;
        }
        unlock(&self.file)
    }

    fn sidecar(&self, create: bool) -> io::Result<Option<Box<dyn Sidecar>>> {
        let Some(path) = self.origin_path() else {
            return Ok(None);
        };
        let mut sidecar = path.as_os_str().to_owned();
        sidecar.push(".b2lock");
        let opened = DiskSidecar::open(sidecar.into(), create)?;
        Ok(opened.map(|sidecar| Box::new(sidecar) as Box<dyn Sidecar>))
    }
}
