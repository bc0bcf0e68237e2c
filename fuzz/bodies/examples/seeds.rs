//! Writes the seeds of every target into a folder: `cargo run -p oxiblosc-fuzz-bodies --example
//! seeds -- fuzz/corpus`.
//!
//! Seeds are bytes that this library did not write, cut out of the golden containers and put after
//! the choices that say "take the rest as it is", and pseudo-random choices for the targets that
//! build something valid. Their names begin with `seed-`; the same ones come out every time.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a tool for developers"
)]

use std::fs;
use std::path::{Path, PathBuf};

use oxiblosc_fuzz_bodies::TARGETS;

/// The largest object that becomes a seed.
const MOST: usize = 1500;

/// The objects of a container that are small, every so-manieth of them.
fn golden(name: &str, every: usize) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let blob = fs::read(folder.join(format!("{name}.bin"))).expect("the container");
    let table = fs::read_to_string(folder.join(format!("{name}.tsv"))).expect("its table");
    table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut cells = line.split('\t').map(str::parse::<usize>);
            let (offset, len) = (cells.next()?.ok()?, cells.next()?.ok()?);
            (len <= MOST).then(|| blob[offset..offset + len].to_vec())
        })
        .step_by(every)
        .collect()
}

/// Bytes that repeat nothing, of a length that the number decides.
fn choices(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let len = 40 + number * 37 % 160;
    (0..len)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[5]
        })
        .collect()
}

/// `prefix` in front of each of these.
fn prefixed(prefix: &[u8], objects: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    objects
        .into_iter()
        .map(|object| [prefix, &object].concat())
        .collect()
}

/// The streams of chunks that are not split: the bytes after the first length prefix.
fn streams(codec: u8) -> Vec<Vec<u8>> {
    golden("golden_chunks", 3)
        .into_iter()
        .filter_map(|chunk| {
            let coded = chunk.get(2)? >> 5 == codec && chunk.get(2)? & 2 == 0;
            let start = u32::from_le_bytes(chunk.get(32..36)?.try_into().ok()?);
            let stream = chunk.get(usize::try_from(start).ok()? + 4..)?.to_vec();
            (coded && !stream.is_empty()).then_some(stream)
        })
        .take(12)
        .collect()
}

/// Seeds that are not choices.
fn objects(target: &str) -> Vec<Vec<u8>> {
    let chunks = || {
        let mut all = golden("golden_chunks", 40);
        all.extend(golden("golden_blosc1", 8));
        all
    };
    match target {
        // Length, wanted, and "as it is".
        "blosclz_decode" => prefixed(&[0, 16, 100, 0, 0], streams(0)),
        "inflate" => prefixed(&[0, 16, 100, 0, 0], streams(3)),
        // No dictionary.
        "zstd_decode" => prefixed(&[0, 16, 100, 0, 0], streams(4)),
        "ndlz_decode" => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/tests/codecs");
            let stream = |name| fs::read(folder.join("data").join(name)).expect("a stream");
            // The side, the length of the block, and "as it is".
            let [four, eight] = [("ndlz_4.bin", 0, 39 * 30), ("ndlz_8.bin", 1, 75 * 58)].map(
                |(name, side, len): (_, u8, u16)| {
                    let [low, high] = len.to_le_bytes();
                    prefixed(&[side, low, high, 0], vec![stream(name)])
                },
            );
            [four, eight].concat()
        }
        // No dictionary.
        "lz4_decode" => prefixed(&[0, 16, 100, 0, 0, 0, 0, 0, 0], streams(1)),
        "chunk_decode" => prefixed(&[0], chunks()),
        "chunk_items" => {
            let picks = [1, 0, 40, 0, 7, 0, 200, 1, 0, 0, 9, 9, 3, 1, 50, 0, 0];
            prefixed(&picks, chunks())
        }
        "no_leak" => prefixed(&[0, 0], chunks()),
        "frame_open" => prefixed(&[0], golden("golden_frames", 1)),
        // A frame of others, as it is: not in a folder, the rest, no change.
        "salvage" => prefixed(&[1, 0], golden("golden_frames", 4)),
        // The rest.
        "stores" => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
            let names = ["old/numbers.blp", "old/n5_block", "stores/save_array.bl2"];
            let file = |name| fs::read(folder.join(name)).expect("a file");
            prefixed(&[1, 1], names.map(file).to_vec())
        }
        "b2nd_open" => prefixed(&[0], golden("golden_arrays", 3)),
        "metalayers" => {
            let dtypes = [
                "<f8",
                "|S5",
                "[('a', '<i4'), ('b', '|u1', (2,))]",
                "<M8[ns]",
            ];
            let mut all: Vec<Vec<u8>> =
                dtypes.iter().map(|text| text.as_bytes().to_vec()).collect();
            for frame in golden("golden_arrays", 9) {
                if let Some(at) = frame.windows(4).position(|bytes| bytes == b"b2nd") {
                    all.push(frame[at..frame.len().min(at + 200)].to_vec());
                }
                all.push(frame);
            }
            prefixed(&[1], all)
        }
        "values" => [
            &b"\x93\xA9__tuple__\x01\x02"[..],
            b"\x82\xA1a\x01\xA1b\x91\xCB?\xF8\0\0\0\0\0\0",
            b"\xD8,?\xF0\0\0\0\0\0\0@\0\0\0\0\0\0\0",
            b"\xD5-\x91\x01",
            b"\xC7\x11.\x82\xA5shape\x91\x03\xA4data\xC4\x01\0",
        ]
        .map(<[u8]>::to_vec)
        .to_vec(),
        "npy" => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
            let file = fs::read(folder.join("camera.npy")).expect("a file");
            let mut all = vec![file[..200].to_vec()];
            for dict in [
                "{'descr': [('a', '<i4'), ('b', 'S3', (2,))], \
                 'fortran_order': True, 'shape': (3, 4)}",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (7L,)}",
                "{'shape': (), 'descr': '>c16', 'fortran_order': False}",
            ] {
                let mut file = b"\x93NUMPY\x01\x00".to_vec();
                file.extend(
                    u16::try_from(dict.len())
                        .expect("a short one")
                        .to_le_bytes(),
                );
                file.extend(dict.as_bytes());
                all.push(file);
            }
            all
        }
        _ => Vec::new(),
    }
}

fn main() {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.expect("the folder for the seeds");
    for (target, run) in TARGETS {
        let folder = folder.join(target);
        fs::create_dir_all(&folder).expect("a folder");
        let seeds = objects(target)
            .into_iter()
            .chain((0..24).map(choices))
            // A first byte of 1 builds something valid in most targets.
            .chain((24..36).map(|number| [&[1], &choices(number)[..]].concat()));
        let mut count = 0;
        for (number, seed) in seeds.enumerate() {
            run(&seed);
            fs::write(folder.join(format!("seed-{number:03}")), &seed).expect("a file");
            count += 1;
        }
        println!("{target}: {count} seeds");
    }
}
