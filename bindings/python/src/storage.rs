//! Storages that are objects of Python: files of fsspec.

use std::fmt;
use std::io;
use std::ops::Range;

use oxiblosc::error::Part;
use oxiblosc::remote::{FrameOpen, RemoteFrame, RemoteRead};
use oxiblosc::storage::ReadAt;
use oxiblosc::{Error, Result};
use pyo3::exceptions::PyEOFError;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::bytes::Source;

/// A frame, and where its bytes are.
type Opened = (RemoteFrame, PyStorage);

/// The bytes at both ends of an object that opening asks for, together.
const ENDS: (usize, usize) = (4 << 10, 32 << 10);

/// An object with `read_ranges(list of (start, stop)) -> list of bytes`, `size() -> int`, and
/// `ends(front, tail) -> (bytes, bytes or None)`.
pub(crate) struct PyStorage {
    object: Py<PyAny>,
    len: u64,
    /// How many requests are under way at the same time.
    parallel: usize,
}

impl fmt::Debug for PyStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PyStorage({} bytes)", self.len)
    }
}

impl PyStorage {
    /// Opens the frame in an object: one round of requests where its server has ranges that count
    /// from the end. Otherwise the length is another request, and its end another one.
    pub(crate) fn open(
        object: Py<PyAny>,
        parallel: usize,
        open: impl Fn(u64) -> FrameOpen,
    ) -> Result<Opened> {
        let ends: (Source, Option<Source>) = Python::attach(|py| {
            let ends = object.bind(py).call_method1("ends", ENDS)?;
            ends.extract()
        })
        .map_err(failed)?;
        let mut storage = Self {
            object,
            len: 0,
            parallel,
        };
        let again = storage.again();
        // The length that the frame states is right if its end is found there.
        if let Some(done) = again.open_by_ends(ends, &open)? {
            return Ok(done);
        }
        let len = Python::attach(|py| storage.object.bind(py).call_method0("size")?.extract());
        storage.len = len.map_err(failed)?;
        let frame = open(storage.len);
        storage.open_frame(frame)
    }

    /// The same object.
    fn again(&self) -> Self {
        Self {
            object: Python::attach(|py| self.object.clone_ref(py)),
            ..*self
        }
    }

    fn open_by_ends(
        mut self,
        (front, tail): (Source, Option<Source>),
        open: impl Fn(u64) -> FrameOpen,
    ) -> Result<Option<Opened>> {
        let number = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
        let whole = front.bytes().len() < ENDS.0;
        let len = match (whole, &tail) {
            (true, _) => number(front.bytes().len()),
            // Without its end nothing is known of the length.
            (false, None) => return Ok(None),
            (false, Some(_)) => match FrameOpen::stated_len(front.bytes()) {
                Ok(len) => len,
                Err(_) => return Ok(None),
            },
        };
        let mut frame = open(len);
        frame.give_owned(0, front);
        if let Some(tail) = tail.filter(|_| !whole) {
            let Some(at) = len.checked_sub(number(tail.bytes().len())) else {
                return Ok(None);
            };
            frame.give_owned(at, tail);
        }
        self.len = len;
        match (self.open_frame(frame), whole) {
            (Err(error), true) => Err(error),
            (done, _) => Ok(done.ok()),
        }
    }

    fn open_frame(self, mut open: FrameOpen) -> Result<Opened> {
        loop {
            let ranges = open.needs()?;
            if ranges.is_empty() {
                return Ok((open.finish()?, self));
            }
            for (range, bytes) in self.fetch(ranges)? {
                open.give_owned(range.start, bytes);
            }
        }
    }

    /// Reads what was planned.
    pub(crate) fn read(&self, mut read: RemoteRead<'_>, dst: &mut [u8]) -> Result<usize> {
        loop {
            let ranges = read.needs()?;
            if !ranges.is_empty() {
                let parts = self.stream(&ranges).map_err(failed)?;
                while let Some((at, bytes)) = self.next(&parts, &ranges).map_err(failed)? {
                    read.give_owned(at, bytes);
                    read.decode_held_into(dst)?;
                }
            }
            if let Some(len) = read.finish_into(dst)? {
                return Ok(len);
            }
        }
    }

    /// Requests ranges: an iterator that gives them as they arrive.
    fn stream(&self, ranges: &[Range<u64>]) -> PyResult<Py<PyIterator>> {
        Python::attach(|py| {
            let wanted: Vec<_> = ranges.iter().map(|one| (one.start, one.end)).collect();
            let object = self.object.bind(py);
            let parts = object.call_method1("stream", (wanted, self.parallel))?;
            Ok(parts.try_iter()?.unbind())
        })
    }

    /// The next part that arrives, and its offset.
    fn next(
        &self,
        parts: &Py<PyIterator>,
        ranges: &[Range<u64>],
    ) -> PyResult<Option<(u64, Source)>> {
        Python::attach(|py| {
            let Some(part) = parts.bind(py).clone().next() else {
                return Ok(None);
            };
            let (number, bytes): (usize, Source) = part?.extract()?;
            let no_range = || PyEOFError::new_err(format!("a part {number} that was not wanted"));
            let range = ranges.get(number).ok_or_else(no_range)?;
            check_len(&bytes, range)?;
            Ok(Some((range.start, bytes)))
        })
    }

    /// The bytes of ranges, requested together: memory of Python.
    fn fetch(&self, ranges: Vec<Range<u64>>) -> Result<Vec<(Range<u64>, Source)>> {
        if ranges.is_empty() {
            return Ok(Vec::new());
        }
        let parts = self.request(&ranges).map_err(failed)?;
        Ok(ranges.into_iter().zip(parts).collect())
    }

    fn request(&self, ranges: &[Range<u64>]) -> PyResult<Vec<Source>> {
        Python::attach(|py| {
            let wanted: Vec<_> = ranges.iter().map(|one| (one.start, one.end)).collect();
            let object = self.object.bind(py);
            let answer = object.call_method1("read_ranges", (wanted,))?;
            let parts: Vec<Source> = answer.extract()?;
            if parts.len() != ranges.len() {
                return Err(PyEOFError::new_err("another number of parts than ranges"));
            }
            for (part, range) in parts.iter().zip(ranges) {
                check_len(part, range)?;
            }
            Ok(parts)
        })
    }
}

/// Refuses a part of another length than its range.
fn check_len(part: &Source, range: &Range<u64>) -> PyResult<()> {
    let (found, wanted) = (part.bytes().len(), range.end.saturating_sub(range.start));
    if u64::try_from(found).ok() != Some(wanted) {
        let text = format!("{found} bytes instead of {wanted}");
        return Err(PyEOFError::new_err(text));
    }
    Ok(())
}

/// The error of a storage, which is raised as it was.
fn failed(error: PyErr) -> Error {
    Error::io(Part::FrameHeader, None, io::Error::other(error))
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
        let parts = self.request(ranges).map_err(io::Error::other)?;
        for (part, buf) in parts.iter().zip(bufs) {
            let part = part.bytes().get(..buf.len());
            buf.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        }
        Ok(())
    }
}
