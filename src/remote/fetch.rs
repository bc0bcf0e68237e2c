//! The chunks of one read: which of their bytes are missing.

use std::ops::Range;

use super::RemoteFrame;
use super::policy::ReadPolicy;
use crate::b2nd::WantedChunk;
use crate::chunk::HEADER_LEN;
use crate::error::{Error, Part, Result};
use crate::num::{saturating_usize, to_u64};
use crate::schunk::ChunkSource;
use crate::storage::{Fetched, Pieces, Pin, ReadAt};

/// Chunks up to this size are fetched as a whole.
const SMALL_CHUNK: u64 = 16 << 10;

/// Blocks end up to this part later than their mean size says.
const MARGIN: u64 = 16;

/// The chunks that a read needs, as long as something of them is missing.
#[derive(Debug)]
pub(super) struct Fetch<'a> {
    reader: &'a RemoteFrame,
    policy: ReadPolicy,
    chunks: Vec<WantedChunk>,
    began: bool,
    /// Ranges that the read itself has asked for.
    more: Vec<Range<u64>>,
    /// Ranges that were asked for and did not arrive yet.
    under_way: Vec<Range<u64>>,
    /// Ranges that arrived since chunks were last looked through.
    arrived: Vec<Range<u64>>,
    /// Chunks of which nothing is missing, and that were not decoded.
    held: Vec<u64>,
    pins: Vec<(Range<u64>, Pin)>,
}

/// The estimate of a chunk of which nothing was read yet.
struct Estimate {
    /// The bytes of the chunk up to the last wanted block, probably.
    place: Range<u64>,
    /// Their price, in one round if the blocks are not larger than the mean.
    front: u64,
    /// The price of the whole chunk, in one round.
    whole: u64,
    /// The price of the wanted blocks, in two rounds.
    parts: u64,
}

impl<'a> Fetch<'a> {
    pub(super) fn new(
        reader: &'a RemoteFrame,
        chunks: Vec<WantedChunk>,
        policy: &ReadPolicy,
    ) -> Self {
        Self {
            reader,
            policy: *policy,
            chunks,
            began: false,
            more: Vec::new(),
            under_way: Vec::new(),
            arrived: Vec::new(),
            held: Vec::new(),
            pins: Vec::new(),
        }
    }

    /// The ranges to fetch next.
    pub(super) fn needs(&mut self) -> Vec<Range<u64>> {
        let pieces = &self.reader.store().storage;
        let mut ranges: Vec<Range<u64>> = std::mem::take(&mut self.more);
        if !std::mem::replace(&mut self.began, true) {
            ranges.extend(self.at_once());
        }
        let known = ranges.clone();
        let mut left = Vec::new();
        for chunk in std::mem::take(&mut self.chunks) {
            // The bytes of this chunk are under way: nothing can be said about it yet.
            let waits = |range: &Range<u64>| known.iter().any(|whole| whole.contains(&range.start));
            match self.probe(&chunk) {
                Some(missing) => {
                    ranges.extend(missing.into_iter().filter(|range| !waits(range)));
                    left.push(chunk);
                }
                None => self.held.push(chunk.nchunk),
            }
        }
        self.chunks = left;
        let gaps = ranges.into_iter().flat_map(|range| pieces.gaps(range));
        self.under_way = self.policy.requests(gaps.collect());
        self.under_way.clone()
    }

    /// The chunks of which all has arrived, each of them once.
    pub(super) fn take_held(&mut self) -> Vec<u64> {
        let arrived = std::mem::take(&mut self.arrived);
        if !arrived.is_empty() {
            let mut left = Vec::with_capacity(self.chunks.len());
            for chunk in std::mem::take(&mut self.chunks) {
                let place = probable_place(self.reader, chunk.nchunk);
                let touches = |ranges: &[Range<u64>]| {
                    place.as_ref().is_some_and(|place| touches(ranges, place))
                };
                let look = touches(&arrived) && !touches(&self.under_way);
                match look && self.probe(&chunk).is_none() {
                    true => self.held.push(chunk.nchunk),
                    false => left.push(chunk),
                }
            }
            self.chunks = left;
        }
        std::mem::take(&mut self.held)
    }

    /// Lets go of what no chunk needs that is still to come.
    pub(super) fn release(&mut self) {
        let place = |chunk: &WantedChunk| probable_place(self.reader, chunk.nchunk);
        let mut places: Vec<Range<u64>> = self.chunks.iter().filter_map(place).collect();
        places.extend_from_slice(&self.more);
        self.pins.retain(|(range, _)| touches(&places, range));
    }

    /// The ranges that are missing of a chunk; `None` when there are none, or when the read itself
    /// has to report an error.
    fn probe(&self, chunk: &WantedChunk) -> Option<Vec<Range<u64>>> {
        let opened = self.reader.lazy_chunk(chunk.nchunk);
        let loaded = opened.and_then(|mut opened| opened.load(&chunk.ranges));
        loaded
            .err()
            .and_then(|error| missing(&error).map(<[_]>::to_vec))
    }

    /// The bytes of the chunks that are fetched without knowing their blocks.
    fn at_once(&self) -> Vec<Range<u64>> {
        let estimate = |chunk: &WantedChunk| self.estimate(chunk);
        let chunks: Vec<Estimate> = self.chunks.iter().filter_map(estimate).collect();
        let price = |of: fn(&Estimate) -> u64| {
            let prices = chunks.iter().map(of);
            prices.fold(0, u64::saturating_add)
        };
        let one_round = price(|chunk| chunk.whole);
        let two_rounds = price(|chunk| chunk.front.min(chunk.parts));
        let all = one_round <= two_rounds.saturating_add(self.policy.round);
        chunks
            .into_iter()
            .filter(|chunk| all || chunk.front <= chunk.parts)
            .map(|chunk| chunk.place)
            .collect()
    }

    /// `None` for a chunk without bytes of its own.
    fn estimate(&self, chunk: &WantedChunk) -> Option<Estimate> {
        let place = probable_place(self.reader, chunk.nchunk)?;
        let len = place.end.saturating_sub(place.start);
        let layout = self.reader.layout();
        let blocksize = layout.blocksize.max(1);
        let nblocks = to_u64(layout.chunksize.unwrap_or(0).div_ceil(blocksize).max(1));
        let block = |at: usize| to_u64(at).checked_div(to_u64(blocksize)).unwrap_or(0);
        let each = len.checked_div(nblocks).unwrap_or(len);
        let blocks = chunk.ranges.iter().flat_map(|range| {
            let last = block(range.end.saturating_sub(1));
            block(range.start)..last.saturating_add(1)
        });
        let places = blocks.map(|block| {
            let at = block.saturating_mul(each);
            at..at.saturating_add(each)
        });
        let places: Vec<Range<u64>> = places.collect();
        let last = places.iter().map(|place| place.end).max().unwrap_or(len);
        let requests = self.policy.requests(places);
        let nbytes = requests
            .iter()
            .map(|range| range.end.saturating_sub(range.start));
        let nbytes = nbytes.fold(0, u64::saturating_add);
        // The header with the table of blocks is a request of its own.
        let count = to_u64(requests.len()).saturating_add(1);
        let parts = match len <= SMALL_CHUNK {
            true => u64::MAX,
            false => self.policy.price(count, nbytes),
        };
        // The table, and something more for blocks that are larger than the mean. Where a block is
        // somewhere else, another round fetches it.
        let table = to_u64(HEADER_LEN).saturating_add(nblocks.saturating_mul(4));
        let spare = last.div_ceil(MARGIN).saturating_add(each);
        let front = last.saturating_add(table).saturating_add(spare).min(len);
        // Nearly all of it is all of it: then nothing can be missing.
        let nearly = len.saturating_sub(len.div_ceil(4));
        let front = match len <= SMALL_CHUNK || front >= nearly {
            true => len,
            false => front,
        };
        Some(Estimate {
            place: place.start..place.start.saturating_add(front),
            front: self.policy.price(1, front),
            whole: self.policy.price(1, len),
            parts,
        })
    }

    pub(super) fn give(&mut self, at: u64, bytes: &Fetched) {
        let pin = self.reader.store().storage.give_pinned(at, bytes);
        let range = at..at.saturating_add(to_u64((**bytes).as_ref().len()));
        let here = |part: &Range<u64>| range.start <= part.start && part.end <= range.end;
        self.under_way.retain(|part| !here(part));
        self.arrived.push(range.clone());
        self.pins.push((range, pin));
    }

    /// Notes what a read lacks; other errors are returned.
    pub(super) fn note(&mut self, error: Error) -> Result<()> {
        match missing(&error) {
            Some(ranges) => {
                self.more.extend_from_slice(ranges);
                Ok(())
            }
            None => Err(error),
        }
    }
}

/// Whether a range overlaps one of some others.
fn touches(ranges: &[Range<u64>], place: &Range<u64>) -> bool {
    let overlaps = |one: &Range<u64>| one.start < place.end && place.start < one.end;
    ranges.iter().any(overlaps)
}

/// The bytes that a stored chunk probably takes.
fn probable_place(reader: &RemoteFrame, nchunk: u64) -> Option<Range<u64>> {
    let header = reader.header();
    let place = u64::try_from(reader.contents.entry(nchunk).ok()?).ok()?;
    let len = match reader.guess(nchunk, place) {
        // A later chunk lies before this one: the next one by position.
        0 => {
            let places = reader.contents.index.iter();
            let others = places.filter_map(|&raw| u64::try_from(raw).ok());
            let next = others.filter(|&other| other > place).min();
            next.unwrap_or(header.cbytes).saturating_sub(place)
        }
        len => len.min(header.cbytes.saturating_sub(place)),
    };
    let start = header.header_len.saturating_add(place);
    Some(start..start.saturating_add(len))
}

/// The ranges to fetch before what failed with this error can succeed.
pub(super) fn missing(error: &Error) -> Option<&[Range<u64>]> {
    match error {
        Error::InChunk { source, .. } | Error::InFile { source, .. } => missing(source),
        Error::Io { source, .. } => Pieces::missing(source),
        _ => None,
    }
}

/// Fetches ranges in one call.
pub(super) fn fetch_all(
    storage: &dyn ReadAt,
    ranges: Vec<Range<u64>>,
) -> Result<Vec<(Range<u64>, Vec<u8>)>> {
    let len = |range: &Range<u64>| saturating_usize(range.end.saturating_sub(range.start));
    let mut bytes: Vec<Vec<u8>> = ranges.iter().map(|range| vec![0; len(range)]).collect();
    let mut bufs: Vec<&mut [u8]> = bytes.iter_mut().map(Vec::as_mut_slice).collect();
    let done = storage.read_ranges(&ranges, &mut bufs);
    let at = ranges.first().map(|range| range.start);
    done.map_err(|source| Error::io(Part::ChunksSection, at, source))?;
    Ok(ranges.into_iter().zip(bytes).collect())
}
