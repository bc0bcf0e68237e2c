//! Frames: damaged ones, in memory, in a file, in a directory.

use std::cell::RefCell;
use std::io::Write;

use oxiblosc::frame::{Contiguous, FrameHeader, FrameStore, FrameStoreMut, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir};
use oxiblosc::{
    ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, FrameReader, FrameWriter, Special,
};

use crate::dice::Dice;
use crate::make::{
    MOST, damage, damage_anywhere, damage_be, data_of, dparams, frame_params, limits, vlblocks,
};

/// Gives a frame a few chunks: data, special values, chunks of odd sizes, or blocks of any size.
pub fn fill<S: FrameStoreMut>(dice: &mut Dice<'_>, writer: &mut FrameWriter<S>) {
    let typesize = writer.cparams().typesize;
    if dice.below(4) == 0 {
        for _ in 0..1 + dice.below(3) {
            let blocks = vlblocks(dice, typesize);
            writer
                .append_vlblocks(&blocks)
                .expect("blocks fit an empty frame");
        }
        return;
    }
    for _ in 0..dice.below(5) {
        // With chunks of one item, four of these stay within the chunks that readers here take.
        let len = typesize * (1 + dice.below(250));
        match dice.below(4) {
            0 => {
                let special = if dice.flag() {
                    Special::Uninit
                } else {
                    Special::Zeros
                };
                writer
                    .append_special(special, len as u64)
                    .expect("whole items");
            }
            1 => {
                let src = data_of(dice, typesize, len);
                let encoder = ChunkEncoder::new(writer.cparams().clone());
                let chunk = encoder.and_then(|mut encoder| encoder.encode(&src));
                writer
                    .append_chunk(&chunk.expect("lossless parameters"))
                    .expect("a chunk of any size");
            }
            _ => {
                let src = data_of(dice, typesize, len);
                writer.append(&src).expect("data of any length");
            }
        }
    }
    if dice.below(8) == 0 {
        writer.seal().expect("a frame that can be sealed");
    }
}

/// A small valid frame in one piece.
pub(crate) fn frame(dice: &mut Dice<'_>) -> Vec<u8> {
    let mut writer = FrameWriter::in_memory(frame_params(dice)).expect("parameters in range");
    fill(dice, &mut writer);
    writer.into_bytes().expect("memory takes everything")
}

/// Offsets and widths of the fields of a frame header (format §9.1).
const HEADER_FIELDS: [(usize, usize); 14] = [
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
];

/// Changes up to three fields of a frame: of the header, the index chunk, the trailer, or anything.
pub(crate) fn damage_frame(dice: &mut Dice<'_>, frame: &mut Vec<u8>) {
    let (index, len) = match FrameHeader::parse(frame, &limits()) {
        Ok(header) => (header.header_len + header.cbytes, frame.len()),
        Err(_) => (0, frame.len()),
    };
    let index = usize::try_from(index).unwrap_or(0);
    for _ in 0..dice.below(4) {
        match dice.below(8) {
            0 => {
                let field = dice.pick(&[(0, 1), (2, 1), (4, 4), (8, 4), (12, 4), (31, 1), (32, 8)]);
                damage(dice, frame, index + field.0, field.1);
            }
            1 => damage_be(dice, frame, len.saturating_sub(22), 4),
            2 => damage_anywhere(dice, frame),
            3 => {
                let len = usize::from(dice.u16()) % (frame.len() + 1);
                frame.truncate(len);
            }
            4 => {
                // The sections of metalayers: between fixed header and chunks.
                let at = 0x57 + dice.below(256);
                let width = dice.pick(&[1, 2, 4]);
                damage_be(dice, frame, at, width);
            }
            _ => {
                let (at, width) = dice.pick(&HEADER_FIELDS);
                damage_be(dice, frame, at, width);
            }
        }
    }
}

/// Reads everything that can be read; the data, or the first error.
///
/// # Errors
/// The text of the first error.
pub fn read_all<S: FrameStore>(store: S) -> Result<Vec<u8>, String> {
    let reader = FrameReader::open_in(store, dparams()).map_err(say)?;
    let mut failed = reader.check().err().map(say);
    let _ = reader.verify();
    let mut decoder = ChunkDecoder::new(dparams());
    let mut all = Vec::new();
    let mut dst = vec![0; MOST];
    for nchunk in 0..reader.layout().nchunks.min(32) {
        let whole = reader.decode_chunk_into(&mut decoder, nchunk, &mut dst);
        match whole {
            Ok(n) => {
                let chunk = dst[..n].to_vec();
                parts(&reader, &mut decoder, nchunk, &chunk);
                all.extend(chunk);
            }
            Err(error) => failed = failed.or(Some(say(error))),
        }
        if all.len() > 4 * MOST {
            break;
        }
    }
    for name in reader.vlmetalayers().names() {
        if let Err(error) = reader.vlmetalayer(name) {
            failed = failed.or(Some(say(error)));
        }
    }
    let mut bytes = vec![0; 100];
    let _ = reader.read_bytes_into(&mut decoder, 5..105, &mut bytes);
    let _ = reader.params();
    failed.map_or(Ok(all), Err)
}

/// The text of an error, without the path that only a file has.
fn say(error: oxiblosc::Error) -> String {
    match error {
        oxiblosc::Error::InFile { source, .. } => source.to_string(),
        error => error.to_string(),
    }
}

/// Parts of a chunk that decodes are parts of its data.
fn parts<S: FrameStore>(
    reader: &FrameReader<S>,
    decoder: &mut ChunkDecoder,
    nchunk: u64,
    chunk: &[u8],
) {
    let range = chunk.len() / 4..chunk.len() - chunk.len() / 3;
    let mut part = vec![0xEE; range.len()];
    let n = reader.decode_chunk_bytes_into(decoder, nchunk, range.clone(), &mut part);
    assert_eq!(n.expect("a part of a good chunk"), part.len());
    assert_eq!(part, chunk[range.clone()], "a part of chunk {nchunk}");
    let mut lazy = reader.lazy_chunk(nchunk).expect("a good chunk");
    part.fill(0xEE);
    let n = lazy.decode_bytes_into(decoder, range.clone(), &mut part);
    assert_eq!(n.expect("a part of a good chunk"), part.len());
    assert_eq!(part, chunk[range], "a lazy part of chunk {nchunk}");
    if let Some(header) = lazy.header()
        && header.is_vlblocks()
    {
        let nblocks = header.blocksize as usize;
        let blocks = (0..nblocks).map(|block| lazy.decode_vlblock(decoder, block));
        let blocks: oxiblosc::Result<Vec<_>> = blocks.collect();
        assert_eq!(blocks.expect("blocks of a good chunk").concat(), chunk);
    }
}

thread_local! {
    static FILE: RefCell<Option<tempfile::NamedTempFile>> = const { RefCell::new(None) };
}

/// The frame in a file, read by its path.
fn read_file(frame: &[u8]) -> Result<Vec<u8>, String> {
    FILE.with_borrow_mut(|file| {
        let file = file.get_or_insert_with(|| tempfile::NamedTempFile::new().expect("a file"));
        file.as_file_mut().set_len(0).expect("an empty file");
        std::io::Seek::rewind(file).expect("a file");
        file.write_all(frame).expect("a file");
        let store = oxiblosc::storage::DiskFile::open(file.path()).expect("a file");
        read_all(Contiguous::new(store))
    })
}

/// See `fuzz_targets/frame_open.rs`.
pub fn frame_open(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let mode = dice.byte();
    let frame = if mode & 1 == 1 {
        let mut frame = frame(dice);
        let own = read_all(Contiguous::new(Memory(&frame)));
        assert_eq!(own.err(), None, "a frame of our own");
        damage_frame(dice, &mut frame);
        frame
    } else {
        dice.rest().to_vec()
    };
    let memory = read_all(Contiguous::new(Memory(&frame)));
    assert_eq!(memory, read_file(&frame), "memory and file differ");
    let exact = FrameReader::from_bytes(&frame, dparams());
    assert!(
        memory.is_ok()
            || exact.is_err()
            || exact.is_ok_and(|reader| reader.check().is_err()
                || reader.layout().nchunks > 0
                || !reader.vlmetalayers().is_empty())
    );
    if mode & 2 == 2 {
        change(dice, Contiguous::new(Memory(frame)));
    }
}

/// A damaged frame opened for changes: nothing panics, and what is committed opens again.
fn change<S: FrameStoreMut>(dice: &mut Dice<'_>, store: S) {
    let Ok(mut writer) = FrameWriter::open_in(store, dparams()) else {
        return;
    };
    let typesize = writer.cparams().typesize;
    if typesize > 64 || writer.layout().nchunks > 64 {
        return;
    }
    for _ in 0..4 {
        let len = typesize * (1 + dice.below(40));
        let src = data_of(dice, typesize, len);
        let n = writer.layout().nchunks;
        let at = dice.below(64) as u64 % (n + 1);
        let _ = match dice.below(6) {
            0 => writer.append(&src),
            1 => writer.delete_chunk(at),
            2 => writer.set_items(at, &src),
            3 => writer.set_vlmetalayer("new", &src),
            4 => {
                let encoder = ChunkEncoder::new(writer.cparams().clone());
                let chunk = encoder.and_then(|mut encoder| encoder.encode(&src));
                chunk.and_then(|chunk| writer.update_chunk(at, &chunk))
            }
            _ => writer.compact_or_commit(dice.flag()),
        };
    }
    if let Ok(store) = writer.finish() {
        assert!(
            FrameReader::open_in(store, dparams()).is_ok(),
            "what was committed opens"
        );
    }
}

/// Commits; the sides that only some stores have are left to `frame_ops`.
trait Commit {
    fn compact_or_commit(&mut self, seal: bool) -> oxiblosc::Result<()>;
}

impl<S: FrameStoreMut> Commit for FrameWriter<S> {
    fn compact_or_commit(&mut self, seal: bool) -> oxiblosc::Result<()> {
        if seal { self.seal() } else { self.commit() }
    }
}

/// See `fuzz_targets/sparse_frame.rs`.
pub fn sparse_frame(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let params = frame_params(dice);
    let store = Sparse::new(MemoryDir::new());
    let mut writer = FrameWriter::create_in(store, params).expect("parameters in range");
    fill(dice, &mut writer);
    let mut dir = writer
        .finish()
        .expect("memory takes everything")
        .into_inner();
    let open = |dir: &MemoryDir| {
        let store = Sparse::open(dir.clone()).map_err(|error| error.to_string())?;
        read_all(store)
    };
    open(&dir).expect("a frame of our own");
    for _ in 0..1 + dice.below(3) {
        let mut names = dir.names().expect("the names");
        names.sort();
        let Some(name) = names.get(dice.below(names.len())) else {
            break;
        };
        let mut bytes = dir.open(name).expect("a file").0.to_vec();
        match dice.below(6) {
            0 => {
                dir.remove(name).expect("a file");
                continue;
            }
            1 => bytes = dice.bytes(200).to_vec(),
            2 => bytes.extend_from_slice(dice.bytes(40)),
            3 if name.ends_with(".chunk") => crate::make::damage_chunk(dice, &mut bytes),
            4 => {
                // Entries of the index: the numbers of files.
                let header = FrameHeader::parse(&bytes, &limits());
                let at = header.map_or(0, |header| usize::try_from(header.header_len).unwrap_or(0));
                let entry = at + 32 + 8 * dice.below(4);
                damage(dice, &mut bytes, entry, 8);
            }
            _ => damage_frame(dice, &mut bytes),
        }
        dir.replace(name, &bytes, false)
            .expect("memory takes everything");
    }
    let first = open(&dir);
    assert_eq!(first, open(&dir), "two readings differ");
    if dice.flag()
        && let Ok(store) = Sparse::open(dir)
    {
        change(dice, store);
    }
}

/// See `fuzz_targets/metalayers.rs`.
pub fn metalayers(input: &[u8]) {
    use oxiblosc::b2nd::{B2ndMeta, Dtype};
    let dice = &mut Dice::new(input);
    if dice.flag() {
        // As they come: the parsers on their own.
        let bytes = dice.rest();
        if let Ok(meta) = B2ndMeta::parse(bytes)
            && let Ok(again) = meta.to_bytes()
        {
            let parsed = B2ndMeta::parse(&again).expect("our own metalayer");
            assert_eq!(parsed.shape, meta.shape);
            assert_eq!(parsed.chunkshape, meta.chunkshape);
            assert_eq!(parsed.blockshape, meta.blockshape);
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            let dtype = Dtype::from_stored(text);
            assert_eq!(dtype.as_str(), text);
            let _ = (dtype.itemsize(), dtype.to_npy_descr(), dtype.fields().len());
            let _ = text.parse::<Dtype>();
        }
        let _ = FrameHeader::parse(bytes, &limits());
        return;
    }
    let mut params = frame_params(dice);
    let mut expected = Vec::new();
    for _ in 0..dice.below(17) {
        let len = dice.below(32);
        let name = String::from_utf8_lossy(dice.bytes(len)).into_owned();
        let len = dice.below(50);
        let content = data_of(dice, 1, len);
        if params.metalayers.insert(&name, &content).is_ok() {
            expected.push((name.clone(), content.clone()));
        }
        let _ = params.vlmetalayers.set(&name, &content);
    }
    let vlmetalayers = params.vlmetalayers.clone();
    let writer = FrameWriter::in_memory(params).expect("parameters in range");
    let mut frame = writer.into_bytes().expect("memory takes everything");
    let reader = FrameReader::from_bytes(&frame, dparams()).expect("a frame of our own");
    for (name, content) in &expected {
        assert_eq!(reader.metalayers().get(name), Some(content.as_slice()));
    }
    for name in vlmetalayers.names() {
        let content = vlmetalayers.get(name, &dparams()).expect("our own chunk");
        assert_eq!(reader.vlmetalayer(name).expect("our own chunk"), content);
    }
    for _ in 0..1 + dice.below(3) {
        let at = 0x57 + usize::from(dice.u16()) % frame.len();
        let width = dice.pick(&[1, 2, 4]);
        damage_be(dice, &mut frame, at, width);
    }
    let one = read_all(Contiguous::new(Memory(&frame)));
    assert_eq!(one, read_file(&frame), "memory and file differ");
}
