//! Metalayers as data: a map of names to bytes, which are numbers where a format has no bytes.

use std::fmt;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Metalayers, VlMetalayers};
use crate::error::Result as Checked;
use crate::params::DParams;

/// The content of a metalayer.
struct Content<B>(B);

impl<B: AsRef<[u8]>> Serialize for Content<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0.as_ref())
    }
}

impl<'de> Deserialize<'de> for Content<Vec<u8>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl<'de> Visitor<'de> for Bytes {
            type Value = Content<Vec<u8>>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes, or a list of them")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
                Ok(Content(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
                Ok(Content(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                // The length that the list claims is not trusted.
                let mut bytes = Vec::new();
                while let Some(byte) = list.next_element()? {
                    bytes.push(byte);
                }
                Ok(Content(bytes))
            }
        }

        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// Metalayers of either kind.
trait Named: Default {
    fn add(&mut self, name: &str, content: &[u8]) -> Checked<()>;
}

impl Named for Metalayers {
    fn add(&mut self, name: &str, content: &[u8]) -> Checked<()> {
        self.insert(name, content)
    }
}

impl Named for VlMetalayers {
    fn add(&mut self, name: &str, content: &[u8]) -> Checked<()> {
        self.set(name, content)
    }
}

/// Adds the entries of a map in their order.
struct Entries<M>(M);

impl<'de, M: Named> Visitor<'de> for Entries<M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of names to bytes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<M, A::Error> {
        let Self(mut all) = self;
        while let Some((name, Content(content))) = map.next_entry::<String, Content<Vec<u8>>>()? {
            all.add(&name, &content).map_err(A::Error::custom)?;
        }
        Ok(all)
    }
}

impl Serialize for Metalayers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(name, content)| (name, Content(content))))
    }
}

impl<'de> Deserialize<'de> for Metalayers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(Self::new()))
    }
}

/// The contents are decompressed, each within the default limits.
impl Serialize for VlMetalayers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dparams = DParams::new();
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for name in self.names() {
            let content = self.get(name, &dparams).map_err(S::Error::custom)?;
            map.serialize_entry(name, &Content(content.unwrap_or_default()))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for VlMetalayers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(Self::new()))
    }
}
