//! Sections of metalayers, entry by entry: what is damaged does not take the others with it.

use std::collections::BTreeSet;
use std::ops::Range;

use rmp::Marker;

use super::probe::Prober;
use crate::chunk::ChunkView;
use crate::error::{Error, Part, Result};
use crate::frame::layout::header::FRAME_HEADER_LEN;
use crate::frame::layout::msgpack::Fields;
use crate::frame::layout::trailer::{Fingerprint, TRAILER_END_LEN, parse_end};
use crate::num::saturating_usize;
use crate::schunk::{
    MAX_METALAYER_NAME, MAX_METALAYERS, MAX_VLMETALAYERS, check_vlmetalayer_chunk, metadata_decoder,
};

/// The part of a section that can be read.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) entries: Vec<(Box<str>, Vec<u8>)>,
    /// The end of the section, when all of it was read.
    pub(super) end: Option<u64>,
    pub(super) fingerprint: Fingerprint,
    pub(super) lost: Vec<Error>,
}

/// The metalayers of a header whose fixed part has `at` bytes; `bytes` begin with the frame.
pub(super) fn metalayers(bytes: &[u8], at: usize) -> Section {
    let mut fields = Fields::new(Part::Metalayers, bytes, 0).at(at);
    let mut section = Section::default();
    let end = read(&mut fields, Part::Metalayers, MAX_METALAYERS, &mut section);
    section.end = end.map(|end| end as u64);
    section
}

/// The vlmetalayers of a trailer that begins at `base` with `bytes`.
pub(super) fn vlmetalayers(prober: &Prober<'_>, bytes: &[u8], base: u64) -> Section {
    let part = Part::VlMetalayers;
    let mut fields = Fields::new(part, bytes, base).at(2);
    let mut section = Section::default();
    let end = read(&mut fields, part, MAX_VLMETALAYERS, &mut section);
    section.end = end.map(|end| base.saturating_add(end as u64));
    let (limits, mut lost) = (prober.dparams.limits, Vec::new());
    section.entries.retain(|(_, chunk)| {
        let checked = check_vlmetalayer_chunk(chunk, base).and_then(|()| {
            let nbytes = ChunkView::parse(chunk, &limits)?.header().nbytes;
            let max = limits.max_vlmetalayer_nbytes;
            crate::limits::check("max_vlmetalayer_nbytes", nbytes.into(), max, Some(base))?;
            metadata_decoder(prober.dparams, limits).decode(chunk)
        });
        checked.map_err(|error| lost.push(error)).is_ok()
    });
    section.lost.append(&mut lost);
    section
}

/// The trailer that begins at `at`, when all of it is there.
pub(super) fn trailer_at(
    prober: &mut Prober<'_>,
    at: u64,
    end: u64,
) -> Result<Option<(Range<u64>, Section)>> {
    let here = matches!(prober.bytes.get(at, 4)?, [0x94, 0 | 1, 0x93, 0xCD]);
    if !here || prober.is_exhausted() {
        return Ok(None);
    }
    let most = prober.dparams.limits.max_frame_trailer_len;
    let room = end.saturating_sub(at).min(most);
    let bytes = prober.bytes.get(at, room)?.to_vec();
    let mut section = vlmetalayers(prober, &bytes, at);
    prober.spend(room.min(1 << 12));
    let Some(used) = section
        .end
        .map(|end| saturating_usize(end.saturating_sub(at)))
    else {
        prober.spend(room);
        return Ok(None);
    };
    let last = bytes
        .get(used..)
        .and_then(|rest| rest.get(..TRAILER_END_LEN));
    let whole = used.saturating_add(TRAILER_END_LEN) as u64;
    match last.map(|last| parse_end(last, at.saturating_add(whole))) {
        Some(Ok((len, fingerprint))) if u64::from(len) == whole => {
            section.fingerprint = fingerprint;
            Ok(Some((at..at.saturating_add(whole), section)))
        }
        _ => Ok(None),
    }
}

/// Reads a section at the cursor; the end of it, unless something is lost.
fn read(fields: &mut Fields<'_>, part: Part, max: usize, section: &mut Section) -> Option<usize> {
    let places = match places(fields, part, max, &mut section.lost) {
        (places, None) => places,
        (places, Some(error)) => {
            section.lost.push(error);
            return contents(fields, &places, section).and(None);
        }
    };
    let start = fields.position().saturating_add(3);
    contents(fields, &places, section).map(|end| end.max(start))
}

type Places<'a> = Vec<(&'a str, i32)>;

/// Names and offsets, up to the first that cannot be read.
fn places<'a>(
    fields: &mut Fields<'a>,
    part: Part,
    max: usize,
    lost: &mut Vec<Error>,
) -> (Places<'a>, Option<Error>) {
    let mut places: Places<'a> = Vec::new();
    let mut go = || {
        fields.marker("metalayers marker", Marker::FixArray(3))?;
        fields.u16("metalayers index size")?;
        let offset = fields.offset();
        let n = fields.count16("metalayers map marker", Marker::Map16)?;
        if usize::from(n) > max {
            let field = "number of metalayers";
            return Err(Error::out_of_range(part, offset, field, n, 0, max));
        }
        for _ in 0..n {
            let name = fields.short_str("metalayer name marker")?;
            places.push((name, fields.i32("metalayer offset")?));
        }
        Ok(())
    };
    let error = go().err();
    let offset = fields.offset();
    let mut seen = BTreeSet::new();
    places.retain(|&(name, _)| {
        let rule = if name.contains('\0') {
            "a metalayer name has a NUL byte"
        } else if name.len() > MAX_METALAYER_NAME {
            "a metalayer name is too long"
        } else if !seen.insert(name) {
            "two metalayers have one name"
        } else {
            return true;
        };
        lost.push(Error::broken(part, offset, rule));
        false
    });
    (places, error)
}

/// The contents at these offsets; the end of the last one, unless one is lost.
fn contents(fields: &Fields<'_>, places: &Places<'_>, section: &mut Section) -> Option<usize> {
    let (mut end, mut total, mut whole) = (0, 0_usize, true);
    for &(name, place) in places {
        let mut content = fields.at(saturating_usize(place));
        let bytes = content
            .bin32("metalayer content marker")
            .and_then(|len| content.bytes(saturating_usize(len)));
        match bytes {
            Ok(bytes) => {
                total = total.saturating_add(bytes.len());
                end = end.max(content.position());
                // Contents that share bytes could add up to far more than the file holds.
                if total > end {
                    return None;
                }
                section.entries.push((name.into(), bytes.to_vec()));
            }
            Err(error) => {
                section.lost.push(error);
                whole = false;
            }
        }
    }
    whole.then_some(end)
}

/// Whether a section of metalayers follows the fixed part of a header that is lost.
pub(super) fn follows_header(bytes: &[u8]) -> bool {
    matches!(
        bytes.get(FRAME_HEADER_LEN..),
        Some([0x93, 0xCD, _, _, 0xDE, ..])
    )
}
