//! The kind of a file, by its content.

use std::io;

use rmp::Marker;

use crate::chunk::{ChunkHeader, HEADER_LEN};
use crate::frame::layout::header::MAGIC;
use crate::storage::ReadAt;

/// The kind of a file or of other bytes, by their first bytes.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A frame, or the `chunks.b2frame` of a sparse one.
    Frame,
    /// A single chunk, whose header states exactly the length of the bytes.
    Chunk,
    /// Anything else.
    Other,
}

impl FileKind {
    /// Reads the first bytes and returns their kind. Nothing is checked beyond that.
    ///
    /// ```
    /// use oxiblosc::CParams;
    /// use oxiblosc::frame::FileKind;
    /// use oxiblosc::storage::Memory;
    ///
    /// let chunk = oxiblosc::compress(&[7; 1000], &CParams::new(1))?;
    /// assert_eq!(FileKind::sniff(&Memory(&chunk))?, FileKind::Chunk);
    /// assert_eq!(FileKind::sniff(&Memory(b"no chunk"))?, FileKind::Other);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the storage fails.
    pub fn sniff(storage: &(impl ReadAt + ?Sized)) -> io::Result<Self> {
        let len = storage.len()?;
        let mut front = [0; HEADER_LEN];
        let known = usize::try_from(len).unwrap_or(HEADER_LEN).min(HEADER_LEN);
        let front = front.get_mut(..known).unwrap_or_default();
        storage.read_exact_at(front, 0)?;
        // After the marker of the header's array: a string of eight bytes.
        let string = [Marker::FixStr(8).to_u8()];
        let magic = front.get(1..).and_then(|rest| rest.strip_prefix(&string));
        if magic.is_some_and(|rest| rest.starts_with(MAGIC)) {
            return Ok(Self::Frame);
        }
        let chunk = ChunkHeader::parse(front).is_ok_and(|header| u64::from(header.cbytes) == len);
        Ok(if chunk { Self::Chunk } else { Self::Other })
    }
}
