//! Embedded stores: frames one after the other in the data of a frame, and a map of their places
//! ([format §17.2](crate::format#17.2)).

use std::sync::Arc;

use super::value::Value;
use crate::chunk::ChunkDecoder;
use crate::error::{Error, Part, Result};
use crate::frame::AnyFrame;
use crate::num::saturating_usize;
use crate::params::DParams;
use crate::schunk::ChunkSource;
use crate::storage::{Memory, ReadAt};

/// The vlmetalayer with the map.
pub(super) const MAP: &str = "estore_metadata";

/// An entry of the map.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A frame in the data.
    Frame {
        /// The decoded offset.
        offset: u64,
        /// The length.
        len: u64,
    },
    /// A reference to an array elsewhere.
    Reference(Value),
}

/// The keys and entries of an embedded store, in the order of the map.
pub(super) fn entries(store: &AnyFrame) -> Result<Vec<(String, Entry)>> {
    let broken = |rule| Error::broken(Part::EmbedMap, 0, rule);
    let Some(content) = store.vlmetalayer(MAP)? else {
        return Ok(Vec::new());
    };
    let value = Value::decode(&content, &store.dparams().limits)?;
    let Some(Value::Map(map)) = value.get("embed_map") else {
        return Err(broken("there is no embed_map"));
    };
    let total = store.layout().nbytes;
    let entry = |(key, value): &(Value, Value)| {
        let key = key.as_str().ok_or_else(|| broken("a key is no text"))?;
        let number = |name| value.get(name).and_then(Value::as_u64);
        let entry = match (number("offset"), number("length")) {
            (Some(offset), Some(len)) => {
                let end = offset.checked_add(len);
                if end.is_none_or(|end| end > total) {
                    let part = Part::EmbedMap;
                    let end = end.unwrap_or(u64::MAX);
                    return Err(Error::out_of_range(
                        part,
                        0,
                        "end of an entry",
                        end,
                        0,
                        total,
                    ));
                }
                Entry::Frame { offset, len }
            }
            _ if value.get("urlbase").is_some() => Entry::Reference(value.clone()),
            _ => {
                return Err(broken(
                    "an entry has neither offset and length nor a reference",
                ));
            }
        };
        Ok((key.to_owned(), entry))
    };
    map.iter().map(entry).collect()
}

/// Opens an embedded frame; its bytes are decoded first.
pub(super) fn open(store: &AnyFrame, offset: u64, len: u64, dparams: DParams) -> Result<AnyFrame> {
    dparams.limits.check_alloc(len, None)?;
    let mut bytes = vec![0; saturating_usize(len)];
    let mut own = DParams::new().limits(dparams.limits);
    own.registry.clone_from(&dparams.registry);
    let mut decoder = ChunkDecoder::new(own);
    store.read_bytes_into(&mut decoder, offset..offset.saturating_add(len), &mut bytes)?;
    let storage: Arc<dyn ReadAt> = Arc::new(Memory(bytes));
    AnyFrame::from_storage(storage, dparams)
}
