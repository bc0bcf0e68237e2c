//! Runs of equal bytes as the only matches: for blocks of few values in random order, in which
//! other matches do not gain anything.

use super::output::{Found, Output};
use crate::Kernels;
use crate::codecs::lz::window::word_at;
use crate::codecs::lz::{self, Lanes, Task};

/// The step between positions at which runs are looked for.
const STEP: usize = 4;
/// The shortest run that is looked for, in bytes after the first.
const MIN_RUN: u32 = 6;
/// The most different values of a part that is tried.
const FEW_VALUES: u32 = 4;
/// The number of samples, and how many of them at least must have another value after them: in
/// longer runs, other matches are as good.
const SAMPLES: usize = 256;
const MIN_CHANGES: usize = SAMPLES / 20;

/// Whether a sample of a part has few different values, and its first `probe` bytes seem to be like
/// the rest.
pub(super) fn are_probable(part: &[u8], probe: usize) -> bool {
    // Most parts have many values, which a few samples tell.
    if sample(part, SAMPLES / 8).0 > FEW_VALUES {
        return false;
    }
    let front = part.get(..probe).unwrap_or(part);
    let ((values, changes), (_, changes_in_front)) =
        (sample(part, SAMPLES), sample(front, SAMPLES));
    values <= FEW_VALUES
        && changes >= MIN_CHANGES
        && changes_in_front.abs_diff(changes) <= SAMPLES / 6
}

/// The number of different values in about so many samples, and how many of them are followed by
/// another one.
fn sample(bytes: &[u8], samples: usize) -> (u32, usize) {
    let (mut seen, mut changes) = ([0_u64; 4], 0);
    for pair in bytes.windows(2).step_by((bytes.len() / samples) | 1) {
        if let [a, b] = *pair {
            seen[usize::from(a >> 6)] |= 1 << (a & 63);
            changes += usize::from(a != b);
        }
    }
    (seen.iter().map(|seen| seen.count_ones()).sum(), changes)
}

/// Finds the sequences of a part of `src`.
#[inline(always)]
pub(super) fn parse<O: Output>(kernels: Kernels, src: &[u8], part: (usize, usize), out: O) -> O {
    lz::run_256(kernels, Parse { src, part, out })
}

/// The arguments of [`parse`].
struct Parse<'p, O> {
    src: &'p [u8],
    part: (usize, usize),
    out: O,
}

impl<O: Output> Task for Parse<'_, O> {
    type Output = O;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> O {
        let Self {
            src,
            part: (start, end),
            mut out,
        } = self;
        let part = src.get(..end).unwrap_or(src);
        let (mut anchor, mut at) = (start, start.max(STEP + 1));
        while let (Some(here), Some(before)) = (word_at(part, at), word_at(part, at - 1)) {
            if (here ^ before) << (64 - 8 * MIN_RUN) != 0 {
                at += STEP;
                continue;
            }
            // The last position was no run: this one began after it.
            let near = word_at(part, at - STEP - 1).unwrap_or(0);
            let equal = ((near ^ (near << 8)) << 24).leading_zeros() as usize / 8;
            let back = equal.min(STEP).min(at - anchor);
            let len = lz::prefix(lanes, &part[at - 1..], &part[at..]);
            let literals = at - back - anchor;
            out.add(Found {
                src,
                at: anchor,
                literals,
                len: back + len,
                distance: 1,
            });
            anchor = at + len;
            at = anchor + 2;
        }
        out.add(Found {
            src,
            at: anchor,
            literals: end - anchor,
            len: 0,
            distance: 0,
        });
        out
    }
}
