//! Pieces of an object that is somewhere else: what was fetched, and an error for what was not.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::Range;
use std::slice::from_ref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ReadAt, check_ranges, past_end};
use crate::num::{saturating_usize, to_u64};

/// Bytes of an object of known length, as far as they were fetched: a storage that never fetches
/// anything itself.
///
/// A read of bytes that are not held fails with [`io::ErrorKind::WouldBlock`], and the error holds
/// the ranges to fetch ([`Pieces::missing`]). Clones share the pieces. Pieces that no request holds
/// any more are kept up to a budget; those that were not used for the longest time leave first.
///
/// [`remote`](crate::remote) reads arrays through it.
///
/// ```
/// use oxiblosc::storage::{Pieces, ReadAt};
///
/// let pieces = Pieces::new(100, 1 << 20);
/// let error = pieces.read_exact_at(&mut [0; 4], 40).unwrap_err();
/// assert_eq!(Pieces::missing(&error), Some(&[40..44][..]));
/// pieces.give(40, vec![7; 10]);
/// let mut four = [0; 4];
/// pieces.read_exact_at(&mut four, 44)?;
/// assert_eq!(four, [7; 4]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Pieces {
    len: u64,
    budget: usize,
    held: Arc<Mutex<HeldPieces>>,
}

#[derive(Default)]
struct HeldPieces {
    /// By their offsets. They do not overlap.
    pieces: BTreeMap<u64, Piece>,
    /// The unpinned ones by their last use.
    order: BTreeMap<u64, u64>,
    clock: u64,
    /// The bytes of the unpinned ones.
    loose: usize,
}

/// Fetched bytes, which stay as long as something holds them.
pub(crate) type Fetched = Arc<dyn AsRef<[u8]> + Send + Sync>;

struct Piece {
    bytes: Fetched,
    len: usize,
    /// How many requests hold it.
    pins: usize,
    used: u64,
}

impl Piece {
    fn end(&self, start: u64) -> u64 {
        start.saturating_add(to_u64(self.len))
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pieces")
            .field("len", &self.len)
            .field("held", &self.held_bytes())
            .field("budget", &self.budget)
            .finish()
    }
}

/// The ranges that a read needs and that are not held.
#[derive(Debug)]
struct NotHeld(Vec<Range<u64>>);

impl fmt::Display for NotHeld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        let Range { start, end } = self.0.first().cloned().unwrap_or_default();
        write!(
            f,
            "storage: {count} ranges are not held, the first is {start}..{end}"
        )
    }
}

impl std::error::Error for NotHeld {}

/// Keeps pieces from leaving, until it is dropped.
#[derive(Debug)]
pub(crate) struct Pin {
    pieces: Pieces,
    starts: Vec<u64>,
}

impl Drop for Pin {
    fn drop(&mut self) {
        let mut held = self.pieces.lock();
        for start in &self.starts {
            held.unpin(*start);
        }
        held.shrink(self.pieces.budget);
    }
}

impl Pieces {
    /// An object of `len` bytes of which nothing is held yet. Of what was read, at most `budget`
    /// bytes are kept for later reads.
    pub fn new(len: u64, budget: usize) -> Self {
        let held = Arc::default();
        Self { len, budget, held }
    }

    /// Adds the bytes from `at` on. Those that are held already, and those beyond the end, are
    /// ignored.
    pub fn give(&self, at: u64, bytes: impl Into<Vec<u8>>) {
        drop(self.give_pinned(at, &(Arc::new(bytes.into()) as Fetched)));
    }

    /// [`give`](Self::give), and keeps the bytes until the pin is dropped.
    pub(crate) fn give_pinned(&self, at: u64, fetched: &Fetched) -> Pin {
        let bytes: &[u8] = (**fetched).as_ref();
        let end = at.saturating_add(to_u64(bytes.len())).min(self.len);
        let mut held = self.lock();
        for gap in held.gaps(&(at..end)) {
            let from = saturating_usize(gap.start.saturating_sub(at));
            let to = saturating_usize(gap.end.saturating_sub(at));
            let part = bytes.get(from..to).unwrap_or_default();
            // Bytes of which only a part is new would stay as a whole.
            let kept = match part.len() == bytes.len() {
                true => Arc::clone(fetched),
                false => Arc::new(part.to_vec()),
            };
            held.insert(gap.start, kept, part.len());
        }
        let starts = held.pin(&(at..end));
        drop(held);
        Pin {
            pieces: self.clone(),
            starts,
        }
    }

    /// The parts of a range that are not held.
    pub fn gaps(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let end = range.end.min(self.len);
        self.lock().gaps(&(range.start..end))
    }

    /// The number of bytes held.
    pub fn held_bytes(&self) -> usize {
        let held = self.lock();
        held.pieces.values().map(|piece| piece.len).sum()
    }

    /// The ranges to fetch before the read that failed with this error can succeed; `None` for
    /// other errors.
    pub fn missing(error: &io::Error) -> Option<&[Range<u64>]> {
        let inner = error.get_ref()?.downcast_ref::<NotHeld>();
        inner.map(|NotHeld(ranges)| ranges.as_slice())
    }

    fn lock(&self) -> MutexGuard<'_, HeldPieces> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldPieces {
    /// The parts of a range that no piece covers.
    fn gaps(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut at = range.start;
        for (&start, piece) in self.touching(range) {
            if start > at {
                gaps.push(at..start);
            }
            at = at.max(piece.end(start));
        }
        if at < range.end {
            gaps.push(at..range.end);
        }
        gaps
    }

    /// The pieces that a range touches.
    fn touching(&self, range: &Range<u64>) -> impl Iterator<Item = (&u64, &Piece)> {
        let (start, end) = (range.start, range.end.max(range.start));
        let before = self.pieces.range(..start).next_back();
        let before = before.filter(|(at, piece)| piece.end(**at) > start);
        before.into_iter().chain(self.pieces.range(start..end))
    }

    fn insert(&mut self, start: u64, bytes: Fetched, len: usize) {
        if len == 0 {
            return;
        }
        let used = self.tick();
        self.loose = self.loose.saturating_add(len);
        self.order.insert(used, start);
        let pins = 0;
        self.pieces.insert(
            start,
            Piece {
                bytes,
                len,
                pins,
                used,
            },
        );
    }

    fn tick(&mut self) -> u64 {
        self.clock = self.clock.saturating_add(1);
        self.clock
    }

    /// Keeps the pieces that a range touches, and returns their offsets.
    fn pin(&mut self, range: &Range<u64>) -> Vec<u64> {
        let starts: Vec<u64> = self.touching(range).map(|(&start, _)| start).collect();
        for start in &starts {
            if let Some(piece) = self.pieces.get_mut(start) {
                if piece.pins == 0 {
                    self.order.remove(&piece.used);
                    self.loose = self.loose.saturating_sub(piece.len);
                }
                piece.pins = piece.pins.saturating_add(1);
            }
        }
        starts
    }

    fn unpin(&mut self, start: u64) {
        let used = self.tick();
        if let Some(piece) = self.pieces.get_mut(&start) {
            piece.pins = piece.pins.saturating_sub(1);
            if piece.pins == 0 {
                piece.used = used;
                self.order.insert(used, start);
                self.loose = self.loose.saturating_add(piece.len);
            }
        }
    }

    /// Lets the oldest pieces leave that no request holds.
    fn shrink(&mut self, budget: usize) {
        while self.loose > budget
            && let Some((_, start)) = self.order.pop_first()
        {
            if let Some(piece) = self.pieces.remove(&start) {
                self.loose = self.loose.saturating_sub(piece.len);
            }
        }
    }

    /// Notes that the loose ones of these pieces were used.
    fn touch(&mut self, starts: &[u64]) {
        for start in starts {
            let used = self.tick();
            if let Some(piece) = self.pieces.get_mut(start)
                && piece.pins == 0
            {
                self.order.remove(&piece.used);
                self.order.insert(used, *start);
                piece.used = used;
            }
        }
    }
}

impl ReadAt for Pieces {
    fn len(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.saturating_add(to_u64(buf.len()));
        self.read_ranges(from_ref(&(offset..end)), &mut [buf])
    }

    fn read_ranges(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> io::Result<()> {
        check_ranges(ranges, bufs)?;
        if let Some(range) = ranges.iter().find(|range| range.end > self.len) {
            let needed = saturating_usize(range.end.saturating_sub(range.start));
            return Err(past_end(range.start, needed, self.len));
        }
        let mut held = self.lock();
        let missing: Vec<_> = ranges.iter().flat_map(|range| held.gaps(range)).collect();
        if !missing.is_empty() {
            let missing = NotHeld(missing);
            return Err(io::Error::new(io::ErrorKind::WouldBlock, missing));
        }
        let mut found: Vec<(u64, Fetched, usize)> = Vec::new();
        for (buf, range) in ranges.iter().enumerate() {
            let pieces = held.touching(range);
            found.extend(pieces.map(|(&start, piece)| (start, Arc::clone(&piece.bytes), buf)));
        }
        let starts: Vec<u64> = found.iter().map(|(start, ..)| *start).collect();
        held.touch(&starts);
        // Copied without the lock.
        drop(held);
        for (start, bytes, buf) in found {
            let (Some(range), Some(buf)) = (ranges.get(buf), bufs.get_mut(buf)) else {
                continue;
            };
            let bytes: &[u8] = (*bytes).as_ref();
            let end = start.saturating_add(to_u64(bytes.len())).min(range.end);
            let from = start.max(range.start);
            let cut = |base: u64| {
                let at = |place: u64| saturating_usize(place.saturating_sub(base));
                at(from)..at(end)
            };
            if let (Some(to), Some(from)) = (buf.get_mut(cut(range.start)), bytes.get(cut(start))) {
                to.copy_from_slice(from);
            }
        }
        Ok(())
    }

    fn is_far(&self) -> bool {
        true
    }
}
