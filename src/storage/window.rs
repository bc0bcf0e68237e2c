//! A part of another storage, such as a frame inside a file ([format §9.8](crate::format#9.8)).

use std::io;
use std::ops::Range;

use super::{ReadAt, check_ranges, past_end};
use crate::num::saturating_usize;

/// `len` bytes of `inner` from `offset` on, as a separate storage.
///
/// Windows are read only: a frame inside a file cannot grow without destroying what follows it.
///
/// ```
/// use oxiblosc::storage::{Memory, ReadAt, Window};
/// # fn main() -> std::io::Result<()> {
/// let window = Window::new(Memory(b"..abc.."), 2, 3)?;
/// assert_eq!(window.as_slice(), Some(&b"abc"[..]));
/// # Ok(())
/// # }
/// ```
#[doc(alias = "blosc2_schunk_open_offset_udio")]
#[derive(Clone, Debug)]
pub struct Window<S> {
    inner: S,
    offset: u64,
    len: u64,
}

impl<S: ReadAt> Window<S> {
    /// The `len` bytes of `inner` from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] when `inner` is shorter.
    pub fn new(inner: S, offset: u64, len: u64) -> io::Result<Self> {
        let total = inner.len()?;
        match offset.checked_add(len) {
            Some(end) if end <= total => Ok(Self { inner, offset, len }),
            _ => Err(past_end(offset, saturating_usize(len), total)),
        }
    }

    /// All bytes of `inner` from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] when `inner` is shorter than `offset`.
    pub fn from_offset(inner: S, offset: u64) -> io::Result<Self> {
        let total = inner.len()?;
        match total.checked_sub(offset) {
            Some(len) => Ok(Self { inner, offset, len }),
            None => Err(past_end(offset, 0, total)),
        }
    }

    /// The offset of the window in the inner storage.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The inner storage.
    pub fn into_inner(self) -> S {
        self.inner
    }

    /// The inner offset of `len` bytes at `offset`, all of which are inside the window.
    fn start_of(&self, offset: u64, len: usize) -> io::Result<u64> {
        let end = offset.checked_add(len as u64);
        let inside = end.is_some_and(|end| end <= self.len);
        let start = self.offset.checked_add(offset).filter(|_| inside);
        start.ok_or_else(|| past_end(offset, len, self.len))
    }
}

impl<S: ReadAt> ReadAt for Window<S> {
    fn len(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let start = self.start_of(offset, buf.len())?;
        self.inner.read_exact_at(buf, start)
    }

    fn read_ranges(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> io::Result<()> {
        check_ranges(ranges, bufs)?;
        let inner = |(range, buf): (&Range<u64>, &&mut [u8])| {
            let start = self.start_of(range.start, buf.len())?;
            Ok(start..start.saturating_add(buf.len() as u64))
        };
        let inner: Vec<Range<u64>> = ranges
            .iter()
            .zip(&*bufs)
            .map(inner)
            .collect::<io::Result<_>>()?;
        self.inner.read_ranges(&inner, bufs)
    }

    fn is_far(&self) -> bool {
        self.inner.is_far()
    }

    fn as_slice(&self) -> Option<&[u8]> {
        let start = usize::try_from(self.offset).ok()?;
        let len = usize::try_from(self.len).ok()?;
        self.inner.as_slice()?.get(start..)?.get(..len)
    }
}
