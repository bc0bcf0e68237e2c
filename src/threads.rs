//! Who does the work: the calling thread, or a rayon pool that the caller names.
//!
//! Nothing here starts a thread by itself. The bytes written never depend on the choice.

#[cfg(feature = "rayon")]
use std::sync::Arc;

/// The least uncompressed size in bytes of a chunk whose blocks are shared between threads; below
/// it, waking them costs more than they save.
pub const PARALLEL_FLOOR: usize = 256 << 10;

/// Where blocks are compressed and decompressed. The default is [`Threads::Serial`].
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub enum Threads {
    /// The calling thread alone.
    #[default]
    Serial,
    /// The rayon pool of the calling thread (the global one outside of any pool).
    #[cfg(feature = "rayon")]
    Current,
    /// A pool that the caller made.
    #[doc(alias = "blosc2_set_threads_callback")]
    #[cfg(feature = "rayon")]
    Pool(Arc<rayon::ThreadPool>),
}

impl Threads {
    /// How many threads may work at once.
    #[doc(alias = "blosc2_get_nthreads")]
    pub fn count(&self) -> usize {
        match self {
            Self::Serial => 1,
            #[cfg(feature = "rayon")]
            Self::Current => rayon::current_num_threads(),
            #[cfg(feature = "rayon")]
            Self::Pool(pool) => pool.current_num_threads(),
        }
    }

    /// Runs `work` where rayon's parallel iterators use the chosen pool.
    #[cfg(feature = "rayon")]
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Serial | Self::Current => work(),
            Self::Pool(pool) => pool.install(work),
        }
    }
}
