//! Chunks decoded ahead of their reader: in order, each once, with their errors; no thread waits
//! for ever, and what was not started is cancelled with the reader.

#[path = "../../../src/schunk/ahead.rs"]
mod ahead;

mod error {
    pub(crate) use oxiblosc::{Error, Result};
}

mod num {
    pub(crate) fn saturating_usize(n: impl TryInto<usize>) -> usize {
        n.try_into().unwrap_or(usize::MAX)
    }

    pub(crate) fn to_u64(n: usize) -> u64 {
        n.try_into().unwrap_or(u64::MAX)
    }
}

/// Threads of the checker: one that works through a list, or one for each chunk.
mod threads {
    use std::sync::Arc;

    pub(crate) mod sync {
        pub(crate) use oxiblosc_model::sync::*;
    }

    type Work = Box<dyn FnOnce() + Send>;

    #[derive(Debug, Default)]
    pub(crate) struct List {
        pub(crate) work: sync::Mutex<Option<Vec<Handle>>>,
    }

    pub(crate) struct Handle(Option<Work>);

    impl std::fmt::Debug for Handle {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Handle")
        }
    }

    #[derive(Clone, Debug)]
    pub(crate) enum Threads {
        Serial,
        Each,
        List(Arc<List>),
    }

    impl Threads {
        pub(crate) fn count(&self) -> usize {
            if matches!(self, Self::Serial) { 1 } else { 2 }
        }

        pub(crate) fn spawn(&self, work: impl FnOnce() + Send + 'static) -> bool {
            match self {
                Self::Serial => return false,
                Self::Each => drop(shuttle::thread::spawn(work)),
                Self::List(list) => {
                    let work = Handle(Some(Box::new(work)));
                    sync::lock(&list.work).get_or_insert_default().push(work);
                }
            }
            true
        }
    }

    impl List {
        /// Does the work that is there, in order, until none is left.
        pub(crate) fn run(&self) {
            loop {
                let mut list = sync::lock(&self.work);
                let Some(work) = list.as_mut().filter(|list| !list.is_empty()) else {
                    return;
                };
                let work = work.remove(0).0;
                drop(list);
                if let Some(work) = work {
                    work();
                }
            }
        }
    }
}

mod params {
    use crate::threads::Threads;

    #[derive(Clone, Debug)]
    pub(crate) struct DParams {
        pub(crate) limits: Limits,
        pub(crate) threads: Threads,
    }

    #[derive(Clone, Debug)]
    pub(crate) struct Limits;

    impl Limits {
        pub(crate) fn check_alloc(&self, _: u64, _: Option<u64>) -> crate::error::Result<()> {
            Ok(())
        }
    }

    impl DParams {
        pub(crate) fn threads(mut self, threads: Threads) -> Self {
            self.threads = threads;
            self
        }
    }
}

mod chunk {
    #[derive(Debug)]
    pub(crate) struct ChunkDecoder;

    impl ChunkDecoder {
        pub(crate) fn set_thread(&mut self, _thread: usize) {}

        pub(crate) fn new(_: crate::params::DParams) -> Self {
            Self
        }
    }
}

mod source {
    use crate::chunk::ChunkDecoder;
    use crate::error::Result;
    use crate::params::DParams;

    pub(crate) struct Layout {
        pub(crate) nchunks: u64,
    }

    pub(crate) trait ChunkSource: Send + Sync {
        fn layout(&self) -> Layout;
        fn dparams(&self) -> &DParams;
        fn chunk_nbytes(&self, nchunk: u64) -> Result<usize>;
        fn decode_chunk_into(
            &self,
            _: &mut ChunkDecoder,
            nchunk: u64,
            dst: &mut [u8],
        ) -> Result<usize>;
    }
}

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ahead::ReadAhead;
use error::{Error, Result};
use oxiblosc_model::explore;
use params::{DParams, Limits};
use source::{ChunkSource, Layout};
use threads::{List, Threads};

const CHUNKS: usize = 3;

/// Chunks of one byte, their number; the second one fails.
#[derive(Debug)]
struct Chunks {
    dparams: DParams,
    decoded: [AtomicUsize; CHUNKS],
}

impl Chunks {
    fn new(threads: Threads) -> Arc<Self> {
        let limits = Limits;
        Arc::new(Self {
            dparams: DParams { limits, threads },
            decoded: Default::default(),
        })
    }

    fn decoded(&self) -> usize {
        self.decoded.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
}

impl ChunkSource for Chunks {
    fn layout(&self) -> Layout {
        let nchunks = CHUNKS as u64;
        Layout { nchunks }
    }

    fn dparams(&self) -> &DParams {
        &self.dparams
    }

    fn chunk_nbytes(&self, _: u64) -> Result<usize> {
        Ok(1)
    }

    fn decode_chunk_into(
        &self,
        _: &mut chunk::ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        let at = usize::try_from(nchunk).unwrap();
        self.decoded[at].fetch_add(1, Ordering::Relaxed);
        shuttle::thread::yield_now();
        if nchunk == 1 {
            return Err(Error::limit_exceeded("model", 1, 0));
        }
        dst[0] = u8::try_from(nchunk).unwrap();
        Ok(1)
    }
}

/// Every chunk once, in order, the error in its place.
fn read_all(source: &Arc<Chunks>, chunks: ReadAhead<Chunks>) {
    let found: Vec<_> = chunks.map(|chunk| chunk.ok()).collect();
    assert_eq!(found, [Some(vec![0]), None, Some(vec![2])]);
    for (nchunk, count) in source.decoded.iter().enumerate() {
        assert_eq!(count.load(Ordering::Relaxed), 1, "chunk {nchunk}");
    }
}

#[test]
fn chunks_come_in_order_and_are_decoded_once() {
    explore(|| {
        let source = Chunks::new(Threads::Each);
        read_all(&source, ReadAhead::new(Arc::clone(&source)));
    });
}

#[test]
fn a_busy_pool_delays_no_reader() {
    explore(|| {
        let list = Arc::new(List::default());
        let source = Chunks::new(Threads::List(Arc::clone(&list)));
        let chunks = ReadAhead::new(Arc::clone(&source));
        let busy = Arc::clone(&list);
        let helper = shuttle::thread::spawn(move || busy.run());
        read_all(&source, chunks);
        helper.join().unwrap();
        list.run();
    });
}

#[test]
fn a_reader_that_goes_cancels_what_was_not_started() {
    explore(|| {
        let list = Arc::new(List::default());
        let source = Chunks::new(Threads::List(Arc::clone(&list)));
        let mut chunks = ReadAhead::new(Arc::clone(&source));
        let first = chunks.next().unwrap().unwrap();
        assert_eq!(first, [0]);
        let busy = Arc::clone(&list);
        let helper = shuttle::thread::spawn(move || busy.run());
        shuttle::thread::yield_now();
        drop(chunks);
        // The helper has at most begun with one.
        let before = source.decoded();
        helper.join().unwrap();
        list.run();
        assert!(
            source.decoded() <= before + 1,
            "cancelled chunks were decoded"
        );
    });
}
