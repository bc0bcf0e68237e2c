//! BloscLZ beside C-Blosc2's, as paired ratios:
//! `OXIBLOSC_LIBBLOSC2=<file> cargo run --release --example blosclz_vs_c`.
//!
//! C's codec is reached through chunks of one block and one stream without a filter, so its times
//! include the chunk's own work (about a microsecond a call); nothing is subtracted. Where C gives
//! up it copies the stream, and so does this side. Arguments: stream length (default 65536), rounds
//! (default 31), a part of a data set's name.
#![expect(clippy::print_stdout, reason = "the program's output")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed measurement has no result"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "synthetic data"
)]
#![expect(clippy::cast_precision_loss, reason = "synthetic data")]

use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::time::{Duration, Instant};

use libloading::{Library, Symbol};
use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::blosclz::{Encoder, decode};

type Compress =
    unsafe extern "C" fn(c_int, c_int, i32, *const c_void, i32, *mut c_void, i32) -> c_int;
type Decompress = unsafe extern "C" fn(*const c_void, i32, *mut c_void, i32) -> c_int;

const OVERHEAD: usize = 40;

/// Bytes per data set: enough that no branch predictor learns them by heart.
const TOTAL: usize = 4 << 20;

struct C {
    compress: Compress,
    decompress: Decompress,
}

impl C {
    fn load(len: usize) -> Self {
        let path = std::env::var_os("OXIBLOSC_LIBBLOSC2")
            .expect("OXIBLOSC_LIBBLOSC2 names C-Blosc2's file");
        // SAFETY: the named file is C-Blosc2, whose initialisers have no preconditions.
        let library = unsafe { Library::new(path) }.unwrap();
        let library = Box::leak(Box::new(library));
        // SAFETY: the type of the library's header.
        let init: Symbol<'_, unsafe extern "C" fn()> =
            unsafe { library.get(b"blosc2_init") }.unwrap();
        // SAFETY: the type of the library's header.
        let set_blocksize: Symbol<'_, unsafe extern "C" fn(usize)> =
            unsafe { library.get(b"blosc1_set_blocksize") }.unwrap();
        // SAFETY: takes nothing.
        unsafe { init() };
        // SAFETY: takes a number.
        unsafe { set_blocksize(len) };
        // SAFETY: the type of the library's header.
        let compress: Symbol<'_, Compress> = unsafe { library.get(b"blosc2_compress") }.unwrap();
        // SAFETY: the type of the library's header.
        let decompress: Symbol<'_, Decompress> =
            unsafe { library.get(b"blosc2_decompress") }.unwrap();
        Self {
            compress: *compress,
            decompress: *decompress,
        }
    }

    fn compress(&self, clevel: u8, src: &[u8], chunk: &mut [u8]) -> usize {
        let (nbytes, room) = (
            i32::try_from(src.len()).unwrap(),
            i32::try_from(chunk.len()).unwrap(),
        );
        let (from, to) = (src.as_ptr().cast(), chunk.as_mut_ptr().cast());
        // SAFETY: pointers and lengths of two live buffers.
        let cbytes = unsafe { (self.compress)(c_int::from(clevel), 0, 1, from, nbytes, to, room) };
        usize::try_from(cbytes).unwrap()
    }

    fn decompress(&self, chunk: &[u8], dst: &mut [u8]) {
        let (cbytes, nbytes) = (
            i32::try_from(chunk.len()).unwrap(),
            i32::try_from(dst.len()).unwrap(),
        );
        // SAFETY: pointers and lengths of two live buffers.
        let got = unsafe {
            (self.decompress)(
                chunk.as_ptr().cast(),
                cbytes,
                dst.as_mut_ptr().cast(),
                nbytes,
            )
        };
        assert_eq!(got, nbytes);
    }
}

fn noise(seed: &mut u64) -> u64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

/// Cuts values into streams: one per byte plane, blocks of `len * N` bytes.
fn shuffled<const N: usize>(len: usize, values: impl Iterator<Item = [u8; N]>) -> Vec<Vec<u8>> {
    let values: Vec<[u8; N]> = values.take(TOTAL / N).collect();
    let planes = |block: &[[u8; N]]| -> Vec<Vec<u8>> {
        (0..N)
            .map(|byte| block.iter().map(|value| value[byte]).collect())
            .collect()
    };
    values.chunks(len).flat_map(planes).collect()
}

/// Bit planes of blocks of `len` bytes, one stream each, as after bitshuffle.
fn bitshuffled<const N: usize>(len: usize, values: impl Iterator<Item = [u8; N]>) -> Vec<Vec<u8>> {
    let values: Vec<[u8; N]> = values.take(TOTAL / N).collect();
    let block = |items: &[[u8; N]]| -> Vec<u8> {
        let mut out = Vec::new();
        for bit in 0..N * 8 {
            for eight in items.chunks(8) {
                out.push(
                    eight
                        .iter()
                        .rev()
                        .fold(0, |byte, item| byte << 1 | item[bit / 8] >> (bit % 8) & 1),
                );
            }
        }
        out
    };
    values.chunks(len / N).map(block).collect()
}

fn plain(len: usize, bytes: impl Iterator<Item = u8>) -> Vec<Vec<u8>> {
    let bytes: Vec<u8> = bytes.take(TOTAL).collect();
    bytes.chunks(len).map(<[u8]>::to_vec).collect()
}

fn data_sets(len: usize) -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let smooth = |i: u64| (i as f64 * 1e-4).sin() * 100.0 + 1e-3 * i as f64;
    let quantised = |i: u64| ((smooth(i) * 100.0).round() / 100.0).to_le_bytes();
    let image = |seed: &mut u64, i: u64| {
        let (x, y) = ((i % 512) as f64, (i / 512) as f64);
        let value = 2000.0 + 800.0 * (x / 40.0).sin() * (y / 55.0).cos();
        ((value as u64 + noise(seed) % 24) as u16).to_le_bytes()
    };
    let words = [
        "the",
        "of",
        "chunk",
        "block",
        "stream",
        "and",
        "a",
        "compressor",
        "is",
        "buffer",
        "data",
        "to",
        "filter",
        "shuffle",
        "array",
        "in",
        "shape",
        "it",
        "frame",
        "trailer",
        "with",
        "metalayer",
        "on",
        "offset",
    ];
    let text = |seed: u64| {
        let mut seed = seed;
        std::iter::repeat_with(move || {
            let (a, b) = (
                noise(&mut seed) as usize % 24,
                noise(&mut seed) as usize % 24,
            );
            let mark = if noise(&mut seed).is_multiple_of(9) {
                ", "
            } else {
                " "
            };
            [words[a.min(b)], mark].concat().into_bytes()
        })
        .flatten()
    };
    let mut seeds = [1, 2, 3, 4, 5, 6];
    let [a, b, c, d, e, f] = &mut seeds;
    let mut walk = 0_i64;
    vec![
        (
            "f64 smooth, shuffle",
            shuffled(len, (0..).map(|i| smooth(i).to_le_bytes())),
        ),
        (
            "f64 2 decimals, shuffle",
            shuffled(len, (0..).map(quantised)),
        ),
        ("f64 2 decimals", plain(len, (0..).flat_map(quantised))),
        (
            "f64 smooth, bitshuffle",
            bitshuffled(len, (0..).map(|i| smooth(i).to_le_bytes())),
        ),
        (
            "i32 ramp, shuffle",
            shuffled(len, (0_i32..).map(i32::to_le_bytes)),
        ),
        ("i32 ramp", plain(len, (0_i32..).flat_map(i32::to_le_bytes))),
        (
            "i32 walk, shuffle",
            shuffled(
                len,
                (0..).map(|_| {
                    walk += (noise(a) % 201).cast_signed() - 100;
                    (walk as i32).to_le_bytes()
                }),
            ),
        ),
        (
            "i64 times, shuffle",
            shuffled(
                len,
                (0_u64..).map(|i| (1_600_000_000_000 + i * 1000 + noise(b) % 7).to_le_bytes()),
            ),
        ),
        (
            "u16 image, shuffle",
            shuffled(len, (0..).map(|i| image(c, i))),
        ),
        ("u16 image", plain(len, (0..).flat_map(|i| image(d, i)))),
        ("text", plain(len, text(7))),
        (
            "few symbols",
            plain(len, (0..).map(|_| (noise(e) % 4 * (noise(e) % 2)) as u8)),
        ),
        ("random", plain(len, (0..).map(|_| noise(f) as u8))),
    ]
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The medians of the paired ratio and of the own time, in rounds of some milliseconds.
fn paired(rounds: usize, mut theirs: impl FnMut(), mut ours: impl FnMut()) -> (f64, f64) {
    let time = |run: &mut dyn FnMut(), times: u32| {
        let start = Instant::now();
        for _ in 0..times {
            run();
        }
        start.elapsed().as_secs_f64() / f64::from(times)
    };
    let once = time(&mut theirs, 1).max(time(&mut ours, 1)).max(1e-7);
    let times = (Duration::from_micros(1500).as_secs_f64() / once).ceil() as u32;
    let (mut ratios, mut own) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (a, b) = (time(&mut theirs, times), time(&mut ours, times));
        ratios.push(a / b);
        own.push(b);
    }
    (median(&mut ratios), median(&mut own))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: usize| {
        arguments
            .get(at)
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let (len, rounds) = (number(0, 65_536), number(1, 31));
    let only = arguments.get(2).cloned().unwrap_or_default();
    let c = C::load(len);
    let mut encoder = Encoder::new(Kernels::best());
    println!("streams of {len} bytes; times C / own (GB/s own)");
    println!("| data | level | ratio | compress | decompress |");
    println!("|---|---|---|---|---|");
    for (name, mut streams) in data_sets(len) {
        if !name.contains(&only) {
            continue;
        }
        streams.retain(|stream| stream.iter().any(|&byte| byte != stream[0]));
        let nbytes = streams.len() * len;
        for clevel in [1, 5, 9] {
            let mut chunk = vec![0; len + OVERHEAD];
            let mut own = vec![0; len];
            let (chunks, packed): (Vec<_>, Vec<_>) = streams
                .iter()
                .filter_map(|src| {
                    let cbytes = c.compress(clevel, src, &mut chunk);
                    let got = encoder.encode(clevel, src, &mut own)?;
                    assert!(
                        chunk[OVERHEAD..cbytes] == own[..got],
                        "{name}, level {clevel}: other bytes"
                    );
                    Some((chunk[..cbytes].to_vec(), own[..got].to_vec()))
                })
                .unzip();
            let cbytes: usize =
                packed.iter().map(Vec::len).sum::<usize>() + (streams.len() - packed.len()) * len;
            let (compress, seconds) = paired(
                rounds,
                || {
                    for src in &streams {
                        black_box(c.compress(clevel, src, &mut chunk));
                    }
                },
                || {
                    for src in &streams {
                        if black_box(encoder.encode(clevel, src, &mut own)).is_none() {
                            own.copy_from_slice(src);
                        }
                    }
                },
            );
            print!(
                "| {name} | {clevel} | {:.2} | {compress:.2} ({:.2}) ",
                nbytes as f64 / cbytes as f64,
                nbytes as f64 / seconds / 1e9
            );
            if packed.is_empty() {
                println!("| - |");
                continue;
            }
            let (mut theirs, mut dst) = (vec![0; len], vec![0; len]);
            let (decompress, seconds) = paired(
                rounds,
                || {
                    for chunk in &chunks {
                        c.decompress(chunk, black_box(&mut theirs));
                    }
                },
                || {
                    for stream in &packed {
                        assert_eq!(
                            decode(Kernels::best(), stream, black_box(&mut dst)),
                            Ok(len)
                        );
                    }
                },
            );
            println!(
                "| {decompress:.2} ({:.2}) |",
                (packed.len() * len) as f64 / seconds / 1e9
            );
        }
    }
}
