//! Older containers, in files that their own tools wrote.

use std::sync::Arc;

use oxiblosc::b2nd::Array;
use oxiblosc::storage::Memory;
use oxiblosc::store::asdf::Blocks;
use oxiblosc::store::bloscpack::Bloscpack;
use oxiblosc::store::{n5, openvdb};
use oxiblosc::{ChunkDecoder, ChunkSource, DParams, FrameReader, Limits};

fn file(name: &str) -> Vec<u8> {
    std::fs::read(crate::path("../old").join(name)).unwrap()
}

fn numbers(bytes: impl Fn(i32) -> [u8; 4]) -> Vec<u8> {
    (0..600).flat_map(bytes).collect()
}

fn all(pack: &Bloscpack) -> oxiblosc::Result<Vec<u8>> {
    let nbytes = pack.layout().nbytes;
    let mut bytes = vec![0; usize::try_from(nbytes).unwrap()];
    pack.read_bytes_into(&mut ChunkDecoder::default(), 0..nbytes, &mut bytes)?;
    Ok(bytes)
}

#[test]
fn bloscpack_with_and_without_offsets() {
    for name in ["numbers.blp", "no_offsets.blp"] {
        let pack = Bloscpack::open_in(Arc::new(Memory(file(name))), DParams::new()).unwrap();
        let tensor = pack.tensor().unwrap();
        assert_eq!(
            (&tensor.shape[..], tensor.dtype.as_str()),
            (&[30, 20][..], "<i4")
        );
        assert_eq!(pack.layout().nchunks, 3);
        assert_eq!(all(&pack).unwrap(), numbers(i32::to_le_bytes), "{name}");
    }
}

#[test]
fn caterva_files_are_arrays() {
    for (name, shape) in [
        ("numbers.caterva", &[30, 20][..]),
        ("numbers_4d.caterva", &[3, 4, 5, 10]),
    ] {
        let frame = FrameReader::from_bytes(file(name), DParams::new()).unwrap();
        let array = Array::open_in(frame).unwrap();
        assert_eq!(array.shape(), shape);
        // Caterva stores the size of an item, not its type.
        assert_eq!(array.dtype().as_str(), "|V4");
        assert_eq!(array.to_bytes().unwrap(), numbers(i32::to_le_bytes));
    }
}

#[test]
fn bloscpack_compares_its_checksums() {
    let good = file("numbers.blp");
    let end = good.len() - 6;
    let mut bad = good;
    bad[end] ^= 1;
    let pack = Bloscpack::open_in(Arc::new(Memory(bad)), DParams::new()).unwrap();
    let error = all(&pack).unwrap_err().to_string();
    assert!(error.contains("bloscpack file: checksum is"), "{error}");
}

#[test]
fn asdf_blocks_of_blosc_decode() {
    let mut blocks = Blocks::open(Memory(file("numbers.asdf")), Limits::UNTRUSTED).unwrap();
    let found: Vec<_> = blocks.by_ref().map(Result::unwrap).collect();
    assert_eq!(found.len(), 2);
    let mut decoder = ChunkDecoder::default();
    let first = blocks.decode(&found[0], &mut decoder).unwrap();
    assert_eq!(first, numbers(i32::to_le_bytes));
    let second = blocks.decode(&found[1], &mut decoder).unwrap();
    assert_eq!(
        second,
        (0..10_i16).flat_map(i16::to_be_bytes).collect::<Vec<u8>>()
    );
    let mut other = found[0].clone();
    other.compression = *b"bzp2";
    let error = blocks.decode(&other, &mut decoder).unwrap_err().to_string();
    assert!(error.contains("bzp2"), "{error}");
}

#[test]
fn n5_blocks_are_big_endian_and_fortran_ordered() {
    let block = n5::decode_block(&file("n5_block"), 4, &mut ChunkDecoder::default()).unwrap();
    assert_eq!((block.shape.as_slice(), block.nitems), (&[20, 30][..], 600));
    assert_eq!(block.bytes, numbers(i32::to_be_bytes));
    n5::decode_block(&file("n5_block"), 8, &mut ChunkDecoder::default()).unwrap_err();
}

#[test]
fn openvdb_buffers_are_chunks_or_raw() {
    // The chunk of C-Blosc 1 in the first ASDF block.
    let asdf = file("numbers.asdf");
    let at = asdf
        .windows(4)
        .position(|bytes| bytes == b"\xD3BLK")
        .unwrap()
        + 54;
    let cbytes = u32::from_le_bytes(asdf[at + 12..at + 16].try_into().unwrap());
    let len = usize::try_from(cbytes).unwrap();
    let mut buffer = i64::from(cbytes).to_le_bytes().to_vec();
    buffer.extend_from_slice(&asdf[at..at + len]);
    let mut decoder = ChunkDecoder::default();
    let mut dst = vec![0; 2400];
    let taken = openvdb::decode_buffer(&buffer, &mut dst, &mut decoder).unwrap();
    assert_eq!(
        (taken, dst.as_slice()),
        (buffer.len(), &numbers(i32::to_le_bytes)[..])
    );

    let raw = [&(-3_i64).to_le_bytes()[..], b"abc", b"..."].concat();
    let mut dst = [0; 3];
    assert_eq!(
        openvdb::decode_buffer(&raw, &mut dst, &mut decoder).unwrap(),
        11
    );
    assert_eq!(&dst, b"abc");
    for bad in [&raw[..10], &buffer[..7], &buffer[..100]] {
        openvdb::decode_buffer(bad, &mut [0; 2400], &mut decoder).unwrap_err();
    }
    openvdb::decode_buffer(&buffer, &mut [0; 3000], &mut decoder).unwrap_err();
    openvdb::decode_buffer(&i64::MIN.to_le_bytes(), &mut [], &mut decoder).unwrap_err();
}
