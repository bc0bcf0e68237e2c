//! Structured types: a list of `(name, type)` or `(name, type, shape)`, or a dictionary with
//! `names`, `formats`, `offsets` and `itemsize`, both as Python prints them.

use crate::b2nd::layout::dtype::literal::Literal;
use crate::b2nd::layout::dtype::simple::simple;

/// The greatest depth of nested records.
const MAX_DEPTH: u32 = 16;

/// A field of a structured type.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name; empty for padding.
    pub name: String,
    /// Its title, a second name; empty for none.
    pub title: String,
    /// Its type, in NumPy's notation.
    pub dtype: String,
    /// The shape of a field that is an array itself; empty otherwise.
    pub shape: Vec<u64>,
    /// Its offset within the element, in bytes.
    pub offset: u64,
    /// Its size in bytes, over its whole shape.
    pub nbytes: u64,
}

/// The item size and the fields of a structured type.
pub(super) fn parse(text: &str) -> Option<(u64, Vec<Field>)> {
    record(&Literal::parse(text)?, 0)
}

fn record(literal: &Literal, depth: u32) -> Option<(u64, Vec<Field>)> {
    if depth > MAX_DEPTH {
        return None;
    }
    match literal {
        Literal::List(items) => list(items, depth),
        Literal::Dict(_) => dict(literal, depth),
        _ => None,
    }
}

fn list(items: &[Literal], depth: u32) -> Option<(u64, Vec<Field>)> {
    let mut fields = Vec::with_capacity(items.len());
    let mut offset = 0_u64;
    for item in items {
        let Literal::Tuple(parts) = item else {
            return None;
        };
        let (name, format, shape) = match parts.as_slice() {
            [name, format] => (name, format, None),
            [name, format, shape] => (name, format, Some(shape)),
            _ => return None,
        };
        let field = field(name, format, shape, offset, depth)?;
        offset = offset.checked_add(field.nbytes)?;
        fields.push(field);
    }
    Some((offset, fields))
}

fn dict(literal: &Literal, depth: u32) -> Option<(u64, Vec<Field>)> {
    let names = literal.get("names")?.as_items()?;
    let formats = literal.get("formats")?.as_items()?;
    if formats.len() != names.len() {
        return None;
    }
    let offsets = match literal.get("offsets") {
        Some(offsets) => Some(offsets.as_items()?),
        None => None,
    };
    let titles = literal.get("titles").and_then(Literal::as_items);
    let title = |n: usize| titles.and_then(|titles| titles.get(n)?.as_text());
    let mut fields = Vec::with_capacity(names.len());
    let mut end = 0_u64;
    for (n, (name, format)) in names.iter().zip(formats).enumerate() {
        let offset = match offsets {
            Some(offsets) => offsets.get(n)?.as_size()?,
            None => end,
        };
        let mut field = field(name, format, None, offset, depth)?;
        if let Some(title) = title(n) {
            title.clone_into(&mut field.title);
        }
        end = end.max(offset.checked_add(field.nbytes)?);
        fields.push(field);
    }
    let itemsize = match literal.get("itemsize") {
        Some(itemsize) => itemsize.as_size().filter(|&size| size >= end)?,
        None => end,
    };
    Some((itemsize, fields))
}

fn field(
    name: &Literal,
    format: &Literal,
    shape: Option<&Literal>,
    offset: u64,
    depth: u32,
) -> Option<Field> {
    let (title, name) = match name {
        Literal::Text(name) => ("", name.as_str()),
        // A title may be any object; texts are kept.
        Literal::Tuple(parts) => {
            let title = parts.first()?.as_text().unwrap_or_default();
            (title, parts.get(1)?.as_text()?)
        }
        _ => return None,
    };
    // A type with a shape comes as a third part of the field, or as a pair.
    let (format, shape) = match (format, shape) {
        (Literal::Tuple(parts), None) => match parts.as_slice() {
            [format, shape] => (format, Some(shape)),
            _ => return None,
        },
        other => other,
    };
    let shape = match shape {
        None => Vec::new(),
        Some(Literal::Number(len)) => vec![u64::try_from(*len).ok()?],
        Some(shape) => shape
            .as_items()?
            .iter()
            .map(Literal::as_size)
            .collect::<Option<_>>()?,
    };
    let (itemsize, dtype) = match format {
        Literal::Text(text) => (simple(text)?.2, text.clone()),
        nested => {
            let (itemsize, fields) = record(nested, depth.saturating_add(1))?;
            (itemsize, describe(itemsize, &fields))
        }
    };
    let nbytes = shape
        .iter()
        .try_fold(itemsize, |nbytes, &len| nbytes.checked_mul(len))?;
    Some(Field {
        name: name.to_owned(),
        title: title.to_owned(),
        dtype,
        shape,
        offset,
        nbytes,
    })
}

/// A record as NumPy's list of fields, with its gaps as unnamed `|V` fields. Fields that overlap
/// or descend have no such list; they are described as raw bytes.
pub(super) fn describe(itemsize: u64, fields: &[Field]) -> String {
    let mut parts = Vec::with_capacity(fields.len());
    let mut end = 0_u64;
    let gap = |len: u64| format!("('', '|V{len}')");
    for field in fields {
        if field.offset < end {
            return format!("'|V{itemsize}'");
        }
        if field.offset > end {
            parts.push(gap(field.offset.saturating_sub(end)));
        }
        end = field.offset.saturating_add(field.nbytes);
        let name = match field.title.as_str() {
            "" => quote(&field.name),
            title => format!("({}, {})", quote(title), quote(&field.name)),
        };
        let dtype = if field.dtype.starts_with(['[', '\'']) {
            field.dtype.clone()
        } else {
            quote(&field.dtype)
        };
        match field.shape.as_slice() {
            [] => parts.push(format!("({name}, {dtype})")),
            [len] => parts.push(format!("({name}, {dtype}, ({len},))")),
            lens => {
                let lens: Vec<String> = lens.iter().map(u64::to_string).collect();
                parts.push(format!("({name}, {dtype}, ({}))", lens.join(", ")));
            }
        }
    }
    if itemsize > end {
        parts.push(gap(itemsize.saturating_sub(end)));
    }
    format!("[{}]", parts.join(", "))
}

/// A Python string literal.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("'");
    for char in text.chars() {
        match char {
            '\'' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            char => quoted.push(char),
        }
    }
    quoted.push('\'');
    quoted
}
