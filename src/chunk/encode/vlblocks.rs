//! Writing chunks of variable-length blocks.

use super::super::header::{
    ChunkHeader, FLAG2_VLBLOCKS, HEADER_LEN, VERSION_VLBLOCKS, flag, flag_b2,
};
use super::super::layout::BSTART_LEN;
use super::super::scratch::{Worker, grown};
use super::super::tune::{Cut, stored_typesize};
use super::assemble::Assembler;
use super::block::BlockEncoder;
use super::check::{check_blosc2, check_nbytes, check_training, unknown};
use super::dict;
use super::encoder::ChunkEncoder;
use super::output::{Form, flags, put_header};
use super::parallel::Slots;
use super::prefilter::Prefilter;
use super::source::Source;
use crate::codec::dict::build_vlblocks;
use crate::codec::find::find;
use crate::error::{Error, Result};
use crate::num::{saturating_i64, saturating_u32};
use crate::stream::{CSIZE_LEN, Full};
use crate::threads::claim::{Helpers, share_pooled};
use crate::threads::work::Work;

impl ChunkEncoder {
    /// Compresses `blocks` into one chunk that keeps their lengths; each can be read alone
    /// ([format §8.1](crate::format#8.1)).
    ///
    /// ```
    /// use oxiblosc::{decompress, ChunkDecoder, ChunkEncoder, CParams};
    /// let mut encoder = ChunkEncoder::new(CParams::new(1))?;
    /// let chunk = encoder.encode_vlblocks(&["one", "and", "the other"])?;
    /// assert_eq!(decompress(&chunk)?, b"oneandthe other");
    /// assert_eq!(ChunkDecoder::default().decode_vlblock(&chunk, 2)?, b"the other");
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidParam`] without blocks, for an empty one, and when they are longer than a
    /// chunk can hold; else as [`encode`](Self::encode).
    #[doc(alias = "blosc2_vlcompress_ctx")]
    pub fn encode_vlblocks<B: AsRef<[u8]> + Sync>(&mut self, blocks: &[B]) -> Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.encode_vlblocks_append(blocks, &mut chunk)?;
        Ok(chunk)
    }

    /// [`encode_vlblocks`](Self::encode_vlblocks), appended to `dst`; returns the length of the
    /// chunk ([format §8.1](crate::format#8.1)).
    ///
    /// # Errors
    /// As [`encode_vlblocks`](Self::encode_vlblocks); `dst` is then unchanged.
    pub fn encode_vlblocks_append<B: AsRef<[u8]> + Sync>(
        &mut self,
        blocks: &[B],
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let most = check_blocks(blocks)?.most;
        let mut out = std::mem::take(&mut self.assembler.worker.get().out);
        let done = self.encode_vlblocks_into(blocks, grown(&mut out, most));
        if let Ok(cbytes) = done {
            dst.extend_from_slice(&out[..cbytes]);
        }
        self.assembler.worker.get().out = out;
        done
    }

    /// [`encode_vlblocks`](Self::encode_vlblocks) into the front of `dst`; returns the length of
    /// the chunk. 32 bytes and 8 per block more than the data always suffice
    /// ([format §8.1](crate::format#8.1)).
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`] when the chunk does not fit; else as
    /// [`encode_vlblocks`](Self::encode_vlblocks).
    pub fn encode_vlblocks_into<B: AsRef<[u8]> + Sync>(
        &mut self,
        blocks: &[B],
        dst: &mut [u8],
    ) -> Result<usize> {
        let Some(hook) = self.cparams().prefilter.clone() else {
            return self.assembler.vlblocks_into(blocks, dst);
        };
        let nbytes = check_blocks(blocks)?.nbytes as usize;
        let mut buffer = std::mem::take(&mut self.prefiltered);
        let to = grown(&mut buffer, nbytes);
        let cparams = self.cparams();
        let hook = Prefilter {
            hook: &hook,
            nchunk: self.nchunk,
        };
        let done = hook.run_vlblocks(cparams, blocks, to).and_then(|()| {
            let mut rest = &*to;
            let mut after = Vec::with_capacity(blocks.len());
            for block in blocks {
                let (block, behind) = rest.split_at(block.as_ref().len());
                after.push(block);
                rest = behind;
            }
            self.assembler.vlblocks_into(&after, dst)
        });
        self.prefiltered = buffer;
        done
    }
}

impl Assembler {
    /// Compresses blocks, which went through the prefilter, into the front of `dst`.
    fn vlblocks_into<B: AsRef<[u8]> + Sync>(
        &mut self,
        blocks: &[B],
        dst: &mut [u8],
    ) -> Result<usize> {
        let sizes = check_blocks(blocks)?;
        let available = dst.len();
        let dst = &mut dst[..available.min(sizes.most)];
        let mut done = self.assemble_vlblocks(blocks, &sizes, dst, self.cparams.use_dict)?;
        if done.is_err() && self.cparams.use_dict && available >= sizes.most {
            // A dictionary takes space that incompressible blocks do not save. In a shorter
            // destination than this, the chunk is the same or none.
            done = self.assemble_vlblocks(blocks, &sizes, dst, false)?;
        }
        match done {
            Ok(cbytes) => Ok(cbytes),
            Err(Full) => Err(Error::OutputTooSmall {
                needed: sizes.most,
                available,
            }),
        }
    }

    fn assemble_vlblocks<B: AsRef<[u8]> + Sync>(
        &mut self,
        blocks: &[B],
        sizes: &Sizes,
        dst: &mut [u8],
        use_dict: bool,
    ) -> Result<Result<usize, Full>> {
        let cparams = &self.cparams;
        check_blosc2(cparams)?;
        let registry = cparams.registry.as_deref();
        let codec =
            find(registry, cparams.codec).ok_or_else(|| unknown("codec", cparams.codec.get()))?;
        let typesize = stored_typesize(cparams.typesize);
        let cut = Cut {
            typesize,
            blocksize: sizes.nbytes as usize,
            nblocks: 1,
            split: false,
        };
        let mut header = ChunkHeader {
            version: VERSION_VLBLOCKS,
            versionlz: codec.format_version(),
            flags: flag::EXTENDED | flags(cparams, cut, Form::Blosc2),
            typesize: u8::try_from(typesize).unwrap_or(1),
            nbytes: sizes.nbytes,
            blocksize: sizes.nblocks,
            cbytes: 0,
            filters: cparams.filters,
            udcodec: cparams.codec,
            codec_meta: cparams.codec_meta,
            flags2: FLAG2_VLBLOCKS,
            blosc2_flags: 0,
        };
        let mut shared = BlockEncoder::new(Source::Bytes(&[]), cut, codec, cparams, self.kernels);
        shared.find(cparams)?;
        shared.version = VERSION_VLBLOCKS;
        shared.runs = false;
        let worker = self.worker.get();
        let mut at = HEADER_LEN + BSTART_LEN * blocks.len();
        if at > dst.len() {
            return Ok(Err(Full));
        }
        let dict = if use_dict && cparams.clevel > 0 {
            build_dict(&shared, blocks, worker)?
        } else {
            None
        };
        if let Some(dict) = &dict {
            let Some(end) = dict::put(dict, dst, at) else {
                return Ok(Err(Full));
            };
            at = end;
            shared.coding.cx.dict = Some(dict);
            header.blosc2_flags |= flag_b2::DICT;
        }
        let encode = |worker: &mut Worker, index: usize, dst: &mut [u8], at: usize| {
            let encoder = alone(&shared, blocks[index].as_ref());
            let done = if cparams.clevel == 0 {
                encoder.store(worker, dst, at)
            } else {
                encoder.encode(worker, 0, dst, at)
            };
            done.map_err(|error| error.in_block(index))
        };
        let threads = &cparams.threads;
        let work = Work::encode(cparams.codec, sizes.nbytes as usize);
        let helpers = Helpers {
            threads,
            count: work.helpers(threads, blocks.len()),
            at_once: 1,
        };
        let ready = encode_ahead(helpers, blocks, &mut self.slots, encode)?;
        for (index, block) in blocks.iter().enumerate() {
            let bstart = HEADER_LEN + BSTART_LEN * index;
            dst[bstart..bstart + BSTART_LEN].copy_from_slice(&le(at));
            let available = dst.len() - at;
            let done = match ready.get(index) {
                Some(done) if block.as_ref().len() + CSIZE_LEN <= available => {
                    dst[at..at + done.len()].copy_from_slice(done);
                    Ok(at + done.len())
                }
                // Also near the end of the destination, which may change what the codec does.
                _ => encode(worker, index, dst, at)?,
            };
            match done {
                // Instead of the length of its data, the block begins with its own.
                Ok(end) => {
                    dst[at..at + CSIZE_LEN].copy_from_slice(&le(block.as_ref().len()));
                    at = end;
                }
                Err(full) => return Ok(Err(full)),
            }
        }
        header.cbytes = saturating_u32(at);
        put_header(&header, dst);
        Ok(Ok(at))
    }
}

/// Encodes all blocks on this thread and on as many helpers as are free; nothing without helpers.
fn encode_ahead<'s, B: AsRef<[u8]> + Sync>(
    helpers: Helpers<'_>,
    blocks: &[B],
    slots: &'s mut Slots,
    encode: impl Fn(&mut Worker, usize, &mut [u8], usize) -> Result<Result<usize, Full>> + Sync,
) -> Result<Vec<&'s [u8]>> {
    if helpers.count == 0 {
        return Ok(Vec::new());
    }
    let pool = &slots.pool;
    let lens = blocks.iter().map(|block| block.as_ref().len() + CSIZE_LEN);
    let mut rest = grown(&mut slots.bytes, lens.clone().sum());
    let mut encoded = Vec::with_capacity(blocks.len());
    for len in lens {
        let (slot, later) = std::mem::take(&mut rest).split_at_mut(len);
        encoded.push((slot, 0));
        rest = later;
    }
    let slots = encoded.iter_mut().enumerate();
    share_pooled(helpers, pool, slots, |worker, (index, (slot, len))| {
        // A slot holds any block: one that does not compress is stored raw.
        *len = encode(worker, index, slot, 0)?.unwrap_or(0);
        Ok(())
    })?;
    let filled = |(slot, len): (&'s mut [u8], usize)| &slot[..len];
    Ok(encoded.into_iter().map(filled).collect())
}

/// A size or offset as stored; chunks are shorter than 2 GiB.
fn le(value: usize) -> [u8; 4] {
    saturating_u32(value).to_le_bytes()
}

/// The encoder of one block, which is a first block as every one is.
fn alone<'a>(shared: &BlockEncoder<'a>, src: &'a [u8]) -> BlockEncoder<'a> {
    BlockEncoder {
        source: Source::Bytes(src),
        cut: Cut {
            blocksize: src.len(),
            ..shared.cut
        },
        ..*shared
    }
}

/// Makes the dictionary of a chunk from its filtered blocks.
fn build_dict<B: AsRef<[u8]>>(
    shared: &BlockEncoder<'_>,
    blocks: &[B],
    worker: &mut Worker,
) -> Result<Option<Vec<u8>>> {
    let mut samples = Vec::new();
    let mut sizes = Vec::with_capacity(blocks.len());
    for block in blocks {
        let src = block.as_ref();
        let Worker { x, y, .. } = &mut *worker;
        let (x, y) = (grown(x, src.len()), grown(y, src.len()));
        let cx = shared.filter_context(0);
        samples.extend_from_slice(shared.pipeline.run_forward(&cx, src, x, y)?);
        sizes.push(src.len());
    }
    check_training(shared.coding.id)?;
    Ok(build_vlblocks(shared.coding.id, &samples, &sizes))
}

/// The sizes of a chunk of blocks.
struct Sizes {
    nbytes: u32,
    nblocks: u32,
    /// The longest chunk that they can become.
    most: usize,
}

/// Refuses blocks that no chunk can hold.
fn check_blocks<B: AsRef<[u8]>>(blocks: &[B]) -> Result<Sizes> {
    let invalid = |name, value: usize, expected| Error::InvalidParam {
        name,
        value: saturating_i64(value),
        expected,
    };
    let mut nbytes = 0_usize;
    for block in blocks {
        let len = block.as_ref().len();
        if len == 0 {
            return Err(invalid("length of a block", len, "1 byte or more"));
        }
        nbytes = nbytes.saturating_add(len);
    }
    let stored = check_nbytes(nbytes)?;
    let most = nbytes
        .saturating_add(HEADER_LEN)
        .saturating_add(blocks.len().saturating_mul(BSTART_LEN + CSIZE_LEN));
    match u32::try_from(blocks.len()) {
        Ok(nblocks) if nblocks > 0 && i32::try_from(most).is_ok() => Ok(Sizes {
            nbytes: stored,
            nblocks,
            most,
        }),
        _ => Err(invalid(
            "number of blocks",
            blocks.len(),
            "1 or more, in a chunk of at most 2 GiB",
        )),
    }
}
