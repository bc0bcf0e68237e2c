//! The table of malformed inputs that have broken readers before, entry by entry of the list in
//! format §12.4: each is built, handed to what would read it, and refused with its kind.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

mod arrays;
mod chunks;
mod frames;

use arrays::{dtype_len, grid, meta_patched};
use chunks::{
    blosclz_chunk, dict, filter, items, le32, lz4_chunk, ndcell_of_another_shape, patched, regular,
    special, special_chunk, stream_prefix, vlblock, vlblocks, vlblocks_patched, with,
};
use frames::{
    frame, frame_chunk_patched, frame_patched, index, index_entry, lazily, lazy_vlblock, metalayer,
    metalayer_content, no_chunks, path_trick, read, reorder, same_name, sparse_entry, special_code,
    trailer_len, varying_special, writer,
};
use oxiblosc::{
    ChunkDecoder, ChunkSink, ChunkSource, DParams, ErrorKind, FilterId, FrameReader, Part, Result,
    Special, decompress,
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
    (1, "a stream cut after a token", &[Corrupt], || {
        blosclz_chunk(&[0x20, 7, 0xE0])
    }),
    (1, "an LZ4 match before the output", &[Corrupt], || {
        lz4_chunk(&[0x10, 7, 9, 0, 0x50, 1, 2, 3, 4, 5])
    }),
    (1, "an LZ4 stream cut after a token", &[Corrupt], || {
        lz4_chunk(&[0x1F, 7, 1])
    }),
    (
        1,
        "a stream of a codec not offered (openzl)",
        &[Unsupported],
        || patched(&[(2, &[0xC5]), (22, &[38])]),
    ),
    (
        1,
        "ndlz with cells of side 0",
        &[Corrupt, Unsupported],
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
    (7, "a block offset past a lazy chunk", &[Corrupt], || {
        lazily(&[(32, &i32::MAX.to_le_bytes())])
    }),
    (
        7,
        "a negative block offset of a lazy chunk",
        &[Corrupt],
        || lazily(&[(32, &(-5_i32).to_le_bytes())]),
    ),
    (
        7,
        "more blocks than a lazy chunk has capacity for",
        &[Truncated],
        || lazily(&[(8, &[1, 0, 0, 0])]),
    ),
    (
        7,
        "a stream of a lazy chunk that is too long",
        &[Corrupt, Truncated],
        || lazily(&[(36, &i32::MAX.to_le_bytes())]),
    ),
    (
        7,
        "a variable-length block of a lazy chunk without them",
        &[Refused],
        || lazy_vlblock(false),
    ),
    (
        7,
        "a variable-length block of a special value",
        &[Refused],
        || lazy_vlblock(true),
    ),
    (
        8,
        "a size, and an index of no chunks",
        &[Corrupt],
        no_chunks,
    ),
    (9, "two metalayers of one name", &[Corrupt], same_name),
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
    (8, "the offset -1", &[Corrupt], || index_entry(-1)),
    (8, "the offset -5", &[Corrupt], || index_entry(-5)),
    (8, "a negative offset without a kind", &[Corrupt], || {
        index_entry(i64::MIN)
    }),
    (
        8,
        "a negative offset of an unknown kind",
        &[Corrupt],
        || index_entry(special_code(0x90)),
    ),
    (8, "a negative offset of two kinds", &[Corrupt], || {
        index_entry(special_code(0x83))
    }),
    (8, "a special value with a number", &[Corrupt], || {
        index_entry(special_code(0x81) + 5)
    }),
    (8, "the offset -5 in a sparse frame", &[Corrupt], || {
        sparse_entry(-5)
    }),
    (8, "an offset past the section", &[Corrupt], || {
        index_entry(1 << 40)
    }),
    (
        8,
        "a chunk that ends after the frame",
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
    (11, "zfp without an array", &[Corrupt, Unsupported], || {
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
        "a codec whose name is not registered",
        &[Unsupported],
        || patched(&[(2, &[0xC5]), (22, &[200])]),
    ),
    (
        15,
        "a filter whose name is not registered",
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

/// The refusals are not due to the surrounding data: the undamaged originals are read.
#[test]
fn the_inputs_are_good_before_the_damage() {
    patched(&[]).unwrap();
    lazily(&[]).unwrap();
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

/// Index entries that C writes for special chunks are read, no other negative ones: C itself takes
/// -5 for zeros. The error names the chunk, the place and the number.
#[test]
fn special_entries_are_those_that_are_written() {
    for kind in [0x81, 0x82, 0x84] {
        index_entry(special_code(kind)).unwrap();
        sparse_entry(special_code(kind)).unwrap();
    }
    for kind in (0x80..=0xFF).filter(|kind| ![0x81, 0x82, 0x84].contains(kind)) {
        assert!(index_entry(special_code(kind)).is_err(), "{kind:#x}");
    }
    let error = index_entry(-5).unwrap_err();
    let at = index(&frame());
    assert_eq!(
        (error.kind(), error.part(), error.offset()),
        (Corrupt, Some(Part::Index), Some(at as u64))
    );
    let most = at - frames::header_len(&frame()) - 32;
    assert_eq!(
        error.to_string(),
        format!(
            "chunk 1: frame index: index entry of no known special value is -5, \
             expected 0 to {most}, at offset {at}"
        )
    );
}
