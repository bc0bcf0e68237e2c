//! Readings that arrive one by one, in a file that survives a crash up to its last commit.
#![expect(clippy::print_stdout, reason = "an example tells what it did")]

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::{CParams, CodecId, FilterSlot};

/// The reading of a sensor, in degrees with two decimals.
fn reading(second: u32, sensor: u32) -> f64 {
    let wave = f64::from(second) / 3600.0 + f64::from(sensor);
    ((20.0 + 5.0 * wave.sin()) * 100.0).round() / 100.0
}

fn main() -> oxiblosc::Result<()> {
    let path = std::env::temp_dir().join("oxiblosc_sensor_stream.b2nd");
    // Two decimals: most bits never change, so bits are shuffled instead of bytes.
    let cparams = CParams::new(8)
        .codec(CodecId::ZSTD)
        .clevel(1)
        .filters([FilterSlot::BITSHUFFLE]);
    let params = ArrayParams::new::<f64>([0, 4])
        .chunkshape([3600, 4])
        .cparams(cparams);
    let mut log = Array::create(&path, &params.overwrite(true))?;
    for second in 0..8000 {
        let row: Vec<f64> = (0..4).map(|sensor| reading(second, sensor)).collect();
        log.append(&row)?;
        if second % 600 == 599 {
            // Ten minutes are on the disk, whatever happens next.
            log.commit()?;
        }
    }
    log.finish()?;

    let log = Array::open(&path)?;
    let hour: Vec<f64> = log.slice((3600..7200, 2))?;
    let mean = hour.iter().sum::<f64>() / 3600.0;
    println!(
        "{:?} readings in {} bytes; sensor 2, second hour: {mean:.2}",
        log.shape(),
        log.cbytes()
    );
    assert!(log.cbytes() < log.nbytes());
    Ok(())
}
