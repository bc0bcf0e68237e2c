//! `oxiblosc ls`: compressed files, a line each.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use oxiblosc::b2nd::Array;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::store::Tree;
use oxiblosc::{DParams, Limits};
use serde_json::json;

use crate::address::Address;
use crate::args::{Color, LsArgs};
use crate::color::bold;
use crate::failure::{Failure, InFile, shown};
use crate::info::{on_disk, ratio};
use crate::many::each;
use crate::output::stdout;
use crate::progress::size;
use crate::sniff::{self, Input};

/// The endings that are listed in a directory.
const ENDINGS: [&str; 7] = ["b2nd", "b2frame", "b2", "b2e", "b2d", "b2z", "blp"];

/// One line of the list.
#[derive(Debug, Default)]
struct Line {
    name: PathBuf,
    kind: String,
    shape: Option<Vec<u64>>,
    dtype: Option<String>,
    codec: Option<String>,
    data_nbytes: Option<u64>,
    file_nbytes: u64,
}

/// Runs the command. Files that cannot be read are named on standard error; the others are listed.
pub(crate) fn run(args: &LsArgs, color: Color) -> Result<(), Failure> {
    let limits = sniff::limits(args.limits.no_limits);
    let mut stdout = stdout()?;
    let colored = color.is_on(stdout.is_terminal());
    let lists: Vec<Vec<PathBuf>> = args
        .inputs
        .iter()
        .map(|input| names(input))
        .collect::<Result<_, _>>()?;
    each(&lists.concat(), |name| {
        let line = Line::of(name, limits)?;
        let text = if args.json {
            line.json().to_string()
        } else {
            line.text(args.bytes, colored)
        };
        writeln!(stdout, "{text}").in_file(Path::new("standard output"))
    })
}

/// The files to list: those of a directory that are compressed by their names, or the input itself.
fn names(input: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_folder = input.is_dir() && !input.join(sniff::SPARSE_HEADER).is_file();
    let is_store = ["zarr.json", ".zarray", ".zgroup", "embed.b2e"];
    let is_store = is_store.iter().any(|name| input.join(name).is_file());
    let ending = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ENDINGS.contains(&ending))
    };
    if !is_folder || is_store || ending(input) {
        return Ok(vec![input.to_owned()]);
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(input).in_file(input)? {
        let path = entry.in_file(input)?.path();
        if ending(&path) || path.join(sniff::SPARSE_HEADER).is_file() {
            names.push(path);
        }
    }
    names.sort();
    Ok(names)
}

impl Line {
    fn of(name: &Path, limits: Limits) -> Result<Self, Failure> {
        let dparams = DParams::new().limits(limits);
        let mut line = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        if Address::of_store(name).is_some() {
            let store = Tree::open_with(name, dparams).in_file(name)?;
            line.kind = format!("{} of {}", store.kind(), store.keys().count());
            line.file_nbytes = on_disk(name, 0);
            return Ok(line);
        }
        match sniff::describe(name, &dparams, false)? {
            Input::Chunk(chunk) => {
                line.kind = "chunk".to_owned();
                line.codec = chunk
                    .header
                    .codec()
                    .and_then(oxiblosc::CodecId::name)
                    .map(str::to_owned);
                line.data_nbytes = Some(chunk.header.nbytes.into());
                line.file_nbytes = chunk.header.cbytes.into();
            }
            Input::Frame(frame) => {
                let header = frame.source.header();
                line.kind = frame.kind.name().to_owned();
                line.codec = header.codec.name().map(str::to_owned);
                line.data_nbytes = Some(frame.source.layout().nbytes);
                line.file_nbytes = on_disk(name, header.frame_len);
                if frame.is_array() && !frame.kind.is_recipe() {
                    let array = Array::open_in_with(frame.source, dparams).in_file(name)?;
                    line.shape = Some(array.shape().to_vec());
                    line.dtype = Some(array.dtype().to_string());
                    line.data_nbytes = Some(array.nbytes());
                }
            }
        }
        Ok(line)
    }

    fn text(&self, exact: bool, colored: bool) -> String {
        let shown_size = |nbytes| match exact {
            true => format!("{nbytes} B"),
            false => size(nbytes),
        };
        let ratio = self
            .data_nbytes
            .map(|nbytes| ratio(nbytes, self.file_nbytes));
        let dash = || "-".to_owned();
        let mut text = format!(
            "{:>9} {:>9} {:>7} {:8}",
            self.data_nbytes.map_or_else(dash, shown_size),
            shown_size(self.file_nbytes),
            ratio.map_or_else(dash, |ratio| format!("{ratio:.2}")),
            self.codec.as_deref().unwrap_or("-"),
        );
        text.push_str(&format!(
            " {} {}",
            bold(&shown(&self.name), colored),
            self.kind
        ));
        if let (Some(shape), Some(dtype)) = (&self.shape, &self.dtype) {
            text.push_str(&format!(" {shape:?} {dtype}"));
        }
        text
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "file": shown(&self.name),
            "kind": self.kind,
            "shape": self.shape,
            "dtype": self.dtype,
            "codec": self.codec,
            "data_nbytes": self.data_nbytes,
            "file_nbytes": self.file_nbytes,
            "ratio": self.data_nbytes.map(|nbytes| ratio(nbytes, self.file_nbytes)),
        })
    }
}
