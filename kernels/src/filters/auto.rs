//! Portable loops that the compiler vectorises, stamped once per level.
//!
//! The bodies are the scalar kernels, inlined into functions that `multiversion` compiles with a
//! level's instructions. A byte-wise difference or an AND is bound by memory, and intrinsics are no
//! faster. Dispatch stays with the level's token: only the attribute of `multiversion` is used, not
//! its run-time selection.

use crate::filters::scalar::{bytedelta, truncate};

macro_rules! shells {
    ($module:ident, $target:literal) => {
        pub(crate) mod $module {
            /// Clears the low bits of every element.
            #[multiversion::target($target)]
            pub(crate) unsafe fn truncate(
                typesize: usize,
                zeroed: u32,
                src: &[u8],
                dst: &mut [u8],
            ) {
                super::truncate::truncate_inline(typesize, zeroed, src, dst);
            }

            /// The differences of every plane.
            #[multiversion::target($target)]
            pub(crate) unsafe fn bytedelta(typesize: usize, src: &[u8], dst: &mut [u8]) {
                super::bytedelta::encode_inline(typesize, src, dst);
            }
        }
    };
}

shells!(avx2, "x86_64+avx2");
shells!(avx512, "x86_64+avx512f+avx512bw+avx512vl");
