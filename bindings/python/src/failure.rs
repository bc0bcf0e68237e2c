//! Errors of the library as exceptions of Python.

use std::io;

use oxiblosc::{Error, ErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::{
    PyBlockingIOError, PyIndexError, PyMemoryError, PyNotImplementedError, PyOSError, PyValueError,
};
use pyo3::prelude::*;

create_exception!(
    oxiblosc,
    BloscError,
    PyValueError,
    "Data that is damaged, too large for the limits, or not what was asked for."
);

/// The exception for an error: of the type that NumPy and `open` raise where there is one, else
/// `oxiblosc.Error`, a `ValueError`.
pub(crate) fn raise(error: Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::OutOfBounds => PyIndexError::new_err(text),
        ErrorKind::InvalidParam | ErrorKind::Mismatch => PyValueError::new_err(text),
        ErrorKind::OutOfMemory => PyMemoryError::new_err(text),
        ErrorKind::Unsupported => PyNotImplementedError::new_err(text),
        ErrorKind::Locked => PyBlockingIOError::new_err(text),
        ErrorKind::Io => raise_io(error, text),
        _ => BloscError::new_err(text),
    }
}

fn raise_io(error: Error, text: String) -> PyErr {
    let mut inner: &(dyn std::error::Error + 'static) = &error;
    let mut kind = None;
    loop {
        // An exception that a storage in Python raised goes back as it was.
        if let Some(raised) = inner.downcast_ref::<PyErr>() {
            return Python::attach(|py| raised.clone_ref(py));
        }
        let next = match inner.downcast_ref::<io::Error>() {
            Some(io) => {
                kind = Some(io.kind());
                io.get_ref()
                    .map(|inner| inner as &(dyn std::error::Error + 'static))
            }
            None => inner.source(),
        };
        match (next, kind) {
            (Some(next), _) => inner = next,
            (None, Some(kind)) => return io::Error::new(kind, text).into(),
            (None, None) => return PyOSError::new_err(text),
        }
    }
}

/// `work` without the interpreter, with its error as an exception.
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> oxiblosc::Result<R> + Send,
) -> PyResult<R> {
    py.detach(work).map_err(raise)
}
