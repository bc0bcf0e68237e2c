//! Looking for matches: the step the probe and the encoder share (format §6.3).

use super::table::{Slot, View};
use super::{FAR, MARGIN, NEAR};

/// A match the format allows at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// Where it begins.
    pub(super) at: usize,
    /// How far back its bytes stand.
    pub(super) distance: usize,
    /// The position 4 before the end of the scan. The token covers the bytes up to `anchor + 2`.
    pub(super) anchor: usize,
}

impl Match {
    /// The biased length, 4 or more.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.anchor - self.at
    }
}

/// The eight bytes at `at`, little-endian.
#[inline(always)]
pub(super) fn word64(src: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&src[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// The four bytes at `at`, little-endian.
#[inline(always)]
pub(super) fn word32(src: &[u8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&src[at..at + 4]);
    u32::from_le_bytes(bytes)
}

/// The first match that begins in `from..end`; `MAIN` adds the rule that a far match must be longer.
///
/// A biased length of 4 takes 7 equal bytes (the scan ends one byte behind the first difference), so one comparison
/// of 7 bytes stands for "same hash, same 4 bytes, long enough".
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the hash is made of the low four bytes"
)]
pub(super) fn find<S: Slot, const MAIN: bool>(
    src: &[u8],
    table: &mut View<'_, S>,
    from: usize,
    end: usize,
) -> Option<Match> {
    debug_assert!(
        end <= src.len().saturating_sub(MARGIN),
        "end {end} of {}",
        src.len()
    );
    let mut at = from;
    while at < end {
        let word = word64(src, at);
        let reference = table.replace(word as u32, at);
        let distance = at - reference;
        if (word ^ word64(src, reference)) << 8 == 0 && distance < FAR {
            let anchor = scan_end(src, at, distance) - 4;
            let found = Match {
                at,
                distance,
                anchor,
            };
            if !MAIN || found.len() > 5 || distance <= NEAR {
                return Some(found);
            }
        }
        at += 1;
    }
    None
}

/// One behind the first byte that differs from the one `distance` before it, at most the last byte's position.
#[inline(always)]
fn scan_end(src: &[u8], at: usize, distance: usize) -> usize {
    let last = src.len() - 1;
    let mut here = at + 7;
    while here + 8 <= last {
        let difference = word64(src, here) ^ word64(src, here - distance);
        if difference != 0 {
            return here + (difference.trailing_zeros() / 8) as usize + 1;
        }
        here += 8;
    }
    while here < last && src[here] == src[here - distance] {
        here += 1;
    }
    last.min(here + 1)
}
