//! Reads and writes the arrays of `check_zarrs.py`.
//!
//! ```text
//! interop read DIR N     DIR/NAME: whole to DIR/NAME.read, and N random boxes against that
//! interop write DIR      DIR/NAME/zarr.json and DIR/NAME.data: the chunks of DIR/NAME
//! ```
#![expect(clippy::print_stdout, reason = "it reports")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use zarrs::array::{Array, ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;
use zarrs_oxiblosc::adopt;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    zarrs_oxiblosc::install();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["read", dir, count] => read_all(Path::new(dir), count.parse()?),
        ["write", dir] => write_all(Path::new(dir)),
        _ => Err("interop read DIR N, or interop write DIR".into()),
    }
}

/// The names of the arrays in a folder.
fn names(dir: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn read_all(dir: &Path, count: u64) -> Result<()> {
    let store = Arc::new(FilesystemStore::new(dir)?);
    let (names, mut boxes) = (names(dir)?, 0_u64);
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for name in &names {
        let array = adopt(Array::open(Arc::clone(&store), &format!("/{name}"))?)?;
        let whole: ArrayBytes<'static> = array.retrieve_array_subset(&array.subset_all())?;
        let data = whole.clone().into_fixed()?;
        std::fs::write(dir.join(format!("{name}.read")), &data)?;
        for _ in 0..count {
            let mut below = |n: u64| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 8) % n.max(1)
            };
            let range = |len: &u64| {
                let start = below(*len);
                start..start + 1 + below(*len - start)
            };
            let region: Vec<_> = array.shape().iter().map(range).collect();
            let subset = ArraySubset::new_with_ranges(&region);
            let got: ArrayBytes<'static> = array.retrieve_array_subset(&subset)?;
            let right = whole.extract_array_subset(&subset, array.shape(), array.data_type())?;
            if got.into_fixed()? != right.into_fixed()? {
                return Err(format!("{name}: {region:?} is wrong").into());
            }
            boxes += 1;
        }
    }
    println!("{} arrays, {boxes} boxes", names.len());
    Ok(())
}

fn write_all(dir: &Path) -> Result<()> {
    let store = Arc::new(FilesystemStore::new(dir)?);
    let names = names(dir)?;
    for name in &names {
        let array = adopt(Array::open(Arc::clone(&store), &format!("/{name}"))?)?;
        let data = std::fs::read(dir.join(format!("{name}.data")))?;
        array.store_array_subset(&array.subset_all(), ArrayBytes::new_flen(data))?;
    }
    println!("{} arrays", names.len());
    Ok(())
}
