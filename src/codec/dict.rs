//! Dictionaries: a part of the chunk's content, with which every stream is compressed
//! ([format §7.4](crate::format#7.4)).
//!
//! ```text
//! sample area = filtered block 0 | filtered block 1 | ...     all of them, unsplit, nbytes
//!               |--sample--|--sample--|-- ...
//! ```
//!
//! LZ4 takes the front of the sample area as it is, Zstandard trains on samples of equal length
//! from its front. The dictionaries built here have the bytes of those that C-Blosc2 builds with
//! one thread, down to four bytes of an LZ4 dictionary which hold its own length, because C builds
//! it in place.

use super::CodecId;

/// The longest dictionary, in bytes.
pub(crate) const MAX_DICT_LEN: usize = 32768;
/// The shortest dictionary that is worth its place, in bytes.
const MIN_DICT_LEN: usize = 256;
/// The dictionary has at most this fraction of the chunk.
const DICT_SHARE: usize = 20;
/// Only this fraction of the sample area is looked at.
const SAMPLE_SHARE: usize = 16;
/// The fewest samples to train on.
const MIN_SAMPLES: usize = 8;
/// The length of the four bytes in which C keeps the length of the dictionary.
const LEN_BYTES: usize = 4;

/// How the sample area of a chunk is cut, before the chunk is filtered to make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DictPlan {
    /// The length of the dictionary at most, in bytes.
    max_len: usize,
    /// The number of samples.
    nsamples: usize,
    /// The length of a sample in bytes.
    sample_len: usize,
}

impl DictPlan {
    /// The plan for a chunk of `nbytes` bytes in `nstreams` streams (blocks, times the typesize
    /// when they are split); `None` when it is too small for a dictionary.
    pub(crate) fn new(nbytes: usize, nstreams: usize) -> Option<Self> {
        let nsamples = nstreams.max(MIN_SAMPLES);
        let max_len = max_len(nbytes)?;
        let sample_len = nbytes / nsamples / SAMPLE_SHARE;
        (sample_len > 0).then_some(Self {
            max_len,
            nsamples,
            sample_len,
        })
    }

    /// Builds the dictionary from the sample area, the filtered blocks one after another.
    ///
    /// `nblocks` is the number of blocks of the chunk. `None` when the codec has no dictionaries,
    /// or when training fails for want of anything that repeats: the chunk then goes without.
    pub(crate) fn build(self, codec: CodecId, samples: &[u8], nblocks: usize) -> Option<Vec<u8>> {
        let sampled = self.nsamples.saturating_mul(self.sample_len);
        match codec {
            CodecId::LZ4 | CodecId::LZ4HC => front(samples, sampled.min(self.max_len), nblocks),
            CodecId::ZSTD => {
                let samples = samples.get(..sampled)?;
                train(samples, &vec![self.sample_len; self.nsamples], self.max_len)
            }
            _ => None,
        }
    }
}

/// The error for a dictionary that begins like a trained one and is none.
#[cfg(feature = "zstd-read")]
pub(crate) fn refused(dict: &[u8]) -> crate::error::BoxError {
    format!("the dictionary of {} bytes is damaged", dict.len()).into()
}

/// Whether a chunk of variable-length blocks can have a dictionary.
pub(crate) fn vlblocks_suffice(nbytes: usize, nblocks: usize) -> bool {
    max_len(nbytes).is_some() && nblocks >= MIN_SAMPLES && nbytes / nblocks / SAMPLE_SHARE > 0
}

/// Builds the dictionary of a chunk of variable-length blocks from `samples`, the filtered blocks
/// one after another, of `sizes` bytes each. `None` as for [`DictPlan::build`], and when there is
/// too little to sample.
pub(crate) fn build_vlblocks(codec: CodecId, samples: &[u8], sizes: &[usize]) -> Option<Vec<u8>> {
    if !vlblocks_suffice(samples.len(), sizes.len()) {
        return None;
    }
    let max_len = max_len(samples.len())?;
    match codec {
        CodecId::LZ4 | CodecId::LZ4HC => front(samples, max_len, sizes.len()),
        CodecId::ZSTD => train(samples, sizes, max_len),
        _ => None,
    }
}

/// The length of a dictionary at most, for a chunk of `nbytes` bytes.
fn max_len(nbytes: usize) -> Option<usize> {
    let len = (nbytes / DICT_SHARE).min(MAX_DICT_LEN);
    (len >= MIN_DICT_LEN).then_some(len)
}

/// The first `len` bytes of the sample area, with the length itself written over the bytes after
/// the first `4 * nblocks`, where the block offsets of the chunk end.
fn front(samples: &[u8], len: usize, nblocks: usize) -> Option<Vec<u8>> {
    let mut dict = samples.get(..len)?.to_vec();
    let at = nblocks.checked_mul(LEN_BYTES)?;
    let len_bytes = u32::try_from(len).ok()?.to_le_bytes();
    for (to, from) in dict.iter_mut().skip(at).zip(len_bytes) {
        *to = from;
    }
    Some(dict)
}

/// A dictionary of at most `max_len` bytes trained on `samples`.
#[cfg(feature = "zstd")]
fn train(samples: &[u8], sizes: &[usize], max_len: usize) -> Option<Vec<u8>> {
    if sizes
        .iter()
        .try_fold(0_usize, |sum, &size| sum.checked_add(size))
        != Some(samples.len())
    {
        return None;
    }
    let mut dict = Vec::with_capacity(max_len);
    zstd::zstd_safe::train_from_buffer(&mut dict, samples, sizes).ok()?;
    Some(dict)
}

/// Without Zstandard there is nothing to train with.
#[cfg(not(feature = "zstd"))]
fn train(_samples: &[u8], _sizes: &[usize], _max_len: usize) -> Option<Vec<u8>> {
    None
}
