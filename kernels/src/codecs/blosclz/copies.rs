//! Copying matches: the part of the decoder that depends on the instruction set.
//!
//! A match may overlap its own output. Distances shorter than a register become a pattern: the register holds the last
//! `distance` bytes over and over, and is stored at steps of a multiple of `distance`.

/// Bytes behind a match's end that [`Copies::copy`] may overwrite, and that must be there.
pub(super) const SLACK: usize = 64;

/// Copies matches.
pub(super) trait Copies: Copy {
    /// Appends `len` bytes at `to`, each the one `distance` before it.
    ///
    /// # Safety
    ///
    /// `distance` (1 or more) bytes before `to` are readable, `len + SLACK` bytes from `to` on are readable and
    /// writable, and the CPU has the instructions of the type.
    unsafe fn copy(to: *mut u8, distance: usize, len: usize);
}

/// Moves `N` bytes through registers: the places may overlap.
///
/// # Safety
///
/// `N` bytes are readable at `from` and writable at `to`.
#[inline(always)]
unsafe fn move_bytes<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    let bytes = unsafe { from.cast::<[u8; N]>().read() };
    // SAFETY: the caller's promise.
    unsafe { to.cast::<[u8; N]>().write(bytes) };
}

/// Appends `len` bytes in steps of `N`, for distances of `N` and more.
///
/// # Safety
///
/// As for [`Copies::copy`], and `N <= distance`, `N <= SLACK`.
#[inline(always)]
unsafe fn copy_steps<const N: usize>(to: *mut u8, distance: usize, len: usize) {
    let mut done = 0;
    loop {
        // SAFETY: `done < len` (or both are 0), inside by the caller's promise.
        let target = unsafe { to.add(done) };
        // SAFETY: `distance` bytes lie before `to`.
        let from = unsafe { target.sub(distance) };
        // SAFETY: at most `N <= SLACK` bytes beyond `len` are touched.
        unsafe { move_bytes::<N>(from, target) };
        done += N;
        if done >= len {
            break;
        }
    }
}

/// Whether [`copy_short`] takes a match.
#[inline(always)]
pub(super) fn is_short(distance: usize, len: usize) -> bool {
    (len <= 16) & (distance >= 8)
}

/// Appends a match of up to 16 bytes, 8 or more back, as one word or two.
///
/// What it copies was often written just before, by several stores: a load waits until all of them
/// that it touches are in the cache, and a wide load touches more. The second word goes where the
/// first went when one is enough: a branch in its place takes 1.2 to 1.4 times as long on planes
/// and text, and always a second word behind the first 1.7 times as long on records of 12 bytes.
///
/// # Safety
///
/// As for [`Copies::copy`], and [`is_short`].
#[inline(always)]
pub(super) unsafe fn copy_short(to: *mut u8, distance: usize, len: usize) {
    // SAFETY: `distance` bytes lie before `to`.
    let from = unsafe { to.sub(distance) };
    // SAFETY: 8 bytes before `to`, and SLACK behind it.
    unsafe { move_bytes::<8>(from, to) };
    let second = if len > 8 { 8 } else { 0 };
    // SAFETY: up to 8 bytes into the slack.
    let from = unsafe { from.add(second) };
    // SAFETY: inside the slack.
    let to = unsafe { to.add(second) };
    // SAFETY: as above.
    unsafe { move_bytes::<8>(from, to) };
}

/// Words of eight bytes, on every machine.
#[derive(Clone, Copy)]
pub(super) struct Words;

/// For each distance below 8, what spreads its bytes over a word by multiplication.
const SPREAD: [u64; 8] = {
    let mut spread = [0; 8];
    let mut distance = 1;
    while distance < 8 {
        let mut at = 0;
        while at < 8 {
            spread[distance] |= 1 << (8 * at);
            at += distance;
        }
        distance += 1;
    }
    spread
};

impl Copies for Words {
    #[inline(always)]
    unsafe fn copy(to: *mut u8, distance: usize, len: usize) {
        if distance >= 16 {
            // SAFETY: the caller's promise.
            unsafe { copy_steps::<16>(to, distance, len) };
        } else if distance >= 8 {
            // SAFETY: the caller's promise.
            unsafe { copy_steps::<8>(to, distance, len) };
        } else {
            // SAFETY: `distance` bytes lie before `to`.
            let from = unsafe { to.sub(distance) };
            // SAFETY: 8 bytes from there on are readable, SLACK of them behind `to`.
            let word = u64::from_le(unsafe { from.cast::<u64>().read_unaligned() });
            let kept = word & ((1 << (8 * distance)) - 1);
            let pattern = kept.wrapping_mul(SPREAD[distance % 8]).to_le();
            let step = 8 - 8 % distance;
            let mut done = 0;
            while done < len {
                // SAFETY: `done < len`, inside by the caller's promise.
                let target = unsafe { to.add(done) };
                // SAFETY: at most 8 bytes beyond `len`.
                unsafe { target.cast::<u64>().write_unaligned(pattern) };
                done += step;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        _mm_loadu_si128, _mm256_broadcastsi128_si256, _mm256_loadu_si256, _mm256_shuffle_epi8,
        _mm256_storeu_si256, _mm512_castsi128_si512, _mm512_loadu_si512, _mm512_permutexvar_epi8,
        _mm512_storeu_si512,
    };

    use super::{Copies, copy_steps};

    /// `at % distance` for every place of a register of `N` bytes, for distances up to `D - 1`; row 0 is unused.
    const fn patterns<const N: usize, const D: usize>() -> [[u8; N]; D] {
        let mut rows = [[0; N]; D];
        let mut distance = 1;
        while distance < D {
            let mut at = 0;
            let mut value = 0;
            while at < N {
                rows[distance][at] = value;
                value += 1;
                if value as usize == distance {
                    value = 0;
                }
                at += 1;
            }
            distance += 1;
        }
        rows
    }

    static PATTERNS_32: [[u8; 32]; 16] = patterns();
    static PATTERNS_64: [[u8; 64]; 65] = patterns();

    /// 32 bytes at once; distances below 16 by a shuffle.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2;

    impl Copies for Avx2 {
        #[inline(always)]
        unsafe fn copy(to: *mut u8, distance: usize, len: usize) {
            if distance >= 32 {
                // SAFETY: the caller's promise.
                unsafe { copy_steps::<32>(to, distance, len) };
            } else if distance >= 16 {
                // SAFETY: the caller's promise.
                unsafe { copy_steps::<16>(to, distance, len) };
            } else {
                // SAFETY: `distance` bytes lie before `to`.
                let from = unsafe { to.sub(distance) };
                // SAFETY: 16 bytes from there on are readable, SLACK of them behind `to`.
                let source = unsafe { _mm_loadu_si128(from.cast()) };
                // SAFETY: 32 bytes of the table.
                let places =
                    unsafe { _mm256_loadu_si256(PATTERNS_32[distance % 16].as_ptr().cast()) };
                // SAFETY: the caller's promise.
                let both = unsafe { _mm256_broadcastsi128_si256(source) };
                // SAFETY: the caller's promise.
                let pattern = unsafe { _mm256_shuffle_epi8(both, places) };
                let step = 32 - 32 % distance;
                let mut done = 0;
                while done < len {
                    // SAFETY: `done < len`, inside by the caller's promise.
                    let target = unsafe { to.add(done) };
                    // SAFETY: at most 32 bytes beyond `len`.
                    unsafe { _mm256_storeu_si256(target.cast(), pattern) };
                    done += step;
                }
            }
        }
    }

    /// 64 bytes at once, every distance below 64 by a permutation.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512;

    impl Copies for Avx512 {
        #[inline(always)]
        unsafe fn copy(to: *mut u8, distance: usize, len: usize) {
            // SAFETY: `distance` bytes lie before `to`.
            let from = unsafe { to.sub(distance) };
            if len > 64 && distance >= 64 {
                // SAFETY: the caller's promise.
                unsafe { copy_steps::<64>(to, distance, len) };
                return;
            }
            let source = if distance <= 16 {
                // A load of 64 would have to wait until the literals before `to` are in the cache.
                // SAFETY: 16 bytes from there on are readable, SLACK of them behind `to`.
                let narrow = unsafe { _mm_loadu_si128(from.cast()) };
                // SAFETY: the caller's promise.
                unsafe { _mm512_castsi128_si512(narrow) }
            } else {
                // SAFETY: 64 bytes from there on are readable, SLACK of them behind `to`.
                unsafe { _mm512_loadu_si512(from.cast()) }
            };
            let row = &PATTERNS_64[distance.min(64)];
            // SAFETY: 64 bytes of the table.
            let places = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
            // SAFETY: the caller's promise.
            let pattern = unsafe { _mm512_permutexvar_epi8(places, source) };
            // SAFETY: SLACK bytes are writable.
            unsafe { _mm512_storeu_si512(to.cast(), pattern) };
            if len <= 64 {
                return;
            }
            let step = 64 - 64 % distance;
            let mut done = step;
            while done < len {
                // SAFETY: `done < len`, inside by the caller's promise.
                let target = unsafe { to.add(done) };
                // SAFETY: at most 64 bytes beyond `len`.
                unsafe { _mm512_storeu_si512(target.cast(), pattern) };
                done += step;
            }
        }
    }
}
