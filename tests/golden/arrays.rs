//! b2nd arrays.

use oxiblosc::DParams;
use oxiblosc::b2nd::Array;
use oxiblosc::frame::FrameReader;

use crate::content::content;
use crate::table::{Container, Entry};

/// Numbers divided by commas.
fn shape(entry: &Entry<'_>, column: &str) -> Vec<u64> {
    let numbers = entry
        .text(column)
        .split(',')
        .filter(|number| !number.is_empty());
    numbers
        .map(|number| number.parse().expect("a number"))
        .collect()
}

#[test]
fn arrays_of_c_blosc2_open() {
    let container = Container::read("golden_arrays");
    for entry in container.entries() {
        let name = entry.text("name");
        let reader = FrameReader::from_bytes(entry.bytes, DParams::new())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let array = Array::open_in(reader).unwrap_or_else(|error| panic!("{name}: {error}"));
        array
            .check()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(array.shape(), shape(&entry, "shape"), "{name}");
        assert_eq!(array.chunkshape(), shape(&entry, "chunkshape"), "{name}");
        assert_eq!(array.blockshape(), shape(&entry, "blockshape"), "{name}");
        assert_eq!(
            array.typesize().to_string(),
            entry.text("typesize"),
            "{name}"
        );
        assert_eq!(array.dtype().as_str(), entry.text("dtype"), "{name}");

        let typesize = entry.number("typesize");
        let nitems: u64 = array.shape().iter().product();
        let nbytes = usize::try_from(nitems).expect("a size") * typesize;
        let expected = content(entry.text("content"), nbytes);
        let whole = array
            .to_bytes()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(whole == expected, "{name}");
        slices(&entry, &array, &expected);
    }
    println!("golden: {} arrays opened", container.len());
    assert!(container.len() > 50);
}

/// Single elements, and the second half of every axis.
fn slices<C: oxiblosc::schunk::ChunkSource>(entry: &Entry<'_>, array: &Array<C>, expected: &[u8]) {
    let name = entry.text("name");
    let typesize = entry.number("typesize");
    if expected.is_empty() {
        return;
    }
    let halves: Vec<_> = array.shape().iter().map(|&side| side / 2..side).collect();
    let part = array
        .slice_bytes(&halves)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut wanted = Vec::new();
    for (item, bytes) in expected.chunks_exact(typesize).enumerate() {
        let mut rest = u64::try_from(item).expect("an index");
        let mut inside = true;
        for &side in array.shape().iter().rev() {
            inside &= rest % side >= side / 2;
            rest /= side;
        }
        if inside {
            wanted.extend_from_slice(bytes);
        }
    }
    assert!(part == wanted, "{name}: the second halves");
}
