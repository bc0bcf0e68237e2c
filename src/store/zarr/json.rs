//! JSON documents of a hierarchy.

use std::io;

use serde_json::Value as Json;

use super::super::value::Value;
use crate::error::{Error, Part, Result};
use crate::limits::{self, Limits};
use crate::num::saturating_usize;
use crate::storage::FileTree;

/// The most memory that a parsed document takes, in multiples of its length: `[0,0,…]` is a value
/// of 32 bytes for every two, and a vector grows by doubling.
const MEMORY: u64 = 64;

/// Reads a document; `None` when there is no such file.
pub(super) fn read(files: &dyn FileTree, path: &str, limits: &Limits) -> Result<Option<Json>> {
    let failed = |error| Error::io(Part::Document, None, error);
    let file = match files.open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let len = file.len().map_err(failed)?;
    limits::check(
        "max_alloc",
        len.saturating_mul(MEMORY),
        limits.max_alloc,
        None,
    )?;
    let mut bytes = vec![0; saturating_usize(len)];
    file.read_exact_at(&mut bytes, 0).map_err(failed)?;
    parse(&bytes).map(Some)
}

/// Whether an error says that there is no file; a file may also stand where a folder was expected.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Parses a document.
pub(super) fn parse(bytes: &[u8]) -> Result<Json> {
    serde_json::from_slice(bytes).map_err(|error| {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let before: usize = lines
            .take(error.line().saturating_sub(1))
            .map(<[u8]>::len)
            .sum();
        let at = before.saturating_add(error.column().saturating_sub(1));
        Error::broken(Part::Document, crate::num::to_u64(at), "it is no JSON")
    })
}

/// A document, or a part of one, as a value.
pub(super) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(number), _, _) => Value::Uint(number),
            (_, Some(number), _) => Value::Int(number),
            (_, _, number) => Value::Float(number.unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(values) => Value::Array(values.iter().map(value).collect()),
        Json::Object(entries) => {
            let entry = |(name, json): (&String, &Json)| (Value::Str(name.clone()), value(json));
            Value::Map(entries.iter().map(entry).collect())
        }
    }
}

/// The entries of an object as named values; nothing for other documents.
pub(super) fn attributes(json: Option<&Json>) -> Vec<(String, Value)> {
    let entries = json.and_then(Json::as_object);
    let entries = entries.into_iter().flatten();
    entries
        .map(|(name, json)| (name.clone(), value(json)))
        .collect()
}

/// The error of a document that lacks a field, or has another value there than it must.
pub(super) fn broken(rule: &'static str) -> Error {
    Error::broken(Part::Document, 0, rule)
}

/// A list of numbers.
pub(super) fn numbers<T: TryFrom<u64>>(json: &Json) -> Option<Vec<T>> {
    let number = |json: &Json| T::try_from(json.as_u64()?).ok();
    json.as_array()?.iter().map(number).collect()
}

/// A field of an object; null when there is none.
pub(super) fn field<'a>(json: &'a Json, name: &str) -> &'a Json {
    json.get(name).unwrap_or(&Json::Null)
}
