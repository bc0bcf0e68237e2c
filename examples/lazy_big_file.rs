//! An array larger than memory: written slab by slab, read part by part, a chunk at a time.
#![expect(clippy::print_stdout, reason = "an example tells what it did")]

use oxiblosc::b2nd::{Array, ArrayParams};

/// 64 steps of 1,000 x 1,000: 256 MB here; nothing below depends on it.
const SHAPE: [u64; 3] = [64, 1000, 1000];

fn main() -> oxiblosc::Result<()> {
    let path = std::env::temp_dir().join("oxiblosc_lazy_big_file.b2nd");
    let params = ArrayParams::new::<f32>([0, SHAPE[1], SHAPE[2]])
        .chunkshape([4, 250, 1000])
        .overwrite(true);
    let mut array = Array::create(&path, &params)?;
    for step in 0..SHAPE[0] {
        let slab: Vec<f32> = (0..1_000_000)
            .map(|i| (i / 1000) as f32 + step as f32)
            .collect();
        array.append(&slab)?;
    }
    array.finish()?;

    let array = Array::open(&path)?;
    println!(
        "{:?}, {} bytes in {}",
        array.shape(),
        array.nbytes(),
        array.cbytes()
    );
    // A column through all steps reads a few blocks of each chunk it crosses.
    let column: Vec<f32> = array.slice(oxiblosc::s![.., 500, 500])?;
    assert_eq!(column[63], 563.0);
    // Everything, with one chunk in memory at a time.
    let mut most = 0.0_f32;
    for part in array.chunks::<f32>() {
        most = part?
            .elements
            .iter()
            .fold(most, |most, &value| most.max(value));
    }
    assert_eq!(most, 1062.0);
    Ok(())
}
