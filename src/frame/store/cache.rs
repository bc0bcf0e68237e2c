//! Bytes of chunks that were read from the storage, kept for the next read.
//!
//! Index, header and trailer of a frame are in memory anyway; this is the cache of everything that
//! is read later: fronts of chunks with their tables of blocks, and blocks. A reader owns one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The position of bytes: the number of the file (0 in a frame of one file), and the offset in it.
pub(crate) type Place = (u64, u64);

/// Ranges of bytes up to a budget; those that were not used for the longest time leave first.
pub(crate) struct Cache {
    /// The most bytes to keep; 0 keeps nothing.
    budget: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// No range lies inside of another one, so the last that begins at or before an offset is the
    /// one that reaches farthest.
    ranges: BTreeMap<Place, Bytes>,
    /// When each range was last used.
    order: BTreeMap<u64, Place>,
    /// The number of the next use.
    clock: u64,
    nbytes: usize,
}

struct Bytes {
    bytes: Arc<[u8]>,
    /// The end of the file, or of the part of it that has chunks.
    end: u64,
    used: u64,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({} of {} bytes)", self.lock().nbytes, self.budget)
    }
}

impl Cache {
    /// An empty cache for at most `budget` bytes.
    pub(crate) fn new(budget: usize) -> Self {
        let kept = Mutex::default();
        Self { budget, kept }
    }

    /// Whether anything can be kept.
    pub(crate) fn is_on(&self) -> bool {
        self.budget > 0
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills `buf` with the bytes at a place; false when they are not all kept.
    pub(crate) fn fill(&self, (file, start): Place, buf: &mut [u8]) -> bool {
        let mut kept = self.lock();
        let Some((from, bytes)) = kept.find((file, start), buf.len()) else {
            return false;
        };
        // Copied without the lock.
        drop(kept);
        let part = bytes.get(from..).and_then(|rest| rest.get(..buf.len()));
        part.inspect(|part| buf.copy_from_slice(part)).is_some()
    }

    /// Keeps bytes, unless they would take more than half of the budget.
    pub(crate) fn keep(&self, place: Place, bytes: &[u8], end: u64) {
        if bytes.is_empty() || bytes.len() > self.budget / 2 {
            return;
        }
        let bytes = Arc::from(bytes);
        self.lock().insert(place, (bytes, end), self.budget);
    }

    /// The end of a file of which something is kept.
    pub(crate) fn end_of(&self, file: u64) -> Option<u64> {
        if !self.is_on() {
            return None;
        }
        let kept = self.lock();
        let mut ranges = kept.ranges.range((file, 0)..=(file, u64::MAX));
        ranges.next().map(|(_, kept)| kept.end)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.budget);
    }
}

impl Kept {
    /// A kept range that contains `len` bytes at a place, and where they begin in it.
    fn find(&mut self, (file, start): Place, len: usize) -> Option<(usize, Arc<[u8]>)> {
        let (&(other, begin), found) = self.ranges.range_mut(..=(file, start)).next_back()?;
        let from = usize::try_from(start.checked_sub(begin)?).ok()?;
        if other != file || from.checked_add(len)? > found.bytes.len() {
            return None;
        }
        self.order.remove(&found.used);
        self.order.insert(self.clock, (file, begin));
        found.used = self.clock;
        self.clock = self.clock.saturating_add(1);
        Some((from, Arc::clone(&found.bytes)))
    }

    fn insert(&mut self, place: Place, (bytes, file_end): (Arc<[u8]>, u64), budget: usize) {
        if self.find(place, bytes.len()).is_some() {
            return;
        }
        let (file, start) = place;
        let end = start.saturating_add(bytes.len() as u64);
        let inside = |(&(_, start), kept): (&Place, &Bytes)| {
            (start.saturating_add(kept.bytes.len() as u64) <= end).then_some((file, start))
        };
        let later = self.ranges.range(place..(file, end));
        for place in later.filter_map(inside).collect::<Vec<_>>() {
            self.remove(place);
        }
        while self.nbytes.saturating_add(bytes.len()) > budget {
            let Some((_, &oldest)) = self.order.first_key_value() else {
                break;
            };
            self.remove(oldest);
        }
        self.nbytes = self.nbytes.saturating_add(bytes.len());
        let used = self.clock;
        self.clock = self.clock.saturating_add(1);
        self.order.insert(used, place);
        let end = file_end;
        self.ranges.insert(place, Bytes { bytes, end, used });
    }

    fn remove(&mut self, place: Place) {
        if let Some(Bytes { bytes, used, .. }) = self.ranges.remove(&place) {
            self.order.remove(&used);
            self.nbytes = self.nbytes.saturating_sub(bytes.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::saturating_usize;

    /// Against a file of which everything is known: what is found is right, what was just kept is
    /// found, and the budget holds.
    #[test]
    fn ranges_hold_what_the_file_holds() {
        let file: Vec<u8> = (0..5000_u32)
            .map(|i| (i * i % 251).to_le_bytes()[0])
            .collect();
        let cache = Cache::new(1000);
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut hits, mut misses) = (0, 0);
        for _ in 0..20_000 {
            let place = (next(2), next(4700));
            let (start, len) = (saturating_usize(place.1), saturating_usize(1 + next(300)));
            let other = place.0.to_le_bytes()[0];
            let part = file.get(start..start + len).unwrap();
            let wanted: Vec<u8> = part.iter().map(|byte| byte ^ other).collect();
            let mut buf = vec![0; len];
            if cache.fill(place, &mut buf) {
                assert_eq!(buf, wanted);
                hits += 1;
            } else {
                cache.keep(place, &wanted, 1000);
                assert!(cache.fill(place, &mut buf));
                assert_eq!(buf, wanted);
                misses += 1;
            }
            let kept = cache.lock();
            let sum: usize = kept.ranges.values().map(|kept| kept.bytes.len()).sum();
            assert_eq!((sum, kept.ranges.len()), (kept.nbytes, kept.order.len()));
            assert!(kept.nbytes <= 1000);
            let end = |(&(file, at), kept): (_, &Bytes)| (file, at + kept.bytes.len() as u64);
            assert!(
                kept.ranges.iter().map(end).is_sorted(),
                "a range lies inside of another one"
            );
        }
        assert!(hits > 100 && misses > 1000, "{hits} hits, {misses} misses");
    }

    #[test]
    fn the_oldest_range_leaves_first() {
        let cache = Cache::new(300);
        let mut buf = [0; 100];
        for file in 0..3 {
            cache.keep((file, 0), &[1; 100], 1000);
        }
        assert!(cache.fill((0, 0), &mut buf));
        cache.keep((3, 0), &[1; 100], 1000);
        let kept = |file| cache.fill((file, 0), &mut [0; 100]);
        assert_eq!([0, 1, 2, 3].map(kept), [true, false, true, true]);
        cache.keep((9, 0), &[1; 151], 1000);
        assert!(!kept(9));
    }
}
