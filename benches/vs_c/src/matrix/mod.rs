//! The matrix: every codec, level, filter and data set, ours beside the real library's, on one clock.
//!
//! ```text
//! data ── sets of bytes, generated or read from a folder
//!  └─ run ── a cell: both compress, both decompress, results compared, then timed in turn (pairs)
//!      └─ report ── cells.csv, results.md with geometric means and the cells that lose, results.html with plots
//! ```
//!
//! A figure is the median of the ratios of rounds; a round times all contestants one after another on the same bytes,
//! so that noise that lasts longer than a round hits all of them.

pub mod data;
pub mod page;
pub mod pairs;
mod peer;
pub mod report;
pub mod run;
