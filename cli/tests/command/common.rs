//! A folder to work in, the built command, and `.npy` files made by hand.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A fresh folder in which the command runs.
pub(crate) struct Bench {
    dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            dir: TempDir::new().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// The names in the folder, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs the command with these arguments and this standard input.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &[u8]) -> Output {
        let mut child = Command::new(Path::new(env!("CARGO_BIN_EXE_oxiblosc")))
            .args(args)
            .current_dir(self.dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        // A command that fails early does not read its input; that is no failure of the test.
        let feeder = std::thread::spawn(move || drop(pipe.write_all(&stdin)));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        output
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.run_with(args, &[])
    }

    /// Runs the command, which must succeed, and returns its standard output.
    pub(crate) fn good(&self, args: &[&str]) -> Vec<u8> {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        output.stdout
    }

    /// Runs the command, which must fail with this exit code and one line, and returns the line.
    pub(crate) fn bad(&self, args: &[&str], code: i32) -> String {
        let output = self.run(args);
        let line = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {line}");
        assert!(output.stdout.is_empty(), "{args:?}");
        if code == 1 {
            assert_eq!(line.lines().count(), 1, "{args:?}: {line}");
            assert!(line.starts_with("oxiblosc: "), "{line}");
        }
        line
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// An `.npy` file as `numpy.save` writes it, in either order and any version of the header.
pub(crate) fn npy(
    descr: &str,
    fortran_order: bool,
    shape: &[u64],
    version: u8,
    data: &[u8],
) -> Vec<u8> {
    let lens: Vec<String> = shape.iter().map(u64::to_string).collect();
    let lens = match lens.as_slice() {
        [len] => format!("({len},)"),
        lens => format!("({})", lens.join(", ")),
    };
    let order = if fortran_order { "True" } else { "False" };
    let mut dict = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {lens}, }}");
    // NumPy pads the header so that the first length can grow to 21 digits.
    if let Some(first) = shape.first() {
        dict.push_str(&" ".repeat(21 - first.to_string().len()));
    }
    let prefix = if version == 1 { 10 } else { 12 };
    while (prefix + dict.len() + 1) % 64 != 0 {
        dict.push(' ');
    }
    dict.push('\n');
    let mut file = b"\x93NUMPY".to_vec();
    file.extend([version, 0]);
    if version == 1 {
        file.extend(u16::try_from(dict.len()).unwrap().to_le_bytes());
    } else {
        file.extend(u32::try_from(dict.len()).unwrap().to_le_bytes());
    }
    file.extend(dict.as_bytes());
    file.extend(data);
    file
}

/// Bytes that compress a little: the last digits of a walk.
pub(crate) fn data(len: usize) -> Vec<u8> {
    let mut state = 12345_u32;
    (0..len)
        .map(|n| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            u8::try_from((n / 40 + usize::from(state >> 26 == 0)) % 251).unwrap()
        })
        .collect()
}
