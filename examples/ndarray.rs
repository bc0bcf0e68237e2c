//! Arrays of the crate `ndarray`, in and out.
#![expect(clippy::print_stdout, reason = "an example tells what it did")]

use ndarray::{Array3, s};
use oxiblosc::b2nd::{Array, ArrayParams};

fn main() -> oxiblosc::Result<()> {
    let path = std::env::temp_dir().join("oxiblosc_ndarray.b2nd");
    let volume = Array3::from_shape_fn((60, 80, 100), |(z, y, x)| (x * y + z) as f32);
    let params = ArrayParams::new::<f32>([60, 80, 100]).overwrite(true);
    Array::from_ndarray_in(&path, volume.view(), &params)?;

    let stored = Array::open(&path)?;
    // A plane, without its axis; only the blocks that it crosses are decoded.
    let plane = stored.slice_ndarray::<f32, ndarray::Ix2>(oxiblosc::s![30, .., ..])?;
    assert_eq!(plane, volume.slice(s![30, .., ..]));
    // A part, read into a part of an array that is there already.
    let mut canvas = Array3::<f32>::zeros((60, 80, 100));
    stored.slice_ndarray_into((.., 10..20, ..50), canvas.slice_mut(s![.., 10..20, ..50]))?;
    assert_eq!(canvas.sum(), volume.slice(s![.., 10..20, ..50]).sum());
    println!("{} of {} bytes", stored.cbytes(), stored.nbytes());
    Ok(())
}
