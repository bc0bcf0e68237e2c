//! Sixteen threads read one array through `&self`, each its own parts in its own ways.
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::sync::Barrier;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::FrameReader;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, CodecId, DParams, FilterSlot, Result, SChunk};

const THREADS: u64 = 16;
const SHAPE: [usize; 3] = [60, 70, 50];

/// The element at an index, whatever the array says.
fn element(index: [usize; 3]) -> u32 {
    let [i, j, k] = index;
    u32::try_from((i * SHAPE[1] + j) * SHAPE[2] + k).unwrap_or(0) / 3 * 7
}

fn elements() -> Vec<u32> {
    let len = SHAPE.iter().product::<usize>();
    let index = |at: usize| {
        [
            at / SHAPE[2] / SHAPE[1],
            at / SHAPE[2] % SHAPE[1],
            at % SHAPE[2],
        ]
    };
    (0..len).map(|at| element(index(at))).collect()
}

/// Reads of thread `seed`, compared with plain indexing.
fn read<C: ChunkSource>(array: &Array<C>, seed: u64) -> Result<()> {
    let mut seed = seed * 2 + 1;
    let mut below = |most: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1442);
        usize::try_from(seed >> 33).unwrap_or(0) % most
    };
    for round in 0..40 {
        let at: [usize; 3] = SHAPE.map(&mut below);
        let wide = at.map(|at| at as u64);
        assert_eq!(array.get::<u32>(&wide)?, element(at));
        let len: [usize; 3] = [0, 1, 2].map(|axis| 1 + below((SHAPE[axis] - at[axis]).min(20)));
        let [i, j, k] = [0, 1, 2].map(|axis| wide[axis]..wide[axis] + len[axis] as u64);
        let part = array.slice::<u32>(&[i.clone(), j.clone(), k.clone()])?;
        let mut found = part.iter();
        for a in at[0]..at[0] + len[0] {
            for b in at[1]..at[1] + len[1] {
                for c in at[2]..at[2] + len[2] {
                    assert_eq!(found.next(), Some(&element([a, b, c])));
                }
            }
        }
        assert_eq!(found.next(), None);
        if round == 20 {
            let row: Vec<u32> = array.slice::<u32>((at[0] as u64, .., at[2] as u64))?;
            let expected = (0..SHAPE[1]).map(|j| element([at[0], j, at[2]]));
            assert!(row.into_iter().eq(expected));
            let view = array.view((i, j, k))?;
            assert_eq!(view.to_elements::<u32>()?, part);
        }
    }
    Ok(())
}

/// All threads at once.
fn check<C: ChunkSource>(array: &Array<C>) {
    let begin = Barrier::new(usize::try_from(THREADS).unwrap());
    std::thread::scope(|scope| {
        let work = |seed| {
            begin.wait();
            read(array, seed)
        };
        let threads: Vec<_> = (0..THREADS)
            .map(|seed| scope.spawn(move || work(seed)))
            .collect();
        for thread in threads {
            thread.join().unwrap().unwrap();
        }
    });
}

fn array(cparams: CParams) -> Array<SChunk> {
    let params = ArrayParams::new::<u32>(&SHAPE.map(|len| len as u64))
        .chunkshape(&[20, 30, 25])
        .blockshape(&[7, 10, 13])
        .cparams(cparams);
    Array::from_elements(&elements(), &params).unwrap()
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no threads")]
fn in_memory() {
    for cparams in [
        CParams::new(4),
        CParams::new(4)
            .codec(CodecId::ZSTD)
            .filters([FilterSlot::DELTA, FilterSlot::SHUFFLE]),
    ] {
        check(&array(cparams));
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no threads")]
fn in_a_file_with_and_without_a_cache() {
    let dir = crate::common::folder();
    let path = dir.path().join("array");
    let frame = array(CParams::new(4))
        .into_inner()
        .unwrap()
        .to_cframe()
        .unwrap();
    std::fs::write(&path, frame).unwrap();
    for cache in [0, 30_000, 64 << 20] {
        let reader = FrameReader::open(&path, DParams::new().cache_bytes(cache)).unwrap();
        check(&Array::open_in(reader).unwrap());
    }
}

/// Threads that read, each with the threads of one pool.
#[cfg(feature = "rayon")]
#[test]
fn with_a_pool() {
    let dparams = DParams::new().threads(oxiblosc::Threads::new(3).unwrap());
    let frame = array(CParams::new(4))
        .into_inner()
        .unwrap()
        .to_cframe()
        .unwrap();
    let reader = FrameReader::from_bytes(frame, dparams).unwrap();
    check(&Array::open_in(reader).unwrap());
}
