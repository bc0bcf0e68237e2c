//! The sequences of a stream, written.

use super::limits::MIN_MATCH;
use crate::codecs::lz::{Lanes, store};

/// The stream being written: `dst` and how much of it is used.
#[derive(Debug)]
pub(super) struct Sink<'a> {
    dst: &'a mut [u8],
    /// At most `dst.len()`.
    used: usize,
}

impl<'a> Sink<'a> {
    pub(super) fn new(dst: &'a mut [u8]) -> Self {
        Self { dst, used: 0 }
    }

    /// Writes `src[start..start + literals]` and a match; `None` when it does not fit.
    ///
    /// A sequence has `1 <= distance <= 65535` and `length >= MIN_MATCH`; of others the stream is
    /// unspecified.
    #[inline(always)]
    pub(super) fn sequence<L: Lanes>(
        &mut self,
        lanes: L,
        src: &[u8],
        start: usize,
        literals: usize,
        distance: usize,
        length: usize,
    ) -> Option<()> {
        let code = length.wrapping_sub(MIN_MATCH);
        // Token, extension, a vector of literals, distance, extension.
        let capacity = self.dst.len() - self.used;
        if literals > L::WIDTH
            || code >= 15 + 255
            || capacity < L::WIDTH + 5
            || src.len().saturating_sub(start) < L::WIDTH
        {
            return self.long_sequence(src, start, literals, distance, length);
        }
        let token = (literals.min(15) << 4) | code.min(15);
        let to = self.dst.as_mut_ptr().wrapping_add(self.used);
        // The extension byte is written always and kept only when the length needs it.
        let head = [low_byte(token), low_byte(literals.wrapping_sub(15))];
        // SAFETY: two bytes of the WIDTH + 5 that are left.
        unsafe { store(to, head) };
        let mut at = 1 + usize::from(literals >= 15);
        // SAFETY: start + WIDTH <= src.len().
        let vector = unsafe { lanes.load(src.as_ptr().wrapping_add(start)) };
        // SAFETY: at <= 2, and WIDTH + 5 bytes are left.
        unsafe { lanes.store(to.wrapping_add(at), vector) };
        at += literals;
        let [low, high, ..] = distance.to_le_bytes();
        let tail = [low, high, low_byte(code.wrapping_sub(15))];
        // SAFETY: three bytes after at most WIDTH + 2.
        unsafe { store(to.wrapping_add(at), tail) };
        self.used += at + 2 + usize::from(code >= 15);
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
        let code = length.wrapping_sub(MIN_MATCH);
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
        // SAFETY: four bytes are left.
        unsafe { store(self.dst.as_mut_ptr().wrapping_add(self.used), bytes) };
        self.used += 3 + usize::from(code >= 15);
        Some(())
    }

    /// [`Self::sequence`] of any length, and near the end of the output.
    #[inline(never)]
    fn long_sequence(
        &mut self,
        src: &[u8],
        start: usize,
        literals: usize,
        distance: usize,
        length: usize,
    ) -> Option<()> {
        let code = length.checked_sub(MIN_MATCH)?;
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

    /// The bytes after a nibble of 15: 255 as often as it fits, then the rest.
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

#[cfg(test)]
mod tests {
    use super::Sink;
    use crate::filters::scalar::Scalar;

    #[test]
    fn a_start_outside_the_source_writes_nothing() {
        let src = [7; 100];
        for start in [101, 1 << 31, usize::MAX - 15, usize::MAX / 2] {
            for literals in [0, 1, 16, 40] {
                let mut dst = [0; 200];
                let mut sink = Sink::new(&mut dst);
                let written = sink.sequence(Scalar, &src, start, literals, 1, 4);
                assert_eq!(written, None, "{literals} literals at {start}");
            }
        }
    }

    #[test]
    fn a_match_that_is_too_short_writes_nothing() {
        let mut dst = [0; 200];
        let mut sink = Sink::new(&mut dst);
        assert_eq!(sink.sequence(Scalar, &[7; 100], 0, 1, 1, 3), None);
        assert_eq!(sink.match_only(&[7; 100], 0, 1, 0), None);
    }
}
