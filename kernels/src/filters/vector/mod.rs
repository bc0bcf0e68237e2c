//! The parts that the vector levels share, on every architecture.
//!
//! Loops, tiles and networks depend on the width of a vector and the order of items in it, but on
//! no instruction. They are macros, because a function with `#[target_feature]` cannot be generic
//! over its features; each level stamps them once, around its own loads, stores and permutations:
//!
//! ```text
//! window, network, blocks, pieces, repeat   -->  x86/sse2, x86/avx2, x86/avx512, aarch64/neon,
//!   across, xor, adler32 (not avx512)              wasm32/simd128 (functions of one level)
//!                                                          |
//! byte_shuffles, bits, delta, tiles         <--  x86/mod.rs, aarch64/mod.rs, wasm32/mod.rs
//!   (which of them, for which part of a block)     (the level's proof, calls by `call`)
//! ```

pub(crate) mod across;
pub(crate) mod adler32;
pub(crate) mod bits;
pub(crate) mod blocks;
pub(crate) mod byte_shuffles;
pub(crate) mod call;
pub(crate) mod delta;
#[cfg(target_arch = "x86_64")]
pub(crate) mod double_pieces;
pub(crate) mod has;
pub(crate) mod network;
pub(crate) mod pieces;
pub(crate) mod repeat;
pub(crate) mod scratch;
pub(crate) mod tiles;
pub(crate) mod window;
pub(crate) mod xor;
