//! Names and values for people and for programs.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::color::bold;
use crate::progress::size;

/// The number of the schema of the JSON, which grows when a field changes its meaning or goes.
const SCHEMA: u64 = 1;

/// The most characters of a value in the text, unless all of the metadata is asked for.
const MAX_SHOWN: usize = 200;

/// The column at which values begin.
const INDENT: usize = 16;

/// The columns of a line.
const WIDTH: usize = 80;

/// Names and values, in the order in which people read them.
#[derive(Debug, Default)]
pub(super) struct Report {
    entries: Vec<Entry>,
    /// The metalayers as values, by name.
    pub(super) meta: Vec<(String, String)>,
    /// The vlmetalayers as values, by name.
    pub(super) vlmeta: Vec<(String, String)>,
    /// A part of each chunk's data that remains, and the number of chunks up to it.
    pub(super) histogram: Vec<(&'static str, u64)>,
    pub(super) chunks: Option<Vec<Report>>,
}

#[derive(Debug)]
struct Entry {
    name: &'static str,
    value: Value,
    /// Whether the value, or each in it, counts bytes, and is shown with a unit.
    is_size: bool,
}

/// How the text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Sizes as numbers of bytes.
    pub(super) exact: bool,
    /// Names in bold.
    pub(super) bold: bool,
    /// Metadata of any length.
    pub(super) whole: bool,
}

impl Report {
    pub(super) fn add(&mut self, name: &'static str, value: impl Into<Value>) {
        self.put(name, value.into(), false);
    }

    /// Adds a number of bytes.
    pub(super) fn add_size(&mut self, name: &'static str, nbytes: impl TryInto<u64>) {
        let nbytes: u64 = nbytes.try_into().unwrap_or(u64::MAX);
        self.put(name, nbytes.into(), true);
    }

    /// Adds names with numbers of bytes.
    pub(super) fn add_sizes(&mut self, name: &'static str, sizes: Map<String, Value>) {
        self.put(name, Value::Object(sizes), true);
    }

    fn put(&mut self, name: &'static str, value: Value, is_size: bool) {
        self.entries.push(Entry {
            name,
            value,
            is_size,
        });
    }

    /// The report as JSON, with the number of its schema.
    pub(super) fn into_json(self) -> Value {
        let mut object = Map::new();
        object.insert("schema".to_owned(), SCHEMA.into());
        object.extend(self.into_object());
        Value::Object(object)
    }

    fn into_object(self) -> Map<String, Value> {
        let entries = self.entries.into_iter();
        let mut object: Map<String, Value> = entries
            .map(|entry| (entry.name.to_owned(), entry.value))
            .collect();
        for (field, values) in [("meta", self.meta), ("vlmeta", self.vlmeta)] {
            if !values.is_empty() {
                let json =
                    |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
                let values = values.into_iter().map(|(name, text)| (name, json(text)));
                object.insert(field.to_owned(), Value::Object(values.collect()));
            }
        }
        if !self.histogram.is_empty() {
            let counts = self.histogram.into_iter();
            let counts = counts.map(|(class, count)| (class.to_owned(), count.into()));
            object.insert("histogram".to_owned(), Value::Object(counts.collect()));
        }
        if let Some(chunks) = self.chunks {
            let chunks = chunks
                .into_iter()
                .map(|chunk| Value::Object(chunk.into_object()));
            object.insert("chunks".to_owned(), chunks.collect());
        }
        object
    }

    /// One line per entry, and one per chunk.
    pub(super) fn write_text(&self, out: &mut impl Write, style: Style) -> io::Result<()> {
        for entry in &self.entries {
            write_wrapped(out, entry.name, &entry.shown(style), style)?;
        }
        let most = self.histogram.iter().map(|(_, count)| *count).max();
        for (class, count) in &self.histogram {
            let bar = count.saturating_mul(40).div_ceil(most.unwrap_or(1).max(1));
            let bar = "#".repeat(usize::try_from(bar).unwrap_or(0));
            writeln!(out, "{:INDENT$}{class:>8}  {bar} {count}", "")?;
        }
        for (field, values) in [("meta", &self.meta), ("vlmeta", &self.vlmeta)] {
            for (name, value) in values {
                let most = if style.whole { usize::MAX } else { MAX_SHOWN };
                let shortened: String = value.chars().take(most).collect();
                let more = if shortened.len() < value.len() {
                    " ..."
                } else {
                    ""
                };
                let name = name.escape_debug();
                writeln!(out, "{}{name} = {shortened}{more}", label(field, style))?;
            }
        }
        for (nchunk, chunk) in self.chunks.iter().flatten().enumerate() {
            write!(out, "chunk {nchunk}:")?;
            for entry in &chunk.entries {
                write!(out, " {} {}", entry.name, plain(&entry.value))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

impl Entry {
    fn shown(&self, style: Style) -> String {
        match self.value.as_u64() {
            Some(nbytes) if self.is_size && style.exact => format!("{nbytes} B"),
            Some(nbytes) if self.is_size => size(nbytes),
            _ => match self.value.as_object() {
                Some(sizes) if self.is_size && !sizes.is_empty() => {
                    let sizes = sizes.iter();
                    let sizes = sizes.map(|(name, nbytes)| format!("{name} ({nbytes} bytes)"));
                    sizes.collect::<Vec<_>>().join(", ")
                }
                _ => plain(&self.value),
            },
        }
    }
}

/// The name of a value, up to its column.
fn label(name: &str, style: Style) -> String {
    let gap = " ".repeat(INDENT.saturating_sub(name.len()).max(1));
    format!("{}{gap}", bold(name, style.bold))
}

/// A list goes on in the next line where it is too long for one.
fn write_wrapped(out: &mut impl Write, name: &str, text: &str, style: Style) -> io::Result<()> {
    write!(out, "{}", label(name, style))?;
    let mut column = INDENT;
    for (number, part) in text.split(", ").enumerate() {
        let len = part.chars().count().saturating_add(2);
        if number > 0 && column.saturating_add(len) > WIDTH {
            write!(out, ",\n{:INDENT$}", "")?;
            column = INDENT;
        } else if number > 0 {
            write!(out, ", ")?;
        }
        write!(out, "{part}")?;
        column = column.saturating_add(len);
    }
    writeln!(out)
}

/// A value as people write it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(entries) if entries.is_empty() => "none".to_owned(),
        Value::Object(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(name, value)| format!("{name} ({value})"));
            entries.collect::<Vec<_>>().join(", ")
        }
        value => value.to_string(),
    }
}
