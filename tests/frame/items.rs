//! Super-chunks in memory, reads across chunks, and the two streams.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::io::{BufRead, Read, Seek, SeekFrom, Write};

use oxiblosc::frame::ItemReader;
use oxiblosc::schunk::{ChunkLayout, Metalayers, VlMetalayers};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, ErrorKind, FrameParams,
    FrameReader, FrameWriter, Limits, SChunk, Special,
};

fn data(n: u32) -> Vec<u8> {
    (0..n)
        .flat_map(|i| (i.wrapping_mul(2_654_435_761) >> 9).to_le_bytes())
        .collect()
}

/// The same content in every kind of source: one chunk size, many, in memory, in a file.
fn sources(content: &[u8], dir: &std::path::Path) -> Vec<Box<dyn ChunkSource>> {
    let cparams = CParams::new(4).blocksize(Some(128));
    let mut even = SChunk::new(cparams.clone(), 1000).unwrap();
    even.append(content).unwrap();
    let mut uneven = SChunk::new(cparams.clone(), 1000).unwrap();
    let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
    let mut rest = content;
    for len in [400, 1200, 4, 3000, 16, 700].into_iter().cycle() {
        let (now, later) = rest.split_at(rest.len().min(len));
        if now.is_empty() {
            break;
        }
        uneven.append_chunk(&encoder.encode(now).unwrap()).unwrap();
        rest = later;
    }
    let files = [
        ("even", even.to_cframe().unwrap()),
        ("uneven", uneven.to_cframe().unwrap()),
    ];
    let mut sources: Vec<Box<dyn ChunkSource>> = vec![Box::new(even), Box::new(uneven)];
    for (name, frame) in files {
        let path = dir.join(name);
        std::fs::write(&path, &frame).unwrap();
        sources.push(Box::new(FrameReader::open(path, DParams::new()).unwrap()));
        sources.push(Box::new(
            FrameReader::from_bytes(frame, DParams::new()).unwrap(),
        ));
    }
    sources
}

#[test]
fn items_are_read_across_chunks() {
    let content = data(2777);
    let dir = tempfile::tempdir().unwrap();
    for source in sources(&content, dir.path()) {
        let source = &*source;
        assert_eq!(source.layout().nbytes, content.len() as u64);
        let mut decoder = ChunkDecoder::new(DParams::new());
        let mut out = vec![0; content.len()];
        for start in (0..2777).step_by(97) {
            for len in [0, 1, 2, 31, 249, 250, 251, 600, 2777] {
                let end = (start + len).min(2777);
                let bytes = &content[start * 4..end * 4];
                let range = start as u64..end as u64;
                assert_eq!(
                    source
                        .read_items_into(&mut decoder, range, &mut out)
                        .unwrap(),
                    bytes.len()
                );
                assert_eq!(&out[..bytes.len()], bytes, "{start} {end}");
            }
        }
        let mut one = [0; 3];
        for (range, kind) in [
            (0..1, ErrorKind::OutputTooSmall),
            (2777..2778, ErrorKind::OutOfBounds),
            (0..u64::MAX, ErrorKind::OutOfBounds),
            (u64::MAX..u64::MAX, ErrorKind::OutOfBounds),
        ] {
            let error = source
                .read_items_into(&mut decoder, range, &mut one)
                .unwrap_err();
            assert_eq!(error.kind(), kind);
        }
        let nchunks = source.layout().nchunks;
        assert_eq!(
            source.chunk(nchunks).unwrap_err().kind(),
            ErrorKind::OutOfBounds
        );
        assert_eq!(
            source.chunk_nbytes(nchunks).unwrap_err().kind(),
            ErrorKind::OutOfBounds
        );
    }
}

#[test]
fn a_source_is_a_stream_to_read_and_seek_in() {
    let content = data(2777);
    let dir = tempfile::tempdir().unwrap();
    for source in sources(&content, dir.path()) {
        let mut reader = ItemReader::new(&*source);
        assert_eq!(reader.nbytes(), content.len() as u64);
        let mut all = Vec::new();
        reader.read_to_end(&mut all).unwrap();
        assert!(all == content);
        assert_eq!(reader.read(&mut [0; 10]).unwrap(), 0);
        let len = i64::try_from(content.len()).unwrap();
        for (to, at) in [
            (SeekFrom::Start(5000), 5000),
            (SeekFrom::Current(-1234), 3766),
            (SeekFrom::End(-1), content.len() - 1),
            (SeekFrom::Start(0), 0),
            (SeekFrom::Current(len), content.len()),
            (SeekFrom::End(1000), content.len() + 1000),
        ] {
            assert_eq!(reader.seek(to).unwrap(), at as u64);
            let mut bytes = vec![0; content.len().saturating_sub(at).min(1500)];
            reader.read_exact(&mut bytes).unwrap();
            assert!(bytes.is_empty() || bytes == content[at..at + bytes.len()]);
            reader.seek(SeekFrom::Start(at as u64)).unwrap();
            assert!(
                content
                    .get(at..)
                    .unwrap_or_default()
                    .starts_with(reader.fill_buf().unwrap())
            );
        }
        assert!(reader.seek(SeekFrom::Current(i64::MIN)).is_err());
        assert!(reader.seek(SeekFrom::End(-len - 1)).is_err());
        assert_eq!(
            reader.stream_position().unwrap(),
            content.len() as u64 + 1000
        );
    }
}

#[test]
fn a_writer_is_a_stream_whatever_the_pieces() {
    let content = data(5000);
    let mut frames = Vec::new();
    for piece in [1, 7, 999, 1000, 1001, 20_000] {
        let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 1000)).unwrap();
        for bytes in content.chunks(piece) {
            writer.write_all(bytes).unwrap();
            if piece > 1 {
                writer.flush().unwrap();
            }
        }
        frames.push(writer.into_bytes().unwrap());
    }
    let mut schunk = SChunk::new(CParams::new(4), 1000).unwrap();
    for bytes in content.chunks(777) {
        schunk.append(bytes).unwrap();
    }
    frames.push(schunk.to_cframe().unwrap());
    for frame in &frames {
        assert!(*frame == frames[0]);
    }
}

#[test]
fn items_are_overwritten_in_place() {
    let mut content = data(2777);
    let mut schunk = SChunk::new(CParams::new(4), 1000).unwrap();
    schunk.append(&content).unwrap();
    for (start, len) in [(0, 1), (249, 2), (100, 1000), (2776, 1), (0, 2777), (5, 0)] {
        let new: Vec<u8> = (0..len * 4)
            .map(|i| u8::try_from(i % 251).unwrap())
            .collect();
        schunk.set_items(start as u64, &new).unwrap();
        content[start * 4..(start + len) * 4].copy_from_slice(&new);
        assert!(schunk.read_items(0..2777).unwrap() == content);
        assert_eq!(schunk.layout().chunksize, Some(1000));
    }
    let error = schunk.set_items(2777, &[1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert_eq!(
        schunk.read_items(2..2778).unwrap_err().kind(),
        ErrorKind::OutOfBounds
    );
    schunk.set_dparams(DParams::new().limits(Limits::UNTRUSTED.max_alloc(4000)));
    assert!(schunk.read_items(0..1000).is_ok());
    assert_eq!(
        schunk.read_items(0..1001).unwrap_err().kind(),
        ErrorKind::LimitExceeded
    );
}

#[test]
fn a_copy_keeps_chunks_and_metalayers() {
    let mut schunk = SChunk::new(CParams::new(4).clevel(9), 1000).unwrap();
    schunk.metalayers_mut().insert("m", b"fixed").unwrap();
    schunk.vlmetalayers_mut().set("v", b"variable").unwrap();
    schunk.append(&data(700)).unwrap();
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    schunk
        .insert_chunk(1, &encoder.encode_special(Special::Zeros, 1000).unwrap())
        .unwrap();
    let frame = schunk.to_cframe().unwrap();
    let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
    assert_eq!(reader.metalayers(), schunk.metalayers());
    let copy = SChunk::from_cframe(&frame, DParams::new()).unwrap();
    assert_eq!(copy.vlmetalayer("v").unwrap().unwrap(), b"variable");
    assert_eq!(copy.vlmetalayer("w").unwrap(), None);
    assert_eq!(copy.layout(), schunk.layout());
    assert_eq!(copy.to_cframe().unwrap(), frame);
    let ChunkLayout {
        nchunks,
        nbytes,
        chunksize,
        ..
    } = copy.layout();
    assert_eq!((nchunks, nbytes, chunksize), (4, 3800, Some(1000)));
}

#[test]
fn metalayers_have_limits() {
    let mut metalayers = Metalayers::new();
    let refused = |error: oxiblosc::Error| assert_eq!(error.kind(), ErrorKind::Refused);
    for i in 0..16 {
        metalayers.insert(&format!("name {i}"), b"1234").unwrap();
    }
    refused(metalayers.insert("one more", b"").unwrap_err());
    assert_eq!(metalayers.len(), 16);
    let mut metalayers = Metalayers::new();
    metalayers.insert("", b"no name").unwrap();
    metalayers.insert(&"x".repeat(31), b"").unwrap();
    refused(metalayers.insert(&"x".repeat(32), b"").unwrap_err());
    refused(metalayers.insert("", b"again").unwrap_err());
    refused(metalayers.update("none", b"").unwrap_err());
    metalayers.update("", b"NO").unwrap();
    assert_eq!(metalayers.get(""), Some(&b"NO name"[..]));
    let error = metalayers.update("", b"longer than before").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    let mut vlmetalayers = VlMetalayers::new();
    refused(vlmetalayers.set(&"x".repeat(32), b"").unwrap_err());
    vlmetalayers.set("v", &[7; 5000]).unwrap();
    let mut limits = Limits::default();
    limits.max_vlmetalayer_nbytes = 4999;
    let error = vlmetalayers
        .get("v", &DParams::new().limits(limits))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(vlmetalayers.remove("v") && !vlmetalayers.remove("v"));
    assert!(vlmetalayers.is_empty());
}

#[test]
fn chunks_with_and_without_variable_blocks_do_not_mix() {
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let vlblocks = encoder
        .encode_vlblocks(&[b"first".as_slice(), b"the second"])
        .unwrap();
    let regular = encoder.encode(&[7; 100]).unwrap();
    let mut schunk = SChunk::new(CParams::new(1), 100).unwrap();
    schunk.append_chunk(&vlblocks).unwrap();
    assert_eq!(
        schunk.append_chunk(&regular).unwrap_err().kind(),
        ErrorKind::Refused
    );
    assert_eq!(
        schunk.append(b"bytes").unwrap_err().kind(),
        ErrorKind::Refused
    );
    let frame = schunk.to_cframe().unwrap();
    let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
    assert!(reader.header().vlblocks && reader.header().version == 3);
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 100)).unwrap();
    writer.append(&[1; 100]).unwrap();
    assert_eq!(
        writer.append_chunk(&vlblocks).unwrap_err().kind(),
        ErrorKind::Refused
    );
    // Chunks that frames cannot hold.
    let empty = encoder.encode(&[]).unwrap();
    assert_eq!(
        writer.append_chunk(&empty).unwrap_err().kind(),
        ErrorKind::Refused
    );
    assert_eq!(
        writer.append_chunk(&regular[..40]).unwrap_err().kind(),
        ErrorKind::Truncated
    );
    let longer = [regular.as_slice(), b"x"].concat();
    assert_eq!(
        writer.append_chunk(&longer).unwrap_err().kind(),
        ErrorKind::Corrupt
    );
}

#[test]
fn a_lazy_chunk_reads_only_what_it_needs() {
    let content = data(100_000);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frame");
    let cparams = CParams::new(4).blocksize(Some(4096));
    let mut writer = FrameWriter::create(&path, FrameParams::new(cparams, content.len())).unwrap();
    writer.append(&content).unwrap();
    writer.finish().unwrap();
    let reader = FrameReader::open(&path, DParams::new()).unwrap();
    let mut decoder = ChunkDecoder::new(DParams::new());
    let mut chunk = reader.lazy_chunk(0).unwrap();
    let cbytes = u64::from(chunk.header().unwrap().cbytes);
    let table = chunk.bytes_read();
    assert_eq!(table, 32 + 4 * 98);
    let mut part = [0; 100];
    chunk
        .decode_bytes_into(&mut decoder, 50_000..50_100, &mut part)
        .unwrap();
    assert_eq!(part, content[50_000..50_100]);
    let one_block = chunk.bytes_read() - table;
    assert!(
        one_block > 0 && one_block < cbytes / 50,
        "{one_block} of {cbytes}"
    );
    chunk
        .decode_bytes_into(&mut decoder, 50_050..50_150, &mut part)
        .unwrap();
    assert_eq!(chunk.bytes_read() - table, one_block);
    let mut all = vec![0; content.len()];
    chunk
        .decode_bytes_into(&mut decoder, 0..content.len(), &mut all)
        .unwrap();
    assert!(all == content);
    assert_eq!(chunk.bytes_read(), cbytes);
}

/// Each byte becomes the sum of its block, so a filter that misses a part of the block shows.
#[test]
fn a_postfilter_sees_whole_blocks_of_a_lazy_chunk() {
    let content = data(100_000);
    let dparams = DParams::new().postfilter(|_, src, dst| {
        let sum = src.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        dst.fill(sum);
        Ok(())
    });
    for clevel in [0, 5] {
        let cparams = CParams::new(4).blocksize(Some(4096)).clevel(clevel);
        let mut schunk = SChunk::new(cparams, content.len()).unwrap();
        schunk.append(&content).unwrap();
        let frame = schunk.to_cframe().unwrap();
        let reader = FrameReader::from_bytes(frame, dparams.clone()).unwrap();
        let mut decoder = ChunkDecoder::new(dparams.clone());
        let mut expected = vec![0; content.len()];
        for (src, dst) in content.chunks(4096).zip(expected.chunks_mut(4096)) {
            dst.fill(src.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)));
        }
        let ranges = [10..20, 4090..4100, 50_000..50_100, 99_990..100_000];
        for range in &ranges {
            let mut chunk = reader.lazy_chunk(0).unwrap();
            let mut part = vec![0; range.len()];
            let len = chunk.decode_bytes_into(&mut decoder, range.clone(), &mut part);
            assert_eq!(len.unwrap(), range.len());
            assert_eq!(part, expected[range.clone()], "{clevel} {range:?}");
            let mut chunk = reader.lazy_chunk(0).unwrap();
            let bytes = chunk.bytes_for(range.clone()).unwrap();
            let part = decoder.decode_bytes(bytes, range.clone()).unwrap();
            assert_eq!(part, expected[range.clone()], "{clevel} {range:?}");
        }
        let mut chunk = reader.lazy_chunk(0).unwrap();
        let mut parts = vec![0; 130];
        let len = chunk.decode_ranges_into(&mut decoder, &ranges, &mut parts);
        assert_eq!(len.unwrap(), parts.len());
        let all = ranges.iter().flat_map(|range| &expected[range.clone()]);
        assert!(parts.iter().eq(all), "{clevel}");
    }
}
