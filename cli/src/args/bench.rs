//! The options of `bench`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use oxiblosc::FilterSlot;

use super::shared::{LimitArgs, parse_size};
use crate::encoding::{Codec, Split, is_lossy, parse_filter};

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// A .npy file, raw bytes, or a compressed file
    #[arg(required_unless_present = "synthetic", conflicts_with = "synthetic")]
    pub(crate) input: Option<PathBuf>,
    /// Measure made data [default: temperatures]
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "temperatures"
    )]
    pub(crate) synthetic: Option<Synthetic>,
    /// The codecs
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "blosclz,lz4,lz4hc,zlib,zstd"
    )]
    pub(crate) codecs: Vec<Codec>,
    /// The levels
    #[arg(
        long,
        value_delimiter = ',',
        value_parser = clap::value_parser!(u8).range(0..=9),
        default_value = "1,5,9"
    )]
    pub(crate) levels: Vec<u8>,
    /// The pipelines of filters, such as none,shuffle,delta+shuffle [default: five by the size of
    /// an item]
    #[arg(long, value_delimiter = ',', value_parser = parse_pipeline, value_name = "A+B,…")]
    pub(crate) filters: Option<Vec<Pipeline>>,
    /// When blocks are split into one stream per byte of an item
    #[arg(long, value_enum, value_delimiter = ',', default_value = "forward")]
    pub(crate) splits: Vec<Split>,
    /// The numbers of threads [default: 1, and for the best cells also up to one per core]
    #[arg(
        long,
        short = 'T',
        value_delimiter = ',',
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub(crate) threads: Option<Vec<u16>>,
    /// The size of an item of raw bytes [default: found by trial]
    #[arg(long, value_name = "N")]
    pub(crate) typesize: Option<usize>,
    /// How many bytes of the data are measured, in chunks from evenly spaced places
    #[arg(long, value_name = "BYTES", value_parser = parse_size, default_value = "16M")]
    pub(crate) sample: u64,
    /// The size of a chunk
    #[arg(long, value_name = "BYTES", value_parser = parse_size, default_value = "2M")]
    pub(crate) chunk_size: u64,
    /// The time after which nothing is repeated any more, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 80)]
    pub(crate) time: u32,
    /// Measure C-Blosc2 as well: the path of its library
    #[arg(long, value_name = "LIBBLOSC2")]
    pub(crate) against: Option<PathBuf>,
    /// The program that calls the library [default: bench_c beside this program]
    #[arg(long, value_name = "PROGRAM", requires = "against")]
    pub(crate) helper: Option<PathBuf>,
    /// The form of the report [default: by the ending of OUT: .csv, .json, .md, .html; else text]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Replace the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl BenchArgs {
    /// The form that is asked for, or that the name of the output says.
    pub(crate) fn format(&self) -> ReportFormat {
        let ending = self.output.extension().unwrap_or_default();
        let ending = ending.to_ascii_lowercase();
        match (self.format, ending.to_str()) {
            (Some(format), _) => format,
            (_, Some("csv")) => ReportFormat::Csv,
            (_, Some("json")) => ReportFormat::Json,
            (_, Some("md")) => ReportFormat::Markdown,
            (_, Some("html" | "htm")) => ReportFormat::Html,
            _ => ReportFormat::Text,
        }
    }
}

/// Made data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Synthetic {
    /// 32-bit floats of two decimals, with a daily wave and noise
    Temperatures,
    /// 64-bit integers that grow unevenly
    Timestamps,
    /// 16-bit integers, mostly small
    Counts,
    /// Lines of words
    Text,
    /// Random bytes
    Noise,
}

/// Forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A table of 80 columns
    Text,
    /// Comma-separated values, a line per cell
    Csv,
    /// One object with all cells
    Json,
    /// A table in Markdown
    Markdown,
    /// A page with plots, in one file
    Html,
}

/// Filters in their order, and their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pipeline {
    pub(crate) filters: Vec<FilterSlot>,
    pub(crate) name: String,
}

/// A pipeline as A+B, or none.
pub(crate) fn parse_pipeline(text: &str) -> Result<Pipeline, String> {
    let filters = text.split('+').map(parse_filter);
    let mut filters = filters.collect::<Result<Vec<_>, _>>()?;
    if let Some(name) = filters.iter().find(|filter| is_lossy(filter)) {
        let name = name.id.name().unwrap_or_default();
        return Err(format!(
            "{name} changes the data, so nothing can be compared"
        ));
    }
    filters.retain(|filter| filter.id.get() != 0);
    if filters.len() > 6 {
        return Err("there are more than 6 filters".to_owned());
    }
    let name = text.to_owned();
    Ok(Pipeline { filters, name })
}
