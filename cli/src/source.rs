//! Input that is read front to back: a file, a pipe or standard input.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::Path;

use oxiblosc_npy as npy;

use crate::args::NpyInput;
use crate::failure::{Failure, InFile, is_dash};

/// Bytes, of which the first ones may have been looked at.
#[derive(Debug)]
pub(crate) struct Source {
    /// Bytes taken from a pipe to recognise it; they come first.
    peeked: Cursor<Vec<u8>>,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    /// A regular file, which can be read again.
    File(File),
    /// A pipe, a device, standard input.
    Stream(Stream),
}

/// Bytes that come once.
#[derive(Debug)]
pub(crate) enum Stream {
    Special(File),
    Stdin(io::StdinLock<'static>),
}

impl Read for Stream {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Special(file) => file.read(dst),
            Self::Stdin(stdin) => stdin.read(dst),
        }
    }
}

impl Source {
    pub(crate) fn open(input: &Path) -> Result<Self, Failure> {
        let inner = if is_dash(input) {
            Inner::Stream(Stream::Stdin(io::stdin().lock()))
        } else {
            let file = File::open(input).in_file(input)?;
            let metadata = file.metadata().in_file(input)?;
            if metadata.is_dir() {
                return Err(Failure::in_file(input, "is a directory"));
            }
            if metadata.is_file() {
                Inner::File(file)
            } else {
                Inner::Stream(Stream::Special(file))
            }
        };
        let peeked = Cursor::default();
        Ok(Self { peeked, inner })
    }

    /// All bytes of a file that is open, from its start.
    pub(crate) fn of_file(file: File) -> Self {
        let peeked = Cursor::default();
        let inner = Inner::File(file);
        Self { peeked, inner }
    }

    /// The length of a regular file.
    pub(crate) fn len(&self) -> Option<u64> {
        match &self.inner {
            Inner::File(file) => Some(file.metadata().ok()?.len()),
            Inner::Stream(_) => None,
        }
    }

    /// The file that the bytes come from, also when it came as standard input.
    pub(crate) fn metadata(&self) -> Option<std::fs::Metadata> {
        match &self.inner {
            Inner::File(file) | Inner::Stream(Stream::Special(file)) => file.metadata().ok(),
            Inner::Stream(Stream::Stdin(stdin)) => stdin_metadata(stdin),
        }
    }

    /// The header of an `.npy` file, recognised by its first bytes unless told; the position stays
    /// at the start.
    pub(crate) fn npy_header(
        &mut self,
        input: &Path,
        wanted: NpyInput,
    ) -> Result<Option<npy::Header>, Failure> {
        if wanted == NpyInput::Never {
            return Ok(None);
        }
        if self.peek(6).in_file(input)? != npy::MAGIC {
            return match wanted {
                NpyInput::Always => Err(Failure::in_file(input, "is no .npy file")),
                _ => Ok(None),
            };
        }
        let mut read = Vec::new();
        let tee = Tee {
            inner: &mut *self,
            read: &mut read,
        };
        let header = match tee.inner.inner {
            // Small reads of a file are cheap in a buffer, and it is read again.
            Inner::File(_) => npy::Header::read(BufReader::new(tee)),
            Inner::Stream(_) => npy::Header::read(tee),
        };
        let header = header.map_err(|error| {
            let what = match error.kind() {
                io::ErrorKind::UnexpectedEof => "npy header: the file ends within it".to_owned(),
                _ => error.to_string(),
            };
            Failure::in_file(input, what)
        })?;
        self.put_back(read).in_file(input)?;
        Ok(Some(header))
    }

    /// The first bytes, at most `len`; the position stays at the start.
    pub(crate) fn peek(&mut self, len: u64) -> io::Result<Vec<u8>> {
        let mut start = Vec::new();
        self.by_ref().take(len).read_to_end(&mut start)?;
        self.put_back(start.clone())?;
        Ok(start)
    }

    /// Returns to the bytes that were read so far.
    fn put_back(&mut self, mut read: Vec<u8>) -> io::Result<()> {
        match &mut self.inner {
            Inner::File(file) => file.rewind(),
            Inner::Stream(_) => {
                self.peeked.read_to_end(&mut read)?;
                self.peeked = Cursor::new(read);
                Ok(())
            }
        }
    }

    /// A regular file with all of the bytes; what came through a pipe is copied to a temporary one.
    pub(crate) fn into_file(self) -> io::Result<File> {
        match self.inner {
            Inner::File(file) => Ok(file),
            Inner::Stream(stream) => spool(self.peeked.chain(stream)),
        }
    }
}

impl Read for Source {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        match self.peeked.read(dst)? {
            0 => match &mut self.inner {
                Inner::File(file) => file.read(dst),
                Inner::Stream(stream) => stream.read(dst),
            },
            len => Ok(len),
        }
    }
}

/// Copies bytes to a temporary file without a name, and returns to its start.
pub(crate) fn spool(mut bytes: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut bytes, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// Whether two open files are the same one.
#[cfg(unix)]
pub(crate) fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Whether two open files are the same one: not known here.
#[cfg(not(unix))]
pub(crate) fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn stdin_metadata(stdin: &io::StdinLock<'static>) -> Option<std::fs::Metadata> {
    use std::os::fd::AsFd;
    let fd = stdin.as_fd().try_clone_to_owned().ok()?;
    File::from(fd).metadata().ok()
}

#[cfg(not(unix))]
fn stdin_metadata(_: &io::StdinLock<'static>) -> Option<std::fs::Metadata> {
    None
}

/// A reader that keeps what it read.
struct Tee<'a> {
    inner: &'a mut Source,
    read: &'a mut Vec<u8>,
}

impl Read for Tee<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(dst)?;
        self.read
            .extend_from_slice(dst.get(..len).unwrap_or_default());
        Ok(len)
    }
}

/// Reads until the buffer is full or the input ends.
pub(crate) fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while let Some(rest) = buffer.get_mut(len..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}
