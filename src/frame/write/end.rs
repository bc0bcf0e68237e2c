//! The end of a writer that was not finished.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// A frame on disk whose writer was dropped with changes that were not committed; see
/// [`FrameWriter::on_lost`](crate::frame::FrameWriter::on_lost).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The path of the frame.
    pub path: PathBuf,
    /// Whether the frame was new: there is no file then, or the one that it was to replace.
    pub is_new: bool,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, is_new } = self;
        let what = if *is_new { "a new frame" } else { "changes" };
        let path = path.display();
        write!(f, "{path}: {what} dropped without commit() or finish()")
    }
}

pub(super) type Hook = Arc<dyn Fn(&Lost) + Send + Sync>;

/// The state of a writer that its destructor looks at.
#[derive(Default)]
pub(super) struct End {
    /// The path of a frame on disk.
    pub(super) path: Option<Box<Path>>,
    /// Whether something other than an append has changed since the last commit.
    pub(super) others: bool,
    /// Whether a change has failed since.
    pub(super) failed: bool,
    /// Whether something is gone that was to be stored.
    pub(super) lost: bool,
    pub(super) hook: Option<Hook>,
}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("End")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl End {
    /// Notes that the storage has everything.
    pub(super) fn committed(&mut self) {
        (self.others, self.failed, self.lost) = (false, false, false);
    }

    /// Tells the program, and a person who tests it, what is lost.
    pub(super) fn report(&self, lost: &Lost) {
        if let Some(hook) = &self.hook {
            hook(lost);
        }
        if cfg!(debug_assertions) && !thread::panicking() {
            say(lost);
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "a mistake of the program, in debug builds only"
)]
fn say(lost: &Lost) {
    eprintln!("oxiblosc: {lost}");
}
