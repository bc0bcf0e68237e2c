//! Storage that notes its failures, so that a message names the file that failed: the library's
//! errors do not say whether it was the input or the output.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oxiblosc::storage::{Directory, ReadAt, WriteAt};

use crate::failure::Failure;

/// Whether a storage has failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failed(Arc<AtomicBool>);

impl Failed {
    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if result.is_err() {
            self.0.store(true, Ordering::Relaxed);
        }
        result
    }

    /// The failure, of this file if its storage failed.
    pub(crate) fn blame<T>(&self, file: &Path, result: Result<T, Failure>) -> Result<T, Failure> {
        result.map_err(|failure| match failure {
            Failure::File { what, .. } if self.0.load(Ordering::Relaxed) => {
                Failure::in_file(file, what)
            }
            failure => failure,
        })
    }
}

/// A file or a directory that is written to.
#[derive(Debug)]
pub(crate) struct Watched<S> {
    pub(crate) inner: S,
    failed: Failed,
}

impl<S> Watched<S> {
    pub(crate) fn new(inner: S, failed: &Failed) -> Self {
        let failed = failed.clone();
        Self { inner, failed }
    }
}

impl<S: ReadAt> ReadAt for Watched<S> {
    fn len(&self) -> io::Result<u64> {
        self.failed.note(self.inner.len())
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.failed.note(self.inner.read_exact_at(buf, offset))
    }
}

impl<S: WriteAt> WriteAt for Watched<S> {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.failed.note(self.inner.write_all_at(bytes, offset))
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.failed.note(self.inner.set_len(len))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.failed.note(self.inner.sync())
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.failed.note(self.inner.sync_data())
    }

    fn publish(&mut self, sync: bool) -> io::Result<()> {
        self.failed.note(self.inner.publish(sync))
    }
}

impl<D: Directory> Directory for Watched<D> {
    type File = D::File;

    fn open(&self, name: &str) -> io::Result<Self::File> {
        self.failed.note(self.inner.open(name))
    }

    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.failed.note(self.inner.replace(name, bytes, sync))
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.failed.note(self.inner.remove(name))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.failed.note(self.inner.names())
    }
}
