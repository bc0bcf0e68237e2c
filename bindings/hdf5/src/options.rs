//! The numbers that HDF5 stores with a dataset, `cd_values`: the same places in both filters.

use oxiblosc::{CParams, CodecId, DParams, FilterId, FilterSlot, Limits};

use crate::error::{Error, Result};

/// The properties of a dataset that a filter needs to compress its chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dataset<'a> {
    /// The size of an element in bytes; of an array type, that of its base type.
    pub typesize: usize,
    /// The shape of a chunk, in elements.
    pub chunk: &'a [u64],
}

impl Dataset<'_> {
    /// The size of a chunk in bytes.
    pub(crate) fn chunk_nbytes(&self) -> Result<u32> {
        let typesize = u64::try_from(self.typesize).ok();
        let nbytes = self
            .chunk
            .iter()
            .try_fold(typesize, |nbytes, &len| Some(nbytes?.checked_mul(len)));
        let nbytes = nbytes.flatten().unwrap_or(u64::MAX);
        let max = u64::from(u32::MAX);
        u32::try_from(nbytes).map_err(|_| Error::TooLarge { nbytes, max })
    }
}

/// `cd_values` by their meaning; what a file leaves out has its default.
pub(crate) struct Options<'a> {
    values: &'a [u32],
}

/// The level, the shuffle and the codec of a dataset that states none.
const DEFAULTS: [u32; 3] = [5, 1, 0];

impl<'a> Options<'a> {
    pub(crate) fn new(values: &'a [u32]) -> Self {
        Self { values }
    }

    fn at(&self, index: usize) -> Option<u32> {
        self.values.get(index).copied()
    }

    /// The size of an element in bytes; 1 where none is stated.
    pub(crate) fn typesize(&self) -> usize {
        usize_of(self.at(2).unwrap_or(1).max(1))
    }

    /// The blocksize that the program asked for, in bytes.
    pub(crate) fn blocksize(&self) -> Option<usize> {
        self.at(1).filter(|&size| size > 0).map(usize_of)
    }

    /// The chunkshape that the filter 32026 stores from two axes on.
    pub(crate) fn chunkshape(&self) -> Option<Vec<u64>> {
        let ndim = usize_of(self.at(7)?);
        let lens = self.values.get(8..8_usize.checked_add(ndim)?)?;
        (ndim > 1).then(|| lens.iter().copied().map(u64::from).collect())
    }

    /// Level, filter and codec, for elements of `typesize` bytes.
    pub(crate) fn cparams(&self, typesize: usize) -> Result<CParams> {
        let [clevel, shuffle, codec] = DEFAULTS;
        let clevel = byte("clevel", self.at(4).unwrap_or(clevel), 9, "0 to 9")?;
        let shuffle = byte("shuffle", self.at(5).unwrap_or(shuffle), 3, "0 to 3")?;
        let codec = byte("codec", self.at(6).unwrap_or(codec), 5, "0 to 5")?;
        let slot = FilterSlot::new(FilterId::new(shuffle), 0);
        let filters = (shuffle > 0).then_some(slot);
        let cparams = CParams::new(typesize).codec(CodecId::new(codec));
        Ok(cparams.clevel(clevel).filters(filters))
    }

    /// Limits for the chunks of the dataset: those for untrusted data, or the size that the file
    /// states where it is larger.
    pub(crate) fn dparams(&self) -> DParams {
        let stated = u64::from(self.at(3).unwrap_or(0));
        // Blocks that do not divide the chunk pad it.
        let most = Limits::UNTRUSTED
            .max_chunk_nbytes
            .max(stated.saturating_mul(2));
        let most = most.min(Limits::FORMAT.max_chunk_nbytes);
        let limits = Limits::UNTRUSTED.max_chunk_nbytes(most).max_alloc(most);
        DParams::new().limits(limits)
    }

    /// The values of a program as they are stored: the first four are those of the filter.
    pub(crate) fn stored(given: &[u32], first: [u32; 4]) -> Vec<u32> {
        let mut values = first.to_vec();
        values.extend(given.iter().skip(first.len()).take(DEFAULTS.len()));
        values
    }

    /// Adds the shape of a chunk, where it has one to store.
    pub(crate) fn push_shape(values: &mut Vec<u32>, shape: &[u64], most: usize) {
        let lens: Option<Vec<u32>> = shape.iter().map(|&len| u32::try_from(len).ok()).collect();
        let (Some(lens), Ok(ndim)) = (lens, u32::try_from(shape.len())) else {
            return;
        };
        if (2..=most).contains(&shape.len()) {
            values.extend(DEFAULTS.iter().skip(values.len().saturating_sub(4)));
            values.push(ndim);
            values.extend(lens);
        }
    }
}

fn byte(name: &'static str, value: u32, most: u8, expected: &'static str) -> Result<u8> {
    u8::try_from(value)
        .ok()
        .filter(|&value| value <= most)
        .ok_or(Error::Option {
            name,
            value,
            expected,
        })
}

/// HDF5 stores 32 bits, which every platform with its library has in a `usize`.
pub(crate) fn usize_of(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// A 32-bit field of a size in memory.
pub(crate) fn u32_of(value: usize) -> Option<u32> {
    u32::try_from(value).ok()
}
