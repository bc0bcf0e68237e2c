//! Objects of variable length: one msgpack value per chunk, or batches of them in the blocks of a
//! chunk ([format §17.5](crate::format#17.5)).

use std::collections::VecDeque;
use std::fmt;

use super::kind::{BATCHES, LISTS, OBJECTS};
use super::value::Value;
use crate::chunk::{ChunkDecoder, ChunkView};
use crate::error::{Error, Missing, Part, Result};
use crate::limits::Limits;
use crate::num::to_u64;
use crate::params::DParams;
use crate::schunk::{ChunkSource, StoredChunk};

/// The objects of an object array, of batches or of lists, in order.
///
/// Memory: the objects of one chunk. After an error the next object is that of the next chunk.
pub struct Objects<'a> {
    source: &'a dyn ChunkSource,
    decoder: ChunkDecoder,
    limits: Limits,
    batches: bool,
    next: u64,
    pending: VecDeque<Value>,
}

impl fmt::Debug for Objects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects")
            .field("next_chunk", &self.next)
            .field("pending", &self.pending.len())
            .finish_non_exhaustive()
    }
}

impl<'a> Objects<'a> {
    /// The objects of a super-chunk of variable-length objects.
    ///
    /// # Errors
    /// [`Error::Refused`] when it holds no objects, [`Error::Unsupported`] when they are not
    /// serialised with msgpack.
    pub fn of(source: &'a dyn ChunkSource) -> Result<Self> {
        let metalayers = source.metalayers();
        let batches = metalayers.get(BATCHES);
        let Some(content) = batches.or_else(|| metalayers.get(OBJECTS)) else {
            return Err(Error::Refused {
                what: "read objects",
                why: "it has neither a vlarray nor a batcharray metalayer",
            });
        };
        let limits = source.dparams().limits;
        let packed = |content: &[u8]| {
            let value = Value::decode(content, &limits)?;
            let serializer = value.get("serializer").and_then(Value::as_str);
            Ok(serializer == Some("msgpack"))
        };
        let lists = metalayers.get(LISTS).map_or(Ok(true), packed)?;
        if !packed(content)? || !lists {
            return Err(Error::Unsupported {
                part: Part::Metalayers,
                offset: 0,
                what: Missing::Feature("a serializer of objects other than msgpack"),
            });
        }
        let mut dparams = DParams::new().limits(limits);
        dparams.registry.clone_from(&source.dparams().registry);
        Ok(Self {
            source,
            decoder: ChunkDecoder::new(dparams),
            limits,
            batches: batches.is_some(),
            next: 0,
            pending: VecDeque::new(),
        })
    }

    /// The objects of the next chunk.
    fn fill(&mut self, nchunk: u64) -> Result<()> {
        if self.batches
            && let StoredChunk::Bytes(chunk) = self.source.chunk(nchunk)?
        {
            let view = ChunkView::parse(&chunk, &self.limits)?;
            if view.header().is_vlblocks() {
                for block in 0..view.nblocks() {
                    let bytes = self.decoder.decode_vlblock(&chunk, block)?;
                    self.add_batch(&bytes)?;
                }
                return Ok(());
            }
        }
        let nbytes = self.source.chunk_nbytes(nchunk)?;
        self.limits.check_alloc(to_u64(nbytes), None)?;
        let mut bytes = vec![0; nbytes];
        self.source
            .decode_chunk_into(&mut self.decoder, nchunk, &mut bytes)?;
        if self.batches {
            return self.add_batch(&bytes);
        }
        self.pending.push_back(Value::decode(&bytes, &self.limits)?);
        Ok(())
    }

    fn add_batch(&mut self, bytes: &[u8]) -> Result<()> {
        match Value::decode(bytes, &self.limits)? {
            Value::Array(values) => self.pending.extend(values),
            _ => {
                return Err(Error::broken(
                    Part::Value,
                    0,
                    "a batch is no list of objects",
                ));
            }
        }
        Ok(())
    }
}

impl Iterator for Objects<'_> {
    type Item = Result<Value>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.pending.is_empty() {
            let nchunk = self.next;
            if nchunk >= self.source.layout().nchunks {
                return None;
            }
            self.next = nchunk.saturating_add(1);
            if let Err(error) = self.fill(nchunk) {
                self.pending.clear();
                return Some(Err(match error {
                    Error::InChunk { .. } | Error::InFile { .. } => error,
                    error => error.in_chunk(nchunk),
                }));
            }
        }
        self.pending.pop_front().map(Ok)
    }
}
