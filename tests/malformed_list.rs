//! The table of malformed inputs that have broken readers before, entry by entry of the list in
//! format §12.4: each is built, handed to what would read it, and refused with its kind.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use oxiblosc::b2nd::{Array, ArrayParams, B2ndMeta};
use oxiblosc::frame::Sparse;
use oxiblosc::kernels::{blosclz, lz4};
use oxiblosc::storage::{Directory, MemoryDir};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, ErrorKind,
    FilterId, FilterSlot, FrameParams, FrameReader, FrameWriter, Limits, Result, Special, compress,
    decompress,
};

use ErrorKind::{
    Corrupt, InvalidParam, LimitExceeded, OutOfBounds, OutputTooSmall, Refused, Truncated,
    Unsupported,
};

/// A row: the number in the list, what the input is, how it may be refused, and the attempt.
type Row = (u32, &'static str, &'static [ErrorKind], fn() -> Result<()>);

/// One row for every input that the list names; entries of several have several.
const ROWS: &[Row] = &[
    (1, "literals beyond the input", &[Corrupt], || {
        blosclz_chunk(&[31, 1, 2])
    }),
    (1, "literals beyond the output", &[Corrupt], || {
        blosclz_chunk(&[31; 33])
    }),
    (1, "a match beyond the output", &[Corrupt], || {
        blosclz_chunk(&[0x20, 7, 0xE0, 250, 0, 0, 7])
    }),
    (1, "a match before the output", &[Corrupt], || {
        blosclz_chunk(&[0x20, 7, 0x40, 9, 0, 7])
    }),
    (1, "a stream cut behind a token", &[Corrupt], || {
        blosclz_chunk(&[0x20, 7, 0xE0])
    }),
    (1, "an LZ4 match before the output", &[Corrupt], || {
        lz4_chunk(&[0x10, 7, 9, 0, 0x50, 1, 2, 3, 4, 5])
    }),
    (1, "an LZ4 stream cut behind a token", &[Corrupt], || {
        lz4_chunk(&[0x1F, 7, 1])
    }),
    (
        1,
        "a stream of a codec not offered (ndlz)",
        &[Unsupported],
        || patched(&[(2, &[0xC5]), (22, &[32])]),
    ),
    (2, "cbytes of less than a header", &[Corrupt], || {
        patched(&[(12, &[31, 0, 0, 0])])
    }),
    (2, "cbytes of more than the buffer", &[Truncated], || {
        patched(&[(12, &[0, 0, 1, 0])])
    }),
    (
        2,
        "nbytes of more than the blocks",
        &[Truncated, Corrupt],
        || patched(&[(4, &[0, 0, 1, 0])]),
    ),
    (2, "blocksize 0", &[Corrupt], || patched(&[(8, &[0; 4])])),
    (2, "blocksize -1", &[Corrupt], || {
        patched(&[(8, &[0xFF; 4])])
    }),
    (2, "typesize 0", &[Corrupt], || patched(&[(3, &[0])])),
    (2, "nbytes -1", &[Corrupt], || patched(&[(4, &[0xFF; 4])])),
    (2, "a destination too small", &[OutputTooSmall], || {
        ChunkDecoder::default()
            .decode_into(&regular(), &mut [0; 10])
            .map(drop)
    }),
    (3, "csize INT_MIN", &[Corrupt], || stream_prefix(i32::MIN)),
    (3, "csize -256", &[Corrupt], || stream_prefix(-256)),
    (
        3,
        "csize of more than the rest",
        &[Truncated, Corrupt],
        || stream_prefix(i32::MAX),
    ),
    (4, "a bstart past the buffer", &[Corrupt], || {
        patched(&[(36, &i32::MAX.to_le_bytes())])
    }),
    (4, "a bstart inside the header", &[Corrupt], || {
        patched(&[(36, &[8, 0, 0, 0])])
    }),
    (4, "a negative bstart", &[Corrupt], || {
        patched(&[(36, &[0xFB, 0xFF, 0xFF, 0xFF])])
    }),
    (
        4,
        "four bytes for each of 2^31 blocks",
        &[Truncated],
        || patched(&[(4, &i32::MAX.to_le_bytes()), (8, &[1, 0, 0, 0])]),
    ),
    (4, "items from 2^31 on", &[OutOfBounds], || {
        items(1 << 31, (1 << 31) + 1)
    }),
    (4, "items up to 2^63", &[OutOfBounds], || {
        items(0, usize::MAX / 2)
    }),
    (4, "items in front of items", &[InvalidParam], || {
        items(9, 3)
    }),
    (
        5,
        "a repeated value wider than its bytes",
        &[Corrupt],
        || special(Special::Repeat(b"abcd"), 12, &[32]),
    ),
    (
        5,
        "a repeated value that is cut",
        &[Corrupt, Truncated],
        || {
            let chunk = special_chunk(Special::Repeat(b"abcd"));
            decompress(&chunk[..chunk.len() - 1]).map(drop)
        },
    ),
    (5, "NaN of 5 bytes", &[Corrupt], || {
        special(Special::Nans, 3, &[5])
    }),
    (5, "NaN of an odd size", &[Corrupt], || {
        special(Special::Nans, 4, &[3])
    }),
    (6, "blocks of more than 2^31 bytes", &[Corrupt], || {
        vlblock(0, &i32::MAX.to_le_bytes())
    }),
    (6, "a block of no bytes", &[Corrupt], || vlblock(0, &[0; 4])),
    (
        6,
        "blocks of fewer bytes than the chunk",
        &[Corrupt],
        || vlblock(0, &[1, 0, 0, 0]),
    ),
    (6, "bstarts that do not increase", &[Corrupt], || {
        vlblocks_patched(36, 32)
    }),
    (6, "a span of 4 bytes", &[Corrupt, Truncated], || {
        let chunk = vlblocks();
        let first = le32(&chunk, 32);
        decompress(&with(&chunk, 36, &(first + 4).to_le_bytes())).map(drop)
    }),
    (6, "2^31 blocks", &[Truncated], || {
        decompress(&with(&vlblocks(), 8, &i32::MAX.to_le_bytes())).map(drop)
    }),
    (7, "a lazy chunk from outside", &[Corrupt], || {
        patched(&[(31, &[0x08])])
    }),
    (7, "a lazy chunk in a frame", &[Corrupt], || {
        frame_chunk_patched(31, &[0x08])
    }),
    (8, "header_len 0", &[Corrupt], || {
        frame_patched(0x0B, &[0; 4])
    }),
    (8, "header_len 86", &[Corrupt], || {
        frame_patched(0x0B, &[0, 0, 0, 86])
    }),
    (
        8,
        "header_len beyond the frame",
        &[Corrupt, Truncated],
        || frame_patched(0x0B, &[0, 1, 0, 0]),
    ),
    (8, "header_len negative", &[Corrupt, LimitExceeded], || {
        frame_patched(0x0B, &[0xFF; 4])
    }),
    (8, "trailer_len 0", &[Corrupt], || trailer_len(0)),
    (
        8,
        "trailer_len beyond the frame",
        &[Corrupt, Truncated],
        || trailer_len(1 << 20),
    ),
    (8, "trailer_len negative", &[Corrupt, LimitExceeded], || {
        trailer_len(u32::MAX)
    }),
    (8, "frame_len near 2^63", &[Corrupt, Truncated], || {
        frame_patched(0x10, &i64::MAX.to_be_bytes())
    }),
    (8, "frame_len negative", &[Corrupt], || {
        frame_patched(0x10, &[0xFF; 8])
    }),
    (
        8,
        "the index at a place that overflows",
        &[Corrupt, Truncated],
        || frame_patched(0x27, &i64::MAX.to_be_bytes()),
    ),
    (8, "an index of another size", &[Corrupt], || {
        frame_patched(0x1E, &[0, 0, 0, 0, 0, 0, 1, 0])
    }),
    (
        8,
        "a negative offset that is no special value",
        &[Corrupt],
        // The bits of the top byte are the kinds; as C does, any of them will do.
        || index_entry(i64::MIN),
    ),
    (
        8,
        "a negative offset of an unknown kind",
        &[Corrupt],
        || index_entry((0x90_u64 << 56).cast_signed() + 5),
    ),
    (8, "an offset past the section", &[Corrupt], || {
        index_entry(1 << 40)
    }),
    (
        8,
        "a chunk that ends behind the frame",
        &[Corrupt, Truncated],
        || frame_chunk_patched(12, &[0, 0, 1, 0]),
    ),
    (
        8,
        "a special value in a frame of varying chunks",
        &[Corrupt],
        varying_special,
    ),
    (
        9,
        "a metalayer whose offset and length wrap",
        &[Corrupt, Truncated],
        || metalayer(&[0x7F, 0xFF, 0xFF, 0xF0]),
    ),
    (
        9,
        "a metalayer of negative length",
        &[Corrupt, Truncated],
        || metalayer_content(&[0xFF; 4]),
    ),
    (9, "65,535 metalayers", &[Corrupt, Truncated], || {
        frame_patched(0x5B, &[0xFF, 0xFF])
    }),
    (
        9,
        "a name that runs over the header",
        &[Corrupt, Truncated],
        || frame_patched(0x5D, &[0xBF]),
    ),
    (10, "too many dimensions", &[LimitExceeded, Corrupt], || {
        meta_patched(2, &[17])
    }),
    (
        10,
        "chunkshape 0 under a shape",
        &[Corrupt, InvalidParam],
        || grid(&[5, 5], &[0, 5], &[0, 5]),
    ),
    (
        10,
        "blockshape 0 under a chunkshape",
        &[Corrupt, InvalidParam],
        || grid(&[5, 5], &[5, 5], &[0, 5]),
    ),
    (
        10,
        "a blockshape whose product wraps to 0",
        &[Corrupt, InvalidParam],
        || grid(&[5, 5], &[1 << 16, 1 << 16], &[1 << 16, 1 << 16]),
    ),
    (
        10,
        "chunks of more than 2^31 bytes",
        &[Corrupt, InvalidParam],
        || grid(&[1 << 20, 1 << 20], &[1 << 15, 1 << 14], &[8, 8]),
    ),
    (
        10,
        "a shape whose product wraps",
        &[Corrupt, InvalidParam],
        || grid(&[1 << 40, 1 << 40], &[5, 5], &[5, 5]),
    ),
    (10, "a negative shape", &[Corrupt], || {
        meta_patched(5, &[0xFF; 8])
    }),
    (
        10,
        "a dtype of negative length",
        &[Corrupt, Truncated],
        dtype_len,
    ),
    (
        11,
        "ndcell without shapes",
        &[Corrupt, Unsupported, InvalidParam],
        || filter(FilterId::NDCELL, 4),
    ),
    (
        11,
        "ndcell of side 0",
        &[Corrupt, Unsupported, InvalidParam],
        || filter(FilterId::NDCELL, 0),
    ),
    (
        11,
        "ndmean of side 0",
        &[Corrupt, Unsupported, InvalidParam],
        || filter(FilterId::NDMEAN, 0),
    ),
    (
        11,
        "ndcell with another block length",
        &[Corrupt, Unsupported, InvalidParam],
        ndcell_of_another_shape,
    ),
    (11, "zfp", &[Unsupported], || {
        patched(&[(2, &[0xC5]), (22, &[33])])
    }),
    (
        12,
        "a chunk file of a number beyond 2^32",
        &[Corrupt],
        || sparse_entry(1 << 33),
    ),
    (
        12,
        "a chunk file that is not there",
        &[Truncated, Corrupt, ErrorKind::Io],
        || sparse_entry(7),
    ),
    (12, "a file name with a path", &[ErrorKind::Io], path_trick),
    (13, "an order that repeats a chunk", &[Refused], || {
        reorder(&[0, 0])
    }),
    (
        13,
        "an order of chunks that are not there",
        &[OutOfBounds],
        || reorder(&[0, u64::MAX]),
    ),
    (13, "an order of too few chunks", &[Refused], || {
        reorder(&[0])
    }),
    (13, "a chunk that is not there", &[OutOfBounds], || {
        let reader = FrameReader::from_bytes(frame(), DParams::new())?;
        reader.chunk(u64::MAX).map(drop)
    }),
    (
        13,
        "an update of a chunk that is not there",
        &[OutOfBounds],
        || {
            let mut writer = writer();
            writer.update_chunk(2, &regular())
        },
    ),
    (
        14,
        "a header of 16 bytes and nothing else",
        &[Truncated, Corrupt],
        || {
            let mut chunk = regular()[..16].to_vec();
            chunk[0] = 2;
            chunk[2] = 0;
            chunk[12..16].copy_from_slice(&[16, 0, 0, 0]);
            decompress(&chunk).map(drop)
        },
    ),
    (
        15,
        "a codec of a name nobody registered",
        &[Unsupported],
        || patched(&[(2, &[0xC5]), (22, &[200])]),
    ),
    (
        15,
        "a filter of a name nobody registered",
        &[Unsupported],
        || patched(&[(16, &[200])]),
    ),
    (16, "a dictionary of size 0", &[Corrupt], || dict(0)),
    (16, "a dictionary of negative size", &[Corrupt], || dict(-1)),
    (
        16,
        "a dictionary of more than 32,768 bytes",
        &[Corrupt],
        || dict(32_769),
    ),
    (
        16,
        "a dictionary of more than the chunk",
        &[Truncated],
        || dict(32_768),
    ),
];

#[test]
fn every_input_of_the_list_is_refused() {
    let mut wrong = Vec::new();
    for (number, what, kinds, attempt) in ROWS {
        match attempt() {
            Ok(()) => wrong.push(format!("{number}. {what}: accepted")),
            Err(error) if !kinds.contains(&error.kind()) => {
                wrong.push(format!("{number}. {what}: {:?}, {error}", error.kind()));
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for number in 1..=16 {
        assert!(
            ROWS.iter().any(|row| row.0 == number),
            "no row for entry {number}"
        );
    }
}

// ---- chunks ----

/// A ramp of numbers of four bytes.
fn data(len: usize) -> Vec<u8> {
    let numbers = (0..1_000_000_u32).flat_map(|i| (3 * i).to_le_bytes());
    numbers.take(len).collect()
}

/// Two split blocks of a chunk: typesize 4, shuffle.
fn regular() -> Vec<u8> {
    compress(&data(1200), &CParams::new(4).blocksize(Some(800))).unwrap()
}

fn with(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

fn le32(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn patched(patches: &[(usize, &[u8])]) -> Result<()> {
    let mut chunk = regular();
    for (at, new) in patches {
        chunk = with(&chunk, *at, new);
    }
    let limits = Limits::FORMAT.max_alloc(1 << 20);
    let decoded = ChunkDecoder::new(DParams::new().limits(limits)).decode(&chunk);
    decoded.map(drop)
}

fn stream_prefix(csize: i32) -> Result<()> {
    let chunk = regular();
    let at = usize::try_from(le32(&chunk, 32)).unwrap();
    decompress(&with(&chunk, at, &csize.to_le_bytes())).map(drop)
}

fn items(start: usize, end: usize) -> Result<()> {
    ChunkDecoder::default()
        .decode_items(&regular(), start..end)
        .map(drop)
}

/// A chunk of one stream of this codec, which stands for 64 bytes.
fn one_stream(compformat: u8, stream: &[u8]) -> Result<()> {
    let mut chunk = vec![0; 40];
    chunk[..4].copy_from_slice(&[5, 1, 0x15 | compformat << 5, 1]);
    chunk[4] = 64;
    chunk[8] = 64;
    chunk[12] = u8::try_from(40 + stream.len()).unwrap();
    chunk[32] = 36;
    chunk[36] = u8::try_from(stream.len()).unwrap();
    chunk.extend_from_slice(stream);
    decompress(&chunk).map(drop)
}

fn blosclz_chunk(stream: &[u8]) -> Result<()> {
    assert!(!blosclz::decode(stream, &mut [0; 64]).is_ok_and(|len| len == 64));
    one_stream(0, stream)
}

fn lz4_chunk(stream: &[u8]) -> Result<()> {
    assert!(lz4::decode(stream, &mut [0; 64]).is_err());
    one_stream(1, stream)
}

fn special_chunk(special: Special<'_>) -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    encoder.encode_special(special, 160).unwrap()
}

fn special(special: Special<'_>, at: usize, new: &[u8]) -> Result<()> {
    decompress(&with(&special_chunk(special), at, new)).map(drop)
}

fn vlblocks() -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    encoder.encode_vlblocks(&[data(90), data(200)]).unwrap()
}

/// Writes over the length of a block.
fn vlblock(block: usize, new: &[u8]) -> Result<()> {
    let chunk = vlblocks();
    let at = usize::try_from(le32(&chunk, 32 + 4 * block)).unwrap();
    decompress(&with(&chunk, at, new)).map(drop)
}

/// Copies one bstart over another.
fn vlblocks_patched(to: usize, from: usize) -> Result<()> {
    let chunk = vlblocks();
    let start = le32(&chunk, from).to_le_bytes();
    decompress(&with(&chunk, to, &start)).map(drop)
}

fn dict(size: i32) -> Result<()> {
    let cparams = CParams::new(4)
        .codec(CodecId::LZ4)
        .use_dict(true)
        .blocksize(Some(4000));
    let chunk = compress(&data(20_000), &cparams).unwrap();
    assert_eq!(chunk[31] & 1, 1);
    decompress(&with(&chunk, 32 + 4 * 5, &size.to_le_bytes())).map(drop)
}

fn filter(id: FilterId, meta: u8) -> Result<()> {
    patched(&[(21, &[id.get()]), (29, &[meta])])
}

/// The metalayer says other blocks than the chunk has.
fn ndcell_of_another_shape() -> Result<()> {
    let meta = B2ndMeta::new(&[30, 30], &[30, 30], &[7, 9], "<i4").to_bytes()?;
    let chunk = with(&with(&regular(), 21, &[FilterId::NDCELL.get()]), 29, &[4]);
    let mut decoder = ChunkDecoder::new(DParams::new().b2nd(meta));
    let refused = CParams::new(4).filters([FilterSlot::new(FilterId::NDCELL, 0)]);
    assert!(
        ChunkEncoder::new(refused)
            .and_then(|mut encoder| encoder.encode(&data(4000)))
            .is_err()
    );
    decoder.decode(&chunk).map(drop)
}

// ---- frames ----

fn params() -> FrameParams {
    FrameParams::new(CParams::new(4), 400)
        .metalayer("meta", b"content")
        .unwrap()
}

fn writer() -> FrameWriter<oxiblosc::frame::Contiguous<oxiblosc::storage::Memory<Vec<u8>>>> {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    writer.append(&data(800)).unwrap();
    writer
}

fn frame() -> Vec<u8> {
    writer().into_bytes().unwrap()
}

fn read(frame: &[u8]) -> Result<()> {
    FrameReader::from_bytes(frame, DParams::new())?.check()
}

fn frame_patched(at: usize, new: &[u8]) -> Result<()> {
    read(&frame()).unwrap();
    read(&with(&frame(), at, new))
}

fn header_len(frame: &[u8]) -> usize {
    usize::from(frame[13]) << 8 | usize::from(frame[14])
}

fn frame_chunk_patched(at: usize, new: &[u8]) -> Result<()> {
    frame_patched(header_len(&frame()) + at, new)
}

fn trailer_len(len: u32) -> Result<()> {
    frame_patched(frame().len() - 22, &len.to_be_bytes())
}

/// Writes over the second entry of the index, which is memcpyed.
fn index_entry(entry: i64) -> Result<()> {
    let frame = frame();
    let cbytes = u64::from_be_bytes(frame[0x27..0x2F].try_into().unwrap());
    let index = header_len(&frame) + usize::try_from(cbytes).unwrap();
    assert_eq!(frame[index + 2] & 2, 2, "a memcpyed index");
    frame_patched(index + 32 + 8, &entry.to_le_bytes())
}

fn varying_special() -> Result<()> {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    for len in [400, 800, 1200] {
        writer
            .append_chunk(&encoder.encode(&data(len)).unwrap())
            .unwrap();
    }
    let frame = writer.into_bytes().unwrap();
    let cbytes = u64::from_be_bytes(frame[0x27..0x2F].try_into().unwrap());
    let index = header_len(&frame) + usize::try_from(cbytes).unwrap();
    read(&frame).unwrap();
    assert_eq!(frame[index + 2] & 2, 2, "a memcpyed index");
    read(&with(&frame, index + 32, &(0x81_u64 << 56).to_le_bytes()))
}

/// Where the offset of the metalayer is: behind its name of four letters and a marker.
fn metalayer(offset: &[u8]) -> Result<()> {
    let frame = frame();
    let name = frame.windows(4).position(|bytes| bytes == b"meta").unwrap();
    read(&with(&frame, name + 5, offset))
}

fn metalayer_content(len: &[u8]) -> Result<()> {
    let frame = frame();
    let content = frame
        .windows(7)
        .position(|bytes| bytes == b"content")
        .unwrap();
    read(&with(&frame, content - 4, len))
}

fn sparse_entry(entry: i64) -> Result<()> {
    let mut writer = FrameWriter::create(Sparse::new(MemoryDir::new()), params()).unwrap();
    writer.append(&data(800)).unwrap();
    let mut dir = writer.finish().unwrap().into_inner();
    let name = "chunks.b2frame";
    let bytes = dir.open(name).unwrap().0.to_vec();
    let index = header_len(&bytes);
    assert_eq!(bytes[index + 2] & 2, 2, "a memcpyed index");
    let bad = with(&bytes, index + 32 + 8, &entry.to_le_bytes());
    dir.replace(name, &bad, false).unwrap();
    FrameReader::new(Sparse::open(dir)?, DParams::new())?.check()
}

fn path_trick() -> Result<()> {
    let mut dir = MemoryDir::new();
    for name in ["../outside", "/outside", "a/b"] {
        assert!(dir.replace(name, b"", false).is_err(), "{name}");
    }
    let source = dir.replace("..", b"", false).unwrap_err();
    Err(oxiblosc::Error::Io {
        part: oxiblosc::Part::ChunkFile,
        offset: None,
        source,
    })
}

fn reorder(order: &[u64]) -> Result<()> {
    writer().reorder_chunks(order)
}

// ---- arrays ----

fn meta() -> Vec<u8> {
    B2ndMeta::new(&[5, 5], &[5, 5], &[5, 5], "<f4")
        .to_bytes()
        .unwrap()
}

fn meta_patched(at: usize, new: &[u8]) -> Result<()> {
    B2ndMeta::parse(&meta(), &Limits::UNTRUSTED).unwrap();
    B2ndMeta::parse(&with(&meta(), at, new), &Limits::UNTRUSTED).map(drop)
}

fn dtype_len() -> Result<()> {
    let at = meta().iter().rposition(|&byte| byte == 0xDB).unwrap();
    meta_patched(at + 1, &[0xFF; 4])
}

/// An array whose metalayer says these shapes.
fn grid(shape: &[u64], chunkshape: &[u32], blockshape: &[u32]) -> Result<()> {
    let params = ArrayParams::new::<f32>(&[5, 5])
        .chunkshape(&[5, 5])
        .blockshape(&[5, 5]);
    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let array = Array::from_bytes_in(frame, &data(100), &params).unwrap();
    let mut writer = array.into_inner();
    let bad = B2ndMeta::new(shape, chunkshape, blockshape, "<f4").to_bytes()?;
    writer.update_metalayer("b2nd", &bad)?;
    let reader = FrameReader::from_bytes(writer.into_bytes()?, DParams::new())?;
    Array::open(reader).map(drop)
}

/// What must be refused is not refused for its surroundings: the good ones are read.
#[test]
fn the_inputs_are_good_before_the_damage() {
    patched(&[]).unwrap();
    items(0, 300).unwrap();
    decompress(&special_chunk(Special::Nans)).unwrap();
    decompress(&vlblocks()).unwrap();
    read(&frame()).unwrap();
    grid(&[5, 5], &[5, 5], &[5, 5]).unwrap();
    let mut writer = writer();
    writer.reorder_chunks(&[1, 0]).unwrap();
    let error = reorder(&[]).unwrap_err();
    assert_eq!(error.kind(), Refused);
}
