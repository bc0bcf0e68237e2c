//! Two versions of the library in one process: every cell timed in pairs, before and after.
//!
//! `before_after.sh` generates the package that builds this file. Each round of a cell times one
//! version directly after the other; the figure is the median over the rounds of the time before
//! over the time after, so more than 1 is faster now. Cells outside of 0.97 to 1.03 are
//! measured twice more, and the median of the three runs counts.
//!
//! `--quick` takes fewer data sets and shorter samples; `--only TEXT` takes the codecs whose name
//! contains the text.

mod cases;
#[path = "../vs_c/src/matrix/data.rs"]
#[expect(dead_code, reason = "arrays come from the test data here")]
mod data;
#[path = "../vs_c/src/matrix/pairs.rs"]
#[expect(dead_code, reason = "only ratios are reported here")]
mod pairs;
mod table;

mod before {
    use ::before as library;
    include!(env!("BEFORE_SIDE"));
}

mod after {
    use ::after as library;
    include!("side.rs");
}

use std::path::Path;
use std::time::{Duration, Instant};

use cases::{ARRAYS, CODECS, Cell, FILTERS, Failure, Side};
use data::{DataSet, Origin};
use pairs::{Effort, Work, in_turn, median};
use table::Table;

/// Ratios within this and its reciprocal are taken at the first measurement.
const SETTLED: f64 = 0.97;

const MIB: usize = 1 << 20;

const SIDES: [&dyn Side; 2] = [&before::Library, &after::Library];

/// The time before over the time after; the median of three runs where the first is not near 1.
fn ratio(effort: Effort, dst: &mut [u8], works: &mut [Work<'_, Failure>]) -> Result<f64, Failure> {
    let first = in_turn(effort, dst, works)?.ratio(1, 0);
    if (SETTLED..=SETTLED.recip()).contains(&first) {
        return Ok(first);
    }
    let effort = Effort {
        least: effort.least + 2,
        budget: effort.budget * 2,
        ..effort
    };
    let mut runs = vec![first];
    for _ in 0..2 {
        runs.push(in_turn(effort, dst, works)?.ratio(1, 0));
    }
    Ok(median(runs))
}

/// Encodes, decodes and reads one item of a chunk.
fn chunk(table: &mut Table, effort: Effort, cell: &Cell, set: &DataSet) -> Result<(), Failure> {
    let src = set.bytes.as_slice();
    let mut dst = vec![0; src.len() + 32];
    let mut encoders = [SIDES[0].encoder(cell)?, SIDES[1].encoder(cell)?];
    let mut chunks = [vec![], vec![]];
    for (encoder, chunk) in encoders.iter_mut().zip(&mut chunks) {
        let cbytes = encoder.encode(src, &mut dst)?;
        *chunk = dst[..cbytes].to_vec();
    }
    let name = |what: &str| {
        let threads = if cell.threads == 1 { "" } else { ", 2 threads" };
        let Cell {
            codec,
            clevel,
            filters,
            ..
        } = cell;
        format!(
            "{what} {codec} {clevel} {filters}, {}, {}{threads}",
            set.name,
            src.len()
        )
    };
    table.same_bytes(&name("bytes of"), chunks[0] == chunks[1]);
    let mut decoders = [SIDES[0].decoder(cell)?, SIDES[1].decoder(cell)?];
    for (decoder, chunk) in decoders.iter_mut().zip(chunks.iter().rev()) {
        decoder.decode(chunk, &mut dst[..src.len()])?;
        if dst[..src.len()] != *src {
            return Err(format!("{}: wrong data", name("decoding")).into());
        }
    }
    let [first, second] = &mut encoders;
    let found = ratio(
        effort,
        &mut dst,
        &mut [&mut |dst| first.encode(src, dst).map(drop), &mut |dst| {
            second.encode(src, dst).map(drop)
        }],
    )?;
    table.add("encode", cell.codec, name("encode"), found);
    // Both read the chunk of the later version.
    let chunk = chunks[1].as_slice();
    let [first, second] = &mut decoders;
    let found = ratio(
        effort,
        &mut dst[..src.len()],
        &mut [&mut |dst| first.decode(chunk, dst), &mut |dst| {
            second.decode(chunk, dst)
        }],
    )?;
    table.add("decode", cell.codec, name("decode"), found);
    if cell.clevel == 5 && cell.threads == 1 && src.len() < 2 * MIB {
        let item = src.len() / set.typesize / 3;
        let found = ratio(
            effort,
            &mut dst[..set.typesize],
            &mut [&mut |dst| first.item(chunk, item, dst), &mut |dst| {
                second.item(chunk, item, dst)
            }],
        )?;
        table.add("one item", cell.codec, name("one item"), found);
    }
    Ok(())
}

/// Writes a frame, and reads chunks and single items of it.
fn frame(table: &mut Table, effort: Effort, cell: &Cell, set: &DataSet) -> Result<(), Failure> {
    const CHUNKSIZE: usize = 192 << 10;
    let chunksize = CHUNKSIZE / set.typesize * set.typesize;
    let name = |what: &str| {
        let Cell {
            codec,
            clevel,
            filters,
            ..
        } = cell;
        format!("{what}, frame, {codec} {clevel} {filters}, {}", set.name)
    };
    let src = set.bytes.as_slice();
    let frames = [
        SIDES[0].frame(cell, chunksize, src)?,
        SIDES[1].frame(cell, chunksize, src)?,
    ];
    table.same_bytes(&name("bytes"), frames[0] == frames[1]);
    let write = |side: usize| move |_: &mut [u8]| SIDES[side].frame(cell, chunksize, src).map(drop);
    let found = ratio(effort, &mut [], &mut [&mut write(0), &mut write(1)])?;
    table.add("frame write", cell.codec, name("write"), found);
    let open = |side: usize| SIDES[side].open_frame(frames[1].clone());
    let (mut first, mut second) = (open(0)?, open(1)?);
    let mut dst = vec![0; chunksize];
    let found = ratio(
        effort,
        &mut dst,
        &mut [&mut |dst| first.chunk(1, dst), &mut |dst| {
            second.chunk(1, dst)
        }],
    )?;
    table.add("frame read", cell.codec, name("chunk"), found);
    let item = u64::try_from(src.len() / set.typesize / 3)?;
    let found = ratio(
        effort,
        &mut dst[..set.typesize],
        &mut [&mut |dst| first.bytes(&[item], &[1], dst), &mut |dst| {
            second.bytes(&[item], &[1], dst)
        }],
    )?;
    table.add("frame item", cell.codec, name("item"), found);
    Ok(())
}

/// Makes arrays and reads boxes of them.
fn arrays(table: &mut Table, effort: Effort, codec: &'static str) -> Result<(), Failure> {
    for shape in &ARRAYS {
        let typesize = if shape.dtype == "<f8" { 8 } else { 4 };
        let cell = Cell {
            codec,
            clevel: 5,
            filters: "shuffle",
            typesize,
            threads: 1,
        };
        let items: u64 = shape.shape.iter().product();
        let set = &data::generated(usize::try_from(items)? * typesize)[usize::from(typesize == 4)];
        let name = |what: &str| format!("{what}, array {:?}, {codec} 5", shape.shape);
        let make = |side: usize| SIDES[side].array(&cell, shape, &set.bytes);
        let found = ratio(
            effort,
            &mut [],
            &mut [&mut |_| make(0).map(drop), &mut |_| make(1).map(drop)],
        )?;
        table.add("array write", codec, name("write"), found);
        let (mut first, mut second) = (make(0)?, make(1)?);
        for len in shape.boxes {
            let start: Vec<u64> = len
                .iter()
                .zip(shape.shape)
                .map(|(n, of)| (of - n) / 3)
                .collect();
            let nbytes = usize::try_from(len.iter().product::<u64>())? * typesize;
            let mut boxes = [vec![0; nbytes], vec![1; nbytes]];
            first.bytes(&start, len, &mut boxes[0])?;
            second.bytes(&start, len, &mut boxes[1])?;
            if boxes[0] != boxes[1] {
                return Err(format!("{}: different data", name("box")).into());
            }
            let found = ratio(
                effort,
                &mut boxes[0],
                &mut [&mut |dst| first.bytes(&start, len, dst), &mut |dst| {
                    second.bytes(&start, len, dst)
                }],
            )?;
            table.add("array box", codec, name(&format!("box {len:?}")), found);
        }
    }
    Ok(())
}

/// The elements of an `.npy` file of the test data, repeated to `nbytes`.
fn npy(folder: &Path, name: &str, typesize: usize, nbytes: usize) -> Result<DataSet, Failure> {
    let file = std::fs::read(folder.join(name))?;
    let header = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    let bytes = file[header..]
        .iter()
        .copied()
        .cycle()
        .take(nbytes / typesize * typesize);
    Ok(DataSet {
        name: name.trim_end_matches(".npy").to_owned(),
        origin: Origin::Real,
        typesize,
        bytes: bytes.collect(),
    })
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().collect();
    let given = |name: &str| args.iter().any(|arg| arg == name);
    let (quick, arrays_only) = (given("--quick"), given("--arrays"));
    let only = args.iter().skip_while(|arg| *arg != "--only").nth(1);
    let chosen = |codec: &&str| only.is_none_or(|only| codec.contains(only.as_str()));
    let folder = Path::new(env!("TEST_DATA"));
    let start = Instant::now();
    let effort = Effort {
        sample: Duration::from_millis(if quick { 1 } else { 2 }),
        budget: Duration::from_millis(if quick { 30 } else { 200 }),
        least: 3,
        most: 101,
    };
    let mut table = Table::default();
    let wanted = |set: &DataSet| !quick || ["walk f32", "timestamps i64"].contains(&&*set.name);
    let sizes = [4 << 10, 256 << 10, 4 * MIB];
    for &size in sizes.iter().filter(|_| !arrays_only) {
        eprintln!(
            "{:.0} s: chunks of {size} bytes",
            start.elapsed().as_secs_f64()
        );
        let mut sets = data::generated(size);
        sets.retain(wanted);
        sets.push(npy(folder, "elevation.npy", 2, size)?);
        if !quick {
            sets.push(npy(folder, "camera.npy", 1, size)?);
        }
        let codecs = || CODECS.into_iter().filter(chosen);
        for (set, codec) in sets
            .iter()
            .flat_map(|set| codecs().map(move |codec| (set, codec)))
        {
            for (filters, clevel) in FILTERS.into_iter().flat_map(|f| [1, 5, 9].map(|l| (f, l))) {
                // All filters at one size; slow levels of large chunks in the long run only.
                let few = filters == "shuffle" || (filters == "none" && clevel == 5);
                let slow = clevel != 5 && size != 256 << 10;
                if (size != 256 << 10 && !few) || (quick && slow) {
                    continue;
                }
                let typesize = set.typesize;
                let mut cell = Cell {
                    codec,
                    clevel,
                    filters,
                    typesize,
                    threads: 1,
                };
                chunk(&mut table, effort, &cell, set)?;
                if size == 4 * MIB && clevel == 5 && filters == "shuffle" {
                    cell.threads = 2;
                    chunk(&mut table, effort, &cell, set)?;
                    cell.threads = 1;
                    frame(&mut table, effort, &cell, set)?;
                }
            }
        }
    }
    eprintln!("{:.0} s: arrays", start.elapsed().as_secs_f64());
    for codec in CODECS.into_iter().filter(chosen) {
        arrays(&mut table, effort, codec)?;
    }
    println!("{table}");
    println!("{:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}
