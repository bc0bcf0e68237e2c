//! The Blosc2 format: chunks, frames and n-dimensional arrays, byte by byte.
//!
//! This page specifies the data that this crate reads and writes. It is complete enough to write an
//! independent implementation from it. Comments and docs of this crate cite it by section number,
//! as in "format §2.5"; the anchor of a section is its number: `format/index.html#2.5`.
//!
//! ```text
//! store   = frames and chunks in folders, archives and other files         chapter 17
//! array   = frame + metalayer "b2nd"                                       chapter 11
//! frame   = header | chunks | index | trailer                              chapters 9, 10
//! chunk   = header | block offsets | dictionary? | blocks                  chapters 1, 4, 8
//! block   = streams of the filtered data                                   chapters 2, 3, 5
//! stream  = size | bytes of a codec                                        chapters 2, 6, 7
//! ```
//!
//! | chapter | subject |
//! |---|---|
//! | [1](#1) | chunk header |
//! | [2](#2) | blocks and streams |
//! | [3](#3) | automatic block size |
//! | [4](#4) | special-value chunks |
//! | [5](#5) | filters |
//! | [6](#6) | BloscLZ |
//! | [7](#7) | other codecs, dictionaries, codec ids |
//! | [8](#8) | variable-length blocks, lazy chunks, partial and masked decoding |
//! | [9](#9) | contiguous frames |
//! | [10](#10) | sparse frames |
//! | [11](#11) | n-dimensional arrays |
//! | [12](#12) | validation and malformed input |
//! | [13](#13) | differences from other published descriptions |
//! | [14](#14) | defects of C-Blosc2, and where this crate deviates |
//! | [15](#15) | test vectors |
//! | [16](#16) | open questions |
//! | [17](#17) | stores: bundles of python-blosc2, Zarr, bloscpack, ASDF, N5, `OpenVDB` |
//!
//! # Conventions
//!
//! *C-Blosc2* is release 3.3.5 on x86-64 Linux unless another version is named; statements on its
//! behaviour were established by experiments with that binary. Statements on Blosc1 and on the
//! 2.0.0 alphas and betas were established with builds of the named releases. *Untested* marks
//! statements taken from release notes or documentation only.
//!
//! Sizes and offsets are in bytes. Offsets and bytes in tables are hexadecimal where they start
//! with `0x` or stand in `code`. `⌈ ⌉` and `⌊ ⌋` round up and down, `//` is integer division, `%`
//! the remainder, `a[i..j)` the elements `i` to `j - 1`, and `t` a typesize. *Must* marks a
//! requirement of interoperability, *should* a recommendation that this crate follows.
#![expect(
    clippy::doc_markdown,
    reason = "names of the format are no items of this crate"
)]
#![doc = include_str!("01_chunk_header.md")]
#![doc = include_str!("02_blocks_and_streams.md")]
#![doc = include_str!("03_block_size.md")]
#![doc = include_str!("04_special_values.md")]
#![doc = include_str!("05_filters.md")]
#![doc = include_str!("06_blosclz.md")]
#![doc = include_str!("07_codecs.md")]
#![doc = include_str!("08_variable_length_blocks.md")]
#![doc = include_str!("09_contiguous_frame.md")]
#![doc = include_str!("10_sparse_frame.md")]
#![doc = include_str!("11_arrays.md")]
#![doc = include_str!("12_validation.md")]
#![doc = include_str!("13_other_descriptions.md")]
#![doc = include_str!("14_deviations.md")]
#![doc = include_str!("15_test_vectors.md")]
#![doc = include_str!("16_open_questions.md")]
#![doc = include_str!("17_stores.md")]
