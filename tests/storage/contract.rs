//! The storages of the library keep the contract that [`oxiblosc::storage::contract`] checks.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

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

/// A growing storage that breaks one rule.
#[derive(Debug, Default)]
struct BrokenWrites {
    rule: &'static str,
    bytes: Vec<u8>,
    /// The bytes before they were cut.
    old: Vec<u8>,
}

impl ReadAt for BrokenWrites {
    fn len(&self) -> io::Result<u64> {
        Memory(&self.bytes).len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        Memory(&self.bytes).read_exact_at(buf, offset)
    }
}

impl WriteAt for BrokenWrites {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let at = usize::try_from(offset).unwrap();
        let end = at + bytes.len();
        match self.rule {
            "a write lands at the end" => self.bytes.extend(bytes),
            "a gap is not zeros" if at > self.bytes.len() => {
                self.bytes.resize(at, 0xEE);
                self.bytes.extend(bytes);
            }
            "a write stays within the bytes" => {
                let len = self.bytes.len().max(6);
                self.bytes.resize(len, 0);
                let part = bytes.len().min(len.saturating_sub(at));
                self.bytes[at.min(len)..at.min(len) + part].copy_from_slice(&bytes[..part]);
            }
            rule => {
                let len = self.bytes.len().max(end);
                self.bytes.resize(len, 0);
                self.bytes[at..end].copy_from_slice(bytes);
                if rule == "a write cuts what follows" {
                    self.bytes.truncate(end);
                }
            }
        }
        Ok(())
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        let (len, before) = (usize::try_from(len).unwrap(), self.bytes.len());
        match self.rule {
            "set_len does not cut" => self.bytes.resize(len.max(before), 0),
            "set_len does not grow" => self.bytes.truncate(len),
            "set_len does not pad with zeros" => self.bytes.resize(len, 1),
            "set_len uncovers old bytes" => {
                if len < before {
                    self.old = self.bytes.clone();
                }
                self.bytes.truncate(len);
                let kept = self.bytes.len()..len.min(self.old.len());
                self.bytes.extend(&self.old[kept]);
                self.bytes.resize(len, 0);
            }
            _ => self.bytes.resize(len, 0),
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.rule == "sync loses bytes" {
            self.bytes.pop();
        }
        Ok(())
    }

    fn sync_data(&mut self) -> io::Result<()> {
        if self.rule == "sync_data loses bytes" {
            self.bytes.pop();
        }
        Ok(())
    }
}

#[test]
fn broken_writes_are_caught() {
    let made = |rule| BrokenWrites {
        rule,
        ..BrokenWrites::default()
    };
    check_read_write(|| made("no rule")).unwrap();
    for rule in [
        "a write lands at the end",
        "a gap is not zeros",
        "a write stays within the bytes",
        "a write cuts what follows",
        "set_len does not cut",
        "set_len does not grow",
        "set_len does not pad with zeros",
        "set_len uncovers old bytes",
        "sync loses bytes",
        "sync_data loses bytes",
    ] {
        let error = check_read_write(|| made(rule)).expect_err(rule).to_string();
        assert!(error.starts_with("storage contract: "), "{rule}: {error}");
    }
    // Every storage that is made has to be empty, not the first one alone.
    let mut makes = 0;
    let error = check_read_write(|| {
        makes += 1;
        Memory(vec![7; makes - 1])
    });
    let expected = "storage contract: len: expected 0, found 1";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

/// A file whose handles share its bytes.
#[derive(Clone, Debug, Default)]
struct SharedFile(Arc<Mutex<Vec<u8>>>);

impl ReadAt for SharedFile {
    fn len(&self) -> io::Result<u64> {
        Memory(&self.0.lock().unwrap()[..]).len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        Memory(&self.0.lock().unwrap()[..]).read_exact_at(buf, offset)
    }
}

/// A directory that breaks one rule.
#[derive(Debug)]
struct BrokenDir {
    rule: &'static str,
    files: Arc<Mutex<BTreeMap<String, SharedFile>>>,
}

impl BrokenDir {
    fn name(&self, name: &str) -> io::Result<String> {
        let plain = !["", ".", ".."].contains(&name) && !name.contains(['/', '\\', '\0']);
        if plain || self.rule == "any name is taken" {
            return Ok(name.to_owned());
        }
        Err(io::ErrorKind::InvalidInput.into())
    }
}

impl Directory for BrokenDir {
    type File = SharedFile;

    fn open(&self, name: &str) -> io::Result<SharedFile> {
        let name = self.name(name)?;
        let mut files = self.files.lock().unwrap();
        if self.rule == "open makes files" {
            return Ok(files.entry(name).or_default().clone());
        }
        let file = files.get(&name).cloned();
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn replace(&mut self, name: &str, bytes: &[u8], _sync: bool) -> io::Result<()> {
        let name = self.name(name)?;
        let mut files = self.files.lock().unwrap();
        let old = files.get(&name).cloned().unwrap_or_default();
        let mut new = bytes.to_vec();
        match self.rule {
            "replace appends" => {
                new = [&old.0.lock().unwrap()[..], bytes].concat();
            }
            "replace keeps a longer end" => {
                let old = old.0.lock().unwrap();
                new.extend(old.get(bytes.len()..).unwrap_or_default());
            }
            "replace keeps an old file" if files.contains_key(&name) => return Ok(()),
            "replace changes open files" => {
                *old.0.lock().unwrap() = new;
                files.insert(name, old);
                return Ok(());
            }
            _ => {}
        }
        files.insert(name, SharedFile(Arc::new(Mutex::new(new))));
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let name = self.name(name)?;
        let mut files = self.files.lock().unwrap();
        let found = files.contains_key(&name);
        if self.rule != "remove keeps the file" {
            files.remove(&name);
        }
        if found || self.rule == "remove ignores a missing file" {
            return Ok(());
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let files = self.files.lock().unwrap();
        let mut names: Vec<String> = files.keys().cloned().collect();
        match self.rule {
            "names repeat" => names.extend(names.clone()),
            "names leave one out" => drop(names.pop()),
            _ => {}
        }
        Ok(names)
    }
}

#[test]
fn broken_directories_are_caught() {
    let shared = Arc::default();
    let made = |rule| BrokenDir {
        rule,
        files: if rule == "directories share files" {
            Arc::clone(&shared)
        } else {
            Arc::default()
        },
    };
    check_directory(|| made("no rule")).unwrap();
    for rule in [
        "any name is taken",
        "open makes files",
        "replace appends",
        "replace keeps a longer end",
        "replace keeps an old file",
        "replace changes open files",
        "remove keeps the file",
        "remove ignores a missing file",
        "names repeat",
        "names leave one out",
        "directories share files",
    ] {
        let error = check_directory(|| made(rule)).expect_err(rule).to_string();
        assert!(error.starts_with("storage contract: "), "{rule}: {error}");
    }
}
