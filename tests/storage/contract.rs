//! What every storage has to do. To test a storage of your own, call these functions on it.
#![cfg(feature = "frame")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test may panic"
)]

use std::io;
use std::sync::Arc;

use oxiblosc::storage::{Directory, DiskDir, DiskFile, Memory, MemoryDir, ReadAt, Window, WriteAt};

/// Reading: `storage` holds exactly `expected`, at every offset and length.
fn read_contract(storage: &impl ReadAt, expected: &[u8]) {
    let len = expected.len();
    assert_eq!(storage.len().unwrap(), len as u64);
    assert_eq!(storage.is_empty().unwrap(), len == 0);
    if let Some(slice) = storage.as_slice() {
        assert_eq!(slice, expected);
    }
    let mut buf = vec![0; len + 3];
    for start in 0..=len {
        for end in start..=len {
            let buf = &mut buf[..end - start];
            storage.read_exact_at(start as u64, buf).unwrap();
            assert_eq!(buf, &expected[start..end]);
        }
        let error = storage
            .read_exact_at(start as u64, &mut buf[..len - start + 1])
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
    for offset in [len as u64 + 1, u64::from(u32::MAX), u64::MAX >> 1] {
        let error = storage.read_exact_at(offset, &mut buf[..2]).unwrap_err();
        assert_eq!(
            error.kind(),
            io::ErrorKind::UnexpectedEof,
            "offset {offset}"
        );
    }
}

/// Writing: the storage behaves like a vector that grows with zeros. It must be empty.
fn write_contract(storage: &mut impl WriteAt) {
    let mut model: Vec<u8> = Vec::new();
    let mut write = |storage: &mut dyn WriteAt, offset: usize, bytes: &[u8]| {
        storage.write_all_at(offset as u64, bytes).unwrap();
        let end = offset + bytes.len();
        model.resize(model.len().max(end), 0);
        model[offset..end].copy_from_slice(bytes);
        model.clone()
    };
    write(storage, 0, b"abcdef");
    write(storage, 6, b"ghi");
    write(storage, 2, b"XY");
    write(storage, 8, b"overlapping the end");
    let mut model = write(storage, 40, b"behind a gap");
    read_contract(storage, &model);
    for len in [45, 3, 9, 0, 5] {
        storage.set_len(len as u64).unwrap();
        model.resize(len, 0);
        read_contract(storage, &model);
    }
    storage.sync_data().unwrap();
    storage.sync().unwrap();
}

/// Directories: files are replaced whole and found by name. The directory must be empty.
fn directory_contract(dir: &mut impl Directory) {
    assert!(dir.names().unwrap().is_empty());
    assert_eq!(dir.open("a").unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(dir.remove("a").unwrap_err().kind(), io::ErrorKind::NotFound);
    dir.replace("a", b"first", false).unwrap();
    dir.replace("0000001F.chunk", b"", true).unwrap();
    let old = dir.open("a").unwrap();
    dir.replace("a", b"second, and longer", true).unwrap();
    read_contract(&old, b"first");
    read_contract(&dir.open("a").unwrap(), b"second, and longer");
    read_contract(&dir.open("0000001F.chunk").unwrap(), b"");
    let mut names = dir.names().unwrap();
    names.sort();
    assert_eq!(names, ["0000001F.chunk", "a"]);
    dir.remove("a").unwrap();
    assert_eq!(dir.names().unwrap(), ["0000001F.chunk"]);
    for name in ["", ".", "..", "../a", "/a", "b/a", "b\\a", "a\0"] {
        let Err(error) = dir.open(name) else {
            panic!("{name:?} was opened")
        };
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name:?}");
        assert!(dir.replace(name, b"", false).is_err(), "{name:?}");
        assert!(dir.remove(name).is_err(), "{name:?}");
    }
}

#[test]
fn memory_reads_what_it_borrows_or_owns() {
    read_contract(&Memory(b"some bytes"), b"some bytes");
    read_contract(&Memory(Vec::from(*b"some bytes")), b"some bytes");
    read_contract(&Memory(Arc::<[u8]>::from(*b"some bytes")), b"some bytes");
    read_contract(&Memory([]), b"");
    read_contract(&&Memory(b"behind a reference"), b"behind a reference");
}

#[test]
fn memory_grows() {
    write_contract(&mut Memory(Vec::new()));
}

#[test]
fn files_read_and_grow() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    write_contract(&mut DiskFile::create_new(&path).unwrap());
    assert!(DiskFile::create_new(&path).is_err());
    let mut file = DiskFile::open_rw(&path).unwrap();
    file.set_len(0).unwrap();
    write_contract(&mut file);
    read_contract(&DiskFile::open(&path).unwrap(), &[0; 5]);
    write_contract(&mut DiskFile::create(&path).unwrap());
    assert!(DiskFile::open_rw(dir.path().join("none")).is_err());
}

#[test]
fn windows_show_their_part_and_nothing_else() {
    let bytes = b"before|inside|after";
    read_contract(&Window::new(Memory(bytes), 7, 6).unwrap(), b"inside");
    read_contract(
        &Window::from_offset(Memory(bytes), 7).unwrap(),
        b"inside|after",
    );
    read_contract(&Window::from_offset(Memory(bytes), 19).unwrap(), b"");
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
    read_contract(&Window::new(file, 7, 6).unwrap(), b"inside");
}

#[test]
fn directories_replace_files() {
    directory_contract(&mut MemoryDir::new());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frame");
    directory_contract(&mut DiskDir::create_new(&path).unwrap());
    assert!(DiskDir::create_new(&path).is_err());
    assert_eq!(DiskDir::open(&path).unwrap().path(), path);
    let file = path.join("0000001F.chunk");
    assert_eq!(
        DiskDir::open(file).unwrap_err().kind(),
        io::ErrorKind::NotADirectory
    );
}
