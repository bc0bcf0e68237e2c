//! Completions of shells and pages of the manual, from the command line itself.

use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::{Failure, InFile};
use crate::output::stdout;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "oxiblosc", &mut text);
    stdout()?
        .write_all(&text)
        .in_file(Path::new("standard output"))
}

/// Writes a page for the command and for each of its commands.
pub(crate) fn pages(directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).in_file(directory)?;
    clap_mangen::generate_to(Cli::command(), directory).in_file(directory)
}
