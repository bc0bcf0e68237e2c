//! The grid: combinations of parameters.

use std::fmt;

use oxiblosc::{CParams, CodecId, Threads};

use crate::args::{BenchArgs, Pipeline, parse_pipeline};
use crate::encoding::Split;
use crate::failure::Failure;

/// The parameters of one measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) codec: CodecId,
    pub(super) level: u8,
    pub(super) pipeline: Pipeline,
    pub(super) split: Split,
    pub(super) threads: usize,
}

impl Cell {
    /// The parameters for the library.
    pub(super) fn cparams(&self, typesize: usize) -> CParams {
        CParams::new(typesize)
            .codec(self.codec)
            .clevel(self.level)
            .filters(self.pipeline.filters.iter().copied())
            .split_mode(self.split.mode())
    }

    /// The name of the codec.
    pub(super) fn codec(&self) -> &'static str {
        self.codec.name().unwrap_or("unknown")
    }

    /// Whether two cells differ in their threads at most.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let threads = self.threads;
        *self
            == Self {
                threads,
                ..other.clone()
            }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.codec(), self.level, self.pipeline.name)?;
        if self.split != Split::Forward {
            write!(f, ", split {}", self.split.name())?;
        }
        if self.threads > 1 {
            write!(f, ", {} threads", self.threads)?;
        }
        Ok(())
    }
}

/// The pipelines that are measured when none are named.
fn pipelines(typesize: usize) -> Result<Vec<Pipeline>, Failure> {
    let names = if typesize > 1 {
        [
            "none",
            "shuffle",
            "bitshuffle",
            "delta+shuffle",
            "shuffle+bytedelta",
        ]
    } else {
        [
            "none",
            "bitshuffle",
            "delta",
            "bytedelta",
            "delta+bitshuffle",
        ]
    };
    let parsed = names.iter().map(|name| parse_pipeline(name));
    parsed.collect::<Result<_, _>>().map_err(Failure::usage)
}

/// All combinations of what the command line asks for.
pub(super) fn grid(args: &BenchArgs, typesize: usize) -> Result<Vec<Cell>, Failure> {
    let pipelines = match &args.filters {
        Some(pipelines) => pipelines.clone(),
        None => pipelines(typesize)?,
    };
    let threads = args.threads.clone().unwrap_or_else(|| vec![1]);
    let mut cells = Vec::new();
    for codec in &args.codecs {
        for &level in &args.levels {
            for pipeline in &pipelines {
                for &split in &args.splits {
                    cells.extend(threads.iter().map(|&threads| Cell {
                        codec: codec.id(),
                        level,
                        pipeline: pipeline.clone(),
                        split,
                        threads: threads.into(),
                    }));
                }
            }
        }
    }
    Ok(cells)
}

/// Threads for a count of them.
pub(super) fn threads(count: usize) -> Result<Threads, Failure> {
    if count == 1 {
        return Ok(Threads::Serial);
    }
    Threads::new(count).map_err(|error| Failure::usage(format!("{count} threads: {error}")))
}
