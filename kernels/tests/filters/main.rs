//! Filter kernels: every instruction set against the scalar kernels, and those against the format.

mod agree;
mod boxes;
mod common;
mod naive;
mod tokens;
