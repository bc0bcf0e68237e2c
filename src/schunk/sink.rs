//! Changing the chunks of a super-chunk.

use super::incoming::EncodedChunk;
use super::source::ChunkSource;
use crate::chunk::ChunkDecoder;
use crate::error::{Error, Result};
use crate::num::{saturating_usize, to_u64};
use crate::params::DParams;

/// Chunks to write. Positions count chunks; every call keeps the others in order.
///
/// ```
/// use oxiblosc::{CParams, ChunkSink, ChunkSource, SChunk, compress};
///
/// /// Works for super-chunks in memory and for frames anywhere.
/// fn push(sink: &mut impl ChunkSink, values: &[u16]) -> oxiblosc::Result<u64> {
///     let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
///     sink.append_chunk(&compress(&bytes, &CParams::new(2))?)
/// }
///
/// let mut schunk = SChunk::new(CParams::new(2), 2000)?;
/// push(&mut schunk, &[7; 1000])?;
/// assert_eq!(push(&mut schunk, &[8; 1000])?, 2);
/// schunk.delete_chunk(0)?;
/// assert_eq!(schunk.read_items(0..1)?, [8, 0]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
pub trait ChunkSink: ChunkSource {
    /// Begins a change of several steps: a frame that processes share is locked until the change is
    /// committed, and read again if others changed it. Returns whether it was read again: the
    /// caller's copies of its layout are out of date then. A change of one step needs no call.
    ///
    /// Does nothing by default.
    ///
    /// # Errors
    /// When the storage fails, or another handle holds a lock.
    #[doc(alias = "blosc2_schunk_lock")]
    fn begin_change(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// Ends a change in which nothing has changed: a frame that processes share is unlocked. Does
    /// nothing when something has, and by default.
    ///
    /// # Errors
    /// When the storage fails.
    #[doc(alias = "blosc2_schunk_unlock")]
    fn end_unchanged(&mut self) -> Result<()> {
        Ok(())
    }

    /// Adds a chunk at the end and returns the new number of chunks.
    ///
    /// # Errors
    /// When the chunk is damaged, does not fit the super-chunk, or cannot be stored.
    #[doc(alias = "blosc2_schunk_append_chunk")]
    fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64>;

    /// [`append_chunk`](Self::append_chunk) for a chunk that the caller no longer needs: sinks in
    /// memory store it without a copy.
    ///
    /// # Errors
    /// As [`append_chunk`](Self::append_chunk).
    fn append_owned_chunk(&mut self, chunk: Vec<u8>) -> Result<u64> {
        self.append_chunk(&chunk)
    }

    /// Replaces the chunk with this index.
    ///
    /// # Errors
    /// When there is no such chunk, or the new one does not fit or cannot be stored.
    #[doc(alias = "blosc2_schunk_update_chunk")]
    fn update_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()>;

    /// [`update_chunk`](Self::update_chunk) for a chunk that the caller no longer needs.
    ///
    /// # Errors
    /// As [`update_chunk`](Self::update_chunk).
    fn update_owned_chunk(&mut self, nchunk: u64, chunk: Vec<u8>) -> Result<()> {
        self.update_chunk(nchunk, &chunk)
    }

    /// [`append_owned_chunk`](Self::append_owned_chunk) for a chunk that needs no check.
    #[doc(hidden)]
    fn append_encoded_chunk(&mut self, chunk: EncodedChunk) -> Result<u64> {
        self.append_owned_chunk(chunk.into_bytes())
    }

    /// [`update_owned_chunk`](Self::update_owned_chunk) for a chunk that needs no check.
    #[doc(hidden)]
    fn update_encoded_chunk(&mut self, nchunk: u64, chunk: EncodedChunk) -> Result<()> {
        self.update_owned_chunk(nchunk, chunk.into_bytes())
    }

    /// Whether something other than an append has changed since the last commit, for sinks that
    /// commit appends when they are dropped.
    #[doc(hidden)]
    fn other_changes(&mut self) -> Option<&mut bool> {
        None
    }

    /// Notes that a change has failed, so that nothing is committed when the sink is dropped; with
    /// `lost`, also that something was to be stored and is gone.
    #[doc(hidden)]
    fn note_failure(&mut self, lost: bool) {
        let _ = lost;
    }

    /// Inserts a chunk before the one with this index; at the end when the index is the number
    /// of chunks.
    ///
    /// # Errors
    /// When the index is too large, or the chunk does not fit or cannot be stored.
    #[doc(alias = "blosc2_schunk_insert_chunk")]
    fn insert_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()>;

    /// Removes the chunk with this index.
    ///
    /// # Errors
    /// When there is no such chunk, or the storage fails.
    #[doc(alias = "blosc2_schunk_delete_chunk")]
    fn delete_chunk(&mut self, nchunk: u64) -> Result<()>;

    /// Overwrites the content of a fixed metalayer, which keeps its length.
    ///
    /// # Errors
    /// When there is no such metalayer, or the content is longer than it.
    fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()>;

    /// Adds or replaces a variable-length metalayer; the content is compressed.
    ///
    /// # Errors
    /// When the name is too long or the storage fails.
    fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Result<()>;

    /// Removes a variable-length metalayer; false when there is none.
    ///
    /// # Errors
    /// When the storage fails.
    fn remove_vlmetalayer(&mut self, name: &str) -> Result<bool>;
}

/// Overwrites items from item `start` on; `replace` compresses and stores a changed chunk. A chunk
/// that is replaced as a whole is not decoded first.
pub(crate) fn set_items<C: ChunkSink>(
    sink: &mut C,
    dparams: &DParams,
    start: u64,
    mut src: &[u8],
    mut replace: impl FnMut(&mut C, u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let layout = sink.layout();
    let mut at = layout.item_bytes(start..start)?.start;
    let end = at.saturating_add(src.len() as u64);
    if end > layout.nbytes {
        return Err(Error::OutOfBounds {
            what: "byte",
            index: end,
            len: layout.nbytes,
        });
    }
    let (mut nchunk, mut begin) = sink.find_chunk(at)?;
    let mut decoder = ChunkDecoder::new(dparams.clone());
    let mut data = Vec::new();
    while !src.is_empty() {
        let nbytes = sink.chunk_nbytes(nchunk)?;
        let skip = saturating_usize(at.saturating_sub(begin));
        let (now, later) = src.split_at(src.len().min(nbytes.saturating_sub(skip)));
        if now.len() == nbytes {
            replace(sink, nchunk, now)?;
        } else {
            dparams.limits.check_alloc(to_u64(nbytes), None)?;
            data.resize(nbytes, 0);
            sink.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
            if let Some(part) = data
                .get_mut(skip..)
                .and_then(|rest| rest.get_mut(..now.len()))
            {
                part.copy_from_slice(now);
            }
            replace(sink, nchunk, &data)?;
        }
        src = later;
        at = at.saturating_add(now.len() as u64);
        begin = begin.saturating_add(to_u64(nbytes));
        nchunk = nchunk.saturating_add(1);
    }
    Ok(())
}
