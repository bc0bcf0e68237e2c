//! Who does the work: the calling thread, or also a rayon pool that the caller names.
//!
//! Nothing here starts a thread by itself. The bytes written never depend on the choice.
//!
//! The calling thread begins with the first block at once; threads of the pool are asked to join,
//! and whoever is free takes the next blocks. To wake a thread and to wait for its last block takes
//! some microseconds, which small chunks are decoded in: each helper is woken only when the
//! work [`PARALLEL_WORK`] stands for is there for it.

#[cfg(feature = "rayon")]
use std::sync::Arc;
use std::time::Duration;

/// The least serial work, as estimated from sizes and codec, that a thread must find to be woken.
///
/// Two threads share chunks from twice this on: about 1.2 MB to compress with the fast codecs, 200 KB
/// with Zstandard, 80 KB with zlib; to decompress, 2 to 4 MB with the fast codecs, as well as the data
/// compress, and 200 to 600 KB with the others. To wake a sleeping thread and to wait for it takes 24 to
/// 28 µs on the machine of `benches/RESULTS.md`, whose "Threads" section has the measurement.
pub const PARALLEL_WORK: Duration = Duration::from_micros(70);

/// Where blocks are compressed and decompressed. The default is [`Threads::Serial`].
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub enum Threads {
    /// The calling thread alone.
    #[default]
    Serial,
    /// The calling thread and its rayon pool (the global one outside of any pool).
    #[cfg(feature = "rayon")]
    Current,
    /// The calling thread and a pool that the caller made.
    #[cfg(feature = "rayon")]
    #[doc(alias = "blosc2_set_threads_callback")]
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

    /// Runs `work` on the calling thread and, as soon as they are free, on `helpers` of the pool;
    /// returns when all are done.
    #[cfg(feature = "rayon")]
    pub(crate) fn join(&self, helpers: usize, work: impl Fn() + Sync) {
        match self {
            Self::Serial => work(),
            Self::Current => rayon::in_place_scope(|scope| spread(scope, helpers, &work)),
            Self::Pool(pool) => pool.in_place_scope(|scope| spread(scope, helpers, &work)),
        }
    }
}

/// Runs `work` here and on `helpers` of the pool.
#[cfg(feature = "rayon")]
fn spread<'s>(scope: &rayon::Scope<'s>, helpers: usize, work: &'s (impl Fn() + Sync)) {
    for _ in 0..helpers {
        scope.spawn(move |_| work());
    }
    work();
}
