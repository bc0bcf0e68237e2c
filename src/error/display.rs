//! The messages of errors.

use std::fmt;

use super::Error;
use crate::limits::Limits;

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
                    "{part}: need {needed} bytes at offset {offset}, found {available}"
                )
            }
            Self::Corrupt {
                part,
                offset,
                fault,
            } => write!(f, "{part}: {fault}, at offset {offset}"),
            Self::Unsupported { part, offset, what } => {
                write!(f, "{part}: {what} is not supported, at offset {offset}")
            }
            Self::LimitExceeded {
                limit,
                offset,
                value,
                max,
            } => {
                write!(f, "{value} exceeds limit {limit} ({max})")?;
                if let Some(offset) = offset {
                    write!(f, ", at offset {offset}")?;
                }
                if Limits::is_liftable(limit, *max) {
                    f.write_str("; DParams::limits(Limits::FORMAT) lifts it")?;
                }
                Ok(())
            }
            Self::OutOfMemory { nbytes, offset } => {
                write!(f, "cannot allocate {nbytes} bytes")?;
                offset.map_or(Ok(()), |offset| write!(f, ", at offset {offset}"))
            }
            Self::OutputTooSmall { needed, available } => {
                write!(f, "output: need {needed} bytes, found {available}")
            }
            Self::InvalidParam {
                name,
                value,
                expected,
            } => {
                write!(f, "parameter {name}: expected {expected}, found {value}")
            }
            Self::InvalidAxisParam {
                axis,
                name,
                value,
                expected,
            } => write!(
                f,
                "axis {axis}: parameter {name}: expected {expected}, found {value}"
            ),
            Self::UnknownName {
                what,
                name,
                expected,
            } => write!(f, "{what}: expected {expected}, found {name:?}"),
            Self::OutsideAxis { axis, index, len } => {
                write!(f, "axis {axis}: {index} is outside the shape ({len})")
            }
            Self::OutOfBounds { what, index, len } => {
                write!(f, "{what} {index} is out of range ({len} {what}s)")
            }
            Self::Mismatch {
                what,
                stored,
                asked,
            } => {
                write!(f, "{what} is {stored}, requested {asked}")
            }
            Self::InvalidElement {
                index,
                expected,
                found,
            } => write!(
                f,
                "element {index}: expected a value of type {expected}, found the bytes {found}"
            ),
            Self::Metadata { name, why } => write!(f, "metadata {name}: {why}"),
            Self::Refused { what, why } => write!(f, "cannot {what}: {why}"),
            _ => self.place(f),
        }
    }
}

impl Error {
    /// The message of an error that holds another one, or the path of a file.
    fn place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Codec {
                id,
                block,
                stream,
                offset,
                source,
            } => write!(
                f,
                "block {block}, stream {stream}: codec {id}: {source}, at offset {offset}"
            ),
            Self::Filter { id, block, source } => write!(f, "block {block}: filter {id}: {source}"),
            Self::Hook {
                name,
                block,
                source,
            } => write!(f, "block {block}: {name}: {source}"),
            Self::InChunk { nchunk, source } => write!(f, "chunk {nchunk}: {source}"),
            Self::InFile { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Locked { path } => {
                write!(f, "{path}: expected no other writer, found it locked")
            }
            Self::Stale { path } => write!(
                f,
                "{path}: expected the frame as opened, found it changed; refresh reads it again"
            ),
            Self::Io {
                part,
                offset: Some(offset),
                source,
            } => {
                write!(f, "{part}: {source}, at offset {offset}")
            }
            Self::Io {
                part,
                offset: None,
                source,
            } => write!(f, "{part}: {source}"),
            // The other errors hold neither.
            _ => Ok(()),
        }
    }
}
