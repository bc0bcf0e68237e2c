//! The metalayers of a frame as values.

use oxiblosc::Limits;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::store::Value;

use crate::sniff::Frame;

/// Vlmetalayers larger than this are listed without their values, as are those after the first
/// [`MAX_VALUES`] bytes: a small file may hold many that are large.
const MAX_VALUE: usize = 64 << 10;
const MAX_VALUES: usize = 1 << 20;

/// The vlmetalayers as values, in JSON: the small ones, or `all`. The content of one that is no
/// msgpack is its bytes.
pub(crate) fn values(frame: &Frame, all: bool) -> Vec<(String, String)> {
    let (stored, limits) = (frame.source.vlmetalayers(), frame.source.dparams().limits);
    let mut left = MAX_VALUES;
    let value = |name: &str| {
        let nbytes = stored.nbytes(name).ok().flatten()?;
        if !all {
            left = left.checked_sub(nbytes.min(MAX_VALUE))?;
            if nbytes > MAX_VALUE {
                return None;
            }
        }
        let content = match frame.source.vlmetalayer(name) {
            Ok(content) => content?,
            Err(error) => return Some((name.to_owned(), format!("({error})"))),
        };
        Some((name.to_owned(), text_of(content, &limits)))
    };
    stored.names().filter_map(value).collect()
}

/// The metalayers as values, in JSON.
pub(crate) fn fixed(frame: &Frame) -> Vec<(String, String)> {
    let limits = frame.source.dparams().limits;
    let entries = frame.source.metalayers().iter();
    entries
        .map(|(name, content)| (name.to_owned(), text_of(content.to_vec(), &limits)))
        .collect()
}

/// A value of msgpack in JSON; anything else as its bytes.
pub(crate) fn text_of(content: Vec<u8>, limits: &Limits) -> String {
    let value = match Value::decode(&content, limits) {
        Ok(value) => without_python(value, limits),
        Err(_) => Value::Bin(content),
    };
    value.to_string()
}

/// A value whose tuples, sets, complex numbers and arrays of Python are lists and maps.
fn without_python(value: Value, limits: &Limits) -> Value {
    match value {
        Value::Array(_) => {
            let items = value.as_list().unwrap_or_default().iter().cloned();
            Value::Array(items.map(|item| without_python(item, limits)).collect())
        }
        Value::Map(entries) => {
            let plain = |(key, value)| (key, without_python(value, limits));
            Value::Map(entries.into_iter().map(plain).collect())
        }
        Value::Ext(44, bytes) if bytes.len() == 16 => {
            let numbers = bytes.as_chunks::<8>().0.iter();
            Value::Array(
                numbers
                    .map(|number| Value::Float(f64::from_be_bytes(*number)))
                    .collect(),
            )
        }
        Value::Ext(45 | 46, ref bytes) => Value::decode(bytes, limits).unwrap_or(value),
        value => value,
    }
}
