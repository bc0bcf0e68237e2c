//! Times the filter kernels against memcpy and against C-Blosc2: medians of paired ratios.
//!
//! ```text
//! OXIBLOSC_LIBBLOSC2=.../libblosc2.so cargo run --release -p oxiblosc-kernels \
//!     --example filters_vs_c -- [KERNEL,..] [ISA,..] [TYPESIZE,..] [BYTES,..] [OFFSET]
//! ```
//!
//! Every argument may be `-` for its default: all kernels, the best level, the usual typesizes,
//! 16 KiB and 256 KiB, buffers at multiples of 64 bytes. `malloc` returns large ones 16 bytes after
//! one: offset 16. A round runs memcpy, this crate and (where the library is named and exports
//! the kernel) C on the same buffers one after another; a row gives the medians over the rounds of
//! each one's speed and of the ratios inside a round. Results are compared with the scalar level,
//! and with C's, before they are timed.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark stops on the first surprise"
)]
#![expect(clippy::cast_precision_loss, reason = "times are small numbers")]

use std::ffi::c_int;
use std::hint::black_box;
use std::time::Instant;

use libloading::Library;
use oxiblosc_kernels::{Isa, Kernel, Kernels, Plane};

/// The C library's form of a filter: typesize, bytes, source, destination.
type CFilter = unsafe extern "C" fn(c_int, c_int, *const u8, *mut u8) -> c_int;

/// One kernel as a function from a source to a destination.
struct Row {
    name: &'static str,
    kernel: Kernel,
    run: fn(Kernels, usize, &[u8], &mut [u8]),
    c: Option<&'static [u8]>,
}

const ROWS: [Row; 18] = [
    Row {
        name: "shuffle",
        kernel: Kernel::Shuffle,
        run: Kernels::shuffle,
        c: Some(b"blosc2_shuffle"),
    },
    Row {
        name: "unshuffle",
        kernel: Kernel::Unshuffle,
        run: Kernels::unshuffle,
        c: Some(b"blosc2_unshuffle"),
    },
    Row {
        name: "shuffle_report",
        kernel: Kernel::ShuffleReport,
        run: |kernels, typesize, src, dst| {
            let mut constants = [None; 255];
            kernels.shuffle_report(typesize, src, dst, &mut constants[..typesize]);
            black_box(&constants);
        },
        c: Some(b"blosc2_shuffle"),
    },
    Row {
        name: "unshuffle_planes",
        kernel: Kernel::UnshufflePlanes,
        run: |kernels, typesize, src, dst| {
            if typesize <= 16 {
                from_planes(kernels, &mut [Plane::Constant(0); 16][..typesize], src, dst);
            } else {
                from_planes(
                    kernels,
                    &mut [Plane::Constant(0); 255][..typesize],
                    src,
                    dst,
                );
            }
        },
        c: Some(b"blosc2_unshuffle"),
    },
    Row {
        name: "bitshuffle",
        kernel: Kernel::Bitshuffle,
        run: Kernels::bitshuffle,
        c: Some(b"blosc2_bitshuffle"),
    },
    Row {
        name: "bitunshuffle",
        kernel: Kernel::Bitunshuffle,
        run: Kernels::bitunshuffle,
        c: Some(b"blosc2_bitunshuffle"),
    },
    Row {
        name: "delta_encode",
        kernel: Kernel::DeltaEncode,
        run: |kernels, typesize, src, dst| kernels.delta_encode(typesize, Some(src), src, dst),
        c: None,
    },
    Row {
        name: "delta_encode_first",
        kernel: Kernel::DeltaEncode,
        run: |kernels, typesize, src, dst| kernels.delta_encode(typesize, None, src, dst),
        c: None,
    },
    Row {
        name: "delta_decode",
        kernel: Kernel::DeltaDecode,
        run: |kernels, typesize, src, dst| kernels.delta_decode(typesize, Some(src), dst),
        c: None,
    },
    Row {
        name: "delta_decode_first",
        kernel: Kernel::DeltaDecode,
        run: |kernels, typesize, _, dst| kernels.delta_decode(typesize, None, dst),
        c: None,
    },
    Row {
        name: "truncate",
        kernel: Kernel::Truncate,
        run: |kernels, typesize, src, dst| {
            if matches!(typesize, 1 | 2 | 4 | 8) {
                kernels.int_trunc(typesize, -3, src, dst);
            }
        },
        c: None,
    },
    Row {
        name: "bytedelta_encode",
        kernel: Kernel::BytedeltaEncode,
        run: Kernels::bytedelta_encode,
        c: None,
    },
    Row {
        name: "bytedelta_decode",
        kernel: Kernel::BytedeltaDecode,
        run: Kernels::bytedelta_decode,
        c: None,
    },
    Row {
        name: "shuffle_bytedelta",
        kernel: Kernel::ShuffleBytedelta,
        run: Kernels::shuffle_bytedelta,
        c: None,
    },
    Row {
        name: "unshuffle_bytedelta",
        kernel: Kernel::UnshuffleBytedelta,
        run: Kernels::unshuffle_bytedelta,
        c: None,
    },
    Row {
        name: "shuffle_then_bytedelta",
        kernel: Kernel::BytedeltaEncode,
        run: |kernels, typesize, src, dst| {
            between(src.len(), |planes| {
                kernels.shuffle(typesize, src, planes);
                kernels.bytedelta_encode(typesize, planes, dst);
            });
        },
        c: None,
    },
    Row {
        name: "bytedelta_then_unshuffle",
        kernel: Kernel::BytedeltaDecode,
        run: |kernels, typesize, src, dst| {
            between(src.len(), |planes| {
                kernels.bytedelta_decode(typesize, src, planes);
                kernels.unshuffle(typesize, planes, dst);
            });
        },
        c: None,
    },
    Row {
        name: "repeated_byte",
        kernel: Kernel::RepeatedByte,
        run: |kernels, _, _, dst| {
            black_box(kernels.repeated_byte(dst));
        },
        c: None,
    },
];

/// Lends a buffer of `len` bytes, the same one at every call.
fn between(len: usize, work: impl FnOnce(&mut [u8])) {
    thread_local! {
        static BUFFER: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(len, 0);
        work(buffer);
    });
}

/// Unshuffles from planes that happen to lie one after another.
fn from_planes<'a>(kernels: Kernels, planes: &mut [Plane<'a>], src: &'a [u8], dst: &mut [u8]) {
    let n = src.len() / planes.len();
    for (plane, bytes) in planes.iter_mut().zip(src.chunks_exact(n)) {
        *plane = Plane::Bytes(bytes);
    }
    kernels.unshuffle_planes(planes, &src[n * planes.len()..], dst);
}

/// A buffer that starts some bytes after a multiple of 64.
struct Aligned {
    lines: Vec<[u8; 64]>,
    offset: usize,
    len: usize,
}

impl Aligned {
    fn new(len: usize, offset: usize) -> Self {
        // A vector of 64-byte arrays may start at any byte: reserve space to align it.
        let lines = vec![[0; 64]; (len + offset) / 64 + 2];
        Self { lines, offset, len }
    }

    fn bytes(&mut self) -> &mut [u8] {
        let flat = self.lines.as_flattened_mut();
        let skip = flat.as_ptr().align_offset(64) + self.offset;
        &mut flat[skip..skip + self.len]
    }
}

/// Seconds per call over `calls` calls.
fn time(calls: u32, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

/// How many calls take about 50 microseconds.
fn calls(mut call: impl FnMut()) -> u32 {
    let mut calls = 1;
    while calls < 16_384 && time(calls, &mut call) * f64::from(calls) < 30e-6 {
        calls *= 2;
    }
    calls
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn names<'a>(arg: Option<&'a String>, default: &'a str) -> Vec<&'a str> {
    let list = arg.map_or(default, |arg| if arg == "-" { default } else { arg });
    list.split(',').filter(|name| !name.is_empty()).collect()
}

/// The geometric mean of the ratios to C of one kernel and level.
#[derive(Default)]
struct Mean(f64, u32);

impl Mean {
    fn add(&mut self, ratio: f64) {
        self.0 += ratio.ln();
        self.1 += 1;
    }

    fn get(&self) -> f64 {
        (self.0 / f64::from(self.1)).exp()
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let all: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    let all = all.join(",");
    let kernels = names(args.first(), &all);
    let best = Kernels::best().isa().name();
    let levels = names(args.get(1), best);
    let typesizes = names(args.get(2), "1,2,3,4,5,6,7,8,10,12,16,24,32,64");
    let sizes = names(args.get(3), "16384,262144");
    let offset = args.get(4).filter(|arg| *arg != "-");
    let offset: usize = offset.map_or(0, |arg| arg.parse().unwrap());
    let rounds: usize = std::env::var("ROUNDS").map_or(21, |n| n.parse().unwrap());

    // SAFETY: the library's initialisers are plain C code without demands on us.
    let library =
        std::env::var_os("OXIBLOSC_LIBBLOSC2").map(|path| unsafe { Library::new(path) }.unwrap());
    println!(
        "| kernel | level (runs) | typesize | bytes | memcpy GB/s | ours GB/s | C GB/s \
         | ours / memcpy | ours / C |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for row in ROWS.iter().filter(|row| kernels.contains(&row.name)) {
        for level in &levels {
            let kernels = Kernels::with_isa(Isa::from_name(level).unwrap()).unwrap();
            let c = row.c.and_then(|name| {
                let library = library.as_ref()?;
                // SAFETY: these exports have this signature.
                unsafe { library.get::<CFilter>(name) }.ok()
            });
            let mut mean = Mean::default();
            for typesize in &typesizes {
                for size in &sizes {
                    let typesize: usize = typesize.parse().unwrap();
                    let c = c.as_deref();
                    let at = (size.parse().unwrap(), offset);
                    let ratio = cell(row, kernels, c, typesize, at, rounds);
                    if let Some(ratio) = ratio {
                        mean.add(ratio);
                    }
                }
            }
            if mean.1 > 0 {
                println!(
                    "| {} | {level} | geometric mean | | | | | | {:.2} |",
                    row.name,
                    mean.get()
                );
            }
        }
    }
}

/// Times one cell and prints its row; the answer is the speed against C.
fn cell(
    row: &Row,
    kernels: Kernels,
    c: Option<&CFilter>,
    typesize: usize,
    (len, offset): (usize, usize),
    rounds: usize,
) -> Option<f64> {
    let [mut src, mut dst, mut want] = [(); 3].map(|()| Aligned::new(len, offset));
    let (src, dst, want) = (src.bytes(), dst.bytes(), want.bytes());
    let mut state = 1_u64;
    for byte in src.iter_mut() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        *byte = state.to_be_bytes()[0];
    }
    let scalar = Kernels::with_isa(Isa::Scalar).unwrap();
    (row.run)(scalar, typesize, src, want);
    (row.run)(kernels, typesize, src, dst);
    assert!(dst == want, "{} of {typesize}: wrong bytes", row.name);
    let (t, n) = (
        c_int::try_from(typesize).unwrap(),
        c_int::try_from(len).unwrap(),
    );
    // SAFETY: both buffers have `len` bytes.
    let call_c =
        |f: CFilter, src: &[u8], dst: &mut [u8]| unsafe { f(t, n, src.as_ptr(), dst.as_mut_ptr()) };
    if let Some(f) = c {
        dst.fill(0);
        call_c(*f, src, dst);
        // C transposes whole vectors only in some versions; the whole items must agree.
        assert!(dst == want, "{} of {typesize}: C differs", row.name);
    }

    let (mut memcpys, mut ours, mut cs) = (vec![], vec![], vec![]);
    let memcpy_calls = calls(|| black_box(&mut *dst).copy_from_slice(black_box(src)));
    let our_calls = calls(|| (row.run)(kernels, typesize, black_box(src), black_box(dst)));
    let c_calls = c.map_or(1, |f| {
        calls(|| {
            call_c(*f, black_box(src), black_box(dst));
        })
    });
    for _ in 0..rounds {
        memcpys.push(time(memcpy_calls, || {
            black_box(&mut *dst).copy_from_slice(black_box(src));
        }));
        ours.push(time(our_calls, || {
            (row.run)(kernels, typesize, black_box(src), black_box(dst));
        }));
        if let Some(f) = c {
            cs.push(time(c_calls, || {
                call_c(*f, black_box(src), black_box(dst));
            }));
        }
    }
    let speed = |times: &[f64]| len as f64 / median(times.to_vec()) / 1e9;
    let ratio = |a: &[f64], b: &[f64]| median(a.iter().zip(b).map(|(a, b)| a / b).collect());
    let to_c = (!cs.is_empty()).then(|| ratio(&cs, &ours));
    println!(
        "| {} | {} ({}) | {typesize} | {len} | {:.1} | {:.1} | {} | {:.2} | {} |",
        row.name,
        kernels.isa(),
        kernels.isa_of(row.kernel, typesize),
        speed(&memcpys),
        speed(&ours),
        to_c.map_or("-".to_owned(), |_| format!("{:.1}", speed(&cs))),
        ratio(&memcpys, &ours),
        to_c.map_or("-".to_owned(), |to_c| format!("{to_c:.2}")),
    );
    to_c
}
