//! Encoding by several threads: the chunk that one thread would write, in every schedule; its
//! failure, when a block fails or the chunk is full.

#[path = "../../../src/threads/claim.rs"]
mod claim;
#[path = "../../../src/chunk/encode/parallel.rs"]
mod parallel;
#[path = "../../../src/threads/policy.rs"]
mod policy;
#[path = "../../../src/threads/pool.rs"]
mod pool;

mod error {
    pub(crate) use oxiblosc::{Error, Result};
}

mod sync {
    pub(crate) use oxiblosc_model::sync::*;
}

mod threads {
    pub(crate) use super::policy::Threads;
    pub(crate) use super::{claim, pool, sync};
}

mod stream {
    pub(crate) const CSIZE_LEN: usize = 4;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Full;
}

mod chunk {
    pub(crate) mod scratch {
        use crate::claim::Numbered;

        #[derive(Debug, Default)]
        pub(crate) struct Worker;

        impl Numbered for Worker {
            fn set_thread(&mut self, thread: usize) {
                assert!(thread < crate::THREADS, "thread {thread}");
            }
        }

        pub(crate) fn grown(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
            buffer.resize(len.max(buffer.len()), 0);
            &mut buffer[..len]
        }
    }
}

mod block {
    use crate::chunk::scratch::Worker;
    use crate::error::{Error, Result};
    use crate::stream::Full;

    #[derive(Clone, Copy)]
    pub(crate) struct Cut {
        pub(crate) blocksize: usize,
        pub(crate) nblocks: usize,
    }

    /// Blocks that encode to their number plus one, one to three times.
    pub(crate) struct BlockEncoder<'a> {
        pub(crate) cut: Cut,
        /// The block that fails.
        pub(crate) fails: Option<usize>,
        pub(crate) marker: std::marker::PhantomData<&'a ()>,
    }

    impl BlockEncoder<'_> {
        pub(crate) fn block_len(&self, _block: usize) -> usize {
            4
        }

        pub(crate) fn nstreams(&self, _len: usize) -> usize {
            1
        }

        pub(crate) fn encode(
            &self,
            _worker: &mut Worker,
            block: usize,
            dst: &mut [u8],
            at: usize,
        ) -> Result<Result<usize, Full>> {
            shuttle::thread::yield_now();
            if self.fails == Some(block) {
                return Err(Error::limit_exceeded("model", block as u64, 0));
            }
            let end = at + block % 3 + 1;
            let Some(room) = dst.get_mut(at..end) else {
                return Ok(Err(Full));
            };
            room.fill(u8::try_from(block).unwrap() + 1);
            Ok(Ok(end))
        }
    }
}

mod output {
    use crate::block::BlockEncoder;
    use crate::chunk::scratch::Worker;
    use crate::error::Result;
    use crate::stream::Full;

    #[derive(Debug)]
    pub(crate) struct Output<'d> {
        pub(crate) dst: &'d mut [u8],
        pub(crate) end: usize,
        pub(crate) starts: Vec<(usize, usize)>,
    }

    impl Output<'_> {
        pub(crate) fn put_bstart(&mut self, block: usize) {
            self.starts.push((block, self.end));
        }

        pub(crate) fn encode(
            &mut self,
            blocks: &BlockEncoder<'_>,
            worker: &mut Worker,
            block: usize,
            _: &mut Option<usize>,
        ) -> Result<Result<(), Full>> {
            let end = blocks.encode(worker, block, self.dst, self.end)?;
            Ok(end.map(|end| self.end = end))
        }
    }
}

use std::sync::Arc;

use block::{BlockEncoder, Cut};
use chunk::scratch::Worker;
use output::Output;
use oxiblosc_model::explore;
use parallel::{Slots, encode_parallel};
use policy::{ParallelFor, Threads};
use stream::Full;

/// The calling thread and at most two helpers.
const THREADS: usize = 3;

const BLOCKS: usize = 5;

/// Threads of the checker.
#[derive(Debug)]
struct Modelled;

impl ParallelFor for Modelled {
    fn count(&self) -> usize {
        THREADS
    }

    fn run(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        shuttle::thread::scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(work);
            }
            work();
        });
    }
}

/// A chunk: its bytes and where blocks begin, or why there is none.
type Done = Result<Result<(Vec<u8>, Vec<(usize, usize)>), Full>, String>;

/// Blocks so large that a wave has the fewest blocks, `2 * threads`.
fn blocks(fails: Option<usize>) -> BlockEncoder<'static> {
    BlockEncoder {
        cut: Cut {
            blocksize: 32 << 20,
            nblocks: BLOCKS,
        },
        fails,
        marker: std::marker::PhantomData,
    }
}

fn output(dst: &mut [u8]) -> Output<'_> {
    Output {
        dst,
        end: 0,
        starts: Vec::new(),
    }
}

/// As one thread encodes them, block by block.
fn serial(fails: Option<usize>, capacity: usize) -> Done {
    let (blocks, mut dst) = (blocks(fails), vec![0; capacity]);
    let mut output = output(&mut dst);
    for block in 0..BLOCKS {
        output.put_bstart(block);
        let done = output.encode(&blocks, &mut Worker, block, &mut None);
        if done.map_err(|error| error.to_string())?.is_err() {
            return Ok(Err(Full));
        }
    }
    let (end, starts) = (output.end, output.starts);
    dst.truncate(end);
    Ok(Ok((dst, starts)))
}

fn parallel(helpers: usize, fails: Option<usize>, capacity: usize, slots: &mut Slots) -> Done {
    let (blocks, mut dst) = (blocks(fails), vec![0; capacity]);
    let threads = Threads::External(Arc::new(Modelled));
    let mut output = output(&mut dst);
    let done = encode_parallel(&blocks, &threads, helpers, slots, &mut output);
    if done.map_err(|error| error.to_string())?.is_err() {
        return Ok(Err(Full));
    }
    let (end, starts) = (output.end, output.starts);
    dst.truncate(end);
    Ok(Ok((dst, starts)))
}

/// The bytes of all blocks: 1 + 2 + 3 + 1 + 2.
const ALL: usize = 9;

#[test]
fn blocks_are_written_in_order() {
    for helpers in [1, 2] {
        // With the longest slots to spare, and without: the last blocks are encoded in place.
        for capacity in [ALL, ALL + 3, ALL + 20] {
            explore(move || {
                let expected = serial(None, capacity);
                assert!(matches!(&expected, Ok(Ok((bytes, _))) if bytes.len() == ALL));
                let mut slots = Slots::default();
                for _ in 0..2 {
                    let done = parallel(helpers, None, capacity, &mut slots);
                    assert_eq!(done, expected);
                }
            });
        }
    }
}

#[test]
fn a_full_chunk_is_full() {
    for capacity in [0, 3, ALL - 1] {
        explore(move || {
            let done = parallel(2, None, capacity, &mut Slots::default());
            assert_eq!(done, Ok(Err(Full)));
            assert_eq!(done, serial(None, capacity));
        });
    }
}

#[test]
fn what_comes_first_is_reported() {
    for fails in 0..BLOCKS {
        for capacity in [2, 6, ALL] {
            explore(move || {
                let expected = serial(Some(fails), capacity);
                assert!(!matches!(expected, Ok(Ok(_))));
                let done = parallel(2, Some(fails), capacity, &mut Slots::default());
                assert_eq!(done, expected);
            });
        }
    }
}
