//! Storages of bytes: memory, files, directories, parts of them ([format §9.8](crate::format#9.8),
//! [§10](crate::format#10)).
//!
//! ```text
//! ReadAt                 positioned reads            Memory<&[u8]>, Memory<Mmap>, File, DiskFile
//!   WriteAt              and positioned writes       Memory<Vec<u8>>, DiskFile
//! Directory              named files, replaced whole MemoryDir, DiskDir
//! Shareable, Sidecar     locks against others        DiskFile, DiskDir
//! FileTree               files in folders, read only DiskTree
//! Pieces                 what was fetched of an object that is elsewhere
//! ```
//!
//! Frames are read and written through these traits alone, so a frame can also live in an object
//! store or an archive: implement the trait, and call the functions of [`contract`] in a test.
//! Reads take `&self` and carry their offset, so threads share one storage. Argument order follows
//! `std::os::unix::fs::FileExt`: the buffer first, then the offset.

use std::fmt;
use std::io;
use std::ops::Range;

pub mod contract;
mod disk;
mod disk_dir;
mod disk_lock;
mod lock;
mod memory;
mod new_file;
mod pieces;
mod pointers;
mod positioned;
mod sidecar;
mod tree;
mod window;

pub use disk::DiskFile;
pub use disk_dir::DiskDir;
pub use lock::{Generation, LockKind, LockOutcome, Shareable, Sidecar, Stamp};
pub use memory::{Memory, MemoryDir};
pub use pieces::Pieces;
#[cfg(feature = "b2nd")]
pub(crate) use pieces::{Fetched, Pin};
#[cfg(feature = "store")]
pub(crate) use tree::path_names;
pub use tree::{DiskTree, FileTree, TreeEntry, TreeEntryKind};
pub use window::Window;

/// Bytes that can be read at any position.
///
/// ```
/// use std::io;
///
/// use oxiblosc::frame::Contiguous;
/// use oxiblosc::storage::{Memory, ReadAt};
/// use oxiblosc::{CParams, ChunkSource, DParams, FrameReader, SChunk};
///
/// /// A storage that says what is read.
/// #[derive(Debug)]
/// struct Loud(Memory<Vec<u8>>);
///
/// impl ReadAt for Loud {
///     fn len(&self) -> io::Result<u64> {
///         self.0.len()
///     }
///     fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
///         println!("{} bytes at {offset}", buf.len());
///         self.0.read_exact_at(buf, offset)
///     }
/// }
///
/// # fn main() -> oxiblosc::Result<()> {
/// let mut schunk = SChunk::new(CParams::new(4), 4000)?;
/// schunk.append(&[7; 10_000])?;
/// let storage = Loud(Memory(schunk.to_cframe()?));
/// let reader = FrameReader::open_in(Contiguous::new(storage), DParams::new())?;
/// assert_eq!(reader.layout().nchunks, 3);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "blosc2_register_io_cb")]
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// When the storage fails.
    #[doc(alias = "blosc2_stdio_size")]
    fn len(&self) -> io::Result<u64>;

    /// Whether there are no bytes.
    ///
    /// # Errors
    /// When the storage fails.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Fills `buf` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] when the bytes end before `buf` is full (its content is
    /// then unspecified); any other error of the storage.
    #[doc(alias = "blosc2_stdio_read")]
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()>;

    /// Fills `bufs[i]` with the bytes `ranges[i]`. Ranges may overlap and come in any order.
    ///
    /// The default reads one range after the other. A storage with a high latency should override
    /// it and issue the requests in parallel, or merge neighbouring ranges, after
    /// [`check_ranges`].
    ///
    /// ```
    /// use oxiblosc::storage::{Memory, ReadAt};
    /// # fn main() -> std::io::Result<()> {
    /// let (mut a, mut b) = ([0; 2], [0; 3]);
    /// Memory(b"0123456789").read_ranges(&[7..9, 0..3], &mut [&mut a, &mut b])?;
    /// assert_eq!((&a, &b), (b"78", b"012"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] when a range and its buffer differ in length, or their
    /// numbers differ; the first error of [`read_exact_at`](Self::read_exact_at). The content of
    /// all buffers is then unspecified.
    fn read_ranges(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> io::Result<()> {
        check_ranges(ranges, bufs)?;
        for (range, buf) in ranges.iter().zip(bufs) {
            self.read_exact_at(buf, range.start)?;
        }
        Ok(())
    }

    /// All bytes, when they lie in memory: readers then borrow instead of copying. `None` by
    /// default.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }

    /// Whether the bytes come from far away, so that reading more of them than needed costs more
    /// than decoding them: arrays then read the blocks that a request touches, however many they
    /// are. False by default.
    fn is_far(&self) -> bool {
        false
    }

    /// The storage as one that others may change, with its locks. `None` by default: memory is not
    /// shared, and an object store has no locks; frames there are neither locked nor checked for
    /// changes by others.
    fn shareable(&self) -> Option<&dyn Shareable> {
        None
    }

    /// Opens the storage again under its name, which may name other bytes by now. Nothing by
    /// default.
    ///
    /// # Errors
    /// When the storage fails.
    fn reopen(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes that can be written at any position.
#[doc(alias = "blosc2_register_io_cb")]
pub trait WriteAt: ReadAt {
    /// Writes `bytes` from `offset` on. Writing beyond the end makes the storage longer; a gap
    /// between the old end and `offset` reads as zeros.
    ///
    /// # Errors
    /// When the storage fails; the number of bytes written is then unknown.
    #[doc(alias = "blosc2_stdio_write")]
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()>;

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

    /// [`sync`](Self::sync) without metadata that reading the bytes back does not need, such as the
    /// modification time. The same as `sync` by default.
    ///
    /// # Errors
    /// When the storage fails.
    fn sync_data(&mut self) -> io::Result<()> {
        self.sync()
    }

    /// Another handle to the same bytes, with which a writer that is dropped removes what it did
    /// not commit. `None` by default: those bytes then stay until the next commit.
    ///
    /// # Errors
    /// When the storage fails.
    fn second_handle(&self) -> io::Result<Option<Box<dyn WriteAt>>> {
        Ok(None)
    }

    /// Gives bytes that were written under a temporary name their own, in one step: a frame calls
    /// it after each commit. With `sync`, the name survives a loss of power. Nothing by default:
    /// the bytes have their name from the beginning.
    ///
    /// # Errors
    /// When the storage fails; the old bytes of that name then remain.
    fn publish(&mut self, sync: bool) -> io::Result<()> {
        let _ = sync;
        Ok(())
    }
}

/// Named files that are written whole, as a sparse frame needs them
/// ([format §10](crate::format#10)).
///
/// Names are plain file names; `..` and names with a separator are refused.
pub trait Directory: fmt::Debug + Send + Sync {
    /// An open file.
    type File: ReadAt + 'static;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is no such file.
    fn open(&self, name: &str) -> io::Result<Self::File>;

    /// Creates a file or replaces its content, atomically: a reader sees the old content or the
    /// new one, never a mixture. With `sync`, the new content survives a loss of power once this
    /// returns.
    ///
    /// # Errors
    /// When the storage fails; the old content then remains.
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

    /// [`replace`](Self::replace), then [`open`](Self::open). With `lock`, the new file is locked
    /// before it gets its name, where files are [`Shareable`]; by default it is not.
    ///
    /// # Errors
    /// As [`replace`](Self::replace) and [`open`](Self::open).
    fn replace_and_open(
        &mut self,
        name: &str,
        bytes: &[u8],
        sync: bool,
        lock: bool,
    ) -> io::Result<Self::File> {
        let _ = lock;
        self.replace(name, bytes, sync)?;
        self.open(name)
    }

    /// The sidecar of the directory; `None` when there is none and none is to be created. Always
    /// `None` by default: the directory has no such thing.
    ///
    /// # Errors
    /// When the sidecar cannot be opened or created.
    fn sidecar(&self, create: bool) -> io::Result<Option<Box<dyn Sidecar>>> {
        let _ = create;
        Ok(None)
    }

    /// Another handle to the same directory, with which a writer that is dropped removes the files
    /// that it did not commit. `None` by default: they stay until the frame is recovered.
    fn second_handle(&self) -> Option<Box<dyn Directory<File = Self::File>>> {
        None
    }
}

/// The name under which [`DiskDir`] writes a file before it renames it.
fn temporary_name(name: &str) -> String {
    format!(".{name}.new")
}

/// The file for which a temporary file was written, when `name` is the name of one.
pub(crate) fn target_of_temporary(name: &str) -> Option<&str> {
    name.strip_prefix('.')?.strip_suffix(".new")
}

/// Refuses ranges and buffers that do not belong together, as an own
/// [`read_ranges`](ReadAt::read_ranges) has to before it reads.
///
/// ```
/// use oxiblosc::storage::check_ranges;
///
/// assert!(check_ranges(&[5..7, 0..1], &[&mut [0; 2], &mut [0; 1]]).is_ok());
/// let error = check_ranges(&[5..7, 0..1], &[&mut [0; 2], &mut [0; 3]]).unwrap_err();
/// assert_eq!(error.to_string(), "storage: buffer 1 has 3 bytes, its range is 0..1");
/// ```
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] when a range and its buffer differ in length, or their numbers
/// differ.
pub fn check_ranges(ranges: &[Range<u64>], bufs: &[&mut [u8]]) -> io::Result<()> {
    let invalid = |message| io::Error::new(io::ErrorKind::InvalidInput, message);
    if ranges.len() != bufs.len() {
        let (ranges, bufs) = (ranges.len(), bufs.len());
        return Err(invalid(format!(
            "storage: need {ranges} buffers, found {bufs}"
        )));
    }
    for (index, (range, buf)) in ranges.iter().zip(bufs).enumerate() {
        let (len, found) = (range.end.checked_sub(range.start), buf.len());
        if len != Some(found as u64) {
            let Range { start, end } = range;
            return Err(invalid(format!(
                "storage: buffer {index} has {found} bytes, its range is {start}..{end}"
            )));
        }
    }
    Ok(())
}

/// The error of a read beyond the end.
fn past_end(offset: u64, needed: usize, len: u64) -> io::Error {
    let found = len.saturating_sub(offset);
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        format!("storage: need {needed} bytes at offset {offset}, found {found}"),
    )
}

/// Refuses names that would leave the directory.
fn plain_name(name: &str) -> io::Result<&str> {
    let bad =
        name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', '\0', ':']);
    if bad {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("storage: need a plain file name, found {name:?}"),
        ));
    }
    Ok(name)
}
