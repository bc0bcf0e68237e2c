//! Four processes of eight threads on one frame: reads of any chunk, changes of one's own, and
//! compaction. The long form makes a million operations.
//!
//! ```text
//! process   handle (shared lock)   threads   own chunks of the frame
//! 0         0, 1                   0 to 7    0 and 1, 2 and 3, ... 14 and 15
//! ...
//! 3         0, 1                   24 to 31  48 and 49, ... 62 and 63
//! ```
//!
//! A chunk says who wrote it and how often. What a thread reads is whole, is never older than what
//! it read before, and its own chunks are as it left them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::RwLock;
use std::thread;

use oxiblosc::frame::{Contiguous, FrameStoreMut, FrameWriter, Locking, Sparse};
use oxiblosc::schunk::{ChunkSink, ChunkSource};
use oxiblosc::storage::{DiskDir, DiskFile};
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, DParams, ErrorKind};

use super::{CHUNK, KINDS, Kind, Work, content, piece, place};

/// The variable that makes the test a process of the game.
const VARIABLE: &str = "OXIBLOSC_STRESS_CHILD";
const PROCESSES: u32 = 4;
const THREADS: u32 = 8;
/// Chunks that each thread owns.
const OWN: u32 = 2;
const CHUNKS: u32 = PROCESSES * THREADS * OWN;

/// Operations of all threads together.
fn operations() -> u32 {
    match std::env::var("OXIBLOSC_LONG") {
        Ok(long) if long == "1" => 1_000_000,
        _ => 20_000,
    }
}

/// The calls of a writer that its kinds of frames have beyond the trait.
trait Compacts: FrameStoreMut + Sized {
    fn open(path: &Path) -> oxiblosc::Result<FrameWriter<Self>>;
    fn compact(writer: &mut FrameWriter<Self>) -> oxiblosc::Result<()>;
}

impl Compacts for Contiguous<DiskFile> {
    fn open(path: &Path) -> oxiblosc::Result<FrameWriter<Self>> {
        FrameWriter::open_with(path, DParams::new(), Locking::Shared)
    }

    fn compact(writer: &mut FrameWriter<Self>) -> oxiblosc::Result<()> {
        writer.compact().map(drop)
    }
}

impl Compacts for Sparse<DiskDir> {
    fn open(path: &Path) -> oxiblosc::Result<FrameWriter<Self>> {
        FrameWriter::open_sparse_with(path, DParams::new(), Locking::Shared)
    }

    fn compact(writer: &mut FrameWriter<Self>) -> oxiblosc::Result<()> {
        writer.compact().map(drop)
    }
}

/// How often the writer of a chunk had written it; the whole chunk is as that writer makes it.
fn version_of(chunk: u32, bytes: &[u8]) -> u32 {
    let version = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    assert!(bytes == piece(chunk, version), "chunk {chunk} is torn");
    version
}

/// One thread: what it owns, and what it has seen.
struct Player {
    number: u32,
    random: u64,
    seen: Vec<u32>,
    decoder: ChunkDecoder,
    encoder: ChunkEncoder,
}

impl Player {
    fn new(number: u32) -> Self {
        Self {
            number,
            random: u64::from(number) + 1,
            seen: vec![0; CHUNKS as usize],
            decoder: ChunkDecoder::default(),
            encoder: ChunkEncoder::new(CParams::new(1)).unwrap(),
        }
    }

    fn below(&mut self, most: u32) -> u32 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.random >> 33) % u64::from(most)).unwrap()
    }

    fn read<S: FrameStoreMut>(&mut self, handle: &RwLock<FrameWriter<S>>) {
        let chunk = self.below(CHUNKS);
        let mut bytes = vec![0; CHUNK];
        loop {
            let read = handle.read().unwrap().decode_chunk_into(
                &mut self.decoder,
                chunk.into(),
                &mut bytes,
            );
            match read {
                Err(error) if error.kind() == ErrorKind::Stale => {
                    handle.write().unwrap().refresh().unwrap();
                }
                read => {
                    read.unwrap();
                    break;
                }
            }
        }
        let version = version_of(chunk, &bytes);
        let seen = &mut self.seen[chunk as usize];
        if chunk / OWN == self.number {
            assert_eq!(version, *seen, "own chunk {chunk}");
        }
        assert!(version >= *seen, "chunk {chunk}: {version} after {seen}");
        *seen = version;
    }

    fn update<S: FrameStoreMut>(&mut self, handle: &RwLock<FrameWriter<S>>) {
        let chunk = self.number * OWN + self.below(OWN);
        let version = self.seen[chunk as usize] + 1;
        let encoded = self.encoder.encode(&piece(chunk, version)).unwrap();
        let mut writer = handle.write().unwrap();
        writer.update_chunk(chunk.into(), &encoded).unwrap();
        writer.commit().unwrap();
        self.seen[chunk as usize] = version;
    }
}

/// One process: eight threads on two handles.
fn play<S: Compacts + Sync>(path: &Path, process: u32) {
    let handles = [S::open(path), S::open(path)].map(|handle| RwLock::new(handle.unwrap()));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let handle = &handles[thread as usize % 2];
            scope.spawn(move || {
                let mut player = Player::new(process * THREADS + thread);
                for _ in 0..operations() / (PROCESSES * THREADS) {
                    match player.below(1000) {
                        0 => S::compact(&mut handle.write().unwrap()).unwrap(),
                        1..=20 => player.update(handle),
                        _ => player.read(handle),
                    }
                }
                let first = player.number * OWN;
                for chunk in first..first + OWN {
                    println!("\nleft {chunk} {}", player.seen[chunk as usize]);
                }
            });
        }
    });
}

struct Fill;

impl Work<()> for Fill {
    fn work<S: FrameStoreMut>(self, mut writer: FrameWriter<S>) {
        // A frame without chunks keeps no chunk size.
        writer.set_chunksize(CHUNK).unwrap();
        for chunk in 0..CHUNKS {
            writer.append(&piece(chunk, 0)).unwrap();
        }
        writer.finish().unwrap();
    }
}

fn game(kind: Kind) -> u32 {
    let (_dir, path) = place();
    kind.create(&path, 0);
    kind.with(&path, Locking::Shared.into(), Fill).unwrap();
    let start = |process: u32| {
        let number = u8::from(kind == Kind::Sparse);
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "locking::stress::many_threads_and_processes"])
            .arg("--nocapture")
            .env(VARIABLE, format!("{}|{number}|{process}", path.display()))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let processes: Vec<_> = (0..PROCESSES).map(start).collect();
    let mut left = vec![None; CHUNKS as usize];
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{kind:?}");
        let output = String::from_utf8(output.stdout).unwrap();
        for line in output.lines() {
            let Some(words) = line.strip_prefix("left ") else {
                continue;
            };
            let (chunk, version) = words.split_once(' ').unwrap();
            left[chunk.parse::<usize>().unwrap()] = Some(version.parse().unwrap());
        }
    }
    let bytes = content(&path);
    assert_eq!(bytes.len(), CHUNKS as usize * CHUNK);
    let mut changes = 0;
    for ((chunk, bytes), left) in (0..).zip(bytes.chunks(CHUNK)).zip(left) {
        assert_eq!(Some(version_of(chunk, bytes)), left, "{kind:?} {chunk}");
        changes += left.unwrap();
    }
    changes
}

#[test]
fn many_threads_and_processes() {
    if let Ok(words) = std::env::var(VARIABLE) {
        let words: Vec<&str> = words.split('|').collect();
        let [path, kind, process] = words.as_slice() else {
            panic!("{words:?}");
        };
        let (path, process) = (PathBuf::from(path), process.parse().unwrap());
        return match *kind {
            "0" => play::<Contiguous<DiskFile>>(&path, process),
            _ => play::<Sparse<DiskDir>>(&path, process),
        };
    }
    for kind in KINDS {
        let changes = game(kind);
        println!(
            "{kind:?}: {} operations, {changes} of them changes",
            operations()
        );
        assert!(changes > 0);
    }
}
