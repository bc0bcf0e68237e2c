//! N-dimensional arrays against plain indexing.

mod arrays;
mod codecs;
#[path = "../common/mod.rs"]
mod common;
mod elements;
mod files;
mod lost;
mod many_readers;
mod metadata;
mod metalayer;
mod parts;
mod records;
mod remote;
mod rows;
mod selections;
mod single;
mod slices;
mod widths;
