//! Arrays of Zarr v2, and chunks by several threads.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use zarrs::array::codec::api::{ArrayCodecTraits, ArrayToBytesCodecTraits, CodecOptions};
use zarrs::array::{Array, ArrayBytes, ArrayMetadata, ArraySubset, data_type};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{
    ListableStorageTraits, ReadableStorageTraits, StoreKey, WritableStorageTraits,
};
use zarrs_oxiblosc::{B2ndChunkCodec, B2ndChunkConfiguration, adopt};

#[test]
fn arrays_of_zarr_v2_are_read_and_written_as_by_the_built_in_codec() {
    let mut sizes = Vec::new();
    for (cname, shuffle, dtype, order) in [
        ("lz4", 1, "<i4", "C"),
        ("blosclz", 2, "<i4", "F"),
        ("zstd", 0, "<i4", "C"),
        ("zlib", -1, "<i4", "C"),
        ("lz4hc", 1, ">i4", "F"),
    ] {
        let store = Arc::new(MemoryStore::new());
        let metadata = format!(
            r#"{{"zarr_format": 2, "shape": [500, 300], "chunks": [400, 200], "dtype": "{dtype}",
                "compressor": {{"id": "blosc", "cname": "{cname}", "clevel": 5,
                    "shuffle": {shuffle}, "blocksize": 0}},
                "fill_value": 7, "order": "{order}", "filters": null}}"#
        );
        let key = StoreKey::new("old/.zarray").unwrap();
        store.set(&key, metadata.clone().into()).unwrap();
        let built_in = Array::open(Arc::clone(&store), "/old").unwrap();
        let ours = adopt(Array::open(Arc::clone(&store), "/old").unwrap()).unwrap();
        let ours = adopt(ours).unwrap(); // once is enough
        assert!(format!("{:?}", ours.codecs()).contains("Tools"), "{cname}");
        assert!(!format!("{:?}", built_in.codecs()).contains("Tools"));
        let (all, size) = (ours.subset_all(), || {
            store.size_prefix(&"old/".try_into().unwrap())
        });
        let numbers: Vec<i32> = (0..150_000).map(|n| n / 3 * 5).collect();
        built_in.store_array_subset(&all, &numbers).unwrap();
        let theirs = size().unwrap();
        let read: Vec<i32> = ours.retrieve_array_subset(&all).unwrap();
        assert!(read == numbers, "{cname}");
        let part = ArraySubset::new_with_ranges(&[399..402, 17..250]);
        let (one, other): (Vec<i32>, Vec<i32>) = (
            ours.retrieve_array_subset(&part).unwrap(),
            built_in.retrieve_array_subset(&part).unwrap(),
        );
        assert_eq!(one, other, "{cname}");
        let numbers: Vec<i32> = numbers.iter().map(|n| n + 1).collect();
        ours.store_array_subset(&all, &numbers).unwrap();
        let read: Vec<i32> = built_in.retrieve_array_subset(&all).unwrap();
        assert!(read == numbers, "{cname}");
        sizes.push((size().unwrap(), theirs));
        assert_eq!(
            store.get(&key).unwrap().unwrap(),
            metadata.as_bytes(),
            "unchanged"
        );
    }
    for (ours, theirs) in sizes {
        assert!(
            ours * 10 < theirs * 12,
            "{ours} {theirs}: filtered as numcodecs does"
        );
    }
    let plain = br#"{"zarr_format": 2, "shape": [3], "chunks": [3], "dtype": "<i4",
        "compressor": null, "fill_value": 7, "order": "C", "filters": null}"#;
    let store = Arc::new(MemoryStore::new());
    store
        .set(&StoreKey::new("a/.zarray").unwrap(), plain.to_vec().into())
        .unwrap();
    let array = adopt(Array::open(store, "/a").unwrap()).unwrap();
    assert!(matches!(array.metadata(), ArrayMetadata::V2(_)));
}

#[test]
fn single_chunks_are_the_same_for_any_number_of_threads() {
    let shape = [3, 700, 900].map(|len| NonZeroU64::new(len).unwrap());
    let (dtype, fill) = (data_type::uint32(), 0_u32.into());
    let data: Vec<u8> = (0..1_890_000_u32)
        .flat_map(|n| (n / 3 * 5).to_le_bytes())
        .collect();
    for codec in ["lz4", "zstd", "blosclz"] {
        // One block along the first axis, and several.
        for blocks in [[3, 64, 100], [1, 64, 900], [2, 50, 64]] {
            let mut configuration = B2ndChunkConfiguration::new(blocks);
            codec.clone_into(&mut configuration.codec);
            let codec = Arc::new(B2ndChunkCodec::new(configuration).unwrap());
            let encode = |budget| {
                let options = CodecOptions::default().with_concurrent_target(budget);
                let bytes = ArrayBytes::new_flen(Cow::Borrowed(data.as_slice()));
                codec
                    .encode(bytes, &shape, &dtype, &fill, &options)
                    .unwrap()
                    .into_owned()
            };
            let chunk = encode(1);
            assert!(encode(2) == chunk && encode(5) == chunk, "{blocks:?}");
            for budget in [1, 2, 5] {
                let options = CodecOptions::default().with_concurrent_target(budget);
                let bytes = Cow::Borrowed(chunk.as_slice());
                let got = codec
                    .decode(bytes, &shape, &dtype, &fill, &options)
                    .unwrap()
                    .into_fixed()
                    .unwrap();
                assert!(*got == data[..], "{blocks:?}, {budget} threads");
                let part = Arc::clone(&codec)
                    .partial_decoder(Arc::new(chunk.clone()), &shape, &dtype, &fill, &options)
                    .unwrap();
                let region = ArraySubset::new_with_ranges(&[0..3, 5..699, 3..890]);
                let got = part.partial_decode(&region, &options).unwrap();
                let whole = ArrayBytes::new_flen(Cow::Borrowed(data.as_slice()));
                let right = whole
                    .extract_array_subset(&region, &[3, 700, 900], &dtype)
                    .unwrap();
                assert!(
                    got.into_fixed().unwrap() == right.into_fixed().unwrap(),
                    "{blocks:?}, {budget} threads"
                );
            }
            let concurrency = codec.recommended_concurrency(&shape, &dtype).unwrap();
            assert!((7..=10).contains(&concurrency.max()), "one thread per MiB");
        }
    }
}
