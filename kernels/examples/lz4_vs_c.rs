//! Compares this crate's LZ4 with the C library's and with `lz4_flex`: paired medians, one thread.
//!
//! ```text
//! OXIBLOSC_LIBBLOSC2=.../libblosc2.so cargo run --release -p oxiblosc-kernels \
//!     --example lz4_vs_c -- MODE STREAM_LEN FILE...
//! ```
//!
//! `MODE` is `fast:A` (acceleration), `hc:L` (level) or `dec:A` (decode what C wrote with that
//! acceleration; `dechc:L` likewise). Each file is cut into streams of `STREAM_LEN` bytes. A row
//! gives the compressed sizes (ours / theirs) and the time ratios (theirs / ours: more than 1 is
//! faster here). Every result is decoded and compared before it is timed.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark stops on the first surprise"
)]

use std::ffi::c_int;
use std::hint::black_box;
use std::time::Instant;

use libloading::{Library, Symbol};
use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::lz4;

type CompressFast = unsafe extern "C" fn(*const u8, *mut u8, c_int, c_int, c_int) -> c_int;
type Decompress = unsafe extern "C" fn(*const u8, *mut u8, c_int, c_int) -> c_int;

struct C<'a> {
    fast: Symbol<'a, CompressFast>,
    hc: Symbol<'a, CompressFast>,
    decompress: Symbol<'a, Decompress>,
}

fn int(n: usize) -> c_int {
    c_int::try_from(n).unwrap()
}

impl C<'_> {
    fn encode(&self, mode: Mode, src: &[u8], dst: &mut [u8]) -> usize {
        let (f, level) = match mode {
            Mode::Fast(a) => (&self.fast, a),
            Mode::Hc(l) => (&self.hc, l),
        };
        // SAFETY: both pointers come with their lengths.
        let n = unsafe {
            f(
                src.as_ptr(),
                dst.as_mut_ptr(),
                int(src.len()),
                int(dst.len()),
                int(level),
            )
        };
        usize::try_from(n).unwrap()
    }

    fn decode(&self, src: &[u8], dst: &mut [u8]) -> usize {
        // SAFETY: both pointers come with their lengths.
        let n = unsafe {
            (self.decompress)(
                src.as_ptr(),
                dst.as_mut_ptr(),
                int(src.len()),
                int(dst.len()),
            )
        };
        usize::try_from(n).unwrap()
    }
}

#[derive(Clone, Copy)]
enum Mode {
    Fast(usize),
    Hc(usize),
}

impl Mode {
    fn new(kind: &str, level: usize) -> Self {
        if kind.ends_with("hc") {
            Self::Hc(level)
        } else {
            Self::Fast(level)
        }
    }
}

struct Ours {
    fast: lz4::Encoder,
    hc: lz4::HcEncoder,
}

impl Ours {
    fn encode(&mut self, mode: Mode, src: &[u8], dst: &mut [u8]) -> usize {
        match mode {
            Mode::Fast(a) => self.fast.encode(u32::try_from(a).unwrap(), src, dst),
            Mode::Hc(l) => self.hc.encode(u8::try_from(l).unwrap(), src, dst),
        }
        .unwrap()
    }
}

/// Seconds per call of `f`, over at least a millisecond.
fn time(mut f: impl FnMut()) -> f64 {
    let mut calls = 1u32;
    loop {
        let start = Instant::now();
        for _ in 0..calls {
            f();
        }
        let spent = start.elapsed().as_secs_f64();
        if spent > 5e-4 {
            return spent / f64::from(calls);
        }
        calls *= 2;
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The median time of `a` and the median of `b / a`, over alternating runs.
fn paired(rounds: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> (f64, f64) {
    let mut times = Vec::new();
    let mut ratios = Vec::new();
    a();
    b();
    for round in 0..rounds {
        let (x, y) = if round % 2 == 0 {
            let x = time(&mut a);
            (x, time(&mut b))
        } else {
            let y = time(&mut b);
            (time(&mut a), y)
        };
        times.push(x);
        ratios.push(y / x);
    }
    (median(&mut times), median(&mut ratios))
}

/// Writes every stream with both, decodes each with the other; returns the size of ours and
/// their streams, with the length of the content.
fn check(
    ours: &mut Ours,
    c: &C<'_>,
    mode: Mode,
    streams: &[&[u8]],
    dst: &mut [u8],
) -> (usize, Vec<(Vec<u8>, usize)>) {
    let mut our_size = 0;
    let mut c_streams = Vec::new();
    for s in streams {
        let mut back = vec![0; s.len()];
        let n = ours.encode(mode, s, dst);
        our_size += n;
        assert_eq!(c.decode(&dst[..n], &mut back), s.len());
        assert_eq!(&back, s);
        back.fill(0xEE);
        assert_eq!(
            lz4::decode(Kernels::best(), &dst[..n], &mut back),
            Ok(s.len())
        );
        assert_eq!(&back, s);
        let n = c.encode(mode, s, dst);
        back.fill(0xEE);
        assert_eq!(
            lz4::decode(Kernels::best(), &dst[..n], &mut back),
            Ok(s.len())
        );
        assert_eq!(&back, s);
        c_streams.push((dst[..n].to_vec(), s.len()));
    }
    (our_size, c_streams)
}

fn main() {
    let path = std::env::var("OXIBLOSC_LIBBLOSC2").unwrap();
    // SAFETY: a library without initialisers of note.
    let library = unsafe { Library::new(path) }.unwrap();
    let c = C {
        // SAFETY: LZ4's public signature.
        fast: unsafe { library.get(b"LZ4_compress_fast\0") }.unwrap(),
        // SAFETY: LZ4's public signature.
        hc: unsafe { library.get(b"LZ4_compress_HC\0") }.unwrap(),
        // SAFETY: LZ4's public signature.
        decompress: unsafe { library.get(b"LZ4_decompress_safe\0") }.unwrap(),
    };
    let mut ours = Ours {
        fast: lz4::Encoder::new(Kernels::best()),
        hc: lz4::HcEncoder::new(Kernels::best()),
    };
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (kind, level) = args[0].split_once(':').unwrap();
    let level: usize = level.parse().unwrap();
    let mode = Mode::new(kind, level);
    let stream_len: usize = args[1].parse().unwrap();
    let rounds = std::env::var("ROUNDS").map_or(9, |r| r.parse().unwrap());
    println!(
        "{:24} {:>9} {:>9} {:>7} {:>8} {:>7} {:>8}",
        args[0], "ours", "C", "size", "GB/s", "vs C", "vs flex"
    );
    let mut logs = (0.0, 0.0, 0.0);
    for file in &args[2..] {
        let data = std::fs::read(file).unwrap();
        let streams: Vec<&[u8]> = data.chunks(stream_len).collect();
        let mut dst = vec![0; lz4::max_stream_len(stream_len)];
        let mut back = vec![0; stream_len];
        let (our_size, c_streams) = check(&mut ours, &c, mode, &streams, &mut dst);
        let c_size: usize = c_streams.iter().map(|(s, _)| s.len()).sum();
        let mut dst2 = dst.clone();
        let mut dst3 = vec![0; lz4_flex::block::get_maximum_output_size(stream_len)];
        let (seconds, vs_c, vs_flex) = if kind.starts_with("dec") {
            let mut back2 = back.clone();
            let mut back3 = back.clone();
            let mut us = || {
                for (s, n) in &c_streams {
                    lz4::decode(Kernels::best(), black_box(s), &mut back[..*n]).unwrap();
                }
            };
            let (t, vs_c) = paired(rounds, &mut us, || {
                for (s, n) in &c_streams {
                    c.decode(black_box(s), &mut back2[..*n]);
                }
            });
            let (_, vs_flex) = paired(rounds.min(3), &mut us, || {
                for (s, n) in &c_streams {
                    lz4_flex::block::decompress_into(black_box(s), &mut back3[..*n]).unwrap();
                }
            });
            (t, vs_c, vs_flex)
        } else {
            let mut us = || {
                for s in &streams {
                    black_box(ours.encode(mode, black_box(s), &mut dst));
                }
            };
            let (t, vs_c) = paired(rounds, &mut us, || {
                for s in &streams {
                    black_box(c.encode(mode, black_box(s), &mut dst2));
                }
            });
            let (_, vs_flex) = if matches!(mode, Mode::Fast(_)) {
                paired(rounds.min(3), &mut us, || {
                    for s in &streams {
                        lz4_flex::block::compress_into(black_box(s), &mut dst3).unwrap();
                    }
                })
            } else {
                (0.0, f64::NAN)
            };
            (t, vs_c, vs_flex)
        };
        #[expect(clippy::cast_precision_loss, reason = "a report")]
        let (size, speed) = (
            our_size as f64 / c_size as f64,
            data.len() as f64 / seconds / 1e9,
        );
        let name = std::path::Path::new(file).file_stem().unwrap().display();
        println!(
            "{:24} {our_size:9} {c_size:9} {size:7.4} {speed:8.3} {vs_c:7.3} {vs_flex:8.3}",
            name.to_string()
        );
        logs = (
            logs.0 + size.ln(),
            logs.1 + vs_c.ln(),
            logs.2 + vs_flex.ln(),
        );
    }
    #[expect(clippy::cast_precision_loss, reason = "a report")]
    let n = (args.len() - 2) as f64;
    println!(
        "{:44} {:7.4} {:8} {:7.3} {:8.3}",
        "geometric mean",
        (logs.0 / n).exp(),
        "",
        (logs.1 / n).exp(),
        (logs.2 / n).exp()
    );
}
