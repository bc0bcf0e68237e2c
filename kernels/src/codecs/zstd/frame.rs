//! The header of a frame.
//!
//! ```text
//! magic | descriptor | window (not if the content is one segment) | dictionary (0 to 4 bytes)
//!       | length of the content (0 to 8 bytes)
//! ```

use super::input::{Input, invalid};
use crate::codecs::DecodeError;

const MAGIC: u64 = 0xFD2F_B528;
/// Frames that are to be skipped: the low four bits are free.
const SKIPPABLE: u64 = 0x184D_2A50;
/// The most bytes of a block.
const MAX_BLOCK: u64 = 1 << 17;
/// The longest window that libzstd accepts, in bits.
const MAX_WINDOW_LOG: u32 = 31;

/// The header of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    /// The length of the content, if it is stated.
    pub(super) content: Option<u64>,
    /// The number of the dictionary; 0 if it does not say.
    pub(super) dict: u32,
    pub(super) has_checksum: bool,
    /// The most bytes of a block, coded and decoded.
    pub(super) max_block: usize,
}

impl Header {
    /// Reads the header of the next frame, after frames that are to be skipped; `None` at the end.
    pub(super) fn read(input: &mut Input<'_>) -> Result<Option<Self>, DecodeError> {
        loop {
            if input.is_empty() {
                return Ok(None);
            }
            let offset = input.offset();
            match input.number(4)? {
                MAGIC => break,
                magic if magic & !15 == SKIPPABLE => {
                    let len = input.number(4)?;
                    input.take(usize::try_from(len).unwrap_or(usize::MAX))?;
                }
                _ => {
                    return Err(invalid(
                        offset,
                        "header: expected the magic number of a frame, found another",
                    ));
                }
            }
        }
        let offset = input.offset();
        let descriptor = input.byte()?;
        if descriptor & 8 != 0 {
            return Err(invalid(
                offset,
                "header: expected 0 in the reserved bit, found 1",
            ));
        }
        let is_single = descriptor & 32 != 0;
        let mut window = 0;
        if !is_single {
            let byte = u64::from(input.byte()?);
            let log = 10 + (byte >> 3);
            if log > u64::from(MAX_WINDOW_LOG) {
                return Err(invalid(
                    offset + 1,
                    "header: expected a window of less than 4 GiB, found a longer one",
                ));
            }
            window = (1 << log) + ((1 << log) >> 3) * (byte & 7);
        }
        let dict = input.number((1 << (descriptor & 3)) >> 1)?;
        let content = match descriptor >> 6 {
            0 if !is_single => None,
            0 => Some(input.number(1)?),
            1 => Some(input.number(2)? + 256),
            2 => Some(input.number(4)?),
            _ => Some(input.number(8)?),
        };
        let window = if is_single {
            content.unwrap_or(0)
        } else {
            window
        };
        Ok(Some(Self {
            content,
            dict: u32::try_from(dict).unwrap_or(0),
            has_checksum: descriptor & 4 != 0,
            max_block: usize::try_from(window.min(MAX_BLOCK)).unwrap_or(0),
        }))
    }
}
