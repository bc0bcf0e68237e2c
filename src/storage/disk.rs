//! Files and directories of the operating system.
//!
//! Positioned reads and writes leave the file's cursor alone, so one open file serves many
//! threads. On platforms without them a lock guards the cursor.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Directory, ReadAt, WriteAt, past_end, plain_name};

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
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    #[cfg(not(any(unix, windows)))]
    cursor: std::sync::Mutex<()>,
}

impl DiskFile {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// When the system refuses.
    #[doc(alias = "blosc2_stdio_open")]
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::from(File::open(path)?))
    }

    /// Opens a file for reading and writing.
    ///
    /// # Errors
    /// When the system refuses, or there is no such file.
    pub fn open_rw(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::from(
            OpenOptions::new().read(true).write(true).open(path)?,
        ))
    }

    /// Creates an empty file for reading and writing; an existing one loses its content.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        Ok(Self::from(options.open(path)?))
    }

    /// Creates an empty file for reading and writing.
    ///
    /// # Errors
    /// When the system refuses, or there is such a file already.
    pub fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        Ok(Self::from(options.open(path)?))
    }

    /// The file of the standard library.
    pub fn into_file(self) -> File {
        self.file
    }
}

impl From<File> for DiskFile {
    fn from(file: File) -> Self {
        Self {
            file,
            #[cfg(not(any(unix, windows)))]
            cursor: std::sync::Mutex::new(()),
        }
    }
}

impl ReadAt for DiskFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let read = std::os::unix::fs::FileExt::read_exact_at(&self.file, buf, offset);
        // Offsets past 2^63 are beyond every end, too; systems report them in different ways.
        read.map_err(|error| match self.len() {
            Ok(len) if offset.saturating_add(buf.len() as u64) > len => {
                past_end(offset, buf.len(), len)
            }
            _ => error,
        })
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut buf: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buf.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.file, buf, offset) {
                Ok(0) => return Err(past_end(offset, buf.len(), self.len()?)),
                Ok(n) => {
                    buf = buf.get_mut(n..).unwrap_or_default();
                    offset += n as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let _guard = self
            .cursor
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buf)
    }
}

impl WriteAt for DiskFile {
    #[cfg(unix)]
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    #[cfg(windows)]
    fn write_all_at(&mut self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_write(&self.file, bytes, offset) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => {
                    bytes = bytes.get(n..).unwrap_or_default();
                    offset += n as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        use std::io::{Seek, SeekFrom};
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.write_all(bytes)
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
}

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
        let target = self.path.join(plain_name(name)?);
        let temporary = self.path.join(format!(".{name}.new"));
        let written = (|| {
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            if sync {
                file.sync_all()?;
            }
            drop(file);
            fs::rename(&temporary, &target)
        })();
        if written.is_err() {
            // The error of the write is the one to report, not that of the clean-up.
            let _ = fs::remove_file(&temporary);
        }
        written?;
        if sync { self.sync_names() } else { Ok(()) }
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
