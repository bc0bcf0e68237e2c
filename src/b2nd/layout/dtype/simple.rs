//! Types that are no records, in NumPy's notation: order, letter, number.

use crate::b2nd::layout::dtype::kind::{ByteOrder, DtypeKind};

/// Reads a type that is no record: order, letter, number.
pub(super) fn simple(text: &str) -> Option<(DtypeKind, ByteOrder, u64)> {
    let text = named(text).unwrap_or(text);
    let (order, rest) = match text.as_bytes().first()? {
        b'<' => (ByteOrder::Little, text.get(1..)?),
        b'>' => (ByteOrder::Big, text.get(1..)?),
        b'=' => (ByteOrder::NATIVE, text.get(1..)?),
        b'|' => (ByteOrder::Irrelevant, text.get(1..)?),
        _ => (ByteOrder::NATIVE, text),
    };
    let letter = rest.chars().next()?;
    let rest = rest.get(letter.len_utf8()..)?;
    let (digits, unit) = match rest.find('[') {
        Some(at) => (rest.get(..at)?, Some(rest.get(at..)?)),
        None => (rest, None),
    };
    let number = || {
        digits
            .parse::<u32>()
            .ok()
            .filter(|_| !digits.starts_with('+'))
            .map(u64::from)
    };
    let one_of = |sizes: &[u64]| number().filter(|size| sizes.contains(size));
    let (kind, size) = match letter {
        'b' => (DtypeKind::Bool, one_of(&[1])?),
        'i' => (DtypeKind::Int, one_of(&[1, 2, 4, 8])?),
        'u' => (DtypeKind::Uint, one_of(&[1, 2, 4, 8])?),
        'f' => (DtypeKind::Float, one_of(&[2, 4, 8, 12, 16])?),
        'c' => (DtypeKind::Complex, one_of(&[8, 16, 24, 32])?),
        'm' => (DtypeKind::Timedelta, one_of(&[8])?),
        'M' => (DtypeKind::Datetime, one_of(&[8])?),
        'S' | 'a' => (DtypeKind::Bytes, number()?),
        'U' => (DtypeKind::Text, number()?.checked_mul(4)?),
        'V' => (DtypeKind::Void, number()?),
        'O' => (
            DtypeKind::Object,
            if digits.is_empty() { 8 } else { number()? },
        ),
        _ => return None,
    };
    let has_unit = matches!(kind, DtypeKind::Timedelta | DtypeKind::Datetime);
    if unit.is_some_and(|unit| !has_unit || !is_unit(unit)) {
        return None;
    }
    let single =
        size == 1 || matches!(kind, DtypeKind::Bytes | DtypeKind::Void | DtypeKind::Object);
    Some((
        kind,
        if single { ByteOrder::Irrelevant } else { order },
        size,
    ))
}

/// Whether this is a unit of time in brackets: how many of them, its name, and a divisor.
fn is_unit(text: &str) -> bool {
    let Some(text) = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
    else {
        return false;
    };
    let digit = |char: char| char.is_ascii_digit();
    let (name, divisor) = match text.split_once('/') {
        Some((name, divisor)) => (name, Some(divisor)),
        None => (text, None),
    };
    let divides =
        |text: &str| text.parse::<u32>().is_ok_and(|by| by > 0) && text.chars().all(digit);
    UNITS.contains(&name.trim_start_matches(digit)) && divisor.is_none_or(divides)
}

/// The names of units of time.
const UNITS: [&str; 15] = [
    "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "\u{3BC}s", "ns", "ps", "fs", "as", "generic",
];

/// Types by name, as NumPy abbreviates them in some places.
fn named(text: &str) -> Option<&'static str> {
    Some(match text {
        "?" | "bool" => "|b1",
        "int8" => "|i1",
        "uint8" => "|u1",
        "int16" => "=i2",
        "uint16" => "=u2",
        "int32" => "=i4",
        "uint32" => "=u4",
        "int64" => "=i8",
        "uint64" => "=u8",
        "float16" => "=f2",
        "float32" => "=f4",
        "float64" => "=f8",
        "complex64" => "=c8",
        "complex128" => "=c16",
        _ => return None,
    })
}
