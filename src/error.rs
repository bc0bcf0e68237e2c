//! Errors as data: the kind, the part of the format, the byte offset and the numbers.
//!
//! Offsets count from the start of the caller's input: of the chunk for the chunk
//! functions, of the frame (or the file that holds it) for the frame functions.

mod display;
mod fault;

use std::io;

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
        block: u32,
        /// The stream within the block.
        stream: u32,
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
        block: u32,
        /// The error of the filter.
        source: BoxError,
    },
    /// A prefilter or postfilter failed.
    #[non_exhaustive]
    Hook {
        /// Which of the two.
        name: &'static str,
        /// The block.
        block: u32,
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
            Self::Corrupt { .. } | Self::Codec { .. } => ErrorKind::Corrupt,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::LimitExceeded { .. } => ErrorKind::LimitExceeded,
            Self::OutOfMemory { .. } => ErrorKind::OutOfMemory,
            Self::OutputTooSmall { .. } => ErrorKind::OutputTooSmall,
            Self::InvalidParam { .. } | Self::Filter { .. } | Self::Hook { .. } => {
                ErrorKind::InvalidParam
            }
            Self::OutOfBounds { .. } | Self::OutsideAxis { .. } => ErrorKind::OutOfBounds,
            Self::Mismatch { .. } => ErrorKind::Mismatch,
            Self::Refused { .. } => ErrorKind::Refused,
            Self::InChunk { source, .. } => source.kind(),
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
            Self::InChunk { source, .. } => source.part(),
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
            Self::InChunk { source, .. } => source.offset(),
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
            | Self::OutOfBounds { .. }
            | Self::OutsideAxis { .. }
            | Self::Refused { .. } => -12,
            Self::InChunk { source, .. } => source.c_code(),
            Self::Locked { .. } => -37,
            Self::Io { .. } => -21,
        }
    }

    /// Moves the offset, for a part that was parsed out of a larger whole.
    #[cfg(feature = "frame")]
    #[must_use]
    pub(crate) fn rebase(mut self, base: u64) -> Self {
        match &mut self {
            Self::Truncated { offset, .. }
            | Self::Corrupt { offset, .. }
            | Self::Unsupported { offset, .. }
            | Self::Codec { offset, .. }
            | Self::LimitExceeded {
                offset: Some(offset),
                ..
            }
            | Self::OutOfMemory {
                offset: Some(offset),
                ..
            }
            | Self::Io {
                offset: Some(offset),
                ..
            } => *offset = offset.saturating_add(base),
            Self::InChunk { source, .. } => {
                let inner = std::mem::replace(
                    &mut **source,
                    Self::OutputTooSmall {
                        needed: 0,
                        available: 0,
                    },
                );
                **source = inner.rebase(base);
            }
            _ => {}
        }
        self
    }

    /// Adds the number of the chunk of a super-chunk.
    #[cfg(feature = "frame")]
    #[must_use]
    pub(crate) fn in_chunk(self, nchunk: u64) -> Self {
        Self::InChunk {
            nchunk,
            source: Box::new(self),
        }
    }

    /// Sets the number of the block in which a codec or filter failed.
    #[must_use]
    pub(crate) fn in_block(mut self, index: usize) -> Self {
        if let Self::Codec { block, .. } | Self::Filter { block, .. } = &mut self {
            *block = u32::try_from(index).unwrap_or(u32::MAX);
        }
        self
    }

    /// A damaged field outside its range.
    pub(crate) fn out_of_range(
        part: Part,
        offset: u64,
        field: &'static str,
        value: impl TryInto<i64>,
        min: impl TryInto<i64>,
        max: impl TryInto<i64>,
    ) -> Self {
        Self::Corrupt {
            part,
            offset,
            fault: Fault::OutOfRange {
                field,
                value: saturating_i64(value),
                min: saturating_i64(min),
                max: saturating_i64(max),
            },
        }
    }

    /// A damaged field without its one right value.
    pub(crate) fn unequal(
        part: Part,
        offset: u64,
        field: &'static str,
        value: impl TryInto<i64>,
        expected: impl TryInto<i64>,
    ) -> Self {
        Self::Corrupt {
            part,
            offset,
            fault: Fault::Unequal {
                field,
                value: saturating_i64(value),
                expected: saturating_i64(expected),
            },
        }
    }

    /// A size that exceeds a limit of [`Limits`](crate::Limits).
    pub fn limit_exceeded(limit: &'static str, value: u64, max: u64) -> Self {
        Self::LimitExceeded {
            limit,
            offset: None,
            value,
            max,
        }
    }

    /// A result of `nbytes` bytes that the system cannot allocate.
    pub fn out_of_memory(nbytes: u64) -> Self {
        Self::OutOfMemory {
            nbytes,
            offset: None,
        }
    }

    /// A failure of a storage.
    pub fn io(part: Part, offset: Option<u64>, source: io::Error) -> Self {
        Self::Io {
            part,
            offset,
            source,
        }
    }

    /// A parameter outside its range.
    pub fn invalid_param(
        name: &'static str,
        value: impl TryInto<i64>,
        expected: &'static str,
    ) -> Self {
        Self::InvalidParam {
            name,
            value: saturating_i64(value),
            expected,
        }
    }

    /// An operation that does not fit the state of the data.
    pub fn refused(what: &'static str, why: &'static str) -> Self {
        Self::Refused { what, why }
    }

    /// An index outside the data.
    pub fn out_of_bounds(what: &'static str, index: u64, len: u64) -> Self {
        Self::OutOfBounds { what, index, len }
    }

    /// A broken rule of the format.
    pub(crate) fn broken(part: Part, offset: u64, rule: &'static str) -> Self {
        Self::Corrupt {
            part,
            offset,
            fault: Fault::Broken { rule },
        }
    }
}

/// Numbers in messages saturate. (Not from `num`, whose conversions return errors.)
fn saturating_i64(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Codec { source, .. }
            | Self::Filter { source, .. }
            | Self::Hook { source, .. } => Some(&**source),
            Self::InChunk { source, .. } => Some(&**source),
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error {
            Error::Io { source, .. } => return source,
            Error::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            Error::InvalidParam { .. }
            | Error::OutOfBounds { .. }
            | Error::OutputTooSmall { .. }
            | Error::Refused { .. } => io::ErrorKind::InvalidInput,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}
