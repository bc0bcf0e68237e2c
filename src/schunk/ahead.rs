//! Chunks decoded in order, by other threads, ahead of the reader.
//!
//! ```text
//! reader    next() next() next()
//! window           | 3 done | 4 decoding | 5 decoding | 6 waiting |      as long as `window`
//! chunks     0 1 2   3        4            5            6             7 8 9 ...
//! ```
//!
//! The reader itself decodes a chunk that no thread has started, so a busy pool, or one that the
//! reader is part of, cannot block it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::source::ChunkSource;
use crate::chunk::ChunkDecoder;
use crate::error::Result;
use crate::num::{saturating_usize, to_u64};
use crate::params::DParams;
use crate::threads::Threads;
use crate::threads::sync::{Condvar, Mutex, PoisonError, lock};

/// The decoded chunks of a super-chunk in their order.
///
/// With [`Threads::Serial`] each chunk is decoded on demand; with a pool, up to twice
/// as many chunks as threads are decoded or being decoded ahead of the reader. At most these
/// are in memory. An error belongs to its chunk; the next call goes on with the next one.
///
/// ```
/// use std::sync::Arc;
/// use oxiblosc::schunk::ReadAhead;
/// use oxiblosc::{CParams, DParams, SChunk, Threads};
/// # fn main() -> oxiblosc::Result<()> {
/// let mut schunk = SChunk::new(CParams::new(1), 1000)?;
/// schunk.set_dparams(DParams::new().threads(Threads::Current));
/// schunk.append(&[7; 2500])?;
/// let chunks = ReadAhead::new(Arc::new(schunk));
/// let lens: Vec<usize> = chunks.map(|chunk| Ok(chunk?.len())).collect::<oxiblosc::Result<_>>()?;
/// assert_eq!(lens, [1000, 1000, 500]);
/// # Ok(())
/// # }
/// ```
pub struct ReadAhead<C> {
    shared: Arc<Shared<C>>,
    threads: Threads,
    window: usize,
    /// Chunks submitted for decoding; the first one is the next to return.
    slots: VecDeque<Arc<Slot>>,
    /// The first chunk that has no slot.
    next: u64,
    nchunks: u64,
}

impl<C: fmt::Debug> fmt::Debug for ReadAhead<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadAhead")
            .field("source", &self.shared.source)
            .field("next", &self.next.saturating_sub(self.slots.len() as u64))
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}

struct Shared<C> {
    source: Arc<C>,
    dparams: DParams,
    decoders: Mutex<Decoders>,
}

/// The decoders of the threads, which are as many as have worked at once.
#[derive(Default)]
struct Decoders {
    idle: Vec<ChunkDecoder>,
    /// How many there are, used ones included: the number of the next thread.
    made: usize,
}

impl Decoders {
    /// An idle decoder, or a new one.
    fn take(&mut self, dparams: &DParams) -> ChunkDecoder {
        self.idle.pop().unwrap_or_else(|| {
            let mut decoder = ChunkDecoder::new(dparams.clone());
            decoder.set_thread(self.made);
            self.made = self.made.saturating_add(1);
            decoder
        })
    }
}

struct Slot {
    nchunk: u64,
    state: Mutex<State>,
    done: Condvar,
}

enum State {
    Waiting,
    Running,
    Done(Result<Vec<u8>>),
    Taken,
}

impl<C: ChunkSource + 'static> ReadAhead<C> {
    /// Starts at the first chunk, with the parameters of the source. [`DParams::threads`] are the
    /// threads that decode; each chunk is decoded by one thread.
    pub fn new(source: Arc<C>) -> Self {
        let dparams = source.dparams().clone();
        Self::with_dparams(source, dparams)
    }

    /// [`new`](Self::new) with other parameters than those of the source.
    pub fn with_dparams(source: Arc<C>, dparams: DParams) -> Self {
        let threads = dparams.threads.clone();
        let window = match threads.count() {
            0 | 1 => 1,
            count => count.saturating_mul(2),
        };
        let nchunks = source.layout().nchunks;
        let shared = Shared {
            source,
            dparams: dparams.threads(Threads::Serial),
            decoders: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
            threads,
            window,
            slots: VecDeque::new(),
            next: 0,
            nchunks,
        }
    }

    /// Submits chunks until the window is full.
    fn refill(&mut self) {
        while self.slots.len() < self.window && self.next < self.nchunks {
            let slot = Arc::new(Slot {
                nchunk: self.next,
                state: Mutex::new(State::Waiting),
                done: Condvar::new(),
            });
            self.next = self.next.saturating_add(1);
            if self.window > 1 {
                self.spawn(Arc::clone(&slot));
            }
            self.slots.push_back(slot);
        }
    }

    /// Starts to decode a chunk on another thread; where there is none, the reader decodes it.
    fn spawn(&self, slot: Arc<Slot>) {
        let shared = Arc::clone(&self.shared);
        self.threads.spawn(move || shared.work(&slot));
    }
}

/// Wakes the reader; a chunk whose decoder panicked is left to the reader.
struct GiveBack<'a>(&'a Slot);

impl Drop for GiveBack<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        if matches!(*state, State::Running) {
            *state = State::Waiting;
        }
        drop(state);
        self.0.done.notify_all();
    }
}

impl<C: ChunkSource> Shared<C> {
    /// Decodes the chunk of a slot, unless another thread has started it.
    fn work(&self, slot: &Slot) {
        let mut state = lock(&slot.state);
        if !matches!(*state, State::Waiting) {
            return;
        }
        *state = State::Running;
        drop(state);
        let unwound = GiveBack(slot);
        let found = self.decode(slot.nchunk);
        *lock(&slot.state) = State::Done(found);
        drop(unwound);
    }

    fn decode(&self, nchunk: u64) -> Result<Vec<u8>> {
        let nbytes = self.source.chunk_nbytes(nchunk)?;
        let limits = &self.dparams.limits;
        limits.check_alloc(to_u64(nbytes), None)?;
        let mut decoder = lock(&self.decoders).take(&self.dparams);
        let mut data = vec![0; nbytes];
        let done = self
            .source
            .decode_chunk_into(&mut decoder, nchunk, &mut data);
        lock(&self.decoders).idle.push(decoder);
        data.truncate(done?);
        Ok(data)
    }
}

impl<C: ChunkSource + 'static> Iterator for ReadAhead<C> {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.refill();
        let slot = self.slots.pop_front()?;
        loop {
            self.shared.work(&slot);
            let mut state = lock(&slot.state);
            while matches!(*state, State::Running) {
                state = slot
                    .done
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            match std::mem::replace(&mut *state, State::Taken) {
                State::Done(found) => {
                    drop(state);
                    self.refill();
                    return Some(found);
                }
                other => *state = other,
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.nchunks.saturating_sub(self.next);
        let left = saturating_usize(left).saturating_add(self.slots.len());
        (left, Some(left))
    }
}

impl<C> Drop for ReadAhead<C> {
    fn drop(&mut self) {
        // Cancels the chunks not yet started.
        for slot in &self.slots {
            let mut state = lock(&slot.state);
            if matches!(*state, State::Waiting) {
                *state = State::Taken;
            }
        }
    }
}
