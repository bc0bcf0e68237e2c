//! Blocks of ASDF files, those with Blosc chunks (`blsc`) among them
//! ([format §17.10](crate::format#17.10)).
//!
//! The tree that says which array lies in which block is YAML, and is not read.
//!
//! ```
//! use oxiblosc::storage::Memory;
//! use oxiblosc::store::asdf::Blocks;
//! use oxiblosc::{ChunkDecoder, Limits};
//! # fn main() -> oxiblosc::Result<()> {
//! let file = std::fs::read("tests/data/old/numbers.asdf").unwrap();
//! let mut blocks = Blocks::open(Memory(file), Limits::UNTRUSTED)?;
//! let block = blocks.next().expect("the file has a block")?;
//! assert_eq!((&block.compression, block.data_len), (b"blsc", 2400));
//! let bytes = blocks.decode(&block, &mut ChunkDecoder::default())?;
//! assert_eq!(bytes[4..8], 1_i32.to_le_bytes());
//! # Ok(())
//! # }
//! ```
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::io;

use crate::chunk::{ChunkDecoder, ChunkHeader};
use crate::error::{Error, Part, Result};
use crate::limits::Limits;
use crate::num::{saturating_usize, to_u64};
use crate::storage::ReadAt;

/// The bytes before each block; the first is no beginning of a character in UTF-8, so the tree
/// before the blocks does not contain them.
const MAGIC: [u8; 4] = [0xD3, b'B', b'L', b'K'];
/// The magic and the length of the header.
const FRONT_LEN: u64 = 6;
/// The length of a header without later additions.
const HEADER_LEN: u64 = 48;
/// The bit of the flags of a block that goes on to the end of the file.
const STREAMED: u32 = 1;
/// The bytes that are searched at once for the first block.
const PIECE: u64 = 1 << 16;

const PART: Part = Part::AsdfBlock;

/// A block of an ASDF file.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The compression: four zeros for none, or `blsc`, `zlib`, `bzp2`, `lz4\0`.
    pub compression: [u8; 4],
    /// The offset of the stored bytes in the file.
    pub offset: u64,
    /// The number of stored bytes.
    pub len: u64,
    /// The number of bytes when decompressed.
    pub data_len: u64,
    /// The MD5 of the stored bytes; zeros when there is none. It is not compared.
    pub checksum: [u8; 16],
}

/// The blocks of an ASDF file, in order.
#[derive(Debug)]
pub struct Blocks<S> {
    storage: S,
    limits: Limits,
    len: u64,
    /// The offset of the next block.
    at: Option<u64>,
}

impl<S: ReadAt> Blocks<S> {
    /// Finds the first block.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the bytes are no ASDF file, [`Error::Io`] when they cannot be read.
    pub fn open(storage: S, limits: Limits) -> Result<Self> {
        let failed = |error| Error::io(PART, None, error);
        let len = storage.len().map_err(failed)?;
        let mut start = [0; 6];
        if len >= 6 {
            storage.read_exact_at(&mut start, 0).map_err(failed)?;
        }
        if &start != b"#ASDF " {
            return Err(Error::broken(PART, 0, "the file does not begin with #ASDF"));
        }
        let at = find(&storage, len).map_err(failed)?;
        Ok(Self {
            storage,
            limits,
            len,
            at,
        })
    }

    /// The bytes of a block, decompressed: Blosc chunks one after the other, or raw bytes.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another compression, with its name; [`Error::LimitExceeded`] when
    /// the block is too large; when the chunks are damaged, or have another size than the block
    /// states. Offsets count from the start of the file.
    pub fn decode(&self, block: &Block, decoder: &mut ChunkDecoder) -> Result<Vec<u8>> {
        self.limits.check_alloc(block.len, None)?;
        self.limits.check_alloc(block.data_len, None)?;
        let mut stored = vec![0; saturating_usize(block.len)];
        let read = self.storage.read_exact_at(&mut stored, block.offset);
        read.map_err(|error| Error::io(PART, Some(block.offset), error))?;
        match &block.compression {
            [0, 0, 0, 0] => Ok(stored),
            b"blsc" => {
                let decoded = decode_chunks(&stored, block.data_len, decoder);
                decoded.map_err(|error| error.rebase(block.offset))
            }
            other => Err(Error::Mismatch {
                what: "compression of the ASDF block",
                stored: other.escape_ascii().to_string().into(),
                asked: "blsc, or none".into(),
            }),
        }
    }

    fn block(&mut self, at: u64) -> Result<Block> {
        let failed = |error| Error::io(PART, Some(at), error);
        let mut front = [0; 54];
        let available = self.len.saturating_sub(at);
        if available < FRONT_LEN.saturating_add(HEADER_LEN) {
            return Err(Error::Truncated {
                part: PART,
                offset: at,
                needed: FRONT_LEN.saturating_add(HEADER_LEN),
                available,
            });
        }
        self.storage.read_exact_at(&mut front, at).map_err(failed)?;
        let mut fields = Fields(&front);
        let _magic: [u8; 4] = fields.take();
        let header_len = u64::from(u16::from_be_bytes(fields.take()));
        if header_len < HEADER_LEN {
            let (field, at) = ("header length", at.saturating_add(4));
            return Err(Error::out_of_range(
                PART,
                at,
                field,
                header_len,
                48,
                u16::MAX,
            ));
        }
        let flags = u32::from_be_bytes(fields.take());
        let compression = fields.take();
        let allocated = u64::from_be_bytes(fields.take());
        let used = u64::from_be_bytes(fields.take());
        let data_len = u64::from_be_bytes(fields.take());
        let checksum = fields.take();
        let offset = at.saturating_add(FRONT_LEN).saturating_add(header_len);
        let room = self.len.saturating_sub(offset);
        if flags & STREAMED != 0 {
            self.at = None;
            return Ok(Block {
                compression,
                offset,
                len: room,
                data_len: room,
                checksum,
            });
        }
        if allocated > room || used > allocated {
            let at = at.saturating_add(14);
            let most = if allocated > room { room } else { allocated };
            return Err(Error::out_of_range(
                PART,
                at,
                "size",
                used.max(allocated),
                0,
                most,
            ));
        }
        self.at = Some(offset.saturating_add(allocated)).filter(|&next| {
            let mut magic = [0; 4];
            let read = self.storage.read_exact_at(&mut magic, next);
            read.is_ok() && magic == MAGIC
        });
        Ok(Block {
            compression,
            offset,
            len: used,
            data_len,
            checksum,
        })
    }
}

impl<S: ReadAt> Iterator for Blocks<S> {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.take()?;
        Some(self.block(at))
    }
}

/// Decodes Blosc chunks that follow each other, `nbytes` bytes together.
fn decode_chunks(stored: &[u8], nbytes: u64, decoder: &mut ChunkDecoder) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut at = 0_usize;
    while at < stored.len() {
        let rest = stored.get(at..).unwrap_or_default();
        let base = to_u64(at);
        let header = ChunkHeader::parse(rest).map_err(|error| error.rebase(base))?;
        let cbytes = saturating_usize(header.cbytes);
        let chunk = rest.get(..cbytes).ok_or(Error::Truncated {
            part: Part::ChunkHeader,
            offset: base,
            needed: header.cbytes.into(),
            available: to_u64(rest.len()),
        })?;
        let left = nbytes.saturating_sub(to_u64(out.len()));
        if u64::from(header.nbytes) > left {
            let at = base.saturating_add(4);
            return Err(Error::out_of_range(
                PART,
                at,
                "nbytes",
                header.nbytes,
                0,
                left,
            ));
        }
        let decoded = decoder.decode_append(chunk, &mut out);
        decoded.map_err(|error| error.rebase(base))?;
        at = at.saturating_add(cbytes.max(1));
    }
    if to_u64(out.len()) != nbytes {
        return Err(Error::unequal(PART, 0, "data size", out.len(), nbytes));
    }
    Ok(out)
}

/// The offset of the first block.
fn find(storage: &impl ReadAt, len: u64) -> io::Result<Option<u64>> {
    let mut at = 0_u64;
    let mut piece = Vec::new();
    while at < len {
        // Pieces overlap, so that none cuts through the magic.
        let size = PIECE.saturating_add(3).min(len.saturating_sub(at));
        piece.resize(saturating_usize(size), 0);
        storage.read_exact_at(&mut piece, at)?;
        if let Some(found) = piece.windows(4).position(|bytes| bytes == MAGIC) {
            return Ok(Some(at.saturating_add(to_u64(found))));
        }
        at = at.saturating_add(PIECE);
    }
    Ok(None)
}

/// The rest of a header.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => [0; N],
        }
    }
}
