//! Chunks of blocks of one size: header, offsets, dictionary, blocks.
//!
//! Blocks are written consecutively, whichever thread encoded them. The limits that a full
//! destination sets ([format §2.5](crate::format#2.5)) are applied in that order, so equal data and
//! parameters give equal bytes with any number of threads.

use oxiblosc_kernels::Kernels;

use super::super::header::{ChunkHeader, VERSION, VERSION_BLOSC1, flag, flag_b2};
use super::super::layout::BSTART_LEN;
use super::super::scratch::{OwnWorker, Worker};
use super::super::special::Special;
use super::super::tune::Cut;
use super::block::BlockEncoder;
use super::check::{check_blosc2, check_nbytes, unknown};
use super::dict;
use super::output::{Form, Outcome, Output, flags, put_header};
use super::parallel::{Slots, encode_parallel};
use super::source::Source;
use crate::codec::find::find;
use crate::codec::id::CodecId;
use crate::error::Result;
use crate::num::saturating_u32;
use crate::params::CParams;
use crate::stream::{CSIZE_LEN, Full};
use crate::threads::work::Work;

/// The least data that is compressed; less is copied ([format §1.7](crate::format#1.7)).
const MIN_NBYTES: usize = 32;

/// Compresses data to chunks. Its buffers and codec states are reused from chunk to chunk.
#[derive(Debug)]
pub(super) struct Assembler {
    pub(super) cparams: CParams,
    pub(super) kernels: Kernels,
    pub(super) worker: OwnWorker,
    /// The first block as a decoder reconstructs it, when that differs from the data.
    reference: Vec<u8>,
    /// The buffers of threads.
    pub(super) slots: Slots,
}

impl Assembler {
    /// An assembler that has allocated nothing yet.
    pub(super) fn new(cparams: CParams) -> Self {
        let kernels = cparams.kernels();
        Self {
            cparams,
            kernels,
            worker: OwnWorker::default(),
            reference: Vec::new(),
            slots: Slots::default(),
        }
    }

    /// Compresses `source` within `dst`, whose length is the limit of
    /// [format §2.5](crate::format#2.5).
    pub(super) fn assemble(
        &mut self,
        source: Source<'_>,
        dst: &mut [u8],
        form: Form,
    ) -> Result<Outcome> {
        let len = source.len();
        let nbytes = check_nbytes(len)?;
        let cparams = &self.cparams;
        let registry = cparams.registry.as_deref();
        let codec =
            find(registry, cparams.codec).ok_or_else(|| unknown("codec", cparams.codec.get()))?;
        let cut = match form {
            Form::Blosc2 => {
                check_blosc2(cparams)?;
                Cut::new(cparams, len)
            }
            Form::Blosc1 => Cut::blosc1(cparams, len),
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
        // Streams of 0 bytes cannot be read back.
        let empty_streams = cut.split && cut.blocksize < cut.typesize;
        if cparams.clevel == 0 || len < MIN_NBYTES || blocks_at > dst.len() || empty_streams {
            return Ok(copy(header));
        }
        header.flags |= flags(cparams, cut, form);
        let mut blocks = BlockEncoder::new(source, cut, codec, cparams, self.kernels);
        blocks.find(cparams)?;
        blocks.version = header.version;
        blocks.runs = form == Form::Blosc2;
        // The streams of Blosc2 chunks are those of C-Blosc2.
        blocks.coding.cx.sampled = form == Form::Blosc1 && cparams.codec == CodecId::BLOSCLZ;
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
        let mut output = Output {
            dst,
            head,
            end: blocks_at,
        };
        let threads = &cparams.threads;
        let helpers = Work::encode(cparams.codec, len).helpers(threads, cut.nblocks);
        let fits = if helpers > 0 {
            encode_parallel(&blocks, threads, helpers, &mut self.slots, &mut output)?
        } else {
            encode_serial(&blocks, self.worker.get(), &mut output)?
        };
        let end = output.end;
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
        header.cbytes = saturating_u32(end);
        put_header(&header, output.dst);
        Ok(Outcome::Written(end))
    }
}

/// The outcome when the data is copied: the flags are unchanged, except for the dictionary.
fn copy(mut header: ChunkHeader) -> Outcome {
    let head = u32::try_from(header.len()).unwrap_or(0);
    header.flags |= flag::MEMCPYED;
    header.blosc2_flags &= !flag_b2::DICT;
    header.cbytes = header.nbytes.saturating_add(head);
    Outcome::Copy(header)
}

/// Encodes the blocks consecutively, in order.
fn encode_serial(
    blocks: &BlockEncoder<'_>,
    worker: &mut Worker,
    output: &mut Output<'_>,
) -> Result<Result<(), Full>> {
    let mut raw = blocks.raw_from(output.end);
    for block in 0..blocks.cut.nblocks {
        output.put_bstart(block);
        if let Err(full) = output.encode(blocks, worker, block, &mut raw)? {
            return Ok(Err(full));
        }
    }
    Ok(Ok(()))
}
