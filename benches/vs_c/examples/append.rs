//! The cost of an append: 1 KB each to a contiguous frame on disk, here committed 1,000 at a time,
//! in C one by one.
//!
//!     OXIBLOSC_LIBBLOSC2=... cargo run --release --manifest-path benches/vs_c/Cargo.toml \
//!         --example append [OURS] [C] [ROUNDS]
//!
//! Both make one chunk of each append. C rewrites the index and the trailer with every one, so that
//! its cost grows with the frame: it gets fewer appends, which is to its advantage. C and we take
//! turns, each with a new file; a ratio is that of one round, and the result is the median of the
//! rounds.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use oxiblosc::frame::{Durability, FrameParams, FrameReader, FrameWriter};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, CodecId, DParams, FilterSlot, Limits};
use vs_c::capi::{Library, Params};
use vs_c::matrix::pairs::median;

const NBYTES: usize = 1024;
const BATCH: usize = 1000;

/// The bytes of one append, which compress a little.
fn content(n: usize) -> Vec<u8> {
    (0..NBYTES / 4)
        .flat_map(|i| {
            u32::try_from((n * 7 + i) % 100_000)
                .unwrap_or(0)
                .to_le_bytes()
        })
        .collect()
}

fn micros(start: Instant, appends: usize) -> Result<f64, Box<dyn Error>> {
    Ok(start.elapsed().as_secs_f64() * 1e6 / f64::from(u32::try_from(appends)?))
}

/// The time of C for each of `appends`, in microseconds.
fn theirs(
    library: &Library,
    path: &Path,
    pool: &[Vec<u8>],
    appends: usize,
) -> Result<f64, Box<dyn Error>> {
    let params = Params {
        codec: 1,
        typesize: 4,
        ..Params::default()
    };
    let start = Instant::now();
    let mut schunk = library.schunk_new(&params, Some(path), true)?;
    for n in 0..appends {
        schunk.append(&pool[n % pool.len()])?;
    }
    drop(schunk);
    micros(start, appends)
}

/// Our time for each of `appends`, in microseconds; C reads the result.
fn ours(
    library: &Library,
    path: &Path,
    pool: &[Vec<u8>],
    appends: usize,
    sync: Durability,
) -> Result<f64, Box<dyn Error>> {
    let cparams = CParams::new(4)
        .codec(CodecId::LZ4)
        .filters([FilterSlot::SHUFFLE]);
    let start = Instant::now();
    let params = FrameParams::new(cparams, NBYTES).durability(sync);
    let mut writer = FrameWriter::create(path, params.overwrite(true))?;
    for n in 0..appends {
        writer.append(&pool[n % pool.len()])?;
        if (n + 1) % BATCH == 0 {
            writer.commit()?;
        }
    }
    drop(writer.finish()?);
    let us = micros(start, appends)?;
    let reader = FrameReader::open(path, DParams::new().limits(Limits::FORMAT))?;
    let nbytes = u64::try_from(appends * NBYTES)?;
    if reader.layout().nbytes != nbytes {
        return Err("the frame lacks bytes".into());
    }
    let mut schunk = library.schunk_open(path, 0)?;
    if schunk.nbytes() != i64::try_from(nbytes)?
        || schunk.decompress_chunk(i64::try_from(appends - 1)?, NBYTES)?
            != pool[(appends - 1) % pool.len()]
    {
        return Err("C reads something else".into());
    }
    Ok(us)
}

fn main() -> Result<(), Box<dyn Error>> {
    let library = Library::get().ok_or("OXIBLOSC_LIBBLOSC2 names no library")?;
    let counts: Vec<usize> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse())
        .collect::<Result<_, _>>()?;
    let count = |at: usize, default| counts.get(at).copied().unwrap_or(default);
    let (our_appends, c_appends, rounds) = (count(0, 200_000), count(1, 5000), count(2, 5).max(1));
    let folder = tempfile::tempdir()?;
    let pool: Vec<Vec<u8>> = (0..1000).map(content).collect();
    let path = folder.path().join("frame");
    let syncs = [Durability::None, Durability::Data, Durability::Full];
    let mut c_micros = Vec::new();
    let mut found = [const { (Vec::new(), Vec::new()) }; 3];
    for _ in 0..rounds {
        for (sync, (micros, ratios)) in syncs.iter().zip(&mut found) {
            let c = theirs(library, &path, &pool, c_appends)?;
            std::fs::remove_file(&path)?;
            let us = ours(library, &path, &pool, our_appends, *sync)?;
            std::fs::remove_file(&path)?;
            c_micros.push(c);
            micros.push(us);
            ratios.push(c / us);
        }
    }
    let c = median(c_micros);
    println!("medians of {rounds} rounds; C: {c_appends} appends, {c:.2} us each");
    for (sync, (micros, ratios)) in syncs.iter().zip(found) {
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "oxiblosc, {sync:?}: {our_appends} appends, {:.2} us each, \
             C takes {:.1} times as long, {least:.1} at least",
            median(micros),
            median(ratios),
        );
    }
    Ok(())
}
