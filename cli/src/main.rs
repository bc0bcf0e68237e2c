//! The `oxiblosc` command: arrays and bytes to Blosc2 files and back.
//!
//! Exit codes: 0 when all went well; 1 for bad data or a failing disk, with one line on standard
//! error that says what is wrong, where and in which file; 2 for wrong usage.
#![forbid(unsafe_code)]

mod append;
mod args;
mod boxes;
mod cat;
mod compress;
mod convert;
mod decompress;
mod edit;
mod failure;
mod folder;
mod info;
mod output;
mod progress;
mod slabs;
mod slice;
mod sniff;
mod text;
mod threads;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Compress(args) => compress::run(args),
        Command::Decompress(args) => decompress::run(args),
        Command::Cat(args) => cat::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Info(args) => info::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Append(args) => append::run(args),
        Command::Compact(args) => edit::compact(args),
        Command::Recover(args) => edit::recover(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            progress::say(&format!("oxiblosc: {failure}"));
            failure.exit_code()
        }
    }
}
