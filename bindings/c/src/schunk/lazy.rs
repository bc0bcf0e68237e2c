//! Lazy chunks: a header, the table of blocks, and where the blocks are (the format description,
//! section 8.2).

use std::ffi::c_int;
use std::ops::Range;

use oxiblosc::ChunkHeader;
use oxiblosc::frame::{ChunkPlace, LazyChunk};

use super::read::{Lent, lend, lend_to};
use super::shared::{Kind, Shared};
use super::with;
use crate::abi::{BLOSC2_ERROR_INVALID_HEADER, BLOSC2_ERROR_READ_BUFFER, blosc2_schunk};
use crate::boundary::{Answer, Code, answer};
use crate::chunk::header_of;
use crate::memory::Heap;

/// The bytes of a header.
const HEADER: usize = 32;
/// The last byte of a header, with the flag of lazy chunks.
const FLAGS: usize = 31;
const LAZY: u8 = 0x08;

/// The number of blocks that a header states.
fn nblocks(header: &ChunkHeader) -> Answer<usize> {
    let blocks = if header.is_vlblocks() {
        header.blocksize
    } else {
        header
            .nbytes
            .div_ceil(header.blocksize.min(header.nbytes).max(1))
    };
    Ok(usize::try_from(blocks)?)
}

/// The lengths of the blocks in a chunk.
fn csizes(header: &ChunkHeader, chunk: &LazyChunk<'_>) -> Answer<Vec<i32>> {
    let places = chunk.block_places();
    if places.len() > 0 {
        let lens = places.map(|place| i32::try_from(place.len()));
        return Ok(lens.collect::<Result<_, _>>()?);
    }
    // Copied blocks have the length of their data.
    let blocksize = header.blocksize.min(header.nbytes).max(1);
    let starts = (0..header.nbytes).step_by(usize::try_from(blocksize)?);
    let lens = starts.map(|start| i32::try_from(blocksize.min(header.nbytes - start)));
    Ok(lens.collect::<Result<_, _>>()?)
}

/// Makes the lazy form of a chunk; `None` for chunks that have none.
fn lazy_form(chunk: &LazyChunk<'_>, place: (i32, i64)) -> Answer<Option<Vec<u8>>> {
    let (Some(header), Some(front)) = (chunk.header(), chunk.front()) else {
        return Ok(None);
    };
    if header.blosc2_flags >> 4 & 7 != 0 {
        // The value is part of the header, and the chunk is short.
        return Ok(None);
    }
    let csizes = csizes(header, chunk)?;
    let table = HEADER.saturating_add(csizes.len().saturating_mul(4));
    let mut bytes = front.to_vec();
    bytes.resize(table, 0);
    if let Some(flags) = bytes.get_mut(FLAGS) {
        *flags |= LAZY;
    }
    bytes.extend_from_slice(&place.0.to_ne_bytes());
    bytes.extend_from_slice(&place.1.to_ne_bytes());
    for csize in csizes {
        bytes.extend_from_slice(&csize.to_ne_bytes());
    }
    Ok(Some(bytes))
}

/// The number and the position that a lazy chunk states.
fn place_of(place: ChunkPlace, nchunk: u64) -> Answer<(i32, i64)> {
    Ok(match place {
        ChunkPlace::Offset(at) => (i32::try_from(nchunk)?, i64::try_from(at)?),
        ChunkPlace::File(number) => (i32::try_from(number)?, i64::try_from(number)?),
        _ => (i32::try_from(nchunk)?, 0),
    })
}

fn lend_lazy(shared: &mut Shared, nchunk: u64) -> Answer<Lent> {
    if matches!(shared.kind, Kind::Pieces(_) | Kind::Bytes(_)) {
        return lend(shared, nchunk);
    }
    let form = shared.read(|store| {
        let at = usize::try_from(nchunk).unwrap_or(usize::MAX);
        let place = store.places().nth(at).unwrap_or(ChunkPlace::Index);
        let chunk = store.lazy(nchunk)?;
        Ok(place_of(place, nchunk).and_then(|place| lazy_form(&chunk, place)))
    })??;
    match form {
        Some(bytes) => Ok((Heap::copy(&bytes)?.give(), bytes.len(), true)),
        None => lend(shared, nchunk),
    }
}

/// Stores the address of a lazy chunk of a super-chunk on disk, or of the chunk itself where it is
/// in memory, and whether the caller has to free it: its length, or an error code.
///
/// # Safety
/// As for [`blosc2_schunk_get_chunk`](super::blosc2_schunk_get_chunk).
#[unsafe(export_name = symbol!("blosc2_schunk_get_lazychunk"))]
pub unsafe extern "C" fn blosc2_schunk_get_lazychunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut *mut u8,
    needs_free: *mut bool,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { lend_to(schunk, nchunk, chunk, needs_free, lend_lazy) })
}

/// The number of the chunk at a place that a lazy chunk states.
fn find(shared: &Shared, stated: (i32, i64)) -> Answer<u64> {
    let is_there = |(place, nchunk): (ChunkPlace, u64)| {
        place_of(place, nchunk).is_ok_and(|place| place.1 == stated.1) && place != ChunkPlace::Index
    };
    let guess = usize::try_from(stated.0)?;
    let store = &shared.store;
    if let Some(place) = store.places().nth(guess)
        && is_there((place, u64::try_from(guess)?))
    {
        return Ok(u64::try_from(guess)?);
    }
    let found = store.places().zip(0..).find(|&place| is_there(place));
    found
        .map(|(_, nchunk)| nchunk)
        .ok_or(Code(BLOSC2_ERROR_INVALID_HEADER))
}

/// The chunk for a lazy one, read from where the super-chunk is kept: all of it, or the blocks that
/// have bytes of the range.
///
/// # Errors
/// `INVALID_HEADER` and `READ_BUFFER` when the lazy chunk is not one of this super-chunk; those of
/// reading.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
pub(crate) unsafe fn read_lazy(
    schunk: *mut blosc2_schunk,
    chunk: &[u8],
    wanted: Option<&Range<usize>>,
) -> Answer<Vec<u8>> {
    let (header, _) = header_of(chunk)?;
    let blocks = nblocks(&header)?;
    let table = blocks
        .checked_mul(4)
        .and_then(|len| len.checked_add(HEADER));
    let trailer = table
        .and_then(|table| chunk.get(table..))
        .unwrap_or_default();
    let short = Code(BLOSC2_ERROR_READ_BUFFER);
    let (nchunk, rest) = trailer.split_first_chunk::<4>().ok_or(short)?;
    let (offset, rest) = rest.split_first_chunk::<8>().ok_or(short)?;
    let sizes = blocks
        .checked_mul(4)
        .and_then(|len| rest.get(..len))
        .ok_or(short)?;
    let stated = (i32::from_ne_bytes(*nchunk), i64::from_ne_bytes(*offset));
    let wrong = Code(BLOSC2_ERROR_INVALID_HEADER);
    // SAFETY: the caller's promise.
    unsafe {
        with(schunk, |shared, _| {
            shared.sync()?;
            let nchunk = find(shared, stated)?;
            shared.read(|store| {
                let mut stored = store.lazy(nchunk)?;
                let Some(real) = stored.header().copied() else {
                    return Ok(Err(wrong));
                };
                let known: Answer<Vec<i32>> = csizes(&real, &stored);
                let same = known.is_ok_and(|known| {
                    let known = known.iter().flat_map(|size| size.to_ne_bytes());
                    known.eq(sizes.iter().copied())
                });
                if !same || (real.nbytes, real.cbytes) != (header.nbytes, header.cbytes) {
                    return Ok(Err(wrong));
                }
                let wanted = wanted.cloned().unwrap_or(0..stored.nbytes());
                Ok(Ok(stored.bytes_for(wanted)?.to_vec()))
            })?
        })
    }
}
