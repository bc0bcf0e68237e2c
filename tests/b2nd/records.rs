//! Elements of types of the caller: truth values, byte strings, records, enums.
#![cfg(all(feature = "b2nd", feature = "derive"))]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use bytemuck::{CheckedBitPattern, NoUninit, Pod, Zeroable};
use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, ByteString, Dtype, Element, Selection};
use oxiblosc::{CParams, Error, ErrorKind, SChunk, compress_slice, decompress_to_vec};

#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Element)]
#[repr(C)]
struct Sample {
    time: i64,
    xyz: [f32; 3],
    flags: u16,
    tag: ByteString<4>,
    rgb: [u8; 3],
    #[element(padding)]
    pad: [u8; 3],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Element)]
#[repr(C, packed)]
struct Inner {
    a: i16,
    b: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Element)]
#[repr(C, packed)]
struct Outer {
    r#type: u8,
    #[element(rename = "pair of records")]
    inner: [[Inner; 2]; 1],
}

#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, Zeroable, Element)]
#[repr(C)]
#[element(checked)]
struct Reading {
    value: u8,
    good: bool,
}

fn samples() -> Vec<Sample> {
    let sample = |n: u8| Sample {
        time: i64::from(n) - 2,
        xyz: [1.5, 2.5, f32::from(n)],
        flags: 0x0102,
        tag: ByteString::new(b"ab").unwrap(),
        rgb: [n, 0, 255],
        pad: [0; 3],
    };
    (0..7).map(sample).collect()
}

fn outers() -> Vec<Outer> {
    let inner = |n: i16| Inner {
        a: n,
        b: f64::from(n) / 4.0,
    };
    let outer = |n: u8| Outer {
        r#type: n,
        inner: [[inner(n.into()), inner(-300)]],
    };
    (0..7).map(outer).collect()
}

fn array_of<T: Element>(dtype: &str, bytes: &[u8]) -> Array<SChunk> {
    let params = ArrayParams::with_dtype(dtype.parse().unwrap(), [bytes.len() / size_of::<T>()]);
    Array::from_bytes(bytes, &params).unwrap()
}

#[test]
fn records_have_the_dtypes_of_numpy() {
    let dtype = Dtype::of::<Sample>();
    assert_eq!(
        dtype.as_str(),
        "[('time', '<i8'), ('xyz', '<f4', (3,)), ('flags', '<u2'), ('tag', '|S4'), \
         ('rgb', '|u1', (3,)), ('', '|V3')]"
    );
    assert_eq!(dtype.itemsize(), Some(32));
    let dtype = Dtype::of::<Outer>();
    assert_eq!(
        dtype.as_str(),
        "[('type', '|u1'), ('pair of records', [('a', '<i2'), ('b', '<f8')], (1, 2))]"
    );
    assert_eq!(dtype.itemsize(), Some(21));
    assert_eq!(
        Dtype::of::<Reading>().as_str(),
        "[('value', '|u1'), ('good', '|b1')]"
    );
}

/// Everything that reads and writes elements, with records.
#[test]
fn records_are_read_and_written() {
    let all = samples();
    let params = ArrayParams::new::<Sample>([7])
        .chunkshape([3])
        .blockshape([2]);
    let mut array = Array::from_elements(&all, &params).unwrap();
    assert_eq!(array.to_elements::<Sample>().unwrap(), all);
    assert_eq!(array.get::<Sample>([-1]).unwrap(), all[6]);
    assert_eq!(
        array.slice::<Sample>(AxisSelection::steps(1.., 3)).unwrap(),
        [all[1], all[4]]
    );
    assert_eq!(
        array
            .slice::<Sample>(Selection::points(&[[5], [0]]))
            .unwrap(),
        [all[5], all[0]]
    );
    array.set_slice(..2, &all[4..6]).unwrap();
    array.append(&all[..1]).unwrap();
    array.insert(0, 1, &all[3..4]).unwrap();
    let expected = [4, 3, 5, 2, 3, 4, 5, 6, 0].map(|at| all[at]);
    assert_eq!(array.to_elements::<Sample>().unwrap(), expected);
    let full = Array::full(all[3], &params).unwrap();
    assert_eq!(full.to_elements::<Sample>().unwrap(), [all[3]; 7]);
    let chunks: Vec<_> = array
        .chunks::<Sample>()
        .map(|part| part.unwrap().elements)
        .collect();
    assert_eq!(chunks.concat(), expected);
}

/// Fields of the other byte order are turned around, each by itself.
#[test]
fn records_of_other_byte_orders_are_converted() {
    let all = outers();
    let mut bytes = Vec::new();
    for outer in &all {
        bytes.push(outer.r#type);
        for Inner { a, b } in outer.inner[0] {
            bytes.extend(a.to_be_bytes());
            bytes.extend(b.to_le_bytes());
        }
    }
    let mixed = "[('type', 'u1'), ('pair of records', [('a', '>i2'), ('b', '<f8')], (1, 2))]";
    let array = array_of::<Outer>(mixed, &bytes);
    assert_eq!(array.to_elements::<Outer>().unwrap(), all);
    assert!(array.dtype().check::<Outer>().unwrap());
    let params = ArrayParams::with_dtype(mixed.parse().unwrap(), [7]);
    let ours = Array::from_elements(&all, &params).unwrap();
    assert_eq!(ours.to_bytes().unwrap(), bytes);
    let full = Array::full(all[2], &params).unwrap();
    assert_eq!(full.to_bytes().unwrap(), bytes[42..63].repeat(7));
}

#[test]
fn records_with_other_fields_are_refused() {
    for dtype in [
        "[('value', '|u1'), ('ok', '|b1')]",
        "[('good', '|b1'), ('value', '|u1')]",
        "[('value', '|i1'), ('good', '|b1')]",
        "[('value', '|u1', (1,)), ('good', '|b1')]",
        "[('value', '|u1')]",
        "[('value', '|u1'), ('', '|V1')]",
        "|V2",
        "<u2",
    ] {
        let dtype: Dtype = dtype.parse().unwrap();
        assert!(dtype.check::<Reading>().is_err(), "{dtype}");
    }
    for dtype in [
        "[('value', 'u1'), ('good', '?')]",
        "{'names': ['value', 'good'], 'formats': ['u1', '?'], 'offsets': [0, 1], 'itemsize': 2}",
    ] {
        let dtype: Dtype = dtype.parse().unwrap();
        assert!(!dtype.check::<Reading>().unwrap(), "{dtype}");
    }
    let array = Array::zeros(&ArrayParams::new::<Sample>([2])).unwrap();
    assert!(matches!(
        array.to_elements::<Reading>(),
        Err(Error::Mismatch { .. })
    ));
}

fn index_of(error: &Error) -> u64 {
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    let Error::InvalidElement { index, .. } = error else {
        return u64::MAX;
    };
    *index
}

#[test]
fn bytes_that_are_no_value_are_named() {
    let values = [true, false, true, true, false];
    let mut array = Array::from_elements(&values, &ArrayParams::new::<bool>([5])).unwrap();
    assert_eq!(array.dtype().as_str(), "|b1");
    assert_eq!(array.to_elements::<bool>().unwrap(), values);
    array.set_slice_bytes(3..4, &[2]).unwrap();
    let error = array.to_elements::<bool>().unwrap_err();
    assert_eq!(index_of(&error), 3);
    assert_eq!(
        error.to_string(),
        "element 3: expected a value of type bool, found the bytes 02"
    );
    assert_eq!(index_of(&array.slice::<bool>(2..).unwrap_err()), 1);
    assert_eq!(index_of(&array.slice::<bool>([[4_u64, 3]]).unwrap_err()), 1);
    assert_eq!(index_of(&array.get::<bool>([3]).unwrap_err()), 0);
    let mut dst = [false; 9];
    assert_eq!(array.slice_into(..3, &mut dst).unwrap(), 3);
    assert_eq!(dst[..3], values[..3]);
    assert_eq!(index_of(&array.slice_into(.., &mut dst).unwrap_err()), 3);
    assert!(array.slice_into::<bool>(.., &mut dst[..2]).is_err());
    assert!(array.blocks::<bool>().next().unwrap().is_err());

    let array = array_of::<Reading>("[('value', '|u1'), ('good', '|b1')]", &[9, 1, 8, 0, 7, 3]);
    let first = Reading {
        value: 9,
        good: true,
    };
    assert_eq!(array.get::<Reading>([0]).unwrap(), first);
    assert_eq!(index_of(&array.to_elements::<Reading>().unwrap_err()), 2);
}

#[test]
fn byte_strings_are_padded() {
    let names = [&b"M31"[..], b"", b"NGC7"].map(|name| ByteString::<4>::new(name).unwrap());
    let array = Array::from_elements(&names, &ArrayParams::new::<ByteString<4>>([3])).unwrap();
    assert_eq!(array.dtype().as_str(), "|S4");
    assert_eq!(array.to_bytes().unwrap(), b"M31\0\0\0\0\0NGC7");
    assert_eq!(array.get::<ByteString<4>>([0]).unwrap().as_bytes(), b"M31");
    assert!(array.get::<ByteString<3>>([0]).is_err());
    assert_eq!(format!("{:?}", names[0]), "b\"M31\"");
    assert_eq!(ByteString::<40>::default().as_bytes(), b"");
}

#[test]
fn chunks_of_elements_have_their_typesize() {
    let all = samples();
    let chunk = compress_slice(&all, &CParams::of::<Sample>()).unwrap();
    assert_eq!(decompress_to_vec::<Sample>(&chunk).unwrap(), all);
    assert_eq!(
        oxiblosc::decompress(&chunk).unwrap(),
        bytemuck::cast_slice::<_, u8>(&all)
    );
    assert!(compress_slice(&all, &CParams::new(4)).is_err());
    // A typesize beyond one byte is stored as 1.
    let wide = [[7_u32; 100]; 3];
    let chunk = compress_slice(&wide, &CParams::of::<[u32; 100]>()).unwrap();
    assert_eq!(decompress_to_vec::<[u32; 100]>(&chunk).unwrap(), wide);
    assert!(decompress_to_vec::<[u32; 99]>(&chunk).is_err());
    let values = [true, false, true];
    let chunk = compress_slice(&values, &CParams::of::<bool>()).unwrap();
    assert_eq!(decompress_to_vec::<bool>(&chunk).unwrap(), values);
    let units = [(); 3];
    assert!(compress_slice(&units, &CParams::of::<()>()).is_err());
    assert!(decompress_to_vec::<()>(&chunk).is_err());
    // A size that the limits refuse, claimed by a chunk that ends early.
    assert!(decompress_to_vec::<u8>(&chunk[..20]).is_err());
}
