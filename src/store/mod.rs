//! Stores of many objects: the bundles of python-blosc2, Zarr hierarchies, and older containers of
//! Blosc chunks.
//!
//! ```text
//! .b2e            one frame with others in its data, and a map of them      EmbedStore
//! .b2d            a folder of frames, with an embedded store beside them    DictStore, TreeStore
//! .b2z            the same files in a zip archive, stored                   DictStore, TreeStore
//! .zarr           Zarr arrays and groups, version 2 or 3, sharded or not
//! .b2nd, .b2frame a single frame
//! ```
//!
//! [`Tree::open`] recognises all of these by their content and lists their keys; [`Tree::leaf`]
//! opens one object, whose [`Kind`] its metalayers state. [`B2zWriter`] makes `.b2z` archives.
//! [`bloscpack`], [`asdf`], [`n5`] and [`openvdb`] decode the chunks of other containers. Files of
//! caterva are frames: [`Array`](crate::b2nd::Array) opens them.
//!
//! ```
//! use oxiblosc::b2nd::{Array, ArrayParams};
//! use oxiblosc::store::{B2zWriter, Tree};
//! # fn main() -> oxiblosc::Result<()> {
//! # let dir = tempfile::tempdir().unwrap();
//! # let path = dir.path().join("store.b2z");
//! let ones = Array::full(1.0_f32, &ArrayParams::new::<f32>(&[5, 5]))?;
//! let mut writer = B2zWriter::create(&path)?;
//! writer.add_array("/results/ones", &ones)?;
//! writer.finish()?;
//!
//! let store = Tree::open(&path)?;
//! for key in store.children("/results") {
//!     assert_eq!(store.node_kind(key)?.name(), "array");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Invariants
//!
//! - Nothing is executed and nothing is fetched: lazy expressions, functions and references are
//!   described ([`Leaf::description`]). Their chunks decode to zeros, so [`Leaf::check_data`]
//!   refuses them.
//! - No name in a store leads out of it: `..`, absolute paths and links are refused.
//! - Lists, values, indexes and objects meet [`Limits`](crate::Limits) before memory is taken.
//!
//! Byte layouts are in the [format description](crate::format#17).
//!
//! # Reading the code
//!
//! ```text
//! value, kind     msgpack values; the kind of an object by its metalayers
//! frame, zip      the frame of an object; archives as trees of files
//! embed, listing  the entries of an embedded store; from files to keys, groups and tables
//! zarr            Zarr arrays as sources of chunks
//! objects, tensor, recipe   the content of objects that are no arrays
//! leaf, tree      one object; the whole store
//! b2z             writing archives
//! ```
#![deny(clippy::indexing_slicing)]

pub mod asdf;
mod b2z;
pub mod bloscpack;
mod embed;
mod kind;
mod leaf;
mod listing;
pub mod n5;
mod objects;
pub mod openvdb;
mod recipe;
mod tensor;
mod tree;
mod value;
mod zarr;
mod zip;

pub use b2z::B2zWriter;
pub use kind::Kind;
pub use leaf::{Leaf, LeafArray};
pub use objects::Objects;
pub use recipe::{check_data, description};
pub use tensor::Tensor;
pub use tree::{StoreKind, Tree};
pub use value::Value;
pub use zarr::ZarrArray;
pub use zip::ZipTree;
