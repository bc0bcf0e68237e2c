//! Compressed blocks: literals, then sequences.
//!
//! ```text
//! literals     kind, size | bytes, or one byte, or Huffman codes and 1 or 4 streams
//! sequences    number | modes | tables | bits
//! ```

use alloc::vec;
use alloc::vec::Vec;

use super::bits::Backward;
use super::codes::Codes;
use super::dict::Dictionary;
use super::execute::{Execute, SLACK};
use super::huffman::{Huffman, ROOT_BITS};
use super::input::{Input, invalid, truncated};
use super::literals::{DecodeLiterals, Stream};
use crate::Kernels;
use crate::codecs::DecodeError;
use crate::codecs::lz;

const UNMARKED: &str = "sequences: expected a mark in the last byte, found none";
const UNMARKED_LITERALS: &str =
    "literals: expected a stream with a mark in its last byte, found none";

/// Which Huffman codes are current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    None,
    Own,
    Dict,
}

/// The tables of compressed blocks, which later blocks of a frame refer to.
pub(super) struct Blocks {
    kernels: Kernels,
    huffman: Huffman,
    which: Which,
    codes: Codes,
    offsets: [u32; 3],
    /// Decoded literals, and space for the steps of copies: for the longest blocks so far.
    literals: Vec<u8>,
}

/// Reads the tables of a block.
struct ReadTables<'w, 's> {
    codes: &'w mut Codes,
    block: &'w mut Input<'s>,
    modes: u8,
}

impl lz::Task for ReadTables<'_, '_> {
    type Output = Result<(), DecodeError>;

    #[inline(always)]
    fn run<L: lz::Lanes>(self, _: L) -> Self::Output {
        self.codes.read(self.block, self.modes)
    }
}

/// Reads the Huffman codes of a block.
struct ReadHuffman<'w, 's> {
    huffman: &'w mut Huffman,
    part: &'w mut Input<'s>,
}

impl lz::Task for ReadHuffman<'_, '_> {
    type Output = Result<(), DecodeError>;

    #[inline(always)]
    fn run<L: lz::Lanes>(self, _: L) -> Self::Output {
        self.huffman.read(self.part)
    }
}

/// The literals of a block.
enum Literals<'s> {
    /// Bytes of the stream.
    Raw(&'s [u8]),
    /// So many of one byte.
    Run(u8, usize),
    /// Streams of Huffman codes.
    Coded(Input<'s>, Sizes),
}

/// The sizes of coded literals.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    decoded: usize,
    coded: usize,
    streams: usize,
}

impl Literals<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Raw(bytes) => bytes.len(),
            Self::Run(_, len) => *len,
            Self::Coded(_, sizes) => sizes.decoded,
        }
    }
}

impl Blocks {
    pub(super) fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            huffman: Huffman::new(),
            which: Which::None,
            codes: Codes::new(),
            offsets: [1, 4, 8],
            literals: Vec::new(),
        }
    }

    /// Begins a frame.
    pub(super) fn begin(&mut self, dict: Option<&Dictionary>) {
        let tables = dict.and_then(|dict| dict.tables.as_ref());
        self.codes.begin(tables.is_some());
        self.which = if tables.is_some() {
            Which::Dict
        } else {
            Which::None
        };
        self.offsets = tables.map_or([1, 4, 8], |tables| tables.offsets);
    }

    /// Decodes a block: true at its end, false when `dst` is full before. `dst` begins with the
    /// first byte of the frame, `at` is the number of its bytes that are written.
    pub(super) fn decode(
        &mut self,
        block: &mut Input<'_>,
        dict: &mut Option<Dictionary>,
        max_block: usize,
        dst: &mut [u8],
        at: &mut usize,
    ) -> Result<bool, DecodeError> {
        let offset = block.offset();
        let literals = self.literals_header(block)?;
        if literals.len() > max_block {
            return Err(invalid(
                offset,
                "literals: expected at most the window and 128 KiB, found more",
            ));
        }
        let offset = block.offset();
        let count = sequence_count(block)?;
        let content;
        let tables;
        match dict {
            Some(Dictionary {
                content: bytes,
                tables: own,
                ..
            }) => {
                content = bytes.as_slice();
                tables = own.as_mut();
            }
            None => {
                content = &[];
                tables = None;
            }
        }
        let (own, sequences) = match tables {
            Some(tables) => (Some(&mut tables.huffman), Some(&tables.sequences)),
            None => (None, None),
        };
        let huffman = match (self.which, own) {
            (Which::Dict, Some(huffman)) => huffman,
            _ => &mut self.huffman,
        };
        if count == 0 {
            if !block.is_empty() {
                return Err(invalid(
                    offset,
                    "sequences: expected the end of a block without any, found more bytes",
                ));
            }
            let space = dst.len() - *at;
            let len = literals.len();
            let to = dst.get_mut(*at..).unwrap_or_default();
            fill(self.kernels, huffman, &literals, to)?;
            *at += len.min(space);
            return Ok(len <= space);
        }
        let modes = block.byte()?;
        if modes & 3 != 0 {
            return Err(invalid(
                offset,
                "sequences: expected 0 in the reserved bits, found another number",
            ));
        }
        let task = ReadTables {
            codes: &mut self.codes,
            block: &mut *block,
            modes,
        };
        lz::run_256(self.kernels, task)?;
        let bits = Backward::new(block.all(), block.offset(), UNMARKED)?;
        let len = literals.len();
        let step = SLACK / 2;
        let in_place = match &literals {
            // Raw literals stay where they are if a step is readable after them.
            Literals::Raw(bytes) => {
                let from = offset - bytes.len();
                block.all().get(from..offset + step)
            }
            _ => None,
        };
        let literals = if let Some(literals) = in_place {
            literals
        } else {
            // No more of them than fit the output.
            let wanted = len.min(dst.len() - *at);
            // As many as a block of the frame may have, so that later blocks find the space.
            if self.literals.len() < max_block + SLACK {
                self.literals = vec![0; max_block + SLACK];
            }
            let space = self.literals.get_mut(..wanted).unwrap_or_default();
            fill(self.kernels, huffman, &literals, space)?;
            self.literals.get(..wanted + step).unwrap_or_default()
        };
        let task = Execute {
            tables: self.codes.current(sequences),
            bits,
            count,
            literals,
            nliterals: len,
            dict: content,
            dst: &mut *dst,
            at: &mut *at,
            offsets: &mut self.offsets,
        };
        let Some(used) = lz::run_256(self.kernels, task)? else {
            return Ok(false);
        };
        let rest = literals
            .get(used..len.min(literals.len()))
            .unwrap_or_default();
        Ok(append(rest, dst, at) && len <= literals.len())
    }

    /// Reads the header of the literals, with the Huffman codes.
    fn literals_header<'s>(&mut self, block: &mut Input<'s>) -> Result<Literals<'s>, DecodeError> {
        let offset = block.offset();
        let first = *block
            .rest()
            .first()
            .ok_or_else(|| truncated(offset, 1, 0))?;
        let number = |block: &mut Input<'_>, bytes| {
            usize::try_from(block.number(bytes)?).map_err(|_| truncated(offset, usize::MAX, 0))
        };
        let format = first >> 2 & 3;
        if first & 2 == 0 {
            let len = match format {
                0 | 2 => number(block, 1)? >> 3,
                1 => number(block, 2)? >> 4,
                _ => number(block, 3)? >> 4,
            };
            return Ok(if first & 1 == 0 {
                Literals::Raw(block.take(len)?)
            } else {
                Literals::Run(block.byte()?, len)
            });
        }
        let (bytes, width) = match format {
            0 | 1 => (3, 10),
            2 => (4, 14),
            _ => (5, 18),
        };
        let header = block.number(bytes)?;
        let field = |shift: u32| super::bits::low(header >> shift & ((1 << width) - 1));
        let sizes = Sizes {
            decoded: field(4),
            coded: field(4 + width),
            streams: if format == 0 { 1 } else { 4 },
        };
        let mut part = block.part(sizes.coded)?;
        if first & 1 == 0 {
            self.which = Which::Own;
            let task = ReadHuffman {
                huffman: &mut self.huffman,
                part: &mut part,
            };
            lz::run_256(self.kernels, task)?;
        } else if self.which == Which::None {
            return Err(invalid(
                offset,
                "literals: expected Huffman codes, found a repeat of none",
            ));
        }
        Ok(Literals::Coded(part, sizes))
    }
}

/// Reads the number of sequences.
fn sequence_count(block: &mut Input<'_>) -> Result<usize, DecodeError> {
    Ok(match usize::from(block.byte()?) {
        few @ 0..=127 => few,
        high @ 128..=254 => (high - 128) << 8 | usize::from(block.byte()?),
        _ => usize::try_from(block.number(2)?).unwrap_or(0) + 0x7F00,
    })
}

/// Decodes the literals, as far as `dst` reaches.
fn fill(
    kernels: Kernels,
    huffman: &mut Huffman,
    literals: &Literals<'_>,
    dst: &mut [u8],
) -> Result<(), DecodeError> {
    let fits = dst.len().min(literals.len());
    let dst = dst.get_mut(..fits).unwrap_or_default();
    match literals {
        Literals::Raw(bytes) => {
            for (to, from) in dst.iter_mut().zip(*bytes) {
                *to = *from;
            }
            Ok(())
        }
        Literals::Run(byte, _) => {
            dst.fill(*byte);
            Ok(())
        }
        Literals::Coded(part, sizes) => decode_streams(kernels, huffman, *part, *sizes, dst),
    }
}

/// Decodes streams of Huffman codes, as far as `dst` reaches.
fn decode_streams(
    kernels: Kernels,
    huffman: &mut Huffman,
    mut part: Input<'_>,
    sizes: Sizes,
    dst: &mut [u8],
) -> Result<(), DecodeError> {
    let offset = part.offset();
    let total = part.rest().len();
    // Three lengths before four streams, of which the last one has the rest.
    let mut lens = [0; 4];
    let width = if sizes.streams == 4 {
        if sizes.decoded < 6 {
            return Err(invalid(
                offset,
                "literals: expected at least 6 in four streams, found fewer",
            ));
        }
        for len in lens.iter_mut().take(3) {
            *len = usize::try_from(part.number(2)?).unwrap_or(0);
        }
        sizes.decoded.div_ceil(4)
    } else {
        sizes.decoded
    };
    let mut next = |at: usize| {
        let is_last = at + 1 == sizes.streams;
        let len = lens.get(at).copied().filter(|_| !is_last);
        let stream = part.part(len.unwrap_or(part.rest().len()))?;
        let start = part.offset() - stream.rest().len();
        let end = if is_last {
            sizes.decoded
        } else {
            (at + 1) * width
        };
        Ok::<_, DecodeError>(Stream {
            bits: Backward::new(stream.all(), start, UNMARKED_LITERALS)?,
            at: (at * width).min(dst.len()),
            end: end.min(dst.len()),
            is_cut: end > dst.len(),
        })
    };
    let (mut one, mut four);
    let streams = if sizes.streams == 1 {
        one = [next(0)?];
        one.as_mut_slice()
    } else {
        four = [next(0)?, next(1)?, next(2)?, next(3)?];
        four.as_mut_slice()
    };
    let in_pairs = sizes.streams == 4
        && huffman.longest() <= ROOT_BITS
        && pairs_pay(dst.len(), sizes.decoded, total);
    let task = DecodeLiterals {
        huffman,
        streams,
        dst,
        in_pairs,
    };
    lz::run_256(kernels, task)
}

/// Whether two symbols are looked up at once, when the first `wanted` of `decoded` literals with
/// `coded` bytes are needed. A table of up to six at once costs more than it saves in all blocks.
fn pairs_pay(wanted: usize, decoded: usize, coded: usize) -> bool {
    // Six bits per symbol decode as fast one by one; each bit less saves a quarter of a nanosecond
    // of one per symbol, and the table of pairs takes a microsecond.
    let saved = (6 * decoded).saturating_sub(8 * coded);
    saved as u64 * wanted as u64 > 4000 * decoded as u64
}

/// Appends bytes as far as `dst` reaches: whether all of them fit.
pub(super) fn append(bytes: &[u8], dst: &mut [u8], at: &mut usize) -> bool {
    let to = dst.get_mut(*at..).unwrap_or_default();
    let fits = bytes.len().min(to.len());
    if let (Some(to), Some(from)) = (to.get_mut(..fits), bytes.get(..fits)) {
        to.copy_from_slice(from);
    }
    *at += fits;
    fits == bytes.len()
}
