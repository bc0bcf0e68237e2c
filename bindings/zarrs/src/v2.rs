//! Arrays whose metadata is of Zarr v2.

use zarrs::array::{Array, ArrayCreateError, ArrayMetadata};
use zarrs::convert::array_metadata_v2_to_v3;
use zarrs::metadata::v2::ArrayMetadataV2;
use zarrs::metadata::v3::{ArrayMetadataV3, MetadataV3};
use zarrs::metadata_ext::codec::blosc::{
    BloscCodecConfiguration, BloscCodecConfigurationNumcodecs,
};

use crate::blosc::{NAME, v1_of};
use crate::install;

/// The array with this crate's `blosc`, also where its metadata is of Zarr v2, for which zarrs
/// makes its own without asking. Arrays with other compressors, and those of Zarr v3, stay as they
/// are.
///
/// The metadata of the array that is returned is of v3, with the keys and the content that the
/// chunks of v2 have; that in the store does not change, unless `store_metadata` is called. It has
/// the size of an item, so that new chunks are shuffled as numcodecs does it. Calls
/// [`install`].
///
/// ```
/// use std::sync::Arc;
/// use zarrs::array::Array;
/// use zarrs::storage::{StoreKey, WritableStorageTraits, store::MemoryStore};
///
/// let store = Arc::new(MemoryStore::new());
/// let metadata = br#"{"zarr_format": 2, "shape": [6], "chunks": [3], "dtype": "<f4",
///     "compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0},
///     "fill_value": 0.0, "order": "C", "filters": null}"#;
/// store.set(&StoreKey::new("old/.zarray")?, metadata.to_vec().into())?;
/// let array = zarrs_oxiblosc::adopt(Array::open(store, "/old")?)?;
/// array.store_array_subset(&array.subset_all(), &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let all: Vec<f32> = array.retrieve_array_subset(&array.subset_all())?;
/// assert_eq!(all, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the metadata has no counterpart in v3, or a codec refuses its parameters.
pub fn adopt<S: ?Sized>(array: Array<S>) -> Result<Array<S>, ArrayCreateError> {
    let ArrayMetadata::V2(v2) = array.metadata() else {
        return Ok(array);
    };
    if v2
        .compressor
        .as_ref()
        .is_none_or(|codec| codec.id() != NAME)
    {
        return Ok(array);
    }
    install();
    let metadata = convert(v2, array.data_type().fixed_size())?;
    Array::new_with_metadata(array.storage(), array.path().as_str(), metadata.into())
}

/// The metadata in v3, whose last codec is `blosc` with the size of an item.
fn convert(
    v2: &ArrayMetadataV2,
    typesize: Option<usize>,
) -> Result<ArrayMetadataV3, ArrayCreateError> {
    let refused =
        |error: &dyn std::fmt::Display| ArrayCreateError::UnsupportedZarrV2Array(error.to_string());
    let mut rest = v2.clone();
    let blosc = rest.compressor.take();
    let mut v3 = array_metadata_v2_to_v3(&rest).map_err(|error| refused(&error))?;
    if let Some(blosc) = blosc {
        let stated: BloscCodecConfigurationNumcodecs = blosc
            .to_typed_configuration()
            .map_err(|error| refused(&error))?;
        let stated = BloscCodecConfiguration::V1(v1_of(&stated, typesize));
        let blosc = MetadataV3::new_with_configuration(NAME, stated);
        v3.codecs.push(blosc);
    }
    Ok(v3)
}
