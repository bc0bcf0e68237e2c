//! What an append costs: 1 KB each to a contiguous frame on disk, here committed 1,000 at a time, in C one by one.
//!
//!     OXIBLOSC_LIBBLOSC2=... cargo run --release --manifest-path benches/vs_c/Cargo.toml --example append [OURS] [C]
//!
//! Both make one chunk of each append. C rewrites the index and the trailer with every one, so that its cost grows with
//! the frame: it gets fewer appends, which is to its advantage.

use std::time::Instant;

use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter, Sync};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, CodecId, DParams, FilterSlot, Limits};
use vs_c::capi::{Library, Params};

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

fn micros(start: Instant, appends: usize) -> Result<f64, Box<dyn std::error::Error>> {
    Ok(start.elapsed().as_secs_f64() * 1e6 / f64::from(u32::try_from(appends)?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::get().ok_or("OXIBLOSC_LIBBLOSC2 names no library")?;
    let counts: Vec<usize> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse())
        .collect::<Result<_, _>>()?;
    let ours = counts.first().copied().unwrap_or(200_000);
    let theirs = counts.get(1).copied().unwrap_or(20_000);
    let folder = tempfile::tempdir()?;
    let pool: Vec<Vec<u8>> = (0..1000).map(content).collect();

    let params = Params {
        codec: 1,
        typesize: 4,
        ..Params::default()
    };
    let path = folder.path().join("theirs.b2frame");
    let start = Instant::now();
    let mut schunk = library.schunk_new(&params, Some(&path), true)?;
    for n in 0..theirs {
        schunk.append(&pool[n % pool.len()])?;
    }
    drop(schunk);
    let c = micros(start, theirs)?;
    println!("C: {theirs} appends, {c:.2} us each");

    for sync in [Sync::None, Sync::Data, Sync::Full] {
        let path = folder.path().join(format!("ours-{sync:?}.b2frame"));
        let cparams = CParams::new(4)
            .codec(CodecId::LZ4)
            .filters([FilterSlot::SHUFFLE]);
        let start = Instant::now();
        let mut writer =
            FrameWriter::create_file(&path, FrameParams::new(cparams, NBYTES).sync(sync))?;
        for n in 0..ours {
            writer.append(&pool[n % pool.len()])?;
            if (n + 1) % BATCH == 0 {
                writer.commit()?;
            }
        }
        drop(writer.finish()?);
        let us = micros(start, ours)?;
        let reader = FrameReader::open(&path, DParams::new().limits(Limits::FORMAT))?;
        let nbytes = u64::try_from(ours * NBYTES)?;
        if reader.layout().nbytes != nbytes {
            return Err("the frame lacks bytes".into());
        }
        println!(
            "oxiblosc, {sync:?}: {ours} appends, {us:.2} us each, C takes {:.1} times as long; file {} bytes, of them chunks {}",
            c / us,
            std::fs::metadata(&path)?.len(),
            reader.layout().cbytes,
        );
        let mut schunk = library.schunk_open(&path, 0)?;
        if schunk.nbytes() != i64::try_from(nbytes)?
            || schunk.decompress_chunk(i64::try_from(ours - 1)?, NBYTES)?
                != pool[(ours - 1) % pool.len()]
        {
            return Err("C reads something else".into());
        }
    }
    Ok(())
}
