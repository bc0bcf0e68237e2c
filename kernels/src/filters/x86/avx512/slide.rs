//! The running XOR of elements of 2, 4 and 8 bytes by sliding sums.
//!
//! With `s[i]` the XOR of the elements in the last 64 bytes up to `x[i]` the running XOR is
//! `y[i] = y[i - n] ^ s[i]`, `n` being the elements of a register: one XOR per register in the
//! dependency chain. A sum doubles its elements by XOR with the sum that many elements earlier:
//!
//! ```text
//! x[i] ^ x[i-1]         the second operand is loaded, `W` bytes before the first
//!   ^ the same 2 earlier   shifted in from the previous register, here and below
//!   ^ the same 4 earlier   ... up to 32 bytes
//! ```
//!
//! The load saves a permutation, of which two run per cycle. Registers are interleaved, step by
//! step, as a step has a latency of eight cycles. An XOR has two: with elements of 8 bytes, where
//! the XOR is all that is in the chain, two chains alternate.

use core::arch::x86_64::{
    __m512i, _mm512_alignr_epi32, _mm512_alignr_epi64, _mm512_permutex2var_epi16,
    _mm512_setzero_si512, _mm512_xor_si512,
};

use super::permute::{Index, byte};
use super::{load, store};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::window::window;

/// Larger blocks come from the second-level cache: there elements of 8 bytes are processed eight
/// registers at a time, otherwise sixteen.
const LARGE: usize = 48 << 10;

/// The state that earlier registers pass to later ones.
struct Before {
    /// The last register, unchanged.
    raw: __m512i,
    /// Its sums of 4, 8, 16, 32 and 64 bytes.
    sums: [__m512i; 5],
    /// The results before its own, and its own.
    results: [__m512i; 2],
}

/// For two-source permutations of words: the word before every one.
const fn previous_word() -> Index {
    let mut index = [0; 64];
    let mut word = 0;
    while word < 32 {
        index[2 * word] = byte(31 + word);
        word += 1;
    }
    index
}

/// The bytes `DISTANCE` before those of `x`, the last ones of `before` in front.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn shifted<const DISTANCE: usize>(x: __m512i, before: __m512i) -> __m512i {
    const { assert!(matches!(DISTANCE, 2 | 4 | 8 | 16 | 32)) }
    match DISTANCE {
        2 => _mm512_permutex2var_epi16(before, load(&const { previous_word() }), x),
        4 => _mm512_alignr_epi32::<15>(x, before),
        8 => _mm512_alignr_epi64::<7>(x, before),
        16 => _mm512_alignr_epi64::<6>(x, before),
        _ => _mm512_alignr_epi64::<4>(x, before),
    }
}

/// `sum ^ a ^ b`, written over `sum`.
///
/// The compiler overwrites any of the three. On Zen 5 a chain of these is a quarter faster where
/// each result overwrites the previous one.
#[target_feature(enable = "avx512f")]
#[inline]
fn accumulate(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    #[cfg(miri)]
    return _mm512_xor_si512(sum, _mm512_xor_si512(a, b));
    #[cfg(not(miri))]
    {
        let mut sum = sum;
        // SAFETY: `avx512f`, which this function enables, has the instruction; it reads and writes
        // its register operands only.
        unsafe {
            core::arch::asm!(
                "vpternlogq {}, {}, {}, 0x96",
                inout(zmm_reg) sum,
                in(zmm_reg) a,
                in(zmm_reg) b,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        sum
    }
}

/// Sums of `DISTANCE` bytes to sums of twice as many; `before` is the last one of the registers
/// before.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn double<const DISTANCE: usize, const N: usize>(sums: &mut [__m512i; N], before: &mut __m512i) {
    unrolled!(K => if K < N {
        let sum = sums[K];
        sums[K] = _mm512_xor_si512(sum, shifted::<DISTANCE>(sum, *before));
        *before = sum;
    });
}

/// `N` registers.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn registers<const W: usize, const N: usize>(before: &mut Before, block: &mut [[u8; 64]; N]) {
    const { assert!(matches!(W, 2 | 4 | 8) && (N == 1 || N.is_multiple_of(2))) }
    let bytes = block.as_flattened();
    let mut sums = [before.raw; N];
    unrolled!(K => if K < N {
        let x = load(window(bytes, 64 * K));
        let earlier = if K == 0 {
            shifted::<W>(x, before.raw)
        } else {
            load(window(bytes, 64 * K - W))
        };
        sums[K] = _mm512_xor_si512(x, earlier);
        before.raw = x;
    });
    if W <= 2 {
        double::<4, N>(&mut sums, &mut before.sums[0]);
    }
    if W <= 4 {
        double::<8, N>(&mut sums, &mut before.sums[1]);
    }
    double::<16, N>(&mut sums, &mut before.sums[2]);
    if W < 8 || N == 1 {
        unrolled!(K => if K < N {
            let (sum, before_it) = (sums[K], before.sums[3]);
            before.sums[3] = sum;
            let earlier = shifted::<32>(sum, before_it);
            before.results[0] = before.results[1];
            before.results[1] = accumulate(before.results[1], sum, earlier);
            before.sums[4] = _mm512_xor_si512(sum, earlier);
            store(before.results[1], &mut block[K]);
        });
        return;
    }
    double::<32, N>(&mut sums, &mut before.sums[3]);
    unrolled!(K => if K < N {
        let result = accumulate(before.results[K % 2], before.sums[4], sums[K]);
        before.results[K % 2] = result;
        before.sums[4] = sums[K];
        store(result, &mut block[K]);
    });
}

/// The running XOR of elements of `W` bytes in whole registers; returns their number of bytes.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn running<const W: usize>(block: &mut [u8]) -> usize {
    let zero = _mm512_setzero_si512();
    let mut before = Before {
        raw: zero,
        sums: [zero; 5],
        results: [zero; 2],
    };
    let (all, _) = block.as_chunks_mut::<64>();
    let done = all.len() * 64;
    let rest = if W == 4 || (W == 8 && done > LARGE) {
        let (eights, rest) = all.as_chunks_mut::<8>();
        for eight in eights {
            registers::<W, 8>(&mut before, eight);
        }
        rest
    } else {
        let (sixteens, rest) = all.as_chunks_mut::<16>();
        for sixteen in sixteens {
            registers::<W, 16>(&mut before, sixteen);
        }
        rest
    };
    for one in rest.as_chunks_mut::<1>().0 {
        registers::<W, 1>(&mut before, one);
    }
    done
}
