//! Names in the directory of a sparse frame ([format §10](crate::format#10)).

use crate::error::{Error, Part, Result};

/// The name of the file with everything but the chunks, in the directory of a sparse frame.
pub const SPARSE_FRAME_FILE: &str = "chunks.b2frame";

/// The number of a chunk file, when `name` is the name of one.
pub(crate) fn chunk_number(name: &str) -> Option<u64> {
    let hex = name.strip_suffix(".chunk")?;
    let canonical = hex.len() == 8 && !hex.contains('+');
    let number = u32::from_str_radix(hex, 16).ok();
    number.filter(|_| canonical).map(u64::from)
}

/// The name of a chunk file.
pub(crate) fn file_name(number: u64) -> Result<String> {
    if number > u64::from(u32::MAX) {
        let part = Part::Index;
        return Err(Error::out_of_range(
            part,
            0,
            "chunk file number",
            number,
            0,
            u32::MAX,
        ));
    }
    Ok(format!("{number:08X}.chunk"))
}
