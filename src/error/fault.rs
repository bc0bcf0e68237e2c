//! The details of errors: parts of the format, faults in them, and missing features.

use std::fmt;

use crate::codec::id::CodecId;
use crate::filter::id::FilterId;

/// The part of a chunk, frame or file that an error speaks of.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The 16 or 32 bytes that begin a chunk ([format §1](crate::format#1)).
    ChunkHeader,
    /// The table of block offsets after a chunk header ([format §2.1](crate::format#2.1)).
    Bstarts,
    /// The dictionary section of a chunk ([format §7.3](crate::format#7.3)).
    Dictionary,
    /// A stream inside a block: its `csize` prefix or its data ([format §2.3](crate::format#2.3)).
    Stream,
    /// A variable-length block ([format §8.1](crate::format#8.1)).
    VlBlock,
    /// The raw bytes of a memcpyed chunk, or the value of a repeated-value chunk.
    Payload,
    /// The fixed part of a frame header ([format §9.1](crate::format#9.1)).
    FrameHeader,
    /// The section of a frame that holds the chunks ([format §9.2](crate::format#9.2)).
    ChunksSection,
    /// The index chunk of a frame ([format §9.2](crate::format#9.2)).
    Index,
    /// The trailer of a frame ([format §9.5](crate::format#9.5)).
    FrameTrailer,
    /// The metalayers section of a frame header ([format §9.4](crate::format#9.4)).
    Metalayers,
    /// The variable-length metalayers section of a frame trailer
    /// ([format §9.4](crate::format#9.4)).
    VlMetalayers,
    /// The `b2nd` metalayer ([format §11.1](crate::format#11.1)).
    B2nd,
    /// A chunk file of a sparse frame ([format §10](crate::format#10)).
    ChunkFile,
    /// The directory of a zip archive, or one of its members.
    Archive,
    /// A msgpack value: metadata of a store, or an object of an object array.
    Value,
    /// The map of the entries of an embedded store.
    EmbedMap,
    /// A JSON document of a Zarr array or group, or of a table.
    Document,
    /// A chunk of a Zarr array: its file, or its place in a shard.
    ZarrChunk,
    /// The index of a Zarr shard.
    ShardIndex,
    /// A bloscpack file.
    Bloscpack,
    /// A block of an ASDF file.
    AsdfBlock,
    /// A block of an N5 data set.
    N5Block,
    /// A buffer of an `OpenVDB` file.
    VdbBuffer,
}

impl Part {
    /// The name of the part, with which error messages begin.
    pub fn name(self) -> &'static str {
        match self {
            Self::ChunkHeader => "chunk header",
            Self::Bstarts => "block offsets",
            Self::Dictionary => "dictionary",
            Self::Stream => "stream",
            Self::VlBlock => "variable-length block",
            Self::Payload => "chunk payload",
            Self::FrameHeader => "frame header",
            Self::ChunksSection => "chunks section",
            Self::Index => "frame index",
            Self::FrameTrailer => "frame trailer",
            Self::Metalayers => "metalayers",
            Self::VlMetalayers => "vlmetalayers",
            Self::B2nd => "b2nd metalayer",
            Self::ChunkFile => "chunk file",
            Self::Archive => "archive",
            Self::Value => "msgpack value",
            Self::EmbedMap => "map of the embedded store",
            Self::Document => "JSON document",
            Self::ZarrChunk => "Zarr chunk",
            Self::ShardIndex => "shard index",
            Self::Bloscpack => "bloscpack file",
            Self::AsdfBlock => "ASDF block",
            Self::N5Block => "N5 block",
            Self::VdbBuffer => "OpenVDB buffer",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The damage of a part.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A field lies outside the range that the format or the surrounding data allows.
    #[non_exhaustive]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The value found.
        value: i64,
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
    },
    /// A field does not have the one value it must have.
    #[non_exhaustive]
    Unequal {
        /// The field.
        field: &'static str,
        /// The value found.
        value: i64,
        /// The value expected.
        expected: i64,
    },
    /// Two statements of the data contradict each other, or a rule of the format is broken.
    #[non_exhaustive]
    Broken {
        /// The rule, in words.
        rule: &'static str,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange {
                field,
                value,
                min,
                max,
            } if max < min => {
                write!(f, "{field} is {value}, no value is valid here")
            }
            Self::OutOfRange {
                field,
                value,
                min,
                max,
            } => {
                write!(f, "{field} is {value}, expected {min} to {max}")
            }
            Self::Unequal {
                field,
                value,
                expected,
            } => {
                write!(f, "{field} is {value}, expected {expected}")
            }
            Self::Broken { rule } => f.write_str(rule),
        }
    }
}

/// A feature that valid data needs and this build or version lacks.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A format version from the future, or one too old.
    Version(u8),
    /// A codec that is unknown, or whose feature is off.
    Codec(CodecId),
    /// A filter that is unknown, or whose feature is off.
    Filter(FilterId),
    /// An undefined stream format (the three bits of the chunk flags).
    Compformat(u8),
    /// Something else, named.
    Feature(&'static str),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "format version {version}"),
            // No build has these: their owner hands an implementation over.
            Self::Codec(id) if id.get() >= 36 => {
                write!(
                    f,
                    "codec {id}, which can be added to a Registry (DParams::registry)"
                )
            }
            Self::Codec(id) => write!(f, "codec {id}"),
            Self::Filter(id) => write!(f, "filter {id}"),
            Self::Compformat(5) => f.write_str("stream format 5 (Lizard, of the betas)"),
            Self::Compformat(format) => write!(f, "stream format {format}"),
            Self::Feature(name) => f.write_str(name),
        }
    }
}
