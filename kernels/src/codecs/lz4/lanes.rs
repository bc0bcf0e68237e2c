//! The raw moves of the codec: fixed-width copies, the periodic copy, and comparison of two windows.
//!
//! Everything here works on pointers and trusts its caller; the loops in `decode`, `encode` and
//! `hc` prove the bounds once per sequence. [`Lanes`] is what differs between instruction sets:
//! how wide one move is, and how a vector is filled with a repeating pattern. Results never
//! depend on it.

/// Reads the `N` bytes at `from + at`.
///
/// # Safety
/// They are readable.
#[inline(always)]
pub(super) unsafe fn load<const N: usize>(from: *const u8, at: usize) -> [u8; N] {
    // SAFETY: the caller's promise.
    let from = unsafe { from.add(at) };
    // SAFETY: the caller's promise; the read is unaligned and any bytes are a value of `[u8; N]`.
    unsafe { from.cast::<[u8; N]>().read_unaligned() }
}

/// Writes `N` bytes at `to + at`.
///
/// # Safety
/// They are writable.
#[inline(always)]
pub(super) unsafe fn store<const N: usize>(to: *mut u8, at: usize, bytes: [u8; N]) {
    // SAFETY: the caller's promise.
    let to = unsafe { to.add(at) };
    // SAFETY: the caller's promise; the write is unaligned.
    unsafe { to.cast::<[u8; N]>().write_unaligned(bytes) }
}

/// One instruction set's vector.
pub(super) trait Lanes: Copy {
    /// Bytes per move.
    const WIDTH: usize;
    /// The vector.
    type Vector: Copy;

    /// Reads `WIDTH` bytes at `from + at`.
    ///
    /// # Safety
    /// They are readable and the instruction set is there.
    unsafe fn load(from: *const u8, at: usize) -> Self::Vector;

    /// Writes `WIDTH` bytes at `to + at`.
    ///
    /// # Safety
    /// They are writable and the instruction set is there.
    unsafe fn store(to: *mut u8, at: usize, bytes: Self::Vector);

    /// A vector whose byte `i` is byte `i % period` at `from + at`.
    ///
    /// # Safety
    /// `WIDTH` bytes are readable there, `1 <= period < WIDTH`, and the instruction set is there.
    unsafe fn repeat(from: *const u8, at: usize, period: usize) -> Self::Vector;

    /// A vector whose byte `i` is `bytes[i % period]`, for a period of 1 to 7.
    ///
    /// # Safety
    /// The instruction set is there.
    unsafe fn repeat_8(bytes: [u8; 8], period: usize) -> Self::Vector;

    /// Bytes that [`Self::differ`] compares.
    const WIDE: usize;

    /// One bit for each of the first `WIDE` bytes at `a + at` and `b + at`: set where they differ.
    ///
    /// # Safety
    /// `WIDE` bytes are readable at both and the instruction set is there.
    unsafe fn differ(a: *const u8, b: *const u8, at: usize) -> u64;
}

/// `TABLE[p][i] = i % p` for `1 <= p < N`; row 0 is unused.
const fn modulo_table<const N: usize>() -> [[u8; N]; N] {
    let mut table = [[0; N]; N];
    let mut period = 1;
    while period < N {
        let mut value = 0u8;
        let mut i = 0;
        while i < N {
            table[period][i] = value;
            value += 1;
            if value as usize == period {
                value = 0;
            }
            i += 1;
        }
        period += 1;
    }
    table
}

/// The largest multiple of `p` that is at most `N`: how far one pattern store moves forward.
pub(super) const fn stride_table<const N: usize>() -> [u8; N] {
    let mut table = [0; N];
    let mut period = 1;
    while period < N {
        let stride = N - N % period;
        assert!(stride <= 255, "a vector is at most 128 bytes");
        #[expect(clippy::cast_possible_truncation, reason = "asserted above")]
        {
            table[period] = stride as u8;
        }
        period += 1;
    }
    table
}

/// 16-byte moves with what every target has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

static MODULO_16: [[u8; 16]; 16] = modulo_table();

impl Lanes for Portable {
    const WIDTH: usize = 16;
    const WIDE: usize = 16;
    type Vector = [u8; 16];

    #[inline(always)]
    unsafe fn load(from: *const u8, at: usize) -> [u8; 16] {
        // SAFETY: the caller's promise.
        unsafe { load(from, at) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, at: usize, bytes: [u8; 16]) {
        // SAFETY: the caller's promise.
        unsafe { store(to, at, bytes) }
    }

    #[inline(always)]
    unsafe fn repeat(from: *const u8, at: usize, period: usize) -> [u8; 16] {
        // SAFETY: the caller's promise: 16 readable bytes.
        let bytes: [u8; 16] = unsafe { load(from, at) };
        MODULO_16[period & 15].map(|i| bytes[usize::from(i & 15)])
    }

    #[inline(always)]
    unsafe fn repeat_8(bytes: [u8; 8], period: usize) -> [u8; 16] {
        MODULO_16[period & 7].map(|i| bytes[usize::from(i & 7)])
    }

    #[inline(always)]
    unsafe fn differ(a: *const u8, b: *const u8, at: usize) -> u64 {
        // SAFETY: the caller's promise.
        let a: [u8; 16] = unsafe { load(a, at) };
        // SAFETY: the caller's promise.
        let b: [u8; 16] = unsafe { load(b, at) };
        let mut bits = 0;
        for i in 0..16 {
            bits |= u64::from(a[i] != b[i]) << i;
        }
        bits
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Lanes, modulo_table};
    use core::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_permute2x128_si256, _mm256_permutexvar_epi8, _mm256_set1_epi8,
        _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_storeu_si256, _mm512_cmpneq_epi8_mask,
        _mm512_loadu_si512,
    };

    static MODULO_32: [[u8; 32]; 32] = modulo_table();

    /// Reads 32 bytes at `from + at`.
    ///
    /// # Safety
    /// They are readable and AVX is there.
    #[inline(always)]
    unsafe fn load_256(from: *const u8, at: usize) -> __m256i {
        // SAFETY: the caller's promise.
        let from = unsafe { from.add(at) };
        // SAFETY: the caller's promise; the load is unaligned.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    /// One bit for each of the first 32 bytes: set where they differ.
    ///
    /// # Safety
    /// 32 bytes are readable at both and AVX2 is there.
    #[inline(always)]
    unsafe fn differ_256(a: *const u8, b: *const u8, at: usize) -> u32 {
        // SAFETY: the caller's promise.
        let a = unsafe { load_256(a, at) };
        // SAFETY: the caller's promise.
        let b = unsafe { load_256(b, at) };
        // SAFETY: AVX2.
        let equal = unsafe { _mm256_cmpeq_epi8(a, b) };
        // SAFETY: AVX2.
        let mask = unsafe { _mm256_movemask_epi8(equal) };
        !mask.cast_unsigned()
    }

    /// The row of [`MODULO_32`] for `period`.
    ///
    /// # Safety
    /// AVX is there.
    #[inline(always)]
    unsafe fn modulo_row(period: usize) -> __m256i {
        let row = &MODULO_32[period & 31];
        // SAFETY: a row is 32 bytes.
        unsafe { load_256(row.as_ptr(), 0) }
    }

    /// Both lanes hold the 8 bytes, so that an in-lane shuffle reaches them.
    ///
    /// # Safety
    /// AVX2 is there.
    #[inline(always)]
    unsafe fn repeat_8_256(bytes: [u8; 8], period: usize) -> __m256i {
        // SAFETY: AVX2.
        let all = unsafe { _mm256_set1_epi64x(i64::from_le_bytes(bytes)) };
        // SAFETY: AVX2.
        let index = unsafe { modulo_row(period & 7) };
        // SAFETY: AVX2.
        unsafe { _mm256_shuffle_epi8(all, index) }
    }

    /// 32-byte moves; the pattern is two in-lane shuffles.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2;

    impl Lanes for Avx2 {
        const WIDTH: usize = 32;
        const WIDE: usize = 32;
        type Vector = __m256i;

        #[inline(always)]
        unsafe fn load(from: *const u8, at: usize) -> __m256i {
            // SAFETY: the caller's promise.
            unsafe { load_256(from, at) }
        }

        #[inline(always)]
        unsafe fn store(to: *mut u8, at: usize, bytes: __m256i) {
            // SAFETY: the caller's promise.
            let to = unsafe { to.add(at) };
            // SAFETY: the caller's promise; the store is unaligned.
            unsafe { _mm256_storeu_si256(to.cast(), bytes) }
        }

        #[inline(always)]
        unsafe fn repeat(from: *const u8, at: usize, period: usize) -> __m256i {
            // SAFETY: the caller's promise: 32 readable bytes.
            let bytes = unsafe { load_256(from, at) };
            // SAFETY: the caller's promise: AVX2.
            let index = unsafe { modulo_row(period) };
            // `vpshufb` gives zero where bit 7 of the index is set, else takes the low four bits:
            // + 0x70 sets bit 7 for 16..32, - 16 sets it for 0..16.
            // SAFETY: AVX2 (this and the following).
            let low_half = unsafe { _mm256_permute2x128_si256::<0x00>(bytes, bytes) };
            // SAFETY: AVX2.
            let high_half = unsafe { _mm256_permute2x128_si256::<0x11>(bytes, bytes) };
            // SAFETY: AVX2.
            let to_low = unsafe { _mm256_set1_epi8(0x70) };
            // SAFETY: AVX2.
            let to_high = unsafe { _mm256_set1_epi8(-16) };
            // SAFETY: AVX2.
            let low_index = unsafe { _mm256_add_epi8(index, to_low) };
            // SAFETY: AVX2.
            let high_index = unsafe { _mm256_add_epi8(index, to_high) };
            // SAFETY: AVX2.
            let low = unsafe { _mm256_shuffle_epi8(low_half, low_index) };
            // SAFETY: AVX2.
            let high = unsafe { _mm256_shuffle_epi8(high_half, high_index) };
            // SAFETY: AVX2.
            unsafe { _mm256_or_si256(low, high) }
        }

        #[inline(always)]
        unsafe fn repeat_8(bytes: [u8; 8], period: usize) -> __m256i {
            // SAFETY: the caller's promise: AVX2.
            unsafe { repeat_8_256(bytes, period) }
        }

        #[inline(always)]
        unsafe fn differ(a: *const u8, b: *const u8, at: usize) -> u64 {
            // SAFETY: the caller's promise.
            u64::from(unsafe { differ_256(a, b, at) })
        }
    }

    /// 32-byte moves; the pattern is one `vpermb` (VBMI).
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512;

    impl Lanes for Avx512 {
        const WIDTH: usize = 32;
        const WIDE: usize = 64;
        type Vector = __m256i;

        #[inline(always)]
        unsafe fn load(from: *const u8, at: usize) -> __m256i {
            // SAFETY: the caller's promise.
            unsafe { load_256(from, at) }
        }

        #[inline(always)]
        unsafe fn store(to: *mut u8, at: usize, bytes: __m256i) {
            // SAFETY: the caller's promise.
            let to = unsafe { to.add(at) };
            // SAFETY: the caller's promise; the store is unaligned.
            unsafe { _mm256_storeu_si256(to.cast(), bytes) }
        }

        #[inline(always)]
        unsafe fn repeat(from: *const u8, at: usize, period: usize) -> __m256i {
            // SAFETY: the caller's promise: 32 readable bytes.
            let bytes = unsafe { load_256(from, at) };
            // SAFETY: the caller's promise: AVX.
            let index = unsafe { modulo_row(period) };
            // SAFETY: the caller's promise: AVX-512 VBMI and VL.
            unsafe { _mm256_permutexvar_epi8(index, bytes) }
        }

        #[inline(always)]
        unsafe fn repeat_8(bytes: [u8; 8], period: usize) -> __m256i {
            // SAFETY: the caller's promise: AVX2.
            unsafe { repeat_8_256(bytes, period) }
        }

        #[inline(always)]
        unsafe fn differ(a: *const u8, b: *const u8, at: usize) -> u64 {
            // SAFETY: the caller's promise.
            let a = unsafe { a.add(at) };
            // SAFETY: the caller's promise.
            let b = unsafe { b.add(at) };
            // SAFETY: the caller's promise; the load is unaligned.
            let a = unsafe { _mm512_loadu_si512(a.cast()) };
            // SAFETY: the caller's promise; the load is unaligned.
            let b = unsafe { _mm512_loadu_si512(b.cast()) };
            // SAFETY: AVX-512 BW.
            unsafe { _mm512_cmpneq_epi8_mask(a, b) }
        }
    }
}
