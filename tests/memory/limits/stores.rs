//! Frames that claim much, in every way to read and change them; directories.

use std::io::{Read, Seek, SeekFrom};

use oxiblosc::frame::{Contiguous, FrameStore, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkSink, ChunkSource, DParams, ErrorKind, FrameParams, FrameReader,
    FrameWriter, Limits, SChunk, Special,
};

use super::{Counted, REFUSAL, bomb, modest, refused, taken};

/// Chunks of up to a gigabyte are fine, results of more than a megabyte are not.
fn narrow() -> DParams {
    DParams::new().limits(Limits::UNTRUSTED.max_alloc(1 << 20))
}

/// Two chunks of a gigabyte and half a one, which have bytes of their own: 36 each.
fn gigabytes<S: oxiblosc::frame::FrameStoreMut>(store: S) -> S {
    let params = FrameParams::new(CParams::new(4), 1_000_000_000);
    let mut writer = FrameWriter::create_in(store, params).unwrap();
    for nbytes in [1_000_000_000, 1_000_000_000, 500_000_000] {
        let chunk = bomb(Special::Repeat(b"ABCD"), nbytes);
        writer.append_chunk(&chunk).unwrap();
    }
    writer.finish().unwrap()
}

fn contiguous() -> Contiguous<Memory<Vec<u8>>> {
    gigabytes(Contiguous::new(Memory(Vec::new())))
}

fn sparse() -> Sparse<MemoryDir> {
    gigabytes(Sparse::new(MemoryDir::new()))
}

pub(crate) fn reading() {
    read("a frame", contiguous());
    let dir = sparse().into_inner();
    read("a directory", Sparse::open(dir).unwrap());
}

fn read<S: FrameStore>(name: &str, store: S) {
    let what = |what: &str| format!("{name} of 2.5 GB: {what}");
    let most = 1 << 16;
    let reader = modest(&what("opening"), most, || {
        FrameReader::open_in(store, narrow())
    });
    modest(&what("checking"), most, || reader.check());
    refused(&what("verifying"), ErrorKind::LimitExceeded, most, || {
        reader.verify()
    });
    let mut decoder = ChunkDecoder::new(narrow());
    let mut some = [0; 400];
    let wanted = b"ABCD".repeat(100);
    modest(&what("bytes of two chunks"), most, || {
        reader.read_bytes_into(&mut decoder, 999_999_800..1_000_000_200, &mut some)
    });
    assert_eq!(some, *wanted);
    modest(&what("bytes of a chunk"), most, || {
        reader.decode_chunk_bytes_into(&mut decoder, 1, 999_999_600..1_000_000_000, &mut some)
    });
    modest(&what("a lazy chunk"), most, || {
        let mut lazy = reader.lazy_chunk(2)?;
        lazy.decode_bytes_into(&mut decoder, 400_000_000..400_000_400, &mut some)?;
        let ranges = [4..204, 499_999_800..500_000_000];
        lazy.decode_ranges_into(&mut decoder, &ranges, &mut some)
    });
    assert_eq!(some, *wanted);
    let (result, taken) = taken(&what("a block of a lazy chunk"), || {
        reader.lazy_chunk(2)?.decode_vlblock(&mut decoder, 0)
    });
    assert!(result.is_err() && taken <= most);
    modest(&what("items here and there"), most, || {
        reader.read_items_at(&mut decoder, &[0, 624_999_999, 250_000_000])
    });
    let many = reader.read_items_at(&mut decoder, &vec![3; 300_000]);
    assert_eq!(many.unwrap_err().kind(), ErrorKind::LimitExceeded);
    modest(&what("a stream"), 1 << 20, || {
        let mut bytes = reader.item_reader();
        let error = bytes.read_exact(&mut some).unwrap_err();
        let inner = error.get_ref().unwrap().to_string();
        assert!(inner.contains("max_alloc"), "{inner}");
        bytes.seek(SeekFrom::End(0)).unwrap();
        assert_eq!(bytes.read(&mut some).unwrap(), 0);
        Ok(())
    });
    refused(&what("a chunk"), ErrorKind::OutputTooSmall, REFUSAL, || {
        reader.decode_chunk_into(&mut decoder, 0, &mut some)
    });
    modest(&what("a copy as it is"), most, || {
        SChunk::from_source(&reader, CParams::new(4).clevel(1))
    });
}

/// Operations that decode a chunk to change part of it check the limits first.
pub(crate) fn writing() {
    let frame = contiguous().into_inner().0;
    let open = || FrameWriter::open_in(Contiguous::new(Memory(frame.clone())), narrow()).unwrap();
    let mut writer = open();
    let what = "a byte within 2.5 GB";
    refused(what, ErrorKind::LimitExceeded, 1 << 16, || {
        writer.set_items(5, &[1, 2, 3, 4])
    });
    let mut writer = open();
    let what = "an item after half a gigabyte";
    refused(what, ErrorKind::LimitExceeded, 1 << 16, || {
        writer.append(&[1, 2, 3, 4])?;
        writer.commit()
    });
    let mut writer = open();
    modest("chunks after 2.5 GB", 1 << 17, || {
        writer.append_chunk(&bomb(Special::Zeros, 500_000_000))?;
        writer.delete_chunk(0)?;
        writer.reorder_chunks(&[2, 0, 1])?;
        writer.commit()?;
        writer.compact()
    });
}

/// A file of a few hundred bytes whose million chunks are one and the same.
pub(crate) fn one_chunk_often() {
    let params = FrameParams::new(CParams::new(4), 4);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append_special(Special::Zeros, 4 << 20).unwrap();
    let mut frame = writer.into_bytes().unwrap();
    let header_len = usize::from(frame[13]) << 8 | usize::from(frame[14]);
    // A chunk of four bytes in front of the index, whose repeated entry is then 0.
    let chunk = oxiblosc::compress(&[1, 2, 3, 4], &CParams::new(4)).unwrap();
    let index = frame.split_off(header_len);
    frame.extend_from_slice(&chunk);
    frame.extend_from_slice(&index);
    let entry = header_len + chunk.len() + 32;
    assert_eq!(frame[entry..entry + 8], [0, 0, 0, 0, 0, 0, 0, 0x81]);
    frame[entry + 7] = 0;
    let len = frame.len() as u64;
    frame[0x10..0x18].copy_from_slice(&len.to_be_bytes());
    frame[0x27..0x2F].copy_from_slice(&(chunk.len() as u64).to_be_bytes());
    let storage = Counted::new(&frame);
    let reader = FrameReader::open_in(Contiguous::new(&storage), DParams::new()).unwrap();
    assert_eq!(reader.layout().nchunks, 1 << 20);
    let mut some = [0; 8];
    let mut decoder = ChunkDecoder::default();
    reader
        .read_bytes_into(&mut decoder, 4_000_000..4_000_008, &mut some)
        .unwrap();
    assert_eq!(some, [1, 2, 3, 4, 1, 2, 3, 4]);
    let (reads, read) = storage.work();
    println!("limits: a million times the same: {reads} reads of {read} bytes");
    assert!(reads <= 20 && read <= 2000, "{reads} reads of {read} bytes");
    // With a check first, the million chunks of a file of a few hundred bytes are not decoded.
    let index = (16 << 20) * 2 + (1 << 16);
    refused("checking it", ErrorKind::Corrupt, index, || reader.check());
    refused("verifying it", ErrorKind::Corrupt, index, || {
        reader.verify()
    });
    let (reads, read) = storage.work();
    assert!(reads <= 60 && read <= 6000, "{reads} reads of {read} bytes");
}

/// A directory whose million chunks are one and the same file: it is not opened a million times.
pub(crate) fn one_file_often() {
    let params = FrameParams::new(CParams::new(4), 4);
    let mut writer = FrameWriter::create_in(Sparse::new(MemoryDir::new()), params).unwrap();
    writer.append_special(Special::Zeros, 4 << 20).unwrap();
    let mut dir = writer.finish().unwrap().into_inner();
    let mut frame = dir.open("chunks.b2frame").unwrap().0.to_vec();
    let header_len = usize::from(frame[13]) << 8 | usize::from(frame[14]);
    assert_eq!(
        frame[header_len + 32..header_len + 40],
        [0, 0, 0, 0, 0, 0, 0, 0x81]
    );
    frame[header_len + 39] = 0;
    dir.replace("chunks.b2frame", &frame, false).unwrap();
    let chunk = oxiblosc::compress(&[1, 2, 3, 4], &CParams::new(4)).unwrap();
    dir.replace("00000000.chunk", &chunk, false).unwrap();
    let reader = FrameReader::open_in(Sparse::open(dir).unwrap(), DParams::new()).unwrap();
    let mut some = [0; 8];
    let mut decoder = ChunkDecoder::default();
    reader
        .read_bytes_into(&mut decoder, 4_000_000..4_000_008, &mut some)
        .unwrap();
    assert_eq!(some, [1, 2, 3, 4, 1, 2, 3, 4]);
    let places = (16 << 20) * 2 + (1 << 16);
    refused("one file often", ErrorKind::Corrupt, places, || {
        reader.check()
    });
}

/// Directories whose files say more than they hold.
pub(crate) fn directories() {
    let dir = sparse().into_inner();
    let read = |dir: MemoryDir| {
        let reader = FrameReader::open_in(Sparse::open(dir)?, narrow())?;
        reader.check()?;
        let mut some = [0; 40];
        reader.read_bytes_into(&mut ChunkDecoder::new(narrow()), 0..40, &mut some)
    };
    let most = 1 << 16;
    modest("a directory", most, || read(dir.clone()));
    let chunk = dir.open("00000000.chunk").unwrap().0.to_vec();
    let with = |name: &str, bytes: &[u8]| {
        let mut dir = dir.clone();
        dir.replace(name, bytes, false).unwrap();
        dir
    };
    for (at, value) in [(4, i32::MAX), (8, 1), (12, i32::MAX), (12, 1 << 30)] {
        let mut bad = chunk.clone();
        bad[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let dir = with("00000000.chunk", &bad);
        let (result, taken) = taken("a chunk file that lies", || read(dir.clone()));
        assert!(taken <= most, "{value} at {at}: {taken} bytes");
        assert!(result.is_err() || at == 8, "{value} at {at}");
    }
    for len in [0, 1, 15, 31] {
        let dir = with("00000000.chunk", &chunk[..len]);
        let (result, taken) = taken("a short chunk file", || read(dir.clone()));
        assert!(result.is_err() && taken <= most, "{len}: {taken} bytes");
    }
    let frame = dir.open("chunks.b2frame").unwrap().0.to_vec();
    for (at, width) in [(0x0B, 4), (0x10, 8), (0x1E, 8), (frame.len() - 22, 4)] {
        for value in [0x7FFF_FFFF_u64, i64::MAX as u64, u64::MAX, 1 << 24] {
            let mut bad = frame.clone();
            bad[at..at + width].copy_from_slice(&value.to_be_bytes()[8 - width..]);
            let dir = with("chunks.b2frame", &bad);
            let (result, taken) = taken("a directory that lies", || read(dir.clone()));
            assert!(
                result.is_err() && taken <= most,
                "{value:#x} at {at:#x}: {taken} bytes"
            );
        }
    }
}
