//! Compares this crate's zlib with the zlib-ng of the C library: paired medians, one thread.
//!
//! ```text
//! OXIBLOSC_LIBBLOSC2=.../libblosc2.so cargo run --release -p oxiblosc-kernels \
//!     --example zlib_vs_c -- LEVEL,... BLOCK_LEN FILTER FILE:TYPESIZE...
//! ```
//!
//! At most 1 MiB of each file is cut into blocks of `BLOCK_LEN` bytes, which are filtered
//! (`shuffle`, `bitshuffle`, `shuffle+bytedelta` or `none`). A row gives the sizes (ours / theirs)
//! and the time ratios (theirs / ours: more than 1 is faster here) of writing, of reading what each
//! wrote itself, and of reading what C wrote. Every result is decoded and compared before it is
//! timed.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::as_conversions,
    reason = "a benchmark stops on the first surprise, and prints ratios"
)]

use std::ffi::c_int;
use std::hint::black_box;
use std::time::Instant;

use libloading::{Library, Symbol};
use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::deflate::Deflate;
use oxiblosc_kernels::inflate::Inflate;

type Compress = unsafe extern "C" fn(*mut u8, *mut usize, *const u8, usize, c_int) -> c_int;
type Uncompress = unsafe extern "C" fn(*mut u8, *mut usize, *const u8, usize) -> c_int;

struct C<'a> {
    compress: Symbol<'a, Compress>,
    uncompress: Symbol<'a, Uncompress>,
}

impl C<'_> {
    fn encode(&self, level: u8, src: &[u8], dst: &mut [u8]) -> usize {
        let mut len = dst.len();
        let (to, from) = (dst.as_mut_ptr(), src.as_ptr());
        // SAFETY: both pointers come with their lengths.
        let error = unsafe { (self.compress)(to, &raw mut len, from, src.len(), level.into()) };
        assert_eq!(error, 0);
        len
    }

    fn decode(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let mut len = dst.len();
        let (to, from) = (dst.as_mut_ptr(), src.as_ptr());
        // SAFETY: both pointers come with their lengths.
        let error = unsafe { (self.uncompress)(to, &raw mut len, from, src.len()) };
        assert_eq!(error, 0);
        len
    }
}

/// The seconds of a call, of as many as take half a millisecond.
fn time(mut call: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    loop {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds > 5e-4 {
            return seconds / f64::from(calls);
        }
        calls *= 2;
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
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

/// A filter by its name.
fn filtered(name: &str, typesize: usize, src: &[u8]) -> Vec<u8> {
    let (kernels, mut dst) = (Kernels::best(), src.to_vec());
    match name {
        "shuffle" => kernels.shuffle(typesize, src, &mut dst),
        "bitshuffle" => kernels.bitshuffle(typesize, src, &mut dst),
        "shuffle+bytedelta" => kernels.shuffle_bytedelta(typesize, src, &mut dst),
        _ => assert_eq!(name, "none"),
    }
    dst
}

/// The streams of one writer, with the lengths of their contents.
type Streams = Vec<(Vec<u8>, usize)>;

fn size(streams: &Streams) -> usize {
    streams.iter().map(|(stream, _)| stream.len()).sum()
}

fn main() {
    let path = std::env::var("OXIBLOSC_LIBBLOSC2").unwrap();
    // SAFETY: a library without initialisers of note.
    let library = unsafe { Library::new(path) }.unwrap();
    let c = C {
        // SAFETY: the signature of zlib's `compress2`.
        compress: unsafe { library.get(b"zng_compress2\0") }.unwrap(),
        // SAFETY: the signature of zlib's `uncompress`.
        uncompress: unsafe { library.get(b"zng_uncompress\0") }.unwrap(),
    };
    let args: Vec<String> = std::env::args().skip(1).collect();
    let levels: Vec<u8> = args[0].split(',').map(|l| l.parse().unwrap()).collect();
    let block: usize = args[1].parse().unwrap();
    let mut inflate = Inflate::new(Kernels::best());
    println!("name level ours C size/GB/s write read own/GB/s read C's/GB/s");
    let mut logs = [0.0; 4];
    let mut rows = 0.0;
    for file in &args[3..] {
        let (path, typesize) = file.rsplit_once(':').unwrap();
        let typesize: usize = typesize.parse().unwrap();
        let data = std::fs::read(path).unwrap();
        let data = &data[..data.len().min(1 << 20)];
        let blocks = data.chunks(block / typesize * typesize);
        let blocks: Vec<_> = blocks.map(|b| filtered(&args[2], typesize, b)).collect();
        for &level in &levels {
            let mut deflate = Deflate::new(Kernels::best(), level);
            let (mut dst, mut dst_c) = (vec![0; block * 2], vec![0; block * 2]);
            let (mut back, mut back_c) = (vec![0; block], vec![0; block]);
            let (mut own, mut theirs) = (Streams::new(), Streams::new());
            for content in &blocks {
                let len = deflate.encode(content, &mut dst).unwrap();
                assert_eq!(c.decode(&dst[..len], &mut back), content.len());
                assert!(back[..content.len()] == content[..]);
                own.push((dst[..len].to_vec(), content.len()));
                let len = c.encode(level, content, &mut dst);
                assert!(inflate.decode(&dst[..len], &mut back).is_ok());
                assert!(back[..content.len()] == content[..]);
                theirs.push((dst[..len].to_vec(), content.len()));
            }
            let write = || {
                for content in &blocks {
                    black_box(deflate.encode(black_box(content), &mut dst));
                }
            };
            let write_c = || {
                for content in &blocks {
                    black_box(c.encode(level, black_box(content), &mut dst_c));
                }
            };
            let (write, write_seconds) = pairs(write, write_c);
            let mut reads = [0.0; 2];
            let mut seconds = [0.0; 2];
            for (turn, streams) in [&own, &theirs].into_iter().enumerate() {
                let read = || {
                    for (stream, len) in streams {
                        let to = &mut back[..*len];
                        black_box(inflate.decode(black_box(stream), to).unwrap());
                    }
                };
                let read_c = || {
                    for (stream, len) in &theirs {
                        black_box(c.decode(black_box(stream), &mut back_c[..*len]));
                    }
                };
                (reads[turn], seconds[turn]) = pairs(read, read_c);
            }
            let ratio = size(&own) as f64 / size(&theirs) as f64;
            let speed = |seconds: f64| data.len() as f64 / seconds / 1e9;
            println!(
                "{:24} {level} {:8} {:8} {ratio:6.3}  {:7.3} {write:6.3}  {:7.3} {:6.3}  {:7.3} \
                 {:6.3}",
                path.rsplit('/').next().unwrap(),
                size(&own),
                size(&theirs),
                speed(write_seconds),
                speed(seconds[0]),
                reads[0],
                speed(seconds[1]),
                reads[1],
            );
            for (log, ratio) in logs.iter_mut().zip([ratio, write, reads[0], reads[1]]) {
                *log += ratio.ln();
            }
            rows += 1.0;
        }
    }
    let [ratio, write, own, theirs] = logs.map(|log: f64| (log / rows).exp());
    println!("geometric mean: size {ratio:.3}, write {write:.3}, read {own:.3}, C's {theirs:.3}");
}
