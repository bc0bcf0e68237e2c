//! The storages of the library keep the contract that [`oxiblosc::storage::contract`] checks.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::io;
use std::ops::Range;
use std::sync::Arc;

use oxiblosc::storage::contract::{check_directory, check_read_write};
use oxiblosc::storage::{
    Directory, DiskDir, DiskFile, Memory, MemoryDir, ReadAt, Window, WriteAt, contract,
};

#[track_caller]
fn check_read(storage: &(impl ReadAt + ?Sized), expected: &[u8]) {
    contract::check_read(storage, expected).unwrap();
}

#[test]
fn memory_reads_what_it_borrows_or_owns() {
    check_read(&Memory(b"some bytes"), b"some bytes");
    check_read(&Memory(Vec::from(*b"some bytes")), b"some bytes");
    check_read(&Memory(Arc::<[u8]>::from(*b"some bytes")), b"some bytes");
    check_read(&Memory([]), b"");
    check_read(&&Memory(b"a reference"), b"a reference");
    check_read(&Arc::new(Memory(b"shared")), b"shared");
    let boxed: Box<dyn ReadAt> = Box::new(Memory(b"of any type"));
    check_read(&boxed, b"of any type");
    let shared: Arc<dyn ReadAt> = Arc::from(boxed);
    check_read(&shared, b"of any type");
    check_read(&*shared, b"of any type");
}

#[test]
fn memory_grows() {
    check_read_write(|| Memory(Vec::new())).unwrap();
    check_read_write(|| Box::new(Memory(Vec::new()))).unwrap();
    check_read_write(|| Box::new(Memory(Vec::new())) as Box<dyn WriteAt>).unwrap();
}

#[test]
fn files_read_and_grow() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    let mut number = 0;
    check_read_write(|| {
        number += 1;
        DiskFile::create_new(dir.path().join(number.to_string())).unwrap()
    })
    .unwrap();
    check_read_write(|| DiskFile::create(&path).unwrap()).unwrap();
    assert!(DiskFile::create_new(&path).is_err());
    check_read_write(|| {
        let mut file = DiskFile::open_rw(&path).unwrap();
        file.set_len(0).unwrap();
        file
    })
    .unwrap();
    std::fs::write(&path, [0; 5]).unwrap();
    check_read(&DiskFile::open(&path).unwrap(), &[0; 5]);
    assert!(DiskFile::open_rw(dir.path().join("none")).is_err());
}

#[test]
fn windows_show_their_part_and_nothing_else() {
    let bytes = b"before|inside|after";
    check_read(&Window::new(Memory(bytes), 7, 6).unwrap(), b"inside");
    check_read(
        &Window::from_offset(Memory(bytes), 7).unwrap(),
        b"inside|after",
    );
    check_read(&Window::from_offset(Memory(bytes), 19).unwrap(), b"");
    for (offset, len) in [(7, 13), (20, 0), (u64::MAX, 2), (1, u64::MAX)] {
        assert!(
            Window::new(Memory(bytes), offset, len).is_err(),
            "{offset} {len}"
        );
    }
    assert!(Window::from_offset(Memory(bytes), 20).is_err());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    let file = DiskFile::open(&path).unwrap();
    check_read(&Window::new(file, 7, 6).unwrap(), b"inside");
}

#[test]
fn directories_replace_files() {
    check_directory(MemoryDir::new).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut number = 0;
    check_directory(|| {
        number += 1;
        DiskDir::create_new(dir.path().join(number.to_string())).unwrap()
    })
    .unwrap();
    let path = dir.path().join("frame");
    DiskDir::create_new(&path)
        .unwrap()
        .replace("0000001F.chunk", b"", false)
        .unwrap();
    assert!(DiskDir::create_new(&path).is_err());
    assert_eq!(DiskDir::open(&path).unwrap().path(), path);
    let file = path.join("0000001F.chunk");
    assert_eq!(
        DiskDir::open(file).unwrap_err().kind(),
        io::ErrorKind::NotADirectory
    );
}

/// A storage that breaks one rule.
#[derive(Debug)]
struct Broken(&'static str);

impl ReadAt for Broken {
    fn len(&self) -> io::Result<u64> {
        Ok(10 + u64::from(self.0 == "len"))
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let read = Memory(b"0123456789").read_exact_at(buf, offset);
        match self.0 {
            "read_exact_at" if offset == 3 => buf.fill(b'x'),
            "a read across the end" if read.is_err() => return Ok(()),
            _ => {}
        }
        read
    }

    fn read_ranges(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> io::Result<()> {
        Memory(b"0123456789").read_ranges(ranges, bufs)?;
        if self.0 == "read_ranges" {
            bufs.reverse();
            bufs.iter_mut().for_each(|buf| buf.fill(0));
        }
        Ok(())
    }
}

#[test]
fn a_broken_rule_is_named() {
    let bytes = b"0123456789";
    check_read(&Broken("no rule"), bytes);
    for rule in [
        "len",
        "read_exact_at",
        "a read across the end",
        "read_ranges",
    ] {
        let error = contract::check_read(&Broken(rule), bytes).unwrap_err();
        let expected = format!("storage contract: {rule}: expected");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}
