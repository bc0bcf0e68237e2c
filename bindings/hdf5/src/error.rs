//! Errors of the filters.

use std::fmt;

/// The result of the filters.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a chunk could not be compressed or decompressed.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The chunk is damaged, or an option is none that Blosc has.
    Blosc(oxiblosc::Error),
    /// An option of the dataset is outside its range.
    #[non_exhaustive]
    Option {
        /// The name of the option.
        name: &'static str,
        /// Its value.
        value: u32,
        /// The values it may have.
        expected: &'static str,
    },
    /// A chunk has more bytes than the limit.
    #[non_exhaustive]
    TooLarge {
        /// Its size in bytes; the largest number for more than 64 bits.
        nbytes: u64,
        /// The most it may have.
        max: u64,
    },
    /// The system has no memory for a result.
    #[non_exhaustive]
    OutOfMemory {
        /// Its size in bytes.
        nbytes: usize,
    },
    /// A box was asked for, of a chunk that has no shape.
    NoShape,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blosc(error) => error.fmt(f),
            Self::Option {
                name,
                value,
                expected,
            } => {
                write!(
                    f,
                    "option {name} of the dataset: expected {expected}, found {value}"
                )
            }
            Self::TooLarge { nbytes, max } => {
                write!(f, "a chunk of {nbytes} bytes, more than the limit of {max}")
            }
            Self::OutOfMemory { nbytes } => write!(f, "no memory for {nbytes} bytes"),
            Self::NoShape => f.write_str("the chunk has no shape to decode a box of"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Blosc(error) => Some(error),
            _ => None,
        }
    }
}

impl From<oxiblosc::Error> for Error {
    fn from(error: oxiblosc::Error) -> Self {
        Self::Blosc(error)
    }
}
