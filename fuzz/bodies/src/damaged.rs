//! Readers of what is damaged or foreign: salvage, and the stores.

use std::io;
use std::sync::Arc;

use oxiblosc::frame::salvage::{Proof, Salvaged, salvage as salvage_frame, salvage_sparse};
use oxiblosc::frame::{FrameReader, FrameWriter, Sparse};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::storage::{Directory, FileTree, Memory, MemoryDir, ReadAt, TreeEntry, TreeEntryKind};
use oxiblosc::store::asdf::Blocks;
use oxiblosc::store::bloscpack::Bloscpack;
use oxiblosc::store::{Tree, n5, openvdb};
use oxiblosc::{ChunkDecoder, ErrorKind, Special};

use crate::dice::Dice;
use crate::frames::{damage_frame, fill, frame};
use crate::make::{MOST, dparams, frame_params, limits};

/// See `fuzz_targets/salvage.rs`.
pub fn salvage(input: &[u8]) {
    let dice = &mut Dice::new(input);
    if dice.below(4) == 0 {
        let store = Sparse::new(MemoryDir::new());
        let writer = FrameWriter::create_in(store, frame_params(dice));
        let mut writer = writer.expect("parameters in range");
        fill(dice, &mut writer);
        let store = writer.finish().expect("memory takes everything");
        let mut dir = store.into_inner();
        for name in dir.names().expect("the names") {
            let mut bytes = dir.open(&name).expect("a file").0.to_vec();
            if dice.flag() {
                change(dice, &mut bytes);
                dir.replace(&name, &bytes, false).expect("a file");
            }
        }
        let saved = salvage_sparse(dir, &dparams()).expect("damage is no error");
        return check(&saved);
    }
    let mut bytes = if dice.below(8) == 0 {
        dice.rest().to_vec()
    } else {
        frame(dice)
    };
    for _ in 0..dice.below(4) {
        change(dice, &mut bytes);
    }
    let saved = salvage_frame(Memory(&bytes), &dparams()).expect("damage is no error");
    check(&saved);
}

/// Damages fields, or overwrites, cuts out or inserts bytes.
fn change(dice: &mut Dice<'_>, bytes: &mut Vec<u8>) {
    let at = dice.below(bytes.len() + 1);
    let len = dice.below(60).min(bytes.len() - at);
    match dice.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..at + len)),
        2 => drop(bytes.splice(at..at, dice.bytes(40).to_vec())),
        3 => bytes[at..at + len].fill(0),
        4 => bytes[at..at + len]
            .iter_mut()
            .for_each(|byte| *byte = dice.byte()),
        _ => damage_frame(dice, bytes),
    }
}

/// Checks that chunks have different numbers and bytes of their own, decode as far as they are said
/// to, and make a frame.
fn check(saved: &Salvaged<'_>) {
    let mut decoder = ChunkDecoder::new(dparams());
    let mut places = Vec::new();
    let mut numbers = Vec::new();
    for chunk in saved.chunks().iter().chain(saved.unplaced()) {
        numbers.extend(chunk.nchunk);
        if chunk.special.is_none() {
            places.push((chunk.file, chunk.offset, chunk.cbytes as u64));
            let bytes = saved.chunk(chunk).expect("a chunk in memory");
            if chunk.proof != Proof::Structure && chunk.nbytes <= MOST {
                let decoded = decoder.decode(&bytes);
                let len = decoded.expect("it decoded before").len();
                assert_eq!(len, chunk.nbytes);
            }
        }
    }
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!(numbers.last().is_none_or(|&last| last < saved.nchunks()));
    assert_eq!(
        saved.missing().count() as u64 + numbers.len() as u64,
        saved.nchunks()
    );
    places.sort_unstable();
    for pair in places.windows(2) {
        let ((file, at, len), (next_file, next, _)) = (pair[0], pair[1]);
        assert!(file != next_file || at + len <= next, "{pair:?}");
    }
    let writer = saved.params().and_then(FrameWriter::in_memory);
    let Ok(mut writer) = writer else { return };
    match saved.write_in(&mut writer, Special::Zeros) {
        Ok(missing) => {
            assert!(missing.into_iter().eq(saved.missing()));
            let bytes = writer.into_bytes().expect("memory takes everything");
            let new = FrameReader::from_bytes(bytes, dparams()).expect("a new frame");
            assert_eq!(new.layout().nchunks, saved.nchunks());
        }
        // Filling up may take more than the limits allow.
        Err(error) => assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}"),
    }
}

/// Real files of every kind, by other writers.
const FILES: [&[u8]; 13] = [
    include_bytes!("../../../tests/data/stores/dict.b2z"),
    include_bytes!("../../../tests/data/stores/embed.b2e"),
    include_bytes!("../../../tests/data/stores/tree_embedded.b2z"),
    include_bytes!("../../../tests/data/stores/table_dictionary.b2z"),
    include_bytes!("../../../tests/data/stores/batches.b2b"),
    include_bytes!("../../../tests/data/stores/pack_tensor.bl2"),
    include_bytes!("../../../tests/data/stores/v2.zarr.zip"),
    include_bytes!("../../../tests/data/stores/v3_groups.zarr.zip"),
    include_bytes!("../../../tests/data/stores/v3_shards.zarr.zip"),
    include_bytes!("../../../tests/data/old/numbers.blp"),
    include_bytes!("../../../tests/data/old/no_offsets.blp"),
    include_bytes!("../../../tests/data/old/numbers.asdf"),
    include_bytes!("../../../tests/data/old/n5_block"),
];

/// Metadata of Zarr arrays, in which the choices replace pieces.
const ZARR: [(&str, &str); 2] = [
    (
        ".zarray",
        r#"{"chunks":[2,3],
"compressor":{"blocksize":0,"clevel":5,"cname":"lz4","id":"blosc","shuffle":1},
"dimension_separator":".","dtype":"<i4","fill_value":7,"filters":null,
"order":"C","shape":[4,5],"zarr_format":2}"#,
    ),
    (
        "zarr.json",
        r#"{"shape":[4,5],"data_type":"int32",
"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,3]}},
"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},"fill_value":7,
"codecs":[{"name":"bytes","configuration":{"endian":"little"}},
{"name":"blosc","configuration":{"typesize":4,"cname":"lz4",
"clevel":5,"shuffle":"shuffle","blocksize":0}}],
"attributes":{},"zarr_format":3,"node_type":"array"}"#,
    ),
];

/// One file.
#[derive(Debug)]
struct OneFile(&'static str, Vec<u8>);

impl FileTree for OneFile {
    fn open(&self, path: &str) -> io::Result<Arc<dyn ReadAt>> {
        if path == self.0 {
            return Ok(Arc::new(Memory(self.1.clone())));
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn list(&self, folder: &str) -> io::Result<Vec<TreeEntry>> {
        if folder.is_empty() {
            return Ok(vec![TreeEntry::new(self.0, TreeEntryKind::File)]);
        }
        Err(io::ErrorKind::NotFound.into())
    }
}

/// See `fuzz_targets/stores.rs`.
pub fn stores(input: &[u8]) {
    let dice = &mut Dice::new(input);
    if dice.below(4) == 0 {
        let (name, text) = dice.pick(&ZARR);
        let mut text = text.as_bytes().to_vec();
        for _ in 0..dice.below(4) {
            let at = dice.below(text.len());
            let end = (at + dice.below(6)).min(text.len());
            let count = dice.below(8);
            text.splice(at..end, dice.bytes(count).to_vec());
        }
        let files = Arc::new(OneFile(name, text));
        if let Ok(store) = Tree::open_files(files, dparams()) {
            read(&store);
        }
        return;
    }
    let bytes = if dice.flag() {
        dice.rest().to_vec()
    } else {
        let mut bytes = dice.pick(&FILES).to_vec();
        for _ in 0..dice.below(5) {
            if !bytes.is_empty() {
                let at = usize::try_from(dice.u32()).expect("32 bits") % bytes.len();
                let width = dice.pick(&[1, 2, 4, 8]);
                crate::make::damage(dice, &mut bytes, at, width);
            }
        }
        bytes
    };
    let mut decoder = ChunkDecoder::new(dparams());
    let storage: Arc<dyn ReadAt> = Arc::new(Memory(bytes.clone()));
    if let Ok(store) = Tree::open_in(Arc::clone(&storage), dparams()) {
        read(&store);
    }
    if let Ok(pack) = Bloscpack::open_in(storage, dparams()) {
        let nbytes = pack.layout().nbytes.min(MOST as u64);
        let mut dst = vec![0; usize::try_from(nbytes).expect("few bytes")];
        let _ = pack.read_bytes_into(&mut decoder, 0..nbytes, &mut dst);
    }
    if let Ok(mut blocks) = Blocks::open(Memory(&bytes), limits()) {
        let found: Vec<_> = blocks.by_ref().take(20).flatten().collect();
        for block in found {
            let _ = blocks.decode(&block, &mut decoder);
        }
    }
    let _ = n5::decode_block(&bytes, 4, &mut decoder);
    let _ = openvdb::decode_buffer(&bytes, &mut [0; 100], &mut decoder);
}

/// Reads everything that a store offers; two readings of an array agree.
fn read(store: &Tree) {
    for key in store.keys().take(50) {
        let _ = store.metadata(key);
        let Ok(leaf) = store.leaf(key) else { continue };
        let _ = leaf.description();
        let _ = leaf.tensor();
        if let Ok(objects) = leaf.objects() {
            let _ = objects.take(100).count();
        }
        if let Ok(array) = leaf.into_array(dparams())
            && array.nbytes() <= MOST as u64
        {
            let first = array.to_bytes().map_err(|error| error.to_string());
            let second = array.to_bytes().map_err(|error| error.to_string());
            assert_eq!(first, second, "{key}");
        }
    }
}
