//! Damaged input and invalid parameters: every one is refused with a typed error.

#[path = "../common/mod.rs"]
mod common;
mod damaged_chunks;
mod damaged_frames;
mod list;
mod out_of_memory;
mod refused_params;
