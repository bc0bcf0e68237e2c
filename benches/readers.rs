//! Reading one array or frame: from many threads at once, and again and again.
//!
//! ```text
//! cargo bench --bench readers -- threads [milliseconds a cell, default 500]
//! cargo bench --bench readers -- cache [milliseconds a cell, default 500]
//! cargo bench --bench readers -- fresh [milliseconds a cell, default 500]
//! ```
//!
//! `threads`: how many boxes 1 to 16 threads read through `&self` of one array in a second, over
//! one thread. `cache`: the time of one item of a file with a cache over that without one.
//! `fresh`: the time of decoding a chunk into memory that is not initialised, over decoding into a
//! slice: in memory that is used again, and in new memory. All print Markdown tables; medians of
//! alternating rounds, after a comparison of the data.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program to run by hand"
)]

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{
    CParams, ChunkDecoder, CodecId, DParams, FilterSlot, FrameParams, FrameReader, FrameWriter,
};

const SIDE: u64 = 2048;
const BOX: u64 = 100;

/// Numbers in a fixed, irregular order.
#[derive(Clone)]
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (self.0 >> 33) % most
    }
}

fn numbers() -> Vec<f64> {
    let mut noise = Numbers(1);
    let value = |at: u32| {
        let digits = f64::from(u8::try_from(noise.below(16)).unwrap());
        ((f64::from(at) * 1e-4).sin() * 1e4 + digits).round() / 16.0
    };
    (0..u32::try_from(SIDE * SIDE).unwrap())
        .map(value)
        .collect()
}

/// Boxes read in `budget` by `count` threads that share `array`.
fn boxes<C: ChunkSource>(array: &Array<C>, count: u64, budget: Duration) -> f64 {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..count {
            let (stop, done) = (&stop, &done);
            scope.spawn(move || {
                let mut at = Numbers(thread + 1);
                let mut part = vec![0_f64; usize::try_from(BOX * BOX).unwrap()];
                while !stop.load(Ordering::Relaxed) {
                    let (i, j) = (at.below(SIDE - BOX), at.below(SIDE - BOX));
                    array
                        .slice_into(&[i..i + BOX, j..j + BOX], &mut part)
                        .unwrap();
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        std::thread::sleep(budget);
        stop.store(true, Ordering::Relaxed);
    });
    let done = u32::try_from(done.into_inner()).unwrap();
    f64::from(done) / begin.elapsed().as_secs_f64()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn threads(budget: Duration) {
    let data = numbers();
    let counts = [1, 2, 4, 8, 16];
    println!("| codec | one thread, boxes/s | 2 | 4 | 8 | 16 |\n|---|---|---|---|---|---|");
    for (name, codec, clevel) in [("lz4", CodecId::LZ4, 5), ("zstd", CodecId::ZSTD, 3)] {
        let params = ArrayParams::new::<f64>(&[SIDE, SIDE])
            .chunkshape(&[512, 512])
            .blockshape(&[64, 64])
            .cparams(CParams::new(8).codec(codec).clevel(clevel));
        let array = Array::from_elements(&data, &params).unwrap();
        assert!(array.to_elements::<f64>().unwrap() == data);
        let mut speeds = counts.map(|_| Vec::new());
        for _ in 0..7 {
            for (speeds, count) in speeds.iter_mut().zip(counts) {
                speeds.push(boxes(&array, count, budget / 7));
            }
        }
        let alone = speeds[0].clone();
        let ratio = |speeds: &Vec<f64>| {
            let mut ratios: Vec<f64> = speeds.iter().zip(&alone).map(|(a, b)| a / b).collect();
            median(&mut ratios)
        };
        let [_, ratios @ ..] = speeds.each_ref().map(ratio);
        let cells: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        let alone = median(&mut alone.clone());
        println!("| {name} {clevel} | {alone:.0} | {} |", cells.join(" | "));
    }
}

/// Items of a hot set, in microseconds each.
fn items(reader: &impl ChunkSource, hot: u64, budget: Duration) -> f64 {
    let mut decoder = ChunkDecoder::new(reader.dparams().clone());
    let (mut at, mut item, mut count) = (Numbers(1), [0; 8], 0_u32);
    let begin = Instant::now();
    while begin.elapsed() < budget {
        for _ in 0..50 {
            let index = at.below(hot) * (SIDE * SIDE / hot);
            reader
                .read_items_into(&mut decoder, index..index + 1, &mut item)
                .unwrap();
        }
        count += 50;
    }
    begin.elapsed().as_secs_f64() * 1e6 / f64::from(count)
}

fn cache(budget: Duration) {
    let path = std::env::temp_dir().join(format!("oxiblosc-readers-{}", std::process::id()));
    let data: Vec<u8> = numbers().into_iter().flat_map(f64::to_le_bytes).collect();
    println!("| codec | hot items | without, µs | with over without |\n|---|---|---|---|");
    for (name, codec, clevel) in [("lz4", CodecId::LZ4, 5), ("zstd", CodecId::ZSTD, 3)] {
        let cparams = CParams::new(8)
            .codec(codec)
            .clevel(clevel)
            .blocksize(Some(16 << 10));
        let mut writer = FrameWriter::create(&path, FrameParams::new(cparams, 1 << 20)).unwrap();
        writer.append(&data).unwrap();
        writer.finish().unwrap();
        let open = |nbytes| FrameReader::open(&path, DParams::new().cache_bytes(nbytes)).unwrap();
        let (without, with) = (open(0), open(64 << 20));
        for hot in [1, 100, 10_000] {
            let (mut ratios, mut times) = (Vec::new(), Vec::new());
            items(&with, hot, budget / 7);
            for _ in 0..7 {
                let (a, b) = (
                    items(&without, hot, budget / 7),
                    items(&with, hot, budget / 7),
                );
                ratios.push(b / a);
                times.push(a);
            }
            let (time, ratio) = (median(&mut times), median(&mut ratios));
            println!("| {name} {clevel} | {hot} | {time:.2} | {ratio:.2} |");
        }
        let _ = std::fs::remove_file(&path);
    }
}

/// The median of the times of `a` over those of `b`, called in turn.
fn ratio(budget: Duration, a: &mut dyn FnMut(), b: &mut dyn FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let begin = Instant::now();
        for _ in 0..5 {
            work();
        }
        begin.elapsed().as_secs_f64()
    };
    let (mut ratios, begin) = (Vec::new(), Instant::now());
    while begin.elapsed() < budget || ratios.len() < 9 {
        ratios.push(time(a) / time(b));
    }
    median(&mut ratios)
}

fn fresh(budget: Duration) {
    println!(
        "| codec, filter | chunk | uninit / into, used memory | decode / uninit, new | \
              decode / zeroed, new |\n|---|---|---|---|---|"
    );
    let data: Vec<u8> = numbers().into_iter().flat_map(f64::to_le_bytes).collect();
    let shuffle = [FilterSlot::SHUFFLE];
    let kinds: [(&str, CodecId, &[FilterSlot]); 5] = [
        ("blosclz 5, shuffle", CodecId::BLOSCLZ, &shuffle),
        ("lz4 5, shuffle", CodecId::LZ4, &shuffle),
        ("zstd 5, shuffle", CodecId::ZSTD, &shuffle),
        ("lz4 5, bitshuffle", CodecId::LZ4, &[FilterSlot::BITSHUFFLE]),
        ("lz4 5, none", CodecId::LZ4, &[]),
    ];
    for (name, codec, filters) in kinds {
        for len in [64 << 10, 1 << 20, 8 << 20] {
            let filters = filters.iter().copied();
            let cparams = CParams::new(8).codec(codec).filters(filters);
            let chunk = oxiblosc::compress(&data[..len], &cparams).unwrap();
            let (mut one, mut two) = (ChunkDecoder::default(), ChunkDecoder::default());
            assert!(one.decode(&chunk).unwrap() == data[..len]);
            let (mut dst, mut used) = (vec![0; len], vec![MaybeUninit::new(0); len]);
            let into = ratio(
                budget,
                &mut || {
                    two.decode_uninit(&chunk, &mut used).unwrap();
                },
                &mut || {
                    one.decode_into(&chunk, &mut dst).unwrap();
                },
            );
            let uninit = ratio(
                budget,
                &mut || drop(one.decode(&chunk).unwrap()),
                &mut || {
                    let mut new = Vec::with_capacity(len);
                    two.decode_uninit(&chunk, new.spare_capacity_mut()).unwrap();
                    drop::<Vec<u8>>(new);
                },
            );
            let zeroed = ratio(
                budget,
                &mut || drop(one.decode(&chunk).unwrap()),
                &mut || {
                    let mut new = vec![0; len];
                    two.decode_into(&chunk, &mut new).unwrap();
                    drop(new);
                },
            );
            let len = len >> 10;
            println!("| {name} | {len} KiB | {into:.3} | {uninit:.3} | {zeroed:.3} |");
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    let millis = args.get(1).and_then(|arg| arg.parse().ok()).unwrap_or(500);
    let budget = Duration::from_millis(millis);
    match args.first().map(String::as_str) {
        Some("threads") => threads(budget),
        Some("cache") => cache(budget),
        Some("fresh") => fresh(budget),
        _ => println!("threads, cache or fresh"),
    }
}
