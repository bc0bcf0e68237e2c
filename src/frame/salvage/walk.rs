//! From chunk to chunk through bytes that no index describes.
//!
//! A chunk states its length, so the next one follows directly. After damage, every byte is looked
//! at until the header of a chunk appears. Damage can also leave a chunk that decodes and is too
//! long: bytes that were cut out of a copied chunk make it reach into the next ones. So a chunk
//! whose end is followed by something unknown gives way to one that begins inside it and ends
//! after it.

use std::ops::Range;

use super::probe::{Found, Prober, is_likely};
use super::section::{self, Section};
use crate::error::{Error, ErrorKind, Part, Result};

/// The bytes looked at in one step of a scan.
const STEP: u64 = 1 << 16;

/// The contents of a range of bytes, in order.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) chunks: Vec<Found>,
    /// Chunks that are contents of vlmetalayers.
    pub(super) contents: Vec<Found>,
    pub(super) gaps: Vec<Gap>,
    /// Trailers, with their places.
    pub(super) trailers: Vec<(Range<u64>, Section)>,
}

/// Bytes without a whole chunk.
#[derive(Debug)]
pub(super) struct Gap {
    pub(super) range: Range<u64>,
    /// The reason, where it says more than that there is no chunk.
    pub(super) why: Option<Error>,
}

#[derive(Debug)]
enum Next {
    Chunk(Found),
    Trailer(Range<u64>, Section),
}

impl Next {
    fn range(&self) -> Range<u64> {
        match self {
            Self::Chunk(found) => found.at..found.end(),
            Self::Trailer(range, _) => range.clone(),
        }
    }
}

/// Finds all chunks in `region`.
pub(super) fn walk(prober: &mut Prober<'_>, region: Range<u64>, walked: &mut Walked) -> Result<()> {
    let Range { start: mut at, end } = region;
    let mut why = None;
    while at < end {
        let next = match at_once(prober, at, end, &mut why)? {
            Some(next) => Some(next),
            None => scan(prober, at.saturating_add(1), end, &mut why)?,
        };
        let Some(next) = next else {
            walked.gap(at..end, why.take());
            break;
        };
        let range = next.range();
        if range.start > at {
            walked.gap(at..range.start, why.take());
        }
        why = None;
        match next {
            Next::Trailer(range, section) => walked.trailers.push((range, section)),
            Next::Chunk(found) => {
                if is_too_long(prober, &found, end)? {
                    let (field, part) = ("cbytes", Part::ChunksSection);
                    let offset = found.at.saturating_add(12);
                    let cbytes = found.header.cbytes;
                    let most = found.used.saturating_sub(found.at);
                    let error = Error::out_of_range(part, offset, field, cbytes, 32, most);
                    let after = found.at.saturating_add(1);
                    // The bytes inside are searched for the chunks that this one hides.
                    walked.gap(found.at..after, Some(error));
                    at = after;
                    continue;
                }
                if range.start > at && is_content(prober, &found)? {
                    walked.contents.push(found);
                } else {
                    walked.chunks.push(found);
                }
            }
        }
        at = range.end.max(at.saturating_add(1));
    }
    Ok(())
}

impl Walked {
    /// Notes bytes without a chunk, joined with those before them.
    fn gap(&mut self, range: Range<u64>, why: Option<Error>) {
        match self.gaps.last_mut() {
            Some(last) if last.range.end == range.start => {
                last.range.end = range.end;
                last.why = last.why.take().or(why);
            }
            _ => self.gaps.push(Gap { range, why }),
        }
    }
}

/// Whether an error says more than that there is no chunk.
pub(super) fn is_telling(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Unsupported | ErrorKind::LimitExceeded
    )
}

/// The chunk or trailer that begins at `at`. The first reason that tells
/// something is kept.
fn at_once(
    prober: &mut Prober<'_>,
    at: u64,
    end: u64,
    why: &mut Option<Error>,
) -> Result<Option<Next>> {
    if let Some((range, section)) = section::trailer_at(prober, at, end)? {
        return Ok(Some(Next::Trailer(range, section)));
    }
    if prober.is_exhausted() {
        return Ok(None);
    }
    match prober.probe(at, end, true) {
        Ok(found) => Ok(Some(Next::Chunk(found))),
        Err(error) if error.kind() == ErrorKind::Io => Err(error),
        Err(error) => {
            if is_telling(&error) && why.as_ref().is_none_or(|why| !is_telling(why)) {
                *why = Some(error);
            }
            Ok(None)
        }
    }
}

/// The first chunk or trailer that begins at `at` or after it.
fn scan(
    prober: &mut Prober<'_>,
    mut at: u64,
    end: u64,
    why: &mut Option<Error>,
) -> Result<Option<Next>> {
    while at < end {
        let likely = prober
            .bytes
            .get(at, STEP.saturating_add(32).min(end.saturating_sub(at)))?;
        let steps = u64::min(STEP, end.saturating_sub(at));
        let hit = (0..)
            .zip(likely.windows(4))
            .take_while(|&(step, _)| step < steps);
        let hit = hit
            .filter(|(_, front)| matches!(front, [2..=6, 1, ..] | [0x94, 0 | 1, 0x93, 0xCD]))
            .map(|(step, _)| step)
            .find(|&step| {
                let front = usize::try_from(step)
                    .ok()
                    .and_then(|step| likely.get(step..));
                let front = front.unwrap_or_default();
                front.first() == Some(&0x94) || is_likely(front)
            });
        let Some(step) = hit else {
            at = at.saturating_add(steps);
            continue;
        };
        at = at.saturating_add(step);
        if let Some(next) = at_once(prober, at, end, why)? {
            return Ok(Some(next));
        }
        if prober.is_exhausted() {
            return Ok(None);
        }
        at = at.saturating_add(1);
    }
    Ok(None)
}

/// Whether a chunk is longer than it was: its blocks do not fill it or nothing known follows it,
/// and another one begins inside of it and ends after its blocks.
fn is_too_long(prober: &mut Prober<'_>, found: &Found, end: u64) -> Result<bool> {
    let after = found.end();
    let is_tight = found.used == after;
    if is_tight && (after >= end || at_once(prober, after, end, &mut None)?.is_some()) {
        return Ok(false);
    }
    hides(prober, found.at.saturating_add(1), after, end, found.used)
}

/// Whether a chunk or trailer begins in `from..to` and ends after `beyond`.
fn hides(prober: &mut Prober<'_>, from: u64, to: u64, end: u64, beyond: u64) -> Result<bool> {
    let mut at = from;
    while at < to && !prober.is_exhausted() {
        let Some(next) = scan(prober, at, end, &mut None)? else {
            break;
        };
        let range = next.range();
        prober.spend(range.start.saturating_sub(at).saturating_add(1));
        if range.start >= to {
            break;
        }
        if range.end > beyond {
            return Ok(true);
        }
        at = range.end;
    }
    Ok(false)
}

/// Whether the chunk is the content of a metalayer: a marker and its length stand before it.
fn is_content(prober: &mut Prober<'_>, found: &Found) -> Result<bool> {
    let Some(at) = found.at.checked_sub(5) else {
        return Ok(false);
    };
    let before = prober.bytes.get(at, 5)?;
    let len = found.header.cbytes.to_be_bytes();
    Ok(before.first() == Some(&0xC6) && before.get(1..) == Some(&len[..]))
}
