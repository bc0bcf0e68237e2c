//! Parameters of arrays as data. What belongs to the process is left out: see
//! [`CParams`](crate::CParams), and the function that is told of losses.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::dtype::Dtype;
use super::params::ArrayParams;
use crate::frame::{Access, Durability};
use crate::params::{CParams, DParams};
use crate::schunk::{Metalayers, VlMetalayers};

/// The text of the dtype.
impl Serialize for Dtype {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Text that is not understood is refused.
impl<'de> Deserialize<'de> for Dtype {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// The fields of [`ArrayParams`] that are data. Shape and dtype have no defaults.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredArrayParams {
    shape: Vec<u64>,
    dtype: Dtype,
    #[serde(default)]
    chunkshape: Option<Vec<u64>>,
    #[serde(default)]
    blockshape: Option<Vec<u64>>,
    /// By default those of the dtype.
    #[serde(default)]
    cparams: Option<CParams>,
    #[serde(default)]
    dparams: DParams,
    #[serde(default)]
    metalayers: Metalayers,
    #[serde(default)]
    vlmetalayers: VlMetalayers,
    #[serde(default)]
    durability: Durability,
    #[serde(default)]
    overwrite: bool,
    #[serde(default)]
    access: Access,
    /// See [`ArrayParams::partition`].
    #[serde(default)]
    any_blocks: bool,
}

impl Serialize for ArrayParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = StoredArrayParams {
            shape: self.shape.clone(),
            dtype: self.dtype.clone(),
            chunkshape: self.chunkshape.clone(),
            blockshape: self.blockshape.clone(),
            cparams: Some(self.cparams.clone()),
            dparams: self.dparams.clone(),
            metalayers: self.metalayers.clone(),
            vlmetalayers: self.vlmetalayers.clone(),
            durability: self.durability,
            overwrite: self.overwrite,
            access: self.access,
            any_blocks: self.any_blocks,
        };
        stored.serialize(serializer)
    }
}

/// Refuses parameters of which no array can be made.
impl<'de> Deserialize<'de> for ArrayParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredArrayParams::deserialize(deserializer)?;
        let mut params = Self::with_dtype(stored.dtype, &stored.shape)
            .dparams(stored.dparams)
            .durability(stored.durability)
            .overwrite(stored.overwrite)
            .locking(stored.access);
        if let Some(cparams) = stored.cparams {
            params = params.cparams(cparams);
        }
        params.shape = stored.shape;
        params.chunkshape = stored.chunkshape;
        params.blockshape = stored.blockshape;
        params.metalayers = stored.metalayers;
        params.vlmetalayers = stored.vlmetalayers;
        params.any_blocks = stored.any_blocks;
        params.chunk_cparams().map_err(D::Error::custom)?;
        Ok(params)
    }
}
