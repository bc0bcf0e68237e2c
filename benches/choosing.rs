//! Ratio and speed of common pipelines on seven kinds of data: the tables of the guide "Choosing
//! codec and filter" (`src/guide/choosing.md`).
//!
//! ```text
//! cargo bench --bench choosing
//! ```
//!
//! Two arrays are real (`tests/data`), the others are made, with a fixed seed. One thread; medians
//! of at least five repetitions; MB/s of uncompressed data. The output is Markdown.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a program to run by hand, which prints ratios"
)]

use std::time::{Duration, Instant};

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, FilterSlot, max_chunk_len};

/// About the bytes of each made array.
const NBYTES: usize = 4 << 20;

/// The time for each speed.
const BUDGET: Duration = Duration::from_millis(60);

/// Numbers without pattern, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// About normal, with a deviation of 1.
    fn normal(&mut self) -> f64 {
        let sum: f64 = (0..12).map(|_| (self.next() >> 11) as f64).sum();
        sum / (1_u64 << 53) as f64 - 6.0
    }
}

/// The elements of an `.npy` file after its header, most of which is padding.
fn npy(bytes: &[u8]) -> Vec<u8> {
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[10 + header..].to_vec()
}

/// Name, typesize and bytes of each array.
fn arrays() -> Vec<(&'static str, usize, Vec<u8>)> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut level = 15.0;
    let temperatures = (0..NBYTES / 8).flat_map(|i| {
        let day = (i as f64 / 1440.0 * std::f64::consts::TAU).sin();
        level += random.normal() * 0.02;
        let value = level + 5.0 * day + random.normal() * 0.05;
        ((value * 100.0).round() / 100.0).to_le_bytes()
    });
    let temperatures = temperatures.collect();
    let field = (0..NBYTES / 4).flat_map(|i| {
        let (y, x) = ((i / 1024) as f64, (i % 1024) as f64);
        let value = (y / 90.0).sin() * (x / 70.0).cos() * 20.0 + random.normal() * 1e-3;
        (value as f32).to_le_bytes()
    });
    let field = field.collect();
    let mut time = 1_700_000_000_000_000_000_u64;
    let timestamps = (0..NBYTES / 8).flat_map(|_| {
        time += 1_000_000_000 + random.next() % 2_000_000;
        time.to_le_bytes()
    });
    let timestamps = timestamps.collect();
    let counts = (0..NBYTES / 4).flat_map(|_| {
        let value = random.normal().abs() * 40.0;
        (value as u32).to_le_bytes()
    });
    let counts = counts.collect();
    let mask = (0..NBYTES).map(|i| u8::from((i / 300 + i % 300).is_multiple_of(37)));
    vec![
        (
            "heights, int16",
            2,
            npy(include_bytes!("../tests/data/elevation.npy")),
        ),
        (
            "photograph, uint8",
            1,
            npy(include_bytes!("../tests/data/camera.npy")),
        ),
        ("temperatures of two decimals, float64", 8, temperatures),
        ("smooth field with noise, float32", 4, field),
        ("timestamps in ns, uint64", 8, timestamps),
        ("counts, uint32", 4, counts),
        ("mask, bool", 1, mask.collect()),
    ]
}

fn pipelines() -> Vec<(&'static str, CodecId, u8, Vec<FilterSlot>)> {
    let (shuffle, bits) = (FilterSlot::SHUFFLE, FilterSlot::BITSHUFFLE);
    let delta = vec![shuffle, FilterSlot::BYTEDELTA];
    vec![
        ("lz4 5, shuffle", CodecId::LZ4, 5, vec![shuffle]),
        ("lz4 5, bitshuffle", CodecId::LZ4, 5, vec![bits]),
        (
            "blosclz 5, shuffle (default)",
            CodecId::BLOSCLZ,
            5,
            vec![shuffle],
        ),
        ("lz4hc 9, shuffle", CodecId::LZ4HC, 9, vec![shuffle]),
        ("zstd 1, shuffle", CodecId::ZSTD, 1, vec![shuffle]),
        ("zstd 1, bitshuffle", CodecId::ZSTD, 1, vec![bits]),
        (
            "zstd 1, shuffle + bytedelta",
            CodecId::ZSTD,
            1,
            delta.clone(),
        ),
        ("zstd 5, shuffle", CodecId::ZSTD, 5, vec![shuffle]),
        ("zstd 5, bitshuffle", CodecId::ZSTD, 5, vec![bits]),
        (
            "zstd 5, shuffle + bytedelta",
            CodecId::ZSTD,
            5,
            delta.clone(),
        ),
        ("zstd 9, shuffle + bytedelta", CodecId::ZSTD, 9, delta),
    ]
}

/// MB/s: the median of repetitions for about the budget.
fn speed(nbytes: usize, mut work: impl FnMut()) -> f64 {
    let mut times = Vec::new();
    let end = Instant::now() + BUDGET;
    while Instant::now() < end || times.len() < 5 {
        let start = Instant::now();
        work();
        times.push(start.elapsed());
    }
    times.sort();
    nbytes as f64 / 1e6 / times[times.len() / 2].as_secs_f64()
}

fn main() {
    // Under `cargo test` there is nothing to measure.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    for (name, typesize, data) in arrays() {
        println!("\n{name}, {:.1} MB:\n", data.len() as f64 / 1e6);
        println!("| pipeline | ratio | compress, MB/s | decompress, MB/s |");
        println!("|---|---|---|---|");
        for (pipeline, codec, clevel, filters) in pipelines() {
            let cparams = CParams::new(typesize)
                .codec(codec)
                .clevel(clevel)
                .filters(filters);
            let mut encoder = ChunkEncoder::new(cparams).unwrap();
            let mut decoder = ChunkDecoder::default();
            let mut chunk = vec![0; max_chunk_len(data.len())];
            let mut back = vec![0; data.len()];
            let cbytes = encoder.encode_into(&data, &mut chunk).unwrap();
            let compress = speed(data.len(), || {
                encoder.encode_into(&data, &mut chunk).unwrap();
            });
            let decompress = speed(data.len(), || {
                decoder.decode_into(&chunk[..cbytes], &mut back).unwrap();
            });
            assert!(back == data, "{name}, {pipeline}");
            let ratio = data.len() as f64 / cbytes as f64;
            println!("| {pipeline} | {ratio:.2} | {compress:.0} | {decompress:.0} |");
        }
    }
}
