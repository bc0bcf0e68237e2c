//! Blosc2 arrays in object stores and over HTTP: open, then read the parts that are wanted.
//!
//! ```
//! use std::sync::Arc;
//!
//! use object_store::ObjectStore;
//! use object_store::memory::InMemory;
//! use oxiblosc::b2nd::{Array, ArrayParams};
//! use oxiblosc_object_store::ObjectArray;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! # let numbers: Vec<f32> = (0..10_000_u16).map(f32::from).collect();
//! # let made = Array::from_elements(&numbers, &ArrayParams::new::<f32>([100, 100]))?;
//! # let bytes = made.schunk().to_cframe()?;
//! // Any store: HttpBuilder::new().with_url("https://host").build()?, S3, Azure, GCS, files.
//! let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
//! # store.put(&"a.b2nd".into(), bytes.into()).await?;
//! let array = ObjectArray::open(store, "a.b2nd").await?;
//! assert_eq!(array.shape(), [100, 100]);
//! let row: Vec<f32> = array.slice((7, ..)).await?;
//! assert_eq!(row[..2], [700.0, 701.0]);
//! # Ok(())
//! # }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! #     tokio::runtime::Runtime::new()?.block_on(run())
//! # }
//! ```
#![forbid(unsafe_code)]

mod array;
mod error;
mod object;

pub use array::{ObjectArray, OpenOptions};
pub use error::{Error, Result};
pub use object::Traffic;
pub use oxiblosc::remote::ReadPolicy;
