//! Criterion rows `kernel/isa/typesize/bytes` beside `memcpy/bytes`, for every level of this CPU.
//!
//! ```text
//! cargo bench -p oxiblosc-kernels --bench kernels -- shuffle/avx512/8
//! OXIBLOSC_LIBBLOSC2=.../libblosc2.so cargo bench -p oxiblosc-kernels --bench kernels -- \
//!   '^bitshuffle/(avx2|c)/4/'
//! ```
//!
//! If `OXIBLOSC_LIBBLOSC2` names the C library, `c` is one more level of the kernels it exports;
//! it takes its best instructions. Why each size: 16 KiB stays in the L1 cache with its result,
//! 256 KiB in L2. Results are compared with the scalar level before they are timed. For paired
//! ratios, which hold under load too, see the example `filters_vs_c`.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark stops on the first surprise"
)]

use std::ffi::c_int;
use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use libloading::Library;
use oxiblosc_kernels::{Isa, Kernels, Plane};

type Run = fn(Kernels, usize, &[u8], &mut [u8]);

/// The C library's form of a filter: typesize, bytes, source, destination.
type CFilter = unsafe extern "C" fn(c_int, c_int, *const u8, *mut u8) -> c_int;

/// A kernel, and what the C library calls it.
type Row = (&'static str, Run, Option<&'static [u8]>);

const ROWS: [Row; 15] = [
    ("shuffle", Kernels::shuffle, Some(b"blosc2_shuffle")),
    ("shuffle_report", shuffle_report, None),
    ("unshuffle", Kernels::unshuffle, Some(b"blosc2_unshuffle")),
    (
        "unshuffle_planes",
        |kernels, typesize, src, dst| {
            with_planes(typesize, src, |planes, tail| {
                kernels.unshuffle_planes(planes, tail, dst);
            });
        },
        None,
    ),
    (
        "bitshuffle",
        Kernels::bitshuffle,
        Some(b"blosc2_bitshuffle"),
    ),
    (
        "bitunshuffle",
        Kernels::bitunshuffle,
        Some(b"blosc2_bitunshuffle"),
    ),
    (
        "bitunshuffle_planes",
        |kernels, typesize, src, dst| {
            with_planes(typesize, src, |planes, tail| {
                kernels.bitunshuffle_planes(planes, tail, dst);
            });
        },
        None,
    ),
    (
        "delta_encode",
        |kernels, typesize, src, dst| kernels.delta_encode(typesize, Some(src), src, dst),
        None,
    ),
    (
        "delta_encode_first",
        |kernels, typesize, src, dst| kernels.delta_encode(typesize, None, src, dst),
        None,
    ),
    (
        "delta_decode",
        |kernels, typesize, src, dst| kernels.delta_decode(typesize, Some(src), dst),
        None,
    ),
    (
        "delta_decode_first",
        |kernels, typesize, _, dst| kernels.delta_decode(typesize, None, dst),
        None,
    ),
    ("bytedelta_encode", Kernels::bytedelta_encode, None),
    ("bytedelta_decode", Kernels::bytedelta_decode, None),
    ("shuffle_bytedelta", Kernels::shuffle_bytedelta, None),
    ("unshuffle_bytedelta", Kernels::unshuffle_bytedelta, None),
];

const TYPESIZES: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 64];

const SIZES: [usize; 2] = [16_384, 262_144];

fn shuffle_report(kernels: Kernels, typesize: usize, src: &[u8], dst: &mut [u8]) {
    let mut constants = [None; 64];
    kernels.shuffle_report(typesize, src, dst, &mut constants[..typesize]);
    black_box(&constants);
}

/// The planes of `src`, which happen to lie one after another, and its tail.
fn with_planes<'a>(typesize: usize, src: &'a [u8], run: impl FnOnce(&[Plane<'a>], &'a [u8])) {
    let n = src.len() / typesize;
    let mut planes = [Plane::Constant(0); 64];
    for (plane, bytes) in planes.iter_mut().zip(src.chunks_exact(n)).take(typesize) {
        *plane = Plane::Bytes(bytes);
    }
    run(&planes[..typesize], &src[n * typesize..]);
}

/// Times one cell.
fn cell(
    group: &mut BenchmarkGroup<'_, WallTime>,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
    mut run: impl FnMut(&[u8], &mut [u8]),
) {
    let id = BenchmarkId::new(typesize.to_string(), src.len());
    group.bench_function(id, |bencher| {
        bencher.iter(|| run(black_box(src), black_box(&mut *dst)));
    });
}

fn kernels(criterion: &mut Criterion) {
    // SAFETY: the library's initialisers are plain C code without demands on us.
    let library =
        std::env::var_os("OXIBLOSC_LIBBLOSC2").map(|path| unsafe { Library::new(path) }.unwrap());
    let scalar = Kernels::with_isa(Isa::Scalar).unwrap();
    for bytes in SIZES {
        // A multiplicative sequence: no two vectors alike.
        let mut state = 1_u64;
        let src: Vec<u8> = (0..bytes)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state.to_be_bytes()[0]
            })
            .collect();
        let mut dst = vec![0; bytes];
        let mut want = vec![0; bytes];
        let mut group = criterion.benchmark_group("memcpy");
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(BenchmarkId::from_parameter(bytes), |bencher| {
            bencher.iter(|| black_box(&mut dst[..]).copy_from_slice(black_box(&src)));
        });
        group.finish();
        for (name, run, c_name) in ROWS {
            for level in Kernels::available() {
                let mut group = criterion.benchmark_group(format!("{name}/{}", level.isa()));
                group.throughput(Throughput::Bytes(bytes as u64));
                for typesize in TYPESIZES {
                    dst.fill(0);
                    want.fill(0);
                    run(level, typesize, &src, &mut dst);
                    run(scalar, typesize, &src, &mut want);
                    assert!(dst == want, "{name} of {typesize}: wrong bytes");
                    cell(&mut group, typesize, &src, &mut dst, |src, dst| {
                        run(level, typesize, src, dst);
                    });
                }
                group.finish();
            }
            let Some((library, c_name)) = library.as_ref().zip(c_name) else {
                continue;
            };
            // SAFETY: the filters that the library exports have this signature.
            let c = unsafe { library.get::<CFilter>(c_name) }.unwrap();
            let mut group = criterion.benchmark_group(format!("{name}/c"));
            group.throughput(Throughput::Bytes(bytes as u64));
            for typesize in TYPESIZES {
                let (t, n) = (
                    c_int::try_from(typesize).unwrap(),
                    c_int::try_from(bytes).unwrap(),
                );
                let call = |src: &[u8], dst: &mut [u8]| {
                    assert!(src.len() == bytes && dst.len() == bytes);
                    // SAFETY: both buffers have the number of bytes that the call states.
                    unsafe { c(t, n, src.as_ptr(), dst.as_mut_ptr()) };
                };
                want.fill(0);
                run(scalar, typesize, &src, &mut want);
                dst.fill(0);
                call(&src, &mut dst);
                assert!(dst == want, "{name} of {typesize}: C differs");
                cell(&mut group, typesize, &src, &mut dst, call);
            }
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(100))
        .measurement_time(std::time::Duration::from_millis(400));
    targets = kernels
}
criterion_main!(benches);
