//! The types of elements of Zarr, as NumPy writes them.

use serde_json::Value as Json;

use super::super::tensor::dtype_text;
use super::json;
use crate::error::{Error, Result};

/// The dtype of a version 2 array: NumPy's text, or the list of the fields.
pub(super) fn of_v2(stored: &Json) -> Result<String> {
    let text = dtype_text(&json::value(stored));
    text.ok_or_else(|| json::broken("the dtype is neither text nor a list of fields"))
}

/// The dtype of a version 3 array with the order of bytes of its codec, `<` or `>`.
pub(super) fn of_v3(stored: &Json, order: char) -> Result<String> {
    text(stored, order).ok_or_else(|| Error::Mismatch {
        what: "Zarr data type",
        stored: stored.to_string().into(),
        asked: "one whose elements have a fixed size".into(),
    })
}

fn text(stored: &Json, order: char) -> Option<String> {
    if let Some(name) = stored.as_str() {
        return plain(name, order);
    }
    let name = stored.get("name")?.as_str()?;
    let config = stored.get("configuration");
    let number = |field: &str| config?.get(field)?.as_u64();
    match name {
        "numpy.datetime64" | "numpy.timedelta64" => {
            let letter = if name == "numpy.datetime64" { 'M' } else { 'm' };
            let unit = config?.get("unit")?.as_str()?;
            match (unit, number("scale_factor").unwrap_or(1)) {
                ("generic", _) => Some(format!("{order}{letter}8")),
                (unit, 1) => Some(format!("{order}{letter}8[{unit}]")),
                (unit, scale) => Some(format!("{order}{letter}8[{scale}{unit}]")),
            }
        }
        "fixed_length_utf32" => Some(format!("{order}U{}", number("length_bytes")? / 4)),
        "null_terminated_bytes" => Some(format!("|S{}", number("length_bytes")?)),
        "raw_bytes" => Some(format!("|V{}", number("length_bytes")?)),
        "structured" | "struct" => {
            let fields = config?.get("fields")?.as_array()?.iter().map(|field| {
                let (name, dtype) = match field.as_array() {
                    Some(pair) => (pair.first()?, pair.get(1)?),
                    None => (field.get("name")?, field.get("data_type")?),
                };
                let name = name.as_str()?;
                if name.contains(['\'', '\\']) {
                    return None;
                }
                let dtype = match text(dtype, order)? {
                    nested if nested.starts_with('[') => nested,
                    simple => format!("'{simple}'"),
                };
                Some(format!("('{name}', {dtype})"))
            });
            Some(format!(
                "[{}]",
                fields.collect::<Option<Vec<_>>>()?.join(", ")
            ))
        }
        name => plain(name, order),
    }
}

fn plain(name: &str, order: char) -> Option<String> {
    let letter = |letter: char, bits: &str| {
        let size = bits.parse::<u32>().ok()? / 8;
        let order = if size == 1 { '|' } else { order };
        Some(format!("{order}{letter}{size}"))
    };
    match name {
        "bool" => Some("|b1".to_owned()),
        "int8" | "int16" | "int32" | "int64" => letter('i', name.trim_start_matches("int")),
        "uint8" | "uint16" | "uint32" | "uint64" => letter('u', name.trim_start_matches("uint")),
        "float16" | "float32" | "float64" => letter('f', name.trim_start_matches("float")),
        "complex64" | "complex128" => letter('c', name.trim_start_matches("complex")),
        _ => {
            let bits = name.strip_prefix('r')?.parse::<u32>().ok()?;
            (bits > 0 && bits.is_multiple_of(8)).then(|| format!("|V{}", bits / 8))
        }
    }
}
