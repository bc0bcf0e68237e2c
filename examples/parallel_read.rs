//! Many threads read one array through one handle.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "an example tells what it did"
)]

use std::thread;

use oxiblosc::b2nd::{Array, ArrayParams};

fn main() -> oxiblosc::Result<()> {
    let path = std::env::temp_dir().join("oxiblosc_parallel_read.b2nd");
    let table: Vec<u64> = (0..2_000_000).collect();
    let params = ArrayParams::new::<u64>([2000, 1000])
        .chunkshape([250, 1000])
        .overwrite(true);
    Array::from_elements_in(&path, &table, &params)?;

    let array = Array::open(&path)?;
    // No lock, no copy of the handle, no hidden threads: `&array` is enough.
    let sum = thread::scope(|scope| -> oxiblosc::Result<u64> {
        let workers: Vec<_> = (0..8)
            .map(|part| {
                let array = &array;
                scope.spawn(move || -> oxiblosc::Result<u64> {
                    let rows: Vec<u64> = array.slice((part * 250..(part + 1) * 250, ..))?;
                    Ok(rows.iter().sum())
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"))
            .sum()
    })?;
    assert_eq!(sum, table.iter().sum::<u64>());
    println!("{sum} from {} chunks", array.grid().nchunks());
    Ok(())
}
