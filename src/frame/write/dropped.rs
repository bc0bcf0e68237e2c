//! Dropping a writer: appends are committed, other losses reported.

use std::path::Path;
use std::thread;

use super::end::End;
use super::writer::FrameWriter;
use crate::error::Result;
use crate::frame::layout::lost::{Lost, OnLost};
use crate::frame::store::traits::FrameStoreMut;

impl<S> Drop for FrameWriter<S> {
    fn drop(&mut self) {
        if !self.reader.is_gone() {
            (self.at_end)(self);
        }
    }
}

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Sets a function that is called when this writer is dropped and loses changes: those of a
    /// frame on disk that were not committed, unless they are appends that the destructor commits.
    /// In builds with debug assertions, such a loss is also printed to the standard error.
    /// [`FrameParams::on_lost`](crate::frame::FrameParams::on_lost) sets it from the beginning.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use oxiblosc::{CParams, FrameParams, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("forgotten.b2frame");
    /// let lost = Arc::new(AtomicBool::new(false));
    /// let noted = Arc::clone(&lost);
    /// let mut writer = FrameWriter::create(&path, FrameParams::new(CParams::new(1), 1000))?;
    /// writer.on_lost(move |_| noted.store(true, Ordering::Relaxed));
    /// writer.append(&[7; 3000])?;
    /// drop(writer);
    /// assert!(lost.load(Ordering::Relaxed) && !path.exists());
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_lost(&mut self, hook: impl Fn(&Lost) + Send + Sync + 'static) {
        self.end.hook = OnLost::new(hook);
    }

    /// Adds the path to a writer of a frame on disk, or to the error.
    pub(super) fn named(made: Result<Self>, path: &Path) -> Result<Self> {
        match made {
            Ok(mut writer) => {
                writer.end.path = Some(path.into());
                Ok(writer)
            }
            Err(error) => Err(error.in_file(path)),
        }
    }

    /// Commits what was appended to a frame on disk, or says what is lost.
    pub(super) fn end(&mut self) {
        let Some(path) = &self.end.path else {
            return;
        };
        let clean = !self.dirty && self.pending.is_empty() && !self.end.lost;
        if clean {
            return;
        }
        let lost = Lost {
            path: path.to_path_buf(),
            is_new: !self.turn.committed,
        };
        let End {
            others,
            failed,
            lost: gone,
            ..
        } = &self.end;
        let only_appends = self.turn.committed && !(*others || *failed || *gone);
        if only_appends && !thread::panicking() && self.commit().is_ok() {
            return;
        }
        self.end.report(&lost);
    }
}
