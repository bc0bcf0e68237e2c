//! The section that lists metalayers, in headers and trailers alike
//! ([format §9.4](crate::format#9.4)).
//!
//! ```text
//! 93 | cd idx_size | de n | n x ( a0+len name | d2 offset ) | dc n | n x ( c6 len | content )
//!      ^ trailers count idx_size from here, headers from 93        ^ up to here
//! ```

use std::collections::BTreeSet;

use rmp::Marker;

use super::msgpack::{Fields, Put};
use crate::error::{Error, Part, Result};
use crate::num::saturating_usize;

/// The names and contents of a section, in their order.
pub(crate) type Entries<'a> = Vec<(&'a str, &'a [u8])>;

/// Reads a section at the cursor. Offsets count from the first byte that the cursor knows.
/// Returns the entries and the end of the section, as far as it is used.
pub(crate) fn parse<'a>(
    fields: &mut Fields<'a>,
    part: Part,
    max: u16,
) -> Result<(Entries<'a>, usize)> {
    fields.marker("metalayers marker", Marker::FixArray(3))?;
    // C never looks at the size of the index, and neither is it needed here.
    fields.u16("metalayers index size")?;
    let offset = fields.offset();
    let n = fields.count16("metalayers map marker", Marker::Map16)?;
    if n > max {
        return Err(Error::out_of_range(
            part,
            offset,
            "number of metalayers",
            n,
            0,
            max,
        ));
    }
    let mut names = BTreeSet::new();
    let mut places = Vec::with_capacity(usize::from(n));
    for _ in 0..n {
        let name_offset = fields.offset();
        let name = fields.short_str("metalayer name marker")?;
        if name.contains('\0') {
            let rule = "a metalayer name has a NUL byte";
            return Err(Error::broken(part, name_offset, rule));
        }
        if !names.insert(name) {
            return Err(Error::broken(
                part,
                name_offset,
                "two metalayers have the same name",
            ));
        }
        let offset = fields.offset();
        places.push((name, fields.i32("metalayer offset")?, offset));
    }
    let offset = fields.offset();
    let contents = fields.count16("metalayers contents marker", Marker::Array16)?;
    if contents != n {
        return Err(Error::unequal(
            part,
            offset,
            "number of metalayer contents",
            contents,
            n,
        ));
    }
    let mut end = fields.position();
    let first = end;
    let mut total = 0_usize;
    let mut entries = Vec::with_capacity(usize::from(n));
    for (name, place, offset) in places {
        let at = usize::try_from(place).map_err(|_| {
            Error::out_of_range(part, offset, "metalayer offset", place, 0, i32::MAX)
        })?;
        let mut content = fields.at(at);
        let len = content.bin32("metalayer content marker")?;
        let len = saturating_usize(len);
        let bytes = content.bytes(len)?;
        end = end.max(content.position());
        total = total.saturating_add(bytes.len());
        // Contents that share bytes could add up to far more than the file holds.
        if total > end.saturating_sub(first) {
            return Err(Error::broken(part, offset, "metalayer contents overlap"));
        }
        entries.push((name, bytes));
    }
    Ok((entries, end))
}

/// Appends a section; `start` is where in `out` offsets count from, `idx_from` the position
/// relative to the section at which the size of its index begins to count.
fn write_from<'a>(
    out: &mut Vec<u8>,
    start: usize,
    idx_from: usize,
    entries: impl ExactSizeIterator<Item = (&'a str, &'a [u8])> + Clone,
) -> Result<()> {
    let refused = |why| Error::Refused {
        what: "write the metalayers",
        why,
    };
    let n = u16::try_from(entries.len()).map_err(|_| refused("there are too many of them"))?;
    let names: usize = entries
        .clone()
        .map(|(name, _)| name.len().saturating_add(6))
        .sum();
    let idx_end = names.saturating_add(7);
    out.put_marker(Marker::FixArray(3));
    // Thousands of long names exceed 16 bits; no reader uses the number, and in C it wraps.
    let idx_size = idx_end.saturating_sub(idx_from) & 0xFFFF;
    out.put_u16(u16::try_from(idx_size).unwrap_or_default());
    out.put_map16(n);
    let section = out.len().saturating_sub(7);
    let mut at = section
        .saturating_sub(start)
        .saturating_add(idx_end)
        .saturating_add(3);
    for (name, content) in entries.clone() {
        let len = u8::try_from(name.len()).ok().filter(|&len| len <= 31);
        let len = len.ok_or_else(|| refused("a name is longer than 31 bytes"))?;
        out.put_marker(Marker::FixStr(len));
        out.put_bytes(name.as_bytes());
        out.put_i32(i32::try_from(at).map_err(|_| refused("they pass 2 GiB"))?);
        at = at.saturating_add(content.len()).saturating_add(5);
    }
    if i32::try_from(at).is_err() {
        return Err(refused("they pass 2 GiB"));
    }
    out.put_array16(n);
    for (_, content) in entries {
        out.put_bin32(u32::try_from(content.len()).map_err(|_| refused("they pass 2 GiB"))?);
        out.put_bytes(content);
    }
    Ok(())
}

/// Appends the section of a header.
pub(crate) fn write_header<'a>(
    out: &mut Vec<u8>,
    start: usize,
    entries: impl ExactSizeIterator<Item = (&'a str, &'a [u8])> + Clone,
) -> Result<()> {
    write_from(out, start, 0, entries)
}

/// Appends the section of a trailer.
pub(crate) fn write_trailer<'a>(
    out: &mut Vec<u8>,
    start: usize,
    entries: impl ExactSizeIterator<Item = (&'a str, &'a [u8])> + Clone,
) -> Result<()> {
    write_from(out, start, 1, entries)
}
