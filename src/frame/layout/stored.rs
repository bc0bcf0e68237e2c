//! Parameters of frames as data. What belongs to the process is left out: see
//! [`CParams`](crate::CParams), and the function that is told of losses.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::locking::{Access, Locking};
use super::params::{Durability, FrameParams};
use crate::params::{CParams, DParams};
use crate::schunk::{DEFAULT_CHUNKSIZE, Metalayers, VlMetalayers};

/// The fields of [`Access`]; `wait` is by default what the locking implies.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredAccess {
    locking: Locking,
    wait: Option<bool>,
}

impl Serialize for Access {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = StoredAccess {
            locking: self.locking,
            wait: Some(self.wait),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Access {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredAccess { locking, wait } = StoredAccess::deserialize(deserializer)?;
        let access = Self::from(locking);
        Ok(match wait {
            Some(wait) => access.wait(wait),
            None => access,
        })
    }
}

/// The fields of [`FrameParams`] that are data.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StoredFrameParams {
    cparams: CParams,
    chunksize: usize,
    metalayers: Metalayers,
    vlmetalayers: VlMetalayers,
    dparams: DParams,
    durability: Durability,
    in_place: bool,
    overwrite: bool,
    access: Access,
}

impl Default for StoredFrameParams {
    fn default() -> Self {
        Self::of(&FrameParams::new(CParams::default(), DEFAULT_CHUNKSIZE))
    }
}

impl StoredFrameParams {
    fn of(params: &FrameParams) -> Self {
        Self {
            cparams: params.cparams.clone(),
            chunksize: params.chunksize,
            metalayers: params.metalayers.clone(),
            vlmetalayers: params.vlmetalayers.clone(),
            dparams: params.dparams.clone(),
            durability: params.durability,
            in_place: params.in_place,
            overwrite: params.overwrite,
            access: params.access,
        }
    }
}

impl Serialize for FrameParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredFrameParams::of(self).serialize(serializer)
    }
}

/// Refuses parameters outside their ranges.
impl<'de> Deserialize<'de> for FrameParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredFrameParams::deserialize(deserializer)?;
        let mut params = Self::new(stored.cparams, stored.chunksize)
            .dparams(stored.dparams)
            .durability(stored.durability)
            .in_place(stored.in_place)
            .overwrite(stored.overwrite)
            .locking(stored.access);
        params.metalayers = stored.metalayers;
        params.vlmetalayers = stored.vlmetalayers;
        params.validate().map_err(D::Error::custom)?;
        Ok(params)
    }
}
