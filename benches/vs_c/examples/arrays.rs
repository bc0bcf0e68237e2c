//! Arrays beside C: from a buffer, read whole, boxes, lines, planes, single items; then two threads
//! beside one.
//!
//!     OXIBLOSC_LIBBLOSC2=... cargo run --release --manifest-path benches/vs_c/Cargo.toml \
//!         --example arrays [ROUNDS] [TABLE]
//!
//! `TABLE` is a part of the name of a table: `blosclz`, `x 4096`, `lz4 level 5, Ramp`.
//!
//! Same partition, codec, level and filter on both sides, both in memory, one thread. What is read
//! is compared before it is timed. Each round times one side after the other; a figure is the
//! median over rounds of the ratio in a round.

use std::sync::Arc;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::{CParams, CodecId, DParams, SChunk, Threads};
use vs_c::capi::{self, Library, Params, Partition};
use vs_c::clocks::clock;
use vs_c::harness::{Content, Effort, Failure, Numbers, Work, pair, ready};

/// A shape, and the boxes that are read from it.
struct Case {
    name: &'static str,
    shape: &'static [u64],
    typesize: usize,
    /// Names and lengths of boxes.
    boxes: &'static [(&'static str, &'static [u64])],
}

const CASES: [Case; 2] = [
    Case {
        name: "8192 x 4096 f64",
        shape: &[8192, 4096],
        typesize: 8,
        boxes: &[
            ("box 100 x 100", &[100, 100]),
            ("row", &[1, 4096]),
            ("column", &[8192, 1]),
            ("one item", &[1, 1]),
        ],
    },
    Case {
        name: "300 x 300 x 300 f32",
        shape: &[300, 300, 300],
        typesize: 4,
        boxes: &[
            ("box 20 x 20 x 20", &[20, 20, 20]),
            ("line along axis 0", &[300, 1, 1]),
            ("line along axis 2", &[1, 1, 300]),
            ("plane across axis 0", &[1, 300, 300]),
            ("plane across axis 1", &[300, 1, 300]),
            ("plane across axis 2", &[300, 300, 1]),
            ("one item", &[1, 1, 1]),
        ],
    },
];

fn content(case: &Case, kind: Content) -> Vec<u8> {
    let items: u64 = case.shape.iter().product();
    let last = case.shape[case.shape.len() - 1];
    let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let values = kind.values(number(items), number(last));
    if case.typesize == 8 {
        values.flat_map(f64::to_le_bytes).collect()
    } else {
        #[expect(clippy::cast_possible_truncation, reason = "the value of an f32")]
        let narrow = |value: f64| (value as f32).to_le_bytes();
        values.flat_map(narrow).collect()
    }
}

/// The median seconds of the first piece of work, and of the ratio of the second to it.
fn timed(rounds: usize, first: Work<'_>, second: Work<'_>) -> Result<(f64, f64), Failure> {
    let effort = Effort {
        rounds,
        calls: 1,
        clock: clock(None)?,
    };
    let found = pair(effort, &mut ready, first, second)?;
    Ok((found.seconds, found.ratio))
}

fn open(array: SChunk, threads: Threads) -> Result<Array<SChunk>, Failure> {
    Ok(Array::open_in_with(array, DParams::new().threads(threads))?)
}

fn two_threads() -> Result<Threads, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    Ok(Threads::Pool(Arc::new(pool)))
}

/// Corners of boxes spread over the array.
fn corners(shape: &[u64], lens: &[u64], count: usize) -> Vec<Vec<u64>> {
    let mut numbers = Numbers::default();
    (0..count)
        .map(|_| {
            shape
                .iter()
                .zip(lens)
                .map(|(len, part)| numbers.below(len - part + 1))
                .collect()
        })
        .collect()
}

fn row(what: &str, seconds: f64, bytes: usize, against_c: f64, threads: f64) {
    let micros = seconds * 1e6;
    let rate = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / seconds / 1e9;
    println!("| {what} | {micros:.2} | {rate:.2} | {against_c:.2} | {threads:.2} |");
}

fn main() -> Result<(), Failure> {
    let library = Library::get().ok_or("OXIBLOSC_LIBBLOSC2 names no library")?;
    let rounds: usize = match std::env::args().nth(1) {
        Some(rounds) => rounds.parse()?,
        None => 11,
    };
    let only = std::env::args().nth(2).unwrap_or_default();
    for (case, kind) in [Content::Measured, Content::Ramp]
        .into_iter()
        .flat_map(|kind| CASES.iter().map(move |case| (case, kind)))
    {
        let data = content(case, kind);
        for (codec, name) in [
            (CodecId::BLOSCLZ, "blosclz level 5"),
            (CodecId::LZ4, "lz4 level 5"),
            (CodecId::ZSTD, "zstd level 1"),
        ] {
            let name = format!("{}, {name}, {kind:?}", case.name);
            if name.contains(&only) {
                let level = if codec == CodecId::ZSTD { 1 } else { 5 };
                measure(library, case, &data, (codec, &name, level), rounds)?;
            }
        }
    }
    Ok(())
}

fn measure(
    library: &Library,
    case: &Case,
    data: &[u8],
    (codec, name, level): (CodecId, &str, u8),
    rounds: usize,
) -> Result<(), Failure> {
    let dtype = if case.typesize == 8 { "<f8" } else { "<f4" };
    let cparams = CParams::new(case.typesize).codec(codec).clevel(level);
    let params = ArrayParams::with_dtype(dtype.parse()?, case.shape).cparams(cparams.clone());
    let grid = params.grid()?;
    let signed = |lens: &[u64]| -> Result<Vec<i32>, Failure> {
        Ok(lens
            .iter()
            .map(|&len| i32::try_from(len))
            .collect::<Result<_, _>>()?)
    };
    let wide = |lens: &[u64]| -> Result<Vec<i64>, Failure> {
        Ok(lens
            .iter()
            .map(|&len| i64::try_from(len))
            .collect::<Result<_, _>>()?)
    };
    let partition = Partition {
        shape: wide(case.shape)?,
        chunkshape: signed(grid.chunkshape())?,
        blockshape: signed(grid.blockshape())?,
        dtype: dtype.to_owned(),
    };
    let theirs = Params::from(&cparams);
    let threads = two_threads()?;
    let shared = params
        .clone()
        .cparams(cparams.clone().threads(threads.clone()));

    println!(
        "\n{name}, chunks {:?}, blocks {:?}\n",
        grid.chunkshape(),
        grid.blockshape()
    );
    println!("| what | us | GB/s | over C | two threads over one |");
    println!("|---|---|---|---|---|");

    let (seconds, over) = timed(
        rounds,
        &mut || {
            drop(Array::from_bytes(data, &params)?);
            Ok(())
        },
        &mut || {
            drop(library.array_from_buffer(&theirs, &partition, data)?);
            Ok(())
        },
    )?;
    let (_, gain) = timed(
        rounds,
        &mut || {
            drop(Array::from_bytes(data, &shared)?);
            Ok(())
        },
        &mut || {
            drop(Array::from_bytes(data, &params)?);
            Ok(())
        },
    )?;
    row("from a buffer", seconds, data.len(), over, gain);

    let made = Array::from_bytes(data, &params)?;
    let one = open(made.into_inner()?, Threads::Serial)?;
    let two = open(Array::from_bytes(data, &params)?.into_inner()?, threads)?;
    let other = library.array_from_buffer(&theirs, &partition, data)?;

    let (mut ours, mut its) = (vec![0; data.len()], vec![1; data.len()]);
    one.slice_bytes_into(.., &mut ours)?;
    other.read_into(&mut its)?;
    if ours != data || its != data || two.to_bytes()? != data {
        return Err("what is read is not what was written".into());
    }
    let (seconds, over) = timed(
        rounds,
        &mut || Ok(one.slice_bytes_into(.., &mut ours).map(|_| ())?),
        &mut || Ok(other.read_into(&mut its)?),
    )?;
    let mut again = vec![0; data.len()];
    let (_, gain) = timed(
        rounds,
        &mut || Ok(two.slice_bytes_into(.., &mut again).map(|_| ())?),
        &mut || Ok(one.slice_bytes_into(.., &mut ours).map(|_| ())?),
    )?;
    row("full read", seconds, data.len(), over, gain);
    for (what, lens) in case.boxes {
        boxes(case, (what, lens), rounds, (&one, &two, &other))?;
    }
    Ok(())
}

/// Boxes of one kind from many places.
fn boxes(
    case: &Case,
    (what, lens): (&str, &[u64]),
    rounds: usize,
    (one, two, other): (&Array<SChunk>, &Array<SChunk>, &capi::Array<'_>),
) -> Result<(), Failure> {
    let items: u64 = lens.iter().product();
    let nbytes = usize::try_from(items)? * case.typesize;
    let count = if items == 1 { 1000 } else { 40 };
    let corners = corners(case.shape, lens, count);
    let slices: Vec<Vec<std::ops::Range<u64>>> = corners
        .iter()
        .map(|corner| {
            corner
                .iter()
                .zip(lens)
                .map(|(&lo, len)| lo..lo + len)
                .collect()
        })
        .collect();
    let signed: Vec<(Vec<i64>, Vec<i64>)> = slices
        .iter()
        .map(|slice| {
            slice
                .iter()
                .map(|range| (range.start.cast_signed(), range.end.cast_signed()))
                .unzip()
        })
        .collect();
    let lens: Vec<i64> = lens.iter().map(|len| len.cast_signed()).collect();
    let (mut ours, mut its) = (vec![0; nbytes], vec![1; nbytes]);
    for (slice, (start, stop)) in slices.iter().zip(&signed) {
        one.slice_bytes_into(slice, &mut ours)?;
        other.slice_into(start, stop, &lens, &mut its)?;
        if ours != its || two.slice_bytes(slice)? != its {
            return Err(format!("{what}: {slice:?} differs").into());
        }
    }
    let read = |array: &Array<SChunk>, dst: &mut [u8]| -> Result<(), Failure> {
        for (slice, corner) in slices.iter().zip(&corners) {
            if items == 1 {
                array.slice_bytes_into(corner, dst)?;
            } else {
                array.slice_bytes_into(slice, dst)?;
            }
        }
        Ok(())
    };
    let (seconds, over) = timed(rounds, &mut || read(one, &mut ours), &mut || {
        for (start, stop) in &signed {
            other.slice_into(start, stop, &lens, &mut its)?;
        }
        Ok(())
    })?;
    let mut again = vec![0; nbytes];
    let (_, gain) = timed(rounds, &mut || read(two, &mut again), &mut || {
        read(one, &mut ours)
    })?;
    let count = f64::from(u32::try_from(count)?);
    row(what, seconds / count, nbytes, over, gain);
    Ok(())
}
