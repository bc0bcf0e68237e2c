//! Damaged frames: an error or the right data, never a panic, and no memory for sizes that the
//! file does not back.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use crate::common::legacy::write_legacy;
use oxiblosc::frame::{Contiguous, FrameStore, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt, Window};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, ErrorKind, FrameParams,
    FrameReader, FrameWriter, Limits, Part, Special,
};

fn data(n: u32) -> Vec<u8> {
    (0..n).flat_map(|i| (i * i / 5).to_le_bytes()).collect()
}

/// Small frames of every shape: fixed with special chunks, variable, VL blocks, empty.
fn frames() -> Vec<Vec<u8>> {
    let params = || {
        FrameParams::new(CParams::new(4), 200)
            .metalayer("m", b"\xA5hello")
            .unwrap()
            .vlmetalayer("v", &[b'x'; 100])
            .unwrap()
    };
    let mut fixed = FrameWriter::in_memory(params()).unwrap();
    fixed.append(&data(100)).unwrap();
    fixed.append_special(Special::Nans, 200).unwrap();
    fixed.append_special(Special::Repeat(b"ABCD"), 100).unwrap();
    let mut variable = FrameWriter::in_memory(params()).unwrap();
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    for n in [50, 20, 70] {
        variable
            .append_chunk(&encoder.encode(&data(n)).unwrap())
            .unwrap();
    }
    variable
        .append_chunk(&encoder.encode_special(Special::Zeros, 60).unwrap())
        .unwrap();
    let mut vlblocks = FrameWriter::in_memory(params()).unwrap();
    let blocks = [data(10), data(30), data(3)];
    vlblocks
        .append_chunk(&encoder.encode_vlblocks(&blocks).unwrap())
        .unwrap();
    vlblocks
        .append_chunk(&encoder.encode_vlblocks(&blocks[..2]).unwrap())
        .unwrap();
    let mut filled = FrameWriter::in_memory(params()).unwrap();
    filled.append_special(Special::Zeros, 20_000).unwrap();
    let empty = FrameWriter::in_memory(params()).unwrap();
    let mut sealed = FrameWriter::in_memory(params()).unwrap();
    sealed.append(&data(100)).unwrap();
    sealed.seal().unwrap();
    let mut frames: Vec<Vec<u8>> = [fixed, variable, vlblocks, filled, empty, sealed]
        .map(|writer| writer.into_bytes().unwrap())
        .into();
    frames.push(legacy(&frames[0]));
    frames
}

/// The same frame in the layout of the 2.0.0 betas, its vlmetalayer as usermeta.
fn legacy(frame: &[u8]) -> Vec<u8> {
    let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
    let header = reader.header();
    let section = usize::try_from(header.header_len).unwrap();
    let index = section + usize::try_from(header.cbytes).unwrap();
    let len = &frame[frame.len() - 22..frame.len() - 18];
    let trailer_len = u32::from_be_bytes(len.try_into().unwrap());
    let trailer = frame.len() - usize::try_from(trailer_len).unwrap();
    let usermeta = reader.vlmetalayers().chunk("v").unwrap();
    let (section, index) = (&frame[section..index], &frame[index..trailer]);
    write_legacy(header, reader.metalayers(), section, index, usermeta)
}

/// Reads everything that can be read, within narrow limits.
fn read_all<S: FrameStore>(store: S) -> oxiblosc::Result<Vec<u8>> {
    let mut limits = Limits::UNTRUSTED
        .max_alloc(1 << 20)
        .max_chunk_nbytes(1 << 20);
    limits = limits.max_nchunks(1000);
    limits.max_vlmetalayer_nbytes = 1 << 20;
    let dparams = DParams::new().limits(limits);
    let reader = FrameReader::open_in(store, dparams.clone())?;
    let mut decoder = ChunkDecoder::new(dparams);
    let mut all = Vec::new();
    let mut first_error = reader.check().err();
    for nchunk in 0..reader.layout().nchunks {
        let mut one = || {
            let nbytes = reader.chunk_nbytes(nchunk)?.min(1 << 20);
            let mut chunk = vec![0; nbytes];
            reader.decode_chunk_into(&mut decoder, nchunk, &mut chunk)?;
            let mut part = vec![0; nbytes / 2];
            let range = nbytes / 4..nbytes / 4 + nbytes / 2;
            reader.decode_chunk_bytes_into(&mut decoder, nchunk, range.clone(), &mut part)?;
            assert_eq!(part, chunk[range.clone()], "a part of chunk {nchunk}");
            let mut lazy = reader.lazy_chunk(nchunk)?;
            lazy.decode_bytes_into(&mut decoder, range.clone(), &mut part)?;
            assert_eq!(part, chunk[range], "a lazy part of chunk {nchunk}");
            let header = lazy.header().filter(|header| header.is_vlblocks());
            if let Some(nblocks) = header.map(|header| header.blocksize) {
                let mut at = 0;
                for block in 0..nblocks as usize {
                    let bytes = reader.decode_vlblock(&mut decoder, nchunk, block);
                    let bytes = bytes.unwrap();
                    assert!(chunk[at..].starts_with(&bytes), "block {block}");
                    at += bytes.len();
                }
                assert_eq!(at, chunk.len());
            }
            Ok(chunk)
        };
        match one() {
            Ok(chunk) => all.extend(chunk),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    for name in reader.vlmetalayers().names() {
        first_error = first_error.or(reader.vlmetalayer(name).err());
    }
    first_error.map_or(Ok(all), Err)
}

/// The same bytes without a slice to borrow, so that the paths of files are taken.
#[derive(Debug)]
struct Unborrowed(Memory<Vec<u8>>);

impl ReadAt for Unborrowed {
    fn len(&self) -> std::io::Result<u64> {
        self.0.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> std::io::Result<()> {
        self.0.read_exact_at(buf, offset)
    }
}

#[test]
fn every_byte_damaged_is_an_error_or_data() {
    for frame in frames() {
        let good = read_all(Contiguous::new(Memory(&frame))).unwrap();
        assert_eq!(
            read_all(Contiguous::new(Unborrowed(Memory(frame.clone())))).unwrap(),
            good
        );
        let mut refused = 0;
        for at in 0..frame.len() {
            let byte = frame[at];
            for damaged in [0x00, 0xFF, !byte, byte ^ 1, byte ^ 0x80] {
                let mut bad = frame.clone();
                bad[at] = damaged;
                let borrowed = read_all(Contiguous::new(Memory(&bad)));
                let read = read_all(Contiguous::new(Unborrowed(Memory(bad))));
                match (borrowed, read) {
                    (Ok(borrowed), Ok(read)) => assert_eq!(borrowed, read, "byte {at}"),
                    (Err(error), Err(read)) => {
                        assert_eq!(error.to_string(), read.to_string(), "byte {at}");
                        assert_ne!(error.kind(), ErrorKind::Io, "byte {at}: {error}");
                        // Another kind of frame is no place, and a limit no part.
                        let whole = error.kind() == ErrorKind::Mismatch;
                        let limit = error.kind() == ErrorKind::LimitExceeded;
                        assert!(error.offset().is_some() || whole, "byte {at}: {error}");
                        assert!(
                            error.part().is_some() || whole || limit,
                            "byte {at}: {error}"
                        );
                        refused += 1;
                    }
                    (borrowed, read) => panic!("byte {at}: {borrowed:?}, {read:?}"),
                }
            }
        }
        assert!(refused > 300, "{refused} of {} bytes", frame.len());
    }
}

#[test]
fn every_truncation_is_an_error() {
    for frame in frames() {
        for len in 0..frame.len() {
            let error = read_all(Contiguous::new(Memory(&frame[..len]))).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Truncated, "{len}: {error}");
            let whole = Unborrowed(Memory(frame.clone()));
            let window = Window::new(whole, 0, len as u64).unwrap();
            let other = read_all(Contiguous::new(window)).unwrap_err();
            assert_eq!(error.to_string(), other.to_string());
        }
    }
}

/// Two neighbouring bytes, and pairs of a length field and another byte.
#[test]
fn length_fields_that_lie_are_caught() {
    let frame = frames().remove(0);
    let len = frame.len();
    for field in [0x0B, 0x10, 0x1E, 0x27, 0x30, 0x35, 0x3A, len - 22] {
        for value in [0, 1, 31, 86, 87, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF_u32] {
            for at in [field, field + 4] {
                let mut bad = frame.clone();
                let Some(bytes) = bad.get_mut(at..at + 4) else {
                    continue;
                };
                bytes.copy_from_slice(&value.to_be_bytes());
                let _ = read_all(Contiguous::new(Memory(bad)));
            }
        }
    }
    for at in 0..len - 1 {
        for pair in [[0xFF, 0xFF], [0x80, 0x00], [0x7F, 0xFF]] {
            let mut bad = frame.clone();
            bad[at..at + 2].copy_from_slice(&pair);
            let _ = read_all(Contiguous::new(Memory(bad)));
        }
    }
}

#[test]
fn damaged_sparse_frames_are_errors_or_data() {
    let begin = || {
        let params = FrameParams::new(CParams::new(4), 200)
            .vlmetalayer("v", b"content")
            .unwrap();
        FrameWriter::create_in(Sparse::new(MemoryDir::new()), params).unwrap()
    };
    let mut plain = begin();
    plain.append(&data(120)).unwrap();
    let mut special = begin();
    special.append(&data(50)).unwrap();
    special.append_special(Special::Nans, 400).unwrap();
    special
        .append_special(Special::Repeat(b"ABCD"), 200)
        .unwrap();
    let mut vlblocks = begin();
    vlblocks
        .append_vlblocks(&[data(10), data(40), data(3)])
        .unwrap();
    for writer in [plain, special, vlblocks] {
        damage_sparse(&writer.finish().unwrap().into_inner());
    }
}

fn damage_sparse(dir: &MemoryDir) {
    read_all(Sparse::open(dir.clone()).unwrap()).unwrap();
    for name in dir.names().unwrap() {
        let good = dir.open(&name).unwrap().0.to_vec();
        let mut without = dir.clone();
        without.remove(&name).unwrap();
        assert!(
            Sparse::open(without).and_then(read_all).is_err(),
            "without {name}"
        );
        for at in 0..good.len() {
            let mut broken = dir.clone();
            broken.replace(&name, &good[..at], false).unwrap();
            let result = Sparse::open(broken.clone()).and_then(read_all);
            assert_eq!(
                result.unwrap_err().kind(),
                ErrorKind::Truncated,
                "{name} cut at {at}"
            );
            for damage in [0x00, 0xFF, !good[at]] {
                let mut bad = good.clone();
                bad[at] = damage;
                broken.replace(&name, &bad, false).unwrap();
                let _ = Sparse::open(broken.clone()).and_then(read_all);
            }
        }
        let mut longer = dir.clone();
        longer
            .replace(&name, &[good.as_slice(), b"more"].concat(), false)
            .unwrap();
        let result = Sparse::open(longer).and_then(read_all);
        assert_eq!(
            result.is_ok(),
            name == "chunks.b2frame",
            "{name} with more after"
        );
    }
}

#[test]
fn limits_stop_what_the_format_allows() {
    let frame = frames().remove(3);
    let open = |limits| FrameReader::from_bytes(frame.clone(), DParams::new().limits(limits));
    let exceeded = |limits: Limits, name: &str| {
        let error = open(limits).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert!(error.to_string().contains(name), "{error}");
    };
    assert!(open(Limits::UNTRUSTED).is_ok());
    exceeded(Limits::UNTRUSTED.max_nchunks(99), "max_nchunks");
    exceeded(Limits::UNTRUSTED.max_alloc(799), "max_alloc");
    let mut limits = Limits::UNTRUSTED;
    limits.max_frame_header_len = 100;
    exceeded(limits, "max_frame_header_len");
    limits = Limits::UNTRUSTED;
    limits.max_frame_trailer_len = 80;
    exceeded(limits, "max_frame_trailer_len");
    limits = Limits::UNTRUSTED;
    limits.max_vlmetalayer_nbytes = 99;
    let error = open(limits).unwrap().vlmetalayer("v").unwrap_err();
    assert!(
        error.to_string().contains("max_vlmetalayer_nbytes"),
        "{error}"
    );
    // Eight bytes of header turn 100 chunks into 2^57.
    let mut bomb = frame.clone();
    bomb[0x1E..0x26].copy_from_slice(&i64::MAX.to_be_bytes());
    let error = FrameReader::from_bytes(bomb, DParams::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
}

#[test]
fn errors_name_the_chunk_and_the_byte_of_the_frame() {
    let mut frame = frames().remove(0);
    let header_len = u64::from_be_bytes([0, 0, 0, 0, frame[11], frame[12], frame[13], frame[14]]);
    let reader = FrameReader::from_bytes(frame.clone(), DParams::new()).unwrap();
    let oxiblosc::schunk::StoredChunk::Bytes(first) = reader.chunk(0).unwrap() else {
        panic!("a stored chunk")
    };
    let second = usize::try_from(header_len).unwrap() + first.len();
    frame[second + 3] = 0;
    let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
    let mut chunk = [0; 200];
    let mut decoder = ChunkDecoder::new(DParams::new());
    let error = reader
        .decode_chunk_into(&mut decoder, 1, &mut chunk)
        .unwrap_err();
    assert_eq!(error.part(), Some(Part::ChunkHeader));
    assert_eq!(error.offset(), Some(second as u64 + 3));
    assert!(error.to_string().contains("chunk 1"), "{error}");
    assert_eq!(reader.check().unwrap_err().to_string(), error.to_string());
}
