//! Byte planes: the streams of a shuffled block, each in its own place in memory.
//!
//! Shuffle turns `n` items of `typesize` bytes into `typesize` planes of `n` bytes. A split block
//! stores each plane as a separate stream, and many streams are runs of one byte. Reading the
//! planes in place saves the copy that would make them adjacent:
//!
//! ```text
//! stream 0 (raw, in the chunk)    --.
//! stream 1 (decoded, in scratch)  ---+--> unshuffle_planes --> items
//! stream 2 (a run of 0x00)        --'
//! ```

/// One byte plane of a shuffled block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane<'a> {
    /// The plane's bytes, one per item.
    Bytes(&'a [u8]),
    /// A plane whose bytes are all the same; costs no memory to read.
    Constant(u8),
}

impl Plane<'_> {
    /// The byte at `index`.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> u8 {
        match self {
            Self::Bytes(bytes) => bytes[index],
            Self::Constant(byte) => *byte,
        }
    }
}

/// Every byte, repeated for the widest load of a vector.
pub(crate) static CONSTANTS: [[u8; 64]; 256] = {
    let mut constants = [[0; 64]; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        constants[byte] = [byte.to_le_bytes()[0]; 64];
        byte += 1;
    }
    constants
};

/// 64 bytes of this value, from a table: a short run as [`Plane::Bytes`], which kernels read faster
/// than [`Plane::Constant`].
#[must_use]
#[inline]
pub fn repeated(byte: u8) -> &'static [u8; 64] {
    &CONSTANTS[usize::from(byte)]
}
