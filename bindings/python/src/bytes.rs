//! The memory of Python objects, without copies.

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;

/// Memory to read, held until it is dropped: `bytes`, `memoryview`, a contiguous NumPy array.
#[derive(Debug)]
pub(crate) struct Source(PyUntypedBuffer);

/// Memory to write, likewise.
#[derive(Debug)]
pub(crate) struct Target(PyUntypedBuffer);

impl<'a, 'py> FromPyObject<'a, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        contiguous(&object).map(Self)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Target {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let buffer = contiguous(&object)?;
        if buffer.readonly() {
            return Err(PyBufferError::new_err("the buffer is read-only"));
        }
        Ok(Self(buffer))
    }
}

fn contiguous(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let buffer = PyUntypedBuffer::get(object)?;
    if !buffer.is_c_contiguous() {
        return Err(PyBufferError::new_err("the buffer is not C-contiguous"));
    }
    Ok(buffer)
}

impl Source {
    /// The bytes. As for every extension that releases the interpreter, threads of the caller must
    /// not write to them meanwhile.
    pub(crate) fn bytes(&self) -> &[u8] {
        let (start, len) = (self.0.buf_ptr().cast::<u8>(), self.0.len_bytes());
        if start.is_null() || len == 0 {
            return &[];
        }
        // SAFETY: the buffer protocol states `len` readable bytes at `start`, contiguous as was
        // checked, which stay while `self` holds the buffer.
        unsafe { std::slice::from_raw_parts(start, len) }
    }
}

impl AsRef<[u8]> for Source {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

impl Target {
    /// The bytes. As for every extension that releases the interpreter, threads of the caller must
    /// not touch them meanwhile.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let (start, len) = (self.0.buf_ptr().cast::<u8>(), self.0.len_bytes());
        if start.is_null() || len == 0 {
            return &mut [];
        }
        // SAFETY: the buffer protocol states `len` writable bytes at `start`, contiguous and not
        // read-only as was checked, which stay while `self` holds the buffer.
        unsafe { std::slice::from_raw_parts_mut(start, len) }
    }
}
