//! Several processes and handles on one frame.
//!
//! A test starts itself again as a writer (`child`). 20 rounds by default, 300 with
//! `OXIBLOSC_LONG=1`.
#![cfg(feature = "frame")]
#![expect(
    clippy::unwrap_used,
    clippy::items_after_statements,
    clippy::print_stdout,
    reason = "a failing test may panic, and says how much it did; helpers stand beside their use"
)]

mod stale;
mod stress;
mod undo;
mod writers;

use std::path::{Path, PathBuf};

use oxiblosc::frame::{Access, AnyFrame, FrameStoreMut, FrameWriter, Locking};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, DParams, FrameParams};

/// The size of a chunk, and of what one change adds.
const CHUNK: usize = 1000;

fn rounds() -> usize {
    match std::env::var("OXIBLOSC_LONG") {
        Ok(long) if long == "1" => 300,
        _ => 20,
    }
}

fn params() -> FrameParams {
    FrameParams::new(CParams::new(1), CHUNK)
}

/// Bytes that name their writer and the number of the change; not all of them compress.
fn piece(writer: u32, change: u32) -> Vec<u8> {
    let mut state = writer.wrapping_mul(0x9E37_79B9) ^ change.wrapping_mul(0x85EB_CA6B);
    let mut bytes: Vec<u8> = Vec::with_capacity(CHUNK);
    bytes.extend(writer.to_le_bytes());
    bytes.extend(change.to_le_bytes());
    while bytes.len() < CHUNK {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let byte = state.to_be_bytes()[0];
        bytes.extend(std::iter::repeat_n(byte, usize::from(byte % 7) + 1));
    }
    bytes.truncate(CHUNK);
    bytes
}

/// The content of a frame, read by a new handle.
fn content(path: &Path) -> Vec<u8> {
    let frame = AnyFrame::open(path, DParams::new()).unwrap();
    frame.check().unwrap();
    let mut bytes = vec![0; usize::try_from(frame.layout().nbytes).unwrap()];
    let nbytes = frame.layout().nbytes;
    frame
        .read_bytes_into(&mut Default::default(), 0..nbytes, &mut bytes)
        .unwrap();
    bytes
}

/// The two kinds of frames.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Contiguous,
    Sparse,
}

const KINDS: [Kind; 2] = [Kind::Contiguous, Kind::Sparse];

/// Calls a function with a writer of either kind.
trait Work<R> {
    fn work<S: FrameStoreMut>(self, writer: FrameWriter<S>) -> R;
}

impl Kind {
    fn create(self, path: &Path, chunks: u32) {
        struct Fill(u32);
        impl Work<()> for Fill {
            fn work<S: FrameStoreMut>(self, mut writer: FrameWriter<S>) {
                for change in 0..self.0 {
                    writer.append(&piece(0, change)).unwrap();
                }
                writer.finish().unwrap();
            }
        }
        match self {
            Self::Contiguous => Fill(chunks).work(FrameWriter::create(path, params()).unwrap()),
            Self::Sparse => Fill(chunks).work(FrameWriter::create_sparse(path, params()).unwrap()),
        }
    }

    /// Opens a frame for changes and calls `work`.
    fn with<R>(self, path: &Path, access: Access, work: impl Work<R>) -> oxiblosc::Result<R> {
        let dparams = DParams::new();
        Ok(match self {
            Self::Contiguous => work.work(FrameWriter::open_with(path, dparams, access)?),
            Self::Sparse => work.work(FrameWriter::open_sparse_with(path, dparams, access)?),
        })
    }
}

/// The path of a frame in a new directory.
fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frame");
    (dir, path)
}

/// The default, but it waits: where other tests start processes, a child holds the lock of a writer
/// that is gone until it has replaced its parent's files.
fn waiting() -> Access {
    Locking::Exclusive.waiting()
}

/// The three ways of writing that lose nothing.
fn accesses() -> [Access; 3] {
    [
        Locking::Exclusive.into(),
        Locking::Exclusive.waiting(),
        Locking::Shared.into(),
    ]
}

/// The other tests mean nothing on a file system without locks.
#[test]
fn the_file_system_has_locks() {
    let (_dir, path) = place();
    Kind::Contiguous.create(&path, 1);
    let first = FrameWriter::open(&path, DParams::new()).unwrap();
    let second = FrameWriter::open(&path, DParams::new()).unwrap_err();
    assert_eq!(second.kind(), oxiblosc::ErrorKind::Locked);
    assert!(second.to_string().starts_with(path.to_str().unwrap()));
    assert_eq!(second.c_code(), -37);
    drop(first);
    FrameWriter::open_with(&path, DParams::new(), waiting())
        .unwrap()
        .finish()
        .unwrap();
}
