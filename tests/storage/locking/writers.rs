//! Two and three processes append to one frame at once: every success is in it, every failure is
//! clean.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use oxiblosc::frame::{Access, FrameStoreMut, FrameWriter, Locking};
use oxiblosc::{DParams, ErrorKind};

use super::{CHUNK, KINDS, Kind, Work, accesses, content, piece, place, rounds};

/// The changes that each process tries to make in a round.
const CHANGES: u32 = 3;
/// The variable that makes a test a writer.
const VARIABLE: &str = "OXIBLOSC_LOCK_CHILD";

/// One change, by a handle opened for it.
struct Append(Vec<u8>);

impl Work<oxiblosc::Result<()>> for Append {
    fn work<S: FrameStoreMut>(self, mut writer: FrameWriter<S>) -> oxiblosc::Result<()> {
        writer.append(&self.0)?;
        writer.finish().map(drop)
    }
}

/// Many changes by one handle.
struct Many(u32);

impl Work<oxiblosc::Result<()>> for Many {
    fn work<S: FrameStoreMut>(self, mut writer: FrameWriter<S>) -> oxiblosc::Result<()> {
        for change in 0..CHANGES {
            writer.append(&piece(self.0, change))?;
            writer.commit()?;
        }
        Ok(())
    }
}

/// Waits until the parent lets all writers begin.
fn wait_for_start(path: &Path) {
    let go = path.with_extension("go");
    while !go.exists() {
        thread::sleep(Duration::from_micros(50));
    }
}

/// The other process: prints the changes it made. Does nothing as a test.
#[test]
fn child() {
    let Ok(words) = std::env::var(VARIABLE) else {
        return;
    };
    let words: Vec<&str> = words.split('|').collect();
    let [path, kind, access, id] = words.as_slice() else {
        panic!("{words:?}");
    };
    let (path, id) = (PathBuf::from(path), id.parse().unwrap());
    let kind = KINDS[usize::from(*kind == "1")];
    let access = accesses()[access.parse::<usize>().unwrap()];
    wait_for_start(&path);
    if access.locking == Locking::Shared && id % 2 == 0 {
        kind.with(&path, access, Many(id)).unwrap().unwrap();
        println!("\ndone {CHANGES}");
        return;
    }
    for change in 0..CHANGES {
        let done = kind.with(&path, access, Append(piece(id, change)));
        match done.and_then(|done| done) {
            Ok(()) => println!("\nok {change}"),
            Err(error) if error.kind() == ErrorKind::Locked => println!("\nlocked"),
            Err(error) => println!("\nERROR {error}"),
        }
    }
}

fn start(path: &Path, kind: Kind, access: usize, id: u32) -> Child {
    let kind = u8::from(kind == Kind::Sparse);
    let words = format!("{}|{kind}|{access}|{id}", path.display());
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "locking::writers::child", "--nocapture"])
        .env(VARIABLE, words)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The changes that a process says it made, and how many were refused.
fn finish(child: Child) -> (Vec<u32>, u32) {
    let output = child.wait_with_output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(!output.contains("ERROR"), "{output}");
    let number = |line: &str| line.parse::<u32>().unwrap();
    let mut done: Vec<u32> = Vec::new();
    for line in output.lines() {
        if let Some(change) = line.strip_prefix("ok ") {
            done.push(number(change));
        } else if let Some(changes) = line.strip_prefix("done ") {
            done.extend(0..number(changes));
        }
    }
    let refused = output.lines().filter(|line| *line == "locked").count();
    (done, u32::try_from(refused).unwrap())
}

/// One round: the processes start at once; the frame has what was there, and every success once.
fn round(kind: Kind, access: usize, processes: u32) -> (usize, u32) {
    let (_dir, path) = place();
    kind.create(&path, 2);
    let children: Vec<(u32, Child)> = (1..=processes)
        .map(|id| (id, start(&path, kind, access, id)))
        .collect();
    std::fs::write(path.with_extension("go"), b"").unwrap();
    let (mut expected, mut refused) = (vec![piece(0, 0), piece(0, 1)], 0);
    for (id, child) in children {
        let (done, busy) = finish(child);
        expected.extend(done.into_iter().map(|change| piece(id, change)));
        refused += busy;
    }
    let content = content(&path);
    let mut found: Vec<Vec<u8>> = content.chunks(CHUNK).map(<[u8]>::to_vec).collect();
    let successes = found.len() - 2;
    assert_eq!(found[..2], expected[..2], "the old data");
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{kind:?} {access} {processes}");
    if accesses()[access].wait {
        assert_eq!(successes, usize::try_from(processes * CHANGES).unwrap());
    }
    let sidecar = match kind {
        Kind::Contiguous => path.with_extension("b2lock"),
        Kind::Sparse => path.join(".b2lock"),
    };
    let shared = accesses()[access].locking == Locking::Shared;
    assert_eq!(sidecar.exists(), shared, "{}", sidecar.display());
    (successes, refused)
}

fn all_rounds(access: usize) {
    let (mut successes, mut refused) = (0, 0);
    for n in 0..rounds() {
        for kind in KINDS {
            for processes in [2, 3] {
                // The two kinds and numbers of processes alternate in the short form.
                if rounds() < 300 && (n + usize::from(kind == Kind::Sparse)) % 2 == 0 {
                    continue;
                }
                let (done, busy) = round(kind, access, processes);
                successes += done;
                refused += busy;
            }
        }
    }
    println!("{access}: {successes} changes made, {refused} refused");
    assert!(successes > 0);
}

#[test]
fn exclusive_writers_at_once() {
    all_rounds(0);
}

#[test]
fn waiting_writers_at_once() {
    all_rounds(1);
}

#[test]
fn sharing_writers_at_once() {
    all_rounds(2);
}

/// Between locking a file and looking at it, another one may have been renamed over it.
#[test]
fn the_lock_is_on_the_file_that_has_the_name() {
    let (_dir, path) = place();
    Kind::Contiguous.create(&path, 1);
    let old = FrameWriter::open(&path, DParams::new()).unwrap();
    let other = path.with_extension("other");
    Kind::Contiguous.create(&other, 3);
    let waiting = {
        let path = path.clone();
        let access: Access = Locking::Exclusive.waiting();
        thread::spawn(move || {
            let writer = FrameWriter::open_with(&path, DParams::new(), access).unwrap();
            writer.reader().header().nbytes
        })
    };
    thread::sleep(Duration::from_millis(50));
    std::fs::rename(&other, &path).unwrap();
    drop(old);
    assert_eq!(waiting.join().unwrap(), 3 * CHUNK as u64);
}

/// An exclusive writer honours a sidecar, whose lock excludes those that share the frame.
#[test]
fn an_existing_sidecar_is_honoured() {
    for kind in KINDS {
        let (_dir, path) = place();
        kind.create(&path, 1);
        struct Hold<'a>(Kind, &'a Path);
        impl Work<()> for Hold<'_> {
            fn work<S: FrameStoreMut>(self, mut writer: FrameWriter<S>) {
                let Self(kind, path) = self;
                let add = || kind.with(path, Locking::Exclusive.into(), Append(piece(9, 9)));
                add().unwrap().unwrap();
                writer.append(&piece(1, 0)).unwrap();
                let refused = add().and_then(|done| done).unwrap_err();
                assert_eq!(refused.kind(), ErrorKind::Locked, "{refused}");
                writer.commit().unwrap();
                add().unwrap().unwrap();
            }
        }
        let shared = Locking::Shared.into();
        kind.with(&path, shared, Hold(kind, &path)).unwrap();
        let expected = [piece(0, 0), piece(9, 9), piece(1, 0), piece(9, 9)].concat();
        assert_eq!(content(&path), expected);
    }
}

/// Creating a frame over one that is being written is refused, and leaves it as it is.
#[test]
fn a_frame_in_use_is_not_replaced() {
    let (_dir, path) = place();
    Kind::Contiguous.create(&path, 2);
    let writer = FrameWriter::open(&path, DParams::new()).unwrap();
    let refused = FrameWriter::create(&path, super::params().overwrite(true)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Locked);
    let refused = FrameWriter::create(&path, super::params()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Io);
    drop(writer);
    assert_eq!(content(&path).len(), 2 * CHUNK);
}
