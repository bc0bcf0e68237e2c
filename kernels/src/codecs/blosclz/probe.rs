//! The entropy probe: a dry run over the end of the stream that decides whether to compress at all
//! (format §6.4).

use crate::codecs::lz::Lanes;

use super::limits::{MARGIN, MAX_RUN, MAX_SHORT_DISTANCE};
use super::matches::{find, word32};
use super::table::{Slot, View};

/// Whether the encoder would shrink `sample` by a factor of `min_ratio`, estimated as C does.
///
/// The estimate is "bytes read / bytes written" at the end of the sample. Both numbers are bounded
/// long before, so the result is returned as soon as the rest cannot change it:
///
/// * read: `end` at least (the scan stops there), `end + 9` at most (a match ends 3 bytes before
///   the sample);
/// * written: at least the bytes so far; at most those, one byte for each byte left, one for each
///   32 of them, and one last match. A match is always cheaper than the literals it replaces (5 for
///   6 bytes or less).
///
/// # Safety
///
/// The table is fresh.
#[inline(always)]
pub(super) unsafe fn is_compressible<S: Slot, L: Lanes>(
    lanes: L,
    sample: &[u8],
    mut table: View<'_, S, true>,
    min_ratio: f64,
) -> bool {
    let Some(end) = sample.len().checked_sub(MARGIN).filter(|&end| end > 0) else {
        return false;
    };
    let enough = most_written(end, min_ratio);
    let too_much = most_written(end + 9, min_ratio) + 1;
    // `written`: the output before the open literal run, which holds `run` literals. The run counts
    // as begun four bytes before the sample. Position 0 cannot match, and entering it changes
    // nothing: an empty slot means position 0.
    let (mut at, mut written, mut run) = (1, 0, 5);
    let mut earlier = None;
    loop {
        // The run may grow until `written + 1 + run + run / MAX_RUN` is too much.
        let budget = too_much.saturating_sub(written);
        let stop = end.min(at + budget.saturating_sub(run + 1));
        // SAFETY: the table was fresh, and positions only grow.
        let found =
            unsafe { find::<S, L, false, true>(lanes, sample, &mut table, at, stop, earlier) };
        let Some(found) = found else {
            run += stop.saturating_sub(at);
            let read = at.max(end);
            return stop >= end
                && written + 1 + run + run / MAX_RUN <= most_written(read, min_ratio);
        };
        run += found.at - at;
        written += run + run.div_ceil(MAX_RUN);
        let len = found.len();
        if len >= 7 {
            written += (len - 7) / 255 + 1;
        }
        written += if found.distance <= MAX_SHORT_DISTANCE {
            2
        } else {
            4
        };
        let last = (word32(sample, found.anchor), table.base() + found.anchor);
        earlier = Some([last; 2]);
        at = found.anchor + 2;
        run = 0;
        let left = end.saturating_sub(at);
        if written + 1 + left + left / MAX_RUN + 8 <= enough {
            return true;
        }
    }
}

/// The largest number of bytes written for which `read` bytes make an estimate of `min_ratio`.
#[expect(
    clippy::cast_precision_loss,
    reason = "samples are at most 16384 bytes"
)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small positive number"
)]
fn most_written(read: usize, min_ratio: f64) -> usize {
    // The quotient may be off by one: the comparison C makes decides.
    let mut written = (read as f64 / min_ratio) as usize + 1;
    while read as f64 / (written as f64) < min_ratio {
        written -= 1;
    }
    written
}
