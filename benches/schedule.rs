//! More threads than this machine has, by simulation: the blocks of a chunk are timed one by one,
//! and given to threads as `Threads` gives them.
//!
//! The calling thread begins at once, the others when they are woken; each takes the next block
//! when it is done with its last. Compared with taking the longest block first, with blocks of half
//! the size in order, and with the bound that no order beats: the sum over all threads, or the
//! longest block. Memory that threads share, and their caches, are not simulated: a real machine is
//! slower.
//!
//! ```text
//! cargo bench --bench schedule -- [FILE of items of 8 bytes]
//! ```
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program to run by hand"
)]

use std::time::Instant;

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, Limits, max_chunk_len};

/// Bytes of the chunk.
const CHUNK: usize = 8 << 20;
/// Microseconds from waking a thread to its first block: half of what waking one and waiting for
/// it takes on the machine of `benches/RESULTS.md`.
const WAKE: f64 = 13.0;
/// The threads of a row.
const THREADS: [usize; 8] = [1, 2, 3, 4, 6, 8, 12, 16];
/// Each block is timed so often, in rounds.
const ROUNDS: usize = 31;

/// A slow wave with a noise that grows, so that blocks differ.
fn signal() -> Vec<u8> {
    let mut noise = 1_u64;
    (0..CHUNK / 8)
        .flat_map(|i| {
            noise = noise.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let digits = f64::from(u32::try_from(noise >> 44).unwrap());
            let time = f64::from(u32::try_from(i).unwrap()) * 1e-4;
            let loudness = time / 1e5;
            ((time.sin() * 1e4 + digits * loudness).round() / 16.0).to_le_bytes()
        })
        .collect()
}

/// Medians of microseconds for each block, to encode it and to decode it.
fn times(src: &[u8], codec: CodecId, clevel: u8, blocksize: Option<usize>) -> [Vec<f64>; 2] {
    let params = CParams::new(8).codec(codec).clevel(clevel);
    let mut encoder = ChunkEncoder::new(params.clone().blocksize(blocksize)).unwrap();
    let chunk = encoder.encode(src).unwrap();
    let header = *ChunkView::parse(&chunk, &Limits::default())
        .unwrap()
        .header();
    let blocksize = usize::try_from(header.blocksize).unwrap();
    let mut alone = ChunkEncoder::new(params.blocksize(Some(blocksize))).unwrap();
    let mut decoder = ChunkDecoder::default();
    let mut dst = vec![0; max_chunk_len(blocksize)];
    let mut block = vec![0; blocksize];
    let blocks: Vec<&[u8]> = src.chunks(blocksize).collect();
    let mut samples = vec![[Vec::new(), Vec::new()]; blocks.len()];
    for _ in 0..ROUNDS {
        for (at, part) in blocks.iter().enumerate() {
            let start = Instant::now();
            alone.encode_into(part, &mut dst).unwrap();
            samples[at][0].push(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            decoder.decode_block_into(&chunk, at, &mut block).unwrap();
            samples[at][1].push(start.elapsed().as_secs_f64() * 1e6);
            assert!(block[..part.len()] == **part, "the data differ");
        }
    }
    [0, 1].map(|kind| {
        let medians = samples.iter_mut().map(|of| {
            of[kind].sort_by(f64::total_cmp);
            of[kind][ROUNDS / 2]
        });
        medians.collect()
    })
}

/// The microseconds until the last thread is done, when each takes the next block of a list.
fn simulate(blocks: &[f64], threads: usize) -> f64 {
    let mut free = vec![WAKE; threads];
    free[0] = 0.0;
    for block in blocks {
        let next = free.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
        *next += block;
    }
    // A thread without a block is not waited for.
    let busy = free.into_iter().filter(|&end| end > WAKE);
    busy.fold(0.0, f64::max)
}

fn main() {
    // Cargo adds `--bench`.
    let file = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let src = match file {
        Some(path) => {
            let data = std::fs::read(path).unwrap();
            data.into_iter().cycle().take(CHUNK).collect()
        }
        None => signal(),
    };
    println!(
        "| | blocks | µs alone | longest over mean | order | {} |",
        { THREADS.map(|threads| threads.to_string()).join(" | ") }
    );
    println!("|---|---|---|---|---|{}", "---|".repeat(THREADS.len()));
    for (codec, clevel) in [
        (CodecId::BLOSCLZ, 5),
        (CodecId::LZ4, 5),
        (CodecId::ZLIB, 5),
        (CodecId::ZSTD, 5),
    ] {
        let whole = times(&src, codec, clevel, None);
        let half = CHUNK.div_ceil(whole[0].len()) / 2;
        let halves = times(&src, codec, clevel, Some(half));
        for (kind, name) in ["encode", "decode"].into_iter().enumerate() {
            let blocks = &whole[kind];
            let sum: f64 = blocks.iter().sum();
            let longest = blocks.iter().copied().fold(0.0, f64::max);
            let mut sorted = blocks.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let row = |order: &str, time: &dyn Fn(usize) -> f64| {
                let gains = THREADS.map(|threads| format!("{:.2}", sum / time(threads)));
                println!(
                    "| {} {clevel}, {name} | {} | {sum:.0} | {:.2} | {order} | {} |",
                    codec.name().unwrap_or("?"),
                    blocks.len(),
                    longest * f64::from(u32::try_from(blocks.len()).unwrap()) / sum,
                    gains.join(" | "),
                );
            };
            row("as they come", &|threads| simulate(blocks, threads));
            row("longest first", &|threads| simulate(&sorted, threads));
            row("halves", &|threads| simulate(&halves[kind], threads));
            row("bound", &|threads| {
                let threads = f64::from(u32::try_from(threads).unwrap());
                (sum / threads).max(longest)
            });
        }
    }
}
