//! Encoders and decoders that are kept between chunks.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, DParams, Result, Threads};
use zarrs::array::codec::api::RecommendedConcurrency;

/// One of each per thread that is at work. Those for several threads are made when they are
/// needed: their chunks are large.
#[derive(Default)]
pub(crate) struct Tools {
    encoders: Mutex<Vec<ChunkEncoder>>,
    decoders: Mutex<Vec<ChunkDecoder>>,
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tools").finish_non_exhaustive()
    }
}

/// The decoded bytes that are worth a thread.
const PER_THREAD: u64 = 1 << 20;

/// How many threads a chunk of this many decoded bytes keeps busy.
pub(crate) fn concurrency(nbytes: u64) -> RecommendedConcurrency {
    let most = usize::try_from((nbytes / PER_THREAD).max(1)).unwrap_or(usize::MAX);
    RecommendedConcurrency::new_maximum(most)
}

/// The threads of a budget: those of the rayon pool that zarrs works in.
pub(crate) fn threads(budget: usize) -> Threads {
    match budget {
        0 | 1 => Threads::Serial,
        most => Threads::AtMost(most),
    }
}

/// Takes a tool, or makes one, and gives it back after use.
fn with<T, R>(
    pool: &Mutex<Vec<T>>,
    make: impl FnOnce() -> Result<T>,
    work: impl FnOnce(&mut T) -> Result<R>,
) -> Result<R> {
    let taken = pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut tool = match taken {
        Some(tool) => tool,
        None => make()?,
    };
    let done = work(&mut tool);
    let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
    pool.push(tool);
    done
}

impl Tools {
    /// Calls `work` with an encoder for Blosc1 of these parameters, which are the same in every
    /// call, for `budget` threads.
    pub(crate) fn encode<R>(
        &self,
        cparams: &CParams,
        budget: usize,
        work: impl FnOnce(&mut ChunkEncoder) -> Result<R>,
    ) -> Result<R> {
        let make = || ChunkEncoder::for_blosc1(cparams.clone().threads(threads(budget)));
        match budget {
            0 | 1 => with(&self.encoders, make, work),
            _ => work(&mut make()?),
        }
    }

    /// Calls `work` with a decoder for `budget` threads.
    pub(crate) fn decode<R>(
        &self,
        budget: usize,
        work: impl FnOnce(&mut ChunkDecoder) -> Result<R>,
    ) -> Result<R> {
        let make = || Ok(ChunkDecoder::new(DParams::new().threads(threads(budget))));
        match budget {
            0 | 1 => with(&self.decoders, make, work),
            _ => work(&mut make()?),
        }
    }
}
