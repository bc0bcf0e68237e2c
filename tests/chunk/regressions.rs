//! One test per fixed bug.

use oxiblosc::{CParams, ChunkEncoder, CodecId, FilterSlot, decompress};

/// Bytes without pattern.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            state.to_be_bytes()[0]
        })
        .collect()
}

/// C refuses a zeros chunk that claims a dictionary.
#[test]
#[cfg(feature = "lz4")]
fn zeros_with_a_dictionary_claim_none() {
    let cparams = CParams::new(4).codec(CodecId::LZ4).use_dict(true);
    let chunk = ChunkEncoder::new(cparams)
        .unwrap()
        .encode(&[0; 20_000])
        .unwrap();
    assert_eq!(chunk.len(), 32);
    assert_eq!(chunk[31], 0x10);
    assert_eq!(decompress(&chunk).unwrap(), [0; 20_000]);
}

/// The dictionary took the space that the blocks needed.
#[test]
#[cfg(feature = "lz4")]
fn incompressible_vlblocks_with_a_dictionary_fit() {
    let data = noise(6000);
    let blocks: Vec<&[u8]> = data.chunks(500).collect();
    for codec in [CodecId::LZ4, CodecId::LZ4HC] {
        let cparams = CParams::new(7)
            .codec(codec)
            .filters([FilterSlot::BITSHUFFLE])
            .use_dict(true);
        let chunk = ChunkEncoder::new(cparams)
            .unwrap()
            .encode_vlblocks(&blocks)
            .unwrap();
        assert!(chunk.len() <= data.len() + 32 + 8 * blocks.len());
        assert_eq!(decompress(&chunk).unwrap(), data);
    }
}

/// A frame that had lost its chunks kept their size, so larger chunks of zeros were stored as
/// bytes, and the index of a frame that is filled with one value named the first of them for all.
#[test]
#[cfg(feature = "frame")]
fn an_emptied_frame_is_filled() {
    use oxiblosc::{
        ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, FrameParams, FrameReader,
        FrameWriter, Special,
    };
    let cparams = CParams::new(4);
    let small = ChunkEncoder::new(cparams.clone())
        .unwrap()
        .encode(&[7; 164]);
    let mut writer = FrameWriter::in_memory(FrameParams::new(cparams, 1000)).unwrap();
    writer.append_chunk(&small.unwrap()).unwrap();
    writer.commit().unwrap();
    writer.delete_chunk(0).unwrap();
    writer.append_special(Special::Zeros, 2000).unwrap();
    let reader = FrameReader::from_bytes(writer.into_bytes().unwrap(), DParams::new()).unwrap();
    reader.check().unwrap();
    assert_eq!(reader.layout().chunksize, Some(1000));
    let mut all = [1; 2000];
    let mut decoder = ChunkDecoder::new(DParams::new());
    reader
        .read_bytes_into(&mut decoder, 0..2000, &mut all)
        .unwrap();
    assert_eq!(all, [0; 2000]);
    // The same where an odd size makes the chunks vary.
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 1000)).unwrap();
    writer.append_special(Special::Nans, 1500).unwrap();
    writer.append_special(Special::Nans, 1000).unwrap();
    let reader = FrameReader::from_bytes(writer.into_bytes().unwrap(), DParams::new()).unwrap();
    reader.check().unwrap();
    assert_eq!(reader.layout().nbytes, 2500);
}

/// Blocks of any size in a chunk that claims no bytes: decoding said "nothing", and the walk over
/// the same blocks refused them. Found by the fuzz target `chunk_decode`.
#[test]
fn vlblocks_of_no_bytes_are_refused() {
    use oxiblosc::{ChunkDecoder, ChunkView, ErrorKind, Limits, Part};
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let mut chunk = encoder.encode_vlblocks(&[&[7; 40][..], b"abc"]).unwrap();
    chunk[4..8].fill(0);
    let view = ChunkView::parse(&chunk, &Limits::FORMAT).unwrap();
    assert!(view.check_streams().is_err());
    let mut decoder = ChunkDecoder::default();
    let error = decoder.decode(&chunk).unwrap_err();
    assert_eq!(
        (error.kind(), error.part()),
        (ErrorKind::Corrupt, Some(Part::VlBlock))
    );
    assert!(decoder.decode_into(&chunk, &mut [0; 100]).is_err());
    assert!(decoder.decode_vlblock(&chunk, 0).is_err());
}

/// A block that takes bytes of the next one was decoded from what was read of it alone: an error,
/// or zeros where the bytes of the other had not been read.
#[test]
#[cfg(feature = "frame")]
fn blocks_that_share_bytes_are_read_whole() {
    use oxiblosc::{
        ChunkDecoder, ChunkSink, ChunkSource, DParams, FrameParams, FrameReader, FrameWriter,
    };
    let cparams = CParams::new(1).blocksize(Some(4096));
    let mut data = [7; 4 * 4096];
    data[4096..8192].copy_from_slice(&noise(4096));
    data[8192..12288].fill(0);
    data[5000..5004].fill(0);
    let mut chunk = ChunkEncoder::new(cparams.clone())
        .unwrap()
        .encode(&data)
        .unwrap();
    // Block 2, a run of zeros, begins where block 1, which is stored as it is, has four.
    let start = u32::from_le_bytes(*chunk[36..].first_chunk().unwrap());
    chunk[40..44].copy_from_slice(&(start + 4 + 5000 - 4096).to_le_bytes());
    assert_eq!(decompress(&chunk).unwrap(), data);

    let folder = crate::common::folder();
    let path = folder.path().join("shared.b2frame");
    let mut writer = FrameWriter::create(&path, FrameParams::new(cparams, data.len())).unwrap();
    writer.append_chunk(&chunk).unwrap();
    drop(writer.finish().unwrap());
    let reader = FrameReader::open(&path, DParams::new()).unwrap();
    let mut decoder = ChunkDecoder::default();
    for range in [4100..8000, 8190..8200, 4096..12288] {
        let mut part = vec![1; range.len()];
        reader
            .decode_chunk_bytes_into(&mut decoder, 0, range.clone(), &mut part)
            .unwrap();
        assert!(part == data[range.clone()], "bytes {range:?}");
        part.fill(1);
        reader
            .decode_chunk_ranges_into(&mut decoder, 0, std::slice::from_ref(&range), &mut part)
            .unwrap();
        assert!(part == data[range.clone()], "a list of {range:?}");
        part.fill(1);
        let mut lazy = reader.lazy_chunk(0).unwrap();
        lazy.decode_bytes_into(&mut decoder, range.clone(), &mut part)
            .unwrap();
        assert!(part == data[range.clone()], "lazy {range:?}");
    }
}

/// Blosc1 stores the snappy stream of a noisy byte plane although it is longer than the plane.
#[test]
#[cfg(feature = "snappy")]
fn snappy_streams_may_be_longer_than_their_content() {
    use oxiblosc::{ChunkDecoder, ErrorKind, Part};
    let chunk = include_bytes!("../data/snappy_500.blosc1");
    let content = include_bytes!("../data/snappy_500.blosc1.raw");
    assert_eq!(decompress(chunk).unwrap(), content);
    let mut decoder = ChunkDecoder::default();
    for items in [0..1, 7..9, 499..500] {
        let bytes = items.start * 8..items.end * 8;
        let decoded = decoder.decode_items(chunk, items).unwrap();
        assert_eq!(decoded, content[bytes]);
    }
    // The second stream, of 500 bytes, begins at 20 + 4 + 323: more than the worst case of Snappy,
    // 32 + 500 + 83 bytes, is refused there.
    let mut longer = chunk.to_vec();
    longer[347..351].copy_from_slice(&616_u32.to_le_bytes());
    let error = decompress(&longer).unwrap_err();
    assert_eq!(
        (error.kind(), error.part()),
        (ErrorKind::Corrupt, Some(Part::Stream))
    );
    assert_eq!(error.offset(), Some(347));
    // The room is only for snappy: the same size is refused in a chunk of LZ4.
    let mut lz4 = chunk.to_vec();
    lz4[2] = lz4[2] & 0x1F | 1 << 5;
    let error = decompress(&lz4).unwrap_err();
    assert_eq!(error.part(), Some(Part::Stream));
}

/// C-Blosc2 refuses a lone chunk with a BYTEDELTA whose meta byte is 0, so the typesize is stored.
#[test]
#[cfg(feature = "bytedelta")]
fn bytedelta_is_stored_with_its_width() {
    for (typesize, stored) in [(1, 1), (4, 4), (255, 255), (300, 1)] {
        let filters = [FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA];
        let cparams = CParams::new(typesize).filters(filters);
        let data: Vec<u8> = (0..9000_u32).flat_map(|i| (i / 3).to_le_bytes()).collect();
        let chunk = ChunkEncoder::new(cparams).unwrap().encode(&data).unwrap();
        assert_eq!((chunk[21], chunk[29]), (35, stored));
        assert_eq!(decompress(&chunk).unwrap(), data);
    }
}
