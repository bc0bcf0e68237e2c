//! Rows appended to an array on disk one by one, beside the same rows in batches:
//! `cargo bench --bench rows`.
//!
//! For rows of several widths it prints the time of both, their ratio, and that of the lengths of
//! the files. The two alternate, and the numbers are medians.
#![expect(clippy::print_stdout, reason = "the table is the output")]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use oxiblosc::b2nd::{Array, ArrayParams};

const ROWS: u32 = 10_000;
const BATCH: usize = 1000;
const ROUNDS: usize = 15;

/// Appends all rows, so many at once, and returns the time.
fn append(
    path: &Path,
    params: &ArrayParams,
    data: &[f64],
    at_once: usize,
) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    let mut array = Array::create(path, params)?;
    for rows in data.chunks(at_once) {
        array.append(rows)?;
    }
    array.finish()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    println!("{ROWS} rows of f64   one by one   in batches   ratio   file, ratio");
    for width in [1_u32, 4, 10, 100, 1000] {
        let value = |n: u32| f64::from(n % (7 * width)) * 0.25 + f64::from(n / 1000);
        let data: Vec<f64> = (0..ROWS * width).map(value).collect();
        let params = ArrayParams::new::<f64>(&[0, u64::from(width)]).overwrite(true);
        let row = usize::try_from(width)?;
        let (mut single, mut batches) = (Vec::new(), Vec::new());
        let [one, many] = ["one", "many"].map(|name| folder.path().join(name));
        for _ in 0..ROUNDS {
            single.push(append(&one, &params, &data, row)?);
            batches.push(append(&many, &params, &data, row * BATCH)?);
        }
        let (one, many) = (
            std::fs::metadata(one)?.len(),
            std::fs::metadata(many)?.len(),
        );
        let (single, batches) = (median(single), median(batches));
        let time = single / batches;
        println!(
            "{width:>13} wide   {single:>7.2} ms   {batches:>7.2} ms   {time:>5.2}   {one}/{many}"
        );
    }
    Ok(())
}
