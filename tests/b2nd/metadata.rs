//! Metadata as values: what python-blosc2 writes, what it must be able to read, and hostile bytes.
#![cfg(all(feature = "b2nd", feature = "serde"))]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::collections::{BTreeMap, HashMap};

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{FrameReader, FrameWriter};
use oxiblosc::schunk::{VlMeta, VlMetaMut};
use oxiblosc::{ChunkSink, DParams, Error, ErrorKind, SChunk};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn array() -> Array<SChunk> {
    Array::zeros(&ArrayParams::new::<u8>([4])).unwrap()
}

/// The value of these bytes.
fn read<V: DeserializeOwned>(content: &[u8]) -> oxiblosc::Result<V> {
    let mut array = array();
    array.schunk_mut().unwrap().set_vlmetalayer("m", content)?;
    Ok(array.vlmeta().get("m")?.unwrap())
}

/// The bytes of this value.
fn written(value: &impl Serialize) -> Vec<u8> {
    let mut array = array();
    array.vlmeta_mut().set("m", value).unwrap();
    let content = oxiblosc::ChunkSource::vlmetalayer(array.schunk(), "m");
    content.unwrap().unwrap()
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Sensor {
    id: u32,
    place: Option<String>,
    range: (f64, f64),
    kind: Kind,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Plain,
    Tuned { by: String },
}

#[derive(Debug, PartialEq, Deserialize)]
struct Dict {
    a: u8,
    b: Vec<f64>,
}

#[derive(Deserialize)]
struct Numbers {
    dtype: HashMap<String, String>,
    shape: Vec<u64>,
}

/// Bytes that python-blosc2 4.14.1 wrote for the values in the comments.
#[test]
fn values_of_python_are_read() {
    assert_eq!(read::<String>(b"\xA1K").unwrap(), "K");
    assert_eq!(read::<i64>(b"\xFD").unwrap(), -3);
    assert_eq!(read::<u8>(b"\x07").unwrap(), 7);
    assert_eq!(read::<f64>(b"\xCB?\xF8\0\0\0\0\0\0").unwrap(), 1.5);
    // Whole numbers are floats, if wanted; floats are no whole numbers.
    assert_eq!(read::<f64>(b"\x05").unwrap(), 5.0);
    assert_eq!(read::<f64>(b"\xFD").unwrap(), -3.0);
    assert!(read::<u8>(b"\xCB?\xF8\0\0\0\0\0\0").is_err());
    assert!(read::<u8>(b"\xCD\x01\x00").is_err());
    assert_eq!(read::<f32>(b"\xCB@\x04\0\0\0\0\0\0").unwrap(), 2.5);
    assert!(read::<bool>(b"\xC3").unwrap());
    assert_eq!(read::<Option<String>>(b"\xC0").unwrap(), None);
    // (1, 2), [(1,)], {'a': 1, 'b': [1.5]}, b'ab'
    assert_eq!(
        read::<(u8, u8)>(b"\x93\xA9__tuple__\x01\x02").unwrap(),
        (1, 2)
    );
    assert_eq!(
        read::<Vec<i32>>(b"\x93\xA9__tuple__\x01\x02").unwrap(),
        [1, 2]
    );
    assert_eq!(
        read::<Vec<(u8,)>>(b"\x91\x92\xA9__tuple__\x01").unwrap(),
        [(1,)]
    );
    let dict = b"\x82\xA1a\x01\xA1b\x91\xCB?\xF8\0\0\0\0\0\0";
    assert_eq!(read::<Value>(dict).unwrap(), json!({"a": 1, "b": [1.5]}));
    assert_eq!(read::<Dict>(dict).unwrap(), Dict { a: 1, b: vec![1.5] });
    // 1+2j, {1}
    let complex = b"\xD8,?\xF0\0\0\0\0\0\0@\0\0\0\0\0\0\0";
    assert_eq!(read::<[f64; 2]>(complex).unwrap(), [1.0, 2.0]);
    assert_eq!(read::<Vec<u8>>(b"\xD5-\x91\x01").unwrap(), [1]);
    // np.arange(3, dtype='i2')
    let numbers =
        b"\xC7%.\x83\xA5dtype\x81\xA3str\xA3<i2\xA5shape\x91\x03\xA4data\xC4\x06\0\0\x01\0\x02\0";
    let numbers: Numbers = read(numbers).unwrap();
    assert_eq!(
        (&numbers.dtype["str"][..], &numbers.shape[..]),
        ("<i2", &[3][..])
    );
}

#[test]
fn values_are_what_python_reads() {
    assert_eq!(written(&"K"), b"\xA1K");
    assert_eq!(written(&7_u64), b"\x07");
    assert_eq!(written(&(1, "a")), b"\x92\x01\xA1a");
    assert_eq!(written(&Option::<u8>::None), b"\xC0");
    let sensor = Sensor {
        id: 7,
        place: None,
        range: (1.0, 2.0),
        kind: Kind::Tuned {
            by: "ear".to_owned(),
        },
    };
    let content = written(&sensor);
    assert_eq!(&content[..5], b"\x84\xA2id\x07", "a map with names");
    assert_eq!(read::<Sensor>(&content).unwrap(), sensor);
    assert_eq!(read::<Kind>(&written(&Kind::Plain)).unwrap(), Kind::Plain);
    // A list that begins like a tuple of Python is read as one there, and here.
    assert_eq!(
        read::<Vec<String>>(&written(&["__tuple__", "a"])).unwrap(),
        ["a"]
    );
    let limits = oxiblosc::Limits::UNTRUSTED;
    assert_eq!(read::<oxiblosc::Limits>(&written(&limits)).unwrap(), limits);
    let keys = BTreeMap::from([(1, 2)]);
    let error = array().vlmeta_mut().set("m", &keys).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    let nested = json!([{"a": {"b": [1, {"c": null}]}}]);
    assert_eq!(read::<Value>(&written(&nested)).unwrap(), nested);
}

#[test]
fn names_are_listed_replaced_and_removed() {
    let mut array = array();
    assert!(array.vlmeta().is_empty());
    for (name, value) in [("a", 1), ("b", 2), ("c", 3), ("b", 4)] {
        array.vlmeta_mut().set(name, &value).unwrap();
    }
    let all = |array: &Array<SChunk>| {
        let all = array
            .vlmeta()
            .iter::<i32>()
            .collect::<oxiblosc::Result<Vec<_>>>();
        all.unwrap()
            .into_iter()
            .map(|(name, value)| format!("{name}{value}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(all(&array), ["a1", "b4", "c3"]);
    assert!(array.vlmeta_mut().remove("a").unwrap());
    assert!(!array.vlmeta_mut().remove("a").unwrap());
    assert!(array.vlmeta().contains("b") && !array.vlmeta().contains("a"));
    assert_eq!(
        (array.vlmeta().len(), all(&array)),
        (2, vec!["b4".to_owned(), "c3".to_owned()])
    );
    array.vlmeta_mut().set("text", "no number").unwrap();
    let values: Vec<_> = array
        .vlmeta()
        .iter::<i32>()
        .map(|item| item.is_ok())
        .collect();
    assert_eq!(values, [true, true, false]);
    assert!(array.vlmeta_mut().set(&"n".repeat(32), &1).is_err());
}

#[test]
fn frames_keep_values() {
    let folder = crate::common::folder();
    let path = folder.path().join("a.b2nd");
    let params = ArrayParams::new::<u8>([4]);
    let writer = FrameWriter::create(&path, params.frame_params().unwrap()).unwrap();
    let mut array = Array::zeros_in(writer, &params).unwrap();
    array.vlmeta_mut().set("unit", "kelvin").unwrap();
    array.into_inner().unwrap().finish().unwrap();
    let mut writer = FrameWriter::open(&path, DParams::new()).unwrap();
    assert_eq!(
        VlMeta::new(&writer).get::<String>("unit").unwrap().unwrap(),
        "kelvin"
    );
    VlMetaMut::new(&mut writer).set("steps", &[1, 2]).unwrap();
    writer.finish().unwrap();
    let array = Array::open_in(FrameReader::open(&path, DParams::new()).unwrap()).unwrap();
    assert_eq!(array.vlmeta().names(), ["unit", "steps"]);
    assert_eq!(
        array.vlmeta().get::<[u8; 2]>("steps").unwrap(),
        Some([1, 2])
    );
    // Through a reference, as a shared array has it.
    let by_reference = Array::open_in(array.schunk()).unwrap();
    assert_eq!(by_reference.vlmeta().names().len(), 2);
}

#[test]
fn hostile_bytes_end_in_errors() {
    for (content, expected) in [
        (&b""[..], "msgpack value: need 1 bytes at offset 0, found 0"),
        (
            b"\x01\x02",
            "msgpack value: bytes follow the value, at offset 1",
        ),
        (b"\xC1", "msgpack value: a marker is reserved, at offset 1"),
        (
            b"\xDD\xFF\xFF\xFF\xFF\x01",
            "msgpack value: need 4294967295 bytes at offset 5, found 1",
        ),
        (
            b"\xDF\x80\x00\x00\x00",
            "msgpack value: need 4294967296 bytes at offset 5, found 0",
        ),
        (
            b"\xC6\x7F\xFF\xFF\xFFab",
            "msgpack value: need 2147483651 bytes at offset 1, found 6",
        ),
        (
            b"\xA5abc",
            "msgpack value: need 5 bytes at offset 1, found 3",
        ),
        (
            b"\xD5-\x91",
            "msgpack value: need 2 bytes at offset 2, found 1",
        ),
        (
            b"\xD5-\x91\xC1",
            "msgpack value: a marker is reserved, at offset 4",
        ),
        (
            b"\xC7\x03-\x91\x01\x02",
            "msgpack value: bytes follow the value, at offset 5",
        ),
    ] {
        let error = read::<Value>(content).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    // As deep as can be, and deeper; extensions count.
    let deep = |len: usize| [vec![0x91; len], vec![0x01]].concat();
    assert!(read::<Value>(&deep(127)).is_ok());
    for content in [deep(129), deep(1_000_000)] {
        let error = read::<Value>(&content).unwrap_err();
        assert!(error.to_string().contains("deeper than 128"), "{error}");
    }
    let mut sets = vec![0x90];
    for _ in 0..200 {
        let len = u16::try_from(sets.len()).unwrap().to_be_bytes();
        sets = [&[0xC8][..], &len, &[45], &sets].concat();
    }
    assert!(
        read::<Value>(&sets)
            .unwrap_err()
            .to_string()
            .contains("deeper than 128")
    );
    // Text that is no text, and types that do not fit.
    assert!(matches!(
        read::<String>(b"\xA1\xFF"),
        Err(Error::Metadata { .. })
    ));
    let error = read::<Sensor>(b"\x81\xA2id\x07").unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("metadata m: expected a value of type "),
        "{text}"
    );
    assert!(text.ends_with("Sensor: missing field `range`"), "{text}");
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    // Every content cut short is an error.
    let content = written(&json!({"a": [1.5, "text"], "b": {"c": [true, null, -70000]}}));
    for len in 0..content.len() {
        assert!(read::<Value>(&content[..len]).is_err(), "{len}");
    }
    // Every byte replaced by every other one: an error or a value, which is the same when written.
    for at in 0..content.len() {
        for byte in 0..=u8::MAX {
            let mut content = content.clone();
            content[at] = byte;
            if let Ok(value) = read::<Value>(&content) {
                assert_eq!(
                    read::<Value>(&written(&value)).unwrap(),
                    value,
                    "{at}: {byte}"
                );
            }
        }
    }
}

#[test]
fn parameters_of_frames_and_arrays_are_data() {
    use oxiblosc::b2nd::Array;
    use oxiblosc::frame::{Durability, FrameParams, Locking};
    use oxiblosc::{CParams, CodecId};

    let cparams = CParams::new(4).codec(CodecId::LZ4).clevel(3);
    let params = ArrayParams::new::<f32>([30, 20])
        .chunkshape([10, 20])
        .cparams(cparams.clone())
        .durability(Durability::Data)
        .locking(Locking::Shared)
        .metalayer("m", b"\x01\xff")
        .unwrap()
        .vlmetalayer("note", b"long")
        .unwrap();
    let text = serde_json::to_value(&params).unwrap();
    assert_eq!(text["shape"], json!([30, 20]));
    assert_eq!(text["dtype"], json!("<f4"));
    assert_eq!(text["metalayers"], json!({"m": [1, 255]}));
    assert_eq!(text["vlmetalayers"], json!({"note": b"long"}));
    assert_eq!(text["access"], json!({"locking": "shared", "wait": true}));
    assert_eq!(text["durability"], json!("data"));
    let back: ArrayParams = serde_json::from_value(text.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), text);
    // Both make the same bytes; in a format with bytes, too.
    let packed = rmp_serde::to_vec_named(&params).unwrap();
    let packed: ArrayParams = rmp_serde::from_slice(&packed).unwrap();
    let numbers: Vec<f32> = (0..600_u16).map(f32::from).collect();
    let frame = |params: &ArrayParams| {
        let array = Array::from_elements(&numbers, params).unwrap();
        array.into_inner().unwrap().to_cframe().unwrap()
    };
    assert_eq!(frame(&back), frame(&params));
    assert_eq!(frame(&packed), frame(&params));

    let few: ArrayParams = serde_json::from_str(r#"{"shape": [5], "dtype": "<i2"}"#).unwrap();
    assert_eq!((few.cparams.typesize, few.chunkshape), (2, None));
    for wrong in [
        r#"{"shape": [5]}"#,
        r#"{"shape": [5], "dtype": "nonsense"}"#,
        r#"{"shape": [5], "dtype": "<i2", "chunks": [5]}"#,
        r#"{"shape": [5], "dtype": "<i2", "chunkshape": [0]}"#,
        r#"{"shape": [5], "dtype": "<i2", "chunkshape": [2], "blockshape": [3]}"#,
        r#"{"shape": [5], "dtype": "<i2", "cparams": {"typesize": 4}}"#,
        r#"{"shape": [5], "dtype": "<i2", "metalayers": {"m": [256]}}"#,
        r#"{"shape": [5], "dtype": "<i2", "metalayers": {"m": [1], "m": [2]}}"#,
    ] {
        assert!(
            serde_json::from_str::<ArrayParams>(wrong).is_err(),
            "{wrong}"
        );
    }

    let params = FrameParams::new(cparams, 4000)
        .in_place(true)
        .overwrite(true);
    let text = serde_json::to_value(&params).unwrap();
    assert_eq!(
        text["access"],
        json!({"locking": "exclusive", "wait": false})
    );
    let back: FrameParams = serde_json::from_value(text.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), text);
    let few = r#"{"chunksize": 64, "access": {"locking": "shared"}}"#;
    let few: FrameParams = serde_json::from_str(few).unwrap();
    assert!(few.access.wait && !few.in_place);
    assert_eq!((few.chunksize, few.cparams.typesize), (64, 8));
    for wrong in [
        r#"{"chunksize": 0}"#,
        r#"{"chunksize": 4294967296}"#,
        r#"{"level": 3}"#,
    ] {
        assert!(
            serde_json::from_str::<FrameParams>(wrong).is_err(),
            "{wrong}"
        );
    }
}
