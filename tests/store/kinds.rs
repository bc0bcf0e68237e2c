//! Each kind of file that python-blosc2 writes.

use oxiblosc::store::{Kind, StoreKind, Tree};
use oxiblosc::{ChunkDecoder, ChunkSource, DParams, ErrorKind};

use crate::{elements, grid, long, open};

#[test]
fn bundles_hold_arrays_bytes_and_objects() {
    for (name, kind) in [
        ("embed.b2e", StoreKind::Embed),
        ("dict.b2z", StoreKind::Dict),
        ("tree_embedded.b2z", StoreKind::Tree),
    ] {
        let store = open(name);
        assert_eq!(store.kind(), kind, "{name}");
        assert_eq!(elements(&store, "/grid"), grid(), "{name}");
        assert_eq!(elements(&store, "/group/long"), long(), "{name}");
        let ones = elements::<f64>(&store, "group/deep/ones/");
        assert_eq!(ones, (vec![2, 3], vec![1.0; 6]), "{name}");
        let bytes = store.leaf("/group/bytes").unwrap();
        assert_eq!(bytes.kind(), Kind::SChunk);
        let mut found = vec![0; 100];
        let mut decoder = ChunkDecoder::default();
        bytes
            .chunks()
            .unwrap()
            .read_bytes_into(&mut decoder, 0..100, &mut found)
            .unwrap();
        assert_eq!(found, (0..100).collect::<Vec<u8>>());
        for key in ["/objects", "/batches"] {
            assert_eq!(texts(&store, key), OBJECTS, "{name}{key}");
        }
        let below: Vec<&str> = store.children("/group").collect();
        assert!(
            below.starts_with(&["/group/bytes", "/group/deep", "/group/long"]),
            "{below:?}"
        );
        assert_eq!(store.node_kind("/group/deep").unwrap(), Kind::Group);
    }
}

const OBJECTS: [&str; 6] = [
    r#"{"a": 1, "b": [1, 2.5, null, true]}"#,
    r#""text""#,
    "[]",
    "-5",
    "9223372036854775808",
    concat!(
        r#"{"nested": {"deep": ["x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "#,
        r#""x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "#,
        r#""x", "x", "x", "x", "x", "x", "x", "x", "x", "x"]}}"#
    ),
];

fn texts(store: &Tree, key: &str) -> Vec<String> {
    let leaf = store.leaf(key).unwrap();
    let objects = leaf.objects().unwrap();
    objects.map(|object| object.unwrap().to_string()).collect()
}

#[test]
fn metadata_of_groups_and_frames_are_values() {
    let store = open("tree_embedded.b2z");
    let text = |key| {
        let metadata = store.metadata(key).unwrap();
        let entry = |(name, value)| format!("{name}={value}");
        metadata.into_iter().map(entry).collect::<Vec<String>>()
    };
    assert_eq!(text("/"), [r#"title="all of it""#]);
    assert_eq!(text("/group"), [r#"unit=["kelvin", 1.5]"#]);
    assert_eq!(text("/group/deep"), Vec::<String>::new());
    let array = open("array.b2nd");
    assert_eq!(array.kind(), StoreKind::Single);
    let metadata = array.metadata("/").unwrap();
    assert_eq!(metadata[0].1.to_string(), r#"{"name": "me", "year": 2024}"#);
}

#[test]
fn tables_are_groups_of_columns() {
    let store = open("tree_embedded.b2z");
    assert_eq!(store.node_kind("/group/table").unwrap(), Kind::Table);
    let numbers = elements::<i32>(&store, "/group/table/i");
    assert_eq!(numbers, (vec![5], vec![0, 1, 2, 3, 4]));
    let valid = elements::<oxiblosc::b2nd::Bool>(&store, "/group/table/_valid_rows");
    assert_eq!(valid.0, [5]);
    assert!(
        store
            .keys()
            .all(|key| !key.contains("_indexes") && !key.contains("_cols"))
    );

    let store = open("table_dictionary.b2z");
    assert_eq!(store.node_kind("/").unwrap(), Kind::Table);
    assert_eq!(elements::<i32>(&store, "/c").1, [0, 1, 0]);
    assert_eq!(texts(&store, "/c_dict"), [r#""x""#, r#""y""#]);
    let metadata = store.metadata("/").unwrap();
    let kind = metadata.iter().find(|(name, _)| name == "kind").unwrap();
    assert_eq!(kind.1.as_str(), Some("ctable"));
}

#[test]
fn lists_batches_and_extensions_are_values() {
    assert_eq!(
        texts(&open("lists_vl.b2b"), "/"),
        ["[1, 2, 3]", "[]", "null", "[4]"]
    );
    assert_eq!(
        open("lists_vl.b2b").node_kind("/").unwrap(),
        Kind::ListArray
    );
    let batches = texts(&open("batches.b2b"), "/");
    assert_eq!(batches[..6], OBJECTS);
    assert_eq!(batches[6..], ["7"; 5]);
    let nested = texts(&open("nested.b2frame"), "/");
    assert!(
        nested[0].starts_with(r#"{"ext": 46, "bytes": "83"#),
        "{}",
        nested[0]
    );
    assert!(
        nested[1].starts_with(r#"{"ext": 42, "bytes": "9ea862326672616d65"#),
        "{}",
        nested[1]
    );
    assert_eq!(nested[4], r#"["__tuple__", 1, 2]"#);
}

#[test]
fn packed_tensors_have_shape_and_dtype() {
    let leaf = open("save_array.bl2").leaf("/").unwrap();
    let tensor = leaf.tensor().unwrap().unwrap();
    assert_eq!(
        (tensor.library.as_str(), tensor.dtype.as_str()),
        ("numpy", "<i4")
    );
    assert_eq!(tensor.shape, [3, 4]);
    let mut bytes = vec![0; 48];
    let mut decoder = ChunkDecoder::default();
    leaf.chunks()
        .unwrap()
        .read_bytes_into(&mut decoder, 0..48, &mut bytes)
        .unwrap();
    assert_eq!(
        bytes,
        (0..12_i32).flat_map(i32::to_le_bytes).collect::<Vec<u8>>()
    );

    let tensor = open("pack_tensor.bl2")
        .leaf("/")
        .unwrap()
        .tensor()
        .unwrap()
        .unwrap();
    assert_eq!(tensor.dtype.as_str(), "[('a', '<i4'), ('b', '<f8')]");
    assert_eq!(tensor.shape, [5]);
}

#[test]
fn recipes_and_references_are_described_and_refused() {
    for (name, kind, described) in [
        ("lazyexpr.b2nd", Kind::LazyExpr, "(o1 + (o0 * 2))"),
        ("lazyudf.b2nd", Kind::LazyUdf, "def function"),
        ("lazydsl.b2nd", Kind::LazyUdf, "blosc2.dsl_kernel"),
        ("c2array.b2nd", Kind::C2Array, "@public/a.b2nd"),
        ("remote.b2nd", Kind::RemoteArray, "cache_policy"),
        ("proxy_part.b2nd", Kind::Proxy, "operand_a.b2nd"),
    ] {
        let store = open(name);
        let leaf = store.leaf("/").unwrap();
        assert_eq!(leaf.kind(), kind, "{name}");
        let text = leaf.description().unwrap().unwrap().to_string();
        assert!(text.contains(described), "{name}: {text}");
        let error = leaf.check_data().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch, "{name}");
        assert!(error.to_string().contains(kind.name()), "{name}: {error}");
        assert!(leaf.into_array(DParams::new()).is_err(), "{name}");
        if kind.is_recipe() {
            // Nor does the array itself open such a frame.
            let frame = store.leaf("/").unwrap().into_frame().unwrap();
            let error = oxiblosc::b2nd::Array::open_in(frame).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Refused, "{name}");
        }
    }
    let store = open("embed.b2e");
    let reference = store.leaf("/remote").unwrap();
    assert_eq!(reference.kind(), Kind::C2Array);
    assert!(reference.chunks().is_none());
    assert_eq!(
        reference.check_data().unwrap_err().kind(),
        ErrorKind::Mismatch
    );
}

#[test]
fn a_proxy_with_all_chunks_is_an_array() {
    let store = open("proxy_whole.b2nd");
    assert_eq!(store.node_kind("/").unwrap(), Kind::Proxy);
    assert_eq!(elements::<i64>(&store, "/"), (vec![24], (0..24).collect()));
}

#[test]
fn what_is_no_store_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let kind = |path: &std::path::Path| Tree::open(path).unwrap_err().kind();
    assert_eq!(kind(dir.path()), ErrorKind::Refused);
    assert_eq!(kind(&dir.path().join("nothing")), ErrorKind::Io);
    let file = dir.path().join("file");
    std::fs::write(&file, b"not a store").unwrap();
    assert_eq!(kind(&file), ErrorKind::Refused);
    let store = open("dict.b2z");
    assert_eq!(
        store.leaf("/absent").unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        store.leaf("/group").unwrap_err().kind(),
        ErrorKind::Mismatch
    );
}

#[test]
fn members_of_an_archive_are_read_in_place() {
    let store = open("dict.b2z");
    let frame = store.leaf("/group/long").unwrap().into_frame().unwrap();
    // The places of chunks count from the start of the frame, as in a file of its own.
    assert_eq!(frame.layout().nbytes, 80_000);
    assert!(frame.check().is_ok());
}
