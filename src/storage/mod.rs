//! Where bytes live: memory, files, directories, parts of them (format §9.8, §10).
//!
//! ```text
//! ReadAt                 positioned reads            Memory<&[u8]>, Memory<Mmap>, DiskFile, Window
//!   WriteAt              and positioned writes       Memory<Vec<u8>>, DiskFile
//! Directory              named files, replaced whole MemoryDir, DiskDir
//! ```
//!
//! Frames are read and written through these traits alone, so a frame may as well live in an
//! object store or an archive: implement the trait, and run
//! [`tests/storage/contract.rs`](https://github.com/oxiblosc/oxiblosc/blob/main/tests/storage/contract.rs)
//! on it. Reads take `&self` and carry their offset, so threads share one storage.

use std::fmt;
use std::io;

mod disk;
mod memory;
mod window;

pub use disk::{DiskDir, DiskFile};
pub use memory::{Memory, MemoryDir};
pub use window::Window;

/// Bytes that can be read at any position.
#[doc(alias = "blosc2_register_io_cb")]
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// When the storage cannot tell.
    #[doc(alias = "blosc2_stdio_size")]
    fn len(&self) -> io::Result<u64>;

    /// Whether there are no bytes.
    ///
    /// # Errors
    /// When the storage cannot tell.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Fills `buf` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] when the bytes end before `buf` is full (its content is
    /// then unspecified); anything else that the storage reports.
    #[doc(alias = "blosc2_stdio_read")]
    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()>;

    /// All bytes at once, when they lie in memory anyway: readers then borrow instead of copying.
    /// `None` by default.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }
}

/// Bytes that can be written at any position.
#[doc(alias = "blosc2_register_io_cb")]
pub trait WriteAt: ReadAt {
    /// Writes `bytes` from `offset` on. Writing beyond the end makes the storage longer; a gap
    /// between the old end and `offset` reads as zeros.
    ///
    /// # Errors
    /// When the storage fails; how much was written is then unknown.
    #[doc(alias = "blosc2_stdio_write")]
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the bytes at `len`, or pads them with zeros up to it.
    ///
    /// # Errors
    /// When the storage fails.
    #[doc(alias = "blosc2_stdio_truncate")]
    fn set_len(&mut self, len: u64) -> io::Result<()>;

    /// Waits until everything written survives a loss of power.
    ///
    /// # Errors
    /// When the storage fails.
    fn sync(&mut self) -> io::Result<()>;

    /// Like [`sync`](Self::sync), without what is not needed to read the bytes back, such as the
    /// time of the last change. The same as `sync` by default.
    ///
    /// # Errors
    /// When the storage fails.
    fn sync_data(&mut self) -> io::Result<()> {
        self.sync()
    }
}

/// Named files that are written whole, as a sparse frame needs them (format §10).
///
/// Names are plain file names; what contains a separator or is `..` is refused.
pub trait Directory: fmt::Debug + Send + Sync {
    /// What opening a file gives.
    type File: ReadAt + 'static;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is no such file.
    fn open(&self, name: &str) -> io::Result<Self::File>;

    /// Creates a file or replaces its content, atomically: a reader sees the old content or the
    /// new one, never a mixture. With `sync`, the new content survives a loss of power when this
    /// returns.
    ///
    /// # Errors
    /// When the storage fails; the old content is then still there.
    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is no such file.
    fn remove(&mut self, name: &str) -> io::Result<()>;

    /// The names of all files, in no particular order.
    ///
    /// # Errors
    /// When the storage fails.
    fn names(&self) -> io::Result<Vec<String>>;
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn len(&self) -> io::Result<u64> {
        (**self).len()
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        (**self).read_exact_at(offset, buf)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        (**self).as_slice()
    }
}

/// What a read beyond the end reports.
fn past_end(offset: u64, wanted: usize, len: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        format!("{wanted} bytes wanted at byte {offset}, the storage has {len}"),
    )
}

/// Refuses names that would leave the directory.
fn plain_name(name: &str) -> io::Result<&str> {
    let bad =
        name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', '\0', ':']);
    if bad {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{name:?} is not a plain file name"),
        ));
    }
    Ok(name)
}
