//! Filter 32026: a chunk of the dataset is a contiguous frame with one chunk; from two axes on it
//! has the metalayer of an array whose shape is that of the chunk.

use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc::b2nd::{
    Array, ArrayParams, B2ndMeta, Dtype, Grid, MAX_NDIM, METALAYER, TARGET_BLOCKSIZE,
    auto_blockshape,
};
use oxiblosc::frame::Contiguous;
use oxiblosc::schunk::StoredChunk;
use oxiblosc::storage::Memory;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkHeader, ChunkSink, ChunkSource, DParams, FilterSlot, FrameParams,
    FrameReader, FrameWriter, SChunk, Special,
};

use crate::Claim;
use crate::error::{Error, Result};
use crate::filter_32001::{check, kept};
use crate::options::{Dataset, Options, u32_of};

/// The largest typesize of a chunk; larger elements are cut into bytes.
const MAX_TYPESIZE: usize = 255;

/// Codecs and filters from this id on are registered ones, which may look at the shape.
const FIRST_REGISTERED: u8 = 32;

/// The HDF5 filter 32026, Blosc2: keeps the buffers of the decoder.
///
/// ```
/// use oxiblosc_hdf5::{Blosc2, Dataset};
///
/// let dataset = Dataset { typesize: 8, chunk: &[1000] };
/// let cd_values = Blosc2::cd_values(&[], &dataset)?;
/// let data = 1.5_f64.to_le_bytes().repeat(1000);
/// let mut filter = Blosc2::default();
/// let frame = filter.encode(&data, &cd_values)?;
/// assert_eq!(filter.decode(&frame, &cd_values)?, data);
/// # Ok::<(), oxiblosc_hdf5::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Blosc2 {
    decoder: Option<ChunkDecoder>,
}

/// The frame of a chunk, in the caller's memory.
type Frame<'f> = FrameReader<Contiguous<Memory<&'f [u8]>>>;

/// An opened chunk of a dataset.
enum Content<'f> {
    /// Items in their order.
    Items(Box<Frame<'f>>),
    /// Elements in blocks.
    Array(Box<Array<Frame<'f>>>),
    /// Elements of more than 255 bytes, whose bytes are a further axis.
    Wide(Box<Array<SChunk>>, u64),
}

impl Blosc2 {
    /// The number of the filter.
    pub const ID: u32 = 32026;

    /// The name that HDF5 stores with the filter.
    pub const NAME: &'static str = "blosc2";

    /// The values that HDF5 stores for a dataset when a program asked for `given`: the version of
    /// the filter, the blocksize of the program, the typesize and the size of a chunk in bytes,
    /// then those of the program, level, shuffle, codec; from two axes on their number and the
    /// shape of a chunk.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for chunks of 4 GiB or more.
    pub fn cd_values(given: &[u32], dataset: &Dataset<'_>) -> Result<Vec<u32>> {
        let nbytes = dataset.chunk_nbytes()?;
        let typesize = u32_of(dataset.typesize).unwrap_or(1);
        let blocksize = given.get(1).copied().unwrap_or(0);
        let mut values = Options::stored(given, [1, blocksize, typesize, nbytes]);
        Options::push_shape(&mut values, dataset.chunk, MAX_NDIM);
        Ok(values)
    }

    /// Compresses a chunk of a dataset.
    ///
    /// # Errors
    /// [`Error::Option`] for values outside of their range, and the errors of encoding.
    pub fn encode(&mut self, data: &[u8], cd_values: &[u32]) -> Result<Vec<u8>> {
        let options = Options::new(cd_values);
        let typesize = options.typesize();
        // Another filter may have changed the length of the data.
        let shape = options.chunkshape().filter(|shape| {
            shape.len() <= MAX_NDIM && product(shape, typesize) == u64::try_from(data.len()).ok()
        });
        match shape {
            Some(shape) if data.is_empty() || shape.contains(&0) => encode_items(data, &options),
            Some(shape) if typesize <= MAX_TYPESIZE => encode_array(data, &shape, &options),
            Some(shape) if shape.len() < MAX_NDIM => encode_wide(data, &shape, &options),
            _ => encode_items(data, &options),
        }
    }

    /// Decompresses a chunk of a dataset. Chunks may have 1 GiB, or what `cd_values` state.
    ///
    /// # Errors
    /// Those of opening a frame, of opening it as an array when it has the metalayer, and of
    /// decoding its chunks.
    pub fn decode(&mut self, chunk: &[u8], cd_values: &[u32]) -> Result<Vec<u8>> {
        match open(chunk, Options::new(cd_values).dparams())? {
            Content::Items(frame) => Ok(frame.slice(0..nitems(&frame))?),
            Content::Array(array) => Ok(array.to_bytes()?),
            Content::Wide(array, _) => Ok(array.to_bytes()?),
        }
    }

    /// Decompresses a box of the elements of a chunk, one range for each axis; only the blocks that
    /// hold them. Chunks of one axis count in elements, too.
    ///
    /// # Errors
    /// As [`decode`](Self::decode); and those of a box that is not within the chunk.
    pub fn decode_region(&mut self, chunk: &[u8], region: &[Range<u64>]) -> Result<Vec<u8>> {
        match (open(chunk, Options::new(&[]).dparams())?, region) {
            (Content::Array(array), region) => Ok(array.slice_bytes(region)?),
            (Content::Wide(array, width), region) => {
                let mut region = region.to_vec();
                region.push(0..width);
                Ok(array.slice_bytes(region)?)
            }
            (Content::Items(frame), [items]) => Ok(frame.slice(items.clone())?),
            (Content::Items(_), _) => Err(Error::NoShape),
        }
    }

    /// Decompresses a chunk into memory that `memory` gives out for its length.
    pub(crate) fn decode_with<'d>(
        &mut self,
        chunk: &[u8],
        cd_values: &[u32],
        memory: Claim<'_, 'd>,
    ) -> Result<&'d mut [u8]> {
        let dparams = Options::new(cd_values).dparams();
        match open(chunk, dparams.clone())? {
            Content::Items(frame) => self.decode_items(&frame, dparams, memory),
            Content::Array(array) if in_order(&array)? => {
                self.decode_items(array.schunk(), dparams, memory)
            }
            Content::Array(array) => {
                Ok(array.slice_bytes_uninit(.., memory(size(array.nbytes()))?)?)
            }
            Content::Wide(array, _) => {
                Ok(array.slice_bytes_uninit(.., memory(size(array.nbytes()))?)?)
            }
        }
    }

    /// Decompresses the items of a frame.
    fn decode_items<'d>(
        &mut self,
        frame: &Frame<'_>,
        dparams: DParams,
        memory: Claim<'_, 'd>,
    ) -> Result<&'d mut [u8]> {
        let decoder = kept(&mut self.decoder, dparams);
        let (nchunks, nbytes) = (frame.layout().nchunks, size(frame.layout().nbytes));
        check(decoder, nbytes)?;
        if nchunks == 1
            && let StoredChunk::Bytes(chunk) = frame.chunk(0)?
            && frame.chunk_nbytes(0)? == nbytes
        {
            return Ok(decoder.decode_uninit(&chunk, memory(nbytes)?)?);
        }
        let dst = zeroed(memory(nbytes)?);
        let mut at = 0_usize;
        for nchunk in 0..nchunks {
            let rest = dst.get_mut(at..).unwrap_or_default();
            at = at.saturating_add(frame.decode_chunk_into(decoder, nchunk, rest)?);
        }
        Ok(dst)
    }
}

/// Whether the elements of a chunk lie in C order, in one block, and need no shape to be decoded.
fn in_order(array: &Array<Frame<'_>>) -> Result<bool> {
    if array.blockshape() != array.shape() || array.chunkshape() != array.shape() {
        return Ok(false);
    }
    let StoredChunk::Bytes(chunk) = array.schunk().chunk(0)? else {
        return Ok(true);
    };
    let header = ChunkHeader::parse(&chunk)?;
    let plain = |slot: &FilterSlot| slot.id.get() < FIRST_REGISTERED;
    let codec = header
        .codec()
        .is_some_and(|codec| codec.get() < FIRST_REGISTERED);
    Ok(codec && header.filters.iter().all(plain))
}

/// Opens the frame that a chunk of a dataset is.
fn open(chunk: &[u8], dparams: DParams) -> Result<Content<'_>> {
    let frame = FrameReader::from_bytes(chunk, dparams.clone())?;
    let Some(meta) = frame.metalayers().get(METALAYER) else {
        return Ok(Content::Items(Box::new(frame)));
    };
    let meta = B2ndMeta::parse(meta)?;
    let layout = frame.layout();
    let elements = Grid::new(1, &meta.shape, &meta.chunkshape, &meta.blockshape)?.chunksize();
    let width = layout
        .chunksize
        .and_then(|nbytes| nbytes.checked_div(elements))
        .unwrap_or(1);
    if layout.typesize > 1 || width <= MAX_TYPESIZE || layout.nchunks != 1 {
        return Ok(Content::Array(Box::new(Array::open_in(frame)?)));
    }
    let axis = u64::try_from(width).unwrap_or(u64::MAX);
    let mut schunk = SChunk::new(CParams::new(1), elements.saturating_mul(width))?;
    schunk.set_dparams(dparams);
    let meta = with_axis(&meta, axis);
    schunk
        .metalayers_mut()
        .insert(METALAYER, &meta.to_bytes()?)?;
    match frame.chunk(0)? {
        StoredChunk::Bytes(chunk) => _ = schunk.append_chunk(&chunk)?,
        _ => schunk.append_special(Special::Zeros, layout.nbytes)?,
    }
    Ok(Content::Wide(Box::new(Array::open_in(schunk)?), axis))
}

/// The shapes of an array whose elements are cut into bytes: the same bytes in the same order.
fn with_axis(meta: &B2ndMeta, width: u64) -> B2ndMeta {
    let [shape, chunks, blocks] = [&meta.shape, &meta.chunkshape, &meta.blockshape]
        .map(|lens| lens.iter().copied().chain([width]).collect::<Vec<u64>>());
    B2ndMeta::new(&shape, &chunks, &blocks, "|V1")
}

/// Compresses elements in blocks.
fn encode_array(data: &[u8], shape: &[u64], options: &Options<'_>) -> Result<Vec<u8>> {
    let typesize = options.typesize();
    let params = ArrayParams::with_dtype(Dtype::void(typesize), shape)
        .chunkshape(shape)
        .blockshape(blockshape(shape, options))
        .cparams(options.cparams(typesize)?);
    let frame = FrameWriter::in_memory(params.frame_params()?)?;
    let array = Array::from_bytes_in(frame, data, &params)?;
    Ok(array.into_inner()?.into_bytes()?)
}

/// Compresses elements of more than 255 bytes in blocks: as bytes along a further axis, stored with
/// the shapes of the elements.
fn encode_wide(data: &[u8], shape: &[u64], options: &Options<'_>) -> Result<Vec<u8>> {
    let width = options.typesize();
    let dtype = Dtype::void(width);
    let meta = B2ndMeta::new(shape, shape, &blockshape(shape, options), dtype.as_str());
    let bytes = with_axis(&meta, u64::try_from(width).unwrap_or(u64::MAX));
    let params = ArrayParams::with_dtype(Dtype::void(1), &bytes.shape)
        .chunkshape(&bytes.chunkshape)
        .blockshape(&bytes.blockshape)
        .cparams(options.cparams(1)?);
    let schunk = Array::from_bytes(data, &params)?.into_inner()?;
    let frame = FrameParams::new(params.chunk_cparams()?, schunk.chunksize());
    let mut frame = FrameWriter::in_memory(frame.metalayer(METALAYER, &meta.to_bytes()?)?)?;
    frame.append_source(&schunk)?;
    Ok(frame.into_bytes()?)
}

/// Compresses items in their order.
fn encode_items(data: &[u8], options: &Options<'_>) -> Result<Vec<u8>> {
    let typesize = match options.typesize() {
        size if size > MAX_TYPESIZE => 1,
        size => size,
    };
    let cparams = options.cparams(typesize)?.blocksize(options.blocksize());
    let mut frame = FrameWriter::in_memory(FrameParams::new(cparams, data.len().max(1)))?;
    frame.append(data)?;
    Ok(frame.into_bytes()?)
}

/// Blocks of about the size that the program asked for.
fn blockshape(shape: &[u64], options: &Options<'_>) -> Vec<u64> {
    let typesize = options.typesize();
    // Elements of another size let the same number of them fill the target.
    let scaled = options.blocksize().map(|nbytes| {
        let elements = (nbytes / typesize).max(1);
        (TARGET_BLOCKSIZE / elements).max(1)
    });
    auto_blockshape(scaled.unwrap_or(typesize), shape)
}

fn product(shape: &[u64], typesize: usize) -> Option<u64> {
    let typesize = u64::try_from(typesize).ok()?;
    shape
        .iter()
        .try_fold(typesize, |nbytes, &len| nbytes.checked_mul(len))
}

fn nitems(frame: &Frame<'_>) -> u64 {
    let layout = frame.layout();
    let typesize = u64::try_from(layout.typesize).unwrap_or(u64::MAX);
    layout.nbytes.checked_div(typesize).unwrap_or(0)
}

/// A size of something that has been compared with the limits, or will be.
fn size(nbytes: u64) -> usize {
    usize::try_from(nbytes).unwrap_or(usize::MAX)
}

/// Memory that was not initialised, filled with zeros.
fn zeroed(memory: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    memory.fill(MaybeUninit::new(0));
    let bytes = std::ptr::from_mut(memory) as *mut [u8];
    // SAFETY: the same bytes, every one of which was just written.
    unsafe { &mut *bytes }
}
