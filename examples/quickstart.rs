//! An array to a file, opened again, grown and sliced.

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::s;

fn main() -> oxiblosc::Result<()> {
    let grid: Vec<f64> = (0..24_000).map(|i| f64::from(i).sqrt()).collect();
    let params = ArrayParams::new::<f64>([10, 40, 60]).overwrite(true);
    Array::from_elements_in("grid.b2nd", &grid, &params)?;
    let mut array = Array::open_mut("grid.b2nd")?;
    array.append(&grid[..2400])?;
    let part: Vec<f64> = array.slice(s![-1, 5..7, ..;20])?;
    assert_eq!(part, [300, 320, 340, 360, 380, 400].map(|i| grid[i]));
    array.finish()
}
