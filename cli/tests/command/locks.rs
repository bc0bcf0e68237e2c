//! Frames that other processes use, and runs that fail or are killed: no data is lost, no
//! temporary file remains.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use oxiblosc::DParams;
use oxiblosc::frame::FrameWriter;

use crate::common::{Bench, data, npy, stderr};

const KINDS: [(&str, &[&str]); 2] = [("file", &[]), ("folder", &["--sparse"])];

fn compress(bench: &Bench, name: &str, more: &[&str]) {
    bench.good(&[&["compress", "input", "-o", name], more].concat());
}

/// Holds a frame like another process that changes it, while `work` runs.
fn held(path: &Path, work: impl FnOnce()) {
    if path.is_dir() {
        let writer = opened(|| FrameWriter::open_sparse(path, DParams::new()));
        work();
        drop(writer);
    } else {
        let writer = opened(|| FrameWriter::open(path, DParams::new()));
        work();
        drop(writer);
    }
}

/// Opens a frame that this process held before: a command that another test starts meanwhile has
/// the lock, too, from its fork to its `exec`.
fn opened<T>(open: impl Fn() -> oxiblosc::Result<T>) -> T {
    for _ in 0..500 {
        match open() {
            Err(oxiblosc::Error::Locked { .. }) => thread::sleep(Duration::from_millis(20)),
            opened => return opened.unwrap(),
        }
    }
    open().unwrap()
}

#[test]
fn a_second_writer_is_refused_or_waits() {
    let bench = Bench::new();
    bench.write("input", &data(20_000));
    bench.write("more", &data(500));
    for (name, more) in KINDS {
        compress(&bench, name, more);
        held(&bench.path(name), || {
            for command in [
                &["append", name, "more"][..],
                &["compact", name],
                &["recover", name],
            ] {
                let line = bench.bad(command, 1);
                let expected = "another process is changing it (--wait waits for its end)\n";
                assert_eq!(line, format!("oxiblosc: {name}: {expected}"));
            }
            bench.good(&["verify", name]);
        });
        let waiting = thread::scope(|scope| {
            let mut waiting = None;
            held(&bench.path(name), || {
                waiting = Some(scope.spawn(|| bench.run(&["append", name, "more", "--wait"])));
                thread::sleep(Duration::from_millis(100));
            });
            waiting.unwrap().join().unwrap()
        });
        assert!(waiting.status.success(), "{}", stderr(&waiting));
        let content = bench.good(&["decompress", name, "-o", "-"]);
        assert_eq!(content, [data(20_000), data(500)].concat());
        bench.good(&["compact", name, "--wait"]);
        assert_eq!(bench.good(&["decompress", name, "-o", "-"]), content);
    }
    assert!(!bench.names().iter().any(|name| name.ends_with("lock")));
}

/// An append whose input ends too early leaves the frame as it was, to the byte.
#[test]
fn a_failed_append_leaves_nothing() {
    let bench = Bench::new();
    let row = data(100_000);
    bench.write(
        "input",
        &npy(
            "'|u1'",
            false,
            &[2, 100_000],
            1,
            &[row.clone(), row].concat(),
        ),
    );
    let whole = npy("'|u1'", false, &[300, 100_000], 1, &data(20_000_000));
    bench.write("more.npy", &whole);
    for (name, more) in KINDS {
        compress(&bench, name, more);
        let files = || -> Vec<(String, Vec<u8>)> {
            let path = bench.path(name);
            if path.is_file() {
                return vec![(String::new(), fs::read(path).unwrap())];
            }
            let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(path)
                .unwrap()
                .map(|entry| {
                    let path = entry.unwrap().path();
                    (path.display().to_string(), fs::read(&path).unwrap())
                })
                .collect();
            files.sort();
            files
        };
        let before = files();
        let line = bench.bad(&["append", name, "more.npy"], 1);
        assert!(line.starts_with("oxiblosc: more.npy: "), "{line}");
        assert_eq!(files(), before);
    }
}

/// A sparse frame with other files in its directory is not replaced; one in use neither.
#[test]
fn only_sparse_frames_are_replaced() {
    let bench = Bench::new();
    bench.write("input", &data(20_000));
    compress(&bench, "folder", &["--sparse"]);
    let again = ["compress", "input", "-o", "folder", "--sparse", "-f"];
    held(&bench.path("folder"), || {
        assert_eq!(
            bench.bad(&again, 1),
            "oxiblosc: folder: another process is changing it\n"
        );
    });
    bench.write("folder/README", b"by hand");
    let line = bench.bad(&again, 1);
    assert!(
        line.starts_with("oxiblosc: folder: is not replaced: README in it"),
        "{line}"
    );
    assert_eq!(bench.read("folder/README"), b"by hand");
    bench.good(&["verify", "folder"]);
    bench.remove("folder/README");
    // What a killed writer left, and the lock file of other programs, belong to the frame.
    bench.write("folder/.00000003.chunk.new", b"");
    bench.write("folder/.b2lock", &[0; 16]);
    bench.good(&again);
    assert!(!bench.path("folder/.b2lock").exists());
    assert_eq!(bench.names(), ["folder", "input"]);
}

/// A run that is killed at any moment leaves the old frame or the new one under the name.
#[test]
fn a_killed_run_leaves_a_whole_frame() {
    let bench = Bench::new();
    let (old, new) = (data(3000), data(40_000));
    bench.write("input", &old);
    compress(&bench, "folder", &["--sparse"]);
    bench.write("input", &new);
    let mut delay = Duration::ZERO;
    let mut seen = [0, 0];
    for _ in 0..60 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_oxiblosc"))
            .args(["compress", "input", "-o", "folder", "--sparse", "-f"])
            .args(["--chunk-size", "4K"])
            .current_dir(bench.path("."))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(delay);
        let _ = child.kill();
        let done = child.wait().unwrap().success();
        let content = bench.good(&["decompress", "folder", "-o", "-"]);
        assert!(content == old || content == new);
        seen[usize::from(content == new)] += 1;
        delay = if done {
            Duration::ZERO
        } else {
            delay + Duration::from_micros(400)
        };
    }
    assert!(seen[0] > 0, "{seen:?}");
}
