//! Options that several commands have.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use oxiblosc::frame::{Access, Locking};

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
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
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
    use super::*;

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
