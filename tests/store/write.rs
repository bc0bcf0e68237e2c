//! Archives of our own. `interop/python/check_stores.py` opens them with python-blosc2.

use std::sync::Arc;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{Contiguous, FrameReader, FrameWriter};
use oxiblosc::schunk::copy_chunks;
use oxiblosc::storage::{DiskFile, Memory, ReadAt, WriteAt};
use oxiblosc::store::{B2zWriter, StoreKind, Tree, Value};
use oxiblosc::{CParams, DParams, ErrorKind, SChunk};

fn numbers(n: i32) -> Array<SChunk> {
    let elements: Vec<i32> = (0..n).collect();
    Array::from_elements(
        &elements,
        &ArrayParams::new::<i32>(&[u64::from(n.unsigned_abs())]),
    )
    .unwrap()
}

fn archive() -> Vec<u8> {
    let mut writer = B2zWriter::new(Vec::new());
    writer.add_array("/a", &numbers(1000)).unwrap();
    writer.add_array("group/deep/b", &numbers(7)).unwrap();
    let mut schunk = SChunk::new(CParams::new(1), 100).unwrap();
    schunk.append(&[7; 250]).unwrap();
    schunk.vlmetalayers_mut().set("note", b"\xa2hi").unwrap();
    writer.add_schunk("/group/bytes", &schunk).unwrap();
    writer
        .set_metadata("/group", &[("unit", Value::from("kelvin"))])
        .unwrap();
    writer
        .set_metadata("/", &[("n", Value::from(300_u64))])
        .unwrap();
    writer.finish().unwrap()
}

/// The same frame by way of a file and by way of memory makes the same archive.
#[test]
fn a_frame_in_a_file_is_added_as_it_lies_there() {
    let array = numbers(100_000);
    let params = array.params().unwrap().frame_params().unwrap();
    let file = DiskFile::from(tempfile::tempfile().unwrap());
    let mut frame = FrameWriter::create_in(Contiguous::new(file), params).unwrap();
    copy_chunks(array.schunk(), &mut frame).unwrap();
    let stored = frame.finish().unwrap();
    // What follows the frame in its file stays there.
    let len = stored.storage().len().unwrap();
    let mut file = stored.into_inner();
    file.write_all_at(b"more", len).unwrap();
    let frame = FrameReader::open_in(Contiguous::new(file), DParams::new()).unwrap();
    let (mut stored, mut copied) = (B2zWriter::new(Vec::new()), B2zWriter::new(Vec::new()));
    stored.add_stored_frame("/group/a", &frame).unwrap();
    copied.add_array("/group/a", &array).unwrap();
    let taken = stored.add_stored_frame("/group/a", &frame).unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::Refused);
    let stored = stored.finish().unwrap();
    assert!(stored == copied.finish().unwrap());
    let store = Tree::open_in(Arc::new(Memory(stored)), DParams::new()).unwrap();
    assert!(crate::elements::<i32>(&store, "/group/a").1 == (0..100_000).collect::<Vec<i32>>());
}

#[test]
fn what_is_written_is_read() {
    let bytes = archive();
    assert_eq!(bytes, archive(), "the same objects make the same bytes");
    let store = Tree::open_in(Arc::new(Memory(bytes)), DParams::new()).unwrap();
    assert_eq!(store.kind(), StoreKind::Tree);
    let keys: Vec<&str> = store.keys().collect();
    assert_eq!(
        keys,
        [
            "/",
            "/a",
            "/group",
            "/group/bytes",
            "/group/deep",
            "/group/deep/b"
        ]
    );
    assert_eq!(
        crate::elements::<i32>(&store, "/a").1,
        (0..1000).collect::<Vec<i32>>()
    );
    assert_eq!(crate::elements::<i32>(&store, "/group/deep/b").1.len(), 7);
    let bytes = store.leaf("/group/bytes").unwrap();
    assert_eq!(bytes.chunks().unwrap().layout().nbytes, 250);
    assert_eq!(
        bytes.metadata().unwrap(),
        [("note".to_owned(), Value::from("hi"))]
    );
    assert_eq!(
        store.metadata("/").unwrap(),
        [("n".to_owned(), Value::Uint(300))]
    );
}

#[test]
fn keys_are_taken_once_and_stay_inside() {
    let mut writer = B2zWriter::new(Vec::new());
    let array = numbers(3);
    writer.add_array("/a/b", &array).unwrap();
    for bad in [
        "/a/b",
        "/a/b/c",
        "/a",
        "",
        "/",
        "/../x",
        "/x//y",
        "/embed",
        "/x/__vlmeta__",
        "/t/_cols/x",
    ] {
        let error = writer.add_array(bad, &array).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{bad}");
    }
    writer.set_metadata("/a", &[]).unwrap();
    assert_eq!(
        writer.set_metadata("/a/", &[]).unwrap_err().kind(),
        ErrorKind::Refused
    );
}

#[test]
fn debug_of_values_shows_no_bytes() {
    let value = Value::Map(vec![
        (Value::from("name"), Value::Bin(vec![7; 100_000])),
        (
            Value::Uint(3),
            Value::Array(vec![Value::Nil, Value::Ext(-1, vec![8; 5000])]),
        ),
    ]);
    assert_eq!(
        format!("{value:?}"),
        r#"Map([(Str("name"), Bin(100000 bytes)), (Uint(3), Array([Nil, Ext(-1, 5000 bytes)]))])"#
    );
}
