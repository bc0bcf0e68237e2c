//! Salvage of a frame in one piece.

use std::collections::BTreeSet;
use std::ops::Range;

use super::by_index::{at_place, by_index, is_suspect};
use super::find_index::{fits, index_of, read_at};
use super::losses::Losses;
use super::number::{IndexFound, Numbered, Placed, between, by_order, by_seal};
use super::probe::{Found, Prober, Seal};
use super::remains::{Ends, Remains};
use super::salvaged::{Collected, SalvagedChunk, specials};
use super::sizes::Expected;
use super::walk::{Gap, Walked, is_telling, walk};
use crate::chunk::ChunkHeader;
use crate::error::{Error, ErrorKind, Part, Result};
use crate::frame::layout::header::FRAME_HEADER_LEN;
use crate::params::DParams;
use crate::storage::ReadAt;

/// Collects everything that can be read.
pub(super) fn collect(file: &dyn ReadAt, dparams: &DParams) -> Result<Collected> {
    let mut prober = Prober::new(file, dparams)?;
    let mut losses = Losses::default();
    let mut search = Search::new(&mut prober, &mut losses)?;
    search.find(&mut losses)?;
    let (placed, expected) = search.number();
    Ok(search.finish(placed, expected, losses))
}

/// Everything known while chunks are found and numbered.
#[derive(Debug)]
struct Search<'p, 'a> {
    prober: &'p mut Prober<'a>,
    remains: Remains,
    ends: Ends,
    /// Offsets the index may count from.
    bases: Vec<i64>,
    index: Option<IndexFound>,
    seal: Option<Seal>,
    /// In the order of the file.
    chunks: Vec<Numbered>,
    /// Whole chunks that have no place.
    aside: Vec<Numbered>,
    gaps: Vec<Gap>,
    /// Why chunks are not where the index says.
    whys: Vec<(u64, Error)>,
}

impl<'p, 'a> Search<'p, 'a> {
    /// Reads everything but the chunks.
    fn new(prober: &'p mut Prober<'a>, losses: &mut Losses) -> Result<Self> {
        let mut remains = Remains::read(prober, losses)?;
        let ends = remains.ends(prober, losses)?;
        let index = ends.index(prober)?;
        let seal = remains.seal(prober, &ends, index.as_ref())?;
        prober.follow(seal.as_ref());
        Ok(Self {
            prober,
            remains,
            bases: ends.bases(),
            ends,
            index,
            seal,
            chunks: Vec::new(),
            aside: Vec::new(),
            gaps: Vec::new(),
            whys: Vec::new(),
        })
    }

    /// Finds the chunks: where nothing has moved, the index leads to them; all others one after the
    /// other.
    fn find(&mut self, losses: &mut Losses) -> Result<()> {
        if let (Some(index), &[base]) = (&self.index, self.bases.as_slice()) {
            direct(self.prober, index, base, &mut self.chunks, &mut self.whys)?;
            if index.is_met(&self.chunks) {
                return Ok(());
            }
        }
        let end = self.index.as_ref().map_or(self.ends.end, |index| index.at);
        let mut walked = Walked::default();
        for region in uncovered(&self.chunks, self.ends.start..end) {
            walk(self.prober, region, &mut walked)?;
        }
        self.gaps = walked.gaps;
        self.aside = walked.contents.into_iter().map(Numbered::from).collect();
        let mut trailers: BTreeSet<u64> = walked.trailers.iter().map(|(at, _)| at.start).collect();
        if self.ends.has_trailer {
            trailers.insert(self.ends.end);
        } else if let Some((_, section)) = walked.trailers.pop() {
            self.remains.take_trailer(section, losses);
            if self.seal.is_none() {
                let index = self.index.as_ref();
                self.seal = self.remains.seal(self.prober, &self.ends, index)?;
            }
        }
        let data = self.without_indices(walked.chunks, &trailers);
        let data = data.into_iter().map(Numbered::from);
        self.chunks.extend(data);
        self.chunks.sort_unstable_by_key(|chunk| chunk.found.at);
        Ok(())
    }

    /// The chunks that hold data. An index stands before a trailer: that of the frame, after all
    /// chunks, or one of an earlier commit. Without any trailer, the last chunk may be the index;
    /// it is put aside, as it may be data, too.
    fn without_indices(&mut self, chunks: Vec<Found>, trailers: &BTreeSet<u64>) -> Vec<Found> {
        let last = chunks.last().map(|last| last.at);
        let mut data = Vec::new();
        for found in chunks {
            let is_before = trailers.contains(&found.end());
            match is_before.then(|| index_of(self.prober, &found)).flatten() {
                Some(read) if self.index.is_none() && Some(found.at) == last => {
                    self.index = Some(read);
                }
                Some(_) => {}
                None => data.push(found),
            }
        }
        if let Some((last, before)) = data.split_last()
            && trailers.is_empty()
            && self.index.is_none()
            && let Some(read) = index_of(self.prober, last)
            && fits(&read, before, self.ends.header_len)
        {
            self.index = Some(read);
            self.aside.extend(data.pop().map(Numbered::from));
        }
        data
    }

    /// Numbers the chunks, and puts those aside that cannot be of this frame.
    fn number(&mut self) -> (Placed, Expected) {
        let chunks = &mut self.chunks;
        let index = self.index.take();
        let suspect = index
            .as_ref()
            .is_some_and(|index| is_suspect(index, &self.bases, chunks));
        if let Some(index) = index {
            by_index(chunks, &index, &self.bases, &self.gaps);
            let named = chunks.iter().filter(|chunk| chunk.nchunk.is_some());
            if suspect && named.count().saturating_mul(2) < chunks.len() {
                // An index that names this few is damaged itself.
                chunks.iter_mut().for_each(|chunk| chunk.nchunk = None);
            } else {
                self.index = Some(index);
            }
        }
        let sealed = self.seal.as_ref().map(|seal| seal.checksums.as_slice());
        let known = self.index.as_ref().map(|index| index.entries.len());
        let known = known.or(sealed.map(<[u64]>::len)).map(|known| known as u64);
        let headers: Vec<ChunkHeader> = chunks.iter().map(|chunk| chunk.found.header).collect();
        let expected = Expected::of(&self.remains, known, &headers, self.prober.dparams);
        self.aside.extend(expected.set_aside(chunks));
        if let Some(seal) = sealed {
            by_seal(chunks, seal);
        }
        let placed = match (&self.index, sealed) {
            (Some(index), _) => {
                if suspect {
                    between(chunks, index.entries.len() as u64, index.specials());
                }
                Placed::Index
            }
            (None, Some(seal)) => {
                between(chunks, seal.len() as u64, BTreeSet::new());
                Placed::Seal
            }
            (None, None) => {
                let gaps = order_gaps(chunks, &self.gaps);
                by_order(chunks, expected.nchunks, &gaps);
                Placed::Order
            }
        };
        (placed, expected)
    }

    /// Reports what is lost, and hands over the rest.
    fn finish(self, placed: Placed, mut expected: Expected, mut losses: Losses) -> Collected {
        if placed == Placed::Order && self.ends.has_content() {
            let rule = "there is no whole index; chunks are numbered by their order in the file";
            losses.add(Error::broken(Part::Index, self.ends.end, rule));
        }
        let numbers = self.chunks.iter().filter_map(|chunk| chunk.nchunk);
        let numbers: BTreeSet<u64> = numbers.map(|(nchunk, _)| nchunk).collect();
        for (nchunk, why) in self.whys {
            if !numbers.contains(&nchunk) {
                losses.add(why.in_chunk(nchunk));
            }
        }
        report_gaps(self.gaps, self.index.is_some(), &mut losses);
        if self.prober.is_exhausted() {
            let len = self.prober.bytes.len();
            losses.add(Error::limit_exceeded("work of salvage", u64::MAX, len));
        }
        let all = self.chunks.into_iter().chain(self.aside);
        let (mut chunks, unplaced) = SalvagedChunk::lists(all);
        if let Some(index) = &self.index {
            specials(index, &expected, &mut chunks);
        }
        chunks.sort_by_key(|chunk| chunk.nchunk);
        expected.complete(chunks.last().and_then(|chunk| chunk.nchunk));
        Collected {
            remains: self.remains,
            chunks,
            unplaced,
            expected,
            placed,
            losses,
        }
    }
}

/// Takes the chunks that the index names, each up to the next one.
fn direct(
    prober: &mut Prober<'_>,
    index: &IndexFound,
    base: i64,
    chunks: &mut Vec<Numbered>,
    whys: &mut Vec<(u64, Error)>,
) -> Result<()> {
    let places: Vec<(u64, u64)> = index.places().into_iter().collect();
    for (at, &(place, nchunk)) in places.iter().enumerate() {
        let next = places.get(at.saturating_add(1)).map(|&(place, _)| place);
        let end = next.map_or(index.at, |next| at_place(base, next).min(index.at));
        match prober.probe(at_place(base, place), end, false) {
            Ok(found) => chunks.push(Numbered {
                nchunk: Some((nchunk, Placed::Index)),
                ..found.into()
            }),
            Err(error) if error.kind() == ErrorKind::Io => return Err(error),
            Err(error) => whys.push((nchunk, error)),
        }
    }
    Ok(())
}

/// The parts of `region` that no chunk covers.
fn uncovered(chunks: &[Numbered], region: Range<u64>) -> Vec<Range<u64>> {
    let mut at = region.start;
    let mut parts = Vec::new();
    for chunk in chunks {
        if chunk.found.at > at {
            parts.push(at..chunk.found.at);
        }
        at = at.max(chunk.found.end());
    }
    if at < region.end {
        parts.push(at..region.end);
    }
    parts
}

/// Before which chunks, and after the last one, bytes are lost.
fn order_gaps(chunks: &[Numbered], gaps: &[Gap]) -> Vec<bool> {
    let mut gaps = gaps.iter().peekable();
    let starts = chunks.iter().map(|chunk| chunk.found.at);
    starts
        .chain([u64::MAX])
        .map(|start| {
            let mut here = false;
            while gaps.next_if(|gap| gap.range.start < start).is_some() {
                here = true;
            }
            here
        })
        .collect()
}

/// Reports bytes between chunks: all of them when no index says what is missing, or else those
/// about which something can be said.
fn report_gaps(gaps: Vec<Gap>, indexed: bool, losses: &mut Losses) {
    for Gap { range, why } in gaps {
        if let Some(why) = why.filter(is_telling) {
            losses.add(why);
        }
        if !indexed {
            let len = range.end.saturating_sub(range.start);
            let field = "length of whole chunks";
            let part = Part::ChunksSection;
            losses.add(Error::unequal(part, range.start, field, 0, len));
        }
    }
}

impl Ends {
    /// The index where the header says: before the trailer, or else before other bytes.
    fn index(&self, prober: &mut Prober<'_>) -> Result<Option<IndexFound>> {
        let mut apart = None;
        for &at in &self.index_at {
            match read_at(prober, at, self.end) {
                Ok(index) if !self.has_trailer || index.end == self.end => return Ok(Some(index)),
                Ok(index) if index.end < self.end => apart = apart.or(Some(index)),
                Err(error) if error.kind() == ErrorKind::Io => return Err(error),
                _ => {}
            }
        }
        Ok(apart)
    }

    /// Whether there is room for chunks.
    fn has_content(&self) -> bool {
        self.end > self.start.max(FRAME_HEADER_LEN as u64)
    }
}
