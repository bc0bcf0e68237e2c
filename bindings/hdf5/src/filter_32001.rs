//! Filter 32001: a chunk of the dataset is a Blosc1 chunk.

use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc::{ChunkDecoder, ChunkEncoder, ChunkHeader, DParams};

use crate::Claim;
use crate::error::{Error, Result};
use crate::options::{Dataset, Options, u32_of, usize_of};

/// The HDF5 filter 32001, Blosc: keeps the buffers of encoder and decoder.
///
/// ```
/// use oxiblosc_hdf5::{Blosc, Dataset};
///
/// let dataset = Dataset { typesize: 2, chunk: &[1000] };
/// let cd_values = Blosc::cd_values(&[], &dataset)?;
/// let data = [1, 0].repeat(1000);
/// let mut filter = Blosc::default();
/// let chunk = filter.encode(&data, &cd_values)?;
/// assert_eq!(chunk[..2], [2, 1]); // the versions of format and codec that Blosc1 writes
/// assert_eq!(filter.decode(&chunk, &cd_values)?, data);
/// # Ok::<(), oxiblosc_hdf5::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Blosc {
    decoder: Option<ChunkDecoder>,
    encoder: Option<(Vec<u32>, ChunkEncoder)>,
}

impl Blosc {
    /// The number of the filter.
    pub const ID: u32 = 32001;

    /// The name that HDF5 stores with the filter.
    pub const NAME: &'static str = "blosc";

    /// The values that HDF5 stores for a dataset when a program asked for `given`: the version of
    /// the filter and of the format, the typesize in bytes (1 for more than 255), the bytes of a
    /// chunk, and from place 4 on those of the program: level, shuffle, codec.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for chunks of 4 GiB or more.
    pub fn cd_values(given: &[u32], dataset: &Dataset<'_>) -> Result<Vec<u32>> {
        let nbytes = dataset.chunk_nbytes()?;
        let typesize = u32_of(dataset.typesize)
            .filter(|&size| size <= 255)
            .unwrap_or(1);
        Ok(Options::stored(given, [2, 2, typesize, nbytes]))
    }

    /// Compresses a chunk of a dataset; the result is longer than the data when they do not
    /// compress, by 16 bytes at most.
    ///
    /// # Errors
    /// [`Error::Option`] for values outside of their range,
    /// and the errors of [`ChunkEncoder::for_blosc1`].
    pub fn encode(&mut self, data: &[u8], cd_values: &[u32]) -> Result<Vec<u8>> {
        if let Some((_, encoder)) = self
            .encoder
            .as_mut()
            .filter(|(values, _)| values == cd_values)
        {
            return Ok(encoder.encode_blosc1(data)?);
        }
        let options = Options::new(cd_values);
        let mut encoder = ChunkEncoder::for_blosc1(options.cparams(options.typesize().min(255))?)?;
        let chunk = encoder.encode_blosc1(data)?;
        self.encoder = Some((cd_values.to_vec(), encoder));
        Ok(chunk)
    }

    /// Decompresses a chunk of a dataset. Chunks may have 1 GiB, or what `cd_values` state.
    ///
    /// # Errors
    /// Those of [`ChunkDecoder::decode`].
    pub fn decode(&mut self, chunk: &[u8], cd_values: &[u32]) -> Result<Vec<u8>> {
        Ok(self.decoder(cd_values).decode(chunk)?)
    }

    /// Decompresses some elements of a chunk, counted in C order; only the blocks that hold them.
    ///
    /// # Errors
    /// Those of [`ChunkDecoder::decode_items`].
    pub fn decode_items(&mut self, chunk: &[u8], items: Range<usize>) -> Result<Vec<u8>> {
        Ok(self.decoder(&[]).decode_items(chunk, items)?)
    }

    /// Decompresses a chunk into memory that `memory` gives out for its length.
    pub(crate) fn decode_with<'d>(
        &mut self,
        chunk: &[u8],
        cd_values: &[u32],
        memory: Claim<'_, 'd>,
    ) -> Result<&'d mut [u8]> {
        let nbytes = ChunkHeader::parse(chunk)?.nbytes;
        let decoder = self.decoder(cd_values);
        let nbytes = usize_of(nbytes);
        check(decoder, nbytes)?;
        let dst: &mut [MaybeUninit<u8>] = memory(nbytes)?;
        Ok(decoder.decode_uninit(chunk, dst)?)
    }

    fn decoder(&mut self, cd_values: &[u32]) -> &mut ChunkDecoder {
        kept(&mut self.decoder, Options::new(cd_values).dparams())
    }
}

/// The decoder that is kept, or a new one where the limits have changed.
pub(crate) fn kept(decoder: &mut Option<ChunkDecoder>, dparams: DParams) -> &mut ChunkDecoder {
    let last = decoder
        .take()
        .filter(|last| last.dparams().limits == dparams.limits);
    decoder.insert(last.unwrap_or_else(|| ChunkDecoder::new(dparams)))
}

/// Compares the length of a result with the limit, before its memory is taken.
pub(crate) fn check(decoder: &ChunkDecoder, nbytes: usize) -> Result<()> {
    let max = decoder.dparams().limits.max_chunk_nbytes;
    match u64::try_from(nbytes) {
        Ok(nbytes) if nbytes <= max => Ok(()),
        _ => Err(Error::TooLarge {
            nbytes: u64::try_from(nbytes).unwrap_or(u64::MAX),
            max,
        }),
    }
}
