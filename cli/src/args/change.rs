//! Commands that change a file, or make a whole one of a damaged one.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::shared::{LimitArgs, LockArgs, ThreadArgs};

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
