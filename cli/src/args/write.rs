//! Commands that write data in another form.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{LimitArgs, PlaceArgs, ThreadArgs, parse_size};
use crate::encoding::EncodingArgs;
use crate::failure::is_dash;

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
    /// Kind of output [default: by the ending of OUT: .npy, .npz, .b2nd, .b2frame, .b2z, .zarr,
    /// .raw or .bin]
    #[arg(long, value_enum)]
    pub(crate) to: Option<Kind>,
    /// The version of Zarr that is written
    #[arg(
        long,
        value_name = "N",
        default_value = "3",
        value_parser = clap::value_parser!(u8).range(2..=3)
    )]
    pub(crate) zarr_format: u8,
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
    /// An archive of NumPy files
    Npz,
    /// The folder of a Zarr array
    Zarr,
    /// The bytes of the elements in C order
    Raw,
    /// A compressed array
    B2nd,
    /// A compressed frame of bytes
    B2frame,
}
