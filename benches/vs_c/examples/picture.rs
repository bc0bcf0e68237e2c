//! The picture of the README: ratio and speed of a real array with gzip, zstd, C-Blosc2 and
//! oxiblosc.
//!
//!     OXIBLOSC_LIBBLOSC2=... cargo run --release --manifest-path benches/vs_c/Cargo.toml \
//!         --example picture docs/bars.svg
//!
//! The array is `tests/data/elevation.npy`, heights of 16 bits. One thread each; medians of paired
//! rounds, and the numbers as a Markdown table on standard output. Every result is decoded and
//! compared before it is timed.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, FilterSlot, max_chunk_len};
use plotters::prelude::*;
use vs_c::capi::{Library, Params};
use vs_c::clocks::clock;
use vs_c::harness::Failure;
use vs_c::matrix::pairs::median;

/// Rounds in which all candidates take turns.
const ROUNDS: usize = 21;

/// Calls that are timed as one.
const CALLS: u32 = 8;

const OURS: RGBColor = RGBColor(200, 80, 20);
const OTHERS: RGBColor = RGBColor(120, 130, 150);
const INK: RGBColor = RGBColor(40, 40, 40);

/// One row of the picture: how it compresses, and what came out.
struct Candidate<'a> {
    name: &'static str,
    compress: Box<dyn FnMut() -> Result<usize, Failure> + 'a>,
    decompress: Box<dyn FnMut(bool) -> Result<(), Failure> + 'a>,
    ratio: f64,
    /// GB/s in the rounds.
    speeds: [Vec<f64>; 2],
}

fn candidate<'a>(
    name: &'static str,
    compress: impl FnMut() -> Result<usize, Failure> + 'a,
    decompress: impl FnMut(bool) -> Result<(), Failure> + 'a,
) -> Candidate<'a> {
    Candidate {
        name,
        compress: Box::new(compress),
        decompress: Box::new(decompress),
        ratio: 0.0,
        speeds: [Vec::new(), Vec::new()],
    }
}

/// Compares, in the first round only.
fn same(first: bool, a: &[u8], b: &[u8]) -> Result<(), Failure> {
    (!first || a == b)
        .then_some(())
        .ok_or("another content".into())
}

/// gzip at its default level.
fn gzip(data: &[u8]) -> Result<Candidate<'_>, Failure> {
    let encode = |data: &[u8]| -> Result<Vec<u8>, Failure> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
        encoder.write_all(data)?;
        Ok(encoder.finish()?)
    };
    let packed = encode(data)?;
    let mut back = Vec::with_capacity(data.len());
    let decompress = move |first| {
        back.clear();
        GzDecoder::new(&packed[..]).read_to_end(&mut back)?;
        same(first, &back, data)
    };
    Ok(candidate(
        "gzip -6",
        move || Ok(encode(data)?.len()),
        decompress,
    ))
}

/// zstd at its default level.
fn zstandard(data: &[u8]) -> Result<Candidate<'_>, Failure> {
    let mut encoder = zstd::bulk::Compressor::new(3)?;
    let mut decoder = zstd::bulk::Decompressor::new()?;
    let packed = encoder.compress(data)?;
    let mut dst = vec![0; zstd::zstd_safe::compress_bound(data.len())];
    let mut back = vec![0; data.len()];
    let decompress = move |first| {
        decoder.decompress_to_buffer(&packed, &mut back)?;
        same(first, &back, data)
    };
    let compress = move || Ok(encoder.compress_to_buffer(data, &mut dst)?);
    Ok(candidate("zstd -3", compress, decompress))
}

/// A Blosc2 pipeline: name, codec, its code in C, level, filters, their codes in C.
type Pipeline<'a> = (CodecId, u8, u8, &'a [FilterSlot], [u8; 6]);

fn ours<'a>(
    name: &'static str,
    data: &'a [u8],
    pipeline: Pipeline<'_>,
) -> Result<Candidate<'a>, Failure> {
    let (codec, _, clevel, filters, _) = pipeline;
    let cparams = CParams::new(2)
        .codec(codec)
        .clevel(clevel)
        .filters(filters.to_vec());
    let mut encoder = ChunkEncoder::new(cparams)?;
    let mut decoder = ChunkDecoder::default();
    let packed = encoder.encode(data)?;
    let mut dst = vec![0; max_chunk_len(data.len())];
    let mut back = vec![0; data.len()];
    let decompress = move |first| {
        decoder.decode_into(&packed, &mut back)?;
        same(first, &back, data)
    };
    Ok(candidate(
        name,
        move || Ok(encoder.encode_into(data, &mut dst)?),
        decompress,
    ))
}

fn theirs<'a>(
    name: &'static str,
    library: &'a Library,
    data: &'a [u8],
    pipeline: Pipeline<'_>,
) -> Result<Candidate<'a>, Failure> {
    let (_, codec, clevel, _, filters) = pipeline;
    let mut params = Params {
        codec,
        clevel,
        typesize: 2,
        filters,
        ..Params::default()
    };
    // The meta of BYTEDELTA is the typesize.
    for (filter, meta) in filters.iter().zip(&mut params.filters_meta) {
        *meta = if *filter == 35 { 2 } else { 0 };
    }
    let packed = library.compress(data, &params)?;
    let mut encoder = library.compressor(&params)?;
    let mut decoder = library.decompressor(1)?;
    // The library may overwrite its input.
    let mut copy = data.to_vec();
    let mut dst = vec![0; max_chunk_len(data.len())];
    let mut back = vec![0; data.len()];
    let decompress = move |first| {
        decoder.decompress(&packed, &mut back)?;
        same(first, &back, data)
    };
    Ok(candidate(
        name,
        move || Ok(encoder.compress(&mut copy, &mut dst)?),
        decompress,
    ))
}

fn measure(candidates: &mut [Candidate<'_>], nbytes: f64) -> Result<(), Failure> {
    let clock = clock(None)?;
    for round in 0..ROUNDS {
        for candidate in &mut *candidates {
            let start = clock();
            let mut cbytes = 0;
            for _ in 0..CALLS {
                cbytes = (candidate.compress)()?;
            }
            let middle = clock();
            for _ in 0..CALLS {
                (candidate.decompress)(round == 0)?;
            }
            let end = clock();
            candidate.ratio = nbytes / f64::from(u32::try_from(cbytes)?);
            // The first round warms up.
            if round > 0 {
                for (speeds, time) in candidate
                    .speeds
                    .iter_mut()
                    .zip([middle - start, end - middle])
                {
                    speeds.push(nbytes * f64::from(CALLS) / 1e9 / time.as_secs_f64());
                }
            }
        }
    }
    Ok(())
}

/// Three columns of bars: ratio, compression, decompression.
fn draw(path: &str, rows: &[(&str, [f64; 3])]) -> Result<(), Failure> {
    let height = 60 + 26 * i32::try_from(rows.len())?;
    let area = SVGBackend::new(path, (840, height.unsigned_abs())).into_drawing_area();
    area.fill(&WHITE)?;
    let text = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let titles = ["ratio", "compress, GB/s", "decompress, GB/s"];
    for (column, title) in titles.into_iter().enumerate() {
        let left = 270 + 190 * i32::try_from(column)?;
        area.draw_text(title, &text(15), (left, 12))?;
        let most = rows.iter().map(|row| row.1[column]).fold(0.0, f64::max);
        for (at, (name, values)) in (0..).zip(rows) {
            let top = 40 + 26 * at;
            if column == 0 {
                area.draw_text(name, &text(14), (10, top + 3))?;
            }
            let value = values[column];
            #[expect(clippy::cast_possible_truncation, reason = "at most 130 pixels")]
            let width = (value / most * 130.0).ceil() as i32;
            let colour = if name.starts_with("oxiblosc") {
                OURS
            } else {
                OTHERS
            };
            area.draw(&Rectangle::new(
                [(left, top), (left + width, top + 18)],
                colour.filled(),
            ))?;
            area.draw_text(
                &format!("{value:.2}"),
                &text(13),
                (left + width + 5, top + 3),
            )?;
        }
    }
    area.present()?;
    Ok(())
}

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("usage: picture OUT.svg")?;
    let library = Library::get().ok_or("OXIBLOSC_LIBBLOSC2 names no library")?;
    let npy = include_bytes!("../../../tests/data/elevation.npy");
    let data = &npy[10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]))..];
    let fast: Pipeline<'_> = (
        CodecId::LZ4,
        1,
        5,
        &[FilterSlot::BITSHUFFLE],
        [2, 0, 0, 0, 0, 0],
    );
    let small: Pipeline<'_> = (
        CodecId::ZSTD,
        5,
        1,
        &[FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA],
        [1, 35, 0, 0, 0, 0],
    );
    let mut candidates = [
        gzip(data)?,
        zstandard(data)?,
        theirs("C-Blosc2: lz4, bitshuffle", library, data, fast)?,
        ours("oxiblosc: lz4, bitshuffle", data, fast)?,
        theirs("C-Blosc2: zstd, shuffle + bytedelta", library, data, small)?,
        ours("oxiblosc: zstd, shuffle + bytedelta", data, small)?,
    ];
    measure(&mut candidates, f64::from(u32::try_from(data.len())?))?;
    println!("| | ratio | compress, GB/s | decompress, GB/s |");
    println!("|---|---|---|---|");
    let mut rows = Vec::new();
    for candidate in candidates {
        let [compress, decompress] = candidate.speeds.map(median);
        let Candidate { name, ratio, .. } = candidate;
        println!("| {name} | {ratio:.2} | {compress:.2} | {decompress:.2} |");
        rows.push((name, [ratio, compress, decompress]));
    }
    draw(&path, &rows)
}
