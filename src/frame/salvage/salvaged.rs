//! The chunks and metalayers that were saved, and a new frame of them.

use std::io;

use super::losses::Losses;
use super::number::{IndexFound, Numbered, Placed};
use super::probe::Proof;
use super::remains::Remains;
use super::sizes::Expected;
use crate::chunk::{ChunkEncoder, ChunkHeader, Special};
use crate::error::{Error, Part, Result};
use crate::frame::layout::header::FrameHeader;
use crate::frame::layout::offsets::Entry;
use crate::frame::layout::params::FrameParams;
use crate::frame::layout::trailer::SEAL;
use crate::frame::store::located::io_error;
use crate::num::{saturating_usize, to_u64};
use crate::params::{CParams, DParams};
use crate::schunk::{ChunkSink, DEFAULT_CHUNKSIZE, Metalayers, VlMetalayers};
use crate::storage::ReadAt;

/// A chunk that was saved.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SalvagedChunk {
    /// Its number in the frame; `None` for one that the index does not name (of an earlier state
    /// of the frame), or the content of a vlmetalayer without its name.
    pub nchunk: Option<u64>,
    /// The evidence for the number.
    pub placed: Option<Placed>,
    /// The number of its file, in a sparse frame.
    pub file: Option<u64>,
    /// Its offset in the file in bytes; that of the index when it stands there alone.
    pub offset: u64,
    /// The uncompressed size in bytes.
    pub nbytes: usize,
    /// The compressed size in bytes; 0 when it stands in the index alone.
    pub cbytes: usize,
    /// The value, when it stands in the index alone.
    pub special: Option<Special<'static>>,
    /// How sure it is that nothing has changed.
    pub proof: Proof,
    pub(super) header: Option<ChunkHeader>,
}

impl SalvagedChunk {
    /// Those that have a number, and those that have none.
    pub(super) fn lists(chunks: impl IntoIterator<Item = Numbered>) -> (Vec<Self>, Vec<Self>) {
        let (mut placed, mut unplaced) = (Vec::new(), Vec::new());
        for chunk in chunks {
            let list = if chunk.nchunk.is_some() {
                &mut placed
            } else {
                &mut unplaced
            };
            list.push(Self::stored(&chunk));
        }
        (placed, unplaced)
    }

    fn stored(chunk: &Numbered) -> Self {
        let Numbered {
            found,
            nchunk,
            file,
        } = chunk;
        Self {
            nchunk: nchunk.map(|(nchunk, _)| nchunk),
            placed: nchunk.map(|(_, placed)| placed),
            file: *file,
            offset: found.at,
            nbytes: saturating_usize(found.header.nbytes),
            cbytes: saturating_usize(found.header.cbytes),
            special: None,
            proof: found.proof,
            header: Some(found.header),
        }
    }

    pub(super) fn special(
        nchunk: u64,
        special: Special<'static>,
        offset: u64,
        nbytes: usize,
    ) -> Self {
        Self {
            nchunk: Some(nchunk),
            placed: Some(Placed::Index),
            file: None,
            offset,
            nbytes,
            cbytes: 0,
            special: Some(special),
            proof: Proof::Decodes,
            header: None,
        }
    }
}

/// Adds the chunks that stand in the index alone.
pub(super) fn specials(index: &IndexFound, expected: &Expected, chunks: &mut Vec<SalvagedChunk>) {
    for (nchunk, &raw) in (0..).zip(&index.entries) {
        if let Some(Entry::Special(special)) = Entry::from_raw(raw)
            && !expected.vlblocks
            && let Some(nbytes) = expected.nbytes_of(nchunk)
        {
            chunks.push(SalvagedChunk::special(nchunk, special, index.at, nbytes));
        }
    }
}

/// Everything found of a frame.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) remains: Remains,
    pub(super) chunks: Vec<SalvagedChunk>,
    pub(super) unplaced: Vec<SalvagedChunk>,
    pub(super) expected: Expected,
    pub(super) placed: Placed,
    pub(super) losses: Losses,
}

/// The storage of the chunks.
pub(super) trait Stored: std::fmt::Debug {
    /// The file of the frame, or that of a chunk.
    fn open(&self, file: Option<u64>) -> io::Result<Box<dyn ReadAt + '_>>;
}

/// A damaged frame, as far as it could be read.
#[derive(Debug)]
pub struct Salvaged<'a> {
    stored: Box<dyn Stored + 'a>,
    remains: Remains,
    chunks: Vec<SalvagedChunk>,
    unplaced: Vec<SalvagedChunk>,
    expected: Expected,
    placed: Placed,
    losses: Losses,
    dparams: DParams,
}

impl<'a> Salvaged<'a> {
    pub(super) fn new(
        stored: Box<dyn Stored + 'a>,
        collected: Collected,
        dparams: &DParams,
    ) -> Self {
        let Collected {
            mut remains,
            chunks,
            unplaced,
            expected,
            placed,
            losses,
        } = collected;
        // The checksums are those of the old frame.
        remains.vlmetalayers.remove(SEAL);
        Self {
            stored,
            remains,
            chunks,
            unplaced,
            expected,
            placed,
            losses,
            dparams: dparams.clone(),
        }
    }

    /// The header, unless it is lost.
    pub fn header(&self) -> Option<&FrameHeader> {
        self.remains.header.as_ref()
    }

    /// The fixed metalayers that could be read.
    pub fn metalayers(&self) -> &Metalayers {
        &self.remains.metalayers
    }

    /// The variable-length metalayers that could be read; without a seal, which is void.
    pub fn vlmetalayers(&self) -> &VlMetalayers {
        &self.remains.vlmetalayers
    }

    /// The chunks that were saved and have a place, by their numbers. No two overlap.
    pub fn chunks(&self) -> &[SalvagedChunk] {
        &self.chunks
    }

    /// Whole chunks without a place in the frame: replaced or deleted ones, and the contents of
    /// vlmetalayers whose names are lost.
    pub fn unplaced(&self) -> &[SalvagedChunk] {
        &self.unplaced
    }

    /// The evidence for the numbers of the chunks as a whole.
    pub fn placed(&self) -> Placed {
        self.placed
    }

    /// The number of chunks of the frame, as far as anything says it.
    pub fn nchunks(&self) -> u64 {
        self.expected.nchunks.unwrap_or_default()
    }

    /// The size of every chunk but the last in bytes; `None` when they differ, or nothing is left
    /// that says it.
    pub fn chunksize(&self) -> Option<usize> {
        self.expected.chunksize
    }

    /// The numbers of the chunks that are lost, in order.
    pub fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        let mut numbers = self
            .chunks
            .iter()
            .filter_map(|chunk| chunk.nchunk)
            .peekable();
        (0..self.nchunks()).filter(move |&nchunk| {
            while numbers.next_if(|&number| number < nchunk).is_some() {}
            numbers.peek() != Some(&nchunk)
        })
    }

    /// The losses: each names the part, the offset and the numbers. At most 10,000;
    /// [`more_losses`](Self::more_losses) counts the others.
    pub fn losses(&self) -> &[Error] {
        &self.losses.errors
    }

    /// How many losses there are beside those in [`losses`](Self::losses).
    pub fn more_losses(&self) -> u64 {
        self.losses.more
    }

    /// Whether nothing is lost.
    pub fn is_whole(&self) -> bool {
        self.losses.errors.is_empty() && self.missing().next().is_none()
    }

    /// The bytes of a chunk as stored: of one that stands in the index alone, an equivalent chunk.
    ///
    /// # Errors
    /// When the storage fails, or the chunk is larger than the limits allow.
    pub fn chunk(&self, chunk: &SalvagedChunk) -> Result<Vec<u8>> {
        if let Some(special) = chunk.special {
            return self.filled(special, chunk.nbytes, false);
        }
        let part = Part::ChunksSection;
        self.dparams
            .limits
            .check_alloc(to_u64(chunk.cbytes), Some(chunk.offset))?;
        let mut bytes = vec![0; chunk.cbytes];
        let file = self.stored.open(chunk.file);
        file.and_then(|file| file.read_exact_at(&mut bytes, chunk.offset))
            .map_err(|source| io_error(part, chunk.offset, source))?;
        Ok(bytes)
    }

    /// The parameters of a frame like the old one: from its header, or else from a chunk.
    ///
    /// # Errors
    /// When what remains of them cannot be written, such as the fields of a damaged header.
    pub fn params(&self) -> Result<FrameParams> {
        let of_header = self.header().map(FrameHeader::cparams).transpose();
        let of_chunk = || self.chunks.iter().find_map(|chunk| chunk.header.as_ref());
        let cparams = match of_header {
            Ok(Some(cparams)) => cparams,
            _ => of_chunk().map_or_else(|| CParams::new(1), cparams_of),
        };
        let chunksize = self.chunksize();
        let size = chunksize.unwrap_or(DEFAULT_CHUNKSIZE);
        let mut params = FrameParams::new(cparams, size).dparams(self.dparams.clone());
        params.metalayers = self.remains.metalayers.clone();
        params.vlmetalayers = self.remains.vlmetalayers.clone();
        if self
            .header()
            .is_some_and(|header| header.chunksize.is_none())
        {
            params.kept_chunksize = Some(None);
        }
        Ok(params)
    }

    /// Appends the chunks to a new frame, each at its number; `fill` stands for those that are
    /// lost, and their numbers are returned. A lost chunk of unknown size, in a frame whose chunks
    /// differ, becomes one item.
    ///
    /// # Errors
    /// When a chunk cannot be read or stored, or `fill` does not fit the typesize.
    pub fn write_in(
        &self,
        sink: &mut (impl ChunkSink + ?Sized),
        fill: Special<'_>,
    ) -> Result<Vec<u64>> {
        let present: u64 = self.chunks.iter().map(|chunk| to_u64(chunk.nbytes)).sum();
        let nmissing = self.nchunks().saturating_sub(self.chunks.len() as u64);
        let share = self
            .expected
            .share(present, nmissing, sink.layout().typesize);
        let mut missing = Vec::new();
        let mut filled: Option<(usize, Vec<u8>)> = None;
        let mut chunks = self.chunks.iter().peekable();
        for nchunk in 0..self.nchunks() {
            let bytes = if let Some(chunk) = chunks.next_if(|chunk| chunk.nchunk == Some(nchunk)) {
                self.chunk(chunk)?
            } else {
                missing.push(nchunk);
                let nbytes = self.expected.nbytes_of(nchunk).unwrap_or(share);
                match &filled {
                    Some((size, bytes)) if *size == nbytes => bytes.clone(),
                    _ => {
                        let bytes = self.filled(fill, nbytes, self.expected.vlblocks)?;
                        filled = Some((nbytes, bytes.clone()));
                        bytes
                    }
                }
            };
            sink.append_owned_chunk(bytes)?;
        }
        Ok(missing)
    }

    /// A chunk of a special value.
    fn filled(&self, special: Special<'_>, nbytes: usize, vlblocks: bool) -> Result<Vec<u8>> {
        let mut cparams = self.params()?.cparams;
        if vlblocks {
            self.dparams.limits.check_alloc(nbytes as u64, None)?;
            let encoder = ChunkEncoder::new(CParams::new(cparams.typesize));
            return encoder?.encode_vlblocks(&[vec![0; nbytes.max(1)]]);
        }
        let plain = matches!(special, Special::Zeros | Special::Uninit);
        if plain && nbytes.checked_rem(cparams.typesize) != Some(0) {
            cparams = CParams::new(1);
        }
        let cparams = CParams::new(cparams.typesize).blocksize(cparams.blocksize);
        ChunkEncoder::new(cparams)?.encode_special(special, nbytes)
    }
}

/// The parameters that a chunk was compressed with, as far as its header says them.
fn cparams_of(header: &ChunkHeader) -> CParams {
    let cparams = CParams::new(header.typesize.into())
        .codec(header.codec().unwrap_or_default())
        .codec_meta(header.codec_meta)
        .filter_slots(header.filters);
    match cparams.validate() {
        Ok(()) => cparams,
        Err(_) => CParams::new(header.typesize.into()),
    }
}
