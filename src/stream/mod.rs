//! Streams: the input of one codec call, and its position in a block
//! ([format §2.2](crate::format#2.2), [§2.3](crate::format#2.3)).
//!
//! A filtered block is cut into `nstreams` equal pieces: one per byte of the typesize when the
//! chunk is split (then each byte plane of a shuffled block is a stream), else a single one. A
//! stream is its `csize`, four bytes, followed by the data that it announces:
//!
//! ```text
//! csize = 0            | 0 |                      all bytes 0
//! 0 < csize < len      | csize | codec data |
//! csize = len          | len | the bytes |        stored raw
//! csize > len          | csize | codec data |     snappy of Blosc1 only
//! -255 <= csize < 0    | -v | 0x01 |              all bytes v
//! ```

mod read;
mod write;

pub(crate) use read::{Stream, StreamCursor};
pub(crate) use write::{Full, StreamWriter};

/// The length of the prefix that each stream begins with, in bytes.
pub(crate) const CSIZE_LEN: usize = 4;
/// The byte after a negative `csize`: bit 0 announces a run.
const RUN_TOKEN: u8 = 0x01;

/// How long a coded stream may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Shorter than its content, which is stored raw else.
    Content,
    /// As long as the worst case of Snappy: Blosc1 stored what that wrote, also when the content
    /// was shorter.
    Snappy,
}

impl Room {
    /// The greatest `csize` of a stream with `len` bytes of content.
    pub(crate) fn longest(self, len: usize) -> usize {
        match self {
            Self::Content => len,
            Self::Snappy => len.saturating_add(len / 6).saturating_add(32),
        }
    }
}
