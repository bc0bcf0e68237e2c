//! Points in time and time spans as NumPy prints them.

use std::fmt::Write;

/// The unit of a time: the code of NumPy, and how many of them a step is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    code: String,
    count: i64,
}

impl Unit {
    /// The unit of a dtype such as `<M8[10us]`; without one, times are numbers.
    pub(super) fn of(dtype: &str) -> Option<Self> {
        let (_, rest) = dtype.split_once('[')?;
        let inside = rest.strip_suffix(']')?;
        let digits = inside.trim_start_matches(|char: char| char.is_ascii_digit());
        let number = inside.get(..inside.len() - digits.len())?;
        let count = if number.is_empty() {
            1
        } else {
            number.parse().ok()?
        };
        let code = digits.to_owned();
        (["Y", "M"].contains(&digits) || seconds_of(digits).is_some())
            .then_some(Self { code, count })
    }

    /// A point in time, counted from 1970.
    pub(super) fn point(&self, steps: i64, text: &mut String) {
        // Writing to a string does not fail.
        let _ = match (steps, self.count.checked_mul(steps)) {
            (i64::MIN, _) | (_, None) => write!(text, "NaT"),
            (_, Some(units)) => match self.code.as_str() {
                "Y" => write!(text, "{}", year(1970_i64.saturating_add(units))),
                "M" => {
                    let years = 1970_i64.saturating_add(units.div_euclid(12));
                    write!(text, "{}-{:02}", year(years), units.rem_euclid(12) + 1)
                }
                code => self.instant(code, units, text),
            },
        };
    }

    fn instant(&self, code: &str, units: i64, text: &mut String) -> std::fmt::Result {
        let Some((seconds, digits)) = seconds_of(code) else {
            return Ok(());
        };
        let per_second = 10_i128.pow(digits);
        let units = i128::from(units) * i128::from(seconds);
        let (total, part) = (units.div_euclid(per_second), units.rem_euclid(per_second));
        let (days, second) = (total.div_euclid(86400), total.rem_euclid(86400));
        let (years, month, day) = civil(days);
        write!(text, "{}-{month:02}-{day:02}", year(years))?;
        if seconds >= 86400 {
            return Ok(());
        }
        write!(text, "T{:02}", second / 3600)?;
        if seconds >= 3600 {
            return Ok(());
        }
        write!(text, ":{:02}", second / 60 % 60)?;
        if seconds >= 60 {
            return Ok(());
        }
        write!(text, ":{:02}", second % 60)?;
        match usize::try_from(digits) {
            Ok(width) if width > 0 => write!(text, ".{part:0width$}"),
            _ => Ok(()),
        }
    }

    /// A time span.
    pub(super) fn span(&self, steps: i64, text: &mut String) {
        let name = match self.code.as_str() {
            "Y" => "years",
            "M" => "months",
            "W" => "weeks",
            "D" => "days",
            "h" => "hours",
            "m" => "minutes",
            "s" => "seconds",
            "ms" => "milliseconds",
            "us" => "microseconds",
            "ns" => "nanoseconds",
            "ps" => "picoseconds",
            "fs" => "femtoseconds",
            _ => "attoseconds",
        };
        let _ = match (steps, self.count.checked_mul(steps)) {
            (i64::MIN, _) | (_, None) => write!(text, "NaT"),
            (_, Some(units)) => write!(text, "{units} {name}"),
        };
    }
}

/// The seconds of a unit, or the digits of a second that it counts.
fn seconds_of(code: &str) -> Option<(u32, u32)> {
    Some(match code {
        "W" => (604_800, 0),
        "D" => (86400, 0),
        "h" => (3600, 0),
        "m" => (60, 0),
        "s" => (1, 0),
        "ms" => (1, 3),
        "us" => (1, 6),
        "ns" => (1, 9),
        "ps" => (1, 12),
        "fs" => (1, 15),
        "as" => (1, 18),
        _ => return None,
    })
}

/// A year of four characters, or more.
fn year(year: impl Into<i128>) -> String {
    format!("{:04}", year.into())
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar: years begin in
/// March, so that the leap day is their last one.
fn civil(days: i128) -> (i128, i128, i128) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i128::from(month <= 2);
    (year, month, day)
}
