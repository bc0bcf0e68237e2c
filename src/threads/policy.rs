//! The execution policy.

use std::fmt;
use std::sync::Arc;

/// A parallel-for supplied by the caller, such as the threads of a C program.
///
/// ```
/// use std::sync::Arc;
/// use oxiblosc::threads::ParallelFor;
/// use oxiblosc::{compress, CParams, Threads};
///
/// #[derive(Debug)]
/// struct Scoped;
///
/// impl ParallelFor for Scoped {
///     fn count(&self) -> usize {
///         4
///     }
///
///     fn run(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
///         std::thread::scope(|scope| {
///             for _ in 0..helpers {
///                 scope.spawn(work);
///             }
///             work();
///         });
///     }
/// }
///
/// let data = vec![7; 4 << 20];
/// let cparams = CParams::new(1);
/// let alone = compress(&data, &cparams)?;
/// let together = compress(&data, &cparams.threads(Threads::External(Arc::new(Scoped))))?;
/// assert_eq!(alone, together);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "blosc2_set_threads_callback")]
pub trait ParallelFor: fmt::Debug + Send + Sync {
    /// How many threads may work at once, the calling one included.
    fn count(&self) -> usize;

    /// Calls `work` on the calling thread and, as soon as they are free, on up to `helpers` other
    /// threads; returns when all these calls have returned. Each call claims blocks until none is
    /// left, so a helper that starts late or never changes nothing but the time.
    ///
    /// A panic of `work` (of a user-defined filter, say) may be caught here; the operation then
    /// panics on the calling thread, since its result would be incomplete.
    fn run(&self, helpers: usize, work: &(dyn Fn() + Sync));
}

/// The threads that compress and decompress blocks. The default is [`Threads::Serial`].
///
/// The bytes written never depend on the choice.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub enum Threads {
    /// The calling thread alone.
    #[default]
    Serial,
    /// The calling thread and its rayon pool (the global one outside of any pool).
    #[cfg(feature = "rayon")]
    Current,
    /// The calling thread and a rayon pool. A thread of the pool that calls counts as one of it.
    #[cfg(feature = "rayon")]
    Pool(Arc<rayon::ThreadPool>),
    /// The calling thread and the threads of the caller.
    External(Arc<dyn ParallelFor>),
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
            Self::External(threads) => threads.count().max(1),
        }
    }

    /// Whether the calling thread works alone.
    #[inline]
    pub(crate) fn is_serial(&self) -> bool {
        matches!(self, Self::Serial)
    }

    /// Runs `work` on the calling thread and, as soon as they are free, on `helpers` others;
    /// returns when all calls have returned.
    pub(super) fn run(&self, helpers: usize, work: impl Fn() + Sync) {
        match self {
            Self::Serial => work(),
            #[cfg(feature = "rayon")]
            Self::Current => rayon::in_place_scope(|scope| spread(scope, helpers, &work)),
            #[cfg(feature = "rayon")]
            Self::Pool(pool) => pool.in_place_scope(|scope| spread(scope, helpers, &work)),
            Self::External(threads) => {
                threads.run(helpers, &work);
                // Nothing is left here, unless `run` broke its contract and never called `work`.
                work();
            }
        }
    }

    /// Starts `work` on another thread, without waiting for it. False when the policy has no
    /// thread for it; nothing is done then.
    #[cfg(feature = "frame")]
    pub(crate) fn spawn(&self, work: impl FnOnce() + Send + 'static) -> bool {
        match self {
            Self::Serial | Self::External(_) => {
                drop(work);
                false
            }
            #[cfg(feature = "rayon")]
            Self::Current => {
                rayon::spawn(work);
                true
            }
            #[cfg(feature = "rayon")]
            Self::Pool(pool) => {
                pool.spawn(work);
                true
            }
        }
    }
}

/// Runs `work` here and on `helpers` threads of the scope's pool.
#[cfg(feature = "rayon")]
fn spread<'s>(scope: &rayon::Scope<'s>, helpers: usize, work: &'s (impl Fn() + Sync)) {
    for _ in 0..helpers {
        scope.spawn(move |_| work());
    }
    work();
}
