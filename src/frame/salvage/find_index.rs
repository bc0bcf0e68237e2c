//! Finding the index where the header does not lead to it, and telling it from data.

use super::number::IndexFound;
use super::probe::{Found, Prober};
use crate::chunk::{ChunkHeader, HEADER_LEN};
use crate::codec::CodecId;
use crate::error::{Error, Part, Result};
use crate::frame::layout::offsets;
use crate::params::DParams;

/// The index that begins at `at` and ends at `end`, or before it.
pub(super) fn read_at(prober: &mut Prober<'_>, at: u64, end: u64) -> Result<IndexFound> {
    let room = end.saturating_sub(at);
    let front = prober.bytes.get(at, room.min(HEADER_LEN as u64))?;
    let header = ChunkHeader::parse(front).map_err(|error| error.rebase(at))?;
    if header.typesize != 8 {
        let offset = at.saturating_add(3);
        let typesize = header.typesize;
        return Err(Error::unequal(Part::Index, offset, "typesize", typesize, 8));
    }
    let cbytes = u64::from(header.cbytes);
    let mut dparams: DParams = prober.dparams.clone();
    dparams.limits = dparams.limits.max_chunk_nbytes(u64::from(u32::MAX >> 1));
    let chunk = prober.bytes.get(at, cbytes.min(room))?;
    let entries = offsets::decode(chunk, None, &dparams).map_err(|error| error.rebase(at))?;
    Ok(IndexFound {
        at,
        end: at.saturating_add(cbytes),
        entries,
    })
}

/// The index that `found` is. Data of 8-byte integers can look like one, so it must be coded as
/// indices are, and name different places.
pub(super) fn index_of(prober: &mut Prober<'_>, found: &Found) -> Option<IndexFound> {
    let header = &found.header;
    let is_coded_so = header.typesize == 8
        && header.nbytes > 0
        && header.nbytes.is_multiple_of(8)
        && header.codec() == Some(CodecId::BLOSCLZ)
        && header.filters.iter().all(|slot| slot.meta == 0);
    if !is_coded_so {
        return None;
    }
    let index = read_at(prober, found.at, found.end()).ok()?;
    // It may name places that were cut off, so any are good here.
    offsets::validate(&index.entries, Some(u64::MAX), found.at).ok()?;
    (index.stored().count() == index.places().len()).then_some(index)
}

/// Whether an index, after all of these chunks, names some of them. It counts from the header;
/// without a header, it has to name the first chunk or the last one.
pub(super) fn fits(index: &IndexFound, chunks: &[Found], header_len: Option<u64>) -> bool {
    let places = index.places();
    let ends = places.first_key_value().zip(places.last_key_value());
    let (Some(((&least, _), (&most, _))), Some(first), Some(last)) =
        (ends, chunks.first(), chunks.last())
    else {
        return false;
    };
    let bases = [
        header_len,
        first.at.checked_sub(least),
        last.at.checked_sub(most),
    ];
    let mut bases = bases.into_iter().flatten();
    bases.any(|base| {
        let is_before = base.saturating_add(most) < index.at;
        base >= 32 && is_before && names_chunks(base, places.keys(), chunks)
    })
}

/// Whether places that count from `base` begin chunks, and none lies inside of one.
fn names_chunks<'a>(
    base: u64,
    places: impl ExactSizeIterator<Item = &'a u64>,
    chunks: &[Found],
) -> bool {
    let (mut named, most) = (0_usize, chunks.len().min(places.len()));
    for place in places {
        let at = base.saturating_add(*place);
        let before = chunks.partition_point(|chunk| chunk.at <= at);
        let Some(chunk) = before.checked_sub(1).and_then(|at| chunks.get(at)) else {
            continue;
        };
        if chunk.at == at {
            named = named.saturating_add(1);
        } else if at < chunk.end() {
            return false;
        }
    }
    named.saturating_mul(4) >= most
}
