//! Storage in memory: anything that is a byte slice, and a growable vector for writing.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::{Directory, ReadAt, WriteAt, past_end, plain_name};

/// Bytes in memory. Any `B: AsRef<[u8]>` can be read (a slice, a vector, an `Arc<[u8]>`, a memory
/// map that the caller made); `Memory<Vec<u8>>` can be written too.
///
/// ```
/// use oxiblosc::storage::{Memory, ReadAt, WriteAt};
/// # fn main() -> std::io::Result<()> {
/// let mut memory = Memory(Vec::new());
/// memory.write_all_at(b"abc", 2)?;
/// assert_eq!(memory.as_slice(), Some(&b"\0\0abc"[..]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory<B>(pub B);

impl<B: AsRef<[u8]>> fmt::Debug for Memory<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} bytes)", self.0.as_ref().len())
    }
}

impl<B: AsRef<[u8]> + Send + Sync> ReadAt for Memory<B> {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.as_ref().len() as u64)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = self.0.as_ref();
        let part = usize::try_from(offset)
            .ok()
            .and_then(|start| bytes.get(start..)?.get(..buf.len()))
            .ok_or_else(|| past_end(offset, buf.len(), bytes.len() as u64))?;
        buf.copy_from_slice(part);
        Ok(())
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(self.0.as_ref())
    }
}

impl WriteAt for Memory<Vec<u8>> {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let start = position(offset)?;
        let end = start.checked_add(bytes.len()).ok_or_else(too_large)?;
        if start == self.0.len() {
            self.0.extend_from_slice(bytes);
            return Ok(());
        }
        if end > self.0.len() {
            self.0.resize(end, 0);
        }
        if let Some(part) = self.0.get_mut(start..end) {
            part.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.0.resize(position(len)?, 0);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn position(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| too_large())
}

fn too_large() -> io::Error {
    io::Error::new(
        io::ErrorKind::OutOfMemory,
        "storage: more bytes than memory can address",
    )
}

/// A directory in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryDir {
    files: BTreeMap<String, Memory<Arc<[u8]>>>,
}

impl MemoryDir {
    /// An empty directory.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Directory for MemoryDir {
    type File = Memory<Arc<[u8]>>;

    fn open(&self, name: &str) -> io::Result<Self::File> {
        self.files
            .get(plain_name(name)?)
            .cloned()
            .ok_or_else(|| missing(name))
    }

    fn replace(&mut self, name: &str, bytes: &[u8], _sync: bool) -> io::Result<()> {
        self.files
            .insert(plain_name(name)?.to_owned(), Memory(Arc::from(bytes)));
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.files
            .remove(plain_name(name)?)
            .map(drop)
            .ok_or_else(|| missing(name))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.files.keys().cloned().collect())
    }
}

fn missing(name: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::NotFound,
        format!("storage: no file {name:?}"),
    )
}
