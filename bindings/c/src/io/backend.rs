//! Storages of [`oxiblosc`] over I/O callbacks. As the callbacks expect it, a file is opened for
//! each operation and closed after it.

use std::ffi::{CStr, CString, c_void};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;

use oxiblosc::storage::{Directory, ReadAt, WriteAt};

use crate::abi::{blosc2_io, blosc2_io_cb};
use crate::boundary::{Answer, Code};

/// Callbacks and their parameters.
#[derive(Debug)]
pub(crate) struct Backend {
    callbacks: blosc2_io_cb,
    params: *mut c_void,
}

// SAFETY: the parameters belong to the callbacks, which are called under the lock of the
// super-chunk; that they may be called on any of its threads is what the interface promises users.
unsafe impl Send for Backend {}
// SAFETY: as above; nothing here reads what the parameters point to.
unsafe impl Sync for Backend {}

impl Backend {
    /// The callbacks that `io` names.
    pub(crate) fn of(io: &blosc2_io) -> Answer<Arc<Self>> {
        let callbacks = super::callbacks(io.id).ok_or(Code(crate::abi::BLOSC2_ERROR_PLUGIN_IO))?;
        Ok(Arc::new(Self {
            callbacks,
            params: io.params,
        }))
    }

    fn open(&self, path: &CStr, mode: &CStr) -> io::Result<Stream<'_>> {
        let open = self.callbacks.open.ok_or_else(|| failed("open"))?;
        // SAFETY: a callback of the user, with two C strings and the user's own parameters.
        let stream = unsafe { open(path.as_ptr(), mode.as_ptr(), self.params) };
        let stream = NonNull::new(stream).ok_or_else(|| failed("open"))?;
        Ok(Stream {
            backend: self,
            stream,
        })
    }

    /// Tells the callbacks that the super-chunk is done with them.
    pub(crate) fn destroy(&self) {
        if let Some(destroy) = self.callbacks.destroy {
            // SAFETY: a callback of the user with the user's own parameters, called once.
            unsafe { destroy(self.params) };
        }
    }
}

/// An open stream, closed when dropped.
struct Stream<'a> {
    backend: &'a Backend,
    stream: NonNull<c_void>,
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        if let Some(close) = self.backend.callbacks.close {
            // SAFETY: the stream is open, and no one uses it afterwards.
            unsafe { close(self.stream.as_ptr()) };
        }
    }
}

impl Stream<'_> {
    fn size(&self) -> io::Result<u64> {
        let size = self.backend.callbacks.size.ok_or_else(|| failed("size"))?;
        // SAFETY: the stream is open.
        let size = unsafe { size(self.stream.as_ptr()) };
        u64::try_from(size).map_err(|_| failed("size"))
    }

    fn read(&self, buf: &mut [u8], position: u64) -> io::Result<()> {
        let read = self.backend.callbacks.read.ok_or_else(|| failed("read"))?;
        let (len, at) = (signed(buf.len() as u64)?, signed(position)?);
        let own = self.backend.callbacks.is_allocation_necessary;
        let mut place: *mut c_void = if own {
            buf.as_mut_ptr().cast()
        } else {
            ptr::null_mut()
        };
        // SAFETY: the stream is open; `place` is room for `len` bytes, or set by the callback.
        let items = unsafe { read(&raw mut place, 1, len, at, self.stream.as_ptr()) };
        if items != len {
            let kind = io::ErrorKind::UnexpectedEof;
            return Err(io::Error::new(kind, "the I/O callback `read` read less"));
        }
        if !own {
            let bytes = NonNull::new(place.cast::<u8>()).ok_or_else(|| failed("read"))?;
            // SAFETY: the callback said that it gave out `len` bytes, valid until the next call.
            let bytes = unsafe { slice::from_raw_parts(bytes.as_ptr(), buf.len()) };
            buf.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn write(&self, bytes: &[u8], position: u64) -> io::Result<()> {
        let write = self
            .backend
            .callbacks
            .write
            .ok_or_else(|| failed("write"))?;
        let (len, at) = (signed(bytes.len() as u64)?, signed(position)?);
        // SAFETY: the stream is open, and the bytes are readable.
        let items = unsafe { write(bytes.as_ptr().cast(), 1, len, at, self.stream.as_ptr()) };
        if items == len {
            Ok(())
        } else {
            Err(failed("write"))
        }
    }

    fn truncate(&self, len: u64) -> io::Result<()> {
        let truncate = self.backend.callbacks.truncate;
        let truncate = truncate.ok_or_else(|| failed("truncate"))?;
        // SAFETY: the stream is open.
        match unsafe { truncate(self.stream.as_ptr(), signed(len)?) } {
            0 => Ok(()),
            _ => Err(failed("truncate")),
        }
    }
}

fn failed(what: &str) -> io::Error {
    io::Error::other(format!("the I/O callback `{what}` failed"))
}

fn signed(value: u64) -> io::Result<i64> {
    i64::try_from(value).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// A file through callbacks, from an offset on.
#[derive(Clone, Debug)]
pub(crate) struct BackendFile {
    backend: Arc<Backend>,
    path: CString,
    offset: u64,
}

impl BackendFile {
    pub(crate) fn new(backend: Arc<Backend>, path: CString, offset: u64) -> Self {
        Self {
            backend,
            path,
            offset,
        }
    }

    /// Makes an empty file, or empties the one that is there.
    pub(crate) fn create(&self) -> io::Result<()> {
        self.backend.open(&self.path, c"wb").map(drop)
    }

    fn at(&self, position: u64) -> io::Result<u64> {
        let at = self.offset.checked_add(position);
        at.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }
}

impl ReadAt for BackendFile {
    fn len(&self) -> io::Result<u64> {
        let size = self.backend.open(&self.path, c"rb")?.size()?;
        Ok(size.saturating_sub(self.offset))
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        if buf.is_empty() {
            return Ok(());
        }
        let stream = self.backend.open(&self.path, c"rb")?;
        stream.read(buf, self.at(offset)?)
    }
}

impl WriteAt for BackendFile {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let stream = self.backend.open(&self.path, c"rb+")?;
        stream.write(bytes, self.at(offset)?)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        let stream = self.backend.open(&self.path, c"rb+")?;
        stream.truncate(self.at(len)?)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A directory whose files are read and written through callbacks.
#[derive(Debug)]
pub(crate) struct BackendDir {
    backend: Arc<Backend>,
    path: CString,
}

impl BackendDir {
    pub(crate) fn new(backend: Arc<Backend>, path: CString) -> Self {
        Self { backend, path }
    }

    /// Makes the directory, which must not be there.
    pub(crate) fn create(&self) -> io::Result<()> {
        fs::create_dir(super::plain_path(self.path.to_bytes()))
    }

    fn file(&self, name: &str) -> io::Result<BackendFile> {
        let path = Path::new(super::plain_path(self.path.to_bytes())).join(name);
        let path = CString::new(path.as_os_str().as_bytes())?;
        Ok(BackendFile::new(Arc::clone(&self.backend), path, 0))
    }
}

impl Directory for BackendDir {
    type File = BackendFile;

    fn open(&self, name: &str) -> io::Result<BackendFile> {
        self.file(name)
    }

    fn replace(&mut self, name: &str, bytes: &[u8], _sync: bool) -> io::Result<()> {
        let file = self.file(name)?;
        let stream = self.backend.open(&file.path, c"wb")?;
        if !bytes.is_empty() {
            stream.write(bytes, 0)?;
        }
        // A backend need not empty a file that it opens for writing.
        stream.truncate(bytes.len() as u64)
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        // The callbacks cannot remove a file.
        let file = self.file(name)?;
        self.backend.open(&file.path, c"wb")?.truncate(0)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        // Nor can they list a directory; a new one has no files.
        Ok(Vec::new())
    }
}
