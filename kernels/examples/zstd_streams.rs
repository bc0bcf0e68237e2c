//! Compares the writing of Zstandard streams with libzstd (crate `zstd`), each stream by itself:
//! the least time of many calls, one thread.
//!
//! ```text
//! cargo run --release -p oxiblosc-kernels --example zstd_streams -- \
//!     BLOCK_LEN LEVEL,... SLOWEST FILE:TYPESIZE...
//! ```
//!
//! At most 1 MiB of each file is cut into blocks of `BLOCK_LEN` bytes, which are shuffled,
//! bitshuffled, shuffled with bytedelta or left alone; shuffled blocks are split into their planes.
//! `LEVEL` is one of Blosc, 1 to 6: libzstd's level is twice that, less one. At the levels 1 to 3 a
//! stream is looked at first and libzstd's if matches may pay, so that what is compared is the cost
//! of the look. A row gives the streams, those of them that are written here, the microseconds here
//! and there, the time ratio (theirs / ours: more than 1 is faster here) and that of the sizes.
//! After it come the `SLOWEST` streams with the lowest ratios: length, entropy in bits a byte,
//! whether it is written here, both times. Streams that are written here are read back before they
//! are timed.
//!
//! A whole chunk may be at par where one of its streams is far below: so the cost of a look in vain
//! was found.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::as_conversions,
    reason = "a benchmark stops on the first surprise, and prints ratios"
)]

use std::hint::black_box;
use std::time::Instant;

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::zstd::{Encoder, Zstd};
use zstd::zstd_safe::CCtx;

/// The least microseconds of a call.
fn least(mut call: impl FnMut()) -> f64 {
    let (begin, mut least, mut calls) = (Instant::now(), f64::MAX, 0);
    while calls < 5 || (begin.elapsed().as_secs_f64() < 0.01 && calls < 200) {
        let start = Instant::now();
        call();
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
        calls += 1;
    }
    least
}

fn entropy(stream: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    stream
        .iter()
        .for_each(|byte| counts[usize::from(*byte)] += 1);
    let share = |count: u32| f64::from(count) / stream.len() as f64;
    let used = counts.into_iter().filter(|count| *count > 0);
    used.map(|count| -share(count) * share(count).log2()).sum()
}

/// The streams of a block, by the name of its filter.
fn streams(name: &str, typesize: usize, block: &[u8]) -> Vec<Vec<u8>> {
    let kernels = Kernels::best();
    let mut dst = block.to_vec();
    match name {
        "shuffle" => kernels.shuffle(typesize, block, &mut dst),
        "bitshuffle" => kernels.bitshuffle(typesize, block, &mut dst),
        "shuffle+bytedelta" => kernels.shuffle_bytedelta(typesize, block, &mut dst),
        _ => return vec![dst],
    }
    let plane = dst.len() / typesize;
    if name == "bitshuffle" || typesize > 16 || plane < 128 {
        return vec![dst];
    }
    dst.chunks(plane).map(<[u8]>::to_vec).collect()
}

/// A stream, timed.
struct Timed {
    len: usize,
    entropy: f64,
    /// It is written here.
    own: bool,
    ours: f64,
    theirs: f64,
    sizes: [usize; 2],
}

fn timed(src: &[u8], level: u8, own: &mut Encoder, libzstd: &mut CCtx<'_>) -> Timed {
    let theirs_level = 2 * i32::from(level) - 1;
    let mut dst = vec![0; src.len() + 4096];
    let mut write = |dst: &mut [u8]| {
        if level < 4 {
            own.encode_without_matches(src, dst)
        } else {
            own.encode(src, dst)
        }
    };
    let written = write(&mut dst);
    if let Some(len) = written {
        let mut back = vec![0; src.len()];
        let read = Zstd::new(Kernels::best()).decode(&dst[..len], &mut back);
        assert_eq!(read, Ok(src.len()));
        assert!(back == src);
    }
    let here = least(|| {
        black_box(write(&mut dst));
    });
    let mut size = 0;
    let theirs = least(|| size = libzstd.compress(&mut dst[..], src, theirs_level).unwrap());
    Timed {
        len: src.len(),
        entropy: entropy(src),
        own: written.is_some(),
        ours: here + if written.is_some() { 0.0 } else { theirs },
        theirs,
        sizes: [written.unwrap_or(size), size],
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let block: usize = args[0].parse().unwrap();
    let slowest: usize = args[2].parse().unwrap();
    let mut libzstd = CCtx::create();
    for level in args[1].split(',').map(|level| level.parse().unwrap()) {
        let mut own = Encoder::new(Kernels::best(), level);
        let mut logs = Vec::new();
        for file in &args[3..] {
            let (path, typesize) = file.rsplit_once(':').unwrap();
            let typesize: usize = typesize.parse().unwrap();
            let data = std::fs::read(path).unwrap();
            let data = &data[..data.len().min(1 << 20)];
            for filter in ["none", "shuffle", "bitshuffle", "shuffle+bytedelta"] {
                let blocks = data.chunks(block / typesize * typesize);
                let mut all: Vec<Timed> = blocks
                    .flat_map(|block| streams(filter, typesize, block))
                    .map(|src| timed(&src, level, &mut own, &mut libzstd))
                    .collect();
                let sum = |of: fn(&Timed) -> f64| all.iter().map(of).sum::<f64>();
                let (ours, theirs) = (sum(|one| one.ours), sum(|one| one.theirs));
                let size = |which: usize| all.iter().map(|one| one.sizes[which]).sum::<usize>();
                let sizes = size(0) as f64 / size(1) as f64;
                logs.push((theirs / ours).ln());
                println!(
                    "{:24} {filter:17} {level}  {:>3} streams, {:>3} here  {ours:8.0} {theirs:8.0} \
                     us  {:.3}, size {sizes:.4}",
                    path.rsplit('/').next().unwrap(),
                    all.len(),
                    all.iter().filter(|one| one.own).count(),
                    theirs / ours,
                );
                let ratio = |one: &Timed| one.theirs / one.ours;
                all.sort_by(|one, other| ratio(one).total_cmp(&ratio(other)));
                for one in all.iter().take(slowest) {
                    println!(
                        "    {:>8} bytes, {:.2} bits, {}  {:8.1} {:8.1} us  {:.3}",
                        one.len,
                        one.entropy,
                        if one.own { "here" } else { "libzstd" },
                        one.ours,
                        one.theirs,
                        ratio(one),
                    );
                }
            }
        }
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        println!(
            "level {level}: geometric mean {mean:.3} of {} rows",
            logs.len()
        );
    }
}
