//! Arrays whose bytes arrive in pieces, against the same arrays in memory.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test may panic"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "small numbers, or noise"
)]

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, Grid, Selection};
use oxiblosc::remote::{FrameOpen, ReadPolicy, RemoteArray};
use oxiblosc::storage::{Pieces, ReadAt};
use oxiblosc::{CParams, CodecId, DParams, ErrorKind, FilterId, FilterSlot, Limits, Threads};
use proptest::prelude::*;

use crate::common;

/// An object that counts what is asked of it.
#[derive(Debug)]
struct Object {
    bytes: Vec<u8>,
    rounds: Mutex<Vec<Vec<Range<u64>>>>,
}

impl Object {
    fn new(bytes: Vec<u8>) -> Self {
        let rounds = Mutex::default();
        Self { bytes, rounds }
    }

    /// The requests of each round since the last call.
    fn taken(&self) -> Vec<Vec<Range<u64>>> {
        std::mem::take(&mut self.rounds.lock().unwrap())
    }

    fn open(&self, dparams: DParams) -> RemoteArray {
        let open = FrameOpen::new(self.bytes.len() as u64, dparams);
        Array::open_in(open.fetch_from(self).unwrap()).unwrap()
    }
}

impl ReadAt for Object {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        panic!("everything is asked for in rounds");
    }

    fn read_ranges(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> io::Result<()> {
        for (range, buf) in ranges.iter().zip(bufs) {
            let place = range.start as usize..range.end as usize;
            buf.copy_from_slice(&self.bytes[place]);
        }
        self.rounds.lock().unwrap().push(ranges.to_vec());
        Ok(())
    }
}

/// Noise, runs and slopes: chunks that are copied, special and coded.
fn numbers(len: usize) -> Vec<i32> {
    let mut seed = 1_u32;
    let mut noise = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed as i32
    };
    let number = |n: usize| match n * 8 / len {
        0 | 1 => 0,
        2 | 5 => noise(),
        _ => (n as i32 / 3) ^ ((n as i32 / 7) & 0xF),
    };
    (0..len).map(number).collect()
}

fn array(shape: &[u64], cparams: CParams) -> (Vec<i32>, Object) {
    let numbers = numbers(shape.iter().product::<u64>() as usize);
    let chunkshape: Vec<u64> = shape.iter().map(|len| len.div_ceil(3)).collect();
    let blockshape: Vec<u64> = chunkshape.iter().map(|len| len.div_ceil(4)).collect();
    let params = ArrayParams::new::<i32>(shape)
        .chunkshape(&chunkshape)
        .blockshape(&blockshape)
        .cparams(cparams);
    let array = Array::from_elements(&numbers, &params).unwrap();
    (numbers, Object::new(array.schunk().to_cframe().unwrap()))
}

fn pipelines() -> Vec<CParams> {
    let new = || CParams::new(4);
    vec![
        new(),
        new()
            .codec(CodecId::LZ4)
            .filters([FilterSlot::new(FilterId::BITSHUFFLE, 0)]),
        new().codec(CodecId::BLOSCLZ).clevel(0),
        new().codec(CodecId::ZLIB).filters([
            FilterSlot::new(FilterId::DELTA, 0),
            FilterSlot::new(FilterId::SHUFFLE, 0),
        ]),
        new().codec(CodecId::ZSTD).use_dict(true),
    ]
}

fn policies() -> [ReadPolicy; 4] {
    [
        ReadPolicy::default(),
        ReadPolicy::from_latency(0.0, 0.0, 1),
        ReadPolicy::from_latency(0.001, 1e6, 1).max_request(100),
        ReadPolicy::from_latency(1.0, 1e9, 1),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    #[cfg_attr(not(feature = "zstd"), ignore = "writes Zstandard")]
    fn every_selection_reads_what_the_array_in_memory_has(
        pipeline in 0_usize..5,
        policy in 0_usize..4,
        threads in any::<bool>(),
        cache in prop_oneof![Just(0_usize), Just(1 << 20)],
        boxes in prop::collection::vec(
            [(0_u64..61, 0_u64..61), (0..47, 0..47), (0..91, 0..91)],
            1..6,
        ),
    ) {
        let shape = [60, 46, 90];
        let (_, object) = array(&shape, pipelines().swap_remove(pipeline));
        let near = Array::open_in(
            oxiblosc::FrameReader::from_bytes(&object.bytes, DParams::new()).unwrap(),
        ).unwrap();
        let threads = if threads { common::current() } else { Threads::Serial };
        let far = object.open(DParams::new().threads(threads).cache_bytes(cache));
        let policy = policies()[policy];
        for ends in boxes {
            let range = |(a, b): (u64, u64), len: u64| a.min(b).min(len)..a.max(b).min(len);
            let region = ends.into_iter().zip(shape).map(|(ends, len)| range(ends, len));
            let region: Vec<_> = region.collect();
            let expected = near.slice_bytes(&region).unwrap();
            let read = far.plan_read(&region, &policy).unwrap();
            let mut found = vec![0; read.nbytes()];
            prop_assert_eq!(read.fetch_from(&object, &mut found).unwrap(), expected.len());
            prop_assert_eq!(found, expected);
        }
    }
}

/// Bytes that count how many of them there are.
struct Counted(Vec<u8>, Arc<AtomicUsize>);

impl Counted {
    fn new(bytes: &[u8], count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(bytes.len(), Ordering::Relaxed);
        Self(bytes.to_vec(), Arc::clone(count))
    }
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.fetch_sub(self.0.len(), Ordering::Relaxed);
    }
}

/// Chunks are decoded as they arrive, in any order, and their bytes leave.
#[test]
#[cfg_attr(not(feature = "zstd"), ignore = "writes Zstandard")]
fn what_has_arrived_is_decoded() {
    for (number, cparams) in pipelines().into_iter().enumerate() {
        let (numbers, object) = array(&[500, 400], cparams);
        let near = Array::open_in(
            oxiblosc::FrameReader::from_bytes(&object.bytes, DParams::new()).unwrap(),
        )
        .unwrap();
        for threads in [Threads::Serial, common::current()] {
            let far = object.open(DParams::new().threads(threads).cache_bytes(0));
            let selections: [fn() -> Selection<'static>; 5] = [
                || (..).into(),
                || (3..460, 100..399).into(),
                || (AxisSelection::steps(.., 7), ..).into(),
                || (&[499, 0, 250, 0], ..).into(),
                || Selection::points(&[[499, 399], [0, 0]]),
            ];
            for (selection, policy) in selections.iter().zip(policies().into_iter().cycle()) {
                let expected = near.slice_bytes(selection()).unwrap();
                let held = Arc::default();
                let mut read = far.plan_read(selection(), &policy).unwrap();
                // What is there before does not count.
                let mut found = vec![number as u8; read.nbytes()];
                let mut last = false;
                while read.finish_into(&mut found).unwrap().is_none() {
                    let mut ranges = read.needs().unwrap();
                    ranges.reverse();
                    for range in ranges {
                        let place = range.start as usize..range.end as usize;
                        read.give_owned(range.start, Counted::new(&object.bytes[place], &held));
                        read.decode_held_into(&mut found).unwrap();
                    }
                    last = held.load(Ordering::Relaxed) == 0;
                }
                assert_eq!(found, expected);
                let all = expected.len() == numbers.len() * 4;
                // Nothing is left of what was decoded.
                assert!(last || !all, "{} bytes left", held.load(Ordering::Relaxed));
                // Another call has the same result, once all is there again.
                while read.finish_into(&mut found).unwrap().is_none() {
                    for range in read.needs().unwrap() {
                        let place = range.start as usize..range.end as usize;
                        read.give(range.start, &object.bytes[place]);
                    }
                }
                assert_eq!(found, expected);
            }
        }
    }
}

/// Elements of chunks that were decoded as they arrived: the other byte order, and bytes that are
/// no value of the type.
#[test]
fn elements_of_what_was_decoded() {
    let read = |object: &Object, far: &RemoteArray| {
        let mut read = far.plan_read(.., &ReadPolicy::default()).unwrap();
        let wrong = read.check_element::<f64>().unwrap_err();
        assert_eq!(wrong.kind(), ErrorKind::Mismatch);
        let mut held = read.zeroed().unwrap();
        loop {
            for range in read.needs().unwrap() {
                let place = range.start as usize..range.end as usize;
                read.give(range.start, &object.bytes[place]);
                read.decode_held_into(&mut held).unwrap();
            }
            if let Some(numbers) = read.finish_held::<i32>(&mut held).unwrap() {
                break numbers;
            }
        }
    };
    let numbers: Vec<i32> = (0..40_000).map(|n: i32| n.wrapping_mul(n)).collect();
    for dtype in ["<i4", ">i4"] {
        let params = ArrayParams::with_dtype(dtype.parse().unwrap(), [200, 200])
            .chunkshape([70, 50])
            .blockshape([10, 50]);
        let near = Array::from_elements(&numbers, &params).unwrap();
        let object = Object::new(near.schunk().to_cframe().unwrap());
        assert_eq!(read(&object, &object.open(DParams::new())), numbers);
        let small = DParams::new().limits(Limits::UNTRUSTED.max_alloc(159_999));
        let far = object.open(small);
        let all = far.plan_read(.., &ReadPolicy::default()).unwrap();
        assert_eq!(all.zeroed().unwrap_err().kind(), ErrorKind::LimitExceeded);
        let bytes = far.schunk().plan_bytes(0..160_000, &ReadPolicy::default());
        let bytes = bytes.unwrap().zeroed();
        assert_eq!(bytes.unwrap_err().kind(), ErrorKind::LimitExceeded);
    }
    let bytes = Array::from_bytes(&[0, 1, 2], &ArrayParams::new::<bool>([3])).unwrap();
    let object = Object::new(bytes.schunk().to_cframe().unwrap());
    let far = object.open(DParams::new());
    let read = far.plan_read(.., &ReadPolicy::default()).unwrap();
    let mut held = read.zeroed().unwrap();
    read.fetch_from(&object, &mut held).unwrap();
    let mut read = far.plan_read(.., &ReadPolicy::default()).unwrap();
    while let ranges @ [_, ..] = &read.needs().unwrap()[..] {
        for range in ranges {
            read.give(
                range.start,
                &object.bytes[range.start as usize..range.end as usize],
            );
        }
    }
    let found = read.finish_held::<bool>(&mut held).map(|_| ());
    let expected = bytes.slice::<bool>(..).map(|_| ());
    assert_eq!(
        found.unwrap_err().to_string(),
        expected.unwrap_err().to_string()
    );
}

#[test]
#[cfg_attr(not(feature = "zstd"), ignore = "writes Zstandard")]
fn lists_steps_points_and_elements() {
    for cparams in pipelines() {
        let (numbers, object) = array(&[500, 400], cparams);
        let far = object.open(DParams::new());
        let policy = ReadPolicy::from_latency(0.0, 0.0, 1);
        let read = |selection: Selection<'_>| {
            let read = far.plan_read(selection, &policy).unwrap();
            let mut bytes = vec![0; read.nbytes()];
            read.fetch_from(&object, &mut bytes).unwrap();
            let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().unwrap());
            bytes.chunks(4).map(number).collect::<Vec<i32>>()
        };
        let at = |row: usize, column: usize| numbers[row * 400 + column];
        assert_eq!(read((7, -1).into()), [at(7, 399)]);
        let points = Selection::points(&[[499, 399], [0, 0], [200, 200], [0, 0]]);
        assert_eq!(
            read(points),
            [at(499, 399), at(0, 0), at(200, 200), at(0, 0)]
        );
        let lists = (&[400, 3, 400], AxisSelection::steps(.., 130));
        let expected = [400, 3, 400].map(|row| [0, 130, 260, 390].map(|column| at(row, column)));
        assert_eq!(read(lists.into()), expected.as_flattened());
        assert_eq!(read((0..0, ..).into()), [] as [i32; 0]);
        assert_eq!(read((..).into()), numbers);
    }
}

/// As many rounds and requests as the documentation says.
#[test]
fn rounds_and_requests() {
    let params = ArrayParams::new::<f32>([1024, 1024])
        .chunkshape([256, 256])
        .blockshape([32, 32])
        .cparams(CParams::new(4).codec(CodecId::LZ4));
    let wave = |n: u32| ((n % 1024) as f32).sin() * (n / 1024) as f32;
    let numbers: Vec<f32> = (0..1 << 20).map(wave).collect();
    let array = Array::from_elements(&numbers, &params).unwrap();
    let object = Object::new(array.schunk().to_cframe().unwrap());
    let far = object.open(DParams::new().cache_bytes(0));
    let counts = |rounds: &[Vec<_>]| rounds.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(counts(&object.taken()), [2], "opening");

    // Prices with which a round costs less than the rest of a chunk.
    let parts = ReadPolicy::from_latency(0.001, 1e6, 10).max_request(1 << 40);
    let run = |selection: Selection<'_>, policy: &ReadPolicy| {
        let read = far.plan_read(selection, policy).unwrap();
        let mut bytes = vec![0; read.nbytes()];
        read.fetch_from(&object, &mut bytes).unwrap();
        let rounds = object.taken();
        let ranges = rounds.iter().flatten();
        let nbytes: u64 = ranges.map(|range| range.end - range.start).sum();
        (counts(&rounds), nbytes)
    };
    let whole = object.bytes.len() as u64;
    let (rounds, nbytes) = run((500, 500).into(), &parts);
    assert_eq!(rounds, [1, 1]);
    assert!(nbytes < 8000, "{nbytes}");
    let (rounds, nbytes) = run((500, ..).into(), &parts);
    assert_eq!(
        rounds,
        [4, 4],
        "a row: the tables of four chunks, then their blocks"
    );
    assert!(nbytes < whole / 16, "{nbytes} of {whole}");
    let (rounds, nbytes) = run((..).into(), &parts);
    assert_eq!(rounds, [1], "everything is one range");
    assert!(nbytes <= whole);
    // Where a round is dear, whole chunks are fetched at once.
    let (rounds, _) = run((.., 500).into(), &ReadPolicy::default());
    assert_eq!(rounds.len(), 1);
    let (rounds, _) = run((.., 500).into(), &ReadPolicy::from_latency(0.0, 0.0, 1));
    assert_eq!(rounds, [4, 32], "every block of the column is a request");
}

/// The first blocks of a chunk come with its table; where they are larger than the mean, the rest
/// follows.
#[test]
fn the_front_of_a_chunk_is_one_request() {
    let policy = ReadPolicy::from_latency(0.02, 1e6, 1);
    for (noisy, expected) in [(64, &[1][..]), (8, &[1, 1])] {
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        let numbers: Vec<u32> = (0..64 * 4096)
            .map(|n: u32| if n / 4096 < noisy { noise() } else { n / 9 })
            .collect();
        let params = ArrayParams::new::<u32>([64 * 4096])
            .chunkshape([64 * 4096])
            .blockshape([4096])
            .cparams(CParams::new(4).codec(CodecId::LZ4));
        let array = Array::from_elements(&numbers, &params).unwrap();
        let object = Object::new(array.schunk().to_cframe().unwrap());
        let far = object.open(DParams::new().cache_bytes(0));
        object.taken();
        let mut read = far.plan_read(100..16_000, &policy).unwrap();
        let mut rounds = Vec::new();
        let found: Vec<u32> = loop {
            if let Some(found) = read.finish().unwrap() {
                break found;
            }
            let ranges = read.needs().unwrap();
            rounds.push(ranges.len());
            for range in ranges {
                let place = range.start as usize..range.end as usize;
                assert!(place.len() < 60_000);
                read.give_owned(range.start, object.bytes[place].to_vec());
            }
        };
        assert_eq!(found, numbers[100..16_000]);
        assert_eq!(rounds, expected, "{noisy} blocks of noise");
    }
}

#[test]
fn the_stated_length() {
    let (_, object) = array(&[30], CParams::new(4));
    let len = object.bytes.len() as u64;
    assert_eq!(FrameOpen::stated_len(&object.bytes[..24]).unwrap(), len);
    for wrong in [&object.bytes[..23], &object.bytes[1..], b"", &[0; 100]] {
        assert!(FrameOpen::stated_len(wrong).is_err());
    }
}

#[test]
fn what_was_fetched_serves_later_reads() {
    let (_, object) = array(&[90, 90], CParams::new(4));
    let far = object.open(DParams::new().cache_bytes(1 << 20));
    let policy = ReadPolicy::default();
    let mut bytes = vec![0; 90 * 90 * 4];
    let read = |bytes: &mut [u8]| {
        far.plan_read(.., &policy)
            .unwrap()
            .fetch_from(&object, bytes)
    };
    read(&mut bytes).unwrap();
    object.taken();
    read(&mut bytes).unwrap();
    assert_eq!(object.taken(), [] as [Vec<Range<u64>>; 0]);
    // Without room nothing is kept once a read is done.
    let far = object.open(DParams::new().cache_bytes(0));
    let read = far.plan_read(.., &policy).unwrap();
    read.fetch_from(&object, &mut bytes).unwrap();
    assert_eq!(far.schunk().store().storage().held_bytes(), 0);
}

#[test]
fn bytes_of_a_frame() {
    let (numbers, object) = array(&[3000], CParams::new(4));
    let open = FrameOpen::new(object.bytes.len() as u64, DParams::new());
    let frame = open.fetch_from(&object).unwrap();
    let expected: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    for bytes in [0..12_000, 3990..4010, 7..8, 12_000..12_000] {
        let read = frame
            .plan_bytes(bytes.clone(), &ReadPolicy::default())
            .unwrap();
        let mut found = vec![0; read.nbytes()];
        read.fetch_from(&object, &mut found).unwrap();
        let bytes = bytes.start as usize..bytes.end as usize;
        assert_eq!(found, expected[bytes]);
    }
    assert!(frame.plan_bytes(0..12_001, &ReadPolicy::default()).is_err());
}

/// Bytes that change between two requests are an error or other data, never a panic or a loop.
#[test]
fn damaged_objects() {
    let (_, object) = array(&[300, 300], CParams::new(4).codec(CodecId::LZ4));
    let mut errors = 0;
    for at in (0..object.bytes.len()).step_by(61) {
        let mut bytes = object.bytes.clone();
        bytes[at] ^= 0x5A;
        let object = Object::new(bytes);
        let open = FrameOpen::new(object.bytes.len() as u64, DParams::new());
        let Ok(frame) = open.fetch_from(&object) else {
            errors += 1;
            continue;
        };
        let Ok(far) = Array::open_in(frame) else {
            errors += 1;
            continue;
        };
        let Ok(read) = far.plan_read((20..110, ..), &ReadPolicy::from_latency(0.0, 0.0, 1)) else {
            continue;
        };
        let mut found = vec![0; read.nbytes()];
        errors += usize::from(read.fetch_from(&object, &mut found).is_err());
    }
    assert!(errors > 10, "{errors}");
    let short = Object::new(object.bytes[..object.bytes.len() - 1].to_vec());
    let open = FrameOpen::new(short.bytes.len() as u64, DParams::new());
    assert!(open.fetch_from(&short).is_err());
}

#[test]
fn pieces_join_overlap_and_leave() {
    let bytes: Vec<u8> = (0..=255).collect();
    let pieces = Pieces::new(256, 100);
    pieces.give(10, &bytes[10..60]);
    pieces.give(50, &bytes[50..90]);
    assert_eq!(pieces.gaps(0..100), [0..10, 90..100]);
    let mut found = [0; 80];
    pieces.read_exact_at(&mut found, 10).unwrap();
    assert_eq!(found, bytes[10..90]);
    let error = pieces.read_exact_at(&mut [0; 100], 0).unwrap_err();
    assert_eq!(Pieces::missing(&error), Some(&[0..10, 90..100][..]));
    let error = pieces.read_exact_at(&mut [0; 2], 255).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    // The piece that was not used for the longest time leaves.
    pieces.read_exact_at(&mut found[..10], 10).unwrap();
    pieces.give(100, &bytes[100..150]);
    assert_eq!(pieces.held_bytes(), 100);
    assert_eq!(pieces.gaps(0..150), [0..10, 60..100]);
    pieces.give(250, vec![9; 100]);
    assert_eq!(pieces.gaps(250..1000), [] as [Range<u64>; 0]);
}

#[test]
fn touched_blocks_of_a_grid() {
    let grid = Grid::new(4, &[10, 10], &[6, 5], &[3, 2]).unwrap();
    let touched = |region: &[Range<u64>]| grid.touched(region).collect::<Vec<_>>();
    assert_eq!(touched(&[0..1, 0..1]), [(0, vec![0])]);
    assert_eq!(
        touched(&[5..7, 4..6]),
        [(0, vec![5]), (1, vec![3]), (2, vec![2]), (3, vec![0])]
    );
    assert_eq!(touched(&[3..3, 0..10]), []);
    assert_eq!(touched(&[90..99, 0..10]), []);
    assert_eq!(touched(&[0..10, 0..99]).len(), 4);
    let all = grid
        .touched(&[0..10, 0..10])
        .map(|(_, blocks)| blocks.len());
    assert_eq!(all.collect::<Vec<_>>(), [6, 6, 6, 6]);
}
