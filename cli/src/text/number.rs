//! Numbers as NumPy prints them: as many digits as tell them apart, exponents of two digits.

use std::fmt::Write;

/// A float of 2, 4 or 8 bytes.
pub(super) fn float(bits: u64, size: usize, text: &mut String) {
    let value = value(bits, size);
    if value.is_nan() {
        text.push_str("nan");
        return;
    }
    if value.is_infinite() {
        text.push_str(if value < 0.0 { "-inf" } else { "inf" });
        return;
    }
    let digits = match size {
        2 => half_digits(u16::try_from(bits).unwrap_or(0), value),
        4 => format!("{:e}", f32::from_bits(u32::try_from(bits).unwrap_or(0))),
        _ => format!("{value:e}"),
    };
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value == 0.0 || (-4..16).contains(&exponent) {
        plain(mantissa, exponent, text);
    } else {
        // Writing to a string does not fail.
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(text, "{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
}

/// Digits with the point moved by an exponent.
fn plain(mantissa: &str, exponent: i32, text: &mut String) {
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(|char| *char != '.').collect();
    text.push_str(sign);
    match usize::try_from(exponent) {
        Err(_) => {
            let zeros = usize::try_from(-1 - exponent).unwrap_or(0);
            text.push_str("0.");
            text.extend(std::iter::repeat_n('0', zeros));
            text.push_str(&digits);
        }
        Ok(exponent) => {
            let whole = exponent.saturating_add(1);
            let padded = format!("{digits:0<whole$}");
            let (whole, part) = padded.split_at(whole.min(padded.len()));
            text.push_str(whole);
            text.push('.');
            text.push_str(if part.is_empty() { "0" } else { part });
        }
    }
}

/// The value of a float.
pub(super) fn value(bits: u64, size: usize) -> f64 {
    match size {
        2 => half(u16::try_from(bits).unwrap_or(0)),
        4 => f32::from_bits(u32::try_from(bits).unwrap_or(0)).into(),
        _ => f64::from_bits(bits),
    }
}

/// The fewest digits that are nearer to a half precision float than to its neighbours.
fn half_digits(bits: u16, value: f64) -> String {
    let near = |bits: u16| (half(bits) - value).abs();
    let (below, above) = (near(bits.wrapping_sub(1)), near(bits.wrapping_add(1)));
    let gap = if bits & 0x7FFF == 0 {
        above
    } else {
        below.min(above)
    };
    let fits = |text: &String| {
        let read: f64 = text.parse().unwrap_or(f64::NAN);
        (read - value).abs() < gap / 2.0
    };
    let mut tried = (0..5).map(|digits| format!("{value:.digits$e}"));
    let found = tried.find(fits);
    let text = found.unwrap_or_else(|| format!("{value:e}"));
    // Digits that are zeros tell nothing.
    match text.split_once('e') {
        Some((mantissa, exponent)) if mantissa.contains('.') => {
            let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
            format!("{mantissa}e{exponent}")
        }
        _ => text,
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
