//! Criterion rows `kernel/isa/typesize/bytes` beside `memcpy`, for every level of this CPU.
//!
//! ```text
//! cargo bench -p oxiblosc-kernels -- shuffle/avx512/8
//! ```
//!
//! Why each size: 16 KiB stays in the L1 cache with its result, 256 KiB in L2. Results are compared
//! with the scalar level before they are timed. For ratios against C see the example
//! `filters_vs_c`.
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use oxiblosc_kernels::Kernels;

type Run = fn(Kernels, usize, &[u8], &mut [u8]);

const ROWS: [(&str, Run); 10] = [
    ("shuffle", Kernels::shuffle),
    ("unshuffle", Kernels::unshuffle),
    ("bitshuffle", Kernels::bitshuffle),
    ("bitunshuffle", Kernels::bitunshuffle),
    ("delta_encode", |kernels, typesize, src, dst| {
        kernels.delta_encode(typesize, Some(src), src, dst);
    }),
    ("delta_encode_first", |kernels, typesize, src, dst| {
        kernels.delta_encode(typesize, None, src, dst);
    }),
    ("delta_decode", |kernels, typesize, src, dst| {
        kernels.delta_decode(typesize, Some(src), dst);
    }),
    ("delta_decode_first", |kernels, typesize, _, dst| {
        kernels.delta_decode(typesize, None, dst);
    }),
    ("bytedelta_encode", Kernels::bytedelta_encode),
    ("bytedelta_decode", Kernels::bytedelta_decode),
];

const TYPESIZES: [usize; 9] = [2, 3, 4, 7, 8, 12, 16, 24, 32];

const SIZES: [usize; 2] = [16_384, 262_144];

fn kernels(criterion: &mut Criterion) {
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
        for (name, run) in ROWS {
            for level in Kernels::available() {
                let mut group = criterion.benchmark_group(format!("{name}/{}", level.isa()));
                group.throughput(Throughput::Bytes(bytes as u64));
                for typesize in TYPESIZES {
                    let scalar = Kernels::available().next();
                    dst.fill(0);
                    want.fill(0);
                    run(level, typesize, &src, &mut dst);
                    run(scalar.unwrap_or(level), typesize, &src, &mut want);
                    assert!(dst == want, "{name} of {typesize}: wrong bytes");
                    group.bench_function(
                        BenchmarkId::new(typesize.to_string(), bytes),
                        |bencher| {
                            bencher.iter(|| {
                                run(level, typesize, black_box(&src), black_box(&mut dst));
                            });
                        },
                    );
                }
                group.finish();
            }
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
