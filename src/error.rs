//! Errors as data: the kind, the part of the format, the byte offset and the numbers.
//!
//! Offsets count from the start of the caller's input: of the chunk for the chunk
//! functions, of the frame (or the file that holds it) for the frame functions.

mod build;
mod display;
mod fault;
mod names;

use std::io;
use std::path::Path;

use crate::codec::id::CodecId;
use crate::filter::id::FilterId;

pub use fault::{Fault, Missing, Part};

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Any error, as user-defined codecs and filters report.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The coarse kind of an [`Error`], for programs that decide by it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input is shorter than its sizes claim.
    Truncated,
    /// The input is damaged.
    Corrupt,
    /// The input is (or may be) valid, but needs a feature that this build or version lacks.
    Unsupported,
    /// A size exceeds a limit of [`Limits`](crate::Limits).
    LimitExceeded,
    /// The system cannot allocate a result that the limits allow.
    OutOfMemory,
    /// The caller's buffer is too small.
    OutputTooSmall,
    /// A parameter is outside its range.
    InvalidParam,
    /// An index or range lies outside the data.
    OutOfBounds,
    /// The stored type or shape is not the requested one.
    Mismatch,
    /// An operation does not fit the state of the data.
    Refused,
    /// Another handle holds a lock.
    Locked,
    /// The data has changed since the handle was opened.
    Stale,
    /// The storage failed.
    Io,
}

/// Every error of this crate.
///
/// ```
/// use oxiblosc::{decompress, Error, ErrorKind};
/// let error = decompress(&[5, 1, 7]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated);
/// assert_eq!(error.to_string(), "chunk header: need 16 bytes at offset 0, found 3");
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The input is shorter than its sizes claim.
    #[non_exhaustive]
    Truncated {
        /// The part that is cut.
        part: Part,
        /// The offset at which the missing bytes were expected.
        offset: u64,
        /// How many bytes are needed there.
        needed: u64,
        /// How many bytes were found.
        available: u64,
    },
    /// The input is damaged.
    #[non_exhaustive]
    Corrupt {
        /// The damaged part.
        part: Part,
        /// The offset of the faulty bytes.
        offset: u64,
        /// The fault.
        fault: Fault,
    },
    /// The input needs a feature that this build or version lacks.
    #[non_exhaustive]
    Unsupported {
        /// The part that needs it.
        part: Part,
        /// The offset at which the need is stated.
        offset: u64,
        /// The missing feature.
        what: Missing,
    },
    /// A size exceeds a limit of [`Limits`](crate::Limits). Nothing was allocated for it.
    #[non_exhaustive]
    LimitExceeded {
        /// The field of `Limits`.
        limit: &'static str,
        /// The offset of the size, if it was read from data.
        offset: Option<u64>,
        /// The size.
        value: u64,
        /// The limit.
        max: u64,
    },
    /// The system cannot allocate a result that the limits allow. This is detected for results of
    /// 32 MiB and more; for smaller ones the process aborts, as elsewhere.
    #[non_exhaustive]
    OutOfMemory {
        /// The size in bytes.
        nbytes: u64,
        /// The offset of the size, if it was read from data.
        offset: Option<u64>,
    },
    /// The caller's buffer is too small.
    #[non_exhaustive]
    OutputTooSmall {
        /// The bytes needed.
        needed: usize,
        /// The bytes given.
        available: usize,
    },
    /// A parameter is outside its range.
    #[non_exhaustive]
    InvalidParam {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: i64,
        /// The range, in words.
        expected: &'static str,
    },
    /// A parameter for one axis of an array is outside its range.
    #[non_exhaustive]
    InvalidAxisParam {
        /// The axis.
        axis: usize,
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: i64,
        /// The range, in words.
        expected: Box<str>,
    },
    /// No codec, filter or goal has this name.
    #[non_exhaustive]
    UnknownName {
        /// The kind of the name: "codec", "filter" or "goal".
        what: &'static str,
        /// The name.
        name: Box<str>,
        /// The names that there are.
        expected: &'static str,
    },
    /// An index or the end of a range lies outside the data.
    #[non_exhaustive]
    OutOfBounds {
        /// The counted noun: "item", "chunk", "block", ...
        what: &'static str,
        /// The index.
        index: u64,
        /// How many there are.
        len: u64,
    },
    /// An index or the end of a range lies outside an axis of an array.
    #[non_exhaustive]
    OutsideAxis {
        /// The axis.
        axis: usize,
        /// The requested index; negative ones count from the end of the axis.
        index: i64,
        /// The length of the axis.
        len: u64,
    },
    /// The stored type, shape or name is not the requested one.
    #[non_exhaustive]
    Mismatch {
        /// The property that differs.
        what: &'static str,
        /// The stored value.
        stored: Box<str>,
        /// The requested thing.
        asked: Box<str>,
    },
    /// The bytes of an element are no value of the requested type.
    #[non_exhaustive]
    InvalidElement {
        /// The index of the element among those requested, in C order.
        index: u64,
        /// The requested type.
        expected: &'static str,
        /// Its bytes in hexadecimal digits, 16 of them at most.
        found: Box<str>,
    },
    /// Metadata is no value of the requested type, or a value that cannot be stored.
    #[non_exhaustive]
    Metadata {
        /// The name of the metadata.
        name: Box<str>,
        /// The reason, with that of serde.
        why: Box<str>,
    },
    /// An operation does not fit the state of the data, such as a new metalayer in a frame that
    /// has chunks already.
    #[non_exhaustive]
    Refused {
        /// The operation.
        what: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A codec could not read its own data, or failed while writing.
    #[non_exhaustive]
    Codec {
        /// The codec.
        id: CodecId,
        /// The block.
        block: usize,
        /// The stream within the block.
        stream: usize,
        /// The offset of the stream's data (0 when writing).
        offset: u64,
        /// The error of the codec.
        source: BoxError,
    },
    /// A filter failed.
    #[non_exhaustive]
    Filter {
        /// The filter.
        id: FilterId,
        /// The block.
        block: usize,
        /// The error of the filter.
        source: BoxError,
    },
    /// A prefilter or postfilter failed.
    #[non_exhaustive]
    Hook {
        /// Which of the two.
        name: &'static str,
        /// The block.
        block: usize,
        /// The error of the closure.
        source: BoxError,
    },
    /// An error inside a chunk of a super-chunk or frame.
    #[non_exhaustive]
    InChunk {
        /// The chunk.
        nchunk: u64,
        /// The error inside the chunk.
        source: Box<Error>,
    },
    /// An error in a file or folder, with its path.
    #[non_exhaustive]
    InFile {
        /// The path, as it was given when the file was opened.
        path: Box<Path>,
        /// The error, with offsets that count from the start of the frame.
        source: Box<Error>,
    },
    /// Another handle, of this process or another, holds the lock of a frame. Nothing was changed.
    #[non_exhaustive]
    Locked {
        /// The path of the frame.
        path: Box<str>,
    },
    /// A frame has changed since this handle read its header and index. Nothing was read or
    /// written; [`refresh`](crate::frame::FrameReader::refresh) reads them again.
    #[non_exhaustive]
    Stale {
        /// The path of the frame.
        path: Box<str>,
    },
    /// The storage failed.
    #[non_exhaustive]
    Io {
        /// The part that was being read or written.
        part: Part,
        /// The offset, if known.
        offset: Option<u64>,
        /// The error of the system.
        source: io::Error,
    },
}

const _: () = assert!(size_of::<Error>() <= 64);

impl Error {
    /// The coarse kind of this error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Truncated { .. } => ErrorKind::Truncated,
            Self::Corrupt { .. } | Self::Codec { .. } | Self::InvalidElement { .. } => {
                ErrorKind::Corrupt
            }
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::LimitExceeded { .. } => ErrorKind::LimitExceeded,
            Self::OutOfMemory { .. } => ErrorKind::OutOfMemory,
            Self::OutputTooSmall { .. } => ErrorKind::OutputTooSmall,
            Self::InvalidParam { .. }
            | Self::InvalidAxisParam { .. }
            | Self::UnknownName { .. }
            | Self::Filter { .. }
            | Self::Hook { .. } => ErrorKind::InvalidParam,
            Self::OutOfBounds { .. } | Self::OutsideAxis { .. } => ErrorKind::OutOfBounds,
            Self::Mismatch { .. } | Self::Metadata { .. } => ErrorKind::Mismatch,
            Self::Refused { .. } => ErrorKind::Refused,
            Self::InChunk { source, .. } | Self::InFile { source, .. } => source.kind(),
            Self::Locked { .. } => ErrorKind::Locked,
            Self::Stale { .. } => ErrorKind::Stale,
            Self::Io { .. } => ErrorKind::Io,
        }
    }

    /// The part of the data that this error is about, when it is about one.
    pub fn part(&self) -> Option<Part> {
        match self {
            Self::Truncated { part, .. }
            | Self::Corrupt { part, .. }
            | Self::Unsupported { part, .. }
            | Self::Io { part, .. } => Some(*part),
            Self::Codec { .. } => Some(Part::Stream),
            Self::InChunk { source, .. } | Self::InFile { source, .. } => source.part(),
            _ => None,
        }
    }

    /// The byte offset of the faulty data, counted from the start of the caller's input.
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Truncated { offset, .. }
            | Self::Corrupt { offset, .. }
            | Self::Unsupported { offset, .. }
            | Self::Codec { offset, .. } => Some(*offset),
            Self::LimitExceeded { offset, .. }
            | Self::OutOfMemory { offset, .. }
            | Self::Io { offset, .. } => *offset,
            Self::InChunk { source, .. } | Self::InFile { source, .. } => source.offset(),
            _ => None,
        }
    }

    /// The path of the file that this error is about, when it was opened by its path.
    ///
    /// ```
    /// use oxiblosc::{DParams, FrameReader};
    /// let error = FrameReader::open("no/such/file", DParams::new()).unwrap_err();
    /// assert_eq!(error.path(), Some("no/such/file".as_ref()));
    /// ```
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::InFile { path, .. } => Some(path),
            Self::Locked { path } | Self::Stale { path } => Some(Path::new(&**path)),
            Self::InChunk { source, .. } => source.path(),
            _ => None,
        }
    }

    /// The code that C-Blosc2 returns in the same situation.
    #[doc(alias = "blosc2_error_string")]
    pub fn c_code(&self) -> i32 {
        match self {
            Self::Truncated {
                part: Part::ChunkHeader,
                ..
            }
            | Self::Corrupt {
                part: Part::ChunkHeader,
                ..
            } => -11,
            Self::Truncated { .. } => -5,
            // C reads a frame that has changed again by itself, and fails where it cannot.
            Self::Corrupt { .. }
            | Self::Codec { .. }
            | Self::Mismatch { .. }
            | Self::InvalidElement { .. }
            | Self::Metadata { .. }
            | Self::Stale { .. } => -3,
            Self::Unsupported {
                what: Missing::Version(_),
                ..
            } => -10,
            Self::Unsupported {
                what: Missing::Filter(_),
                ..
            }
            | Self::Filter { .. }
            | Self::Hook { .. } => -18,
            Self::Unsupported { .. } => -7,
            Self::LimitExceeded { .. } | Self::OutOfMemory { .. } => -4,
            Self::OutputTooSmall { .. } => -6,
            Self::InvalidParam { .. }
            | Self::InvalidAxisParam { .. }
            | Self::UnknownName { .. }
            | Self::OutOfBounds { .. }
            | Self::OutsideAxis { .. }
            | Self::Refused { .. } => -12,
            Self::InChunk { source, .. } | Self::InFile { source, .. } => source.c_code(),
            Self::Locked { .. } => -37,
            Self::Io { .. } => -21,
        }
    }
}

/// The message of an error contains that of the error of a codec, a closure or the system.
/// [`source`](std::error::Error::source) therefore begins after it, so that reports of whole chains
/// have no line twice; the fields hold all of them.
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Codec { source, .. }
            | Self::Filter { source, .. }
            | Self::Hook { source, .. } => source.source(),
            Self::InChunk { source, .. } | Self::InFile { source, .. } => source.source(),
            Self::Io { source, .. } => source.source(),
            _ => None,
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        if let Error::Io { source, .. } = error {
            return source;
        }
        let kind = match &error {
            Error::InFile { source, .. } => match &**source {
                Error::Io { source, .. } => source.kind(),
                Error::Truncated { .. } => io::ErrorKind::UnexpectedEof,
                _ => io::ErrorKind::InvalidData,
            },
            Error::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            Error::InvalidParam { .. }
            | Error::InvalidAxisParam { .. }
            | Error::UnknownName { .. }
            | Error::OutOfBounds { .. }
            | Error::OutputTooSmall { .. }
            | Error::Refused { .. } => io::ErrorKind::InvalidInput,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}
