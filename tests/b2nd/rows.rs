//! Rows appended one by one: seen at once, stored in whole chunks, and never lost silently.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use oxiblosc::b2nd::{Array, ArrayParams, ArrayWriter};
use oxiblosc::frame::{FrameReader, FrameWriter, Locking, Lost};
use oxiblosc::{ChunkSink, ChunkSource, DParams, ErrorKind, Limits};

fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = crate::common::folder();
    let path = dir.path().join("rows.b2nd");
    (dir, path)
}

/// Rows of 7 elements, in chunks of 10 rows and 4 columns.
fn params(rows: u64) -> ArrayParams {
    ArrayParams::new::<i32>(&[rows, 7])
        .chunkshape(&[10, 4])
        .blockshape(&[3, 2])
}

fn row(number: i32) -> Vec<i32> {
    (0..7).map(|column| number * 100 + column).collect()
}

fn count(number: i32) -> u64 {
    u64::try_from(number).unwrap()
}

fn rows(numbers: std::ops::Range<i32>) -> Vec<i32> {
    numbers.flat_map(row).collect()
}

/// Calls of the hook, and what they said.
fn watch(array: &mut ArrayWriter) -> Arc<Mutex<Vec<Lost>>> {
    let lost = Arc::<Mutex<Vec<Lost>>>::default();
    let seen = Arc::clone(&lost);
    array.on_lost(move |what| seen.lock().unwrap().push(what.clone()));
    lost
}

fn stored(path: &Path) -> Vec<i32> {
    Array::open(path).unwrap().to_elements().unwrap()
}

/// Every kind of read, after every row: against a plain vector.
fn check<C: ChunkSource>(array: &Array<C>, count: i32) {
    let all = rows(0..count);
    let last = u64::try_from(count - 1).unwrap();
    assert_eq!(array.shape(), [last + 1, 7]);
    assert_eq!(array.nitems(), (last + 1) * 7);
    assert_eq!(array.to_elements::<i32>().unwrap(), all);
    assert_eq!(array.get::<i32>(&[last, 5]).unwrap(), (count - 1) * 100 + 5);
    assert_eq!(array.get::<i32>(&[0, 6]).unwrap(), 6);
    assert_eq!(
        array.slice::<i32>((-1, 2..4)).unwrap(),
        row(count - 1)[2..4]
    );
    let column: Vec<i32> = (0..count).map(|number| number * 100 + 3).collect();
    assert_eq!(array.slice::<i32>((.., 3)).unwrap(), column);
    let boxes: Vec<_> = array.chunk_boxes().map(Result::unwrap).collect();
    assert_eq!(
        boxes.len(),
        usize::try_from(array.grid().nchunks()).unwrap()
    );
    array.check().unwrap();
    assert!(array.get::<i32>(&[last + 1, 0]).is_err());
    let copy = array.copy(&array.params().unwrap()).unwrap();
    assert_eq!(copy.to_elements::<i32>().unwrap(), all);
}

#[test]
fn every_row_is_seen_at_once() {
    for start in [0, 1, 9, 10, 25] {
        let mut array = Array::from_elements(&rows(0..start), &params(count(start))).unwrap();
        for number in start..start + 34 {
            array.append(&row(number)).unwrap();
            check(&array, number + 1);
        }
        // The same without a read in between, and in pieces of several rows.
        let mut other = Array::from_elements(&rows(0..start), &params(count(start))).unwrap();
        let mut at = start;
        for piece in [1, 1, 3, 9, 1, 25, 2, 10, 1] {
            other.append(&rows(at..at + piece)).unwrap();
            at += piece;
        }
        check(&other, at);
        let chunks = other.into_inner().unwrap();
        check(&Array::open_in(chunks).unwrap(), at);
    }
}

#[test]
fn rows_reach_the_disk_with_a_commit() {
    for sparse in [false, true] {
        let (_dir, path) = place();
        let mut array = match sparse {
            false => Array::create(&path, &params(0)).unwrap(),
            true => Array::create_sparse(&path, &params(0)).unwrap(),
        };
        for number in 0..47 {
            array.append(&row(number)).unwrap();
            if number % 13 == 5 {
                array.commit().unwrap();
                assert_eq!(stored(&path), rows(0..number + 1));
            }
        }
        check(&array, 47);
        array.finish().unwrap();
        assert_eq!(stored(&path), rows(0..47));
    }
}

/// The bytes of the file do not tell how the rows came.
#[test]
fn the_file_is_the_same_as_that_of_one_call() {
    let (_dir, path) = place();
    let make = |pieces: &[i32]| {
        let mut array = Array::create(&path, &params(0).overwrite(true)).unwrap();
        let mut at = 0;
        for piece in pieces {
            array.append(&rows(at..at + piece)).unwrap();
            at += piece;
        }
        array.finish().unwrap();
        fs::read(&path).unwrap()
    };
    let batch = make(&[10, 10, 10, 10, 3]);
    assert_eq!(make(&[1; 43]), batch);
    assert_eq!(make(&[43]), batch);
    assert_eq!(make(&[7, 7, 7, 7, 7, 7, 1]), batch);
}

/// Changes of other kinds find the rows in chunks.
#[test]
fn other_changes_come_after_the_rows() {
    type Change = fn(&mut Array<oxiblosc::SChunk>);
    let changes: [(Change, usize); 6] = [
        (|array| array.set_slice((11, ..), &[5; 7]).unwrap(), 12),
        (|array| array.resize([11, 7]).unwrap(), 11),
        (|array| array.resize([40, 7]).unwrap(), 40),
        (|array| array.insert(0, 3, &[5; 14]).unwrap(), 14),
        (|array| array.delete(0, 1..3).unwrap(), 10),
        (
            |array| {
                array
                    .schunk_mut()
                    .unwrap()
                    .set_vlmetalayer("a", b"b")
                    .unwrap();
            },
            12,
        ),
    ];
    for (change, len) in changes {
        let mut one = Array::from_elements(&rows(0..12), &params(12)).unwrap();
        let mut two = Array::from_elements(&rows(0..9), &params(9)).unwrap();
        for number in 9..12 {
            two.append(&row(number)).unwrap();
        }
        change(&mut one);
        change(&mut two);
        assert_eq!(two.shape(), [len as u64, 7]);
        assert_eq!(two.to_bytes().unwrap(), one.to_bytes().unwrap());
        let chunks = two.into_inner().unwrap();
        let again = Array::open_in(chunks).unwrap();
        assert_eq!(again.to_bytes().unwrap(), one.to_bytes().unwrap());
    }
    let mut array = Array::from_elements(&[1_u8], &ArrayParams::new::<u8>(&[1, 1])).unwrap();
    array.append(&[2_u8]).unwrap();
    assert_eq!(
        array.expand_dims(0).unwrap().to_elements::<u8>().unwrap(),
        [1, 2]
    );
}

#[test]
fn a_new_array_that_is_dropped_is_no_file_and_says_so() {
    for sparse in [false, true] {
        let (dir, path) = place();
        let mut array = match sparse {
            false => Array::create(&path, &params(0)).unwrap(),
            true => Array::create_sparse(&path, &params(0)).unwrap(),
        };
        let lost = watch(&mut array);
        array.append(&rows(0..33)).unwrap();
        drop(array);
        let expected = format!(
            "{}: a new frame dropped without commit() or finish()",
            path.display()
        );
        assert_eq!(
            lost.lock()
                .unwrap()
                .iter()
                .map(Lost::to_string)
                .collect::<Vec<_>>(),
            [expected]
        );
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

        Array::from_elements_in(path.with_extension("old"), &rows(0..3), &params(3)).unwrap();
        let old = path.with_extension("old");
        let mut array = Array::create(&old, &params(0).overwrite(true)).unwrap();
        let lost = watch(&mut array);
        array.append(&rows(5..6)).unwrap();
        drop(array);
        assert_eq!(lost.lock().unwrap().len(), 1);
        assert_eq!(stored(&old), rows(0..3));
        // What is finished, or has nothing to store, says nothing.
        let mut array = Array::open_mut(&old).unwrap();
        let lost = watch(&mut array);
        drop(array);
        let mut array = Array::open_mut(&old).unwrap();
        let again = watch(&mut array);
        array.append(&row(3)).unwrap();
        array.finish().unwrap();
        assert!(lost.lock().unwrap().is_empty() && again.lock().unwrap().is_empty());
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no locks of files")]
fn appends_to_an_array_on_disk_are_committed_when_it_is_dropped() {
    for locking in [Locking::Exclusive, Locking::Shared, Locking::None] {
        let (_dir, path) = place();
        Array::from_elements_in(&path, &rows(0..3), &params(3)).unwrap();
        let open = || Array::open_mut_with(&path, DParams::new(), locking).unwrap();
        let mut array = open();
        let lost = watch(&mut array);
        array.append(&rows(3..25)).unwrap();
        drop(array);
        assert_eq!(stored(&path), rows(0..25));
        assert!(lost.lock().unwrap().is_empty());

        // Anything else is not.
        let changes: [fn(&mut ArrayWriter); 5] = [
            |array| array.set_slice((0, ..), &[0; 7]).unwrap(),
            |array| array.resize([3, 7]).unwrap(),
            |array| array.delete(0, 0..1).unwrap(),
            |array| {
                array
                    .schunk_mut()
                    .unwrap()
                    .set_vlmetalayer("a", b"b")
                    .unwrap();
            },
            |array| assert!(array.append(&[1_i32]).is_err()),
        ];
        for change in changes {
            let mut array = open();
            let lost = watch(&mut array);
            array.append(&row(25)).unwrap();
            change(&mut array);
            array.append(&row(26)).unwrap();
            drop(array);
            assert_eq!(stored(&path), rows(0..25));
            assert_eq!(lost.lock().unwrap().len(), 1);
        }
        // A commit in between begins again.
        let mut array = open();
        array.set_slice((0, ..), &row(0)).unwrap();
        array.append(&[1_i32]).unwrap_err();
        array.commit().unwrap();
        array.append(&row(25)).unwrap();
        drop(array);
        assert_eq!(stored(&path), rows(0..26));
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no threads")]
fn a_panic_commits_nothing() {
    let (_dir, path) = place();
    Array::from_elements_in(&path, &rows(0..3), &params(3)).unwrap();
    let lost = Arc::new(AtomicUsize::new(0));
    let (noted, at) = (Arc::clone(&lost), path.clone());
    let thread = std::thread::spawn(move || {
        let mut array = Array::open_mut(&at).unwrap();
        array.on_lost(move |_| {
            noted.fetch_add(1, Ordering::Relaxed);
        });
        array.append(&rows(3..33)).unwrap();
        assert_eq!(array.shape(), [0, 0]);
    });
    assert!(thread.join().is_err());
    assert_eq!(stored(&path), rows(0..3));
    assert_eq!(lost.load(Ordering::Relaxed), 1);
}

/// The same with bytes and chunks of a frame.
#[test]
fn appends_to_a_frame_on_disk_are_committed_when_it_is_dropped() {
    let (_dir, path) = place();
    let plain = oxiblosc::FrameParams::new(oxiblosc::CParams::new(1), 100);
    FrameWriter::create(&path, plain).unwrap().finish().unwrap();
    let open = || FrameWriter::open(&path, DParams::new()).unwrap();
    let nbytes = || {
        FrameReader::open(&path, DParams::new())
            .unwrap()
            .layout()
            .nbytes
    };
    let mut writer = open();
    writer.append(&[7; 250]).unwrap();
    drop(writer);
    assert_eq!(nbytes(), 250);
    let mut writer = open();
    writer.append(&[7; 10]).unwrap();
    writer.set_items(0, &[1]).unwrap();
    drop(writer);
    assert_eq!(nbytes(), 250);
}

#[test]
fn a_refresh_waits_for_the_rows() {
    let (_dir, path) = place();
    Array::from_elements_in(&path, &rows(0..3), &params(3)).unwrap();
    let mut array = Array::open_mut(&path).unwrap();
    array.append(&row(3)).unwrap();
    assert_eq!(array.refresh().unwrap_err().kind(), ErrorKind::Refused);
    array.commit().unwrap();
    array.refresh().unwrap();
    check(&array, 4);
}

#[cfg(feature = "ndarray")]
#[test]
fn views_written_over_rows_find_them() {
    let mut array = Array::from_elements(&rows(0..9), &params(9)).unwrap();
    array.append(&rows(9..12)).unwrap();
    let view = ndarray::Array2::from_elem((2, 7), 5_i32);
    array.set_slice_ndarray((10.., ..), view.view()).unwrap();
    assert_eq!(
        array.slice::<i32>((9.., ..)).unwrap(),
        [row(9), vec![5; 14]].concat()
    );
}

/// A write that fails while rows are stored keeps them for the next try.
#[test]
fn rows_wait_for_a_storage_that_recovers() {
    use oxiblosc::CParams;
    let fail = Arc::new(AtomicUsize::new(0));
    let asked = Arc::clone(&fail);
    let mut array = Array::from_elements(&rows(0..12), &params(12)).unwrap();
    array.append(&row(12)).unwrap();
    array.append(&row(13)).unwrap();
    let cparams = CParams::new(4).prefilter(move |_, src, dst| {
        if asked.load(Ordering::Relaxed) == 1 {
            return Err("no space".into());
        }
        dst.copy_from_slice(src);
        Ok(())
    });
    array.set_cparams(&cparams).unwrap();
    fail.store(1, Ordering::Relaxed);
    array.append(&rows(14..22)).unwrap_err();
    check(&array, 14);
    fail.store(0, Ordering::Relaxed);
    array.append(&rows(14..22)).unwrap();
    check(&array, 22);
}

/// A row of a wide array is no reason to take memory for all its chunks.
#[test]
fn one_row_of_a_wide_array_takes_little_memory() {
    let wide = ArrayParams::new::<u8>(&[0, 100_000])
        .chunkshape(&[1000, 1000])
        .blockshape(&[100, 100]);
    let limits = DParams::new().limits(Limits::UNTRUSTED.max_alloc(1_100_000));
    let mut array = Array::zeros(&wide.dparams(limits)).unwrap();
    array.append(&[7_u8; 100_000]).unwrap();
    array.append(&[8_u8; 100_000]).unwrap();
    assert_eq!(array.get::<u8>(&[1, 99_999]).unwrap(), 8);
    assert_eq!(array.slice::<u8>((.., 50_000)).unwrap(), [7, 8]);
}
