//! A storage read through a window, so that scanning it byte by byte costs few reads.

use crate::error::{Part, Result};
use crate::frame::store::located::io_error;
use crate::limits::Limits;
use crate::num::saturating_usize;
use crate::storage::ReadAt;

/// The bytes read at once.
const WINDOW: u64 = 1 << 20;

/// The bytes of a storage; those in memory are borrowed.
#[derive(Debug)]
pub(super) struct Bytes<'a> {
    file: &'a dyn ReadAt,
    len: u64,
    limits: Limits,
    window: Vec<u8>,
    at: u64,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(file: &'a dyn ReadAt, limits: Limits) -> Result<Self> {
        let len = file
            .len()
            .map_err(|source| io_error(Part::FrameHeader, 0, source))?;
        Ok(Self {
            file,
            len,
            limits,
            window: Vec::new(),
            at: 0,
        })
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes from `at` on: `len` of them, or all up to the end.
    pub(super) fn get(&mut self, at: u64, len: u64) -> Result<&[u8]> {
        let len = len.min(self.len.saturating_sub(at));
        if let Some(all) = self.file.as_slice() {
            let all = all.get(saturating_usize(at)..).unwrap_or_default();
            return Ok(all.get(..saturating_usize(len)).unwrap_or(all));
        }
        let inside = at >= self.at
            && at.saturating_add(len) <= self.at.saturating_add(self.window.len() as u64);
        if !inside {
            let want = len.max(WINDOW).min(self.len.saturating_sub(at));
            self.limits.check_alloc(want, Some(at))?;
            self.window.resize(saturating_usize(want), 0);
            self.at = at;
            let read = self.file.read_exact_at(&mut self.window, at);
            if let Err(source) = read {
                self.window.clear();
                return Err(io_error(Part::ChunksSection, at, source));
            }
        }
        let skip = saturating_usize(at.saturating_sub(self.at));
        let rest = self.window.get(skip..).unwrap_or_default();
        Ok(rest.get(..saturating_usize(len)).unwrap_or(rest))
    }
}
