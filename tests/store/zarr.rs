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
        ("\"crc32c\"", "\"bz2\"", "bz2"),
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

/// The same elements as zarr-python 3.1 writes them with gzip at level 5.
const GZIP: [&[u8]; 2] = [
    &[
        31, 139, 8, 0, 137, 206, 3, 107, 0, 255, 99, 96, 64, 6, 140, 40, 144, 9, 5, 50, 163, 64,
        22, 20, 200, 138, 2, 217, 80, 32, 59, 10, 228, 128, 66, 0, 6, 72, 8, 177, 120, 0, 0, 0,
    ],
    &[
        31, 139, 8, 0, 137, 206, 3, 107, 0, 255, 227, 96, 224, 0, 66, 78, 20, 200, 133, 2, 185, 81,
        32, 15, 10, 228, 69, 129, 124, 64, 72, 44, 0, 0, 106, 161, 60, 160, 120, 0, 0, 0,
    ],
];

/// And with the codec zlib of numcodecs at level 1.
const ZLIB: [&[u8]; 2] = [
    &[
        120, 1, 77, 193, 177, 1, 0, 32, 8, 192, 176, 34, 160, 254, 127, 49, 3, 75, 19, 176, 192,
        15, 158, 120, 225, 141, 95, 252, 225, 159, 61, 34, 200, 0, 229,
    ],
    &[
        120, 1, 227, 96, 224, 0, 66, 78, 20, 200, 197, 128, 12, 185, 25, 144, 33, 15, 3, 50, 228,
        101, 64, 134, 124, 12, 124, 12, 196, 2, 0, 132, 184, 1, 182,
    ],
];

/// An array of one of these, in version 3 or 2.
fn deflated(version: u8, codec: &str, chunks: [&[u8]; 2]) -> tempfile::TempDir {
    let document = DOCUMENT
        .replace("[5]", "[100]")
        .replace("[2]", "[60]")
        .replace("big", "little")
        .replace("crc32c", codec);
    let old = format!(
        r#"{{"zarr_format": 2, "shape": [100], "chunks": [60], "dtype": "<i2", "fill_value": 0,
            "order": "C", "filters": null, "compressor": {{"id": "{codec}", "level": 1}}}}"#
    );
    let prefix = if version == 3 { "c/" } else { "" };
    let chunks: Vec<(String, Vec<u8>)> = (chunks.iter().enumerate())
        .map(|(n, chunk)| (format!("{prefix}{n}"), chunk.to_vec()))
        .collect();
    let chunks: Vec<(&str, Vec<u8>)> = (chunks.iter())
        .map(|(name, chunk)| (name.as_str(), chunk.clone()))
        .collect();
    let dir = folder(&document, &chunks);
    if version == 2 {
        std::fs::remove_file(dir.path().join("zarr.json")).unwrap();
        std::fs::write(dir.path().join(".zarray"), old).unwrap();
    }
    dir
}

#[test]
#[cfg(feature = "zlib")]
fn chunks_of_gzip_and_zlib_are_read() {
    let expected: Vec<i16> = (0..100).map(|i| i / 7).collect();
    let read = |dir: &tempfile::TempDir| array(dir).unwrap().to_elements::<i16>();
    for (version, codec, chunks) in [
        (3, "gzip", GZIP),
        (2, "gzip", GZIP),
        (3, "numcodecs.zlib", ZLIB),
        (2, "zlib", ZLIB),
    ] {
        let dir = deflated(version, codec, chunks);
        assert_eq!(read(&dir).unwrap(), expected, "{version} {codec}");
        // Every cut is refused.
        for len in 0..chunks[0].len() {
            let dir = deflated(version, codec, [&chunks[0][..len], chunks[1]]);
            assert!(read(&dir).is_err(), "{len}");
        }
        let flipped = (0..chunks[0].len()).filter(|&at| {
            let mut chunk = chunks[0].to_vec();
            chunk[at] ^= 0x40;
            let found = read(&deflated(version, codec, [&chunk, chunks[1]]));
            found.is_ok_and(|found| found != expected)
        });
        assert_eq!(flipped.count(), 0, "{codec}");
    }
    let longer = [GZIP[0], &[0, 0, 0, 7]].concat();
    let error = read(&deflated(3, "gzip", [&longer, GZIP[1]])).unwrap_err();
    assert!(error.to_string().contains("Zarr chunk"), "{error}");
}

#[test]
#[cfg(feature = "zlib")]
fn optional_fields_of_gzip_are_skipped() {
    let expected: Vec<i16> = (0..100).map(|i| i / 7).collect();
    let (header, rest) = GZIP[0].split_at(10);
    let fields: [(u8, &[u8]); 4] = [
        (4, b"\x03\0abc"),
        (8, b"a name\0"),
        (16, b"a comment\0"),
        (2, b"\x12\x34"),
    ];
    for some in 0..16 {
        let (mut chunk, mut extra) = (header.to_vec(), Vec::new());
        for (n, (flag, field)) in fields.iter().enumerate() {
            if some >> n & 1 == 1 {
                chunk[3] |= flag;
                extra.extend_from_slice(field);
            }
        }
        let whole = [&chunk, extra.as_slice(), rest].concat();
        let dir = deflated(3, "gzip", [&whole, GZIP[1]]);
        assert_eq!(array(&dir).unwrap().to_elements::<i16>().unwrap(), expected);
        for len in 0..10 + extra.len() {
            let dir = deflated(3, "gzip", [&whole[..len], GZIP[1]]);
            assert!(array(&dir).unwrap().to_elements::<i16>().is_err(), "{len}");
        }
    }
}
