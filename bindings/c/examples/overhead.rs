//! The cost of the C ABI: its functions and those of the Rust API on the same data, in turn.
//!
//! Prints the median of each and their difference. `cargo run --release --example overhead`
#![expect(clippy::print_stdout, reason = "a program that prints")]
#![expect(clippy::unwrap_used, reason = "a program of its own")]

use std::hint::black_box;
use std::time::Instant;

use blosc2::abi::{blosc2_cparams, blosc2_dparams};
use blosc2::context;
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, FilterSlot, Limits};

const ROUNDS: usize = 41;

/// The medians of two functions, in nanoseconds for a call, measured in turn.
fn medians(calls: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (f64, f64) {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(u32::try_from(calls).unwrap())
    };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        if round % 2 == 0 {
            first.push(time(&mut ours));
            second.push(time(&mut theirs));
        } else {
            second.push(time(&mut theirs));
            first.push(time(&mut ours));
        }
    }
    first.sort_by(f64::total_cmp);
    second.sort_by(f64::total_cmp);
    (first[ROUNDS / 2], second[ROUNDS / 2])
}

fn row(name: &str, len: usize, (c, rust): (f64, f64)) {
    println!(
        "{name:12} {len:8} B  C ABI {c:12.1} ns  Rust {rust:12.1} ns  {:+8.1} ns  {:+6.2} %",
        c - rust,
        (c / rust - 1.0) * 100.0
    );
}

fn main() {
    for len in [64, 4096, 65_536, 1 << 20] {
        let src: Vec<u8> = (0..len)
            .map(|i| u8::try_from(i / 7 % 251).unwrap())
            .collect();
        let calls = ((32 << 20) / (len + 65_536)).clamp(5, 400);
        let cparams = blosc2_cparams {
            compcode: 1,
            typesize: 4,
            ..blosc2_cparams::default()
        };
        let core = CParams::new(4)
            .codec(CodecId::LZ4)
            .filters([FilterSlot::SHUFFLE]);
        let mut encoder = ChunkEncoder::new(core).unwrap();
        let mut decoder = ChunkDecoder::new(DParams::new().limits(Limits::FORMAT));
        // SAFETY: no pointers in the parameters.
        let cctx = unsafe { context::blosc2_create_cctx(cparams) };
        // SAFETY: no pointers in the parameters.
        let dctx = unsafe { context::blosc2_create_dctx(blosc2_dparams::default()) };
        let mut one = vec![0; len + 32];
        let mut two = vec![0; len + 32];
        let int = |len: usize| i32::try_from(len).unwrap();
        let mut clen = 0;
        let compress = medians(
            calls,
            || {
                // SAFETY: buffers with these lengths, and a context.
                clen = unsafe {
                    context::blosc2_compress_ctx(
                        cctx,
                        src.as_ptr().cast(),
                        int(len),
                        one.as_mut_ptr().cast(),
                        int(one.len()),
                    )
                };
                black_box(&one);
            },
            || {
                black_box(encoder.encode_into(&src, &mut two).unwrap());
            },
        );
        row("compress", len, compress);
        let chunk = one[..usize::try_from(clen).unwrap()].to_vec();
        let mut out = vec![0; len];
        let mut out2 = vec![0; len];
        let decompress = medians(
            calls * 4,
            || {
                // SAFETY: buffers with these lengths, and a context.
                black_box(unsafe {
                    context::blosc2_decompress_ctx(
                        dctx,
                        chunk.as_ptr().cast(),
                        int(chunk.len()),
                        out.as_mut_ptr().cast(),
                        int(len),
                    )
                });
            },
            || {
                black_box(decoder.decode_into(&chunk, &mut out2).unwrap());
            },
        );
        row("decompress", len, decompress);
        let getitem = medians(
            calls * 4,
            || {
                // SAFETY: buffers with these lengths, and a context.
                black_box(unsafe {
                    context::blosc2_getitem_ctx(
                        dctx,
                        chunk.as_ptr().cast(),
                        int(chunk.len()),
                        2,
                        4,
                        out.as_mut_ptr().cast(),
                        int(len),
                    )
                });
            },
            || {
                black_box(
                    decoder
                        .decode_bytes_into(&chunk, 8..24, &mut out2[..16])
                        .unwrap(),
                );
            },
        );
        row("getitem", len, getitem);
        assert_eq!(out[16..], out2[16..]);
        // SAFETY: a context that no one uses again.
        unsafe { context::blosc2_free_ctx(cctx) };
        // SAFETY: a context that no one uses again.
        unsafe { context::blosc2_free_ctx(dctx) };
    }
}
