//! Salvage of a frame in a directory: every chunk has a file of its own, so damage to one leaves
//! the others alone.

use std::collections::BTreeSet;
use std::io;

use super::find_index::read_at;
use super::losses::Losses;
use super::number::{IndexFound, Numbered, Placed, by_seal};
use super::probe::{Found, Prober, Seal};
use super::remains::Remains;
use super::salvaged::{Collected, SalvagedChunk, specials};
use super::sizes::Expected;
use super::walk::{Walked, walk};
use crate::chunk::ChunkHeader;
use crate::error::{Error, Part, Result};
use crate::frame::layout::offsets::Entry;
use crate::frame::store::located::io_error;
use crate::frame::store::names::{SPARSE_FRAME_FILE, chunk_number, file_name};
use crate::params::DParams;
use crate::storage::Directory;

/// Collects everything that can be read.
pub(super) fn collect<D: Directory>(dir: &D, dparams: &DParams) -> Result<Collected> {
    let mut losses = Losses::default();
    let (remains, index, seal) = match dir.open(SPARSE_FRAME_FILE) {
        Ok(file) => {
            let mut prober = Prober::new(&file, dparams)?;
            let mut remains = Remains::read(&mut prober, &mut losses)?;
            let ends = remains.ends(&mut prober, &mut losses)?;
            let places = ends.index_at.iter().chain(&ends.header_len);
            let index = places
                .filter_map(|&at| read_at(&mut prober, at, ends.end).ok())
                .find(|index| index.end <= ends.end);
            let seal = remains.seal(&mut prober, &ends, index.as_ref())?;
            (remains, index, seal)
        }
        Err(source) => {
            losses.add(io_error(Part::FrameHeader, 0, source));
            (Remains::default(), None, None)
        }
    };
    let names = dir.names();
    let names = names.map_err(|source| io_error(Part::ChunkFile, 0, source))?;
    let mut numbers: Vec<u64> = names.iter().filter_map(|name| chunk_number(name)).collect();
    numbers.sort_unstable();

    let named = index.as_ref().map(IndexFound::places);
    let mut chunks = Vec::new();
    for number in numbers {
        let nchunk = named
            .as_ref()
            .and_then(|named| named.get(&number))
            .map(|&nchunk| (nchunk, Placed::Index));
        match chunk_in(dir, number, dparams, seal.as_ref()) {
            Ok(found) => chunks.push(Numbered {
                found,
                nchunk,
                file: Some(number),
            }),
            Err(error) => match nchunk {
                Some((nchunk, _)) => losses.add(error.in_chunk(nchunk)),
                // A file that the index does not name is of no interest.
                None if index.is_some() => {}
                None => losses.add(error.in_chunk(number)),
            },
        }
    }
    report_missing(index.as_ref(), &names, &mut losses);
    let sealed = seal.as_ref().map(|seal| seal.checksums.len());
    let known = index.as_ref().map(|index| index.entries.len()).or(sealed);
    let headers: Vec<ChunkHeader> = chunks.iter().map(|chunk| chunk.found.header).collect();
    let known = known.map(|known| known as u64);
    let mut expected = Expected::of(&remains, known, &headers, dparams);
    let placed = match (&index, &seal) {
        (Some(_), _) => Placed::Index,
        (None, Some(_)) => Placed::Seal,
        (None, None) => {
            by_file(
                &mut chunks,
                expected.nchunks.unwrap_or(dparams.limits.max_nchunks),
            );
            let rule = "there is no whole index; chunks are numbered by the names of their files";
            losses.add(Error::broken(Part::Index, 0, rule));
            Placed::Order
        }
    };
    let aside = expected.set_aside(&mut chunks);
    if let Some(seal) = &seal {
        by_seal(&mut chunks, &seal.checksums);
    }
    let (mut whole, mut unplaced) = SalvagedChunk::lists(chunks.into_iter().chain(aside));
    if let Some(index) = &index {
        specials(index, &expected, &mut whole);
    }
    whole.sort_by_key(|chunk| chunk.nchunk);
    unplaced.sort_by_key(|chunk| chunk.file);
    expected.complete(whole.last().and_then(|chunk| chunk.nchunk));
    Ok(Collected {
        remains,
        chunks: whole,
        unplaced,
        expected,
        placed,
        losses,
    })
}

/// Files count up as chunks are appended.
fn by_file(chunks: &mut [Numbered], nchunks: u64) {
    for chunk in chunks {
        let number = chunk.file.filter(|&number| number < nchunks);
        chunk.nchunk = number.map(|number| (number, Placed::Order));
    }
}

/// The chunk in a file: at its front, or after bytes that do not belong there.
fn chunk_in<D: Directory>(
    dir: &D,
    number: u64,
    dparams: &DParams,
    seal: Option<&Seal>,
) -> Result<Found> {
    let io = |source| io_error(Part::ChunkFile, 0, source);
    let file = dir.open(&file_name(number)?).map_err(io)?;
    let mut prober = Prober::new(&file, dparams)?;
    prober.follow(seal);
    let end = prober.bytes.len();
    match prober.probe(0, end, false) {
        Ok(found) => Ok(found),
        Err(error) => {
            let mut walked = Walked::default();
            walk(&mut prober, 0..end, &mut walked)?;
            walked.chunks.into_iter().next().ok_or(error)
        }
    }
}

/// Reports the chunks whose files are not there.
fn report_missing(index: Option<&IndexFound>, names: &[String], losses: &mut Losses) {
    let Some(index) = index else {
        return;
    };
    let present: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    for (nchunk, &raw) in (0..).zip(&index.entries) {
        let why = match Entry::from_raw(raw) {
            Some(Entry::Special(_)) => continue,
            Some(Entry::Stored(place)) => match file_name(place) {
                Ok(name) if present.contains(name.as_str()) => continue,
                Ok(_) => io_error(Part::ChunkFile, 0, io::ErrorKind::NotFound.into()),
                Err(error) => error,
            },
            None => Error::out_of_range(Part::Index, index.at, "index entry", raw, 0, u32::MAX),
        };
        losses.add(why.in_chunk(nchunk));
    }
}
