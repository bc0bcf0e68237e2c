//! The b2nd metalayer: bytes as C-Blosc2 3.3.5 writes them, and damaged ones.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use oxiblosc::b2nd::{B2ndMeta, Grid};
use oxiblosc::{Error, ErrorKind, Part};

/// shape, chunkshape, blockshape, dtype, and the bytes read from frames that python-blosc2
/// 4.14.1 (C-Blosc2 3.3.5) made.
type Vector = (
    &'static [u64],
    &'static [u64],
    &'static [u64],
    &'static str,
    &'static str,
);

const VECTORS: &[Vector] = &[
    (
        &[10, 20],
        &[10, 20],
        &[10, 20],
        "<f8",
        "970002 92 d3000000000000000a d30000000000000014 92 d20000000a d200000014 \
         92 d20000000a d200000014 00 db00000003 3c6638",
    ),
    (&[], &[], &[], "<i4", "970000 90 90 90 00 db00000003 3c6934"),
    (
        &[0, 5],
        &[0, 5],
        &[0, 5],
        "|u1",
        "970002 92 d30000000000000000 d30000000000000005 92 d200000000 d200000005 \
         92 d200000000 d200000005 00 db00000003 7c7531",
    ),
    (
        &[5, 0],
        &[2, 3],
        &[1, 1],
        "|u1",
        "970002 92 d30000000000000005 d30000000000000000 92 d200000002 d200000003 \
         92 d200000001 d200000001 00 db00000003 7c7531",
    ),
    (
        &[3],
        &[3],
        &[3],
        "[('a', '<i4'), ('b', '<f8')]",
        "970001 91 d30000000000000003 91 d200000003 91 d200000003 00 db0000001c \
         5b282761272c20273c693427292c20282762272c20273c663827295d",
    ),
];

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// The frame of sixteen axes of length one, with the markers A0 that C writes there.
fn sixteen() -> (B2ndMeta, Vec<u8>) {
    let meta = B2ndMeta::new(&[1; 16], &[1; 16], &[1; 16], ">i4");
    let bytes = unhex(&format!(
        "970010 a0 {} a0 {} a0 {} 00 db00000003 3e6934",
        "d30000000000000001".repeat(16),
        "d200000001".repeat(16),
        "d200000001".repeat(16)
    ));
    (meta, bytes)
}

#[test]
fn bytes_are_those_of_c() {
    for &(shape, chunkshape, blockshape, dtype, hex) in VECTORS {
        let meta = B2ndMeta::new(shape, chunkshape, blockshape, dtype);
        assert_eq!(meta.to_bytes().unwrap(), unhex(hex), "{shape:?}");
        assert_eq!(B2ndMeta::parse(&unhex(hex)).unwrap(), meta, "{shape:?}");
    }
    let (meta, bytes) = sixteen();
    assert_eq!(meta.to_bytes().unwrap(), bytes);
    assert_eq!(B2ndMeta::parse(&bytes).unwrap(), meta);
}

#[test]
fn caterva_ends_before_the_dtype() {
    let bytes = unhex("960001 91 d30000000000000003 91 d200000002 91 d200000001");
    let meta = B2ndMeta::parse(&bytes).unwrap();
    assert_eq!(
        (meta.shape, meta.chunkshape, meta.blockshape),
        (vec![3], vec![2], vec![1])
    );
    assert_eq!(meta.dtype, None);
}

#[test]
fn a_missing_dtype_is_written_as_u1() {
    let mut meta = B2ndMeta::new(&[3], &[2], &[1], "<f8");
    meta.dtype = None;
    assert!(
        meta.to_bytes()
            .unwrap()
            .ends_with(b"\xdb\x00\x00\x00\x03|u1")
    );
}

#[test]
fn bytes_behind_the_dtype_are_ignored() {
    let mut bytes = unhex(VECTORS[0].4);
    bytes.extend(b"old tail");
    assert_eq!(B2ndMeta::parse(&bytes).unwrap().shape, [10, 20]);
}

#[test]
fn every_cut_is_truncated_and_names_its_end() {
    for bytes in VECTORS
        .iter()
        .map(|vector| unhex(vector.4))
        .chain([sixteen().1])
    {
        for len in 0..bytes.len() {
            let error = B2ndMeta::parse(&bytes[..len]).unwrap_err();
            let Error::Truncated {
                part,
                offset,
                needed,
                available,
                ..
            } = error
            else {
                panic!("{len}: {error}");
            };
            assert_eq!(part, Part::B2nd);
            assert_eq!(offset + available, len as u64);
            assert!(needed > available, "{len}");
        }
    }
}

/// The position of a patched byte, its value, and the offset that the error names.
#[test]
fn damage_is_named_with_its_offset() {
    let good = unhex(VECTORS[0].4);
    for (patch_at, patch, offset) in [
        (0, &[0x90][..], 0),
        (0, &[0x98], 0),
        (2, &[17], 2),
        (2, &[0xFF], 2),
        (4, &[0xD2], 4),
        (5, &[0x80], 5),
        (14, &[0xFF], 14),
        (23, &[0xD3], 23),
        (24, &[0xFF], 24),
        (34, &[0x00], 34),
        (35, &[0x80], 35),
        (44, &[0x80], 44),
        (45, &[0xDA], 45),
        (46, &[0xFF], 46),
        (50, &[0xFF, 0xFE], 50),
    ] {
        let mut bytes = good.clone();
        bytes[patch_at..patch_at + patch.len()].copy_from_slice(patch);
        let error = B2ndMeta::parse(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{patch_at}: {error}");
        assert_eq!(
            (error.part(), error.offset()),
            (Some(Part::B2nd), Some(offset)),
            "{error}"
        );
    }
    // A dtype that runs over the end.
    let mut bytes = good;
    bytes[49] = 4;
    let error = B2ndMeta::parse(&bytes).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::Truncated, Some(50))
    );
    assert_eq!(
        error.to_string(),
        "b2nd metalayer: need 4 bytes at offset 50, found 3"
    );
}

#[test]
fn errors_name_the_axis() {
    let good = B2ndMeta::new(&[4, 5], &[4, 5], &[2, 5], "|u1");
    let bytes = good.to_bytes().unwrap();
    for (at, patch, message) in [
        (
            14,
            &[0xFF][..],
            "b2nd metalayer: shape of axis 1 is -72057594037927931, \
             expected 0 to 9223372036854775807, at offset 14",
        ),
        (
            28,
            &[0x00],
            "b2nd metalayer: marker of the chunkshape of axis 1 is 0, expected 210, at offset 28",
        ),
        (
            40,
            &[0x80],
            "b2nd metalayer: blockshape of axis 1 is -2147483643, \
             expected 0 to 2147483647, at offset 40",
        ),
    ] {
        let mut bytes = bytes.clone();
        bytes[at..at + patch.len()].copy_from_slice(patch);
        assert_eq!(B2ndMeta::parse(&bytes).unwrap_err().to_string(), message);
    }
    let error = Grid::new(1, &[4, 4, 4], &[4, 4, 4], &[4, 4, 0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "b2nd metalayer: blockshape of axis 2 is 0, expected 1 to 2147483647, at offset 59"
    );
    let meta = B2ndMeta::new(&[4, 5], &[4, 1 << 31], &[2, 5], "|u1");
    assert_eq!(
        meta.to_bytes().unwrap_err().to_string(),
        "axis 1: parameter chunkshape: expected a length below 2^31, found 2147483648"
    );
}

#[test]
fn shapes_that_break_the_rules_are_refused() {
    let huge = u64::from(i32::MAX.cast_unsigned());
    for (name, typesize, shape, chunkshape, blockshape, offset) in [
        (
            "chunk 0 in a shape",
            1,
            &[4_u64, 4][..],
            &[0_u64, 2][..],
            &[0_u64, 2][..],
            Some(24),
        ),
        ("block 0 in a chunk", 1, &[4, 4], &[2, 2], &[2, 0], Some(40)),
        (
            "block 0 in a chunk of an empty shape",
            1,
            &[0, 4],
            &[2, 2],
            &[0, 2],
            Some(35),
        ),
        ("length beyond i64", 1, &[1 << 63], &[1], &[1], Some(5)),
        ("length beyond i32", 1, &[9], &[1 << 31], &[1], Some(15)),
        ("chunk too large", 1, &[1], &[huge], &[1], Some(15)),
        ("chunk overflows", 8, &[1; 4], &[huge; 4], &[1; 4], Some(42)),
        ("block too large", 255, &[1], &[huge], &[1 << 22], Some(21)),
        (
            "block padding overflows the chunk",
            1,
            &[5],
            &[(1 << 29) + 1],
            &[1 << 29],
            Some(21),
        ),
        (
            "shape overflows",
            1,
            &[1 << 62, 4],
            &[1, 1],
            &[1, 1],
            Some(4),
        ),
        ("too many chunks", 1, &[1 << 40], &[1], &[1], Some(4)),
    ] {
        let error = Grid::new(typesize, shape, chunkshape, blockshape).expect_err(name);
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::Corrupt, offset),
            "{name}: {error}"
        );
    }
    for (typesize, ndim, nchunk, nblock) in [
        (0, 1, 1, 1),
        (536_866_817, 1, 1, 1),
        (1, 17, 17, 17),
        (1, 2, 1, 2),
        (1, 2, 2, 3),
    ] {
        let (shape, chunkshape, blockshape) = (vec![1; ndim], vec![1; nchunk], vec![1; nblock]);
        let error = Grid::new(typesize, &shape, &chunkshape, &blockshape).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParam, "{error}");
    }
}

#[test]
fn chunks_and_blocks_may_overhang() {
    let grid = Grid::new(2, &[3, 4], &[10, 3], &[4, 5]).unwrap();
    assert_eq!(
        (grid.chunk_grid(), grid.block_grid()),
        (&[1, 2][..], &[3, 1][..])
    );
    assert_eq!(grid.chunksize(), 12 * 5 * 2);
    assert_eq!((grid.nitems(), grid.nbytes()), (12, 24));
    let empty = Grid::new(2, &[0, 1 << 50, 1 << 50], &[0, 2, 2], &[0, 1, 1]).unwrap();
    assert_eq!(
        (empty.nchunks(), empty.chunksize(), empty.nbytes()),
        (0, 0, 0)
    );
    let scalar = Grid::new(7, &[], &[], &[]).unwrap();
    assert_eq!(
        (scalar.nchunks(), scalar.chunksize(), scalar.blocksize()),
        (1, 7, 7)
    );
}
