//! Valid objects of every kind, and where their fields are.

use std::fs;
use std::path::{Path, PathBuf};

use oxiblosc::frame::{FrameHeader, Sparse};
use oxiblosc::storage::{Directory, MemoryDir};
use oxiblosc::{FrameWriter, Limits};
use oxiblosc_fuzz_bodies::dice::Dice;
use oxiblosc_fuzz_bodies::make;

use crate::change::{Numbers, Part, Spot};

/// The longest object that becomes a seed.
const MOST: usize = 1500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The small objects of a golden container.
fn golden(name: &str) -> Vec<Vec<u8>> {
    let folder = root().join("tests/data");
    let blob = fs::read(folder.join(format!("{name}.bin"))).expect("the container");
    let table = fs::read_to_string(folder.join(format!("{name}.tsv"))).expect("its table");
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::parse::<usize>);
        let (offset, len) = (cells.next()?.ok()?, cells.next()?.ok()?);
        (len <= MOST).then(|| blob[offset..offset + len].to_vec())
    };
    table.lines().skip(1).filter_map(row).collect()
}

/// The committed corpus of a fuzz target.
pub(crate) fn corpus(target: &str) -> Vec<Vec<Part>> {
    let folder = root().join("fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a corpus")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let part = |file: &PathBuf| Part::new(fs::read(file).expect("a file"), Vec::new(), None);
    files.iter().map(|file| vec![part(file)]).collect()
}

/// Choices for the makers of valid objects, the same ones each time.
fn choices(number: u64) -> Vec<u8> {
    let mut numbers = Numbers::new(0, "choices", number);
    (0..400).map(|_| numbers.byte()).collect()
}

fn le32(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(field)).ok()
}

/// The fields of a chunk at `base`: of the header, block offsets, and the prefixes of streams.
fn chunk_spots(bytes: &[u8], base: usize, spots: &mut Vec<Spot>) {
    let header = [
        (0, 1),
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 4),
        (8, 4),
        (12, 4),
        (16, 1),
        (17, 1),
        (20, 1),
        (21, 1),
        (22, 1),
        (24, 1),
        (30, 1),
        (31, 1),
    ];
    // The sizes once more: they decide most.
    for (at, width) in header.into_iter().chain([(4, 4), (8, 4), (12, 4)]) {
        spots.push(Spot::little(base + at, width));
    }
    let Some(bytes) = bytes.get(base..) else {
        return;
    };
    let table = if bytes.first().is_some_and(|&version| version < 3) {
        16
    } else {
        32
    };
    let (nbytes, blocksize) = (le32(bytes, 4).unwrap_or(0), le32(bytes, 8).unwrap_or(0));
    let nblocks = nbytes.div_ceil(blocksize.max(1)).min(12);
    for block in 0..nblocks {
        let at = table + 4 * block;
        spots.push(Spot::little(base + at, 4));
        let Some(start) = le32(bytes, at).filter(|&start| start < bytes.len()) else {
            continue;
        };
        // The prefix of its first stream, what it says, and the prefix of the second one.
        spots.push(Spot::little(base + start, 4));
        spots.push(Spot::little(base + start + 4, 1));
        if let Some(second) = le32(bytes, start).and_then(|len| (start + 4).checked_add(len))
            && second < bytes.len()
        {
            spots.push(Spot::little(base + second, 4));
        }
    }
    // The size of a dictionary.
    spots.push(Spot::little(base + table + 4 * nblocks, 4));
}

fn chunk_part(bytes: Vec<u8>) -> Part {
    let mut spots = Vec::new();
    chunk_spots(&bytes, 0, &mut spots);
    Part::new(bytes, spots, Some(Spot::little(12, 4)))
}

/// Chunks: of C-Blosc2 and Blosc1, and of our own encoder.
pub(crate) fn chunks() -> Vec<Vec<Part>> {
    let mut all = golden("golden_chunks");
    all.extend(golden("golden_blosc1"));
    all.extend((0..200).map(|number| make::chunk(&mut Dice::new(&choices(number)))));
    all.retain(|chunk| !chunk.is_empty() && chunk.len() <= MOST);
    all.into_iter()
        .map(|chunk| vec![chunk_part(chunk)])
        .collect()
}

/// Chunks of which only the streams change.
pub(crate) fn streams() -> Vec<Vec<Part>> {
    let mut all = chunks();
    for part in all.iter_mut().flatten() {
        let table = if part.bytes[0] < 3 { 16 } else { 32 };
        let first = le32(&part.bytes, table).unwrap_or(0);
        part.from = if first < part.bytes.len() { first } else { 32 };
        part.spots.clear();
    }
    all.retain(|parts| parts.iter().all(|part| part.bytes.len() > part.from + 4));
    all
}

/// The fields of a frame: header, chunks, index, trailer.
fn frame_part(bytes: Vec<u8>) -> Part {
    let mut spots: Vec<_> = [
        (0x0B, 4),
        (0x10, 8),
        (0x19, 1),
        (0x1A, 1),
        (0x1B, 1),
        (0x1E, 8),
        (0x27, 8),
        (0x30, 4),
        (0x35, 4),
        (0x3A, 4),
        (0x46, 1),
        (0x47, 1),
        (0x55, 1),
        (0x59, 2),
    ]
    .into_iter()
    .map(|(at, width)| Spot::big(at, width))
    .collect();
    if let Ok(header) = FrameHeader::parse(&bytes, &Limits::UNTRUSTED) {
        let header_len = usize::try_from(header.header_len).unwrap_or(0);
        for at in 0x57..header_len {
            spots.push(Spot::big(at, [1, 2, 4][at % 3]));
        }
        let mut at = header_len;
        let index = usize::try_from(header.cbytes).unwrap_or(0) + header_len;
        while at < bytes.len() {
            chunk_spots(&bytes, at, &mut spots);
            if at == index {
                // Its entries, where they are not compressed.
                for entry in 0..6 {
                    spots.push(Spot::little(at + 32 + 8 * entry, 8));
                }
                break;
            }
            match le32(&bytes, at + 12) {
                Some(len) if len >= 16 => at += len,
                _ => break,
            }
        }
    }
    spots.extend(trailer_spots(&bytes));
    let length = Some(Spot::big(0x10, 8));
    Part::new(bytes, spots, length)
}

/// Every byte of the trailer, and its length at the end.
fn trailer_spots(bytes: &[u8]) -> Vec<Spot> {
    let end = bytes.len();
    let field = bytes
        .get(end.saturating_sub(22)..)
        .and_then(|field| field.first_chunk());
    let len = field.map_or(0, |&len| {
        usize::try_from(u32::from_be_bytes(len)).unwrap_or(0)
    });
    let start = end.saturating_sub(len);
    let mut spots: Vec<_> = (start..end)
        .map(|at| Spot::big(at, [1, 2, 4][at % 3]))
        .collect();
    spots.push(Spot::big(end.saturating_sub(22), 4));
    spots
}

/// A frame of our own in one piece, and the same in a directory.
fn frame_of(number: u64, dir: bool) -> Vec<(String, Vec<u8>)> {
    let choices = choices(number);
    let dice = &mut Dice::new(&choices);
    let params = make::frame_params(dice);
    if dir {
        let store = Sparse::new(MemoryDir::new());
        let mut writer = FrameWriter::create_in(store, params).expect("parameters in range");
        oxiblosc_fuzz_bodies::fill(dice, &mut writer);
        let dir = writer
            .finish()
            .expect("memory takes everything")
            .into_inner();
        let mut names = dir.names().expect("the names");
        names.sort();
        let file = |name: &String| dir.open(name).expect("a file").0.to_vec();
        names
            .iter()
            .map(|name| (name.clone(), file(name)))
            .collect()
    } else {
        let mut writer = FrameWriter::in_memory(params).expect("parameters in range");
        oxiblosc_fuzz_bodies::fill(dice, &mut writer);
        let frame = writer.into_bytes().expect("memory takes everything");
        vec![("input".to_owned(), frame)]
    }
}

/// Frames in one piece, those of arrays among them.
pub(crate) fn frames() -> Vec<Vec<Part>> {
    let mut all = golden("golden_frames");
    all.extend(golden("golden_arrays"));
    all.extend((0..100).map(|number| frame_of(number, false).swap_remove(0).1));
    all.retain(|frame| frame.len() <= 2 * MOST);
    all.into_iter()
        .map(|frame| vec![frame_part(frame)])
        .collect()
}

/// Frames of which only the trailer changes.
pub(crate) fn trailers() -> Vec<Vec<Part>> {
    let mut all = frames();
    for part in all.iter_mut().flatten() {
        part.spots = trailer_spots(&part.bytes);
        part.from = part.spots.first().map_or(0, |spot| spot.at);
    }
    all
}

/// Frames in directories.
pub(crate) fn sparse() -> Vec<Vec<Part>> {
    let named = |(name, bytes): (String, Vec<u8>)| {
        let mut part = if name.ends_with(".chunk") {
            chunk_part(bytes)
        } else {
            frame_part(bytes)
        };
        part.name = name;
        part
    };
    (0..120)
        .map(|number| frame_of(number, true).into_iter().map(named).collect())
        .collect()
}

/// Frames of arrays; the metalayer more often than the rest.
pub(crate) fn arrays() -> Vec<Vec<Part>> {
    let array = |frame: Vec<u8>| {
        let name = frame.windows(4).position(|bytes| bytes == b"b2nd");
        let mut part = frame_part(frame);
        if let Some(name) = name {
            for at in name..name + 120 {
                for width in [1, 4, 8] {
                    part.spots.push(Spot::big(at, width));
                }
            }
        }
        vec![part]
    };
    golden("golden_arrays").into_iter().map(array).collect()
}

/// Metalayers of arrays and dtypes on their own.
pub(crate) fn metalayers() -> Vec<Vec<Part>> {
    let mut all: Vec<Vec<u8>> = DTYPES.iter().map(|text| text.as_bytes().to_vec()).collect();
    for frame in golden("golden_arrays") {
        if let Some(at) = frame.windows(4).position(|bytes| bytes == b"b2nd") {
            // The name, an offset of four bytes or so: the content begins soon.
            all.push(frame[at + 9..frame.len().min(at + 209)].to_vec());
        }
    }
    all.into_iter().map(text).collect()
}

/// A text or `MessagePack`: any byte of it is a field.
fn text(bytes: Vec<u8>) -> Vec<Part> {
    let spots = (0..bytes.len()).map(|at| Spot::big(at, 1)).collect();
    vec![Part::new(bytes, spots, None)]
}

const DTYPES: [&str; 9] = [
    "<f8",
    "|S5",
    ">M8[25us]",
    "<U12",
    "[('a', '<i4'), ('b', '|u1', (2,))]",
    "{'names': ['x', 'y'], 'formats': ['<f4', '>i2'], 'offsets': [0, 8], 'itemsize': 16}",
    "[('a', [('c', '<f8'), ('d', '<i2', (3, 4))]), (('title', 'e'), '|V7')]",
    "[('', '<c16'), ('\\u00e9\\'', '|b1')]",
    "('<i4', (2, 3))",
];

/// `.npy` headers.
pub(crate) fn npy() -> Vec<Vec<Part>> {
    let mut all: Vec<_> = corpus("npy");
    for (number, dtype) in (0_u8..).zip(DTYPES) {
        let descr = if dtype.starts_with(['[', '{', '(']) {
            dtype.to_owned()
        } else {
            format!("'{dtype}'")
        };
        let dict =
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (3, {number},), }}\n");
        let len = u16::try_from(dict.len())
            .expect("a short one")
            .to_le_bytes();
        let file = [b"\x93NUMPY\x01\x00", &len[..], dict.as_bytes()].concat();
        all.push(text(file));
    }
    all
}

/// Streams of one codec: those of chunks that are not split.
pub(crate) fn streams_of(codec: u8) -> Vec<Vec<Part>> {
    let own = |chunk: &Vec<Part>| {
        let chunk = &chunk[0].bytes;
        let coded = chunk.get(2)? >> 5 == codec && chunk.get(2)? & 2 == 0 && chunk[0] >= 3;
        let start = le32(chunk, 32)?;
        let end = le32(chunk, start)?.checked_add(start + 4)?;
        let stream = chunk.get(start + 4..end)?.to_vec();
        (coded && !stream.is_empty()).then(|| vec![Part::new(stream, Vec::new(), None)])
    };
    chunks().iter().filter_map(own).collect()
}
