//! The entropy probe: a dry run over the end of the stream that says whether to compress at all (format §6.4).

use super::matches::{find, word32};
use super::table::{Slot, View};
use super::{MARGIN, MAX_RUN, NEAR};

/// Whether the encoder would shrink `sample` by a factor of `min_ratio`, estimated as C does.
///
/// The estimate is "bytes read / bytes written" at the end. Both numbers are bounded long before: as soon as the rest
/// cannot change the answer, it is given.
#[expect(
    clippy::cast_precision_loss,
    reason = "samples are at most 16384 bytes"
)]
#[inline(always)]
pub(super) fn is_compressible<S: Slot>(
    sample: &[u8],
    mut table: View<'_, S>,
    min_ratio: f64,
) -> bool {
    let Some(end) = sample.len().checked_sub(MARGIN) else {
        return false;
    };
    let reaches = |read: usize, written: usize| read as f64 / written as f64 >= min_ratio;
    // `written`: the output before the placeholder of the open literal run, which holds `at - run_start` literals.
    // The run pretends to have begun four bytes before the sample.
    let (mut at, mut written, mut run) = (0, 0, 4);
    if end > 0 {
        // Position 0 cannot match, and entering it changes nothing: an empty slot means position 0.
        at = 1;
        run = 5;
    }
    loop {
        let Some(found) = find::<S, false>(sample, &mut table, at, end) else {
            run += end.saturating_sub(at);
            at = at.max(end);
            return reaches(at, written + 1 + run + run / MAX_RUN);
        };
        run += found.at - at;
        written += run + run.div_ceil(MAX_RUN);
        let len = found.len();
        if len >= 7 {
            written += (len - 7) / 255 + 1;
        }
        written += if found.distance <= NEAR { 2 } else { 4 };
        table.insert(word32(sample, found.anchor), found.anchor);
        at = found.anchor + 2;
        run = 0;
    }
}
