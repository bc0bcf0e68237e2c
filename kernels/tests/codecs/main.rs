//! Codec kernels against naive decoders, other libraries and frozen bytes.

mod adler32;
mod blosclz;
mod deflate;
mod inflate;
mod levels;
mod lz4;
// Wasm loads no libraries.
#[cfg(not(target_family = "wasm"))]
mod lz4_c;
mod lz4_common;
mod ndlz;
mod zfp;
mod zstd;
#[cfg(not(emulated))]
mod zstd_c;
#[cfg(not(emulated))]
mod zstd_encode;

/// Whether a run without this kind of test data fails: `OXIBLOSC_REQUIRE` lists it, or is `all`.
pub(crate) fn is_required(kind: &str) -> bool {
    std::env::var("OXIBLOSC_REQUIRE").is_ok_and(|list| {
        list.split(',')
            .map(str::trim)
            .any(|of| of == kind || of == "all")
    })
}
