//! C-Blosc2, in a program of its own, which is asked line by line (`interop/src/bin/bench_c.rs`).

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use oxiblosc::FilterId;
use tempfile::NamedTempFile;

use super::cells::Cell;
use super::data::Data;
use super::measure::Engine;
use crate::failure::{Failure, InFile};

/// The running program.
pub(super) struct Theirs {
    program: PathBuf,
    name: String,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    typesize: usize,
    /// The data, removed at the end.
    _file: NamedTempFile,
}

impl Theirs {
    /// Starts the program with a library and the data.
    pub(super) fn start(
        library: &Path,
        helper: Option<&Path>,
        data: &Data,
    ) -> Result<Self, Failure> {
        fs::metadata(library).in_file(library)?;
        let program = match helper {
            Some(program) => program.to_owned(),
            None => beside()?,
        };
        let mut file = NamedTempFile::new().in_file(Path::new("temporary file"))?;
        file.write_all(&data.bytes).in_file(file.path())?;
        let mut child = Command::new(&program)
            .arg(library)
            .arg(file.path())
            .arg(data.chunksize.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .in_file(&program)?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::in_file(&program, "has no pipes"));
        };
        let mut theirs = Self {
            program,
            name: String::new(),
            child,
            requests,
            answers: BufReader::new(answers),
            typesize: data.typesize,
            _file: file,
        };
        theirs.name = theirs.answer()?;
        Ok(theirs)
    }

    fn ask(&mut self, request: &str) -> Result<String, Failure> {
        writeln!(self.requests, "{request}").map_err(|error| self.ended(&error.to_string()))?;
        self.answer()
    }

    /// The next line, without its `ok`.
    fn answer(&mut self) -> Result<String, Failure> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        read.map_err(|error| self.ended(&error.to_string()))?;
        match line.trim_end().split_once(' ') {
            Some(("ok", answer)) => Ok(answer.to_owned()),
            Some(("error", what)) => Err(Failure::usage(what)),
            _ => Err(self.ended("no answer")),
        }
    }

    fn ended(&mut self, what: &str) -> Failure {
        let status = self.child.try_wait().ok().flatten();
        let status = status.map_or_else(String::new, |status| format!(", {status}"));
        Failure::in_file(&self.program, format!("{what}{status}"))
    }

    /// Numbers of an answer.
    fn numbers<const N: usize>(&self, answer: &str) -> Result<[u64; N], Failure> {
        let numbers = answer.split(' ').map(str::parse::<u64>);
        let numbers = numbers.collect::<Result<Vec<_>, _>>().ok();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.ok_or_else(|| {
            let what = format!("expected {N} numbers, the answer is {answer}");
            Failure::in_file(&self.program, what)
        })
    }
}

/// The helper program beside this one.
fn beside() -> Result<PathBuf, Failure> {
    let own = std::env::current_exe().in_file(Path::new("this program"))?;
    let helper = own.with_file_name(format!("bench_c{}", std::env::consts::EXE_SUFFIX));
    if helper.is_file() {
        return Ok(helper);
    }
    Err(Failure::usage(format!(
        "--against: {} is missing; cargo build --release -p oxiblosc-interop makes bench_c, and \
         --helper PROGRAM names it",
        helper.display()
    )))
}

impl Engine for Theirs {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&mut self, cell: &Cell) -> Result<(), Failure> {
        let cparams = cell.cparams(self.typesize);
        let numbers = [
            cparams.codec.get().to_string(),
            cparams.clevel.to_string(),
            cparams.typesize.to_string(),
            cparams.split_mode.get().to_string(),
            cell.threads.to_string(),
        ];
        let ids = cparams.filters.map(|slot| slot.id.get().to_string());
        // C takes the size of an item from the slot, where there is no frame.
        let size = u8::try_from(self.typesize).unwrap_or(0);
        let metas = cparams.filters.map(|slot| match slot.id {
            FilterId::BYTEDELTA => size.to_string(),
            _ => slot.meta.to_string(),
        });
        let request = format!(
            "set {} {} {}",
            numbers.join(" "),
            ids.join(" "),
            metas.join(" ")
        );
        let answer = self.ask(&request);
        answer.map(drop)
    }

    fn encode(&mut self) -> Result<(Duration, usize), Failure> {
        let answer = self.ask("encode")?;
        let [nanos, cbytes] = self.numbers(&answer)?;
        let cbytes = usize::try_from(cbytes).unwrap_or(usize::MAX);
        Ok((Duration::from_nanos(nanos), cbytes))
    }

    fn decode(&mut self) -> Result<Duration, Failure> {
        let answer = self.ask("decode")?;
        let [nanos] = self.numbers(&answer)?;
        Ok(Duration::from_nanos(nanos))
    }
}

impl Drop for Theirs {
    fn drop(&mut self) {
        // It ends with its input; whether it does no longer matters.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
