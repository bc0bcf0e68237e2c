//! Removing what a writer wrote and did not commit.
//!
//! A writer that fails, or is dropped, leaves the frame of the last commit, and bytes that nothing
//! uses: in a full disk, the space that is missing. They are removed by a second handle to the
//! storage, since the first one belongs to the store, which a finished writer gives away.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::names::{SPARSE_FRAME_FILE, file_name};
use crate::frame::layout::header::{FRAME_HEADER_LEN, FrameHeader, FrameType};
use crate::storage::{Directory, ReadAt, Stamp, WriteAt};

/// Removes what was written after the last commit.
pub(crate) trait Abandon: fmt::Debug + Send + Sync {
    /// Removes it. Failures are ignored: the bytes do no harm, and the next commit or `recover`
    /// removes them.
    fn abandon(&mut self);
}

/// Calls [`Abandon::abandon`] when it is dropped, unless a commit came first.
#[derive(Debug, Default)]
pub(crate) struct Undo(Option<Box<dyn Abandon>>);

impl Undo {
    pub(crate) fn new(abandon: Option<Box<dyn Abandon>>) -> Self {
        Self(abandon)
    }

    /// Keeps what was written: it is committed.
    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        if let Some(abandon) = &mut self.0 {
            abandon.abandon();
        }
    }
}

/// Cuts a file at the end of the frame.
#[derive(Debug)]
pub(super) struct UndoContiguous {
    pub(super) storage: Box<dyn WriteAt>,
    /// The length of the frame as committed; 0 when there was no commit.
    pub(super) floor: u64,
}

impl Abandon for UndoContiguous {
    fn abandon(&mut self) {
        // A commit that failed may have reached the header: the frame there is the one to keep.
        let mut front = [0; FRAME_HEADER_LEN];
        let live = match self.storage.read_exact_at(&mut front, 0) {
            Ok(()) => FrameHeader::lens_of(&front, FrameType::Contiguous)
                .map_or(u64::MAX, |lens| lens.frame_len),
            Err(_) if self.floor == 0 => 0,
            Err(_) => return,
        };
        let end = live.max(self.floor);
        if self.storage.len().is_ok_and(|len| len > end) {
            let _ = self.storage.set_len(end);
        }
    }
}

/// Removes chunk files.
#[derive(Debug)]
pub(super) struct UndoSparse<F> {
    pub(super) dir: Box<dyn Directory<File = F>>,
    pub(super) written: Arc<Mutex<Vec<u64>>>,
    /// The stamp of `chunks.b2frame` when the change began, if there was one.
    pub(super) before: Option<Stamp>,
}

impl<F: ReadAt + 'static> Abandon for UndoSparse<F> {
    fn abandon(&mut self) {
        // A commit that failed may have replaced the frame, which then uses the files.
        if frame_stamp(&*self.dir) != self.before {
            return;
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        for number in written.drain(..) {
            if let Ok(name) = file_name(number) {
                let _ = self.dir.remove(&name);
            }
        }
    }
}

/// The stamp of the `chunks.b2frame` in a directory.
fn frame_stamp<F: ReadAt + 'static>(dir: &dyn Directory<File = F>) -> Option<Stamp> {
    dir.open(SPARSE_FRAME_FILE).ok()?.shareable()?.stamp().ok()
}
