//! Zstandard streams (RFC 8878): [`Zstd`] reads them, [`Encoder`] writes those of three levels.
//!
//! ```text
//! stream     frame | frame | ...                       some of which are to be skipped
//! frame      header | block | ... | last block | checksum, if the header says so
//! block      last? kind, length | bytes, or one byte, or literals and sequences
//! ```
//!
//! The output is a slice, so there is no window: matches are copied from the output itself and from
//! the dictionary. Distances beyond the window that a header states are accepted if those bytes are
//! there, as by libzstd.
#![deny(clippy::indexing_slicing)]

mod bits;
mod block;
mod codes;
mod copy;
mod dict;
mod encode;
mod execute;
mod frame;
mod fse;
mod huffman;
mod input;
mod literals;
mod xxh64;

use core::fmt;

use super::DecodeError;
use crate::Kernels;
use block::{Blocks, append};
use dict::Dictionary;
pub use encode::Encoder;
use frame::Header;
use input::{Input, invalid, overflow};

/// A decoder of Zstandard streams. It owns its tables and reuses them from stream to stream.
///
/// ```
/// use oxiblosc_kernels::{Kernels, zstd::Zstd};
///
/// // A frame with one block of three bytes as they are.
/// let stream = *b"\x28\xb5\x2f\xfd\x20\x03\x19\x00\x00abc";
/// let mut dst = [0; 3];
/// assert_eq!(Zstd::new(Kernels::best()).decode(&stream, &mut dst), Ok(3));
/// assert_eq!(dst, *b"abc");
/// ```
pub struct Zstd {
    blocks: Blocks,
    dict: Option<Dictionary>,
}

impl fmt::Debug for Zstd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zstd").finish_non_exhaustive()
    }
}

impl Zstd {
    /// Makes a decoder. It allocates its tables, and with the first stream space for the
    /// literals of a block: as many bytes as the content has, at most 128 KiB.
    #[must_use]
    pub fn new(kernels: Kernels) -> Self {
        Self {
            blocks: Blocks::new(kernels),
            dict: None,
        }
    }

    /// Makes a decoder of streams that were written with a dictionary: one that was trained, or any
    /// bytes. It keeps a copy and builds the tables once.
    ///
    /// # Errors
    /// When the dictionary begins like a trained one and is none.
    pub fn with_dict(kernels: Kernels, dict: &[u8]) -> Result<Self, DecodeError> {
        Ok(Self {
            blocks: Blocks::new(kernels),
            dict: Some(Dictionary::new(dict)?),
        })
    }

    /// Decodes all frames into the front of `dst`, one after another, and returns the length of
    /// their content in bytes. Checksums are compared.
    ///
    /// The length of `dst` is the output limit; bytes after the content may be overwritten. Frames
    /// that state no length of their content are accepted, windows of up to 4 GiB too: they take no
    /// memory.
    ///
    /// # Errors
    /// When the stream is invalid or truncated, was written with another dictionary, or does not
    /// fit.
    pub fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
        let mut input = Input::new(src);
        let mut produced = 0;
        while let Some(header) = Header::read(&mut input)? {
            let to = dst.get_mut(produced..).unwrap_or_default();
            let space = to.len();
            let stated = header.content;
            if let Some(stated) = stated.filter(|stated| *stated > space as u64) {
                let needed = usize::try_from(stated).unwrap_or(usize::MAX);
                return Err(overflow(input.offset(), needed, space));
            }
            let (len, ended) = self.frame(header, &mut input, to)?;
            if !ended {
                return Err(overflow(input.offset(), len + 1, space));
            }
            if stated.is_some_and(|stated| stated != len as u64) {
                return Err(invalid(
                    input.offset(),
                    "frame: expected as many bytes as the header states, found another number",
                ));
            }
            if header.has_checksum {
                let offset = input.offset();
                let content = to.get(..len).unwrap_or_default();
                if input.number(4)? != xxh64::xxh64(content) & 0xFFFF_FFFF {
                    return Err(invalid(
                        offset,
                        "frame: expected the checksum of the content, found another",
                    ));
                }
            }
            produced += len;
        }
        Ok(produced)
    }

    /// Decodes the front of the stream until `dst` is full, and returns the number of bytes, which
    /// is less than the length of `dst` only when the content is. Checksums and stated lengths are
    /// ignored.
    ///
    /// # Errors
    /// When the stream is invalid or truncated before that point, or was written with another
    /// dictionary.
    pub fn decode_prefix(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
        let mut input = Input::new(src);
        let mut produced = 0;
        while produced < dst.len()
            && let Some(header) = Header::read(&mut input)?
        {
            let to = dst.get_mut(produced..).unwrap_or_default();
            let (len, ended) = self.frame(header, &mut input, to)?;
            produced += len;
            if !ended {
                break;
            }
            if header.has_checksum {
                input.take(4)?;
            }
        }
        Ok(produced)
    }

    /// Decodes the blocks of a frame: the length of its content, and whether it ends there.
    /// Otherwise
    /// `dst` is full.
    fn frame(
        &mut self,
        header: Header,
        input: &mut Input<'_>,
        dst: &mut [u8],
    ) -> Result<(usize, bool), DecodeError> {
        let offset = input.offset();
        let number = self.dict.as_ref().map_or(0, |dict| dict.id);
        if header.dict != 0 && header.dict != number {
            return Err(invalid(
                offset,
                "frame: expected the number of the dictionary, found another",
            ));
        }
        self.blocks.begin(self.dict.as_ref());
        let mut produced = 0;
        loop {
            let offset = input.offset();
            let block = input.number(3)?;
            let len = bits::low(block >> 3);
            let before = produced;
            let ended = match block >> 1 & 3 {
                0 => append(input.take(len)?, dst, &mut produced),
                1 => {
                    let byte = input.byte()?;
                    let to = dst.get_mut(produced..).unwrap_or_default();
                    let fits = len.min(to.len());
                    to.iter_mut().take(fits).for_each(|to| *to = byte);
                    produced += fits;
                    fits == len
                }
                2 => {
                    if len > header.max_block {
                        return Err(too_long(offset));
                    }
                    self.blocks.decode(
                        &mut input.part(len)?,
                        &mut self.dict,
                        header.max_block,
                        dst,
                        &mut produced,
                    )?
                }
                _ => {
                    return Err(invalid(
                        offset,
                        "block: expected kind 0 to 2, found the reserved kind 3",
                    ));
                }
            };
            if produced - before > header.max_block {
                return Err(too_long(offset));
            }
            if !ended {
                return Ok((produced, false));
            }
            if block & 1 == 1 {
                return Ok((produced, true));
            }
        }
    }
}

#[cold]
fn too_long(offset: usize) -> DecodeError {
    invalid(
        offset,
        "block: expected at most the window and 128 KiB, found more",
    )
}
