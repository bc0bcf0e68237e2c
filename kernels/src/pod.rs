//! Elements that Rust has no type for: a truth value of which every byte is one, and byte strings
//! of fixed length. Both are plain old data, which takes `unsafe` to say.

use core::fmt;

use bytemuck::{Pod, Zeroable};

/// A truth value in a byte: false is 0, true is anything else.
///
/// Unlike `bool`, it has no bytes that are no value.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct Bool(u8);

// SAFETY: the type is one `u8`, for which zero is a value.
unsafe impl Zeroable for Bool {}
// SAFETY: the type is one `u8`: no padding, no pointers, and every byte is a value.
unsafe impl Pod for Bool {}

impl Bool {
    /// The truth value.
    #[must_use]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool {
    fn from(value: bool) -> Self {
        Self(value.into())
    }
}

impl From<Bool> for bool {
    fn from(value: Bool) -> Self {
        value.get()
    }
}

impl PartialEq for Bool {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Bool {}

/// A byte string of at most `N` bytes, padded with NUL: `|S<N>` of NumPy.
///
/// NUL bytes at the end are padding, as in NumPy: they do not count as content.
///
/// ```
/// use oxiblosc_kernels::pod::ByteString;
///
/// let name = ByteString::<4>::new(b"M31").unwrap();
/// assert_eq!(name.as_bytes(), b"M31");
/// assert_eq!(name.padded(), b"M31\0");
/// assert_eq!(ByteString::<4>::new(b"M31 again"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ByteString<const N: usize>([u8; N]);

// SAFETY: the type is an array of `u8`, for which zeros are a value.
unsafe impl<const N: usize> Zeroable for ByteString<N> {}
// SAFETY: the type is an array of `u8`: no padding, no pointers, and all bytes are values.
unsafe impl<const N: usize> Pod for ByteString<N> {}

impl<const N: usize> ByteString<N> {
    /// A string of these bytes; `None` when there are more than `N`.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut padded = [0; N];
        padded.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(Self(padded))
    }

    /// The bytes before the padding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let len = self.0.iter().rposition(|&byte| byte != 0);
        &self.0[..len.map_or(0, |last| last + 1)]
    }

    /// All bytes, padding included.
    #[must_use]
    pub const fn padded(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> Default for ByteString<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> From<[u8; N]> for ByteString<N> {
    fn from(padded: [u8; N]) -> Self {
        Self(padded)
    }
}

impl<const N: usize> fmt::Debug for ByteString<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.as_bytes().escape_ascii())
    }
}
