//! Why a file is not read.

use hdf5_reader::error::{Error, Result};

/// An element or a file that is not read.
pub(super) fn refused<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::InvalidData(what.into()))
}

/// An error of the reader, in one line.
pub(super) fn text(error: &Error) -> String {
    format!("HDF5: {error}").replace('\n', " ")
}
