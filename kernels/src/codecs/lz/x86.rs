//! Vectors of 32 and 64 bytes.

use core::arch::x86_64::{
    __m256i, __m512i, _MM_HINT_T0, _bzhi_u32, _mm_loadu_si128, _mm_prefetch, _mm256_add_epi8,
    _mm256_and_si256, _mm256_blend_epi32, _mm256_broadcastsi128_si256, _mm256_castsi256_ps,
    _mm256_cmpeq_epi8, _mm256_cmpeq_epi32, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_movemask_ps, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_permutevar8x32_epi32,
    _mm256_permutexvar_epi8, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_set1_epi64x,
    _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
    _mm256_xor_si256, _mm512_alignr_epi32, _mm512_castsi128_si512, _mm512_cmpneq_epi8_mask,
    _mm512_loadu_si512, _mm512_permutexvar_epi8, _mm512_set1_epi32, _mm512_storeu_si512,
    _mm512_testn_epi32_mask, _mm512_xor_si512,
};

use super::Lanes;
use super::raw::steps;
use super::tables::{STRIDES_32, patterns, strides};
use crate::filters::level::Level as _;
use crate::filters::x86::{Avx2, Avx512};

static PATTERNS_32: [[u8; 32]; 32] = patterns();
static PATTERNS_64: [[u8; 64]; 65] = patterns();
static STRIDES_64: [u8; 65] = strides::<64, 65>();

#[inline]
#[target_feature(enable = "avx")]
fn row_256(row: &[u8; 32]) -> __m256i {
    // SAFETY: the row has 32 bytes.
    unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn row_512(row: &[u8; 64]) -> __m512i {
    // SAFETY: the row has 64 bytes.
    unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
}

/// Both lanes hold the 8 bytes, so that an in-lane shuffle reaches them.
#[inline]
#[target_feature(enable = "avx2")]
fn repeat_8_256(bytes: [u8; 8], period: usize) -> __m256i {
    let all = _mm256_set1_epi64x(i64::from_le_bytes(bytes));
    _mm256_shuffle_epi8(all, row_256(&PATTERNS_32[period & 7]))
}

/// One instruction; the compiler masks the count of the expression of all targets.
#[inline]
#[target_feature(enable = "bmi2")]
fn low_bits(word: u32, count: u32) -> u32 {
    _bzhi_u32(word, count)
}

/// 32-byte moves; the pattern is two in-lane shuffles.
impl Lanes for Avx2 {
    const WIDTH: usize = 32;
    const WIDE: usize = 32;
    const BITS: usize = 1;
    const FOLDS: bool = false;
    type Vector = __m256i;

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load(self, from: *const u8) -> __m256i {
        // SAFETY: `WIDTH` is 32; the load is unaligned.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(self, to: *mut u8, bytes: __m256i) {
        // SAFETY: `WIDTH` is 32; the store is unaligned.
        unsafe { _mm256_storeu_si256(to.cast(), bytes) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn repeat(self, from: *const u8, period: usize) -> __m256i {
        // SAFETY: `WIDTH` is 32.
        let bytes = unsafe { _mm256_loadu_si256(from.cast()) };
        let index = row_256(&PATTERNS_32[period & 31]);
        // `vpshufb` gives zero where bit 7 of the index is set, else takes the low four bits:
        // + 0x70 sets bit 7 for 16..32, - 16 sets it for 0..16.
        let low_half = _mm256_permute2x128_si256::<0x00>(bytes, bytes);
        let high_half = _mm256_permute2x128_si256::<0x11>(bytes, bytes);
        let low_index = _mm256_add_epi8(index, _mm256_set1_epi8(0x70));
        let high_index = _mm256_add_epi8(index, _mm256_set1_epi8(-16));
        let low = _mm256_shuffle_epi8(low_half, low_index);
        let high = _mm256_shuffle_epi8(high_half, high_index);
        _mm256_or_si256(low, high)
    }

    #[inline(always)]
    fn repeat_8(self, bytes: [u8; 8], period: usize) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { repeat_8_256(bytes, period) }
    }

    #[inline(always)]
    fn low_bits(self, word: u32, count: u32) -> u32 {
        // SAFETY: `self` proves BMI2.
        unsafe { low_bits(word, count) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn differ(self, a: *const u8, b: *const u8) -> u64 {
        // SAFETY: `WIDE` is 32.
        let a = unsafe { _mm256_loadu_si256(a.cast()) };
        // SAFETY: `WIDE` is 32.
        let b = unsafe { _mm256_loadu_si256(b.cast()) };
        let equal = _mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b));
        u64::from(!equal.cast_unsigned())
    }

    /// 32 bytes at once; distances below 16 by a shuffle.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn copy_match(self, to: *mut u8, distance: usize, len: usize) {
        if distance >= 32 {
            // SAFETY: the contract, and 32 bytes are at most `distance` and `SLACK`.
            unsafe { steps::<32>(to, distance, len) };
        } else if distance >= 16 {
            // SAFETY: the contract, and 16 bytes are at most `distance` and `SLACK`.
            unsafe { steps::<16>(to, distance, len) };
        } else {
            let from = to.wrapping_sub(distance);
            // SAFETY: `distance` bytes lie before `to`, and `SLACK` after it.
            let source = unsafe { _mm_loadu_si128(from.cast()) };
            let both = _mm256_broadcastsi128_si256(source);
            let pattern = _mm256_shuffle_epi8(both, row_256(&PATTERNS_32[distance % 16]));
            let stride = usize::from(STRIDES_32[distance % 16]);
            let mut done = 0;
            while done < len {
                // SAFETY: `done < len`, and the store ends at most `SLACK` bytes after `len`.
                unsafe { self.store(to.wrapping_add(done), pattern) };
                done += stride;
            }
        }
    }

    #[inline(always)]
    fn prefetch(self, row: &[u32; 16]) {
        ask_for(row);
    }

    #[inline(always)]
    fn push(self, row: &mut [u32; 16], new: u32, mask: u32) -> u32 {
        // SAFETY: `self` proves AVX2.
        unsafe { push_256(row, new, mask) }
    }
}

/// [`Lanes::prefetch`], for which every x86-64 has an instruction.
#[inline(always)]
fn ask_for(row: &[u32; 16]) {
    // SAFETY: it is a hint: no address is invalid.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(row.as_ptr().cast()) };
}

/// [`Lanes::push`] with two vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn push_256(row: &mut [u32; 16], new: u32, mask: u32) -> u32 {
    let rotate = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    let all = _mm256_set1_epi32(new.cast_signed());
    let mask = _mm256_set1_epi32(mask.cast_signed());
    let [near, far]: &mut [[u32; 8]; 2] = bytemuck::cast_mut(row);
    let (one, other): (__m256i, __m256i) = (bytemuck::cast(*near), bytemuck::cast(*far));
    let one = _mm256_permutevar8x32_epi32(one, rotate);
    let other = _mm256_permutevar8x32_epi32(other, rotate);
    let other = _mm256_blend_epi32::<1>(other, one);
    let one = _mm256_blend_epi32::<1>(one, all);
    (*near, *far) = (bytemuck::cast(one), bytemuck::cast(other));
    let agree = |entries| {
        let differ = _mm256_and_si256(_mm256_xor_si256(entries, all), mask);
        let equal = _mm256_cmpeq_epi32(differ, _mm256_setzero_si256());
        _mm256_movemask_ps(_mm256_castsi256_ps(equal)).cast_unsigned()
    };
    (agree(one) | agree(other) << 8) & !1
}

/// 32-byte moves; the pattern is one `vpermb` (VBMI).
impl Lanes for Avx512 {
    const WIDTH: usize = 32;
    const WIDE: usize = 64;
    const BITS: usize = 1;
    type Vector = __m256i;

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load(self, from: *const u8) -> __m256i {
        // SAFETY: `WIDTH` is the same.
        unsafe { self.lower().lower().load(from) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(self, to: *mut u8, bytes: __m256i) {
        // SAFETY: `WIDTH` is the same.
        unsafe { self.lower().lower().store(to, bytes) }
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512vl,avx512vbmi")]
    unsafe fn repeat(self, from: *const u8, period: usize) -> __m256i {
        // SAFETY: `WIDTH` is 32.
        let bytes = unsafe { _mm256_loadu_si256(from.cast()) };
        _mm256_permutexvar_epi8(row_256(&PATTERNS_32[period & 31]), bytes)
    }

    #[inline(always)]
    fn repeat_8(self, bytes: [u8; 8], period: usize) -> __m256i {
        self.lower().lower().repeat_8(bytes, period)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn differ(self, a: *const u8, b: *const u8) -> u64 {
        // SAFETY: `WIDE` is 64.
        let a = unsafe { _mm512_loadu_si512(a.cast()) };
        // SAFETY: `WIDE` is 64.
        let b = unsafe { _mm512_loadu_si512(b.cast()) };
        _mm512_cmpneq_epi8_mask(a, b)
    }

    /// 64 bytes at once, every distance below 64 by a permutation.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    unsafe fn copy_match(self, to: *mut u8, distance: usize, len: usize) {
        let from = to.wrapping_sub(distance);
        if len > 64 && distance >= 64 {
            // SAFETY: the contract, and 64 bytes are at most `distance` and `SLACK`.
            unsafe { steps::<64>(to, distance, len) };
            return;
        }
        let source = if distance <= 16 {
            // A load of 64 bytes would wait until the literals before `to` are in the cache.
            // SAFETY: `distance` bytes lie before `to`, and `SLACK` after it.
            _mm512_castsi128_si512(unsafe { _mm_loadu_si128(from.cast()) })
        } else {
            // SAFETY: `distance` bytes lie before `to`, and `SLACK` after it.
            unsafe { _mm512_loadu_si512(from.cast()) }
        };
        let nearest = distance.min(64);
        let pattern = _mm512_permutexvar_epi8(row_512(&PATTERNS_64[nearest]), source);
        // SAFETY: `SLACK` bytes are writable.
        unsafe { _mm512_storeu_si512(to.cast(), pattern) };
        if len <= 64 {
            return;
        }
        let stride = usize::from(STRIDES_64[nearest]);
        let mut done = stride;
        while done < len {
            // SAFETY: `done < len`, and the store ends at most `SLACK` bytes after `len`.
            unsafe { _mm512_storeu_si512(to.wrapping_add(done).cast(), pattern) };
            done += stride;
        }
    }

    #[inline(always)]
    fn prefetch(self, row: &[u32; 16]) {
        ask_for(row);
    }

    #[inline(always)]
    fn push(self, row: &mut [u32; 16], new: u32, mask: u32) -> u32 {
        // SAFETY: `self` proves AVX-512.
        unsafe { push_512(row, new, mask) }
    }
}

/// [`Lanes::push`] with one vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn push_512(row: &mut [u32; 16], new: u32, mask: u32) -> u32 {
    let all = _mm512_set1_epi32(new.cast_signed());
    let entries = _mm512_alignr_epi32::<15>(bytemuck::cast(*row), all);
    *row = bytemuck::cast(entries);
    let differ = _mm512_xor_si512(entries, all);
    let agree = _mm512_testn_epi32_mask(differ, _mm512_set1_epi32(mask.cast_signed()));
    u32::from(agree) & !1
}
