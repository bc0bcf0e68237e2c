//! Frames and super-chunks: reading, editing, seals, and frames of other writers.

#[path = "../common/mod.rs"]
mod common;
mod compat;
mod gather;
mod incoming;
mod items;
mod lazy;
mod ops;
mod parts;
mod paths;
mod refused;
mod salvage;
mod seal;
mod vectors;
