//! Elements as text: one line per row of the last axis, numbers with as many digits as they need.

use std::fmt::Write;

use oxiblosc::b2nd::{ByteOrder, Dtype, DtypeKind};

/// Writes elements of a dtype as text.
#[derive(Debug)]
pub(crate) struct Printer {
    kind: DtypeKind,
    size: usize,
    big: bool,
}

impl Printer {
    /// `None` when there is no text for this dtype.
    pub(crate) fn new(dtype: &Dtype) -> Option<Self> {
        let size = usize::try_from(dtype.itemsize()?).ok()?;
        let sizes: &[usize] = match dtype.kind() {
            DtypeKind::Bool => &[1],
            DtypeKind::Int | DtypeKind::Uint | DtypeKind::Timedelta | DtypeKind::Datetime => {
                &[1, 2, 4, 8]
            }
            DtypeKind::Float => &[2, 4, 8],
            DtypeKind::Complex => &[8, 16],
            DtypeKind::Bytes => return Some(Self::of(dtype, size)),
            _ => return None,
        };
        sizes.contains(&size).then(|| Self::of(dtype, size))
    }

    fn of(dtype: &Dtype, size: usize) -> Self {
        Self {
            kind: dtype.kind(),
            size,
            big: dtype.byte_order() == ByteOrder::Big
                || dtype.byte_order() == ByteOrder::Irrelevant && cfg!(target_endian = "big"),
        }
    }

    /// Adds elements to a text, `row` of them per line, where `at` elements came before.
    pub(crate) fn print(&self, elements: &[u8], row: u64, mut at: u64, text: &mut String) {
        for element in elements.chunks_exact(self.size) {
            self.one(element, text);
            at += 1;
            text.push(if at.is_multiple_of(row.max(1)) {
                '\n'
            } else {
                ' '
            });
        }
    }

    fn one(&self, element: &[u8], text: &mut String) {
        // Writing to a string does not fail.
        let _ = match self.kind {
            DtypeKind::Bool => write!(text, "{}", element.first().is_some_and(|&byte| byte != 0)),
            DtypeKind::Uint => write!(text, "{}", self.bits(element)),
            DtypeKind::Float => self.float(element, text),
            DtypeKind::Complex => {
                let (re, im) = element.split_at(self.size / 2);
                let _ = self.float(re, text);
                if !self.number(im).is_sign_negative() {
                    text.push('+');
                }
                let _ = self.float(im, text);
                write!(text, "j")
            }
            DtypeKind::Bytes => {
                let end = element.iter().rposition(|&byte| byte != 0);
                let bytes = element.get(..end.map_or(0, |last| last + 1));
                write!(text, "{}", bytes.unwrap_or_default().escape_ascii())
            }
            _ => {
                let shift = 64 - 8 * self.size;
                let value = (self.bits(element) << shift).cast_signed() >> shift;
                write!(text, "{value}")
            }
        };
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

    fn number(&self, bytes: &[u8]) -> f64 {
        let bits = self.bits(bytes);
        match bytes.len() {
            2 => half(u16::try_from(bits).unwrap_or(0)),
            4 => f32::from_bits(u32::try_from(bits).unwrap_or(0)).into(),
            _ => f64::from_bits(bits),
        }
    }

    fn float(&self, bytes: &[u8], text: &mut String) -> std::fmt::Result {
        if bytes.len() == 4 {
            // Its own digits, not those of the double next to it.
            let value = f32::from_bits(u32::try_from(self.bits(bytes)).unwrap_or(0));
            return write!(text, "{value:?}");
        }
        write!(text, "{:?}", self.number(bytes))
    }
}

/// A half precision float: sign, 5 bits of exponent, 10 of mantissa.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (bits >> 10 & 31, f64::from(bits & 1023));
    sign * match exponent {
        0 => mantissa * 2_f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + mantissa / 1024.0) * 2_f64.powi(i32::from(exponent) - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(dtype: &str, bytes: &[u8]) -> Option<String> {
        let printer = Printer::new(&Dtype::from_stored(dtype))?;
        let mut text = String::new();
        printer.print(bytes, 2, 0, &mut text);
        Some(text)
    }

    #[test]
    fn elements_have_their_digits() {
        let is = |dtype, bytes: &[u8], expected: &str| {
            assert_eq!(shown(dtype, bytes).as_deref(), Some(expected), "{dtype}");
        };
        is("|u1", &[1, 255, 3], "1 255\n3 ");
        is("|i1", &[1, 255], "1 -1\n");
        is("<i2", &[0xFE, 0xFF, 1, 2], "-2 513\n");
        is(">i2", &[0xFF, 0xFE, 1, 2], "-2 258\n");
        is(">u8", &[0, 0, 0, 0, 0, 0, 1, 0], "256 ");
        is("<f4", &0.1_f32.to_le_bytes(), "0.1 ");
        is(">f8", &(-1e300_f64).to_be_bytes(), "-1e300 ");
        is(
            "<f2",
            &[0x00, 0x3E, 0x01, 0x00],
            "1.5 5.960464477539063e-8\n",
        );
        is("<f2", &[0x00, 0xFC, 0x00, 0x7E], "-inf NaN\n");
        is("|b1", &[0, 1], "false true\n");
        let complex = [1.5_f32.to_le_bytes(), (-2.0_f32).to_le_bytes()].concat();
        is("<c8", &complex, "1.5-2.0j ");
        is("|S3", b"ab\0\n\0x", "ab \\n\\x00x\n");
        assert_eq!(shown("|V2", &[1, 2]), None);
        assert_eq!(shown("<U1", &[1, 2, 3, 4]), None);
    }
}
