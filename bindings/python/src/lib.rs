//! `oxiblosc._native`: what the Python package `oxiblosc` is built on.
//!
//! ```text
//! array.rs       arrays in memory, on disk and in Python       oxiblosc.NDArray
//! create.rs      new arrays                                    oxiblosc.asarray, zeros ...
//! chunk.rs       chunks of Blosc2 and of Blosc1                oxiblosc.compress2, codecs
//! b2nd_chunk.rs  single chunks with n-dimensional blocks       oxiblosc.zarr
//! storage.rs     positioned reads that call Python             oxiblosc.open("https://...")
//! bytes.rs       the memory of NumPy arrays, without copies    the only unsafe code
//! ```
//!
//! Names and vocabulary for users are in Python; here are numbers, buffers and the library. All
//! work runs detached from the interpreter, so that other threads of Python run meanwhile.

#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python are extracted, and arrive by value"
)]

mod array;
mod b2nd_chunk;
mod bytes;
mod chunk;
mod create;
mod edit;
mod failure;
mod params;
mod select;
mod storage;

use pyo3::prelude::*;

/// The native half of the package.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", module.py().get_type::<failure::Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<array::Array>()?;
    module.add_class::<chunk::Chunks>()?;
    module.add_class::<b2nd_chunk::B2ndChunks>()?;
    module.add_function(wrap_pyfunction!(chunk::chunk_sizes, module)?)?;
    module.add_function(wrap_pyfunction!(create::partition, module)?)?;
    module.add_function(wrap_pyfunction!(create::create, module)?)?;
    Ok(())
}
