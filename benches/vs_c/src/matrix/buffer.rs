//! Buffers at a chosen place in a cache line.

/// The bytes of a cache line, and the widest vector.
const LINE: usize = 64;

/// A buffer that begins some bytes after a multiple of 64: 0 as pages do, 16 as what `malloc`
/// returns for a large size.
#[derive(Clone, Debug)]
pub struct Buffer {
    room: Vec<u8>,
    at: usize,
    len: usize,
}

impl Buffer {
    /// `len` zeros.
    #[must_use]
    pub fn zeros(len: usize, offset: usize) -> Self {
        let room = vec![0; len + 2 * LINE];
        let place = room.as_ptr().addr() % LINE;
        let at = (LINE + offset % LINE - place) % LINE;
        Self { room, at, len }
    }

    /// A copy of bytes.
    #[must_use]
    pub fn of(bytes: &[u8], offset: usize) -> Self {
        let mut buffer = Self::zeros(bytes.len(), offset);
        buffer.bytes_mut().copy_from_slice(bytes);
        buffer
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.room[self.at..self.at + self.len]
    }

    /// The bytes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.at..self.at + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_begin_where_they_are_asked_to() {
        for offset in [0, 1, 16, 63] {
            let buffer = Buffer::of(&[1, 2, 3], offset);
            assert_eq!(buffer.bytes(), [1, 2, 3]);
            assert_eq!(buffer.bytes().as_ptr().addr() % 64, offset);
        }
    }
}
