//! Changes that are not committed leave nothing behind.

use std::collections::BTreeMap;
use std::path::Path;

use oxiblosc::frame::{FrameStoreMut, FrameWriter, Locking};
use oxiblosc::schunk::ChunkSink;
use oxiblosc::{CParams, ChunkEncoder, DParams};

use super::{KINDS, Kind, Work, content, piece, place, waiting};

/// The bytes of a file, or of the files of a directory.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    if path.is_file() {
        return [(String::new(), std::fs::read(path).unwrap())].into();
    }
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, std::fs::read(entry.path()).unwrap())
    };
    std::fs::read_dir(path).unwrap().map(entry).collect()
}

/// Changes of every kind, then the end of the writer.
struct Abandon {
    rollback: bool,
    fail: bool,
}

impl Work<()> for Abandon {
    fn work<S: FrameStoreMut>(self, mut writer: FrameWriter<S>) {
        for change in 0..50 {
            writer.append(&piece(3, change)).unwrap();
        }
        writer.delete_chunk(1).unwrap();
        writer.set_items(10, b"overwritten").unwrap();
        writer.set_vlmetalayer("note", b"never stored").unwrap();
        if self.fail {
            assert!(writer.append_chunk(b"no chunk").is_err());
        }
        if self.rollback {
            writer.rollback().unwrap();
            assert_eq!(writer.reader().header().nbytes, 3000);
        }
    }
}

/// D5: a frame to which an append failed has its old bytes and its old length.
#[test]
fn a_dropped_writer_leaves_the_frame_as_committed() {
    for kind in KINDS {
        for locking in [Locking::Exclusive, Locking::Shared, Locking::None] {
            for (rollback, fail) in [(false, false), (true, false), (false, true)] {
                let (_dir, path) = place();
                kind.create(&path, 3);
                let mut before = files(&path);
                if locking == Locking::Shared && kind == Kind::Sparse {
                    before.insert(".b2lock".into(), Vec::new());
                }
                kind.with(&path, locking.into(), Abandon { rollback, fail })
                    .unwrap();
                let mut after = files(&path);
                if let Some(sidecar) = after.get_mut(".b2lock") {
                    assert_eq!(sidecar.len(), 16);
                    sidecar.clear();
                }
                assert_eq!(after, before, "{kind:?} {locking:?} {rollback} {fail}");
            }
        }
    }
}

/// A writer that goes on after a commit keeps what is committed.
#[test]
fn committed_changes_stay() {
    struct Both;
    impl Work<()> for Both {
        fn work<S: FrameStoreMut>(self, mut writer: FrameWriter<S>) {
            writer.append(&piece(1, 0)).unwrap();
            writer.commit().unwrap();
            writer.append(&piece(1, 1)).unwrap();
            writer.append_chunk(&[]).unwrap_err();
        }
    }
    for kind in KINDS {
        let (_dir, path) = place();
        kind.create(&path, 1);
        kind.with(&path, waiting(), Both).unwrap();
        assert_eq!(content(&path), [piece(0, 0), piece(1, 0)].concat());
        let used = if kind == Kind::Sparse { 3 } else { 1 };
        assert_eq!(files(&path).len(), used);
    }
}

/// A frame that was never committed is no file, under any name.
#[test]
fn an_abandoned_new_frame_takes_no_space() {
    let (dir, path) = place();
    let names = || std::fs::read_dir(dir.path()).unwrap().count();
    let mut writer = FrameWriter::create(&path, super::params()).unwrap();
    writer.append(&piece(0, 0).repeat(20)).unwrap();
    assert!(!path.exists());
    assert_eq!(names(), 1);
    drop(writer);
    assert_eq!(names(), 0);

    let mut writer = FrameWriter::create_sparse(&path, super::params()).unwrap();
    writer.append(&piece(0, 0).repeat(20)).unwrap();
    assert!(std::fs::read_dir(&path).unwrap().count() > 1);
    drop(writer);
    assert_eq!(names(), 0);

    // Unless it was asked to be written under its own name.
    let mut writer = FrameWriter::create(&path, super::params().in_place(true)).unwrap();
    writer.append(&piece(0, 0).repeat(20)).unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() > 0);
}

/// Bytes of the writer before the one that was killed are cut by `recover`, and a writer that
/// changes nothing does not touch them.
#[test]
fn an_idle_writer_leaves_bytes_after_the_frame() {
    let (_dir, path) = place();
    Kind::Contiguous.create(&path, 1);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend(b"not of the frame");
    std::fs::write(&path, &bytes).unwrap();
    let mut writer = FrameWriter::open_with(&path, DParams::new(), waiting()).unwrap();
    writer.commit().unwrap();
    drop(writer);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let mut writer = FrameWriter::open_with(&path, DParams::new(), waiting()).unwrap();
    assert_eq!(writer.recover().unwrap(), 16);
}

/// D14: files with temporary names, which a writer that was killed left; other files stay.
#[test]
fn temporary_files_are_removed() {
    let chunk = ChunkEncoder::new(CParams::new(1))
        .unwrap()
        .encode(&piece(0, 0))
        .unwrap();
    for compact in [false, true] {
        let (_dir, path) = place();
        Kind::Sparse.create(&path, 2);
        let ours = [
            ".00000007.chunk.new",
            ".chunks.b2frame.new",
            "00000009.chunk",
        ];
        let others = [
            ".note.new",
            "chunk.new",
            ".0000000g.chunk.new",
            "README",
            ".1.chunk.new",
        ];
        for name in ours.iter().chain(&others) {
            std::fs::write(path.join(name), &chunk).unwrap();
        }
        let mut writer = FrameWriter::open_sparse_with(&path, DParams::new(), waiting()).unwrap();
        if compact {
            writer.compact().unwrap();
        } else {
            assert_eq!(writer.recover().unwrap(), 3);
        }
        drop(writer);
        for name in ours {
            assert!(!path.join(name).exists(), "{name}");
        }
        for name in others {
            assert!(path.join(name).exists(), "{name}");
        }
        assert_eq!(content(&path), [piece(0, 0), piece(0, 1)].concat());
    }
}
