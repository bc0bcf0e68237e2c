//! The command line.
#![expect(clippy::doc_markdown, reason = "the doc comments are the help text")]

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use oxiblosc::frame::{Access, Locking};

use crate::encoding::{EncodingArgs, GoalArg};
use crate::failure::is_dash;

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

#[derive(Clone, Debug, Args)]
pub(crate) struct CompressArgs {
    /// The files to compress, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The file to write, or - for standard output; DIR/ for files with the default names in a
    /// directory [default: INPUT with .b2nd or .b2frame]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    /// The one of the inputs that is compressed now
    #[arg(skip)]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
    /// The size of an item in bytes [default: 1, or the dtype's of a .npy array]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=536_866_816))]
    pub(crate) typesize: Option<u32>,
    /// The size of a chunk of raw bytes, such as 4M; cut to whole items [default: 4M]
    #[arg(long, value_name = "BYTES", value_parser = parse_size)]
    pub(crate) chunk_size: Option<u64>,
    /// The size of a block of raw bytes, such as 256K [default: by codec and level]
    #[arg(long, value_name = "BYTES", value_parser = parse_size)]
    pub(crate) block_size: Option<u64>,
    /// The chunkshape of a .npy array, such as 100,200 [default: some MiB]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) chunks: Option<Vec<u32>>,
    /// The blockshape of a .npy array [default: fit for the cache]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) blocks: Option<Vec<u32>>,
    /// Make a directory with a file per chunk instead of one file
    #[arg(long)]
    pub(crate) sparse: bool,
    /// Seal the frame with checksums of everything in it, for verify
    #[arg(long)]
    pub(crate) seal: bool,
    /// Compress a file of Blosc2 once more, as bytes
    #[arg(long)]
    pub(crate) force_nested: bool,
    /// When the input is taken as a NumPy file
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) npy: NpyInput,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Replace the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// When an input is taken as a NumPy file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NpyInput {
    /// When it begins as one does, through a pipe too
    Auto,
    /// Always; anything else is refused
    Always,
    /// Never: the bytes of the file are compressed as they are
    Never,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct DecompressArgs {
    /// The files to decompress: a frame (file or sparse directory), an array, a chunk, a bloscpack
    /// file, a Zarr array (its folder), or an object of a store as STORE:/KEY; - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    /// The one of the inputs that is decompressed now
    #[arg(skip)]
    pub(crate) input: PathBuf,
    /// The file to write, or - for standard output; DIR/ for files with the default names in a
    /// directory. The decoded bytes, in C order; a name that ends in .npy makes a NumPy file: of
    /// the array, or else of one axis of items (|u1 for typesize 1, |V<typesize> above) [default:
    /// INPUT without its ending, or .npy for an array]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Replace the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CatArgs {
    /// The array, a file or sparse directory, or an object of a store as STORE:/KEY; - for standard
    /// input
    pub(crate) input: PathBuf,
    /// The part to write, as in NumPy: 0:10,5:7 or 3,...,::2; bounds may be negative or left out,
    /// steps are positive, a single index takes its axis away [default: all]
    #[arg(long, short, value_name = "A:B:STEP,…", allow_hyphen_values = true)]
    pub(crate) slice: Option<String>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
    /// How elements are written [default: by the ending of OUT: .npy, .csv, .json, .txt; text on a
    /// terminal, raw elsewhere]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Replace the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl CatArgs {
    /// The format that is asked for, or that the name of the output says.
    pub(crate) fn format(&self) -> Format {
        let ending = self.output.extension().unwrap_or_default();
        let ending = ending.to_ascii_lowercase();
        let to_terminal = is_dash(&self.output) && io::stdout().is_terminal();
        match (self.format, ending.to_str()) {
            (Some(format), _) => format,
            (_, Some("npy")) => Format::Npy,
            (_, Some("csv")) => Format::Csv,
            (_, Some("json")) => Format::Json,
            (_, Some("txt")) => Format::Text,
            _ if to_terminal => Format::Text,
            _ => Format::Raw,
        }
    }
}

/// How the elements of an array are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A NumPy file
    Npy,
    /// The bytes of the elements in C order
    Raw,
    /// Elements as NumPy prints them: a line for each row, or each element of one axis
    Text,
    /// Comma-separated values: a line for each row, or each record with names above
    Csv,
    /// Lists in lists; NaN is null
    Json,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) compress: CompressArgs,
    /// Kind of output [default: by the ending of OUT: .npy, .b2nd, .b2frame, .b2z, .raw or .bin]
    #[arg(long, value_enum)]
    pub(crate) to: Option<Kind>,
    /// The dtype of raw input, such as <f8
    #[arg(long, requires = "shape")]
    pub(crate) dtype: Option<String>,
    /// The shape of raw input, such as 100,200; one of the lengths may be -1, for as many as there
    /// are
    #[arg(
        long,
        value_name = "A,B,…",
        value_delimiter = ',',
        requires = "dtype",
        allow_hyphen_values = true,
        value_parser = clap::value_parser!(i64).range(-1..)
    )]
    pub(crate) shape: Option<Vec<i64>>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Forms that arrays are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A NumPy file
    Npy,
    /// The bytes of the elements in C order
    Raw,
    /// A compressed array
    B2nd,
    /// A compressed frame of bytes
    B2frame,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The compressed file or sparse directory; - for standard input
    pub(crate) input: PathBuf,
    /// List a store with everything in it: a bundle of python-blosc2 (.b2e, .b2d, .b2z), Zarr, or
    /// a part of it as STORE:/KEY
    #[arg(long, conflicts_with = "chunks")]
    pub(crate) tree: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// List every chunk
    #[arg(long)]
    pub(crate) chunks: bool,
    /// Print the content of all metalayers, whole
    #[arg(long)]
    pub(crate) meta: bool,
    /// Print sizes as numbers of bytes
    #[arg(long)]
    pub(crate) bytes: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LsArgs {
    /// Compressed files, sparse directories, stores, or directories with some of them
    #[arg(default_value = ".")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Print JSON, a line for each
    #[arg(long)]
    pub(crate) json: bool,
    /// Print sizes as numbers of bytes
    #[arg(long)]
    pub(crate) bytes: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// When the output has colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    pub(crate) fn is_on(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// A .npy file, raw bytes, or a compressed file
    pub(crate) input: PathBuf,
    /// The wish that parameters are to meet
    #[arg(
        long = "for",
        value_enum,
        default_value = "balanced",
        value_name = "GOAL"
    )]
    pub(crate) goal: GoalArg,
    /// The size of an item of raw bytes [default: found by trial]
    #[arg(long, value_name = "N")]
    pub(crate) typesize: Option<usize>,
    /// Print JSON, with every trial
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MetaArgs {
    #[command(subcommand)]
    pub(crate) command: MetaCommand,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MetaCommand {
    /// List all metalayers: name, size, kind, value
    List {
        /// The frame or array
        file: PathBuf,
    },
    /// Print one as JSON
    Get {
        /// The frame or array
        file: PathBuf,
        /// The metalayer
        name: String,
        /// Its bytes as they are
        #[arg(long)]
        raw: bool,
    },
    /// Set one of variable length, as python-blosc2 stores values
    Set {
        /// The frame or array
        file: PathBuf,
        /// The metalayer
        name: String,
        /// JSON, or a text that is none
        #[arg(allow_hyphen_values = true)]
        value: Option<String>,
        /// Take the value as text, also if it is JSON
        #[arg(long)]
        text: bool,
        /// Store the bytes of a file as they are
        #[arg(long, value_name = "FILE", conflicts_with = "value")]
        from: Option<PathBuf>,
        #[command(flatten)]
        lock: LockArgs,
    },
    /// Remove one of variable length
    Del {
        /// The frame or array
        file: PathBuf,
        /// The metalayer
        name: String,
        #[command(flatten)]
        lock: LockArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// A compressed file, a sparse directory, a .npy file, or an array as STORE:/KEY
    pub(crate) one: PathBuf,
    /// Another one
    pub(crate) other: PathBuf,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Compressed files or sparse directories, stores (.b2z, .b2d, .b2e, Zarr) or parts of them as
    /// STORE:/KEY; - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AppendArgs {
    /// The frame or array to add to, a file or a sparse directory
    pub(crate) file: PathBuf,
    /// File to append, or - for standard input
    pub(crate) input: PathBuf,
    /// Seal the frame again; a change takes an old seal away
    #[arg(long)]
    pub(crate) seal: bool,
    #[command(flatten)]
    pub(crate) lock: LockArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// The frame, a file or a sparse directory
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) lock: LockArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SalvageArgs {
    /// The damaged frame or array, a file or a sparse directory; it stays as it is
    pub(crate) input: PathBuf,
    /// The frame to make: chunks that are lost are zeros in it
    #[arg(short, long, value_name = "NEW")]
    pub(crate) output: PathBuf,
    /// Make a directory with a file per chunk instead of one file
    #[arg(long)]
    pub(crate) sparse: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Replace the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// Places of outputs and inputs.
#[derive(Clone, Debug, Args)]
pub(crate) struct PlaceArgs {
    /// Write to standard output, as -o - does
    #[arg(short = 'c', long, conflicts_with = "output")]
    pub(crate) stdout: bool,
    /// Keep the input; this is the default
    #[arg(short, long, conflicts_with = "rm")]
    pub(crate) keep: bool,
    /// Remove the input after its output is complete
    #[arg(long, conflicts_with = "stdout")]
    pub(crate) rm: bool,
    /// The directory for outputs with default names
    #[arg(skip)]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct LockArgs {
    /// Wait while another process changes the frame, instead of failing
    #[arg(long)]
    wait: bool,
}

impl LockArgs {
    /// The locks of a writer.
    pub(crate) fn access(&self) -> Access {
        Access::from(Locking::Exclusive).wait(self.wait)
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ThreadArgs {
    /// The number of threads [default: one per core]
    #[arg(
        short = 'T',
        long,
        env = "OXIBLOSC_THREADS",
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub(crate) threads: Option<u16>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Accept any size that the format allows; by default, chunks above 1 GiB are refused
    #[arg(long)]
    pub(crate) no_limits: bool,
}

/// A size in bytes, with K, M or G for powers of 1024.
fn parse_size(text: &str) -> Result<u64, String> {
    let unit = text.trim_start_matches(|char: char| char.is_ascii_digit());
    let digits = text
        .get(..text.len().saturating_sub(unit.len()))
        .unwrap_or_default();
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        _ => return Err(format!("{unit} is no unit; K, M and G are")),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(1 << shift))
        .filter(|&size| size > 0 && size <= 0x7FFF_FFDF)
        .ok_or_else(|| "expected a size from 1 to 2147483615 bytes".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("4M"), Ok(4 << 20));
        assert_eq!(parse_size("100"), Ok(100));
        assert_eq!(parse_size("1KiB"), Ok(1024));
        for bad in ["", "0", "M", "4T", "-1", "3G"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
