//! Single chunks with n-dimensional blocks: the Zarr codec `oxiblosc.b2nd_chunk`.
//!
//! ```text
//! | header | offsets of blocks | block | block | ...      read first: header and offsets,
//!                                                          then the blocks that a box touches
//! ```

use std::borrow::Cow;
use std::ops::Range;

use oxiblosc::b2nd::{Array as Blosc, ArrayParams, AxisSelection, Grid};
use oxiblosc::schunk::{ChunkLayout, Metalayers, StoredChunk};
use oxiblosc::{ChunkDecoder, ChunkHeader, ChunkSource, DParams, Error, FilterId, Result, Threads};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::array::expect_size;
use crate::bytes::{Source, Target};
use crate::create::array_params;
use crate::failure::{detached, raise};
use crate::params::{Params, dparams};

/// The length of the header of a chunk, in bytes.
const HEADER: usize = 32;

/// Chunks of one shape, dtype and partition into blocks.
#[pyclass(frozen, module = "oxiblosc._native")]
pub(crate) struct B2ndChunks {
    params: ArrayParams,
    grid: Grid,
    metalayers: Metalayers,
    dparams: DParams,
}

/// A super-chunk of one chunk. Bytes that were not read are zeros.
struct One<'a> {
    bytes: Cow<'a, [u8]>,
    layout: ChunkLayout,
    codec: &'a B2ndChunks,
}

impl ChunkSource for One<'_> {
    fn layout(&self) -> ChunkLayout {
        self.layout
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        if nchunk > 0 {
            return Err(Error::out_of_bounds("chunk", nchunk, 1));
        }
        Ok(StoredChunk::Bytes(Cow::Borrowed(&self.bytes)))
    }

    fn dparams(&self) -> &DParams {
        &self.codec.dparams
    }

    fn metalayers(&self) -> &Metalayers {
        &self.codec.metalayers
    }

    fn vlmetalayer(&self, _name: &str) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    fn vlmetalayer_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn decode_chunk_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        decoder.in_chunk(nchunk, |decoder| decoder.decode_into(&self.bytes, dst))
    }

    fn chunk_is_in_memory(&self, _nchunk: u64) -> bool {
        true
    }
}

impl B2ndChunks {
    fn one<'a>(&'a self, bytes: Cow<'a, [u8]>) -> Result<One<'a>> {
        let header = ChunkHeader::parse(&bytes)?;
        let mut layout = ChunkLayout::new(self.grid.typesize());
        layout.nchunks = 1;
        layout.nbytes = header.nbytes.into();
        layout.cbytes = header.cbytes.into();
        let whole = |size: u32| usize::try_from(size).unwrap_or(usize::MAX);
        layout.chunksize = Some(whole(header.nbytes));
        layout.blocksize = whole(header.blocksize);
        Ok(One {
            bytes,
            layout,
            codec: self,
        })
    }

    fn read(&self, bytes: Cow<'_, [u8]>, part: &[Range<u64>], dst: &mut [u8]) -> Result<usize> {
        let axes: Vec<AxisSelection> = part.iter().cloned().map(AxisSelection::from).collect();
        Blosc::open_in(self.one(bytes)?)?.slice_bytes_into(axes, dst)
    }

    /// The numbers of the blocks that hold elements of a box.
    fn touched(&self, part: &[Range<u64>]) -> Vec<usize> {
        let mut blocks = vec![0_u64];
        let lens = self.grid.blockshape().iter().zip(self.grid.block_grid());
        for (range, (&len, &count)) in part.iter().zip(lens) {
            let (first, last) = if range.is_empty() || len == 0 {
                (0, 0)
            } else {
                (range.start / len, range.end.div_ceil(len).min(count))
            };
            let along = |&block: &u64| (first..last).map(move |at| block * count + at);
            blocks = blocks.iter().flat_map(along).collect();
        }
        let number = |block| usize::try_from(block).unwrap_or(usize::MAX);
        blocks.into_iter().map(number).collect()
    }

    /// Refuses pieces that lack bytes of a box, which would read as zeros.
    fn check_pieces(
        &self,
        front: &[u8],
        pieces: &[(usize, Source)],
        part: &[Range<u64>],
    ) -> Result<()> {
        let places = self.places(front, &self.touched(part))?;
        let has = |(start, stop): &(u64, u64)| {
            pieces.iter().any(|(at, piece)| {
                let at = u64::try_from(*at).unwrap_or(u64::MAX);
                let len = u64::try_from(piece.bytes().len()).unwrap_or(0);
                at <= *start && *stop <= at.saturating_add(len)
            })
        };
        match places {
            Some(places) if places.iter().all(has) => Ok(()),
            _ => Err(Error::refused(
                "decode a box of a chunk",
                "bytes of its blocks are missing",
            )),
        }
    }

    /// The ranges of bytes of these blocks; nothing when the whole chunk has to be read.
    fn places(&self, front: &[u8], blocks: &[usize]) -> Result<Option<Vec<(u64, u64)>>> {
        let header = ChunkHeader::parse(front)?;
        if header.is_vlblocks() || header.has_dict() || !header.is_extended() {
            return Ok(None);
        }
        let blocksize = u64::from(header.blocksize).max(1);
        let count = usize::try_from(u64::from(header.nbytes).div_ceil(blocksize));
        let count = count.unwrap_or(usize::MAX);
        let table = front.get(HEADER..).unwrap_or_default().as_chunks::<4>().0;
        let end = u64::from(header.cbytes);
        let mut places = Vec::with_capacity(blocks.len());
        if header.is_memcpyed() {
            let place = |&block: &usize| {
                let start = 32
                    + u64::try_from(block)
                        .unwrap_or(u64::MAX)
                        .saturating_mul(blocksize);
                (start.min(end), start.saturating_add(blocksize).min(end))
            };
            places.extend(blocks.iter().map(place));
            return Ok(Some(places));
        }
        // Special values have no table; a table that was not read is damage, which decoding names.
        if table.len() < count || end <= 32 {
            return Ok(None);
        }
        let starts: Vec<u64> = table[..count]
            .iter()
            .map(|&start| u32::from_le_bytes(start).into())
            .collect();
        let mut sorted = starts.clone();
        sorted.sort_unstable();
        let delta = header.filters.iter().any(|slot| slot.id == FilterId::DELTA);
        for &block in blocks.iter().chain(delta.then_some(&0)) {
            let Some(&start) = starts.get(block) else {
                return Ok(None);
            };
            let next = sorted.get(sorted.partition_point(|&other| other <= start));
            places.push((start.min(end), next.map_or(end, |&next| next.min(end))));
        }
        Ok(Some(places))
    }
}

fn ranges(part: &[(u64, u64)]) -> Vec<Range<u64>> {
    part.iter().map(|&(start, stop)| start..stop).collect()
}

#[pymethods]
impl B2ndChunks {
    /// Chunks of a shape, with blocks of a shape or automatic ones.
    #[new]
    #[pyo3(signature = (dtype, shape, blocks, cparams))]
    fn new(
        dtype: &str,
        shape: Vec<u64>,
        blocks: Option<Vec<u64>>,
        cparams: Params,
    ) -> PyResult<Self> {
        let params = array_params(dtype, &shape, Some(shape.clone()), blocks, &cparams)?;
        let grid = params.grid().map_err(raise)?;
        if grid.nchunks() != 1 {
            return Err(PyValueError::new_err("chunks without elements"));
        }
        Ok(Self {
            metalayers: params.all_metalayers().map_err(raise)?,
            dparams: dparams(Threads::Serial),
            grid,
            params,
        })
    }

    /// The lengths of a block.
    #[getter]
    fn blocks(&self) -> Vec<u64> {
        self.grid.blockshape().to_vec()
    }

    /// The number of bytes of header and offsets.
    #[getter]
    fn front(&self) -> u64 {
        32 + 4 * self.grid.block_grid().iter().product::<u64>()
    }

    /// Compresses the elements of a chunk, in C order.
    fn encode<'py>(&self, py: Python<'py>, src: Source) -> PyResult<Bound<'py, PyBytes>> {
        let chunk = detached(py, || {
            let array = Blosc::from_bytes(src.bytes(), &self.params)?;
            match array.schunk().chunk(0)? {
                StoredChunk::Bytes(bytes) => Ok(bytes.into_owned()),
                _ => Err(Error::refused("encode a chunk", "it has no bytes")),
            }
        })?;
        Ok(PyBytes::new(py, &chunk))
    }

    /// Decompresses a box of a chunk to `out`.
    fn decode_into(
        &self,
        py: Python<'_>,
        chunk: Source,
        part: Vec<(u64, u64)>,
        mut out: Target,
    ) -> PyResult<()> {
        let (found, len) = detached(py, || {
            let dst = out.bytes_mut();
            let found = self.read(Cow::Borrowed(chunk.bytes()), &ranges(&part), dst)?;
            Ok((found, dst.len()))
        })?;
        expect_size(found, len)
    }

    /// The ranges of bytes that a box needs, beside the front; nothing when that is the whole
    /// chunk.
    fn needs(&self, front: Source, part: Vec<(u64, u64)>) -> PyResult<Option<Vec<(u64, u64)>>> {
        let blocks = self.touched(&ranges(&part));
        self.places(front.bytes(), &blocks).map_err(raise)
    }

    /// [`decode_into`](Self::decode_into) from the front, and the bytes at some offsets.
    fn decode_parts_into(
        &self,
        py: Python<'_>,
        front: Source,
        pieces: Vec<(usize, Source)>,
        part: Vec<(u64, u64)>,
        mut out: Target,
    ) -> PyResult<()> {
        let (found, len) = detached(py, || {
            let part = ranges(&part);
            self.check_pieces(front.bytes(), &pieces, &part)?;
            let header = ChunkHeader::parse(front.bytes())?;
            let cbytes = usize::try_from(header.cbytes).unwrap_or(usize::MAX);
            let mut bytes = vec![0; cbytes.min(oxiblosc::max_chunk_len(self.grid.chunksize()))];
            let front = (0, front.bytes());
            let pieces = pieces.iter().map(|(at, piece)| (*at, piece.bytes()));
            for (at, piece) in std::iter::once(front).chain(pieces) {
                let place = bytes.get_mut(at..).unwrap_or_default();
                let len = place.len().min(piece.len());
                place[..len].copy_from_slice(&piece[..len]);
            }
            let dst = out.bytes_mut();
            let found = self.read(Cow::Owned(bytes), &part, dst)?;
            Ok((found, dst.len()))
        })?;
        expect_size(found, len)
    }
}
