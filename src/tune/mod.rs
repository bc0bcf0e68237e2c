//! Parameters for data: which codec, level and filters suit them.
//!
//! ```
//! use oxiblosc::tune::{Goal, tune};
//! use oxiblosc::{CParams, compress};
//! # #[cfg(feature = "zstd")] {
//! // Temperatures of two decimals.
//! let wave = (0..50_000).map(|i| (f64::from(i) / 3600.0).sin());
//! let degrees = wave.map(|wave| (2000.0 + 500.0 * wave).round() / 100.0);
//! let bytes: Vec<u8> = degrees.flat_map(f64::to_le_bytes).collect();
//! let tuned = tune(&[&bytes], 8, Goal::Balanced)?;
//! let default = compress(&bytes, &CParams::new(8))?;
//! assert!(compress(&bytes, &tuned.best().cparams)?.len() * 2 < default.len());
//! # }
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! Sizes are measured, by compressing the samples; speeds are estimated from them, so that the
//! choice depends on the data alone, not on the machine or its load. The estimates are those of one
//! core of a Zen 5 (`model.rs`). A goal weighs both:
//!
//! | goal | the least of |
//! |---|---|
//! | [`Ratio`](Goal::Ratio) | the compressed size |
//! | [`Balanced`](Goal::Balanced) | compressing, decompressing, to a disk of 50 MB/s and back |
//! | [`Read`](Goal::Read) | from a disk of 500 MB/s, decompressing, 1/20 of compressing |
//! | [`Speed`](Goal::Speed) | compressing, decompressing, to a disk of 1 GB/s and back |
//!
//! Pipelines are tried with fast codecs first, and slow codecs only with the two that shrink the
//! samples the most: about 20 trials; the slowest level only with what is smallest after all
//! others. Lossy filters are never chosen.

mod goal;
mod model;
mod plan;

pub use goal::Goal;

use crate::chunk::ChunkEncoder;
use crate::error::{Error, ErrorKind, Result};
use crate::params::{CParams, MAX_NBYTES};

/// Parameters that were tried on the samples.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct Trial {
    /// The parameters.
    pub cparams: CParams,
    /// The size of the samples, in bytes.
    pub nbytes: usize,
    /// Their compressed size, in bytes. That of level 9 is the one of level 5, less what level 9
    /// gains on the first eighth of each sample.
    pub cbytes: usize,
    /// The estimated time of compression, in nanoseconds per byte of data.
    pub encode_ns: f64,
    /// The estimated time of decompression, in nanoseconds per byte of data.
    pub decode_ns: f64,
    /// The cost for the goal, in nanoseconds per byte of data; the part that remains for
    /// [`Goal::Ratio`].
    pub cost: f64,
}

impl Trial {
    /// The data as a multiple of what is stored.
    pub fn ratio(&self) -> f64 {
        model::part(self.nbytes, self.cbytes)
    }
}

/// The result of [`tune`].
#[derive(Clone, Debug)]
pub struct Tuned {
    goal: Goal,
    trials: Vec<Trial>,
}

impl Tuned {
    /// The goal.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The trial with the least cost.
    pub fn best(&self) -> &Trial {
        match self.trials.first() {
            Some(best) => best,
            None => unreachable!("at least copies are tried"),
        }
    }

    /// All trials, the least cost first.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }
}

/// Tries parameters on samples of the data and orders them by their cost for a goal.
///
/// Each sample is compressed as a chunk: some hundred kilobytes to some megabytes, from several
/// places of the data. `typesize` is the size of an item in bytes;
/// [`find_typesize`] finds one for bytes whose items are not known.
///
/// # Errors
/// [`Error::InvalidParam`] for a typesize that is not allowed, and for samples that are empty or
/// larger than a chunk can be.
pub fn tune(samples: &[&[u8]], typesize: usize, goal: Goal) -> Result<Tuned> {
    let nbytes = samples.iter().map(|sample| sample.len()).sum();
    let largest = samples.iter().map(|sample| sample.len()).max();
    if nbytes == 0 || largest > Some(MAX_NBYTES) {
        return Err(Error::invalid_param(
            "length of the samples",
            largest.unwrap_or(0),
            "1 to 2147483615 bytes",
        ));
    }
    CParams::new(typesize).validate()?;
    let judged = |cparams: CParams, cbytes: usize| {
        let (encode_ns, decode_ns) = model::times(&cparams, nbytes, cbytes);
        let part = model::part(cbytes, nbytes);
        Trial {
            cost: model::cost(goal, part, encode_ns, decode_ns),
            cparams,
            nbytes,
            cbytes,
            encode_ns,
            decode_ns,
        }
    };
    let trial = |cparams: CParams| -> Result<Option<Trial>> {
        let cbytes = size(samples, &cparams)?;
        Ok(cbytes.map(|cbytes| judged(cparams, cbytes)))
    };
    let mut trials = Vec::new();
    for cparams in plan::first(typesize) {
        trials.extend(trial(cparams)?);
    }
    let mut by_size: Vec<&Trial> = trials.iter().collect();
    by_size.sort_by_key(|trial| trial.cbytes);
    let mut pipelines = Vec::new();
    for trial in by_size {
        if !pipelines.contains(&trial.cparams.filters) {
            pipelines.push(trial.cparams.filters);
        }
    }
    pipelines.truncate(2);
    for cparams in plan::second(typesize, goal, &pipelines) {
        trials.extend(trial(cparams)?);
    }
    if goal == Goal::Ratio {
        let sizes: Vec<(&CParams, usize)> = trials
            .iter()
            .map(|trial: &Trial| (&trial.cparams, trial.cbytes))
            .collect();
        if let Some(((searched, cbytes), slow)) = plan::third(typesize, &sizes) {
            // By what it gains on the front of the samples.
            let front: Vec<&[u8]> = samples.iter().map(|sample| front(sample)).collect();
            if let (Some(before), Some(after)) = (size(&front, &searched)?, size(&front, &slow)?) {
                let cbytes = cbytes as u128 * after as u128 / (before as u128).max(1);
                trials.push(judged(slow, usize::try_from(cbytes).unwrap_or(usize::MAX)));
            }
        }
    }
    // The order of the plan decides between equal costs.
    trials.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    Ok(Tuned { goal, trials })
}

/// The size of items in bytes whose items are not known: 1, 2, 3, 4, 8, 12 or 16.
///
/// ```
/// use oxiblosc::tune::find_typesize;
/// let bytes: Vec<u8> = (0..20_000_u32).flat_map(|i| (i * 3).to_le_bytes()).collect();
/// assert_eq!(find_typesize(&[&bytes])?, 4);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// # Errors
/// As [`tune`].
pub fn find_typesize(samples: &[&[u8]]) -> Result<usize> {
    let mut best = (1, usize::MAX);
    for typesize in [1, 2, 4, 8, 3, 12, 16] {
        let cparams = plan::probe(typesize);
        let Some(cbytes) = size(samples, &cparams)? else {
            continue;
        };
        // A larger item has to be worth something.
        if cbytes < best.1.saturating_sub(best.1 / 50) {
            best = (typesize, cbytes);
        }
    }
    Ok(best.0)
}

/// The first eighth of a sample; all of a short one.
fn front(sample: &[u8]) -> &[u8] {
    if sample.len() <= SHORT {
        return sample;
    }
    let len = (sample.len() / 8).next_multiple_of(SHORT / 4);
    sample.get(..len).unwrap_or(sample)
}

/// Samples of so many bytes are not cut by [`front`].
const SHORT: usize = 512 << 10;

/// The compressed size of the samples; `None` when this build lacks the codec or a filter.
fn size(samples: &[&[u8]], cparams: &CParams) -> Result<Option<usize>> {
    let mut encoder = match ChunkEncoder::new(cparams.clone()) {
        Ok(encoder) => encoder,
        Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut total = 0_usize;
    for sample in samples {
        match encoder.encode(sample) {
            Ok(chunk) => total = total.saturating_add(chunk.len()),
            Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(total))
}
