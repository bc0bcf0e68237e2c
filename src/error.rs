//! Errors as data: the kind, the part of the format, the byte offset and the numbers.
//!
//! Offsets count from the start of the caller's input: the chunk for the chunk functions, the frame
//! (or the file that holds it) for the frame functions.

mod fault;

use std::fmt;
use std::io;

use crate::codec::id::CodecId;
use crate::filter::id::FilterId;

pub use fault::{Fault, Missing, Part};

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Any error, as user-defined codecs and filters report theirs.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The coarse kind of an [`Error`], for programs that decide by it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input is shorter than it announces.
    Truncated,
    /// The input is damaged.
    Corrupt,
    /// The input is (or may be) good, but asks for something not offered here.
    Unsupported,
    /// A size passes a limit of [`Limits`](crate::Limits).
    LimitExceeded,
    /// The system has no memory for a result that the limits allow.
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
    /// The storage failed.
    Io,
}

/// Every error of this crate.
///
/// ```
/// use oxiblosc::{decompress, Error, ErrorKind};
/// let error = decompress(&[5, 1, 7]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated);
/// assert_eq!(error.to_string(), "chunk header: 16 bytes needed at byte 0, 3 are there");
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The input is shorter than it announces.
    Truncated {
        /// The part that is cut.
        part: Part,
        /// The offset at which the missing bytes were expected.
        offset: u64,
        /// How many bytes are needed there.
        needed: u64,
        /// How many bytes are there.
        available: u64,
    },
    /// The input is damaged.
    Corrupt {
        /// The damaged part.
        part: Part,
        /// The offset of the faulty bytes.
        offset: u64,
        /// The fault.
        fault: Fault,
    },
    /// The input asks for something that is not offered here.
    Unsupported {
        /// The part that asks.
        part: Part,
        /// The offset of the request.
        offset: u64,
        /// The missing feature.
        what: Missing,
    },
    /// A size passes a limit of [`Limits`](crate::Limits). Nothing was allocated for it.
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
    /// The system has no memory for a result that the limits allow. The check is made for
    /// results of 32 MiB and more; smaller ones end the process, as elsewhere in Rust.
    OutOfMemory {
        /// The size in bytes.
        nbytes: u64,
        /// The offset of the size, if it was read from data.
        offset: Option<u64>,
    },
    /// The caller's buffer is too small.
    OutputTooSmall {
        /// The bytes needed.
        needed: usize,
        /// The bytes given.
        available: usize,
    },
    /// A parameter is outside its range.
    InvalidParam {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: i64,
        /// The range, in words.
        expected: &'static str,
    },
    /// An index or the end of a range lies outside the data.
    OutOfBounds {
        /// The counted noun: "item", "chunk", "block", ...
        what: &'static str,
        /// The requested index.
        index: u64,
        /// How many there are.
        len: u64,
    },
    /// An index or the end of a range lies outside an axis of an array.
    OutsideAxis {
        /// The axis.
        axis: usize,
        /// The requested index; negative ones count from the end of the axis.
        index: i64,
        /// The length of the axis.
        len: u64,
    },
    /// The stored type, shape or name is not the requested one.
    Mismatch {
        /// The property that differs.
        what: &'static str,
        /// The stored value.
        stored: Box<str>,
        /// The requested value.
        asked: Box<str>,
    },
    /// An operation does not fit the state of the data, such as a new metalayer in a frame that
    /// has chunks already.
    Refused {
        /// The operation.
        what: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A codec could not read its own data, or failed while writing.
    Codec {
        /// The codec.
        id: CodecId,
        /// The block.
        block: u32,
        /// The stream within the block.
        stream: u32,
        /// The offset of the stream's data (0 when writing).
        offset: u64,
        /// The codec's error.
        source: BoxError,
    },
    /// A filter failed.
    Filter {
        /// The filter.
        id: FilterId,
        /// The block.
        block: u32,
        /// The filter's error.
        source: BoxError,
    },
    /// A prefilter or postfilter failed.
    Hook {
        /// Which of the two.
        name: &'static str,
        /// The block.
        block: u32,
        /// The closure's error.
        source: BoxError,
    },
    /// An error inside a chunk of a super-chunk or frame.
    InChunk {
        /// The chunk.
        nchunk: u64,
        /// The error inside the chunk.
        source: Box<Error>,
    },
    /// The storage failed.
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
            Self::Io { .. } => ErrorKind::Io,
        }
    }

    /// The part of the data that this error speaks of, when it speaks of one.
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

    /// The code that C-Blosc2 returns in the same situation, for those who compare with it.
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
            Self::Corrupt { .. } | Self::Codec { .. } | Self::Mismatch { .. } => -3,
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

    /// Says in which chunk of a super-chunk this error lies.
    #[cfg(feature = "frame")]
    #[must_use]
    pub(crate) fn in_chunk(self, nchunk: u64) -> Self {
        Self::InChunk {
            nchunk,
            source: Box::new(self),
        }
    }

    /// Says in which block a codec or filter failed.
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
                value: clamp(value),
                min: clamp(min),
                max: clamp(max),
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
                value: clamp(value),
                expected: clamp(expected),
            },
        }
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

/// Numbers in messages saturate: a value beyond `i64` is beyond every range anyway.
fn clamp(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated {
                part,
                offset,
                needed,
                available,
            } => {
                write!(
                    f,
                    "{part}: {needed} bytes needed at byte {offset}, {available} are there"
                )
            }
            Self::Corrupt {
                part,
                offset,
                fault,
            } => write!(f, "{part}: {fault}, at byte {offset}"),
            Self::Unsupported { part, offset, what } => {
                write!(f, "{part}: {what} is not supported, at byte {offset}")
            }
            Self::LimitExceeded {
                limit,
                offset,
                value,
                max,
            } => {
                write!(f, "{value} passes the limit {limit} of {max}")?;
                offset.map_or(Ok(()), |offset| write!(f, ", at byte {offset}"))
            }
            Self::OutOfMemory { nbytes, offset } => {
                write!(f, "no memory for {nbytes} bytes")?;
                offset.map_or(Ok(()), |offset| write!(f, ", asked for at byte {offset}"))
            }
            Self::OutputTooSmall { needed, available } => {
                write!(f, "the output needs {needed} bytes, {available} were given")
            }
            Self::InvalidParam {
                name,
                value,
                expected,
            } => {
                write!(f, "parameter {name} is {value}, expected {expected}")
            }
            Self::OutsideAxis { axis, index, len } => {
                write!(f, "axis {axis}: {index} exceeds the shape ({len})")
            }
            Self::OutOfBounds { what, index, len } => {
                write!(f, "{what} {index} was asked for, there are {len}")
            }
            Self::Mismatch {
                what,
                stored,
                asked,
            } => {
                write!(f, "{what} is {stored}, asked for was {asked}")
            }
            Self::Refused { what, why } => write!(f, "cannot {what}: {why}"),
            Self::Codec {
                id,
                block,
                stream,
                offset,
                source,
            } => write!(
                f,
                "stream {stream} of block {block}: codec {id}: {source}, in the data at byte {offset}"
            ),
            Self::Filter { id, block, source } => write!(f, "block {block}: filter {id}: {source}"),
            Self::Hook {
                name,
                block,
                source,
            } => write!(f, "block {block}: {name}: {source}"),
            Self::InChunk { nchunk, source } => write!(f, "chunk {nchunk}: {source}"),
            Self::Io {
                part,
                offset: Some(offset),
                source,
            } => {
                write!(f, "{part}: {source}, at byte {offset}")
            }
            Self::Io {
                part,
                offset: None,
                source,
            } => write!(f, "{part}: {source}"),
        }
    }
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
