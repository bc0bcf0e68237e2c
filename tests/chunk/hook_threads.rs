//! The thread numbers that hooks receive: below the number of threads that share the call, and
//! never the same on two threads.
#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

use oxiblosc::error::BoxError;
use oxiblosc::filter::BlockContext;
use oxiblosc::threads::ParallelFor;
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, DParams, Threads};

const THREADS: usize = 4;

/// Threads of the caller, `extra` more than are asked for.
#[derive(Debug)]
struct Scoped {
    extra: usize,
}

impl ParallelFor for Scoped {
    fn count(&self) -> usize {
        THREADS
    }

    fn run(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        assert_eq!(helpers, THREADS - 1, "too little work for the test");
        std::thread::scope(|scope| {
            for _ in 0..helpers + self.extra {
                scope.spawn(work);
            }
            work();
        });
    }
}

/// The threads that were seen at work in one call, by their numbers.
#[derive(Debug, Default)]
struct Seen {
    threads: Mutex<HashMap<usize, ThreadId>>,
    joined: Condvar,
}

impl Seen {
    /// Notes the thread that calls; the first time, waits until all threads have come.
    fn note(&self, cx: &BlockContext) {
        let mut threads = self.threads.lock().unwrap();
        let me = std::thread::current().id();
        if let Some(other) = threads.insert(cx.thread, me) {
            assert_eq!(other, me, "two threads with number {}", cx.thread);
            return;
        }
        self.joined.notify_all();
        let long = Duration::from_secs(60);
        let missing = |threads: &mut HashMap<_, _>| threads.len() < THREADS;
        let joined = self.joined.wait_timeout_while(threads, long, missing);
        assert!(!joined.unwrap().1.timed_out(), "not all threads came");
    }

    /// All threads have worked, and had the first numbers; the next call begins.
    fn check_all(&self) {
        let mut threads = self.threads.lock().unwrap();
        let mut numbers: Vec<usize> = threads.drain().map(|(number, _)| number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3]);
    }
}

type Hook = Box<dyn Fn(&BlockContext, &[u8], &mut [u8]) -> Result<(), BoxError> + Send + Sync>;

/// A hook that notes its threads and changes nothing.
fn noting(seen: &Arc<Seen>) -> Hook {
    let seen = Arc::clone(seen);
    Box::new(move |cx, src, dst| {
        seen.note(cx);
        dst.copy_from_slice(src);
        Ok(())
    })
}

fn data() -> Vec<u8> {
    (0..2_000_000_u32)
        .flat_map(|i| (i / 3).to_le_bytes())
        .collect()
}

fn external(extra: usize) -> Threads {
    Threads::External(Arc::new(Scoped { extra }))
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no threads")]
fn threads_that_share_blocks_have_the_first_numbers() {
    let src = data();
    let seen = Arc::new(Seen::default());
    let base = CParams::new(4).blocksize(Some(30_000));
    let plain = oxiblosc::compress(&src, &base).unwrap();
    for extra in [0, 3] {
        let cparams = base
            .clone()
            .threads(external(extra))
            .prefilter(noting(&seen));
        let mut encoder = ChunkEncoder::new(cparams).unwrap();
        let dparams = DParams::new()
            .threads(external(extra))
            .postfilter(noting(&seen));
        let mut decoder = ChunkDecoder::new(dparams);
        // The tools of a thread are used again, by threads with other numbers.
        for _ in 0..3 {
            assert_eq!(encoder.encode(&src).unwrap(), plain);
            seen.check_all();
            assert_eq!(decoder.decode(&plain).unwrap(), src);
            seen.check_all();
            let ranges = [10..3_000_000, 4_000_000..7_999_999];
            let parts = decoder.decode_ranges(&plain, &ranges).unwrap();
            assert_eq!(
                parts,
                [&src[ranges[0].clone()], &src[ranges[1].clone()]].concat()
            );
            seen.check_all();
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_of_a_pool_have_numbers_below_their_count() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS);
    let threads = Threads::Pool(Arc::new(pool.build().unwrap()));
    let src = data();
    let seen = Arc::new(Seen::default());
    let base = CParams::new(4).blocksize(Some(30_000));
    let cparams = base
        .clone()
        .threads(threads.clone())
        .prefilter(noting(&seen));
    let chunk = ChunkEncoder::new(cparams).unwrap().encode(&src).unwrap();
    seen.check_all();
    let dparams = DParams::new().threads(threads).postfilter(noting(&seen));
    assert_eq!(ChunkDecoder::new(dparams).decode(&chunk).unwrap(), src);
    seen.check_all();
}

/// The reader decodes as well as the threads of the pool: one more than they are.
#[cfg(all(feature = "rayon", feature = "frame"))]
#[test]
fn chunks_read_ahead_have_numbers_of_their_threads() {
    use std::sync::atomic::{AtomicBool, Ordering};

    use oxiblosc::SChunk;
    use oxiblosc::schunk::ReadAhead;

    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS);
    let threads = Threads::Pool(Arc::new(pool.build().unwrap()));
    let src: Vec<u8> = data()[..200_000].to_vec();
    let mut schunk = SChunk::new(CParams::new(4), 2000).unwrap();
    schunk.append(&src).unwrap();
    let busy: [AtomicBool; THREADS + 1] = Default::default();
    let dparams = DParams::new()
        .threads(threads)
        .postfilter(move |cx, src, dst| {
            assert!(!busy[cx.thread].swap(true, Ordering::SeqCst));
            std::thread::sleep(Duration::from_micros(100));
            dst.copy_from_slice(src);
            busy[cx.thread].store(false, Ordering::SeqCst);
            Ok(())
        });
    let chunks = ReadAhead::with_dparams(Arc::new(schunk), dparams);
    let all: Vec<u8> = chunks.flat_map(|chunk| chunk.unwrap()).collect();
    assert_eq!(all, src);
}

#[cfg(feature = "b2nd")]
mod arrays {
    use oxiblosc::SChunk;
    use oxiblosc::b2nd::{Array, ArrayParams};

    use super::*;

    fn params() -> ArrayParams {
        ArrayParams::new::<u32>(&[1000, 2000])
            .chunkshape(&[100, 500])
            .blockshape(&[20, 100])
    }

    /// A hook that needs the number of the chunk, and notes its threads.
    fn by_number(seen: Option<&Arc<Seen>>) -> Hook {
        let seen = seen.cloned();
        Box::new(move |cx, src, dst| {
            if let Some(seen) = &seen {
                seen.note(cx);
            } else {
                assert_eq!(cx.thread, 0);
            }
            let mask = u8::try_from(cx.chunk.ok_or("no number")? % 251)?;
            dst.iter_mut()
                .zip(src)
                .for_each(|(to, from)| *to = from ^ mask);
            Ok(())
        })
    }

    /// The array with hooks, alone or with threads.
    fn array(src: &[u8], threads: Option<&Arc<Seen>>) -> Array<SChunk> {
        let policy = if threads.is_some() {
            external(0)
        } else {
            Threads::Serial
        };
        let cparams = CParams::new(4)
            .threads(policy.clone())
            .prefilter(by_number(threads));
        let dparams = DParams::new()
            .threads(policy)
            .postfilter(by_number(threads));
        Array::from_bytes(src, &params().cparams(cparams).dparams(dparams)).unwrap()
    }

    #[test]
    fn arrays_tell_the_numbers_of_chunks() {
        let src = data();
        let mut array = array(&src, None);
        assert_eq!(array.to_bytes().unwrap(), src);
        let element = |row: u64, column: u64| u32::try_from((row * 2000 + column) / 3).unwrap();
        assert_eq!(array.get::<u32>(&[999, 1999]).unwrap(), element(999, 1999));
        let points = array.slice::<u32>(&[990..992, 499..501]).unwrap();
        let expected = [(990, 499), (990, 500), (991, 499), (991, 500)];
        assert_eq!(points, expected.map(|(row, column)| element(row, column)));
        // Parts of chunks are read and written again.
        array
            .set_slice::<u32>(&[95..105, 499..501], &[7; 20])
            .unwrap();
        assert_eq!(array.slice::<u32>(&[95..105, 499..501]).unwrap(), [7; 20]);
        assert_eq!(array.get::<u32>(&[94, 499]).unwrap(), element(94, 499));
        // Shapes that grow and shrink within their chunks; the padding that returns is cleared.
        array.resize(&[950, 2000]).unwrap();
        array.resize(&[1000, 2000]).unwrap();
        assert_eq!(array.slice::<u32>(&[960..961, 0..2]).unwrap(), [0; 2]);
        assert_eq!(array.get::<u32>(&[940, 3]).unwrap(), element(940, 3));
        array.append::<u32>(&vec![8; 2000 * 50]).unwrap();
        assert_eq!(
            array.slice::<u32>(&[1049..1050, 1998..2000]).unwrap(),
            [8; 2]
        );
        array.check().unwrap();
    }

    #[test]
    #[cfg_attr(target_os = "wasi", ignore = "WASI has no threads")]
    fn threads_that_share_chunks_have_the_first_numbers() {
        let src = data();
        let seen = Arc::new(Seen::default());
        let array = array(&src, Some(&seen));
        seen.check_all();
        for _ in 0..3 {
            assert_eq!(array.to_bytes().unwrap(), src);
            seen.check_all();
        }
    }

    /// Chunks of one value have blocks that the postfilter sees, in arrays as well.
    #[test]
    fn special_values_pass_the_postfilter() {
        let ones = |_: &BlockContext, src: &[u8], dst: &mut [u8]| {
            assert!(src.iter().all(|byte| *byte == 0));
            dst.fill(1);
            Ok(())
        };
        let params = ArrayParams::new::<u8>(&[100, 100])
            .chunkshape(&[50, 40])
            .blockshape(&[10, 20])
            .dparams(DParams::new().postfilter(ones));
        let array = Array::zeros(&params).unwrap();
        assert_eq!(array.to_bytes().unwrap(), [1; 10_000]);
        assert_eq!(array.slice::<u8>(&[45..55, 39..41]).unwrap(), [1; 20]);
        assert_eq!(array.get::<u8>(&[3, 3]).unwrap(), 1);
        let copy = array.copy(&ArrayParams::new::<u8>(&[100, 100])).unwrap();
        assert_eq!(copy.to_bytes().unwrap(), [1; 10_000]);
        // And zeros of the data pass the prefilter, at level 0 as well.
        for clevel in [0, 5] {
            let cparams = CParams::new(1).clevel(clevel).prefilter(|_, _, dst| {
                dst.fill(2);
                Ok(())
            });
            let params = ArrayParams::new::<u8>(&[100, 100])
                .chunkshape(&[50, 40])
                .blockshape(&[10, 20])
                .cparams(cparams);
            let array = Array::from_bytes(&[0; 10_000], &params).unwrap();
            assert_eq!(array.to_bytes().unwrap(), [2; 10_000], "level {clevel}");
        }
    }
}
