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
///
/// [`new`](Self::new) has an example.
///
/// # Pools
///
/// The calling thread takes part: it begins with the first block at once, and threads of the pool
/// join when they are free. With a pool of `n` threads, `n` work: the caller and `n - 1` of the
/// pool. A call returns when the blocks are done and waits for no thread that has not begun, so a
/// pool that is busy costs no more than one thread would take.
///
/// # Forks
///
/// The child of a fork has none of the threads of its parent. Calls with a pool of the parent do
/// all work on the calling thread there; a pool made in the child works as usual. Each call with a
/// dead pool leaves a task of about a hundred bytes in it, so children that live long should make
/// a pool of their own or use [`Threads::Serial`]. As always with threads, what other threads of
/// the parent were using at the moment of the fork, such as an array in a call, stays locked in the
/// child.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub enum Threads {
    /// The calling thread alone.
    #[default]
    Serial,
    /// The calling thread and its rayon pool (the global one outside of any pool).
    #[cfg(feature = "rayon")]
    Current,
    /// As [`Current`](Self::Current), with at most this many threads, the calling one included.
    #[cfg(feature = "rayon")]
    AtMost(usize),
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
            Self::External(threads) => threads.count().max(1),
            #[cfg(feature = "rayon")]
            _ => self.count_pooled(),
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
            Self::External(threads) => {
                threads.run(helpers, &work);
                // Nothing is left here, unless `run` broke its contract and never called `work`.
                work();
            }
            #[cfg(feature = "rayon")]
            _ => super::rayon::run(self.pool(), helpers, &work),
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
            _ => {
                super::rayon::spawn(self.pool(), work);
                true
            }
        }
    }
}

#[cfg(feature = "rayon")]
impl Threads {
    /// A pool of `count` threads for calls from outside of it; [`Threads::Serial`] for 0 and 1.
    /// Clones share the pool, which ends with the last of them.
    ///
    /// ```
    /// use oxiblosc::{compress, CParams, Threads};
    /// let threads = Threads::new(4)?;
    /// assert_eq!(threads.count(), 4);
    /// let data = vec![7; 8 << 20];
    /// let together = compress(&data, &CParams::new(1).threads(threads))?;
    /// assert_eq!(together, compress(&data, &CParams::new(1))?);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) when the system starts no more threads.
    pub fn new(count: usize) -> crate::error::Result<Self> {
        if count < 2 {
            return Ok(Self::Serial);
        }
        super::rayon::start(count).map(Self::Pool)
    }

    /// At most `count` threads of the calling thread's pool, the calling one included;
    /// [`Threads::Serial`] for 0 and 1. Starts none of its own.
    ///
    /// ```
    /// use oxiblosc::Threads;
    /// assert!((1..=2).contains(&Threads::at_most(2).count()));
    /// assert_eq!(Threads::at_most(0).count(), 1);
    /// ```
    pub fn at_most(count: usize) -> Self {
        match count {
            0 | 1 => Self::Serial,
            _ => Self::AtMost(count),
        }
    }

    /// The pool, unless it is that of the calling thread.
    fn pool(&self) -> Option<&Arc<rayon::ThreadPool>> {
        match self {
            Self::Pool(pool) => Some(pool),
            _ => None,
        }
    }

    /// How many threads of a pool may work at once.
    fn count_pooled(&self) -> usize {
        let count = super::rayon::count(self.pool());
        match self {
            Self::AtMost(most) => count.min(*most).max(1),
            _ => count,
        }
    }
}
