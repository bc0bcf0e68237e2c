//! Storages that are objects of Python: files of fsspec.

use std::fmt;
use std::io;
use std::ops::Range;

use oxiblosc::storage::ReadAt;
use pyo3::exceptions::PyEOFError;
use pyo3::prelude::*;

use crate::bytes::Source;

/// An object with `size`, a number, and `read_ranges(list of (start, stop)) -> list of bytes`.
pub(crate) struct PyStorage {
    object: Py<PyAny>,
    len: u64,
}

impl fmt::Debug for PyStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PyStorage({} bytes)", self.len)
    }
}

impl PyStorage {
    /// Takes the size of the object, which must not change.
    pub(crate) fn new(object: Bound<'_, PyAny>) -> PyResult<Self> {
        let len = object.getattr("size")?.extract()?;
        Ok(Self {
            object: object.unbind(),
            len,
        })
    }

    /// The number of bytes.
    pub(crate) fn size(&self) -> u64 {
        self.len
    }
}

impl ReadAt for PyStorage {
    fn len(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn is_far(&self) -> bool {
        true
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.saturating_add(u64::try_from(buf.len()).unwrap_or(u64::MAX));
        #[expect(clippy::single_range_in_vec_init, reason = "a list of one range")]
        self.read_ranges(&[offset..end], &mut [buf])
    }

    fn read_ranges(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> io::Result<()> {
        if ranges.iter().any(|range| range.end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let done = Python::attach(|py| -> PyResult<()> {
            let wanted: Vec<_> = ranges
                .iter()
                .map(|range| (range.start, range.end))
                .collect();
            let answer = self
                .object
                .bind(py)
                .call_method1("read_ranges", (wanted,))?;
            let parts: Vec<Source> = answer.extract()?;
            if parts.len() != bufs.len() {
                return Err(PyEOFError::new_err("another number of parts than ranges"));
            }
            for (part, buf) in parts.iter().zip(bufs) {
                if part.bytes().len() != buf.len() {
                    return Err(PyEOFError::new_err(format!(
                        "{} bytes instead of {}",
                        part.bytes().len(),
                        buf.len()
                    )));
                }
                buf.copy_from_slice(part.bytes());
            }
            Ok(())
        });
        done.map_err(io::Error::other)
    }
}
