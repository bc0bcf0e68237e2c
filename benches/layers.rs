//! Criterion rows per layer: `chunk/...`, `frame/...`, `array/...`, beside `memcpy`; the kernels
//! have their own in `kernels/benches`.
//!
//! ```text
//! cargo bench --bench layers -- chunk/decode/lz4
//! cargo bench --bench layers -- --save-baseline before
//! cargo bench --bench layers -- --baseline before          # after a change
//! ```
//!
//! They show what a change did to one layer. How fast we are beside C-Blosc2 is asked in pairs, by
//! `benches/vs_c`.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark stops on the first surprise"
)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, FilterSlot, max_chunk_len};

const CHUNK: usize = 1 << 20;

/// A wave of 8 bytes with the noise of a sensor's last digit.
fn signal(nbytes: usize) -> Vec<u8> {
    let mut noise = 1_u64;
    (0..nbytes / 8)
        .flat_map(|i| {
            noise = noise.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let digit = f64::from(u8::try_from(noise >> 60).unwrap());
            let time = f64::from(u32::try_from(i).unwrap()) * 1e-4;
            ((time.sin() * 1e4 + digit).round() / 16.0).to_le_bytes()
        })
        .collect()
}

fn codecs() -> [(&'static str, CParams); 5] {
    let params = CParams::new(8).filters([FilterSlot::SHUFFLE]);
    [
        ("blosclz", params.clone().codec(CodecId::BLOSCLZ)),
        ("lz4", params.clone().codec(CodecId::LZ4)),
        ("lz4hc", params.clone().codec(CodecId::LZ4HC)),
        ("zlib", params.clone().codec(CodecId::ZLIB).clevel(1)),
        ("zstd", params.codec(CodecId::ZSTD).clevel(1)),
    ]
}

fn wide(len: usize) -> u64 {
    u64::try_from(len).unwrap()
}

fn chunks(c: &mut Criterion) {
    let data = signal(CHUNK);
    let mut group = c.benchmark_group("chunk");
    let mut back = vec![0; CHUNK];
    for nbytes in [4 << 10, CHUNK] {
        let data = &data[..nbytes];
        group.throughput(Throughput::Bytes(wide(nbytes)));
        group.bench_function(BenchmarkId::new("memcpy", nbytes), |b| {
            b.iter(|| black_box(&mut back[..nbytes]).copy_from_slice(black_box(data)));
        });
        for (name, cparams) in codecs() {
            let mut encoder = ChunkEncoder::new(cparams).unwrap();
            let mut decoder = ChunkDecoder::new(DParams::new());
            let mut chunk = vec![0; max_chunk_len(nbytes)];
            let len = encoder.encode_into(data, &mut chunk).unwrap();
            assert_eq!(decoder.decode(&chunk[..len]).unwrap(), data);
            group.bench_function(BenchmarkId::new(format!("encode/{name}"), nbytes), |b| {
                b.iter(|| encoder.encode_into(black_box(data), &mut chunk).unwrap());
            });
            let chunk = &chunk[..len];
            group.bench_function(BenchmarkId::new(format!("decode/{name}"), nbytes), |b| {
                b.iter(|| decoder.decode_into(black_box(chunk), &mut back).unwrap());
            });
        }
    }
    group.finish();
}

fn frames(c: &mut Criterion) {
    let data = signal(16 * CHUNK);
    let cparams = CParams::new(8)
        .codec(CodecId::LZ4)
        .filters([FilterSlot::SHUFFLE]);
    let params = FrameParams::new(cparams, CHUNK);
    let write = || {
        let mut writer = FrameWriter::in_memory(params.clone()).unwrap();
        writer.append(black_box(&data)).unwrap();
        writer.into_bytes().unwrap()
    };
    let nbytes = wide(data.len());
    let frame = write();
    let reader = FrameReader::from_bytes(frame.as_slice(), DParams::new()).unwrap();
    let mut decoder = ChunkDecoder::new(DParams::new());
    let mut back = vec![0; data.len()];
    reader
        .read_bytes_into(&mut decoder, 0..nbytes, &mut back)
        .unwrap();
    assert_eq!(back, data);

    let mut group = c.benchmark_group("frame");
    group.throughput(Throughput::Bytes(wide(data.len())));
    group.bench_function("write", |b| b.iter(write));
    group.bench_function("read", |b| {
        b.iter(|| {
            reader
                .read_bytes_into(&mut decoder, 0..nbytes, black_box(&mut back))
                .unwrap()
        });
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("open", |b| {
        b.iter(|| FrameReader::from_bytes(black_box(frame.as_slice()), DParams::new()).unwrap());
    });
    let items = wide(data.len() / 8);
    let mut at = 0;
    group.bench_function("item", |b| {
        b.iter(|| {
            at = (at + 0x9E37_79B9) % items;
            reader
                .read_items_at_into(&mut decoder, &[at], &mut back[..8])
                .unwrap();
        });
    });
    group.finish();
}

fn arrays(c: &mut Criterion) {
    let data = signal(32 << 20);
    let cparams = CParams::new(8)
        .codec(CodecId::LZ4)
        .filters([FilterSlot::SHUFFLE]);
    let params = ArrayParams::with_dtype("<f8".parse().unwrap(), &[2048, 2048]).cparams(cparams);
    let array = Array::from_bytes(&data, &params).unwrap();
    let mut back = vec![0; data.len()];
    array.slice_bytes_into(.., &mut back).unwrap();
    assert_eq!(back, data);

    let mut group = c.benchmark_group("array");
    group.throughput(Throughput::Bytes(wide(data.len())));
    group.bench_function("from_bytes", |b| {
        b.iter(|| Array::from_bytes(black_box(&data), &params).unwrap());
    });
    group.bench_function("read", |b| {
        b.iter(|| array.slice_bytes_into(.., black_box(&mut back)).unwrap());
    });
    for (name, [rows, columns]) in [
        ("box", [500..600, 700..800]),
        ("row", [777..778, 0..2048]),
        ("column", [0..2048, 777..778]),
        ("item", [777..778, 778..779]),
    ] {
        let slice = [rows, columns];
        let nbytes: u64 = slice.iter().map(|r| r.end - r.start).product::<u64>() * 8;
        let dst = &mut back[..usize::try_from(nbytes).unwrap()];
        group.throughput(Throughput::Bytes(nbytes));
        group.bench_function(name, |b| {
            b.iter(|| array.slice_bytes_into(black_box(&slice), dst).unwrap());
        });
    }
    group.finish();
}

criterion_group!(layers, chunks, frames, arrays);
criterion_main!(layers);
