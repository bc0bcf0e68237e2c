//! A progress bar, for people at a terminal only, and the closing line.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Color;
use crate::color::red;
use crate::failure::{Failure, shown};

/// Whether messages are printed, or details besides, and whether progress is shown.
static QUIET: AtomicBool = AtomicBool::new(false);
static VERBOSE: AtomicBool = AtomicBool::new(false);
static HIDDEN: AtomicBool = AtomicBool::new(false);
/// Whether failures are printed in color.
static COLORED: AtomicBool = AtomicBool::new(false);

/// Sets whether messages, details and progress bars are printed, and when failures have colors.
pub(crate) fn set_messages(quiet: bool, verbose: bool, no_progress: bool, color: Color) {
    let colored = color.is_on(std::io::stderr().is_terminal());
    COLORED.store(colored, Ordering::Relaxed);
    QUIET.store(quiet, Ordering::Relaxed);
    VERBOSE.store(verbose, Ordering::Relaxed);
    HIDDEN.store(quiet || no_progress, Ordering::Relaxed);
}

/// Bytes done so far.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    /// Starts to count bytes; `total` is unknown for a pipe.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let template = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        Self::with_template(total, template)
    }

    /// Starts to count steps of work.
    pub(crate) fn of_steps(total: u64) -> Self {
        let template = "{bar:30} {pos} of {len} {msg}, {elapsed}, {eta} left";
        Self::with_template(Some(total), template)
    }

    fn with_template(total: Option<u64>, template: &str) -> Self {
        let bar = match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::no_length(),
        };
        if std::io::stderr().is_terminal() && !HIDDEN.load(Ordering::Relaxed) {
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self {
            bar,
            start: Instant::now(),
        }
    }

    /// Counts bytes as done.
    pub(crate) fn add(&self, nbytes: u64) {
        self.bar.inc(nbytes);
    }

    /// Raises the number of steps.
    pub(crate) fn add_steps(&self, more: usize) {
        self.bar.inc_length(u64::try_from(more).unwrap_or(u64::MAX));
    }

    /// Names the step that is done now.
    pub(crate) fn at(&self, step: String) {
        self.bar.set_message(step);
    }

    /// Removes the bar and returns the time since the start.
    pub(crate) fn finish(&self) -> Duration {
        self.bar.finish_and_clear();
        self.start.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Writes a line to standard error, unless it is to be quiet. Errors are ignored.
pub(crate) fn say(line: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Says what a file became, by the bytes of its data and those that are stored.
pub(crate) fn say_compressed(
    input: &Path,
    output: &Path,
    (nbytes, cbytes): (u64, u64),
    time: Duration,
) {
    say(&format!(
        "{} -> {}: {} -> {}, ratio {}, {}",
        shown(input),
        output.display(),
        size(nbytes),
        size(cbytes),
        ratio(nbytes, cbytes),
        speed(nbytes, time),
    ));
}

/// Writes a line to standard error if details are wanted.
pub(crate) fn detail(line: &str) {
    if VERBOSE.load(Ordering::Relaxed) {
        say(line);
    }
}

/// Writes a failure to standard error.
pub(crate) fn complain(failure: &Failure) {
    let name = red("oxiblosc:", COLORED.load(Ordering::Relaxed));
    let _ = writeln!(std::io::stderr(), "{name} {failure}");
}

/// A size with a decimal unit.
#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
pub(crate) fn size(nbytes: u64) -> String {
    let mut value = nbytes as f64;
    let mut unit = "B";
    for larger in ["kB", "MB", "GB", "TB", "PB"] {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    if unit == "B" {
        format!("{nbytes} B")
    } else {
        format!("{value:.1} {unit}")
    }
}

/// A speed in bytes per second.
#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
pub(crate) fn speed(nbytes: u64, time: Duration) -> String {
    let rate = nbytes as f64 / time.as_secs_f64().max(1e-9);
    if rate >= 1e9 {
        format!("{:.2} GB/s", rate / 1e9)
    } else {
        format!("{:.1} MB/s", rate / 1e6)
    }
}

/// How many times smaller.
#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
pub(crate) fn ratio(nbytes: u64, cbytes: u64) -> String {
    format!("{:.2}", nbytes as f64 / (cbytes.max(1)) as f64)
}
