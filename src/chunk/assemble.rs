//! Chunks of blocks of one size: header, offsets, dictionary, blocks.
//!
//! Blocks are written one behind the other in their order, whoever encoded them. The limits that a
//! full destination sets (format §2.5) are applied in that order, so equal data and parameters give
//! equal bytes with any number of threads.

use super::block::BlockEncoder;
use super::blosc1;
use super::check::{check_nbytes, unknown};
use super::dict;
use super::encoder::ChunkEncoder;
use super::header::{
    BLOSC1_HEADER_LEN, ChunkHeader, HEADER_LEN, VERSION, VERSION_BLOSC1, flag, flag_b2,
};
use super::layout::BSTART_LEN;
#[cfg(feature = "rayon")]
use super::ordered::encode_parallel;
use super::scratch::Worker;
#[cfg(feature = "rayon")]
use super::share::Work;
use super::source::Source;
use super::special::Special;
use super::tune::Cut;
use crate::codec;
use crate::error::Result;
use crate::filter::FilterId;
use crate::params::CParams;
use crate::stream::{CSIZE_LEN, Full};

/// The least data that is compressed; less is copied (format §1.7).
const MIN_NBYTES: usize = 32;

/// Which header a chunk gets, and by whose rules it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// 32 bytes, by the rules of format §2.
    Blosc2,
    /// 16 bytes, by those of format §1.9.
    Blosc1,
}

impl Form {
    /// The length of the header in bytes.
    pub(crate) fn header_len(self) -> usize {
        match self {
            Self::Blosc2 => HEADER_LEN,
            Self::Blosc1 => BLOSC1_HEADER_LEN,
        }
    }
}

/// What became of the data.
pub(crate) enum Outcome {
    /// The chunk is in the destination and has this length.
    Written(usize),
    /// The chunk is this header alone.
    Header(ChunkHeader),
    /// The chunk is this header and a copy of the data.
    Copy(ChunkHeader),
}

impl ChunkEncoder {
    /// Compresses `source` within `dst`, whose length is the limit of format §2.5.
    pub(crate) fn assemble(
        &mut self,
        source: Source<'_>,
        dst: &mut [u8],
        form: Form,
    ) -> Result<Outcome> {
        let len = source.len();
        let nbytes = check_nbytes(len)?;
        let cparams = &self.cparams;
        let registry = cparams.registry.as_deref();
        let codec = codec::find(registry, cparams.codec)
            .ok_or_else(|| unknown("codec", cparams.codec.get()))?;
        let cut = match form {
            Form::Blosc2 => Cut::new(cparams, len),
            Form::Blosc1 => blosc1::cut(cparams, len),
        };
        let mut header = ChunkHeader {
            version: VERSION,
            versionlz: codec.format_version(),
            flags: flag::EXTENDED,
            typesize: u8::try_from(cut.typesize).unwrap_or(1),
            nbytes,
            blocksize: u32::try_from(cut.blocksize).unwrap_or(1),
            cbytes: 0,
            filters: cparams.filters,
            udcodec: cparams.codec,
            codec_meta: cparams.codec_meta,
            flags2: 0,
            blosc2_flags: 0,
        };
        if form == Form::Blosc1 {
            header.version = VERSION_BLOSC1;
            header.flags = 0;
        }
        let head = header.len();
        let mut blocks_at = head + BSTART_LEN * cut.nblocks;
        // Streams without a byte cannot be read back.
        let empty_streams = cut.split && cut.blocksize < cut.typesize;
        if cparams.clevel == 0 || len < MIN_NBYTES || blocks_at > dst.len() || empty_streams {
            return Ok(copy(header));
        }
        header.flags |= flags(cparams, cut, form);
        let mut blocks = BlockEncoder::new(source, cut, codec, cparams, self.kernels);
        blocks.find(cparams)?;
        blocks.version = header.version;
        blocks.runs = form == Form::Blosc2;
        if blocks.pipeline.has_delta() && cut.nblocks > 1 {
            blocks.reference = Some(if blocks.pipeline.is_lossy() {
                blocks.reconstruct(self.worker.get(), &mut self.reference, cparams)?;
                &self.reference
            } else {
                blocks.block(0, &mut self.reference)?
            });
        }
        let dict = if cparams.use_dict && form == Form::Blosc2 {
            dict::build(&blocks, self.worker.get())?
        } else {
            None
        };
        if let Some(dict) = &dict {
            let Some(end) = dict::put(dict, dst, blocks_at) else {
                return Ok(copy(header));
            };
            blocks_at = end;
            blocks.coding.cx.dict = Some(dict);
            header.blosc2_flags |= flag_b2::DICT;
        }
        let mut place = Place {
            dst,
            head,
            at: blocks_at,
        };
        let worker = self.worker.get();
        #[cfg(feature = "rayon")]
        let helpers = {
            let work = Work::encode(cparams.codec, len);
            work.helpers(&cparams.threads, cut.nblocks)
        };
        #[cfg(feature = "rayon")]
        let fits = if helpers > 0 {
            let threads = &cparams.threads;
            encode_parallel(&blocks, threads, helpers, &mut self.slots, &mut place)?
        } else {
            encode_serial(&blocks, worker, &mut place)?
        };
        #[cfg(not(feature = "rayon"))]
        let fits = encode_serial(&blocks, worker, &mut place)?;
        let end = place.at;
        if fits == Err(Full) {
            return Ok(copy(header));
        }
        if blocks.runs && end == blocks_at + CSIZE_LEN * blocks.nstreams_of_all() {
            // Every stream is a run of zeros. C refuses such a chunk when it claims a dictionary.
            header.cbytes = 32;
            header.blosc2_flags &= !flag_b2::DICT;
            header.blosc2_flags |= Special::Zeros.code() << flag_b2::SPECIAL_SHIFT;
            return Ok(Outcome::Header(header));
        }
        header.cbytes = u32::try_from(end).unwrap_or(u32::MAX);
        put_header(&header, place.dst);
        Ok(Outcome::Written(end))
    }
}

/// The outcome when the data is copied: the flags stay as they are, but without a dictionary.
fn copy(mut header: ChunkHeader) -> Outcome {
    let head = u32::try_from(header.len()).unwrap_or(0);
    header.flags |= flag::MEMCPYED;
    header.blosc2_flags &= !flag_b2::DICT;
    header.cbytes = header.nbytes.saturating_add(head);
    Outcome::Copy(header)
}

/// Writes a header to the front of `dst`.
pub(crate) fn put_header(header: &ChunkHeader, dst: &mut [u8]) {
    let bytes = header.to_bytes();
    let len = header.len();
    dst[..len].copy_from_slice(&bytes[..len]);
}

/// The flags of a chunk that is compressed (format §1.2).
pub(crate) fn flags(cparams: &CParams, cut: Cut, form: Form) -> u8 {
    let mut flags = cparams.codec.compformat().unwrap_or(0) << 5;
    if !cut.split {
        flags |= flag::UNSPLIT;
    }
    for slot in &cparams.filters {
        flags |= match slot.id {
            FilterId::DELTA => flag::DELTA,
            FilterId::SHUFFLE if form == Form::Blosc1 => flag::SHUFFLE,
            FilterId::BITSHUFFLE if form == Form::Blosc1 => flag::BITSHUFFLE,
            _ => 0,
        };
    }
    flags
}

/// Where the next block goes.
pub(super) struct Place<'d> {
    pub(super) dst: &'d mut [u8],
    /// The length of the header.
    head: usize,
    pub(super) at: usize,
}

impl Place<'_> {
    /// Writes the offset of a block that begins here.
    pub(super) fn put_bstart(&mut self, block: usize) {
        // Chunks are shorter than 2 GiB.
        let bstart = u32::try_from(self.at).unwrap_or(u32::MAX).to_le_bytes();
        let place = self.head + BSTART_LEN * block;
        self.dst[place..place + BSTART_LEN].copy_from_slice(&bstart);
    }

    /// Encodes a block to here.
    pub(super) fn encode(
        &mut self,
        blocks: &BlockEncoder<'_>,
        worker: &mut Worker,
        block: usize,
    ) -> Result<Result<(), Full>> {
        let end = blocks.encode(worker, block, self.dst, self.at)?;
        Ok(end.map(|end| self.at = end))
    }
}

/// Encodes the blocks one behind the other, in order.
fn encode_serial(
    blocks: &BlockEncoder<'_>,
    worker: &mut Worker,
    place: &mut Place<'_>,
) -> Result<Result<(), Full>> {
    for block in 0..blocks.cut.nblocks {
        place.put_bstart(block);
        if let Err(full) = place.encode(blocks, worker, block)? {
            return Ok(Err(full));
        }
    }
    Ok(Ok(()))
}
