//! Prices of requests, and how ranges are joined and cut by them.

use std::ops::Range;

/// The prices that decide which bytes are fetched, all of them in bytes: a request that takes as
/// long as a megabyte does to arrive costs 1 MiB.
///
/// ```
/// use oxiblosc::remote::ReadPolicy;
///
/// // 80 ms to the first byte, 50 MB/s, eight requests at a time.
/// let far = ReadPolicy::from_latency(0.080, 50e6, 8);
/// assert_eq!((far.round, far.request), (4_000_000, 500_000));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPolicy {
    /// The price of another round of requests. 2 MiB by default: 20 ms at 100 MB/s.
    pub round: u64,
    /// The price of another request in a round; ranges with smaller gaps between them are fetched
    /// as one. 256 KiB by default.
    pub request: u64,
    /// The longest request; longer ranges are fetched in parts, at the same time. 8 MiB by
    /// default.
    pub max_request: u64,
}

impl Default for ReadPolicy {
    fn default() -> Self {
        Self {
            round: 2 << 20,
            request: 256 << 10,
            max_request: 8 << 20,
        }
    }
}

impl ReadPolicy {
    /// The prices of a connection: seconds until the first byte of a request arrives, bytes per
    /// second, and how many requests are under way at the same time.
    #[must_use]
    pub fn from_latency(seconds: f64, bytes_per_second: f64, parallel: u32) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the conversion saturates"
        )]
        let round = (seconds * bytes_per_second) as u64;
        Self {
            round,
            request: round.checked_div(u64::from(parallel)).unwrap_or(round),
            ..Self::default()
        }
    }

    /// Sets [`max_request`](Self::max_request).
    #[must_use]
    pub fn max_request(mut self, bytes: u64) -> Self {
        self.max_request = bytes;
        self
    }

    /// Ranges in order, without overlaps; those with small gaps are joined, long ones are cut.
    pub(super) fn requests(&self, mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| range.start);
        let mut joined: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start <= last.end.saturating_add(self.request) => {
                    last.end = last.end.max(range.end);
                }
                _ => joined.push(range),
            }
        }
        let most = self.max_request.max(1);
        let cut = |range: Range<u64>| {
            let len = range.end.saturating_sub(range.start);
            let parts = len.div_ceil(most).max(1);
            let each = len.div_ceil(parts);
            (0..parts).map(move |part| {
                let start = range.start.saturating_add(part.saturating_mul(each));
                start..start.saturating_add(each).min(range.end)
            })
        };
        joined.into_iter().flat_map(cut).collect()
    }

    /// The price of some requests of one round.
    pub(super) fn price(&self, requests: u64, nbytes: u64) -> u64 {
        requests.saturating_mul(self.request).saturating_add(nbytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "lists of ranges")]
    fn gaps_are_joined_and_long_ranges_cut() {
        let policy = ReadPolicy {
            round: 0,
            request: 10,
            max_request: 100,
        };
        assert_eq!(policy.requests(vec![50..60, 0..40, 5..7, 3..3]), [0..60]);
        assert_eq!(policy.requests(vec![0..40, 51..60]), [0..40, 51..60]);
        assert_eq!(policy.requests(vec![0..250]), [0..84, 84..168, 168..250]);
        assert_eq!(policy.requests(vec![7..7]), [] as [Range<u64>; 0]);
    }
}
