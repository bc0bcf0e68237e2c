//! Parameters as data: names instead of numbers, defaults for fields that are missing.
//!
//! Parameters of the process are left out: threads, the registry, the instruction set, closures and
//! the `b2nd` metalayer, which containers set.

use std::fmt;

use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{CParams, DEFAULT_TYPESIZE, DParams, SplitMode};
use crate::codec::id::CodecId;
use crate::filter::id::{FilterId, FilterSlot};
use crate::limits::Limits;

macro_rules! named {
    ($($id:ident: $expected:literal),*) => {$(
        impl Serialize for $id {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.name() {
                    Some(name) => serializer.serialize_str(name),
                    None => serializer.serialize_u8(self.get()),
                }
            }
        }

        impl<'de> Deserialize<'de> for $id {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Id;

                impl Visitor<'_> for Id {
                    type Value = $id;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<$id, E> {
                        name.parse().map_err(E::custom)
                    }

                    fn visit_u64<E: serde::de::Error>(self, id: u64) -> Result<$id, E> {
                        let id = u8::try_from(id).map_err(E::custom)?;
                        Ok($id::new(id))
                    }
                }

                deserializer.deserialize_any(Id)
            }
        }
    )*};
}

named!(
    CodecId: "the name or the number of a codec",
    FilterId: "the name or the number of a filter"
);

/// The fields of [`CParams`] that are data. The filters are the slots from the first one in use on.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StoredCParams {
    typesize: usize,
    codec: CodecId,
    codec_meta: u8,
    clevel: u8,
    filters: Vec<FilterSlot>,
    split_mode: SplitMode,
    blocksize: Option<usize>,
    use_dict: bool,
}

impl Default for StoredCParams {
    fn default() -> Self {
        Self::of(&CParams::new(DEFAULT_TYPESIZE))
    }
}

impl StoredCParams {
    fn of(cparams: &CParams) -> Self {
        let empty = |slot: &&FilterSlot| **slot == FilterSlot::NONE;
        Self {
            typesize: cparams.typesize,
            codec: cparams.codec,
            codec_meta: cparams.codec_meta,
            clevel: cparams.clevel,
            filters: cparams.filters.iter().skip_while(empty).copied().collect(),
            split_mode: cparams.split_mode,
            blocksize: cparams.blocksize,
            use_dict: cparams.use_dict,
        }
    }
}

impl Serialize for CParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredCParams::of(self).serialize(serializer)
    }
}

/// Refuses parameters outside their ranges.
impl<'de> Deserialize<'de> for CParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredCParams::deserialize(deserializer)?;
        let cparams = Self::new(stored.typesize)
            .codec(stored.codec)
            .codec_meta(stored.codec_meta)
            .clevel(stored.clevel)
            .filters(stored.filters)
            .split_mode(stored.split_mode)
            .blocksize(stored.blocksize)
            .use_dict(stored.use_dict);
        cparams.validate().map_err(D::Error::custom)?;
        Ok(cparams)
    }
}

/// The fields of [`DParams`] that are data.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StoredDParams {
    limits: Limits,
    cache_bytes: usize,
}

impl Serialize for DParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (limits, cache_bytes) = (self.limits, self.cache_bytes);
        StoredDParams {
            limits,
            cache_bytes,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredDParams::deserialize(deserializer)?;
        Ok(Self::new()
            .limits(stored.limits)
            .cache_bytes(stored.cache_bytes))
    }
}
