//! The NumPy dtype of the elements of a dataset, as h5py names them.

use hdf5_reader::error::Result;
use hdf5_reader::{ByteOrder, CompoundField, Datatype, StringSize, dtype_element_size};

use super::refusal::refused;

/// How deep types are nested at most.
const MOST_DEPTH: usize = 16;

/// The dtype of an element as an `.npy` header has it, and the shape of the array that an element
/// is.
///
/// # Errors
/// The elements are of variable length or references, or a name has a quote.
pub(super) fn of(datatype: &Datatype) -> Result<(String, Vec<u64>)> {
    nested(datatype, MOST_DEPTH)
}

fn nested(datatype: &Datatype, depth: usize) -> Result<(String, Vec<u64>)> {
    if depth == 0 {
        return refused(format!("types nested deeper than {MOST_DEPTH}"));
    }
    let text = match datatype {
        Datatype::FixedPoint {
            size,
            signed,
            byte_order,
        } => {
            let kind = if *signed { 'i' } else { 'u' };
            number(kind, *size, &[1, 2, 4, 8], *byte_order)?
        }
        Datatype::FloatingPoint { size, byte_order } => {
            number('f', *size, &[2, 4, 8], *byte_order)?
        }
        Datatype::Bitfield { size, byte_order } => number('u', *size, &[1, 2, 4, 8], *byte_order)?,
        Datatype::String {
            size: StringSize::Fixed(size),
            ..
        } => format!("'|S{size}'"),
        Datatype::Opaque { size, tag } => match tag.strip_prefix("NUMPY:") {
            // Dates and times of h5py.
            Some(numpy) if numpy.bytes().all(is_plain) => format!("'{numpy}'"),
            _ => format!("'|V{size}'"),
        },
        Datatype::Enum { base, members } => {
            let mut names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
            names.sort_unstable();
            match dtype_element_size(base)? {
                // The truth values of h5py.
                1 if names == ["FALSE", "TRUE"] => "'|b1'".to_owned(),
                _ => return nested(base, depth - 1),
            }
        }
        Datatype::Array { base, dims } => {
            let (text, inner) = nested(base, depth - 1)?;
            return Ok((text, [dims.as_slice(), &inner].concat()));
        }
        Datatype::Compound { size, fields } => match complex(*size, fields) {
            Some(text) => text,
            None => record(*size, fields, depth - 1)?,
        },
        Datatype::String { .. } | Datatype::VarLen { .. } => {
            return refused("elements of variable length have no place in an array");
        }
        Datatype::Reference { .. } => return refused("references point into the file"),
    };
    Ok((text, Vec::new()))
}

/// Whether a byte may be part of a dtype between quotes.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"<>|=[]".contains(&byte)
}

fn number(kind: char, size: u8, sizes: &[u8], order: ByteOrder) -> Result<String> {
    if !sizes.contains(&size) {
        return refused(format!("numbers of {size} bytes, NumPy has {sizes:?}"));
    }
    let order = match (size, order) {
        (1, _) => '|',
        (_, ByteOrder::LittleEndian) => '<',
        (_, ByteOrder::BigEndian) => '>',
    };
    Ok(format!("'{order}{kind}{size}'"))
}

/// The complex numbers of h5py: the fields `r` and `i`.
fn complex(size: u32, fields: &[CompoundField]) -> Option<String> {
    let [real, imaginary] = fields else {
        return None;
    };
    let Datatype::FloatingPoint {
        size: half,
        byte_order,
    } = real.datatype
    else {
        return None;
    };
    let is_one = (real.name.as_str(), imaginary.name.as_str()) == ("r", "i")
        && real.datatype == imaginary.datatype
        && (real.byte_offset, imaginary.byte_offset) == (0, half.into())
        && [4, 8].contains(&half)
        && size == 2 * u32::from(half);
    is_one.then(|| match byte_order {
        ByteOrder::LittleEndian => format!("'<c{size}'"),
        ByteOrder::BigEndian => format!("'>c{size}'"),
    })
}

/// Fields in the order of their offsets, with the bytes between them as fields without a name.
fn record(size: u32, fields: &[CompoundField], depth: usize) -> Result<String> {
    let mut fields: Vec<&CompoundField> = fields.iter().collect();
    fields.sort_by_key(|field| field.byte_offset);
    let mut parts = Vec::new();
    let mut at = 0_u32;
    let gap = |at: u32, next: u32| match next.checked_sub(at) {
        Some(0) => Ok(None),
        Some(len) => Ok(Some(format!("('', '|V{len}')"))),
        None => refused(format!("a field at byte {next}, within the one before it")),
    };
    for field in fields {
        let (text, shape) = nested(&field.datatype, depth)?;
        if field.name.contains(['\'', '\\']) || field.name.contains(char::is_control) {
            return refused(format!("the name of the field {:?}", field.name));
        }
        parts.extend(gap(at, field.byte_offset)?);
        let lens: String = shape.iter().map(|len| format!("{len}, ")).collect();
        parts.push(match lens.as_str() {
            "" => format!("('{}', {text})", field.name),
            lens => format!("('{}', {text}, ({}))", field.name, lens.trim_end()),
        });
        let len = u32::try_from(dtype_element_size(&field.datatype)?).unwrap_or(u32::MAX);
        at = field.byte_offset.saturating_add(len);
    }
    parts.extend(gap(at, size)?);
    Ok(format!("[{}]", parts.join(", ")))
}
