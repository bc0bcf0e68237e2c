//! The HDF5 filters 32001 (Blosc) and 32026 (Blosc2) on oxiblosc.
//!
//! Chunks of a dataset, as HDF5 stores them, to bytes and back, without HDF5:
//!
//! ```
//! use oxiblosc_hdf5::{Blosc2, Dataset};
//!
//! // What a program asked for: level 5, shuffle, LZ4; what HDF5 then stores with the dataset.
//! let dataset = Dataset { typesize: 4, chunk: &[50, 30] };
//! let cd_values = Blosc2::cd_values(&[0, 0, 0, 0, 5, 1, 1], &dataset)?;
//! assert_eq!(cd_values, [1, 0, 4, 6000, 5, 1, 1, 2, 50, 30]);
//!
//! let data: Vec<u8> = (0..1500_u32).flat_map(u32::to_le_bytes).collect();
//! let mut filter = Blosc2::default();
//! let chunk = filter.encode(&data, &cd_values)?;
//! assert_eq!(filter.decode(&chunk, &cd_values)?, data);
//! // Rows 2 and 3 of the chunk: only the blocks that hold them are decoded.
//! assert_eq!(filter.decode_region(&chunk, &[2..4, 0..30])?, data[240..480]);
//! # Ok::<(), oxiblosc_hdf5::Error>(())
//! ```
//!
//! A reader of HDF5 files in Rust registers [`Blosc::decode`] under [`Blosc::ID`] and
//! [`Blosc2::decode`] under [`Blosc2::ID`]. Programs that use the HDF5 library load the plugins,
//! built from `plugins/`, whose insides are in [`plugin`]; the README says how.

mod error;
mod filter_32001;
mod filter_32026;
mod options;
#[cfg(unix)]
pub mod plugin;

pub use error::{Error, Result};
pub use filter_32001::Blosc;
pub use filter_32026::Blosc2;
pub use options::Dataset;

/// The memory that a filter asks for once it knows the length of the data.
type Claim<'m, 'd> = &'m mut dyn FnMut(usize) -> Result<&'d mut [std::mem::MaybeUninit<u8>]>;

/// The examples of the README run, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
