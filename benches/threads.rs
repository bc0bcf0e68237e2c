//! One thread against two, chunk by chunk: what the second is worth, and that it changes nothing.
//!
//! Every cell times encoding and decoding with one thread and with two in turn (A B A B ...) and
//! prints the median of the ratios; chunks and data must be equal. The output is a Markdown table.
//!
//! ```text
//! cargo bench --bench threads -- [threads, default 2] [milliseconds a cell, default 200]
//! ```
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program to run by hand"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, Threads, max_chunk_len};

/// A slow wave with a noise of a few digits, as a sensor gives it.
fn signal(nbytes: usize) -> Vec<u8> {
    let mut noise = 1_u64;
    (0..nbytes / 8)
        .flat_map(|i| {
            noise = noise.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let digits = f64::from(u8::try_from(noise >> 60).unwrap());
            let time = f64::from(u32::try_from(i).unwrap()) * 1e-4;
            ((time.sin() * 1e4 + digits).round() / 16.0).to_le_bytes()
        })
        .collect()
}

fn time(work: &mut dyn FnMut(), repeats: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        work();
    }
    start.elapsed()
}

/// The median of the speeds of `b` over `a`, taken in turn.
fn ratio(budget: Duration, a: &mut dyn FnMut(), b: &mut dyn FnMut()) -> (f64, Duration) {
    time(a, 2);
    time(b, 2);
    let once = time(a, 3) / 3;
    let most = Duration::from_millis(5).as_nanos() / once.as_nanos().max(1);
    let repeats = u32::try_from(most).unwrap_or(1).clamp(1, 200);
    let mut ratios = Vec::new();
    let mut alone = Vec::new();
    let end = Instant::now() + budget;
    while Instant::now() < end || ratios.len() < 5 {
        let (a, b) = (time(a, repeats), time(b, repeats));
        ratios.push(a.as_secs_f64() / b.as_secs_f64());
        alone.push(a / repeats);
    }
    ratios.sort_by(f64::total_cmp);
    alone.sort();
    (ratios[ratios.len() / 2], alone[alone.len() / 2])
}

fn main() {
    // Cargo adds `--bench`.
    let mut args = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"));
    let mut number = |default: u64| {
        args.next()
            .map_or(default, |text| text.parse().expect("a number"))
    };
    let threads = usize::try_from(number(2)).unwrap();
    let budget = Duration::from_millis(number(200));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let many = Threads::Pool(Arc::new(pool.expect("a pool of threads")));
    println!("| codec | blocks | chunk | encode, µs alone | x | decode, µs alone | x |");
    println!("|---|---|---|---|---|---|---|");
    for (codec, clevel) in [
        (CodecId::BLOSCLZ, 5),
        (CodecId::LZ4, 5),
        (CodecId::LZ4HC, 5),
        (CodecId::ZLIB, 5),
        (CodecId::ZSTD, 3),
        (CodecId::BLOSCLZ, 0),
    ] {
        for blocksize in [Some(16 << 10), None] {
            for shift in 15..=23 {
                let src = signal(1 << shift);
                let alone = CParams::new(8)
                    .codec(codec)
                    .clevel(clevel)
                    .blocksize(blocksize);
                let together = alone.clone().threads(many.clone());
                let mut one = ChunkEncoder::new(alone).unwrap();
                let mut two = ChunkEncoder::new(together).unwrap();
                let mut chunk = vec![0; max_chunk_len(src.len())];
                let mut other = chunk.clone();
                let cbytes = one.encode_into(&src, &mut chunk).unwrap();
                assert_eq!(two.encode_into(&src, &mut other).unwrap(), cbytes);
                assert!(chunk[..cbytes] == other[..cbytes], "the chunks differ");
                let (encode, encode_alone) = ratio(
                    budget,
                    &mut || _ = one.encode_into(&src, &mut chunk).unwrap(),
                    &mut || _ = two.encode_into(&src, &mut other).unwrap(),
                );
                let chunk = &chunk[..cbytes];
                let mut one = ChunkDecoder::default();
                let mut two = ChunkDecoder::new(DParams::new().threads(many.clone()));
                let (mut back, mut same) = (vec![0; src.len()], vec![0; src.len()]);
                let (decode, decode_alone) = ratio(
                    budget,
                    &mut || _ = one.decode_into(chunk, &mut back).unwrap(),
                    &mut || _ = two.decode_into(chunk, &mut same).unwrap(),
                );
                assert!(back == src && same == src, "the data differ");
                println!(
                    "| {} {clevel} | {} | {} KiB | {:.1} | {encode:.2} | {:.1} | {decode:.2} |",
                    codec.name().unwrap_or("?"),
                    blocksize.map_or("automatic".into(), |size| format!("{} KiB", size >> 10)),
                    src.len() >> 10,
                    encode_alone.as_secs_f64() * 1e6,
                    decode_alone.as_secs_f64() * 1e6,
                );
            }
        }
    }
}
