//! Commands that only read.

use std::path::PathBuf;

use clap::Args;

use super::shared::{LimitArgs, ThreadArgs};
use crate::encoding::GoalArg;

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
