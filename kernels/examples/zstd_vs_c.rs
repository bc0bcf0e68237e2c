//! Compares this crate's decoder of Zstandard with libzstd (crate `zstd`): paired medians, one
//! thread.
//!
//! ```text
//! cargo run --release -p oxiblosc-kernels --example zstd_vs_c -- \
//!     BLOCK_LEN LEVEL,... FILE:TYPESIZE...
//! ```
//!
//! At most 1 MiB of each file is cut into blocks of `BLOCK_LEN` bytes, which are shuffled,
//! bitshuffled or left alone and compressed by libzstd at its own levels, 1 to 22. A row gives the
//! ratio, the speed here, the time ratio (theirs / ours: more than 1 is faster here), and the same
//! of the first sixteenth of each block, for which libzstd decodes the whole. Every result is
//! compared before it is timed.
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
use oxiblosc_kernels::zstd::Zstd;
use zstd::zstd_safe::DCtx;

/// The seconds of a call, of as many as take a third of a millisecond.
fn time(mut call: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    loop {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds > 3e-4 {
            return seconds / f64::from(calls);
        }
        calls *= 2;
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A filter by its name.
fn filtered(name: &str, typesize: usize, src: &[u8]) -> Vec<u8> {
    let mut dst = src.to_vec();
    match name {
        "shuffle" => Kernels::best().shuffle(typesize, src, &mut dst),
        "bitshuffle" => Kernels::best().bitshuffle(typesize, src, &mut dst),
        _ => {}
    }
    dst
}

/// The time ratios of nine pairs, and the seconds here.
fn pairs(mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (f64, f64) {
    let (mut seconds, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let one = time(&mut ours);
        ratios.push(time(&mut theirs) / one);
        seconds.push(one);
    }
    (median(&mut ratios), median(&mut seconds))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let block: usize = args[0].parse().unwrap();
    let levels: Vec<i32> = args[1]
        .split(',')
        .map(|level| level.parse().unwrap())
        .collect();
    let mut own = Zstd::new(Kernels::best());
    let mut context = DCtx::create();
    let (mut wholes, mut fronts) = (Vec::new(), Vec::new());
    for file in &args[2..] {
        let (path, typesize) = file.rsplit_once(':').unwrap();
        let typesize: usize = typesize.parse().unwrap();
        let data = std::fs::read(path).unwrap();
        let data = &data[..data.len().min(1 << 20)];
        for filter in ["shuffle", "bitshuffle", "none"] {
            for &level in &levels {
                let blocks = data.chunks(block / typesize * typesize);
                let blocks = blocks.map(|block| filtered(filter, typesize, block));
                let streams: Vec<(Vec<u8>, Vec<u8>)> = blocks
                    .map(|block| (zstd::bulk::compress(&block, level).unwrap(), block))
                    .collect();
                let (mut one, mut other) = (vec![0; block], vec![0; block]);
                for (stream, content) in &streams {
                    let front = content.len() / 16;
                    let produced = own.decode_prefix(stream, &mut one[..front]);
                    assert_eq!(produced.unwrap(), front);
                    assert!(one[..front] == content[..front]);
                    let produced = own.decode(stream, &mut one[..content.len()]);
                    assert_eq!(produced.unwrap(), content.len());
                    assert!(one[..content.len()] == content[..]);
                }
                let mut theirs = || {
                    for (stream, content) in &streams {
                        let to = &mut other[..content.len()];
                        black_box(context.decompress(to, stream).unwrap());
                    }
                };
                let whole = || {
                    for (stream, content) in &streams {
                        let to = &mut one[..content.len()];
                        black_box(own.decode(stream, to).unwrap());
                    }
                };
                let (ratio, seconds) = pairs(whole, &mut theirs);
                let front = || {
                    for (stream, content) in &streams {
                        let to = &mut one[..content.len() / 16];
                        black_box(own.decode_prefix(stream, to).unwrap());
                    }
                };
                let (front_ratio, _) = pairs(front, &mut theirs);
                wholes.push(ratio.ln());
                fronts.push(front_ratio.ln());
                let stored: usize = streams.iter().map(|(stream, _)| stream.len()).sum();
                println!(
                    "{:24} {filter:10} {level:>2}  ratio {:6.2}  {:6.2} GB/s  {ratio:.2}, \
                     front {front_ratio:.1}",
                    path.rsplit('/').next().unwrap(),
                    data.len() as f64 / stored as f64,
                    data.len() as f64 / seconds / 1e9,
                );
            }
        }
    }
    for (what, logs) in [("whole", wholes), ("front", fronts)] {
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        let least = logs.iter().copied().fold(f64::MAX, f64::min).exp();
        println!(
            "{what}: geometric mean {mean:.3} of {} rows, least {least:.2}",
            logs.len()
        );
    }
}
