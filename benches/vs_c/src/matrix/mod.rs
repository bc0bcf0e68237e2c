//! The matrix: every codec, level, filter and data set, this library against the real one.
//!
//! ```text
//! data ── sets of bytes, generated or read from a folder
//!  └─ run ── a cell: both compress and decompress, results compared, then timed in turn (pairs)
//!      └─ report ── cells.csv, results.md with geometric means and the slower cells,
//!                   results.html with plots
//! ```
//!
//! A figure is the median of the ratios of rounds. A round times all contestants consecutively on
//! the same bytes, so that noise that lasts longer than a round affects all of them.

pub mod buffer;
pub mod cell;
pub mod data;
pub mod page;
pub mod pairs;
mod peer;
pub mod report;
pub mod run;
