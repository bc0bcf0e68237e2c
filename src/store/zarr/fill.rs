//! Fill values: the elements of chunks that are not stored.

use serde_json::Value as Json;

use crate::b2nd::{ByteOrder, Dtype, DtypeKind};

/// The bytes of one element; `None` when the value is in a form that is not read.
pub(super) fn element(value: Option<&Json>, dtype: &Dtype, size: usize) -> Option<Vec<u8>> {
    let zeros = || Some(vec![0; size]);
    let Some(value) = value.filter(|value| !value.is_null()) else {
        return zeros();
    };
    let swapped = dtype.byte_order() == ByteOrder::Big;
    let in_order = |mut bytes: Vec<u8>| {
        if swapped {
            bytes.reverse();
        }
        bytes
    };
    match dtype.kind() {
        DtypeKind::Bool => Some(vec![u8::from(value.as_bool()?)]),
        DtypeKind::Int | DtypeKind::Uint | DtypeKind::Datetime | DtypeKind::Timedelta => {
            let bits = match (value.as_u64(), value.as_i64(), value.as_str()) {
                (Some(bits), _, _) => bits,
                (_, Some(number), _) => number.cast_unsigned(),
                (_, _, Some("NaT")) => 1 << 63,
                _ => return None,
            };
            let bytes = bits.to_le_bytes();
            Some(in_order(bytes.get(..size)?.to_vec()))
        }
        DtypeKind::Float => float(value, size).map(in_order),
        DtypeKind::Complex => {
            let half = size / 2;
            let parts = value.as_array()?;
            let (re, im) = (float(parts.first()?, half)?, float(parts.get(1)?, half)?);
            Some([in_order(re), in_order(im)].concat())
        }
        _ => match value {
            Json::Number(number) if number.as_u64() == Some(0) => zeros(),
            // Zeros in Base64, and the empty text.
            Json::String(text) if text.bytes().all(|byte| matches!(byte, b'A' | b'=')) => zeros(),
            Json::Array(bytes) if bytes.iter().all(|byte| byte.as_u64() == Some(0)) => zeros(),
            _ => None,
        },
    }
}

/// A float of 2, 4 or 8 bytes, little-endian.
fn float(value: &Json, size: usize) -> Option<Vec<u8>> {
    let number = match value.as_str() {
        Some("NaN") => f64::NAN,
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        // The bits of the number, in hexadecimal.
        Some(text) => {
            let bits = u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?;
            return Some(bits.to_le_bytes().get(..size)?.to_vec());
        }
        None => value.as_f64()?,
    };
    match size {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the element is a float of 32 bits"
        )]
        4 => Some((number as f32).to_le_bytes().to_vec()),
        8 => Some(number.to_le_bytes().to_vec()),
        // Of half precision, the values that need no rounding.
        2 if number.is_nan() => Some(0x7E00_u16.to_le_bytes().to_vec()),
        2 if number.is_infinite() => {
            let sign = if number < 0.0 { 0x8000 } else { 0 };
            Some((0x7C00_u16 | sign).to_le_bytes().to_vec())
        }
        2 if number == 0.0 => Some(vec![0; 2]),
        2 if number == 1.0 => Some(0x3C00_u16.to_le_bytes().to_vec()),
        2 if number == -1.0 => Some(0xBC00_u16.to_le_bytes().to_vec()),
        _ => None,
    }
}
