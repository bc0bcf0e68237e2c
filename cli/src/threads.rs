//! The number of threads as the library wants it.

use std::sync::Arc;

use oxiblosc::Threads;

use crate::args::ThreadArgs;
use crate::failure::Failure;

/// A pool of as many threads as asked for; without a wish, one per core.
pub(crate) fn threads(args: &ThreadArgs) -> Result<Threads, Failure> {
    let count = match args.threads {
        Some(count) => usize::from(count),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    if count == 1 {
        return Ok(Threads::Serial);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .build()
        .map_err(|error| Failure::usage(format!("cannot start {count} threads: {error}")))?;
    Ok(Threads::Pool(Arc::new(pool)))
}
