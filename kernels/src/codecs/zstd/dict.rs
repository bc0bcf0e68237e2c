//! Dictionaries: content to refer to, and with a header also tables.
//!
//! ```text
//! magic | number | Huffman codes | tables of offsets, match lengths, literal lengths
//!       | three last offsets | content
//! ```
//!
//! Without the magic number all of it is content.

use alloc::vec::Vec;

use super::codes::{SequenceTable, read_dictionary};
use super::huffman::Huffman;
use super::input::{Input, invalid};
use crate::codecs::DecodeError;

const MAGIC: u64 = 0xEC30_A437;

/// A dictionary whose tables are built.
pub(super) struct Dictionary {
    /// Its number; 0 without a header.
    pub(super) id: u32,
    pub(super) content: Vec<u8>,
    pub(super) tables: Option<Tables>,
}

/// The tables in the header of a dictionary.
pub(super) struct Tables {
    pub(super) huffman: Huffman,
    pub(super) sequences: [SequenceTable; 3],
    pub(super) offsets: [u32; 3],
}

impl Dictionary {
    /// Builds the tables of a dictionary. Its bytes are copied.
    pub(super) fn new(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Input::new(bytes);
        if bytes.len() < 8 || input.number(4)? != MAGIC {
            return Ok(Self {
                id: 0,
                content: bytes.to_vec(),
                tables: None,
            });
        }
        let id = u32::try_from(input.number(4)?).unwrap_or(0);
        let mut huffman = Huffman::new();
        huffman.read(&mut input)?;
        let sequences = read_dictionary(&mut input)?;
        let offset = input.offset();
        let mut offsets = [0; 3];
        for to in &mut offsets {
            *to = u32::try_from(input.number(4)?).unwrap_or(0);
        }
        let content = input.rest().to_vec();
        if offsets
            .iter()
            .any(|at| *at == 0 || *at as usize > content.len())
        {
            return Err(invalid(
                offset,
                "dictionary: expected offsets of 1 to the length of its content, found another",
            ));
        }
        Ok(Self {
            id,
            content,
            tables: Some(Tables {
                huffman,
                sequences,
                offsets,
            }),
        })
    }
}
