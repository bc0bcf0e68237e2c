//! Room on the stack that kernels write before they read it.
//!
//! Clearing a tile first costs as much as writing it once more, and bytes without alignment make
//! every load and store of 64 of them cross a line: bitshuffle of 8 bytes in blocks of 16 KiB gains
//! a fifth without the one and as much without the other.

use core::mem::MaybeUninit;

/// `N` lines of 64 bytes, of no particular contents.
#[repr(align(64))]
pub(crate) struct Scratch<const N: usize>(MaybeUninit<[[u8; 64]; N]>);

impl<const N: usize> Scratch<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self(MaybeUninit::uninit())
    }

    /// The lines; what is in them is unspecified until it is written.
    #[inline(always)]
    pub(crate) fn lines(&mut self) -> &mut [[u8; 64]; N] {
        #[cfg(miri)]
        self.0.write([[0; 64]; N]);
        #[cfg(not(miri))]
        let start = self.0.as_mut_ptr();
        // SAFETY: nothing is executed; to the compiler, the lines may have been written.
        #[cfg(not(miri))]
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) start, options(nostack, preserves_flags));
        };
        // SAFETY: for all the compiler may assume, the assembly wrote all lines, and any byte is valid.
        unsafe { self.0.assume_init_mut() }
    }

    /// The lines as one slice of bytes.
    #[inline(always)]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        self.lines().as_flattened_mut()
    }
}
