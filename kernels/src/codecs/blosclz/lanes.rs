//! How many bytes are compared at once: the part of the encoder that depends on the instruction set.

/// Compares bytes in lanes of [`Lanes::WIDTH`].
pub(super) trait Lanes: Copy {
    /// Bytes compared at once.
    const WIDTH: usize;

    /// The number of equal bytes at the front of `a[..WIDTH]` and `b[..WIDTH]`.
    ///
    /// # Safety
    ///
    /// `WIDTH` bytes are readable at both places, and the CPU has the instructions of the type.
    unsafe fn equal(a: *const u8, b: *const u8) -> usize;
}

/// Eight bytes in a general register.
#[derive(Clone, Copy)]
pub(super) struct Word;

impl Lanes for Word {
    const WIDTH: usize = 8;

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8) -> usize {
        // SAFETY: the caller's promise.
        let a = unsafe { a.cast::<u64>().read_unaligned() };
        // SAFETY: the caller's promise.
        let b = unsafe { b.cast::<u64>().read_unaligned() };
        (u64::from_le(a ^ b).trailing_zeros() / 8) as usize
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Sse2};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm256_cmpeq_epi8, _mm256_loadu_si256,
        _mm256_movemask_epi8,
    };

    use super::Lanes;

    /// 16 bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct Sse2;

    impl Lanes for Sse2 {
        const WIDTH: usize = 16;

        #[inline(always)]
        unsafe fn equal(a: *const u8, b: *const u8) -> usize {
            // SAFETY: the caller's promise.
            let a = unsafe { _mm_loadu_si128(a.cast()) };
            // SAFETY: the caller's promise.
            let b = unsafe { _mm_loadu_si128(b.cast()) };
            // SAFETY: the caller's promise.
            let equal = unsafe { _mm_cmpeq_epi8(a, b) };
            // SAFETY: the caller's promise.
            let mask = unsafe { _mm_movemask_epi8(equal) };
            (!mask).trailing_zeros() as usize
        }
    }

    /// 32 bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2;

    impl Lanes for Avx2 {
        const WIDTH: usize = 32;

        #[inline(always)]
        unsafe fn equal(a: *const u8, b: *const u8) -> usize {
            // SAFETY: the caller's promise.
            let a = unsafe { _mm256_loadu_si256(a.cast()) };
            // SAFETY: the caller's promise.
            let b = unsafe { _mm256_loadu_si256(b.cast()) };
            // SAFETY: the caller's promise.
            let equal = unsafe { _mm256_cmpeq_epi8(a, b) };
            // SAFETY: the caller's promise.
            let mask = unsafe { _mm256_movemask_epi8(equal) };
            (!mask).trailing_zeros() as usize
        }
    }
}
