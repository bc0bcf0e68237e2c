//! `oxiblosc bench`: codecs, levels, filters, splits and threads, measured on data.
//!
//! ```text
//! data (samples)  ->  cells (the grid)  ->  measure (engines in turn)  ->  report
//!                                             ours: this program's own library
//!                                             theirs: C-Blosc2, in another program
//! ```

mod cells;
mod data;
mod html;
mod measure;
mod ours;
mod plot;
mod report;
mod tables;
mod theirs;

use std::io::Write;
use std::time::{Duration, Instant};

use self::cells::grid;
use self::data::Data;
use self::measure::{Engine, Schedule, copies, measure};
use self::ours::Ours;
use self::report::Report;
use self::theirs::Theirs;
use crate::args::{BenchArgs, Color, ReportFormat};
use crate::failure::{Failure, InFile};
use crate::output::Output;
use crate::progress::{Progress, say};

/// Runs the command.
pub(crate) fn run(args: &BenchArgs, color: Color) -> Result<(), Failure> {
    let data = Data::of(args)?;
    let mut output = Output::create(&args.output, args.force)?;
    let report = measured(args, &data)?;
    for note in &report.notes {
        say(&format!("oxiblosc: {note}"));
    }
    let text = match args.format() {
        ReportFormat::Text => tables::text(&report, color.is_on(output.is_terminal())),
        ReportFormat::Csv => tables::csv(&report),
        ReportFormat::Json => tables::json(&report),
        ReportFormat::Markdown => tables::markdown(&report),
        ReportFormat::Html => html::page(&report),
    };
    let written = output.write_all(text.as_bytes());
    written.in_file(output.name())?;
    output.finish()
}

/// Measures all cells, and the best ones with more threads.
fn measured(args: &BenchArgs, data: &Data) -> Result<Report, Failure> {
    let mut ours = Ours::new(data);
    let mut theirs = match &args.against {
        Some(library) => Some(Theirs::start(library, args.helper.as_deref(), data)?),
        None => None,
    };
    let mut report = Report::new(data, copies(data));
    report.engines.push(ours.name().to_owned());
    report
        .engines
        .extend(theirs.as_ref().map(|theirs| theirs.name().to_owned()));
    let mut cells = grid(args, data.typesize)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let more_threads = args.threads.is_none() && cores > 1;
    // A part of the time is for the best cells with more threads.
    let grid_time = if more_threads { 0.85 } else { 1.0 };
    let total = Duration::from_secs(args.time.into());
    let start = Instant::now();
    let progress = Progress::of_steps(u64::try_from(cells.len()).unwrap_or(u64::MAX));
    let mut schedule = Schedule::new(start + total.mul_f64(grid_time), cells.len());
    for round in 0..2 {
        for cell in &cells {
            progress.at(cell.to_string());
            let mut engines: Vec<&mut dyn Engine> = vec![&mut ours];
            engines.extend(theirs.as_mut().map(|theirs| theirs as &mut dyn Engine));
            measure(&mut engines, cell, schedule.share(), &mut report)?;
            progress.add(1);
        }
        if round > 0 || !more_threads {
            break;
        }
        cells = report.scaling(cores);
        schedule = Schedule::new(start + total, cells.len());
        progress.add_steps(cells.len());
    }
    progress.finish();
    Ok(report)
}
