//! Filling a new super-chunk with special values.

use oxiblosc::Special;

use super::store::Change;
use super::with;
use crate::abi::{BLOSC2_ERROR_FRAME_SPECIAL, blosc2_schunk, special};
use crate::boundary::{Code, answer_long};

/// Fills an empty super-chunk with `nitems` items of zeros, NaN or nothing, in chunks of
/// `chunksize` bytes: the number of chunks, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library.
#[unsafe(export_name = symbol!("blosc2_schunk_fill_special"))]
pub unsafe extern "C" fn blosc2_schunk_fill_special(
    schunk: *mut blosc2_schunk,
    nitems: i64,
    special_value: i32,
    chunksize: i32,
) -> i64 {
    answer_long(|| {
        let refused = Code(BLOSC2_ERROR_FRAME_SPECIAL);
        let special = match special_value {
            special::ZERO => Special::Zeros,
            special::NAN => Special::Nans,
            special::UNINIT => Special::Uninit,
            _ => return Err(refused),
        };
        let nitems = u64::try_from(nitems)?;
        let chunksize = usize::try_from(chunksize)?;
        if nitems == 0 {
            return Ok(0);
        }
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, public| {
                let typesize = usize::try_from(public.typesize)?;
                let whole = chunksize.checked_rem(typesize) == Some(0);
                if shared.store.nchunks() > 0 || chunksize == 0 || !whole {
                    return Err(refused);
                }
                let nbytes = nitems
                    .checked_mul(u64::try_from(typesize)?)
                    .ok_or(refused)?;
                shared.change(Change::Fill {
                    special,
                    nbytes,
                    chunksize,
                })?;
                Ok(i64::try_from(shared.store.nchunks())?)
            })
        }
    })
}
