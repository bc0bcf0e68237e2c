//! Zarr arrays, in archives and in folders.

use std::sync::Arc;

use oxiblosc::DParams;
use oxiblosc::b2nd::Array;
use oxiblosc::storage::DiskTree;
use oxiblosc::store::{Kind, StoreKind, ZarrArray};

use crate::{elements, open};

fn wide() -> (Vec<u64>, Vec<f32>) {
    (vec![77, 53], (0..77 * 53_u16).map(f32::from).collect())
}

#[test]
fn both_versions_and_shards_have_their_elements() {
    for (name, key) in [
        ("v2.zarr.zip", "/"),
        ("v3_shards.zarr.zip", "/"),
        ("v3_groups.zarr.zip", "/inner/data"),
    ] {
        let store = open(name);
        assert_eq!(store.kind(), StoreKind::Zarr, "{name}");
        assert_eq!(store.node_kind(key).unwrap(), Kind::ZarrArray);
        assert_eq!(elements(&store, key), wide(), "{name}");
    }
    let store = open("v3_groups.zarr.zip");
    assert_eq!(
        store.keys().collect::<Vec<_>>(),
        ["/", "/inner", "/inner/data"]
    );
    let title = &store.metadata("/").unwrap()[0];
    assert_eq!(
        (title.0.as_str(), title.1.as_str()),
        ("title", Some("groups"))
    );
    let unit = &open("v3_shards.zarr.zip").metadata("/").unwrap()[0];
    assert_eq!((unit.0.as_str(), unit.1.as_str()), ("unit", Some("kelvin")));
}

/// Writes a small array of version 3 into a folder; its chunks are what the test says.
fn folder(document: &str, chunks: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("zarr.json"), document).unwrap();
    for (name, bytes) in chunks {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    dir
}

const DOCUMENT: &str = r#"{
    "zarr_format": 3, "node_type": "array", "shape": [5], "data_type": "int16",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "fill_value": -2,
    "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "crc32c"}]
}"#;

fn array(dir: &tempfile::TempDir) -> oxiblosc::Result<Array<ZarrArray>> {
    let files = Arc::new(DiskTree::open(dir.path()).unwrap());
    Array::open_in(ZarrArray::open(files, "", DParams::new())?)
}

#[test]
fn raw_chunks_fill_values_and_checksums() {
    // A wrong checksum is refused with the right one, which the shards of zarr prove elsewhere.
    let good = [0, 1, 0, 2, 0, 0, 0, 0];
    let dir = folder(DOCUMENT, &[("c/0", good.to_vec())]);
    let error = array(&dir).unwrap().to_elements::<i16>().unwrap_err();
    let text = error.to_string();
    let crc = text
        .split("expected ")
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap();
    let crc: u32 = crc.parse().unwrap();
    let mut good = good.to_vec();
    good[4..].copy_from_slice(&crc.to_le_bytes());
    let dir = folder(DOCUMENT, &[("c/0", good)]);
    assert_eq!(
        array(&dir).unwrap().to_elements::<i16>().unwrap(),
        [1, 2, -2, -2, -2]
    );
}

#[test]
fn what_is_not_read_is_refused_by_name() {
    for (from, to, named) in [
        ("\"crc32c\"", "\"gzip\"", "gzip"),
        ("\"int16\"", "\"string\"", "string"),
        ("\"regular\"", "\"rectilinear\"", "rectilinear"),
        ("\"bytes\"", "\"vlen-utf8\"", "vlen-utf8"),
    ] {
        let dir = folder(&DOCUMENT.replace(from, to), &[]);
        let error = array(&dir).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
    let dir = folder("{\"zarr_format\": 3,\n  oops", &[]);
    let error = array(&dir).unwrap_err();
    assert_eq!(error.offset(), Some(21), "{error}");
    let dir = folder(DOCUMENT, &[("c/0", vec![0; 7])]);
    array(&dir).unwrap().to_elements::<i16>().unwrap_err();
}

/// Chunks as zarr-python 3.1 writes them by default: `np.arange(100, dtype="<i2") // 7`, 60 in
/// each.
const ZSTD: [&[u8]; 2] = [
    &[
        40, 181, 47, 253, 32, 120, 37, 1, 0, 136, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 8, 0, 8, 0, 8,
        0, 8, 0, 224, 16, 112, 28, 56, 24, 56, 4, 28, 7, 14, 150, 59, 4, 7, 176,
    ],
    &[
        40, 181, 47, 253, 32, 120, 5, 1, 0, 128, 8, 0, 8, 0, 8, 0, 9, 10, 11, 12, 13, 14, 0, 14, 0,
        0, 6, 0, 64, 169, 224, 96, 224, 16, 112, 28, 56, 88, 135, 219, 2,
    ],
];

#[test]
#[cfg(feature = "zstd-read")]
fn chunks_of_zstandard_are_read() {
    let document = r#"{
        "zarr_format": 3, "node_type": "array", "shape": [100], "data_type": "int16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [60]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
                   {"name": "zstd", "configuration": {"level": 3, "checksum": false}}]
    }"#;
    let chunks = [("c/0", ZSTD[0].to_vec()), ("c/1", ZSTD[1].to_vec())];
    let dir = folder(document, &chunks);
    let expected: Vec<i16> = (0..100).map(|i| i / 7).collect();
    assert_eq!(array(&dir).unwrap().to_elements::<i16>().unwrap(), expected);
    // Every cut is refused, and a chunk of another length.
    for len in 0..ZSTD[0].len() {
        let dir = folder(document, &[("c/0", ZSTD[0][..len].to_vec())]);
        assert!(array(&dir).unwrap().to_elements::<i16>().is_err(), "{len}");
    }
    let dir = folder(&document.replace("[60]", "[50]"), &chunks);
    assert!(array(&dir).unwrap().to_elements::<i16>().is_err());
    let old = r#"{
        "zarr_format": 2, "shape": [100], "chunks": [60], "dtype": "<i2", "fill_value": 0,
        "order": "C", "filters": null, "compressor": {"id": "zstd", "level": 0}
    }"#;
    let dir = folder("{}", &[("0", ZSTD[0].to_vec()), ("1", ZSTD[1].to_vec())]);
    std::fs::remove_file(dir.path().join("zarr.json")).unwrap();
    std::fs::write(dir.path().join(".zarray"), old).unwrap();
    assert_eq!(array(&dir).unwrap().to_elements::<i16>().unwrap(), expected);
}
