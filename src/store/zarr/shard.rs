//! The index of a shard: the place of each chunk in the file.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::sync::Arc;

use super::crc::{CRC32C, crc};
use super::meta::ShardMeta;
use crate::error::{Error, Part, Result};
use crate::limits::Limits;
use crate::num::{saturating_usize, to_u64};
use crate::storage::ReadAt;

/// The bytes of the place of one chunk: offset and length.
const ENTRY: u64 = 16;

/// An open shard.
#[derive(Debug)]
pub(super) struct Shard {
    file: Arc<dyn ReadAt>,
    len: u64,
    index: Vec<u8>,
    big: bool,
}

impl Shard {
    /// Reads the index of a shard.
    pub(super) fn open(file: Arc<dyn ReadAt>, meta: &ShardMeta, limits: &Limits) -> Result<Self> {
        let part = Part::ShardIndex;
        let failed = |error| Error::io(part, None, error);
        let len = file.len().map_err(failed)?;
        let nchunks = meta
            .lens
            .iter()
            .fold(1_u64, |all, &len| all.saturating_mul(len));
        let entries = nchunks.saturating_mul(ENTRY);
        let size = entries.saturating_add(if meta.index.checksum { 4 } else { 0 });
        let Some(before) = len.checked_sub(size) else {
            return Err(Error::Truncated {
                part,
                offset: 0,
                needed: size,
                available: len,
            });
        };
        limits.check_alloc(size, None)?;
        let at = if meta.at_end { before } else { 0 };
        let mut index = vec![0; saturating_usize(size)];
        file.read_exact_at(&mut index, at).map_err(failed)?;
        if meta.index.checksum {
            let checksum = index.split_off(saturating_usize(entries));
            let stored = checksum.try_into().map(u32::from_le_bytes);
            let found = crc(&CRC32C, &index);
            if stored != Ok(found) {
                let stored = stored.unwrap_or_default();
                let at = at.saturating_add(entries);
                return Err(Error::unequal(part, at, "checksum", stored, found));
            }
        }
        let big = meta.index.order == '>';
        Ok(Self {
            file,
            len,
            index,
            big,
        })
    }

    /// The bytes of a chunk; `None` when it is not stored.
    pub(super) fn chunk(&self, number: u64, limits: &Limits) -> Result<Option<Vec<u8>>> {
        let at = number.saturating_mul(ENTRY);
        let field = |at: u64| {
            let at = saturating_usize(at);
            let bytes = self
                .index
                .get(at..)
                .and_then(|rest| rest.first_chunk::<8>());
            let bytes = bytes.copied().unwrap_or([0xFF; 8]);
            if self.big {
                u64::from_be_bytes(bytes)
            } else {
                u64::from_le_bytes(bytes)
            }
        };
        let (offset, len) = (field(at), field(at.saturating_add(8)));
        if (offset, len) == (u64::MAX, u64::MAX) {
            return Ok(None);
        }
        let end = offset.checked_add(len).filter(|&end| end <= self.len);
        if end.is_none() {
            let (part, end) = (Part::ShardIndex, offset.saturating_add(len));
            return Err(Error::out_of_range(
                part,
                at,
                "end of a chunk",
                end,
                0,
                self.len,
            ));
        }
        limits.check_alloc(len, Some(at))?;
        let mut bytes = vec![0; saturating_usize(len)];
        let read = self.file.read_exact_at(&mut bytes, offset);
        read.map_err(|error| Error::io(Part::ZarrChunk, Some(offset), error))?;
        debug_assert_eq!(to_u64(bytes.len()), len);
        Ok(Some(bytes))
    }
}
