//! Stores: files that python-blosc2, zarr, bloscpack, asdf and N5 wrote (`tests/data/stores`,
//! `tests/data/old`), archives of our own, damaged ones, and names that lead out of a store.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]
#![cfg(all(feature = "store", feature = "lz4", feature = "zstd", feature = "zlib"))]

#[path = "../common/mod.rs"]
mod common;
mod damaged;
mod escapes;
mod kinds;
mod old;
mod write;
mod zarr;

use std::path::PathBuf;

use oxiblosc::b2nd::Element;
use oxiblosc::store::Tree;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/stores")
        .join(name)
}

fn open(name: &str) -> Tree {
    Tree::open(path(name)).unwrap()
}

/// The elements of an array in a store, and its shape.
fn elements<T: Element>(store: &Tree, key: &str) -> (Vec<u64>, Vec<T>) {
    let leaf = store.leaf(key).unwrap();
    let array = leaf.into_array(store.dparams().clone()).unwrap();
    (array.shape().to_vec(), array.to_elements().unwrap())
}

/// The numbers of the arrays in `interop/python/kinds.py`.
fn grid() -> (Vec<u64>, Vec<i32>) {
    (vec![3, 4], (0..12).collect())
}

fn long() -> (Vec<u64>, Vec<i64>) {
    (vec![10_000], (0..10_000).map(|n| n * n).collect())
}
