//! Checks that a storage keeps its contract, for tests of own storages.
//!
//! ```
//! use oxiblosc::storage::{Memory, MemoryDir, contract};
//! # fn main() -> std::io::Result<()> {
//! contract::check_read(&Memory(b"some bytes"), b"some bytes")?;
//! contract::check_read_write(|| Memory(Vec::new()))?;
//! contract::check_directory(MemoryDir::new)?;
//! # Ok(())
//! # }
//! ```
//!
//! Every function returns an error that names the first broken rule.

use std::fmt::Debug;
use std::io;
use std::ops::Range;

use super::{Directory, ReadAt, WriteAt};

/// Fails with the name of a rule, unless both values are equal.
fn expect<T: PartialEq + Debug + ?Sized>(rule: &str, found: &T, expected: &T) -> io::Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "storage contract: {rule}: expected {expected:?}, found {found:?}"
    )))
}

/// Fails with the name of a rule, unless `result` is an error of this kind.
fn expect_error<T>(rule: &str, result: io::Result<T>, kind: io::ErrorKind) -> io::Result<()> {
    expect(rule, &result.err().map(|error| error.kind()), &Some(kind))
}

/// Checks reads of a storage that holds exactly `expected`, which should be short: reads at every
/// offset with every length, reads beyond the end, several ranges at once.
///
/// # Errors
/// The first broken rule, or the first error of the storage.
pub fn check_read<S: ReadAt + ?Sized>(storage: &S, expected: &[u8]) -> io::Result<()> {
    let eof = io::ErrorKind::UnexpectedEof;
    let len = expected.len() as u64;
    expect("len", &storage.len()?, &len)?;
    expect("is_empty", &storage.is_empty()?, &expected.is_empty())?;
    if let Some(slice) = storage.as_slice() {
        expect("as_slice", slice, expected)?;
    }
    let mut buf = vec![0; expected.len().saturating_add(1)];
    for (start, rest) in (0..).zip((0..=expected.len()).map(|at| expected.get(at..))) {
        let rest = rest.unwrap_or_default();
        for end in 0..=rest.len() {
            let part = buf.get_mut(..end).unwrap_or_default();
            storage.read_exact_at(part, start)?;
            let wanted = rest.get(..end).unwrap_or_default();
            expect("read_exact_at", &*part, wanted)?;
        }
        let longer = buf.get_mut(..=rest.len()).unwrap_or_default();
        let read = storage.read_exact_at(longer, start);
        expect_error("a read across the end", read, eof)?;
    }
    for offset in [len.saturating_add(1), u64::from(u32::MAX), u64::MAX >> 1] {
        let read = storage.read_exact_at(&mut [0; 2], offset);
        expect_error("a read beyond the end", read, eof)?;
    }
    check_ranges(storage, expected)
}

fn check_ranges<S: ReadAt + ?Sized>(storage: &S, expected: &[u8]) -> io::Result<()> {
    let len = expected.len();
    let (half, third) = (len / 2, len / 3);
    let ranges = [half..len, 0..third, third..half, half..half, 0..len];
    let mut bufs: Vec<Vec<u8>> = ranges.iter().map(|range| vec![0; range.len()]).collect();
    let mut slices: Vec<&mut [u8]> = bufs.iter_mut().map(Vec::as_mut_slice).collect();
    let wide = |range: &Range<usize>| range.start as u64..range.end as u64;
    let wide: Vec<Range<u64>> = ranges.iter().map(wide).collect();
    storage.read_ranges(&wide, &mut slices)?;
    for (range, buf) in ranges.iter().zip(&bufs) {
        let wanted = expected.get(range.clone()).unwrap_or_default();
        expect("read_ranges", buf.as_slice(), wanted)?;
    }
    storage.read_ranges(&[], &mut [])?;
    let len = len as u64;
    let (mut inside, mut across) = ([0; 0], [0; 1]);
    let ranges = [0..0, len..len.saturating_add(1)];
    let read = storage.read_ranges(&ranges, &mut [&mut inside, &mut across]);
    let eof = io::ErrorKind::UnexpectedEof;
    expect_error("a range across the end", read, eof)?;
    let invalid = io::ErrorKind::InvalidInput;
    let read = storage.read_ranges(std::slice::from_ref(&(0..0)), &mut []);
    expect_error("a range without a buffer", read, invalid)?;
    let read = storage.read_ranges(std::slice::from_ref(&(0..0)), &mut [&mut across]);
    expect_error("a buffer of another length", read, invalid)
}

/// Checks writes: the storages that `make` returns, which are empty, behave like a vector that
/// grows with zeros.
///
/// # Errors
/// The first broken rule, or the first error of a storage.
pub fn check_read_write<S: WriteAt>(mut make: impl FnMut() -> S) -> io::Result<()> {
    let mut storage = make();
    let mut model: Vec<u8> = Vec::new();
    check_read(&storage, &model)?;
    let writes: [(usize, &[u8]); 6] = [
        (0, b"abcdef"),
        (6, b"ghi"),
        (2, b"XY"),
        (8, b"overlapping the end"),
        (40, b"after a gap"),
        (3, b""),
    ];
    for (offset, bytes) in writes {
        storage.write_all_at(bytes, offset as u64)?;
        let end = offset.saturating_add(bytes.len());
        model.resize(model.len().max(end), 0);
        if let Some(part) = model.get_mut(offset..end) {
            part.copy_from_slice(bytes);
        }
        check_read(&storage, &model)?;
    }
    for len in [45, 3, 9, 0, 5] {
        storage.set_len(len as u64)?;
        model.resize(len, 0);
        check_read(&storage, &model)?;
    }
    storage.sync_data()?;
    storage.sync()?;
    check_read(&storage, &model)?;
    check_read(&make(), &[])
}

/// Checks directories: in those that `make` returns, which are empty, files are replaced as a
/// whole and found by name.
///
/// # Errors
/// The first broken rule, or the first error of a directory.
pub fn check_directory<D: Directory>(mut make: impl FnMut() -> D) -> io::Result<()> {
    let (missing, invalid) = (io::ErrorKind::NotFound, io::ErrorKind::InvalidInput);
    let mut dir = make();
    expect("names of an empty directory", &dir.names()?, &Vec::new())?;
    expect_error("open a missing file", dir.open("a"), missing)?;
    expect_error("remove a missing file", dir.remove("a"), missing)?;
    dir.replace("a", b"first", false)?;
    dir.replace("0000001F.chunk", b"", true)?;
    let old = dir.open("a")?;
    dir.replace("a", b"second, and longer", true)?;
    check_read(&old, b"first")?;
    check_read(&dir.open("a")?, b"second, and longer")?;
    check_read(&dir.open("0000001F.chunk")?, b"")?;
    let mut names = dir.names()?;
    names.sort();
    expect(
        "names",
        names.as_slice(),
        &["0000001F.chunk".to_owned(), "a".to_owned()],
    )?;
    dir.replace("a", b"short", false)?;
    check_read(&dir.open("a")?, b"short")?;
    check_read(&dir.open("0000001F.chunk")?, b"")?;
    dir.remove("a")?;
    expect_error("open a removed file", dir.open("a"), missing)?;
    expect("names", &dir.names()?, &vec!["0000001F.chunk".to_owned()])?;
    for name in ["", ".", "..", "../a", "/a", "b/a", "b\\a", "a\0"] {
        let rule = format!("the name {name:?}");
        expect_error(&rule, dir.open(name), invalid)?;
        expect_error(&rule, dir.replace(name, b"", false), invalid)?;
        expect_error(&rule, dir.remove(name), invalid)?;
    }
    expect("names of another directory", &make().names()?, &Vec::new())
}
