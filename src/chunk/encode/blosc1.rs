//! Chunks that Blosc1 reads: 16 bytes of header, and its own rules
//! ([format §1.9](crate::format#1.9)).
//!
//! ```text
//! version 2 | 1 | flags | typesize | nbytes | blocksize | cbytes | bstarts | blocks
//! ```
//!
//! No runs, no DELTA, no more than one filter. Block sizes are those of Blosc1 1.21, and blocks
//! are split by the rule that Blosc1 before 1.11 knew without a flag, so that those read the
//! chunk, too.

use super::super::tune::Cut;
use super::encoder::ChunkEncoder;
use super::output::Form;
use crate::error::{Error, Result};
use crate::filter::id::FilterId;
use crate::params::CParams;

impl ChunkEncoder {
    /// An encoder for chunks of Blosc1 alone ([format §1.9](crate::format#1.9)):
    /// [`encode_blosc1`](Self::encode_blosc1) and its other forms. It refuses parameters that
    /// Blosc1 does not know now, and not at the first chunk, and it has the codec
    /// [`SNAPPY`](crate::CodecId::SNAPPY), which needs the feature `snappy`. C-Blosc may be built
    /// without Snappy, as those of PyPI are, and then refuses such chunks.
    ///
    /// ```
    /// # #[cfg(feature = "snappy")] {
    /// use oxiblosc::{decompress, ChunkEncoder, CodecId, CParams};
    /// let cparams = CParams::new(4).codec(CodecId::SNAPPY);
    /// let chunk = ChunkEncoder::for_blosc1(cparams)?.encode_blosc1(&[7; 1000])?;
    /// assert!(chunk.len() < 200);
    /// assert_eq!(decompress(&chunk)?, [7; 1000]);
    /// # }
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Refused`] as
    /// [`encode_blosc1`](Self::encode_blosc1).
    #[doc(alias = "blosc_compress_ctx")]
    pub fn for_blosc1(cparams: CParams) -> Result<Self> {
        let encoder = Self::of_any_form(cparams)?;
        check(encoder.cparams())?;
        Ok(encoder)
    }

    /// The block size in bytes that [`encode_blosc1`](Self::encode_blosc1) cuts `nbytes` bytes by:
    /// the one asked for, or that of Blosc1 1.21 ([format §3](crate::format#3)).
    #[doc(alias = "blosc_get_blocksize")]
    pub fn blocksize_for_blosc1(&self, nbytes: usize) -> usize {
        let cut = Cut::blosc1(self.cparams(), nbytes);
        cut.blocksize.min(nbytes.max(1))
    }

    /// Compresses `src` into a chunk that Blosc1 1.11 and later read, of at most 16 bytes more than
    /// the data ([format §1.9](crate::format#1.9)).
    ///
    /// ```
    /// use oxiblosc::{decompress, ChunkEncoder, CParams};
    /// let chunk = ChunkEncoder::new(CParams::new(4))?.encode_blosc1(&[7; 1000])?;
    /// assert_eq!(chunk[..4], [2, 1, 0x01, 4]);
    /// assert_eq!(decompress(&chunk)?, [7; 1000]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`] for parameters that Blosc1 does not know: a filter beside shuffle and
    /// bitshuffle, more than one of them, a registered codec, a dictionary. Else as
    /// [`encode`](Self::encode).
    #[doc(alias = "blosc_compress")]
    pub fn encode_blosc1(&mut self, src: &[u8]) -> Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.encode_blosc1_append(src, &mut chunk)?;
        Ok(chunk)
    }

    /// [`encode_blosc1`](Self::encode_blosc1) into the front of `dst`; returns the length of the
    /// chunk ([format §1.9](crate::format#1.9)).
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`] when the chunk does not fit, which 16 bytes more than the data
    /// always suffice for; else as [`encode_blosc1`](Self::encode_blosc1).
    #[doc(alias = "blosc1_compress")]
    pub fn encode_blosc1_into(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        check(self.cparams())?;
        self.form_into(src, dst, Form::Blosc1)
    }

    /// [`encode_blosc1`](Self::encode_blosc1), appended to `dst`; returns the length of the chunk
    /// ([format §1.9](crate::format#1.9)).
    ///
    /// # Errors
    /// As [`encode_blosc1`](Self::encode_blosc1); `dst` is then unchanged.
    pub fn encode_blosc1_append(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<usize> {
        check(self.cparams())?;
        self.form_append(src, dst, Form::Blosc1)
    }
}

/// Refuses parameters that a header of 16 bytes cannot hold.
fn check(cparams: &CParams) -> Result<()> {
    let what = "write a chunk for Blosc1";
    let refuse = |why| Err(Error::Refused { what, why });
    if cparams.codec.get() >= 32 {
        return refuse("it knows no registered codecs");
    }
    if cparams.use_dict {
        return refuse("it knows no dictionaries");
    }
    let mut filters = cparams
        .filters
        .iter()
        .filter(|slot| slot.id != FilterId::NONE);
    match (filters.next(), filters.next()) {
        (None, _) => Ok(()),
        (Some(slot), None) if slot.id == FilterId::SHUFFLE && slot.meta == 0 => Ok(()),
        (Some(slot), None) if slot.id == FilterId::BITSHUFFLE => Ok(()),
        _ => refuse("it knows shuffle or bitshuffle alone"),
    }
}
