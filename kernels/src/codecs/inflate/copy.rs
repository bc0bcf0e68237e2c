//! Copies of matches, in wide steps also where a match overlaps itself.
//!
//! A match nearer than its length repeats its first `distance` bytes. Those are loaded once and
//! stored again and again, each time `distance` further; what a store writes beyond is written
//! anew by the next one. Copying from the output instead would wait for the stores before.

/// The widest step, and the most bytes that are written behind a match.
pub(super) const STEP: usize = 32;

/// Copies `len` bytes to `at` from `distance` bytes before, in the order of the bytes.
///
/// # Safety
///
/// `distance` is 1 to `at`, and `at + len.max(STEP) + STEP` at most the length of `dst`.
#[inline(always)]
pub(super) unsafe fn copy_match(dst: &mut [u8], at: usize, distance: usize, len: usize) {
    debug_assert!(distance >= 1 && distance <= at && at + len.max(STEP) + STEP <= dst.len());
    let from = at - distance;
    let end = at + len;
    let mut at = at;
    // SAFETY: from < at, and STEP bytes follow it.
    let mut pattern: [u8; STEP] = unsafe { load(dst, from) };
    // Most matches do not overlap themselves: that is foreseen better than how far back they are.
    if len <= distance || distance >= STEP {
        // SAFETY: STEP bytes are there.
        unsafe { store(dst, at, pattern) };
        let mut from = from + STEP;
        at += STEP;
        while at < end {
            // SAFETY: from + STEP <= at, and at < end.
            let piece: [u8; STEP] = unsafe { load(dst, from) };
            // SAFETY: at < end.
            unsafe { store(dst, at, piece) };
            from += STEP;
            at += STEP;
        }
        return;
    }
    let mut stride = distance;
    if distance <= 8 {
        let word = repeated(pattern, distance);
        for eight in pattern.as_chunks_mut().0 {
            *eight = word;
        }
        // Eight bytes are whole periods of 1, 2, 4 and 8 and so the pattern is good throughout; of
        // the others as many periods are good as fit into eight bytes.
        stride = if distance & (distance - 1) == 0 {
            STEP
        } else {
            8 / distance * distance
        };
    }
    // Most matches are short: two stores without a branch between them.
    // SAFETY: two steps are there.
    unsafe { store(dst, at, pattern) };
    // SAFETY: the stride is at most a step.
    unsafe { store(dst, at + stride, pattern) };
    at += 2 * stride;
    while at < end {
        // SAFETY: at < end.
        unsafe { store(dst, at, pattern) };
        at += stride;
    }
}

/// The first `period` bytes, 1 to 8, over and over.
#[inline(always)]
fn repeated(bytes: [u8; STEP], period: usize) -> [u8; 8] {
    let mut width = u32::try_from(8 * period).unwrap_or(64);
    let word = bytes
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mut word = word & (u64::MAX >> (64 - width));
    while width < 64 {
        word |= word << width;
        width *= 2;
    }
    word.to_le_bytes()
}

/// # Safety
///
/// `at + N` is at most the length of `src`.
#[inline(always)]
unsafe fn load<const N: usize>(src: &[u8], at: usize) -> [u8; N] {
    // SAFETY: the caller's promise; arrays of bytes have no alignment.
    unsafe { src.as_ptr().wrapping_add(at).cast::<[u8; N]>().read() }
}

/// # Safety
///
/// `at + N` is at most the length of `dst`.
#[inline(always)]
unsafe fn store<const N: usize>(dst: &mut [u8], at: usize, bytes: [u8; N]) {
    // SAFETY: the caller's promise; arrays of bytes have no alignment.
    unsafe {
        dst.as_mut_ptr()
            .wrapping_add(at)
            .cast::<[u8; N]>()
            .write(bytes);
    }
}

/// The same wherever `at + len` is within `dst`.
pub(super) fn copy_match_near_end(dst: &mut [u8], at: usize, distance: usize, len: usize) {
    let from = at - distance;
    if at + len.max(STEP) + STEP <= dst.len() {
        // SAFETY: just compared; `at - distance` did not overflow, and no distance is 0.
        unsafe { copy_match(dst, at, distance.max(1), len) };
    } else if distance >= len {
        dst.copy_within(from..from + len, at);
    } else if distance == 1 {
        let byte = dst.get(from).copied().unwrap_or(0);
        dst.get_mut(at..at + len).unwrap_or_default().fill(byte);
    } else {
        for at in at..at + len {
            let byte = dst.get(at - distance).copied().unwrap_or(0);
            if let Some(to) = dst.get_mut(at) {
                *to = byte;
            }
        }
    }
}
