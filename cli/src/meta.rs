//! `oxiblosc meta`: the metadata of a frame or an array.

use std::fs;
use std::io::Write;
use std::path::Path;

use oxiblosc::DParams;
use oxiblosc::frame::AnyWriter;
use oxiblosc::schunk::{ChunkSink, ChunkSource};
use oxiblosc::store::Value;
use serde_json::Value as Json;

use crate::args::{LockArgs, MetaArgs, MetaCommand};
use crate::failure::{Failure, InFile};
use crate::output::{stdout, warn_binary};
use crate::sniff::{self, Frame, Input};
use crate::vlmeta::text_of;

/// Runs the command.
pub(crate) fn run(args: &MetaArgs) -> Result<(), Failure> {
    let dparams = DParams::new().limits(sniff::limits(args.limits.no_limits));
    match &args.command {
        MetaCommand::List { file } => list(file, &dparams),
        MetaCommand::Get { file, name, raw } => get(file, name, *raw, &dparams),
        MetaCommand::Set {
            file,
            name,
            value,
            text,
            from,
            lock,
        } => {
            let content = match (value, from) {
                (Some(value), _) => encoded(value, *text),
                (None, Some(from)) => fs::read(from).in_file(from)?,
                (None, None) => return Err(Failure::usage("set wants a value, or --from FILE")),
            };
            let mut writer = open(file, &dparams, lock)?;
            writer.set_vlmetalayer(name, &content).in_file(file)?;
            writer.finish().in_file(file)
        }
        MetaCommand::Del { file, name, lock } => {
            let mut writer = open(file, &dparams, lock)?;
            if !writer.remove_vlmetalayer(name).in_file(file)? {
                return Err(missing(file, name));
            }
            writer.finish().in_file(file)
        }
    }
}

fn open(file: &Path, dparams: &DParams, lock: &LockArgs) -> Result<AnyWriter, Failure> {
    AnyWriter::open_with(file, dparams.clone(), lock.access()).in_file(file)
}

fn missing(file: &Path, name: &str) -> Failure {
    let name = name.escape_debug();
    Failure::in_file(file, format!("there is no vlmetalayer named {name}"))
}

/// A line for each: its name, its size, its kind if it cannot be changed, its value.
fn list(file: &Path, dparams: &DParams) -> Result<(), Failure> {
    let frame = frame(file, dparams)?;
    let mut lines = String::new();
    for (name, content) in frame.source.metalayers().iter() {
        let value = text_of(content.to_vec(), &dparams.limits);
        lines.push_str(&line(name, content.len(), "fixed", &value));
    }
    for name in frame.source.vlmetalayers().names() {
        let content = frame.source.vlmetalayer(name).in_file(file)?;
        let content = content.unwrap_or_default();
        let nbytes = content.len();
        let value = text_of(content, &dparams.limits);
        lines.push_str(&line(name, nbytes, "variable", &value));
    }
    stdout()?
        .write_all(lines.as_bytes())
        .in_file(Path::new("standard output"))
}

fn line(name: &str, nbytes: usize, kind: &str, value: &str) -> String {
    let value: String = value.chars().take(100).collect();
    let name = name.escape_debug().to_string();
    format!("{name:20} {nbytes:>8} B  {kind:8}  {value}\n")
}

fn get(file: &Path, name: &str, raw: bool, dparams: &DParams) -> Result<(), Failure> {
    let frame = frame(file, dparams)?;
    let content = match frame.source.vlmetalayer(name).in_file(file)? {
        Some(content) => content,
        None => match frame.source.metalayers().get(name) {
            Some(content) => content.to_vec(),
            None => return Err(missing(file, name)),
        },
    };
    let bytes = if raw {
        warn_binary(Path::new("-"));
        content
    } else {
        let mut text = text_of(content, &dparams.limits);
        text.push('\n');
        text.into_bytes()
    };
    stdout()?
        .write_all(&bytes)
        .in_file(Path::new("standard output"))
}

fn frame(file: &Path, dparams: &DParams) -> Result<Box<Frame>, Failure> {
    match sniff::describe(file, dparams, false)? {
        Input::Frame(frame) => Ok(frame),
        Input::Chunk(_) => Err(Failure::in_file(file, "is a chunk, which has no metadata")),
    }
}

/// A value as msgpack: JSON, or any other text as text.
fn encoded(value: &str, text: bool) -> Vec<u8> {
    let json = serde_json::from_str(value).ok().filter(|_| !text);
    json.map_or_else(|| Value::Str(value.to_owned()), of_json)
        .encode()
}

fn of_json(json: Json) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(value), _) => Value::Uint(value),
            (None, Some(value)) => Value::Int(value),
            (None, None) => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Str(text),
        Json::Array(items) => Value::Array(items.into_iter().map(of_json).collect()),
        Json::Object(entries) => {
            let entries = entries.into_iter();
            Value::Map(
                entries
                    .map(|(key, value)| (Value::Str(key), of_json(value)))
                    .collect(),
            )
        }
    }
}
