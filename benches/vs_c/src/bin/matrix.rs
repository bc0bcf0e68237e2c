//! The speed matrix against the real library; see the crate's README.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use oxiblosc::Threads;
use vs_c::capi::Library;
use vs_c::matrix::cell::{CODECS, Cell, PIPELINES};
use vs_c::matrix::data::{from_folder, generated};
use vs_c::matrix::pairs::Effort;
use vs_c::matrix::run::{Bench, Outcome};
use vs_c::matrix::{page, report};

/// Times oxiblosc beside C-Blosc2 (`OXIBLOSC_LIBBLOSC2`) in every cell asked for, one process, in
/// turn.
#[derive(Debug, Parser)]
#[command(name = "matrix")]
struct Args {
    /// Codecs, of blosclz, lz4, lz4hc, zlib and zstd.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "blosclz,lz4,lz4hc,zlib,zstd"
    )]
    codecs: Vec<String>,
    /// Levels, 1 to 9.
    #[arg(long, value_delimiter = ',', default_value = "1,5,9")]
    levels: Vec<u8>,
    /// Pipelines, of none, shuffle, bitshuffle, delta+shuffle and shuffle+bytedelta.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "none,shuffle,bitshuffle,delta+shuffle,shuffle+bytedelta"
    )]
    filters: Vec<String>,
    /// Only data sets whose name has this in it.
    #[arg(long, default_value = "")]
    data: String,
    /// A folder with real arrays, as `arrays.py` writes it.
    #[arg(long)]
    arrays: Option<PathBuf>,
    /// Bytes per chunk.
    #[arg(long, default_value_t = 4 << 20)]
    size: usize,
    /// Threads, for each number a pass.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    threads: Vec<usize>,
    /// Seconds per cell and direction; slow cells take at least three rounds.
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Time cells below 0.95 of C once more, for this many seconds; the longer measurement counts,
    /// whatever it says.
    #[arg(long)]
    again: Option<f64>,
    /// Time C against itself too: the noise, in the last columns of cells.csv.
    #[arg(long)]
    noise: bool,
    /// Distance of all buffers from a multiple of 64 bytes: 16 as malloc returns large ones, 0 as
    /// pages begin.
    #[arg(long, default_value_t = 16)]
    offset: usize,
    /// Time blosc2-pure-rs too (feature `peer`).
    #[arg(long)]
    peer: bool,
    /// The folder for cells.csv, results.md and results.html.
    #[arg(long, default_value = "target/matrix")]
    out: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    if args.peer && !cfg!(feature = "peer") {
        return Err(
            "--peer needs the feature: cargo run --release --features peer --bin matrix".into(),
        );
    }
    let library = Library::get().ok_or("OXIBLOSC_LIBBLOSC2 names no library")?;
    let mut sets = generated(args.size);
    if let Some(folder) = &args.arrays {
        sets.extend(from_folder(folder, args.size)?);
    }
    sets.retain(|set| set.name.contains(&args.data));
    let effort = Effort {
        sample: Duration::from_millis(2),
        budget: Duration::from_secs_f64(args.seconds),
        least: 3,
        most: 101,
    };
    let start = Instant::now();
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut again = 0;
    for threads in args.threads.iter().copied() {
        let pool = Arc::new(
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()?,
        );
        let bench = Bench {
            library,
            pool: Threads::Pool(pool),
            peer: args.peer,
            noise: args.noise,
            offset: args.offset,
            effort,
        };
        for codec in CODECS
            .into_iter()
            .filter(|codec| args.codecs.iter().any(|name| name == codec.0))
        {
            for clevel in args.levels.iter().copied() {
                for pipeline in PIPELINES
                    .into_iter()
                    .filter(|pipeline| args.filters.iter().any(|name| name == pipeline.0))
                {
                    for set in &sets {
                        let cell = Cell {
                            data: set.name.clone(),
                            typesize: set.typesize,
                            codec,
                            clevel,
                            pipeline,
                            threads,
                        };
                        let mut outcome = bench.run(set, &cell)?;
                        if let Some(seconds) = args.again
                            && outcome.compress.over_c.min(outcome.decompress.over_c) < 0.95
                        {
                            let effort = Effort {
                                budget: Duration::from_secs_f64(seconds),
                                most: 1001,
                                ..effort
                            };
                            outcome = Bench {
                                effort,
                                ..bench.clone()
                            }
                            .run(set, &cell)?;
                            again += 1;
                        }
                        let (compress, decompress) = (outcome.compress, outcome.decompress);
                        println!(
                            "{cell}: compress {:.2} GB/s, {:.2} of C; \
                             decompress {:.2} GB/s, {:.2} of C; {} of {} bytes",
                            compress.ours,
                            compress.over_c,
                            decompress.ours,
                            decompress.over_c,
                            outcome.cbytes,
                            outcome.cbytes_c
                        );
                        outcomes.push(outcome);
                    }
                }
            }
        }
    }
    let about = format!(
        "{} cells of {} bytes, {again} of them timed twice, C-Blosc2 {}, {:.0} s.",
        outcomes.len(),
        args.size,
        library.version(),
        start.elapsed().as_secs_f64()
    );
    std::fs::create_dir_all(&args.out)?;
    std::fs::write(args.out.join("cells.csv"), report::csv(&outcomes))?;
    let summary = report::markdown(&outcomes);
    std::fs::write(args.out.join("results.md"), format!("{about}\n\n{summary}"))?;
    std::fs::write(
        args.out.join("results.html"),
        page::html(&outcomes, &about)?,
    )?;
    println!("\n{about}\n\n{summary}");
    Ok(())
}
