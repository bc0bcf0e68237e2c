//! From bytes to chunks.
//!
//! Blocks are written one behind the other in their order, whoever encoded them: threads encode
//! each into a slot of its own, and one pass puts them together. The limits that a full
//! destination sets (format §2.5) are applied in that pass, so equal data and parameters give
//! equal bytes with any number of threads.

use oxiblosc_kernels::Kernels;

use super::block::BlockEncoder;
use super::header::{ChunkHeader, HEADER_LEN, VERSION, flag, flag_b2};
use super::scratch::{Coding, Pool, Worker, room};
use super::special::Special;
use super::tune::{Cut, stored_typesize};
use super::view::BSTART_LEN;
use crate::codec::{self, CodecContext, CodecId};
use crate::error::{Error, Result};
use crate::filter::pipeline::Pipeline;
use crate::filter::{FilterId, FilterSlot, MAX_FILTERS};
use crate::params::{CParams, MAX_NBYTES};
use crate::stream::{CSIZE_LEN, Full};
use crate::threads::PARALLEL_FLOOR;

/// The least data that is compressed; less is copied (format §1.7).
const MIN_NBYTES: usize = 32;
/// About how many bytes of data threads encode before their results are put together.
#[cfg(feature = "rayon")]
const WAVE: usize = 32 << 20;

/// The longest chunk that `nbytes` bytes can become; an output of this size always suffices.
///
/// ```
/// assert_eq!(oxiblosc::max_chunk_len(1000), 1032);
/// ```
#[doc(alias = "BLOSC2_MAX_OVERHEAD")]
pub const fn max_chunk_len(nbytes: usize) -> usize {
    nbytes.saturating_add(HEADER_LEN)
}

/// Compresses chunks. Keep it: its buffers and codec states are used again by every call.
///
/// ```
/// use oxiblosc::{decompress, ChunkEncoder, CParams};
/// let mut encoder = ChunkEncoder::new(CParams::new(4))?;
/// let chunk = encoder.encode(&[7; 1000])?;
/// assert!(chunk.len() < 100);
/// assert_eq!(decompress(&chunk)?, [7; 1000]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "blosc2_create_cctx")]
#[derive(Debug)]
pub struct ChunkEncoder {
    cparams: CParams,
    kernels: Kernels,
    worker: Worker,
    /// A chunk whose length is not known yet.
    out: Vec<u8>,
    /// The first block as a decoder will have it, when that is not the data itself.
    reference: Vec<u8>,
    #[cfg_attr(
        not(feature = "rayon"),
        expect(dead_code, reason = "only threads need slots")
    )]
    slots: Slots,
}

/// Where threads put the blocks they encode.
#[derive(Debug, Default)]
struct Slots {
    pool: Pool,
    bytes: Vec<u8>,
    lens: Vec<usize>,
}

/// What became of the data.
enum Outcome {
    /// The chunk is in the destination and has this length.
    Written(usize),
    /// The chunk is this header alone.
    Header([u8; HEADER_LEN]),
    /// The chunk is this header and a copy of the data.
    Copy([u8; HEADER_LEN]),
}

impl ChunkEncoder {
    /// An encoder with these parameters.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] for a parameter outside its range, a codec or filter that is not
    /// offered here, and for what could not be read back.
    pub fn new(cparams: CParams) -> Result<Self> {
        cparams.validate()?;
        check_codec(&cparams)?;
        check_filters(&cparams)?;
        let kernels = cparams.kernels();
        Ok(Self {
            cparams,
            kernels,
            worker: Worker::default(),
            out: Vec::new(),
            reference: Vec::new(),
            slots: Slots::default(),
        })
    }

    /// The parameters.
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// The block size in bytes that data of `nbytes` bytes is cut by (format §3).
    pub fn blocksize_for(&self, nbytes: usize) -> usize {
        Cut::new(&self.cparams, nbytes).blocksize.min(nbytes.max(1))
    }

    /// Compresses `src` into a chunk of at most [`max_chunk_len`] bytes.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `src` is longer than a chunk can hold (2 GiB - 33 bytes), or
    /// when a filter does not suit the data.
    #[doc(alias = "blosc2_compress_ctx")]
    pub fn encode(&mut self, src: &[u8]) -> Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.encode_append(src, &mut chunk)?;
        Ok(chunk)
    }

    /// Compresses `src` into the front of `dst` and returns the length of the chunk. With
    /// [`max_chunk_len`] bytes or more the chunk always fits, and is the same for any such size.
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`] when the chunk does not fit; else as [`encode`](Self::encode).
    #[doc(alias = "blosc2_compress_ctx")]
    pub fn encode_into(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let most = max_chunk_len(src.len());
        let available = dst.len();
        let too_small = Error::OutputTooSmall {
            needed: most,
            available,
        };
        if available < HEADER_LEN {
            return Err(too_small);
        }
        let dst = &mut dst[..available.min(most)];
        match self.encode_core(src, dst)? {
            Outcome::Written(cbytes) => Ok(cbytes),
            Outcome::Header(header) => {
                dst[..HEADER_LEN].copy_from_slice(&header);
                Ok(HEADER_LEN)
            }
            Outcome::Copy(_) if available < most => Err(too_small),
            Outcome::Copy(header) => {
                dst[..HEADER_LEN].copy_from_slice(&header);
                dst[HEADER_LEN..].copy_from_slice(src);
                Ok(most)
            }
        }
    }

    /// Compresses `src` behind what `dst` holds and returns the length of the chunk.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); `dst` is then as it was.
    pub fn encode_append(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<usize> {
        let most = max_chunk_len(src.len());
        // Into a buffer that is kept, so that `dst` grows by what the chunk needs, not by what
        // it might.
        let mut out = std::mem::take(&mut self.out);
        let outcome = self.encode_core(src, room(&mut out, most));
        let cbytes = match &outcome {
            Ok(Outcome::Written(cbytes)) => {
                dst.extend_from_slice(&out[..*cbytes]);
                *cbytes
            }
            Ok(Outcome::Header(header)) => {
                dst.extend_from_slice(header);
                HEADER_LEN
            }
            Ok(Outcome::Copy(header)) => {
                dst.reserve(most);
                dst.extend_from_slice(header);
                dst.extend_from_slice(src);
                most
            }
            Err(_) => 0,
        };
        self.out = out;
        outcome?;
        Ok(cbytes)
    }

    /// Makes a chunk of `nbytes` bytes that stands for one value over and over, in 32 bytes and
    /// the value.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `nbytes` is no multiple of the typesize, for NaN of another
    /// typesize than 4 and 8, and for a repeated value that is not one item.
    pub fn encode_special(&mut self, special: Special<'_>, nbytes: usize) -> Result<Vec<u8>> {
        let stored = check_nbytes(nbytes)?;
        special.check(self.cparams.typesize, nbytes)?;
        let value = match special {
            Special::Repeat(value) => value,
            _ => &[],
        };
        let cut = Cut::new(&self.cparams, nbytes);
        let header = ChunkHeader {
            version: VERSION,
            versionlz: 1,
            flags: flag::EXTENDED,
            typesize: u8::try_from(cut.typesize).unwrap_or(1),
            nbytes: stored,
            blocksize: u32::try_from(cut.blocksize).unwrap_or(1).min(stored.max(1)),
            cbytes: u32::try_from(HEADER_LEN + value.len()).unwrap_or(u32::MAX),
            filters: [FilterSlot::NONE; MAX_FILTERS],
            udcodec: CodecId::BLOSCLZ,
            codec_meta: 0,
            flags2: 0,
            blosc2_flags: special.code() << flag_b2::SPECIAL_SHIFT,
        };
        let mut chunk = Vec::with_capacity(HEADER_LEN + value.len());
        chunk.extend_from_slice(&header.to_bytes());
        chunk.extend_from_slice(value);
        Ok(chunk)
    }

    /// Compresses `src` within `dst`, whose length is the limit of format §2.5.
    fn encode_core(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Outcome> {
        let nbytes = check_nbytes(src.len())?;
        let cparams = &self.cparams;
        let registry = cparams.registry.as_deref();
        let codec = codec::find(registry, cparams.codec)
            .ok_or_else(|| unknown("codec", cparams.codec.get()))?;
        let cut = Cut::new(cparams, src.len());
        let mut header = ChunkHeader {
            version: VERSION,
            versionlz: codec.format_version(),
            flags: flag::EXTENDED,
            typesize: u8::try_from(cut.typesize).unwrap_or(1),
            nbytes,
            blocksize: u32::try_from(cut.blocksize).unwrap_or(1),
            cbytes: nbytes.saturating_add(32),
            filters: cparams.filters,
            udcodec: cparams.codec,
            codec_meta: cparams.codec_meta,
            flags2: 0,
            blosc2_flags: 0,
        };
        let streams_at = HEADER_LEN + BSTART_LEN * cut.nblocks;
        // Streams without a byte cannot be read back.
        let empty_streams = cut.split && cut.blocksize < cut.typesize;
        if cparams.clevel == 0 || src.len() < MIN_NBYTES || streams_at > dst.len() || empty_streams
        {
            header.flags |= flag::MEMCPYED;
            return Ok(Outcome::Copy(header.to_bytes()));
        }
        header.flags |= flags(cparams, cut);
        let pipeline = Pipeline::forward(&cparams.filters, cut.typesize, registry)
            .map_err(|filter| unknown("filters", filter.id.get()))?;
        let b2nd = cparams.b2nd.as_deref();
        let cx = CodecContext {
            clevel: cparams.clevel,
            meta: cparams.codec_meta,
            typesize: cut.typesize,
            blocksize: cut.blocksize,
            dict: None,
            b2nd,
            kernels: self.kernels,
        };
        let mut blocks = BlockEncoder {
            src,
            cut,
            pipeline,
            coding: Coding {
                codec,
                id: cparams.codec,
                cx,
            },
            version: VERSION,
            runs: true,
            reference: None,
            b2nd,
        };
        if pipeline.has_delta() && cut.nblocks > 1 {
            blocks.reference = Some(blocks.block(0));
            if pipeline.is_lossy() {
                blocks.reconstruct(&mut self.worker, &mut self.reference, cparams)?;
                blocks.reference = Some(&self.reference);
            }
        }
        let end = if cut.nblocks > 1 && src.len() >= PARALLEL_FLOOR && cparams.threads.count() > 1 {
            encode_parallel(
                &blocks,
                cparams,
                &mut self.slots,
                &mut self.worker,
                dst,
                streams_at,
            )?
        } else {
            encode_serial(&blocks, &mut self.worker, 0, dst, streams_at)?
        };
        let Ok(end) = end else {
            header.flags |= flag::MEMCPYED;
            return Ok(Outcome::Copy(header.to_bytes()));
        };
        if end == streams_at + CSIZE_LEN * blocks.nstreams_of_all() {
            // Every stream is a run of zeros.
            header.cbytes = 32;
            header.blosc2_flags |= Special::Zeros.code() << flag_b2::SPECIAL_SHIFT;
            return Ok(Outcome::Header(header.to_bytes()));
        }
        header.cbytes = u32::try_from(end).unwrap_or(u32::MAX);
        dst[..HEADER_LEN].copy_from_slice(&header.to_bytes());
        Ok(Outcome::Written(end))
    }
}

/// Encodes the blocks from `first` on one behind the other, in order, and returns where the last
/// one ends.
fn encode_serial(
    blocks: &BlockEncoder<'_>,
    worker: &mut Worker,
    first: usize,
    dst: &mut [u8],
    mut at: usize,
) -> Result<Result<usize, Full>> {
    for block in first..blocks.cut.nblocks {
        put_bstart(dst, block, at);
        match blocks.encode(worker, block, dst, at)? {
            Ok(end) => at = end,
            Err(full) => return Ok(Err(full)),
        }
    }
    Ok(Ok(at))
}

/// Encodes blocks wherever a thread is free, and puts them together in order.
#[cfg(feature = "rayon")]
fn encode_parallel(
    blocks: &BlockEncoder<'_>,
    cparams: &CParams,
    slots: &mut Slots,
    worker: &mut Worker,
    dst: &mut [u8],
    mut at: usize,
) -> Result<Result<usize, Full>> {
    use rayon::prelude::*;

    let cut = blocks.cut;
    let prefixes = CSIZE_LEN * blocks.nstreams(cut.blocksize);
    // A slot holds any block: streams that do not compress are stored raw.
    let slot = cut.blocksize + prefixes;
    let wave = (WAVE / cut.blocksize).max(2 * cparams.threads.count());
    let wave = wave.min(cut.nblocks);
    let Slots { pool, bytes, lens } = slots;
    let bytes = room(bytes, wave * slot);
    lens.resize(lens.len().max(wave), 0);
    for first in (0..cut.nblocks).step_by(wave) {
        let count = wave.min(cut.nblocks - first);
        let pool = &*pool;
        let done = cparams.threads.install(|| {
            bytes
                .par_chunks_mut(slot)
                .zip(lens.par_iter_mut())
                .take(count)
                .enumerate()
                .try_for_each_init(
                    || pool.take(),
                    |worker, (index, (slot, len))| {
                        let end = blocks.encode(worker, first + index, slot, 0)?;
                        *len = end.unwrap_or(usize::MAX);
                        Ok::<(), Error>(())
                    },
                )
        });
        if done.is_err() {
            // Going through the blocks in order names the first that fails.
            return encode_serial(blocks, worker, first, dst, at);
        }
        for (index, (slot, &len)) in bytes.chunks(slot).zip(&*lens).take(count).enumerate() {
            let block = first + index;
            put_bstart(dst, block, at);
            let most = blocks.block(block).len() + prefixes;
            if at + most <= dst.len() && len <= slot.len() {
                dst[at..at + len].copy_from_slice(&slot[..len]);
                at += len;
                continue;
            }
            // The end of the destination may change what the codec does.
            match blocks.encode(worker, block, dst, at)? {
                Ok(end) => at = end,
                Err(full) => return Ok(Err(full)),
            }
        }
    }
    Ok(Ok(at))
}

#[cfg(not(feature = "rayon"))]
fn encode_parallel(
    blocks: &BlockEncoder<'_>,
    _cparams: &CParams,
    _slots: &mut Slots,
    worker: &mut Worker,
    dst: &mut [u8],
    at: usize,
) -> Result<Result<usize, Full>> {
    encode_serial(blocks, worker, 0, dst, at)
}

/// Writes the offset of a block.
fn put_bstart(dst: &mut [u8], block: usize, at: usize) {
    // Chunks are shorter than 2 GiB.
    let bstart = u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes();
    let place = HEADER_LEN + BSTART_LEN * block;
    dst[place..place + BSTART_LEN].copy_from_slice(&bstart);
}

/// The flags of a chunk that is compressed (format §1.2).
fn flags(cparams: &CParams, cut: Cut) -> u8 {
    let delta = cparams
        .filters
        .iter()
        .any(|slot| slot.id == FilterId::DELTA);
    let compformat = match cparams.codec {
        CodecId::BLOSCLZ => 0,
        CodecId::LZ4 | CodecId::LZ4HC => 1,
        CodecId::ZLIB => 3,
        CodecId::ZSTD => 4,
        _ => 6,
    };
    let delta = if delta { flag::DELTA } else { 0 };
    let unsplit = if cut.split { 0 } else { flag::UNSPLIT };
    delta | unsplit | (compformat << 5)
}

/// Refuses more data than a chunk holds.
fn check_nbytes(nbytes: usize) -> Result<u32> {
    match u32::try_from(nbytes) {
        Ok(stored) if nbytes <= MAX_NBYTES => Ok(stored),
        _ => Err(Error::InvalidParam {
            name: "nbytes",
            value: i64::try_from(nbytes).unwrap_or(i64::MAX),
            expected: "at most 2147483615",
        }),
    }
}

fn unknown(name: &'static str, id: u8) -> Error {
    Error::InvalidParam {
        name,
        value: id.into(),
        expected: "an id that this build offers or the registry holds",
    }
}

/// Refuses codecs that are not offered, cannot be written, or know no dictionaries.
fn check_codec(cparams: &CParams) -> Result<()> {
    let id = cparams.codec;
    let writable = matches!(
        id,
        CodecId::BLOSCLZ | CodecId::LZ4 | CodecId::LZ4HC | CodecId::ZLIB | CodecId::ZSTD
    ) || id.get() >= 32;
    if !writable || codec::find(cparams.registry.as_deref(), id).is_none() {
        return Err(unknown("codec", id.get()));
    }
    if cparams.use_dict && !matches!(id, CodecId::LZ4 | CodecId::LZ4HC | CodecId::ZSTD) {
        return Err(Error::InvalidParam {
            name: "codec",
            value: id.get().into(),
            expected: "1 (lz4), 2 (lz4hc) or 5 (zstd) for a dictionary",
        });
    }
    Ok(())
}

/// Refuses filters that are not offered, do not suit the typesize, or could not be undone.
fn check_filters(cparams: &CParams) -> Result<()> {
    let typesize = stored_typesize(cparams.typesize);
    let registry = cparams.registry.as_deref();
    Pipeline::forward(&cparams.filters, typesize, registry)
        .map_err(|filter| unknown("filters", filter.id.get()))?;
    let invalid = |name, value: u8, expected| Error::InvalidParam {
        name,
        value: value.into(),
        expected,
    };
    for slot in &cparams.filters {
        let bits = slot.meta.cast_signed();
        match slot.id {
            FilterId::TRUNC_PREC
                if oxiblosc_kernels::trunc_prec_zeroed_bits(typesize, bits).is_none() =>
            {
                let expected = "precision bits that floats of 4 or 8 bytes have";
                return Err(invalid(
                    "meta of the filter trunc_prec",
                    slot.meta,
                    expected,
                ));
            }
            FilterId::INT_TRUNC
                if oxiblosc_kernels::int_trunc_zeroed_bits(typesize, bits).is_none() =>
            {
                let expected = "bits that integers of 1, 2, 4 or 8 bytes have";
                return Err(invalid("meta of the filter int_trunc", slot.meta, expected));
            }
            FilterId::BYTEDELTA_BUGGY => {
                let expected = "35 (bytedelta); 34 is only read";
                return Err(invalid("filters", slot.id.get(), expected));
            }
            _ => {}
        }
    }
    Ok(())
}
