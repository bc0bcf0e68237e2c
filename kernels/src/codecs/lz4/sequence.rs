//! Writing sequences: the half of the compressors that is the format.

use super::lanes::{Lanes, load, store};
use super::{LAST_LITERALS, MIN_MATCH};

/// The stream being written: `dst` and how much of it is used.
#[derive(Debug)]
pub(super) struct Sink<'a> {
    dst: &'a mut [u8],
    used: usize,
}

impl<'a> Sink<'a> {
    pub(super) fn new(dst: &'a mut [u8]) -> Self {
        Self { dst, used: 0 }
    }

    /// Writes `src[start..start + literals]` and a match; `None` when it does not fit.
    ///
    /// The caller has `start + literals + MIN_MATCH + LAST_LITERALS <= src.len()`,
    /// `1 <= distance <= 65535` and `length >= MIN_MATCH`.
    #[inline(always)]
    pub(super) fn sequence<L: Lanes>(
        &mut self,
        src: &[u8],
        start: usize,
        literals: usize,
        distance: usize,
        length: usize,
    ) -> Option<()> {
        debug_assert!(start + literals + MIN_MATCH + LAST_LITERALS <= src.len());
        let code = length - MIN_MATCH;
        // Token, extension, a vector of literals, distance, extension.
        let room = self.dst.len() - self.used;
        if literals > L::WIDTH
            || code >= 15 + 255
            || room < L::WIDTH + 5
            || src.len() - start < L::WIDTH
        {
            return self.long_sequence(src, start, literals, distance, length);
        }
        let token = (literals.min(15) << 4) | code.min(15);
        let to = self.dst.as_mut_ptr();
        let mut at = self.used;
        // The extension byte is written always and kept only when the length needs it.
        let head = [low_byte(token), low_byte(literals.wrapping_sub(15))];
        // SAFETY: two bytes of the room just checked.
        unsafe { store(to, at, head) };
        at += 1 + usize::from(literals >= 15);
        // SAFETY: start + WIDTH <= src.len().
        let v = unsafe { L::load(src.as_ptr(), start) };
        // SAFETY: at <= used + 2, and the room is WIDTH + 5.
        unsafe { L::store(to, at, v) };
        at += literals;
        let [low, high, ..] = distance.to_le_bytes();
        // SAFETY: three bytes behind at most WIDTH + 2.
        unsafe { store(to, at, [low, high, low_byte(code.wrapping_sub(15))]) };
        self.used = at + 2 + usize::from(code >= 15);
        Some(())
    }

    /// [`Self::sequence`] without literals; `start` is where the match begins.
    #[inline(always)]
    pub(super) fn match_only(
        &mut self,
        src: &[u8],
        start: usize,
        distance: usize,
        length: usize,
    ) -> Option<()> {
        let code = length - MIN_MATCH;
        if code >= 15 + 255 || self.dst.len() - self.used < 4 {
            return self.long_sequence(src, start, 0, distance, length);
        }
        let [low, high, ..] = distance.to_le_bytes();
        let bytes = [
            low_byte(code.min(15)),
            low,
            high,
            low_byte(code.wrapping_sub(15)),
        ];
        // SAFETY: four bytes of the room just checked.
        unsafe { store(self.dst.as_mut_ptr(), self.used, bytes) };
        self.used += 3 + usize::from(code >= 15);
        Some(())
    }

    /// [`Self::sequence`] of any length and with no room to spare.
    #[inline(never)]
    fn long_sequence(
        &mut self,
        src: &[u8],
        start: usize,
        literals: usize,
        distance: usize,
        length: usize,
    ) -> Option<()> {
        let code = length - MIN_MATCH;
        self.push(low_byte((literals.min(15) << 4) | code.min(15)))?;
        self.extension(literals)?;
        self.extend(src.get(start..)?.get(..literals)?)?;
        let [low, high, ..] = distance.to_le_bytes();
        self.push(low)?;
        self.push(high)?;
        self.extension(code)
    }

    /// Writes the last sequence, literals alone; returns the length of the stream.
    pub(super) fn finish(mut self, literals: &[u8]) -> Option<usize> {
        self.push(low_byte(literals.len().min(15) << 4))?;
        self.extension(literals.len())?;
        self.extend(literals)?;
        Some(self.used)
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        *self.dst.get_mut(self.used)? = byte;
        self.used += 1;
        Some(())
    }

    fn extend(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst
            .get_mut(self.used..)?
            .get_mut(..bytes.len())?
            .copy_from_slice(bytes);
        self.used += bytes.len();
        Some(())
    }

    /// The bytes behind a nibble of 15: 255 as often as it fits, then the rest.
    fn extension(&mut self, value: usize) -> Option<()> {
        let Some(rest) = value.checked_sub(15) else {
            return Some(());
        };
        let full = rest / 255;
        self.dst.get_mut(self.used..)?.get_mut(..full)?.fill(255);
        self.used += full;
        self.push(low_byte(rest % 255))
    }
}

#[inline(always)]
fn low_byte(value: usize) -> u8 {
    value.to_le_bytes()[0]
}

/// How many bytes at `a` and `b` agree, of at most `room`.
///
/// # Safety
/// `room` bytes are readable at both.
#[inline(always)]
pub(super) unsafe fn match_len<L: Lanes>(a: *const u8, b: *const u8, room: usize) -> usize {
    let mut done = 0;
    while done + L::WIDE <= room {
        // SAFETY: done + WIDE <= room.
        let differ = unsafe { L::differ(a, b, done) };
        // A branch, not `done += same`: the next load then does not wait for this comparison.
        if differ != 0 {
            return done + differ.trailing_zeros() as usize;
        }
        done += L::WIDE;
    }
    while done + 8 <= room {
        // SAFETY: done + 8 <= room.
        let x = u64::from_le_bytes(unsafe { load(a, done) });
        // SAFETY: done + 8 <= room.
        let y = u64::from_le_bytes(unsafe { load(b, done) });
        if x != y {
            return done + ((x ^ y).trailing_zeros() / 8) as usize;
        }
        done += 8;
    }
    while done < room {
        // SAFETY: done < room.
        let [x] = unsafe { load(a, done) };
        // SAFETY: done < room.
        let [y] = unsafe { load(b, done) };
        if x != y {
            break;
        }
        done += 1;
    }
    done
}

/// How many of the `most` bytes before `a` and `b` agree; `before` bytes are readable there.
///
/// # Safety
/// `most <= before`, and `before` bytes are readable before both.
#[inline(always)]
pub(super) unsafe fn match_len_back<L: Lanes>(
    a: *const u8,
    b: *const u8,
    before: usize,
    most: usize,
) -> usize {
    let mut done = 0;
    if before >= 8 {
        // SAFETY: 8 bytes are before both.
        let same = unsafe { same_before(a, b, 8) };
        if same < 8 || most <= 8 {
            // No branch on `most`, which is unpredictable, where the bytes differ.
            return same.min(most);
        }
        done = 8;
        while done < most && done + L::WIDE <= before {
            // SAFETY: done + WIDE <= before.
            let a = unsafe { a.sub(done + L::WIDE) };
            // SAFETY: as above.
            let b = unsafe { b.sub(done + L::WIDE) };
            // SAFETY: as above.
            let differ = unsafe { L::differ(a, b, 0) };
            if differ != 0 {
                let same = (differ << (64 - L::WIDE)).leading_zeros() as usize;
                return (done + same).min(most);
            }
            done += L::WIDE;
        }
        while done < most && done + 8 <= before {
            // SAFETY: done + 8 <= before.
            let same = unsafe { same_before(a, b, done + 8) };
            done += same;
            if same < 8 {
                return done.min(most);
            }
        }
    }
    while done < most {
        // SAFETY: done < most <= before.
        let [x] = unsafe { load_before(a, done + 1) };
        // SAFETY: done < most <= before.
        let [y] = unsafe { load_before(b, done + 1) };
        if x != y {
            break;
        }
        done += 1;
    }
    done.min(most)
}

/// How many of the 8 bytes at `a - back` and `b - back` agree, from the last one on.
///
/// # Safety
/// `back >= 8` bytes are readable before both.
#[inline(always)]
unsafe fn same_before(a: *const u8, b: *const u8, back: usize) -> usize {
    // SAFETY: the caller's promise.
    let x = u64::from_le_bytes(unsafe { load_before(a, back) });
    // SAFETY: the caller's promise.
    let y = u64::from_le_bytes(unsafe { load_before(b, back) });
    (x ^ y).leading_zeros() as usize / 8
}

/// Reads the `N` bytes at `from - back`.
///
/// # Safety
/// They are readable.
#[inline(always)]
unsafe fn load_before<const N: usize>(from: *const u8, back: usize) -> [u8; N] {
    // SAFETY: the caller's promise.
    let from = unsafe { from.sub(back) };
    // SAFETY: the caller's promise.
    unsafe { load(from, 0) }
}
