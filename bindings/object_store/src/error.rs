//! The errors of this crate.

use std::fmt;

/// A result whose error is that of the store or of oxiblosc.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of the store, or bytes that are no array.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The store failed. [`object_store::Error::Precondition`]: the object has changed since it
    /// was opened.
    Store(object_store::Error),
    /// The bytes are damaged, or the request does not fit the array.
    Array(oxiblosc::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Array(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            Self::Array(error) => error.source(),
        }
    }
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        Self::Store(error)
    }
}

impl From<oxiblosc::Error> for Error {
    fn from(error: oxiblosc::Error) -> Self {
        Self::Array(error)
    }
}
