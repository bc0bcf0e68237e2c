//! Common bytes of two slices.

use super::{Lanes, load};

/// How many bytes at the front of `a` and `b` agree.
#[inline(always)]
pub(crate) fn prefix<L: Lanes>(lanes: L, a: &[u8], b: &[u8]) -> usize {
    // SAFETY: both slices have so many bytes.
    unsafe { prefix_at(lanes, a.as_ptr(), b.as_ptr(), a.len().min(b.len())) }
}

/// How many of the `len` bytes at `a` and `b` agree, from the first one on.
///
/// # Safety
/// `len` bytes are readable at both.
#[inline(always)]
pub(crate) unsafe fn prefix_at<L: Lanes>(
    lanes: L,
    a: *const u8,
    b: *const u8,
    len: usize,
) -> usize {
    let mut done = 0;
    while done + L::WIDE <= len {
        // SAFETY: done + WIDE <= len.
        let differ = unsafe { lanes.differ(a.wrapping_add(done), b.wrapping_add(done)) };
        // A branch, not `done += same`: the next load then does not wait for this comparison.
        if differ != 0 {
            return done + differ.trailing_zeros() as usize / L::BITS;
        }
        done += L::WIDE;
    }
    while done + 8 <= len {
        // SAFETY: done + 8 <= len.
        let differ = unsafe { xor(a.wrapping_add(done), b.wrapping_add(done)) };
        if differ != 0 {
            return done + (differ.trailing_zeros() / 8) as usize;
        }
        done += 8;
    }
    while done < len {
        // SAFETY: done < len.
        let (x, y) = unsafe { pair::<1>(a.wrapping_add(done), b.wrapping_add(done)) };
        if x != y {
            break;
        }
        done += 1;
    }
    done
}

/// How many bytes at the end of `a` and `b` agree, at most `most`.
#[inline(always)]
pub(crate) fn suffix<L: Lanes>(lanes: L, a: &[u8], b: &[u8], most: usize) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (a.as_ptr_range().end, b.as_ptr_range().end);
    // SAFETY: both slices have `len` bytes.
    unsafe { suffix_before(lanes, a, b, len, most) }
}

/// How many bytes before `a` and `b` agree, at most `most` and `len`.
///
/// # Safety
/// `len` bytes are readable before both.
#[inline(always)]
pub(crate) unsafe fn suffix_before<L: Lanes>(
    lanes: L,
    a: *const u8,
    b: *const u8,
    len: usize,
    most: usize,
) -> usize {
    let most = most.min(len);
    let mut done = 0;
    if len >= 8 {
        // SAFETY: 8 <= len.
        let same = unsafe { same_before(a, b) };
        if same < 8 || most <= 8 {
            // No branch on `most`, which is unpredictable, where the bytes differ.
            return same.min(most);
        }
        done = 8;
        while done < most && done + L::WIDE <= len {
            let back = done + L::WIDE;
            // SAFETY: done + WIDE <= len.
            let differ = unsafe { lanes.differ(a.wrapping_sub(back), b.wrapping_sub(back)) };
            if differ != 0 {
                let unused = 64 - L::WIDE * L::BITS;
                let same = (differ << unused).leading_zeros() as usize / L::BITS;
                return (done + same).min(most);
            }
            done += L::WIDE;
        }
        while done < most && done + 8 <= len {
            // SAFETY: done + 8 <= len.
            let same = unsafe { same_before(a.wrapping_sub(done), b.wrapping_sub(done)) };
            done += same;
            if same < 8 {
                return done.min(most);
            }
        }
    }
    while done < most {
        let back = done + 1;
        // SAFETY: done < most <= len.
        let (x, y) = unsafe { pair::<1>(a.wrapping_sub(back), b.wrapping_sub(back)) };
        if x != y {
            break;
        }
        done += 1;
    }
    done.min(most)
}

/// How many of the 8 bytes before `a` and `b` agree, from the last one on.
///
/// # Safety
/// They are readable.
#[inline(always)]
unsafe fn same_before(a: *const u8, b: *const u8) -> usize {
    // SAFETY: readable by the contract.
    let differ = unsafe { xor(a.wrapping_sub(8), b.wrapping_sub(8)) };
    differ.leading_zeros() as usize / 8
}

/// The `N` bytes at `a` and those at `b`.
///
/// # Safety
/// `N` bytes are readable at both.
#[inline(always)]
unsafe fn pair<const N: usize>(a: *const u8, b: *const u8) -> ([u8; N], [u8; N]) {
    // SAFETY: readable by the contract.
    let a = unsafe { load(a) };
    // SAFETY: readable by the contract.
    let b = unsafe { load(b) };
    (a, b)
}

/// The 8 bytes at `a` XOR those at `b`.
///
/// # Safety
/// 8 bytes are readable at both.
#[inline(always)]
unsafe fn xor(a: *const u8, b: *const u8) -> u64 {
    // SAFETY: readable by the contract.
    let (a, b) = unsafe { pair(a, b) };
    u64::from_le_bytes(a) ^ u64::from_le_bytes(b)
}
