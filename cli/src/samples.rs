//! Samples of an input: pieces from evenly spaced places.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use oxiblosc::schunk::ChunkSource;
use oxiblosc::{ChunkDecoder, DParams};

use crate::args::NpyInput;
use crate::failure::{Failure, InFile, is_dash};
use crate::sniff::{self, Input};
use crate::source::Source;

/// How much is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    /// The number of pieces of a file.
    pub(crate) count: u64,
    /// The bytes of each.
    pub(crate) nbytes: u64,
    /// The most chunks of a compressed file, which may be small.
    pub(crate) most_chunks: u64,
    /// The most bytes of them, which may be large.
    pub(crate) most_nbytes: usize,
}

/// Samples, and the size of an item where it is known.
#[derive(Debug)]
pub(crate) struct Sampled {
    pub(crate) pieces: Vec<Vec<u8>>,
    pub(crate) typesize: Option<usize>,
}

impl Sampled {
    /// Pieces from evenly spaced places of a file, of whole items. A small file is one piece.
    pub(crate) fn of_file(
        mut file: File,
        data_at: u64,
        typesize: Option<usize>,
        amount: Amount,
    ) -> io::Result<Self> {
        let len = file.metadata()?.len().saturating_sub(data_at);
        let item = u64::try_from(typesize.unwrap_or(1)).unwrap_or(1).max(1);
        let whole = |nbytes: u64| nbytes - nbytes % item;
        let (count, size) = if len <= amount.count.saturating_mul(amount.nbytes) {
            (1, len)
        } else {
            (amount.count, whole(amount.nbytes).max(item))
        };
        let mut pieces = Vec::new();
        for number in 0..count {
            let room = len.saturating_sub(size);
            let start = whole(room / (count - 1).max(1) * number);
            file.seek(SeekFrom::Start(data_at.saturating_add(start)))?;
            let mut piece = Vec::new();
            (&mut file).take(size).read_to_end(&mut piece)?;
            if !piece.is_empty() {
                pieces.push(piece);
            }
        }
        Ok(Self { pieces, typesize })
    }

    /// Pieces of a file of any kind; the decoded data of a compressed one.
    pub(crate) fn of_input(
        input: &Path,
        dparams: &DParams,
        amount: Amount,
    ) -> Result<Self, Failure> {
        if is_dash(input) || !fs::metadata(input).in_file(input)?.is_file() {
            let opened = sniff::open(input, dparams, false)?;
            return Self::of_compressed(input, opened, dparams, amount);
        }
        let mut source = Source::open(input)?;
        if let Some(header) = source.npy_header(input, NpyInput::Auto)? {
            let typesize = header.dtype.itemsize();
            let typesize = typesize.and_then(|size| usize::try_from(size).ok());
            let file = File::open(input).in_file(input)?;
            return Self::of_file(file, header.data_at, typesize, amount).in_file(input);
        }
        let start = source.peek(sniff::START_LEN).in_file(input)?;
        if sniff::is_frame(&start) {
            let opened = sniff::open_source(input, source, dparams, false)?;
            return Self::of_compressed(input, opened, dparams, amount);
        }
        Self::of_file(File::open(input).in_file(input)?, 0, None, amount).in_file(input)
    }

    /// Whole chunks from evenly spaced places.
    fn of_compressed(
        input: &Path,
        opened: Input,
        dparams: &DParams,
        amount: Amount,
    ) -> Result<Self, Failure> {
        let frame = match opened {
            Input::Frame(frame) => frame,
            Input::Chunk(chunk) => {
                let mut decoder = ChunkDecoder::new(dparams.clone());
                let bytes = decoder.decode(&chunk.bytes).in_file(input)?;
                return Ok(Self {
                    pieces: vec![bytes],
                    typesize: Some(chunk.header.typesize.into()),
                });
            }
        };
        let layout = frame.source.layout();
        let mut decoder = ChunkDecoder::new(sniff::chunk_dparams(&frame.source, dparams));
        let chunksize = (layout.nbytes / layout.nchunks.max(1)).max(1);
        let wanted = amount.count.saturating_mul(amount.nbytes) / chunksize;
        let count = wanted.clamp(1, amount.most_chunks).min(layout.nchunks);
        let (mut pieces, mut total) = (Vec::new(), 0_usize);
        for number in 0..count {
            // Below 2^64: the last chunk's number times at most `most_chunks`.
            let nchunk = (layout.nchunks - 1).saturating_mul(number) / (count - 1).max(1);
            let mut bytes = Vec::new();
            let len = sniff::decode(
                &frame.source,
                &mut decoder,
                &dparams.limits,
                nchunk,
                &mut bytes,
            );
            bytes.truncate(len.in_file(input)?);
            total = total.saturating_add(bytes.len());
            if !bytes.is_empty() {
                pieces.push(bytes);
            }
            if total > amount.most_nbytes {
                break;
            }
        }
        Ok(Self {
            pieces,
            typesize: Some(layout.typesize),
        })
    }
}
