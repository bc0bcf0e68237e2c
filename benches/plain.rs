//! GB/s of whole LZ4 chunks on any target, WebAssembly included, where criterion does not run.
//!
//! ```text
//! cargo bench --bench plain
//! BENCH=plain WASM_RUSTFLAGS="-C target-feature=+simd128" ci/wasm-test.sh . -p oxiblosc \
//!     --no-default-features --features pure-rust
//! ```
//!
//! Chunks of 4 MiB of numbers of 4 bytes, level 5, the fastest of 25 calls each.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark stops on the first surprise"
)]
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(clippy::cast_precision_loss, reason = "sizes are small numbers")]

use std::time::Instant;

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, FilterSlot, max_chunk_len};

const CHUNK: usize = 4 << 20;

/// The bytes of the first values.
fn bytes(values: impl Iterator<Item = i32>) -> Vec<u8> {
    values.take(CHUNK / 4).flat_map(i32::to_le_bytes).collect()
}

/// A wave of six digits.
#[expect(clippy::cast_possible_truncation, reason = "the digits are meant")]
fn wave() -> Vec<u8> {
    bytes((0..).map(|i| ((f64::from(i) * 1e-3).sin() * 1000.0) as i32))
}

/// A walk by steps of at most eight.
fn walk() -> Vec<u8> {
    let (mut noise, mut at) = (1_u64, 0);
    bytes(std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        at += i32::try_from(noise >> 60).unwrap() - 8;
        at
    }))
}

/// GB/s of the fastest call.
fn speed(mut call: impl FnMut()) -> f64 {
    let times = (0..25).map(|_| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64()
    });
    CHUNK as f64 / times.fold(f64::MAX, f64::min) / 1e9
}

fn main() {
    println!("| data | filter | ratio | compress, GB/s | decompress, GB/s |");
    println!("|---|---|---|---|---|");
    for (name, data) in [("ramp", bytes(0..)), ("wave", wave()), ("walk", walk())] {
        for (filter, slot) in [
            ("shuffle", FilterSlot::SHUFFLE),
            ("bitshuffle", FilterSlot::BITSHUFFLE),
        ] {
            let cparams = CParams::new(4).codec(CodecId::LZ4).filters([slot]);
            let mut encoder = ChunkEncoder::new(cparams).unwrap();
            let mut decoder = ChunkDecoder::default();
            let mut chunk = vec![0; max_chunk_len(CHUNK)];
            let mut back = vec![0; CHUNK];
            let mut cbytes = 0;
            let compress = speed(|| cbytes = encoder.encode_into(&data, &mut chunk).unwrap());
            let decompress = speed(|| {
                decoder.decode_into(&chunk[..cbytes], &mut back).unwrap();
            });
            assert!(back == data, "{name}, {filter}");
            let ratio = CHUNK as f64 / cbytes as f64;
            println!("| {name} | {filter} | {ratio:.2} | {compress:.2} | {decompress:.2} |");
        }
    }
}
