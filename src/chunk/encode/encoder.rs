//! The encoder and its three forms.

use std::fmt;

use super::super::copy::{copy_append, copy_into};
use super::super::header::{ChunkHeader, HEADER_LEN};
use super::super::scratch::grown;
use super::super::tune::Cut;
use super::assemble::Assembler;
use super::check::{check_codec, check_filters, unknown};
use super::output::{Form, Outcome, put_header};
use super::prefilter::Prefilter;
#[cfg(feature = "b2nd")]
use super::source::FillBlock;
use super::source::Source;
use crate::codec::id::CodecId;
use crate::error::{Error, Result};
use crate::params::CParams;

/// The longest chunk that `nbytes` bytes can become; an output of this size always suffices.
///
/// ```
/// assert_eq!(oxiblosc::max_chunk_len(1000), 1032);
/// ```
#[doc(alias = "BLOSC2_MAX_OVERHEAD")]
pub const fn max_chunk_len(nbytes: usize) -> usize {
    nbytes.saturating_add(HEADER_LEN)
}

/// Compresses chunks. Keep it: its buffers and codec states are reused by every call.
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
pub struct ChunkEncoder {
    pub(super) assembler: Assembler,
    /// The output of the prefilter.
    pub(super) prefiltered: Vec<u8>,
    /// The number of the chunk that is encoded, where it is known.
    pub(super) nchunk: Option<u64>,
}

/// A clone has the parameters and buffers of its own.
impl Clone for ChunkEncoder {
    fn clone(&self) -> Self {
        Self {
            assembler: Assembler::new(self.cparams().clone()),
            prefiltered: Vec::new(),
            nchunk: self.nchunk,
        }
    }
}

impl fmt::Debug for ChunkEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChunkEncoder").field(self.cparams()).finish()
    }
}

impl ChunkEncoder {
    /// An encoder with these parameters.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] for a parameter outside its range, a codec or filter that this
    /// build lacks, and for parameters whose chunks could not be decoded.
    pub fn new(cparams: CParams) -> Result<Self> {
        if cparams.codec == CodecId::SNAPPY {
            // Only chunks of Blosc1 have it.
            return Err(unknown("codec", cparams.codec.get()));
        }
        Self::of_any_form(cparams)
    }

    /// An encoder with a codec that chunks of Blosc2 or those of Blosc1 have.
    pub(super) fn of_any_form(mut cparams: CParams) -> Result<Self> {
        cparams.validate()?;
        check_codec(&cparams)?;
        check_filters(&cparams)?;
        cparams.filters = cparams.stored_filters();
        Ok(Self {
            assembler: Assembler::new(cparams),
            prefiltered: Vec::new(),
            nchunk: None,
        })
    }

    /// The parameters.
    #[doc(alias = "blosc2_ctx_get_cparams")]
    pub fn cparams(&self) -> &CParams {
        &self.assembler.cparams
    }

    /// The block size in bytes that data of `nbytes` bytes is cut by
    /// ([format §3](crate::format#3)).
    #[doc(alias = "blosc1_get_blocksize")]
    pub fn blocksize_for(&self, nbytes: usize) -> usize {
        Cut::new(self.cparams(), nbytes)
            .blocksize
            .min(nbytes.max(1))
    }

    /// Calls `work` with this encoder, for encoding chunk number `nchunk` of a super-chunk: the
    /// prefilter receives it as [`BlockContext::chunk`](crate::filter::BlockContext::chunk).
    /// Everything that writes super-chunks, frames and arrays calls this; only chunks that the
    /// caller encodes need it.
    ///
    /// ```
    /// use oxiblosc::{decompress, ChunkEncoder, CParams};
    /// let cparams = CParams::new(1).prefilter(|cx, _, dst| {
    ///     dst.fill(if cx.chunk == Some(3) { 3 } else { 0 });
    ///     Ok(())
    /// });
    /// let chunk = ChunkEncoder::new(cparams)?.in_chunk(3, |encoder| encoder.encode(&[1; 100]))?;
    /// assert_eq!(decompress(&chunk)?, [3; 100]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[inline]
    pub fn in_chunk<R>(&mut self, nchunk: u64, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.nchunk.replace(nchunk);
        let done = work(self);
        self.nchunk = outer;
        done
    }

    /// Sets the number of the thread that uses this encoder from now on, for the prefilter.
    #[cfg(feature = "b2nd")]
    pub(crate) fn set_thread(&mut self, thread: usize) {
        if self.cparams().prefilter.is_some() {
            self.assembler.worker.get().thread = thread;
        }
    }

    /// Compresses `src` into a chunk of at most [`max_chunk_len`] bytes
    /// ([format §2.5](crate::format#2.5)).
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
    /// [`max_chunk_len`] bytes or more the chunk always fits, and is the same for any such size
    /// ([format §2.5](crate::format#2.5)).
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`] when the chunk does not fit; else as [`encode`](Self::encode).
    #[doc(alias = "blosc2_compress_ctx")]
    pub fn encode_into(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        self.form_into(src, dst, Form::Blosc2)
    }

    /// Compresses `src`, appends the chunk to `dst` and returns its length
    /// ([format §2.5](crate::format#2.5)).
    ///
    /// # Errors
    /// As [`encode`](Self::encode); `dst` is then unchanged.
    pub fn encode_append(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<usize> {
        self.form_append(src, dst, Form::Blosc2)
    }

    /// [`encode_into`](Self::encode_into) in either form.
    pub(super) fn form_into(&mut self, src: &[u8], dst: &mut [u8], form: Form) -> Result<usize> {
        self.prefiltered(src, form, |encoder, src| {
            encoder.filtered_into(src, dst, form)
        })
    }

    /// Calls `work` with the output of the prefilter, or with the data where there is none.
    #[inline]
    fn prefiltered<R>(
        &mut self,
        src: &[u8],
        form: Form,
        work: impl FnOnce(&mut Self, &[u8]) -> Result<R>,
    ) -> Result<R> {
        let Some(hook) = self.cparams().prefilter.clone() else {
            return work(self, src);
        };
        let mut buffer = std::mem::take(&mut self.prefiltered);
        let to = grown(&mut buffer, src.len());
        let hook = Prefilter {
            hook: &hook,
            nchunk: self.nchunk,
        };
        let done = hook.run(&mut self.assembler, src, to, form);
        let done = done.and_then(|()| work(self, to));
        self.prefiltered = buffer;
        done
    }

    fn filtered_into(&mut self, src: &[u8], dst: &mut [u8], form: Form) -> Result<usize> {
        let most = src.len().saturating_add(form.header_len());
        let available = dst.len();
        let too_small = || Error::OutputTooSmall {
            needed: most,
            available,
        };
        if available < form.header_len() {
            return Err(too_small());
        }
        let dst = &mut dst[..available.min(most)];
        match self.assembler.assemble(Source::Bytes(src), dst, form)? {
            Outcome::Written(cbytes) => Ok(cbytes),
            Outcome::Header(header) => {
                put_header(&header, dst);
                Ok(header.len())
            }
            Outcome::Copy(_) if available < most => Err(too_small()),
            Outcome::Copy(header) => {
                put_header(&header, dst);
                copy_into(src, &mut dst[header.len()..]);
                Ok(most)
            }
        }
    }

    /// [`encode_append`](Self::encode_append) in either form.
    pub(super) fn form_append(
        &mut self,
        src: &[u8],
        dst: &mut Vec<u8>,
        form: Form,
    ) -> Result<usize> {
        self.prefiltered(src, form, |encoder, src| {
            encoder.source_append(Source::Bytes(src), dst, form)
        })
    }

    /// Compresses `nbytes` bytes, which `fill` writes block by block of
    /// [`blocksize_for`](Self::blocksize_for), as [`encode`](Self::encode) does in one piece.
    #[cfg(feature = "b2nd")]
    pub(crate) fn encode_blocks(&mut self, nbytes: usize, fill: &FillBlock<'_>) -> Result<Vec<u8>> {
        let mut chunk = Vec::new();
        let source = Source::Blocks { nbytes, fill };
        if self.cparams().prefilter.is_some() {
            let mut src = vec![0; nbytes];
            source.copy_into(self.blocksize_for(nbytes), &mut src)?;
            self.encode_append(&src, &mut chunk)?;
        } else {
            self.source_append(source, &mut chunk, Form::Blosc2)?;
        }
        Ok(chunk)
    }

    fn source_append(
        &mut self,
        source: Source<'_>,
        dst: &mut Vec<u8>,
        form: Form,
    ) -> Result<usize> {
        let most = source.len().saturating_add(form.header_len());
        // Into a buffer that is kept, so that `dst` grows by the length of the chunk and not by its
        // largest possible length.
        let mut out = std::mem::take(&mut self.assembler.worker.get().out);
        let outcome = self.assembler.assemble(source, grown(&mut out, most), form);
        let old = dst.len();
        let done = outcome.and_then(|outcome| match outcome {
            Outcome::Written(cbytes) => {
                dst.extend_from_slice(&out[..cbytes]);
                Ok(())
            }
            Outcome::Header(header) => {
                append_header(&header, dst);
                Ok(())
            }
            Outcome::Copy(header) => {
                dst.reserve(most);
                append_header(&header, dst);
                self.copy_append(source, dst)
            }
        });
        self.assembler.worker.get().out = out;
        if done.is_err() {
            dst.truncate(old);
        }
        done.map(|()| dst.len() - old)
    }

    /// Appends the data itself to `dst`.
    fn copy_append(&self, source: Source<'_>, dst: &mut Vec<u8>) -> Result<()> {
        if let Source::Bytes(src) = source {
            copy_append(src, dst);
            return Ok(());
        }
        let at = dst.len();
        dst.resize(at + source.len(), 0);
        source.copy_into(self.blocksize_for(source.len()), &mut dst[at..])
    }
}

/// Appends a header to `dst`.
fn append_header(header: &ChunkHeader, dst: &mut Vec<u8>) {
    let bytes = header.to_bytes();
    dst.extend_from_slice(&bytes[..header.len()]);
}
