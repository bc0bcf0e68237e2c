//! Small chunks: each way, with objects that are kept and with fresh ones.
//!
//!     OXIBLOSC_LIBBLOSC2=... cargo run --release --manifest-path benches/vs_c/Cargo.toml \
//!         --example small [ROUNDS] [CLOCK] [BYTES,..] [CODEC,..]
//!
//! Each cell is the median time of one call of ours and the median of the ratios of C's to it,
//! timed in turn; chunks are read by both libraries first. `CLOCK` is `wall`, or `cpu` for the
//! processor time of the calling thread, which is steadier on a busy machine. `BYTES` are the sizes
//! of the chunks, 4096 unless told, and `CODEC` blosclz, lz4, lz4hc, zlib or zstd, all but the
//! third and fourth unless told. Output is a Markdown table for each size.

use std::hint::black_box;

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, FilterSlot, max_chunk_len};
use vs_c::capi::{Library, Params};
use vs_c::clocks::clock;
use vs_c::harness::{Effort, Failure, Work, pair, ready};

/// Calls that are timed as one.
const CALLS: u32 = 400;

/// Numbers of 8 bytes: a ramp with steps of a few digits.
fn ramp(nbytes: usize) -> Vec<u8> {
    let mut at = 1_000_000_u64;
    let mut noise = 1_u64;
    (0..nbytes / 8)
        .flat_map(|_| {
            noise = noise.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            at += noise >> 59;
            at.to_le_bytes()
        })
        .collect()
}

/// Numbers of 8 bytes: a sine with all its digits.
fn sine(nbytes: usize) -> Vec<u8> {
    (0..nbytes / 8)
        .flat_map(|i| {
            (f64::from(u32::try_from(i).unwrap_or(0)) * 0.01)
                .sin()
                .to_le_bytes()
        })
        .collect()
}

/// Our nanoseconds, and how many times as long C takes.
fn cell(effort: Effort, ours: Work<'_>, theirs: Work<'_>) -> Result<String, Failure> {
    let pair = pair(effort, &mut ready, ours, theirs)?;
    Ok(format!("{:.0} / {:.2}", pair.seconds * 1e9, pair.ratio))
}

fn main() -> Result<(), Failure> {
    let library = Library::get().ok_or("OXIBLOSC_LIBBLOSC2 names no library")?;
    let rounds = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 101,
    };
    let clock = clock(std::env::args().nth(2).as_deref())?;
    let effort = Effort {
        rounds,
        calls: CALLS,
        clock,
    };
    println!("ns / times as long for C {}", library.version());
    let sizes = std::env::args().nth(3).unwrap_or_else(|| "4096".to_owned());
    let names = std::env::args().nth(4);
    let names = names.as_deref().unwrap_or("blosclz,lz4,zstd");
    let codecs: Vec<_> = names
        .split(',')
        .map(|name| CodecId::from_name(name).ok_or_else(|| format!("no codec is called {name}")))
        .collect::<Result<_, _>>()?;
    for size in sizes.split(',') {
        table(library, effort, size.parse()?, &codecs)?;
    }
    Ok(())
}

/// The table for chunks of `nbytes` bytes.
fn table(
    library: &Library,
    effort: Effort,
    nbytes: usize,
    codecs: &[CodecId],
) -> Result<(), Failure> {
    let middle = nbytes / 8 * 3 / 5;
    println!("\n{nbytes} bytes:\n");
    println!(
        "| codec | filter | data | encode, kept | decode, kept | one item \
         | encode, fresh | decode, fresh |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for &codec in codecs {
        for (filter, slot) in [("none", 0), ("shuffle", 1), ("bitshuffle", 2)] {
            for (name, src) in [("ramp", ramp(nbytes)), ("sine", sine(nbytes))] {
                let slots = match slot {
                    0 => vec![],
                    1 => vec![FilterSlot::SHUFFLE],
                    _ => vec![FilterSlot::BITSHUFFLE],
                };
                let cparams = CParams::new(8).codec(codec).filters(slots);
                let mut params = Params {
                    codec: codec.get(),
                    typesize: 8,
                    ..Params::default()
                };
                params.filters = [0, 0, 0, 0, 0, slot];
                let mut chunk = vec![0; max_chunk_len(src.len())];
                let mut encoder = ChunkEncoder::new(cparams.clone())?;
                let cbytes = encoder.encode_into(&src, &mut chunk)?;
                let read = chunk[..cbytes].to_vec();
                if library.decompress(&read, src.len())? != src
                    || oxiblosc::decompress(&read)? != src
                {
                    return Err("a chunk does not decode to its data".into());
                }
                let mut decoder = ChunkDecoder::default();
                let (mut back, mut item) = (vec![0; src.len()], [0; 8]);
                let mut theirs = vec![0; max_chunk_len(src.len())];
                let mut c_src = src.clone();
                let mut c_back = vec![0; src.len()];
                let mut compressor = library.compressor(&params)?;
                let mut decompressor = library.decompressor(1)?;
                let cells = [
                    cell(
                        effort,
                        &mut || {
                            black_box(encoder.encode_into(black_box(&src), &mut chunk)?);
                            Ok(())
                        },
                        &mut || {
                            black_box(compressor.compress(black_box(&mut c_src), &mut theirs)?);
                            Ok(())
                        },
                    )?,
                    cell(
                        effort,
                        &mut || {
                            black_box(decoder.decode_into(black_box(&read), &mut back)?);
                            Ok(())
                        },
                        &mut || {
                            black_box(decompressor.decompress(black_box(&read), &mut c_back)?);
                            Ok(())
                        },
                    )?,
                    cell(
                        effort,
                        &mut || {
                            black_box(decoder.decode_items_into(
                                black_box(&read),
                                middle..middle + 1,
                                &mut item,
                            )?);
                            Ok(())
                        },
                        &mut || {
                            black_box(library.decompressor(1)?.getitem(
                                black_box(&read),
                                middle,
                                1,
                                &mut c_back,
                            )?);
                            Ok(())
                        },
                    )?,
                    cell(
                        effort,
                        &mut || {
                            let mut encoder = ChunkEncoder::new(cparams.clone())?;
                            black_box(encoder.encode_into(black_box(&src), &mut chunk)?);
                            Ok(())
                        },
                        &mut || {
                            let mut compressor = library.compressor(&params)?;
                            black_box(compressor.compress(black_box(&mut c_src), &mut theirs)?);
                            Ok(())
                        },
                    )?,
                    cell(
                        effort,
                        &mut || {
                            let mut decoder = ChunkDecoder::default();
                            black_box(decoder.decode_into(black_box(&read), &mut back)?);
                            Ok(())
                        },
                        &mut || {
                            let mut decompressor = library.decompressor(1)?;
                            black_box(decompressor.decompress(black_box(&read), &mut c_back)?);
                            Ok(())
                        },
                    )?,
                ];
                let codec = codec.name().unwrap_or("?");
                println!(
                    "| {codec} | {filter} | {name}, {cbytes} bytes | {} |",
                    cells.join(" | ")
                );
            }
        }
    }
    Ok(())
}
