//! [`BaseIndex`]: one table for one stream after another, without being cleared between them.
//!
//! ```text
//! indices   0    first A        end A          first B         end B
//!           |empty| stream A ....|  out of reach | stream B ....|  out of reach  ... clear
//! ```
//!
//! A table holds indices: positions plus the base index of their stream. From stream to stream the
//! base index grows by more than the largest distance, so that entries of an earlier stream are out
//! of reach, and so is an empty entry, 0.

/// The gap between the indices of two streams: an entry this far back is out of reach.
pub(crate) const OUT_OF_REACH: u32 = 1 << 16;

/// The index of the first byte of the next stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BaseIndex(u32);

impl BaseIndex {
    pub(crate) const fn new() -> Self {
        Self(OUT_OF_REACH)
    }

    /// Takes the indices of a stream of `len` bytes; about once in 4 GiB they begin again, after
    /// `clear` has emptied the tables. Returns the index of the first byte.
    ///
    /// Indices of a stream of nearly 4 GiB and more wrap.
    #[inline]
    pub(crate) fn take(&mut self, len: usize, clear: impl FnOnce()) -> u32 {
        let first = self.0;
        if let Some(end) = Self::after(first, len) {
            self.0 = end;
            return first;
        }
        clear();
        self.0 = Self::after(OUT_OF_REACH, len).unwrap_or(u32::MAX);
        OUT_OF_REACH
    }

    /// The base index after a stream, if all its indices and the gap after it are below `2^32`.
    fn after(first: u32, len: usize) -> Option<u32> {
        first
            .checked_add(u32::try_from(len).ok()?)?
            .checked_add(OUT_OF_REACH)
    }

    /// Continues `before` bytes before the end of the range.
    #[cfg(test)]
    pub(crate) fn skip_to_end(&mut self, before: u32) {
        self.0 = u32::MAX - before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_out_of_reach_of_each_other_until_the_table_is_cleared() {
        let mut base = BaseIndex::new();
        base.skip_to_end(5 * (OUT_OF_REACH + 1000));
        let (mut end, mut cleared) = (0, 0);
        for _ in 0..12 {
            let before = cleared;
            let first = base.take(1000, || cleared += 1);
            if cleared > before {
                assert_eq!(first, OUT_OF_REACH);
            } else {
                assert!(first - end >= OUT_OF_REACH, "{first} after {end}");
            }
            end = first.checked_add(1000).unwrap();
        }
        assert_eq!(cleared, 1);
    }

    #[test]
    fn after_a_stream_beyond_the_range_the_table_is_cleared() {
        let mut base = BaseIndex::new();
        let mut cleared = 0;
        let largest = u32::MAX as usize;
        assert_eq!(base.take(largest, || cleared += 1), OUT_OF_REACH);
        assert_eq!(base.take(1, || cleared += 1), OUT_OF_REACH);
        assert_eq!(cleared, 2);
        assert!(base.take(1, || cleared += 1) > 2 * OUT_OF_REACH);
        assert_eq!(cleared, 2);
    }
}
