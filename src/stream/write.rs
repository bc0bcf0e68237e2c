//! Writing the streams of a block into a destination of a fixed size
//! ([format §2.5](crate::format#2.5)).

use super::{CSIZE_LEN, RUN_TOKEN};
use crate::error::BoxError;

/// Writes streams consecutively. The length of `dst` is the limit in the encoder's rules: the space
/// that a codec may use decides some bytes of the chunk.
#[derive(Debug)]
pub(crate) struct StreamWriter<'d> {
    dst: &'d mut [u8],
    at: usize,
    /// Whether raw streams are left out, for [`put_raw`](Self::put_raw) to write them later.
    pub(crate) puts_off: bool,
}

/// The destination is full: the chunk cannot be stored compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl<'d> StreamWriter<'d> {
    /// A writer that begins at `at`.
    pub(crate) fn new(dst: &'d mut [u8], at: usize) -> Self {
        Self {
            dst,
            at,
            puts_off: false,
        }
    }

    /// The position of the next stream.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// A stream whose bytes are all `value`.
    #[inline]
    pub(crate) fn run(&mut self, value: u8) -> Result<(), Full> {
        let csize = (-i32::from(value)).to_le_bytes();
        self.put(&csize)?;
        if value != 0 {
            self.put(&[RUN_TOKEN])?;
        }
        Ok(())
    }

    /// A stream that `encode` compresses; stored raw when it declines.
    #[inline]
    pub(crate) fn coded(
        &mut self,
        stream: &[u8],
        encode: impl FnOnce(&[u8], &mut [u8]) -> Result<Option<usize>, BoxError>,
    ) -> Result<Result<(), Full>, BoxError> {
        let len = stream.len();
        let data = self.at + CSIZE_LEN;
        let room = len.min(self.dst.len().saturating_sub(data));
        if room == 0 {
            return Ok(Err(Full));
        }
        let csize = match encode(stream, &mut self.dst[data..data + room])? {
            Some(csize) if csize < len && csize > 0 => csize,
            _ if room < len => return Ok(Err(Full)),
            _ => {
                let at = self.at;
                self.at = data + len;
                if !self.puts_off {
                    self.put_raw(at, stream);
                }
                return Ok(Ok(()));
            }
        };
        self.put_prefix(self.at, csize);
        self.at = data + csize;
        Ok(Ok(()))
    }

    /// Writes a raw stream at `at`, before the position, and returns its end.
    pub(crate) fn put_raw(&mut self, at: usize, stream: &[u8]) -> usize {
        let data = at + CSIZE_LEN;
        let end = data + stream.len();
        self.put_prefix(at, stream.len());
        self.dst[data..end].copy_from_slice(stream);
        end
    }

    #[inline]
    fn put_prefix(&mut self, at: usize, csize: usize) {
        // Streams are no longer than blocks, whose size fits in 29 bits.
        let prefix = u32::try_from(csize).unwrap_or(0).to_le_bytes();
        self.dst[at..at + CSIZE_LEN].copy_from_slice(&prefix);
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), Full> {
        let end = self.at + bytes.len();
        let Some(to) = self.dst.get_mut(self.at..end) else {
            return Err(Full);
        };
        to.copy_from_slice(bytes);
        self.at = end;
        Ok(())
    }
}
