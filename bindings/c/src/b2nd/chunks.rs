//! A super-chunk as the source and sink of an array of the library below.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use oxiblosc::b2nd::{Array, B2ndMeta, METALAYER};
use oxiblosc::schunk::{ChunkLayout, ChunkSink, ChunkSource, Metalayers, StoredChunk};
use oxiblosc::{CParams, ChunkDecoder, DParams, Error, Part, Result};

use super::geometry::Geometry;
use crate::abi::{blosc2_cparams, blosc2_schunk};
use crate::boundary::{Answer, Code};
use crate::context::{Context, core_cparams, core_dparams};
use crate::schunk::read::{ChunkBytes, fetch};
use crate::schunk::{
    blosc2_meta_update, blosc2_schunk_append_chunk, blosc2_schunk_delete_chunk,
    blosc2_schunk_insert_chunk, blosc2_schunk_update_chunk,
};

/// The chunks of an array, for one call.
#[derive(Debug)]
pub(super) struct Chunks {
    schunk: *mut blosc2_schunk,
    layout: ChunkLayout,
    metalayers: Metalayers,
    geometry: Geometry,
    dparams: DParams,
    cparams: Option<CParams>,
    /// Chunks in memory that were asked for; they stay where they are until `self` changes.
    held: Mutex<HashMap<u64, Box<ChunkBytes>>>,
}

// SAFETY: the super-chunk has a lock of its own, which the functions that get the pointer take.
unsafe impl Send for Chunks {}
// SAFETY: as above.
unsafe impl Sync for Chunks {}

/// A number of the sizes and counts in the public fields.
fn number(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// An error of a function of C, as one of the library below.
fn failed(code: Code) -> Error {
    let source = std::io::Error::other(format!("error {} of the super-chunk", code.0));
    Error::io(Part::B2nd, None, source)
}

impl Chunks {
    /// The chunks of an array of this geometry, to be read.
    ///
    /// # Safety
    /// `schunk` is a super-chunk of this library, whose contexts are valid.
    pub(super) unsafe fn new(schunk: *mut blosc2_schunk, geometry: &Geometry) -> Answer<Self> {
        if schunk.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: a super-chunk by the caller's promise; the place of a field.
        let place = unsafe { &raw const (*schunk).dctx };
        // SAFETY: initialised.
        let dctx = unsafe { place.read() };
        // SAFETY: the context of the super-chunk, or one that the caller put in its place.
        let context = unsafe { Context::at(dctx) }?;
        // SAFETY: the context was made with these parameters.
        let (dparams, _) = unsafe { core_dparams(context.dparams(), dctx) }?;
        let mut metalayers = Metalayers::new();
        metalayers.insert(METALAYER, &geometry.plain_meta()?)?;
        let mut chunks = Self {
            schunk,
            layout: ChunkLayout::new(geometry.typesize),
            metalayers,
            geometry: geometry.clone(),
            dparams,
            cparams: None,
            held: Mutex::default(),
        };
        chunks.measure()?;
        Ok(chunks)
    }

    /// As [`new`](Self::new), to be changed too.
    ///
    /// # Safety
    /// As for [`new`](Self::new).
    pub(super) unsafe fn to_change(
        schunk: *mut blosc2_schunk,
        geometry: &Geometry,
    ) -> Answer<Self> {
        // SAFETY: the caller's promise.
        unsafe { Self::with_cparams(schunk, geometry, |_| ()) }
    }

    /// As [`to_change`](Self::to_change), for chunks of one value, which need no dictionary.
    ///
    /// # Safety
    /// As for [`new`](Self::new).
    pub(super) unsafe fn to_fill(schunk: *mut blosc2_schunk, geometry: &Geometry) -> Answer<Self> {
        // SAFETY: the caller's promise.
        unsafe { Self::with_cparams(schunk, geometry, |cparams| cparams.use_dict = 0) }
    }

    /// As [`to_change`](Self::to_change), with other parameters than those of the context.
    ///
    /// # Safety
    /// As for [`new`](Self::new).
    unsafe fn with_cparams(
        schunk: *mut blosc2_schunk,
        geometry: &Geometry,
        adapt: impl FnOnce(&mut blosc2_cparams),
    ) -> Answer<Self> {
        // SAFETY: the caller's promise.
        let mut chunks = unsafe { Self::new(schunk, geometry) }?;
        // SAFETY: a super-chunk by the caller's promise; the place of a field.
        let place = unsafe { &raw const (*schunk).cctx };
        // SAFETY: initialised.
        let cctx = unsafe { place.read() };
        // SAFETY: the context of the super-chunk, or one that the caller put in its place.
        let mut given = *unsafe { Context::at(cctx) }?.cparams();
        adapt(&mut given);
        // SAFETY: the context was made with these parameters.
        let (mut cparams, _) = unsafe { core_cparams(&given, cctx) }?;
        (cparams.typesize, cparams.blocksize) = (geometry.typesize, None);
        chunks.cparams = Some(cparams);
        Ok(chunks)
    }

    /// The array of the library below.
    pub(super) fn array(self) -> Answer<Array<Self>> {
        let dparams = self.dparams.clone();
        Ok(Array::open_in_with(self, dparams)?)
    }

    /// The parameters for new chunks.
    pub(super) fn new_cparams(&self) -> Answer<CParams> {
        self.cparams.clone().ok_or(Code::FAILURE)
    }

    /// Reads the sizes again.
    fn measure(&mut self) -> Answer<()> {
        let (chunksize, blocksize) = self.geometry.sizes()?;
        // SAFETY: a super-chunk by the promise of `new`, whose lock protects it from changes by
        // others; the numbers are copied.
        let public = unsafe { &*self.schunk };
        let (nchunks, nbytes, cbytes) = (public.nchunks, public.nbytes, public.cbytes);
        self.layout.nchunks = number(nchunks);
        self.layout.nbytes = number(nbytes);
        self.layout.cbytes = number(cbytes);
        self.layout.chunksize = Some(usize::try_from(chunksize)?);
        self.layout.blocksize = usize::try_from(blocksize)?;
        Ok(())
    }

    /// The bytes of a chunk; of one on disk those for the data `range` suffice.
    fn bytes(&self, nchunk: u64, range: Option<&Range<usize>>) -> Result<ChunkBytes> {
        let number = i64::try_from(nchunk).unwrap_or(-1);
        // SAFETY: a super-chunk by the promise of `new`.
        let (bytes, _) = unsafe { fetch(self.schunk, number, range) }.map_err(failed)?;
        Ok(bytes)
    }

    /// Ends a change: `code` is what the function of C returned.
    fn changed(&mut self, code: i64) -> Result<()> {
        self.held
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        if code < 0 {
            return Err(failed(Code(i32::try_from(code).unwrap_or(-1))));
        }
        self.measure().map_err(failed)
    }
}

impl ChunkSource for Chunks {
    fn layout(&self) -> ChunkLayout {
        self.layout
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = match held.get(&nchunk) {
            Some(bytes) => &**bytes,
            None => match self.bytes(nchunk, None)? {
                ChunkBytes::Copy(bytes) => return Ok(StoredChunk::Bytes(bytes.into())),
                piece @ ChunkBytes::Piece(_) => &**held.entry(nchunk).or_insert(Box::new(piece)),
            },
        };
        let bytes: *const [u8] = std::ptr::from_ref::<[u8]>(bytes);
        // SAFETY: the box keeps its place while the map grows, and is dropped by calls that take
        // `&mut self` alone.
        Ok(StoredChunk::Bytes(unsafe { &*bytes }.into()))
    }

    fn dparams(&self) -> &DParams {
        &self.dparams
    }

    fn chunk_cparams(&self) -> Option<CParams> {
        self.cparams.clone()
    }

    fn metalayers(&self) -> &Metalayers {
        &self.metalayers
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
        let chunk = self.bytes(nchunk, None)?;
        decoder.in_chunk(nchunk, |decoder| decoder.decode_into(&chunk, dst))
    }

    fn chunk_is_in_memory(&self, _nchunk: u64) -> bool {
        // SAFETY: a super-chunk; a field that does not change.
        unsafe { (*self.schunk).frame.is_null() }
    }

    fn decode_chunk_bytes_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let chunk = self.bytes(nchunk, Some(&bytes))?;
        decoder.in_chunk(nchunk, |decoder| {
            decoder.decode_bytes_into(&chunk, bytes, dst)
        })
    }

    fn decode_chunk_ranges_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let chunk = self.bytes(nchunk, Some(&(start..end)))?;
        decoder.in_chunk(nchunk, |decoder| {
            decoder.decode_ranges_into(&chunk, ranges, dst)
        })
    }
}

impl ChunkSink for Chunks {
    fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64> {
        let start = chunk.as_ptr().cast_mut();
        // SAFETY: the chunk is copied, not changed; a super-chunk by the promise of `new`.
        let code = unsafe { blosc2_schunk_append_chunk(self.schunk, start, true) };
        self.changed(code)?;
        Ok(self.layout.nchunks)
    }

    fn update_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        let (number, start) = (
            i64::try_from(nchunk).unwrap_or(-1),
            chunk.as_ptr().cast_mut(),
        );
        // SAFETY: as for `append_chunk`.
        let code = unsafe { blosc2_schunk_update_chunk(self.schunk, number, start, true) };
        self.changed(code)
    }

    fn insert_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        let (number, start) = (
            i64::try_from(nchunk).unwrap_or(-1),
            chunk.as_ptr().cast_mut(),
        );
        // SAFETY: as for `append_chunk`.
        let code = unsafe { blosc2_schunk_insert_chunk(self.schunk, number, start, true) };
        self.changed(code)
    }

    fn delete_chunk(&mut self, nchunk: u64) -> Result<()> {
        let number = i64::try_from(nchunk).unwrap_or(-1);
        // SAFETY: a super-chunk by the promise of `new`.
        let code = unsafe { blosc2_schunk_delete_chunk(self.schunk, number) };
        self.changed(code)
    }

    /// The metalayer of the array: it keeps the type that callers know.
    fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let meta = B2ndMeta::parse(content)?;
        self.metalayers.update(name, content)?;
        self.geometry = self.geometry.with_shape(&meta.shape);
        let content = self.geometry.meta().map_err(failed)?;
        let len = i32::try_from(content.len()).unwrap_or(-1);
        let start = content.as_ptr().cast_mut();
        // SAFETY: the content is copied, not changed; the name is a C string.
        let code = unsafe { blosc2_meta_update(self.schunk, c"b2nd".as_ptr(), start, len) };
        self.changed(i64::from(code))
    }

    fn set_vlmetalayer(&mut self, _name: &str, _content: &[u8]) -> Result<()> {
        Err(failed(Code::INVALID))
    }

    fn remove_vlmetalayer(&mut self, _name: &str) -> Result<bool> {
        Err(failed(Code::INVALID))
    }
}
