//! Handles that are out of date: reads never return the chunks of another frame.

use oxiblosc::frame::{AnyFrame, FrameReader, FrameStoreMut, FrameWriter, Locking};
use oxiblosc::schunk::{ChunkSink, ChunkSource};
use oxiblosc::{ChunkDecoder, DParams, ErrorKind};

use super::{CHUNK, KINDS, Kind, params, place, waiting};

fn chunk(frame: &impl ChunkSource, nchunk: u64) -> oxiblosc::Result<Vec<u8>> {
    let mut bytes = vec![0; CHUNK];
    frame.decode_chunk_into(&mut ChunkDecoder::default(), nchunk, &mut bytes)?;
    Ok(bytes)
}

/// Chunks of equal sizes, so that a wrong one looks right.
fn same(number: u8) -> Vec<u8> {
    (0..251)
        .cycle()
        .take(CHUNK)
        .map(|at: u8| number ^ at)
        .collect()
}

/// One step of a change by another handle.
enum Step {
    Delete(u64),
    Append(u8),
    Update(u64, u8),
    Order(&'static [u64]),
    Meta,
    Compact,
}

/// Applies a step; compacting is a method of either kind of writer.
fn apply(kind: Kind, path: &std::path::Path, steps: &[Step]) {
    fn some<S: FrameStoreMut>(writer: &mut FrameWriter<S>, step: &Step) {
        match step {
            Step::Delete(at) => writer.delete_chunk(*at).unwrap(),
            Step::Append(number) => writer.append(&same(*number)).unwrap(),
            Step::Update(at, number) => {
                writer.set_items(at * CHUNK as u64, &same(*number)).unwrap();
            }
            Step::Order(order) => writer.reorder_chunks(order).unwrap(),
            Step::Meta => writer.set_vlmetalayer("k", b"v").unwrap(),
            Step::Compact => {}
        }
        writer.commit().unwrap();
    }
    for step in steps {
        match kind {
            Kind::Contiguous => {
                let mut writer = FrameWriter::open_with(path, DParams::new(), waiting()).unwrap();
                some(&mut writer, step);
                if matches!(step, Step::Compact) {
                    writer.compact().unwrap();
                }
            }
            Kind::Sparse => {
                let mut writer =
                    FrameWriter::open_sparse_with(path, DParams::new(), waiting()).unwrap();
                some(&mut writer, step);
                if matches!(step, Step::Compact) {
                    writer.compact().unwrap();
                }
            }
        }
    }
}

fn create(kind: Kind, path: &std::path::Path, chunks: u8) {
    kind.create(path, 1);
    let steps: Vec<Step> = (1..chunks).map(Step::Append).collect();
    apply(kind, path, &[Step::Update(0, 0)]);
    apply(kind, path, &steps);
    apply(kind, path, &[Step::Compact]);
}

/// D9: chunks of one size, shifted by one after another handle deleted one and compacted.
#[test]
fn changes_by_others_are_noticed_by_reads() {
    let changes: [&[Step]; 6] = [
        &[Step::Delete(0), Step::Compact],
        &[Step::Delete(0), Step::Append(9), Step::Compact],
        &[Step::Update(2, 77)],
        &[Step::Order(&[3, 2, 1, 0]), Step::Compact],
        &[Step::Append(9)],
        &[Step::Meta],
    ];
    for kind in KINDS {
        for locking in [Locking::None, Locking::Shared] {
            for (n, steps) in changes.iter().enumerate() {
                let (_dir, path) = place();
                create(kind, &path, 4);
                let mut reader = AnyFrame::open_with(&path, DParams::new(), locking).unwrap();
                for number in 0..4 {
                    assert_eq!(chunk(&reader, number.into()).unwrap(), same(number));
                }
                apply(kind, &path, steps);
                for nchunk in 0..4 {
                    let error = chunk(&reader, nchunk).expect_err(&format!("{kind:?} {n}"));
                    assert_eq!(
                        error.kind(),
                        ErrorKind::Stale,
                        "{kind:?} {locking:?} {n}: {error}"
                    );
                    assert!(error.to_string().contains("frame"), "{error}");
                }
                let mut part = [0; 3];
                let read = reader.read_bytes_into(&mut Default::default(), 7..10, &mut part);
                assert_eq!(read.unwrap_err().kind(), ErrorKind::Stale);
                assert!(reader.refresh().unwrap());
                assert!(!reader.refresh().unwrap());
                let fresh = AnyFrame::open(&path, DParams::new()).unwrap();
                assert_eq!(reader.layout(), fresh.layout());
                for nchunk in 0..fresh.layout().nchunks {
                    assert_eq!(
                        chunk(&reader, nchunk).unwrap(),
                        chunk(&fresh, nchunk).unwrap()
                    );
                }
            }
        }
    }
}

/// Single blocks of a chunk are read later than its header.
#[test]
fn lazy_chunks_notice_changes() {
    let (_dir, path) = place();
    create(Kind::Contiguous, &path, 4);
    let reader = FrameReader::open(&path, DParams::new()).unwrap();
    let mut lazy = reader.lazy_chunk(2).unwrap();
    apply(Kind::Contiguous, &path, &[Step::Delete(0), Step::Compact]);
    let mut part = [0; 10];
    let error = lazy
        .decode_bytes_into(&mut ChunkDecoder::default(), 500..510, &mut part)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Stale);
}

/// Bytes that another writer has not committed do not concern a reader.
#[test]
fn uncommitted_changes_are_not_noticed() {
    for kind in KINDS {
        let (_dir, path) = place();
        create(kind, &path, 3);
        let mut reader = AnyFrame::open(&path, DParams::new()).unwrap();
        fn append<S: FrameStoreMut>(mut writer: FrameWriter<S>, reader: &AnyFrame) {
            for number in 10..20 {
                writer.append(&same(number)).unwrap();
                for nchunk in 0..3 {
                    assert_eq!(chunk(reader, nchunk.into()).unwrap(), same(nchunk));
                }
            }
            // Dropped as it is, the writer would commit what it appended.
            writer.rollback().unwrap();
        }
        match kind {
            Kind::Contiguous => {
                append(
                    FrameWriter::open_with(&path, DParams::new(), waiting()).unwrap(),
                    &reader,
                );
            }
            Kind::Sparse => {
                append(
                    FrameWriter::open_sparse_with(&path, DParams::new(), waiting()).unwrap(),
                    &reader,
                );
            }
        }
        for nchunk in 0..3 {
            assert_eq!(chunk(&reader, nchunk.into()).unwrap(), same(nchunk));
        }
        assert!(!reader.refresh().unwrap());
    }
}

/// A file renamed over the frame: the old one is intact, and `refresh` opens the new one.
#[test]
fn a_replaced_file_is_followed_by_refresh() {
    let (_dir, path) = place();
    create(Kind::Contiguous, &path, 2);
    let mut reader = FrameReader::open(&path, DParams::new()).unwrap();
    let other = path.with_extension("other");
    create(Kind::Contiguous, &other, 3);
    std::fs::rename(&other, &path).unwrap();
    assert_eq!(chunk(&reader, 1).unwrap(), same(1));
    assert!(reader.refresh().unwrap());
    assert_eq!(reader.layout().nchunks, 3);
    assert_eq!(chunk(&reader, 2).unwrap(), same(2));
}

/// A writer without locks refuses to commit over a change by others, which would be lost.
#[test]
fn a_writer_without_locks_does_not_overwrite_a_commit() {
    for kind in KINDS {
        let (_dir, path) = place();
        create(kind, &path, 2);
        fn late<S: FrameStoreMut>(mut writer: FrameWriter<S>, other: impl FnOnce()) {
            writer.append(&same(50)).unwrap();
            other();
            assert_eq!(writer.commit().unwrap_err().kind(), ErrorKind::Stale);
            writer.rollback().unwrap();
            assert_eq!(writer.layout().nchunks, 2);
            writer.append(&same(51)).unwrap();
            writer.commit().unwrap();
        }
        let other = || apply(kind, &path, &[Step::Meta]);
        let (none, dparams) = (Locking::None, DParams::new());
        match kind {
            Kind::Contiguous => {
                late(FrameWriter::open_with(&path, dparams, none).unwrap(), other);
            }
            Kind::Sparse => {
                late(
                    FrameWriter::open_sparse_with(&path, dparams, none).unwrap(),
                    other,
                );
            }
        }
        let frame = AnyFrame::open(&path, DParams::new()).unwrap();
        assert_eq!(frame.vlmetalayer("k").unwrap().as_deref(), Some(&b"v"[..]));
        assert_eq!(chunk(&frame, 2).unwrap(), same(51));
    }
}

/// Handles that share a frame follow each other, also with several steps under one lock.
#[test]
fn sharing_writers_follow_each_other() {
    let (_dir, path) = place();
    let mut new = FrameWriter::create(&path, params().locking(Locking::Shared)).unwrap();
    new.append(&same(0)).unwrap();
    new.finish().unwrap();
    let open = || FrameWriter::open_with(&path, DParams::new(), Locking::Shared).unwrap();
    let (mut a, mut b) = (open(), open());
    for number in 1..10 {
        let (now, other) = if number % 2 == 0 {
            (&mut a, &mut b)
        } else {
            (&mut b, &mut a)
        };
        assert_eq!(now.lock().unwrap(), number > 1);
        assert!(!now.lock().unwrap());
        now.append(&same(number)).unwrap();
        now.commit().unwrap();
        now.unlock().unwrap();
        now.set_vlmetalayer("last", &[number]).unwrap();
        now.commit().unwrap();
        now.unlock().unwrap();
        let nchunks = u64::from(number) + 1;
        assert_eq!(now.layout().nchunks, nchunks);
        assert_eq!(chunk(now, u64::from(number)).unwrap(), same(number));
        assert_eq!(chunk(other, 0).unwrap_err().kind(), ErrorKind::Stale);
        // Nothing is read for a chunk that the handle does not know, or that has no bytes.
        assert_eq!(
            chunk(other, nchunks - 1).unwrap_err().kind(),
            ErrorKind::Stale
        );
        // A change that fails before it changed anything gives the lock back.
        assert!(now.delete_chunk(99).is_err());
    }
    assert!(a.refresh().unwrap());
    assert_eq!(a.vlmetalayer("last").unwrap(), Some(vec![9]));
    assert!(!b.refresh().unwrap());
}
