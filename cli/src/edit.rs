//! `oxiblosc compact` and `oxiblosc recover`: frames without what they do not need.

use std::fs;
use std::io::Write;
use std::path::Path;

use oxiblosc::DParams;
use oxiblosc::frame::{Durability, FrameWriter};

use crate::args::EditArgs;
use crate::failure::{Failure, InFile, is_dash};
use crate::output::stdout;
use crate::sniff;

/// Runs `compact`.
pub(crate) fn compact(args: &EditArgs) -> Result<(), Failure> {
    let file = &args.file;
    let done = if is_folder(file)? {
        let mut writer =
            FrameWriter::open_sparse_with(file, dparams(args), args.lock.access()).in_file(file)?;
        writer.set_durability(Durability::Full);
        writer.compact().in_file(file)?
    } else {
        let mut writer =
            FrameWriter::open_with(file, dparams(args), args.lock.access()).in_file(file)?;
        writer.set_durability(Durability::Full);
        writer.compact().in_file(file)?
    };
    report(
        file,
        &format!("{} bytes before, {} now", done.before, done.after),
    )
}

/// Runs `recover`.
pub(crate) fn recover(args: &EditArgs) -> Result<(), Failure> {
    let file = &args.file;
    if is_folder(file)? {
        let mut writer =
            FrameWriter::open_sparse_with(file, dparams(args), args.lock.access()).in_file(file)?;
        let gone = writer.recover().in_file(file)?;
        return report(file, &format!("{gone} unused files removed"));
    }
    let mut writer =
        FrameWriter::open_with(file, dparams(args), args.lock.access()).in_file(file)?;
    let gone = writer.recover().in_file(file)?;
    report(file, &format!("{gone} bytes after the frame removed"))
}

fn dparams(args: &EditArgs) -> DParams {
    DParams::new().limits(sniff::limits(args.limits.no_limits))
}

fn is_folder(file: &Path) -> Result<bool, Failure> {
    if is_dash(file) {
        return Err(Failure::usage("a frame on standard input cannot change"));
    }
    Ok(fs::metadata(file).in_file(file)?.is_dir())
}

fn report(file: &Path, what: &str) -> Result<(), Failure> {
    let mut stdout = stdout()?;
    writeln!(stdout, "{}: {what}", file.display()).in_file(Path::new("standard output"))
}
