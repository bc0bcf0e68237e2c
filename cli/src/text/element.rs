//! One element as text, as a field of CSV, or as JSON.

use std::fmt::Write;

use oxiblosc::b2nd::{ByteOrder, Dtype, DtypeKind};

use super::date::Unit;
use super::number::{float, value};

/// The language that an element is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// As NumPy prints an element.
    Plain,
    /// As NumPy prints it inside of a record.
    Quoted,
    Csv,
    Json,
}

/// How elements of a dtype are written.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) size: usize,
    kind: Kind,
    big: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    Bool,
    Int,
    Uint,
    Float,
    Complex,
    Date(Unit),
    Span(Unit),
    Bytes,
    Text,
    Void,
    Record(Vec<Part>),
}

/// A field of a record.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    offset: usize,
    /// The number of elements of a field that is an array.
    count: Option<usize>,
    element: Element,
}

impl Element {
    /// `None` when there is no text for this dtype.
    pub(super) fn of(dtype: &Dtype) -> Option<Self> {
        let size = usize::try_from(dtype.itemsize()?).ok()?;
        let is_of = |sizes: &[usize]| sizes.contains(&size);
        let unit = || Unit::of(dtype.as_str());
        let kind = match dtype.kind() {
            DtypeKind::Bool if size == 1 => Kind::Bool,
            DtypeKind::Int if is_of(&[1, 2, 4, 8]) => Kind::Int,
            DtypeKind::Uint if is_of(&[1, 2, 4, 8]) => Kind::Uint,
            DtypeKind::Float if is_of(&[2, 4, 8]) => Kind::Float,
            DtypeKind::Complex if is_of(&[8, 16]) => Kind::Complex,
            DtypeKind::Datetime if size == 8 => unit().map_or(Kind::Int, Kind::Date),
            DtypeKind::Timedelta if size == 8 => unit().map_or(Kind::Int, Kind::Span),
            DtypeKind::Bytes => Kind::Bytes,
            DtypeKind::Text if size.is_multiple_of(4) => Kind::Text,
            DtypeKind::Void => Kind::Void,
            DtypeKind::Structured => Kind::Record(parts(dtype)?),
            _ => return None,
        };
        let big = match dtype.byte_order() {
            ByteOrder::Big => true,
            ByteOrder::Irrelevant => cfg!(target_endian = "big"),
            _ => false,
        };
        Some(Self { size, kind, big })
    }

    /// The names of the columns, of a record.
    pub(super) fn columns(&self) -> Option<Vec<String>> {
        let Kind::Record(parts) = &self.kind else {
            return None;
        };
        let mut names = Vec::new();
        for part in parts {
            let inner = part.element.columns().unwrap_or_default();
            let inner = match inner.is_empty() {
                true => vec![part.name.clone()],
                false => inner
                    .iter()
                    .map(|name| format!("{}.{name}", part.name))
                    .collect(),
            };
            match part.count {
                None => names.extend(inner),
                Some(count) => {
                    for at in 0..count {
                        names.extend(inner.iter().map(|name| format!("{name}[{at}]")));
                    }
                }
            }
        }
        Some(names)
    }

    /// Adds an element to a text. Writing to a string does not fail.
    pub(super) fn write(&self, bytes: &[u8], language: Language, text: &mut String) {
        let _ = match &self.kind {
            Kind::Bool => {
                let is_true = bytes.first().is_some_and(|&byte| byte != 0);
                text.push_str(match (is_true, language) {
                    (true, Language::Json) => "true",
                    (false, Language::Json) => "false",
                    (true, _) => "True",
                    (false, _) => "False",
                });
                Ok(())
            }
            Kind::Int => write!(text, "{}", self.int(bytes)),
            Kind::Uint => write!(text, "{}", self.bits(bytes)),
            Kind::Float => {
                self.float(bytes, language, text);
                Ok(())
            }
            Kind::Complex => {
                self.complex(bytes, language, text);
                Ok(())
            }
            Kind::Date(unit) | Kind::Span(unit) => {
                let mut time = String::new();
                match &self.kind {
                    Kind::Date(_) => unit.point(self.int(bytes), &mut time),
                    _ => unit.span(self.int(bytes), &mut time),
                }
                quoted(&time, language, text);
                Ok(())
            }
            Kind::Bytes | Kind::Void => {
                let used = match &self.kind {
                    Kind::Bytes => bytes.trim_ascii_nul(),
                    _ => bytes,
                };
                match language {
                    Language::Plain | Language::Quoted if self.is_text() => {
                        write!(text, "b{}", python(used))
                    }
                    Language::Plain | Language::Quoted => {
                        let hex: String =
                            used.iter().map(|byte| format!("\\x{byte:02x}")).collect();
                        write!(text, "b'{hex}'")
                    }
                    _ => {
                        let shown = std::str::from_utf8(used).ok().filter(|_| self.is_text());
                        let shown = shown.map_or_else(|| escaped(used), str::to_owned);
                        quoted(&shown, language, text);
                        Ok(())
                    }
                }
            }
            Kind::Text => {
                let chars = bytes.chunks_exact(4).map(|char| self.bits(char));
                let chars = chars.map(|bits| u32::try_from(bits).ok().and_then(char::from_u32));
                let all: String = chars.map(|char| char.unwrap_or('\u{FFFD}')).collect();
                quoted(all.trim_end_matches('\0'), language, text);
                Ok(())
            }
            Kind::Record(parts) => {
                record(parts, bytes, language, text);
                Ok(())
            }
        };
    }

    fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Bytes)
    }

    fn float(&self, bytes: &[u8], language: Language, text: &mut String) {
        let bits = self.bits(bytes);
        match language {
            // JSON has no names for them.
            Language::Json if !value(bits, bytes.len()).is_finite() => text.push_str("null"),
            _ => float(bits, bytes.len(), text),
        }
    }

    fn complex(&self, bytes: &[u8], language: Language, text: &mut String) {
        let (re, im) = bytes.split_at(self.size / 2);
        let number = |bytes| {
            let mut number = String::new();
            float(self.bits(bytes), self.size / 2, &mut number);
            number
                .strip_suffix(".0")
                .map(str::to_owned)
                .unwrap_or(number)
        };
        let (re_text, im_text) = (number(re), number(im));
        let sign = if im_text.starts_with('-') { "" } else { "+" };
        match language {
            Language::Json => {
                text.push('[');
                self.float(re, language, text);
                text.push_str(", ");
                self.float(im, language, text);
                text.push(']');
            }
            _ if re_text == "0" => text.push_str(&format!("{im_text}j")),
            Language::Csv => text.push_str(&format!("{re_text}{sign}{im_text}j")),
            _ => text.push_str(&format!("({re_text}{sign}{im_text}j)")),
        }
    }

    /// The number in up to 8 bytes.
    fn bits(&self, element: &[u8]) -> u64 {
        let join = |bits, &byte: &u8| bits << 8 | u64::from(byte);
        if self.big {
            element.iter().fold(0, join)
        } else {
            element.iter().rev().fold(0, join)
        }
    }

    fn int(&self, element: &[u8]) -> i64 {
        let shift = 64 - 8 * self.size.clamp(1, 8);
        (self.bits(element) << shift).cast_signed() >> shift
    }
}

/// The fields of a record, without padding.
fn parts(dtype: &Dtype) -> Option<Vec<Part>> {
    let fields = dtype.fields().iter().filter(|field| !field.name.is_empty());
    let part = |field: &oxiblosc::b2nd::Field| {
        let count = field.shape.iter().product::<u64>();
        let is_array = !field.shape.is_empty();
        Some(Part {
            name: field.name.clone(),
            offset: usize::try_from(field.offset).ok()?,
            count: is_array.then_some(usize::try_from(count).ok()?),
            element: Element::of(&Dtype::from_stored(&field.dtype))?,
        })
    };
    fields.map(part).collect()
}

fn record(parts: &[Part], bytes: &[u8], language: Language, text: &mut String) {
    let (open, close) = match language {
        Language::Json => ("{", "}"),
        Language::Csv => ("", ""),
        _ => ("(", ")"),
    };
    let gap = if language == Language::Csv { "," } else { ", " };
    let inside = match language {
        Language::Plain => Language::Quoted,
        language => language,
    };
    text.push_str(open);
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            text.push_str(gap);
        }
        if language == Language::Json {
            quoted(&part.name, Language::Json, text);
            text.push_str(": ");
        }
        let is_list = part.count.is_some() && language != Language::Csv;
        if is_list {
            text.push('[');
        }
        let rest = bytes.get(part.offset..).unwrap_or_default();
        let elements = rest.chunks_exact(part.element.size.max(1));
        for (at, element) in elements.take(part.count.unwrap_or(1)).enumerate() {
            if at > 0 {
                text.push_str(gap);
            }
            part.element.write(element, inside, text);
        }
        if is_list {
            text.push(']');
        }
    }
    // A tuple of one, as Python writes it.
    if parts.len() == 1 && matches!(language, Language::Plain | Language::Quoted) {
        text.push(',');
    }
    text.push_str(close);
}

/// A word, with the quotes of its language.
fn quoted(word: &str, language: Language, text: &mut String) {
    match language {
        Language::Quoted => text.push_str(&format!("'{}'", word.escape_debug())),
        Language::Json => text.push_str(&serde_json::Value::from(word).to_string()),
        Language::Csv if word.contains([',', '"', '\n', '\r']) => {
            text.push_str(&format!("\"{}\"", word.replace('"', "\"\"")));
        }
        Language::Plain | Language::Csv => text.push_str(word),
    }
}

/// Bytes in ASCII.
fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// Bytes in the quotes that Python prints.
fn python(bytes: &[u8]) -> String {
    let escaped = escaped(bytes).replace("\\\"", "\"");
    if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
        format!("\"{}\"", escaped.replace("\\'", "'"))
    } else {
        format!("'{escaped}'")
    }
}

/// Bytes without the padding at their end.
trait TrimNul {
    fn trim_ascii_nul(&self) -> &[u8];
}

impl TrimNul for [u8] {
    fn trim_ascii_nul(&self) -> &[u8] {
        let end = self.iter().rposition(|&byte| byte != 0);
        self.get(..end.map_or(0, |last| last + 1))
            .unwrap_or_default()
    }
}
