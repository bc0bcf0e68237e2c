//! N-dimensional arrays against plain indexing.

mod arrays;
mod elements;
mod metalayer;
mod selections;
mod slices;
