//! Scratch buffers on the stack that kernels write before they read.
//!
//! Clearing a tile costs as much as writing it once more, and without alignment every load and
//! store of 64 bytes crosses a line: bitshuffle of 8 bytes in blocks of 16 KiB gains a fifth from
//! each.
//!
//! This is the one argument for soundness in the crate that a checker cannot follow. An empty
//! assembly statement that may write the buffer makes its bytes initialised, with unspecified
//! values, to the compiler. Miri and sanitizers of uninitialised memory know nothing of it; under
//! Miri, and where the language has no assembly, the buffer is cleared instead.

use core::mem::MaybeUninit;

/// `N` lines of 64 bytes, of no particular contents.
#[repr(align(64))]
pub(crate) struct Scratch<const N: usize>(MaybeUninit<[[u8; 64]; N]>);

impl<const N: usize> Scratch<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self(MaybeUninit::uninit())
    }

    /// The lines; their contents are unspecified until they are written.
    #[inline(always)]
    pub(crate) fn lines(&mut self) -> &mut [[u8; 64]; N] {
        #[cfg(any(miri, target_arch = "wasm32"))]
        self.0.write([[0; 64]; N]);
        #[cfg(not(any(miri, target_arch = "wasm32")))]
        let start = self.0.as_mut_ptr();
        // SAFETY: the statement has no instruction; it only takes the address of the buffer, which
        // to the compiler is a write of unspecified bytes.
        #[cfg(not(any(miri, target_arch = "wasm32")))]
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) start, options(nostack, preserves_flags));
        };
        // SAFETY: the lines are written, or may be to the compiler, and any bytes are valid `u8`s.
        unsafe { self.0.assume_init_mut() }
    }

    /// The lines as one slice of bytes.
    #[inline(always)]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        self.lines().as_flattened_mut()
    }
}
