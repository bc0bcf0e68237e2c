//! `oxiblosc salvage`: a new frame of what is whole in a damaged one.

use std::fs;
use std::io::Write;
use std::path::Path;

use oxiblosc::frame::salvage::{Placed, Salvaged, salvage, salvage_sparse};
use oxiblosc::frame::{Contiguous, Durability, FrameStoreMut, FrameWriter, Sparse};
use oxiblosc::storage::{DiskDir, DiskFile};
use oxiblosc::{DParams, Special};

use crate::args::SalvageArgs;
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::folder::Folder;
use crate::output::{Output, input_metadata, stdout};
use crate::sniff;
use crate::watched::{Failed, Watched};

/// The most lines about what is lost.
const MOST_LINES: usize = 1000;

/// Runs the command.
pub(crate) fn run(args: &SalvageArgs) -> Result<(), Failure> {
    let (input, target) = (&args.input, &args.output);
    if is_dash(input) || is_dash(target) {
        let what = "salvage reads a file or a directory, and writes one";
        return Err(Failure::usage(what));
    }
    if let (Ok(input), Ok(target)) = (fs::canonicalize(input), fs::canonicalize(target))
        && input == target
    {
        return Err(Failure::usage(
            "salvage keeps its input: the output has to be another file",
        ));
    }
    let dparams = DParams::new().limits(sniff::limits(args.limits.no_limits));
    let saved = if fs::metadata(input).in_file(input)?.is_dir() {
        salvage_sparse(DiskDir::open(input).in_file(input)?, &dparams)
    } else {
        salvage(DiskFile::open(input).in_file(input)?, &dparams)
    };
    let saved = saved.in_file(input)?;
    report(input, &saved)?;
    if saved.chunks().is_empty() {
        return Err(Failure::in_file(input, "no chunk of it is whole"));
    }
    let missing = write(args, &saved)?;
    let (chunks, nchunks) = (saved.chunks().len(), saved.nchunks());
    let mut stdout = stdout()?;
    writeln!(
        stdout,
        "{}: {chunks} of {nchunks} chunks saved in {}",
        shown(input),
        target.display()
    )
    .in_file(Path::new("standard output"))?;
    if saved.is_whole() {
        return Ok(());
    }
    let what = format!(
        "not whole: {missing} chunks and {} places are lost",
        u64::try_from(saved.losses().len()).unwrap_or(u64::MAX) + saved.more_losses()
    );
    Err(Failure::in_file(input, what))
}

/// Writes the new frame; returns the number of chunks that are zeros in it instead.
fn write(args: &SalvageArgs, saved: &Salvaged<'_>) -> Result<usize, Failure> {
    let (input, target) = (&args.input, &args.output);
    let failed = Failed::default();
    if args.sparse {
        let folder = Folder::create(target, args.force)?;
        let dir = DiskDir::create_new(folder.path()).in_file(target)?;
        folder.take_mode(input_metadata(input));
        let store = Sparse::new(Watched::new(dir, &failed));
        let missing = failed.blame(target, fill(input, saved, store, Durability::Full))?;
        folder.finish()?;
        return Ok(missing);
    }
    let output = Output::create(target, args.force)?;
    output.take_mode(input_metadata(input));
    let Output::File { temp, .. } = &output else {
        return Err(Failure::in_file(target, "is no regular file"));
    };
    let file = temp.as_file().try_clone().in_file(target)?;
    let store = Contiguous::new(Watched::new(DiskFile::from(file), &failed));
    // The file is synced at the end.
    let missing = failed.blame(target, fill(input, saved, store, Durability::None))?;
    output.finish()?;
    Ok(missing)
}

/// Fills a new frame; returns the number of chunks that are lost.
fn fill<S: FrameStoreMut>(
    input: &Path,
    saved: &Salvaged<'_>,
    store: S,
    durability: Durability,
) -> Result<usize, Failure> {
    let params = saved.params().in_file(input)?;
    let params = params.in_place(true).durability(durability);
    let mut writer = FrameWriter::create_in(store, params).in_file(input)?;
    let missing = saved.write_in(&mut writer, Special::Zeros).in_file(input)?;
    writer.finish().in_file(input)?;
    Ok(missing.len())
}

/// Lists what could not be saved, one line each.
fn report(input: &Path, saved: &Salvaged<'_>) -> Result<(), Failure> {
    let mut stdout = stdout()?;
    let name = shown(input);
    let mut lines: Vec<String> = saved.losses().iter().map(ToString::to_string).collect();
    let ranges = ranges(saved.missing());
    lines.extend(ranges.iter().map(|&(first, last)| match last - first {
        0 => format!("chunk {first} is lost, and zeros in the new frame"),
        _ => format!("chunks {first} to {last} are lost, and zeros in the new frame"),
    }));
    if saved.placed() == Placed::Order && !saved.chunks().is_empty() {
        lines.push("the numbers of chunks are those of their order in the file".to_owned());
    }
    let unplaced = saved.unplaced().len();
    if unplaced > 0 {
        let what = "old, or of a place that nothing says";
        lines.push(format!("{unplaced} whole chunks left out: {what}"));
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    for line in lines.iter().take(MOST_LINES) {
        writeln!(stdout, "{name}: {line}").in_file(Path::new("standard output"))?;
    }
    if more > 0 {
        writeln!(stdout, "{name}: {more} more").in_file(Path::new("standard output"))?;
    }
    Ok(())
}

/// Runs of numbers that follow each other.
fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}
