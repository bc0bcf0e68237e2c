//! A contiguous frame in memory of `malloc`, as callers see it.

use std::io;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use oxiblosc::storage::{ReadAt, WriteAt};

/// The memory of a frame, which the storage of its writer and the super-chunk share. It changes
/// under the lock of the super-chunk alone.
#[derive(Debug)]
pub(super) struct Place {
    start: AtomicPtr<u8>,
    len: AtomicUsize,
    room: AtomicUsize,
    /// Whether the memory is freed with the super-chunk.
    ours: AtomicBool,
}

impl Place {
    /// No bytes.
    pub(super) fn empty() -> Arc<Self> {
        Arc::new(Self {
            start: AtomicPtr::new(ptr::null_mut()),
            len: AtomicUsize::new(0),
            room: AtomicUsize::new(0),
            ours: AtomicBool::new(true),
        })
    }

    /// The bytes of a caller, who keeps them until the super-chunk is freed.
    pub(super) fn borrowed(start: *mut u8, len: usize) -> Arc<Self> {
        Arc::new(Self {
            start: AtomicPtr::new(start),
            len: AtomicUsize::new(len),
            room: AtomicUsize::new(len),
            ours: AtomicBool::new(false),
        })
    }

    /// The address of the bytes, and their number.
    pub(super) fn get(&self) -> (*mut u8, usize) {
        let start = self.start.load(Ordering::Relaxed);
        (start, self.len.load(Ordering::Relaxed))
    }

    /// Sets whether the memory is freed with the super-chunk.
    pub(super) fn set_ours(&self, ours: bool) {
        self.ours.store(ours, Ordering::Relaxed);
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        let (start, len) = self.get();
        match NonNull::new(start) {
            // SAFETY: `len` bytes there were written, or given by the caller who keeps them; they
            // change through `&mut` of the one storage only.
            Some(start) => unsafe { slice::from_raw_parts(start.as_ptr(), len) },
            None => &[],
        }
    }

    /// Makes room for `len` bytes, and makes them the length; new bytes are zeros.
    fn resize(&self, len: usize) -> io::Result<()> {
        let (start, old) = self.get();
        let room = self.room.load(Ordering::Relaxed);
        if len > room {
            let more = len.max(room.saturating_mul(2)).max(256);
            let ours = self.ours.load(Ordering::Relaxed);
            let from = if ours { start } else { ptr::null_mut() };
            // SAFETY: null, or memory of `malloc` that is ours, which no one borrows now.
            let new = unsafe { libc::realloc(from.cast(), more) }.cast::<u8>();
            if new.is_null() {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            if !ours && !start.is_null() {
                // SAFETY: `old` bytes are readable there, and the new memory is larger.
                unsafe { ptr::copy_nonoverlapping(start, new, old) };
            }
            self.start.store(new, Ordering::Relaxed);
            self.room.store(more, Ordering::Relaxed);
            self.set_ours(true);
        }
        if len > old {
            let start = self.start.load(Ordering::Relaxed);
            // SAFETY: `old` is within the memory, whose room is `len` at least.
            let fresh = unsafe { start.add(old) };
            // SAFETY: the rest up to `len` is within the same memory.
            unsafe { ptr::write_bytes(fresh, 0, len.saturating_sub(old)) };
        }
        self.len.store(len, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if *self.ours.get_mut() {
            // SAFETY: null, or memory of `malloc` that belongs to the super-chunk.
            unsafe { libc::free((*self.start.get_mut()).cast()) };
        }
    }
}

/// The storage of the writer.
#[derive(Debug)]
pub(super) struct FrameBytes(pub(super) Arc<Place>);

impl ReadAt for FrameBytes {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.get().1 as u64)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = usize::try_from(offset).ok();
        let bytes = bytes.and_then(|at| self.0.bytes().get(at..)?.get(..buf.len()));
        let bytes = bytes.ok_or(io::ErrorKind::UnexpectedEof)?;
        buf.copy_from_slice(bytes);
        Ok(())
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(self.0.bytes())
    }
}

impl WriteAt for FrameBytes {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let at = usize::try_from(offset).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let end = at
            .checked_add(bytes.len())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        if end > self.0.get().1 {
            self.0.resize(end)?;
        }
        let (start, _) = self.0.get();
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: `at` is below the length, which is `end` at least.
        let to = unsafe { start.add(at) };
        // SAFETY: up to `end` it is one piece of memory; `bytes` may lie in it.
        unsafe { ptr::copy(bytes.as_ptr(), to, bytes.len()) };
        Ok(())
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.0
            .resize(usize::try_from(len).map_err(|_| io::ErrorKind::OutOfMemory)?)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
