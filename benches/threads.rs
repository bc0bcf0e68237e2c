//! One thread against more: what they are worth, and that they change nothing.
//!
//! Every cell times encoding and decoding with one thread and with more in turn (A B A B ...) and
//! prints the median of the ratios; chunks and data must be equal. The output is a Markdown table:
//! by size of a chunk for one number of threads, or, with `curve`, by number of threads for a chunk
//! of 8 MiB and for an array of 64 MiB.
//!
//! ```text
//! cargo bench --bench threads -- [threads, default 2] [milliseconds a cell, default 200]
//! cargo bench --bench threads -- curve [milliseconds a cell, default 200]
//! ```
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program to run by hand"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::schunk::SChunk;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, DParams, Limits, Threads,
    max_chunk_len,
};

/// Bytes of the chunk of a curve.
const CHUNK: usize = 8 << 20;
/// Bytes of the array of a curve, and items of a chunk of it.
const ARRAY: usize = 64 << 20;
const CHUNK_ITEMS: u64 = 128 << 10;
/// The threads of a curve.
const THREADS: [usize; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

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

fn pool(threads: usize) -> Threads {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Threads::Pool(Arc::new(pool.expect("a pool of threads")))
}

/// A table by size of a chunk.
fn sizes(threads: usize, budget: Duration) {
    let many = pool(threads);
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

/// Prints a row of a curve: the cells are the gain of each number of threads.
fn row(name: &str, blocks: usize, gains: &[(f64, Duration)]) {
    let mut alone: Vec<Duration> = gains.iter().map(|&(_, alone)| alone).collect();
    alone.sort();
    let cells: Vec<String> = gains.iter().map(|(gain, _)| format!("{gain:.2}")).collect();
    let micros = alone[alone.len() / 2].as_secs_f64() * 1e6;
    println!(
        "| {name} | {blocks} | {micros:.0} | {} |",
        cells.join(" | ")
    );
}

/// Chunks of [`CHUNK`] bytes in automatic blocks.
fn chunk_curve(name: &str, cparams: &CParams, pools: &[Threads], budget: Duration) {
    let src = signal(CHUNK);
    let mut one = ChunkEncoder::new(cparams.clone()).unwrap();
    let mut chunk = vec![0; max_chunk_len(src.len())];
    let mut other = chunk.clone();
    let cbytes = one.encode_into(&src, &mut chunk).unwrap();
    let blocksize = {
        let view = ChunkView::parse(&chunk[..cbytes], &Limits::default()).unwrap();
        usize::try_from(view.header().blocksize).unwrap()
    };
    let blocks = src.len().div_ceil(blocksize);
    let gains: Vec<_> = pools
        .iter()
        .map(|pool| {
            let mut many = ChunkEncoder::new(cparams.clone().threads(pool.clone())).unwrap();
            assert_eq!(many.encode_into(&src, &mut other).unwrap(), cbytes);
            assert!(chunk[..cbytes] == other[..cbytes], "the chunks differ");
            ratio(
                budget,
                &mut || _ = one.encode_into(&src, &mut chunk).unwrap(),
                &mut || _ = many.encode_into(&src, &mut other).unwrap(),
            )
        })
        .collect();
    row(&format!("{name}, compressing"), blocks, &gains);
    let chunk = &chunk[..cbytes];
    let mut one = ChunkDecoder::default();
    let (mut back, mut same) = (vec![0; src.len()], vec![0; src.len()]);
    let gains: Vec<_> = pools
        .iter()
        .map(|pool| {
            let mut many = ChunkDecoder::new(DParams::new().threads(pool.clone()));
            let gain = ratio(
                budget,
                &mut || _ = one.decode_into(chunk, &mut back).unwrap(),
                &mut || _ = many.decode_into(chunk, &mut same).unwrap(),
            );
            assert!(back == src && same == src, "the data differ");
            gain
        })
        .collect();
    row(&format!("{name}, decompressing"), blocks, &gains);
}

/// An array of [`ARRAY`] bytes in chunks of [`CHUNK_ITEMS`]: made from a buffer and read whole.
fn array_curve(name: &str, cparams: &CParams, pools: &[Threads], budget: Duration) {
    let src = signal(ARRAY);
    let items = u64::try_from(ARRAY / 8).unwrap();
    let params = ArrayParams::new::<f64>(&[items])
        .chunkshape(&[CHUNK_ITEMS])
        .blockshape(&[16 << 10]);
    let write = |cparams: CParams| -> Array<SChunk> {
        Array::from_bytes(&src, &params.clone().cparams(cparams)).unwrap()
    };
    let made = write(cparams.clone());
    let blocks = ARRAY / (16 << 10) / 8;
    let gains: Vec<_> = pools
        .iter()
        .map(|pool| {
            let together = cparams.clone().threads(pool.clone());
            ratio(budget, &mut || drop(write(cparams.clone())), &mut || {
                drop(write(together.clone()));
            })
        })
        .collect();
    row(&format!("{name}, array written"), blocks, &gains);
    let (mut back, mut same) = (vec![0; src.len()], vec![0; src.len()]);
    let gains: Vec<_> = pools
        .iter()
        .map(|pool| {
            let together = write(cparams.clone().threads(pool.clone()));
            let dparams = DParams::new().threads(pool.clone());
            let many = Array::open_in_with(together.into_inner().unwrap(), dparams).unwrap();
            let gain = ratio(
                budget,
                &mut || _ = made.slice_bytes_into(.., &mut back).unwrap(),
                &mut || _ = many.slice_bytes_into(.., &mut same).unwrap(),
            );
            assert!(back == src && same == src, "the data differ");
            gain
        })
        .collect();
    row(&format!("{name}, array read"), blocks, &gains);
}

/// Tables by number of threads.
fn curve(budget: Duration) {
    let pools = THREADS.map(pool);
    let heads = THREADS.map(|threads| threads.to_string()).join(" | ");
    println!("| | blocks | µs alone | {heads} |");
    println!("|---|---|---|{}", "---|".repeat(THREADS.len()));
    let codecs = [
        ("BloscLZ 5", CodecId::BLOSCLZ),
        ("LZ4 5", CodecId::LZ4),
        ("zlib 5", CodecId::ZLIB),
        ("Zstandard 5", CodecId::ZSTD),
    ];
    for (name, codec) in codecs {
        let cparams = CParams::new(8).codec(codec).clevel(5);
        chunk_curve(name, &cparams, &pools, budget);
    }
    for (name, codec) in codecs {
        let cparams = CParams::new(8).codec(codec).clevel(5);
        array_curve(name, &cparams, &pools, budget);
    }
}

fn main() {
    // Cargo adds `--bench`.
    let mut args = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .peekable();
    let by_threads = args.next_if(|arg| arg == "curve").is_some();
    let mut number = |default: u64| {
        args.next()
            .map_or(default, |text| text.parse().expect("a number"))
    };
    if by_threads {
        return curve(Duration::from_millis(number(200)));
    }
    let threads = usize::try_from(number(2)).unwrap();
    sizes(threads, Duration::from_millis(number(200)));
}
