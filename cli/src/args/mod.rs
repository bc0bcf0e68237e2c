//! The command line.
#![expect(clippy::doc_markdown, reason = "the doc comments are the help text")]

mod bench;
mod change;
mod inspect;
mod shared;
mod write;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub(crate) use self::bench::{BenchArgs, Pipeline, ReportFormat, Synthetic, parse_pipeline};
pub(crate) use self::change::{AppendArgs, EditArgs, MetaArgs, MetaCommand, SalvageArgs};
pub(crate) use self::inspect::{DiffArgs, InfoArgs, LsArgs, TuneArgs, VerifyArgs};
pub(crate) use self::shared::{Color, LockArgs, PlaceArgs, ThreadArgs};
pub(crate) use self::write::{
    CatArgs, CompressArgs, ConvertArgs, DecompressArgs, Format, Kind, NpyInput,
};

/// Arrays and bytes to Blosc2 files and back.
#[derive(Debug, Parser)]
#[command(
    name = "oxiblosc",
    version,
    about,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print errors only
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub(crate) quiet: bool,
    /// Print the parameters of what is written, too
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "quiet",
        help_heading = "Messages"
    )]
    pub(crate) verbose: bool,
    /// Show no progress bar
    #[arg(long, global = true, help_heading = "Messages")]
    pub(crate) no_progress: bool,
    /// When the output has colors
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        help_heading = "Messages"
    )]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compress a file: a .npy array becomes a .b2nd array, anything else a .b2frame
    Compress(CompressArgs),
    /// Decompress a frame, an array or a bare chunk (Blosc2 or Blosc1), recognised by content
    Decompress(DecompressArgs),
    /// Write the elements of an array, or of a part of it, to standard output or a file
    Cat(CatArgs),
    /// Convert between .npy, raw bytes, arrays and frames, with other chunks, blocks and
    /// parameters; what is not given stays as it is in a compressed input
    Convert(ConvertArgs),
    /// Say what a compressed file holds
    Info(InfoArgs),
    /// List compressed files and directories of them, a line each
    Ls(LsArgs),
    /// Decode everything in a compressed file, and say whether it is whole; a sealed frame is
    /// compared with its seal first, and of a store every object is checked
    Verify(VerifyArgs),
    /// Add bytes to a frame, or the rows of a .npy array to an array; all of them or, after a
    /// crash, none
    Append(AppendArgs),
    /// Close the gaps that changes left in a frame; of a sparse one, remove the unused files
    Compact(EditArgs),
    /// Trim a frame that can be read: cut off what lies after it, the beginning of a change that
    /// was never completed; of a sparse one, remove the unused files. A damaged frame needs salvage
    Recover(EditArgs),
    /// Find parameters that suit data: codec, level and filters, by samples of it
    Tune(TuneArgs),
    /// Measure codecs, levels and filters on data: ratio and speeds of compression and
    /// decompression, in memory, with every result decoded and compared
    Bench(BenchArgs),
    /// List, print, set or remove the metadata of a frame or an array
    Meta(MetaArgs),
    /// Say whether two files hold the same data, whatever their chunks and codecs, and else the
    /// first difference
    Diff(DiffArgs),
    /// Print the completions of a shell, for its startup file
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a directory
    #[command(hide = true)]
    Man {
        /// The directory
        directory: PathBuf,
    },
    /// Make a new frame of every whole chunk of a damaged one, and list what is lost; exit code 0
    /// when that is nothing, else 1
    Salvage(SalvageArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
