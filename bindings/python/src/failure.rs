//! Errors of the library as exceptions of Python.

use std::io;

use oxiblosc::ErrorKind;
use pyo3::create_exception;
use pyo3::exceptions::{
    PyBlockingIOError, PyIndexError, PyMemoryError, PyNotImplementedError, PyOSError, PyValueError,
};
use pyo3::prelude::*;

create_exception!(
    oxiblosc,
    Error,
    PyValueError,
    "Data that is damaged, too large for the limits, or not what was asked for."
);

/// The exception for an error: of the type that NumPy and `open` raise where there is one, else
/// `oxiblosc.Error`, a `ValueError`.
pub(crate) fn raise(error: oxiblosc::Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::OutOfBounds => PyIndexError::new_err(text),
        ErrorKind::InvalidParam | ErrorKind::Mismatch => PyValueError::new_err(text),
        ErrorKind::OutOfMemory => PyMemoryError::new_err(text),
        ErrorKind::Unsupported => PyNotImplementedError::new_err(text),
        ErrorKind::Locked => PyBlockingIOError::new_err(text),
        ErrorKind::Io => raise_io(&error, text),
        _ => Error::new_err(text),
    }
}

fn raise_io(error: &oxiblosc::Error, text: String) -> PyErr {
    match error {
        oxiblosc::Error::InChunk { source, .. } | oxiblosc::Error::InFile { source, .. } => {
            raise_io(source, text)
        }
        oxiblosc::Error::Io { source, .. } => {
            // An exception that a storage in Python raised goes back as it was.
            let inner = source
                .get_ref()
                .and_then(|inner| inner.downcast_ref::<PyErr>());
            match inner {
                Some(raised) => Python::attach(|py| raised.clone_ref(py)),
                None => io::Error::new(source.kind(), text).into(),
            }
        }
        _ => PyOSError::new_err(text),
    }
}

/// `work` without the interpreter, with its error as an exception.
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> oxiblosc::Result<R> + Send,
) -> PyResult<R> {
    py.detach(work).map_err(raise)
}
