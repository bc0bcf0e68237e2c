//! NumPy's `.npy` files: a header that is a Python dictionary, then the elements.
//!
//! ```text
//! 93 "NUMPY" | major minor | u16 or u32 LE length | {'descr': ..., ...} spaces \n | elements
//!              1: u16, Latin-1   2: u32, Latin-1   3: u32, UTF-8
//! ```
#![forbid(unsafe_code)]

use std::io::{self, Read};

use oxiblosc::b2nd::{Dtype, DtypeKind};

/// The first bytes of every `.npy` file.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header that is read. NumPy itself stops at 10,000 bytes.
const MAX_HEADER_LEN: usize = 1 << 20;

/// NumPy reserves this many digits for the first axis to grow.
const GROWTH_DIGITS: usize = 21;

/// The header of an `.npy` file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The type of the elements.
    pub dtype: Dtype,
    /// The length of each axis.
    pub shape: Vec<u64>,
    /// Whether the first axis runs fastest.
    pub fortran_order: bool,
    /// The offset of the elements, in bytes.
    pub data_at: u64,
}

impl Header {
    /// The header of elements in C order that begin at offset 0.
    #[must_use]
    pub fn of_raw(dtype: Dtype, shape: Vec<u64>) -> Self {
        Self {
            dtype,
            shape,
            fortran_order: false,
            data_at: 0,
        }
    }

    /// Whether the order of the elements differs from C order.
    #[must_use]
    pub fn is_fortran(&self) -> bool {
        self.fortran_order && self.shape.len() > 1
    }

    /// Reads a header from the start of a file.
    ///
    /// # Errors
    ///
    /// Reading fails, or the bytes are not the header of an array of plain elements.
    pub fn read(mut reader: impl Read) -> io::Result<Self> {
        let mut start = [0; 8];
        reader.read_exact(&mut start)?;
        let [magic @ .., major, _minor] = start;
        if magic != *MAGIC {
            return Err(bad("npy header: no magic bytes at offset 0"));
        }
        let (len, prefix) = match major {
            1 => {
                let mut len = [0; 2];
                reader.read_exact(&mut len)?;
                (usize::from(u16::from_le_bytes(len)), 10_usize)
            }
            2 | 3 => {
                let mut len = [0; 4];
                reader.read_exact(&mut len)?;
                (
                    usize::try_from(u32::from_le_bytes(len)).unwrap_or(usize::MAX),
                    12,
                )
            }
            _ => {
                return Err(bad(format!(
                    "npy header: need version 1, 2 or 3 at offset 6, found {major}"
                )));
            }
        };
        if len > MAX_HEADER_LEN {
            let what = format!("npy header: {len} bytes at offset 8 exceed {MAX_HEADER_LEN}");
            return Err(bad(what));
        }
        let mut text = vec![0; len];
        reader.read_exact(&mut text)?;
        let text = if major < 3 {
            text.iter().map(|&byte| char::from(byte)).collect()
        } else {
            String::from_utf8(text).map_err(|_| bad("npy header: not UTF-8 at offset 12"))?
        };
        let data_at = prefix.saturating_add(len);
        let data_at = u64::try_from(data_at).unwrap_or(u64::MAX);
        Self::parse(&text, data_at).ok_or_else(|| {
            bad(format!(
                "npy header: not a description of an array at offset {prefix}"
            ))
        })?
    }

    /// Parses the dictionary: `None` when it is malformed, an error for an unsupported dtype.
    fn parse(text: &str, data_at: u64) -> Option<io::Result<Self>> {
        let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?;
        let (mut descr, mut order, mut shape) = (None, None, None);
        while !rest.trim_start_matches([' ', ',']).is_empty() {
            rest = rest.trim_start_matches([' ', ',']);
            let (key, tail) = rest.strip_prefix(['\'', '"'])?.split_once(['\'', '"'])?;
            let tail = tail.trim_start().strip_prefix(':')?;
            let (value, tail) = split_value(tail)?;
            match key {
                "descr" => descr = Some(value.trim()),
                "fortran_order" => order = Some(value.trim()),
                "shape" => shape = Some(value.trim()),
                _ => return None,
            }
            rest = tail;
        }
        let descr = descr?;
        let simple = |quote| descr.strip_prefix(quote)?.strip_suffix(quote);
        let descr = simple('\'').or_else(|| simple('"')).unwrap_or(descr);
        let dtype = Dtype::from_stored(descr);
        if dtype.kind() == DtypeKind::Object {
            return Some(Err(bad(
                "npy header: pickled Python objects are not supported",
            )));
        }
        let Ok(dtype) = descr.parse() else {
            return Some(Err(bad(format!(
                "npy header: dtype {descr} is not supported"
            ))));
        };
        let fortran_order = match order? {
            "True" => true,
            "False" => false,
            _ => return None,
        };
        let lens = shape?.strip_prefix('(')?.strip_suffix(')')?;
        let shape = lens
            .split(',')
            .map(|len| len.trim().trim_end_matches('L'))
            .filter(|len| !len.is_empty())
            .map(|len| len.parse().ok())
            .collect::<Option<_>>()?;
        Some(Ok(Self {
            dtype,
            shape,
            fortran_order,
            data_at,
        }))
    }

    /// The header of a file of elements in C order, the same bytes that `numpy.save` writes.
    #[must_use]
    pub fn to_bytes(dtype_descr: &str, shape: &[u64]) -> Vec<u8> {
        let lens: Vec<String> = shape.iter().map(u64::to_string).collect();
        let shape = match lens.as_slice() {
            [] => "()".to_owned(),
            [len] => format!("({len},)"),
            lens => format!("({})", lens.join(", ")),
        };
        let mut text =
            format!("{{'descr': {dtype_descr}, 'fortran_order': False, 'shape': {shape}, }}");
        if let Some(first) = lens.first() {
            let padding = GROWTH_DIGITS.saturating_sub(first.len());
            text.extend(std::iter::repeat_n(' ', padding));
        }
        let latin: Option<Vec<u8>> = text
            .chars()
            .map(|char| u8::try_from(u32::from(char)).ok())
            .collect();
        let (major, text) = match latin {
            Some(latin) if latin.len() < 65_000 => (1, latin),
            Some(latin) => (2, latin),
            None => (3, text.into_bytes()),
        };
        let prefix = if major == 1 { 10 } else { 12 };
        // The elements begin at a multiple of 64 bytes, after at least the line feed.
        let total = (prefix + text.len() + 1).next_multiple_of(64);
        let len = total - prefix;
        let mut header = MAGIC.to_vec();
        header.extend([major, 0]);
        if let (1, Ok(len)) = (major, u16::try_from(len)) {
            header.extend(len.to_le_bytes());
        } else {
            header.extend(u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
        }
        header.extend(text);
        header.resize(total - 1, b' ');
        header.push(b'\n');
        header
    }
}

/// Splits at the comma that ends a value, outside of strings and brackets.
fn split_value(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_u32;
    let mut quote = None;
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        if let Some(open) = quote {
            let was_escaped = std::mem::take(&mut escaped);
            escaped = !was_escaped && char == '\\';
            if !was_escaped && char == open {
                quote = None;
            }
            continue;
        }
        match char {
            '\'' | '"' => quote = Some(char),
            '(' | '[' | '{' => depth = depth.checked_add(1)?,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => return text.split_at_checked(at),
            _ => {}
        }
    }
    (depth == 0 && quote.is_none()).then_some((text, ""))
}

fn bad(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the given version around a dictionary.
    fn file(version: u8, dict: &str) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend([version, 0]);
        if version == 1 {
            file.extend(u16::try_from(dict.len()).unwrap().to_le_bytes());
        } else {
            file.extend(u32::try_from(dict.len()).unwrap().to_le_bytes());
        }
        file.extend(dict.as_bytes());
        file
    }

    #[test]
    fn headers_of_every_version_are_read() {
        let dict = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }   \n";
        for (version, prefix) in [(1, 10), (2, 12), (3, 12)] {
            let header = Header::read(file(version, dict).as_slice()).unwrap();
            assert_eq!(header.dtype.as_str(), "<f8");
            assert_eq!((header.shape, header.fortran_order), (vec![3, 4], true));
            assert_eq!(header.data_at, prefix + dict.len() as u64);
        }
    }

    #[test]
    fn structured_types_and_odd_shapes_are_read() {
        let dict =
            "{'shape': (), 'fortran_order': False, 'descr': [('a', '<i4'), ('b, c', 'S3', (2,))]}";
        let header = Header::read(file(1, dict).as_slice()).unwrap();
        assert_eq!(header.dtype.itemsize(), Some(10));
        assert!(header.shape.is_empty());
        let dict = "{'descr': '|u1', 'fortran_order': False, 'shape': (7L,)}";
        assert_eq!(Header::read(file(1, dict).as_slice()).unwrap().shape, [7]);
    }

    #[test]
    fn malformed_headers_are_refused() {
        for dict in [
            "",
            "{",
            "{}",
            "{'descr': '<f8'}",
            "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<q8', 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '>M8[25u\n]', 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': 3}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        ] {
            assert!(Header::read(file(1, dict).as_slice()).is_err(), "{dict}");
        }
        assert!(Header::read(file(4, "").as_slice()).is_err());
        assert!(Header::read(&b"\x93NUMPY"[..]).is_err());
    }

    #[test]
    fn written_headers_are_those_of_numpy() {
        // numpy.save of NumPy 2: np.zeros((3, 4)).
        let header = Header::to_bytes("'<f8'", &[3, 4]);
        assert_eq!(header.len(), 128);
        assert_eq!(header[..10], *b"\x93NUMPY\x01\x00\x76\x00");
        let dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
        assert_eq!(header[10..10 + dict.len()], *dict.as_bytes());
        assert_eq!(header.last(), Some(&b'\n'));
        let read = Header::read(header.as_slice()).unwrap();
        assert_eq!((read.shape, read.data_at), (vec![3, 4], 128));
    }
}
