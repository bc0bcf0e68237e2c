//! The `oxiblosc` command: arrays and bytes to Blosc2 files and back.
//!
//! Exit codes: 0 on success; 1 for bad data or an I/O error, with one line on standard error that
//! states the problem, the offset and the file; 2 for invalid arguments or an unknown
//! `OXIBLOSC_ISA`; 130 after Ctrl-C or another signal to end.
#![forbid(unsafe_code)]

mod address;
mod append;
mod args;
mod bench;
mod boxes;
mod bundle;
mod cat;
mod color;
mod compress;
mod convert;
mod copy;
mod decompress;
mod diff;
mod edit;
mod elements;
mod encoding;
mod failure;
mod folder;
#[cfg(feature = "hdf5")]
mod hdf5;
mod info;
mod interrupt;
mod ls;
mod manual;
mod many;
mod members;
mod meta;
mod npz;
mod output;
mod parameters;
mod progress;
mod salvage;
mod samples;
mod slabs;
mod slice;
mod sniff;
mod source;
mod text;
mod threads;
mod tree;
mod tune;
mod verify;
mod vlmeta;
mod watched;
mod zarr;

use std::process::ExitCode;

use clap::Parser;
use oxiblosc::kernels::Isa;

use crate::args::{Cli, Command};
use crate::failure::Failure;

fn run(cli: &Cli) -> Result<(), Failure> {
    Isa::from_env().map_err(|error| Failure::usage(error.to_string()))?;
    match &cli.command {
        Command::Compress(args) => many::all(args, compress::run),
        Command::Decompress(args) => {
            many::all(args, |args| match elements::Decoded::of(&args.input) {
                Some(from) => from.decompress(args),
                None => decompress::run(args),
            })
        }
        Command::Cat(args) => cat::run(args),
        Command::Convert(args) => many::all(args, convert::run),
        Command::Info(args) => info::run(args, cli.color),
        Command::Ls(args) => ls::run(args, cli.color),
        Command::Verify(args) => verify::run(args),
        Command::Append(args) => append::run(args),
        Command::Compact(args) => edit::compact(args),
        Command::Recover(args) => edit::recover(args),
        Command::Salvage(args) => salvage::run(args),
        Command::Tune(args) => tune::run(args, cli.color),
        Command::Bench(args) => bench::run(args, cli.color),
        Command::Meta(args) => meta::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man { directory } => manual::pages(directory),
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    progress::set_messages(cli.quiet, cli.verbose, cli.no_progress, cli.color);
    interrupt::watch();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::Enough) {
                progress::complain(&failure);
            }
            failure.exit_code()
        }
    }
}
