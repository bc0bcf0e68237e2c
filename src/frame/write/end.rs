//! The end of a writer that was not finished.

use std::path::Path;
use std::thread;

use crate::frame::layout::lost::{Lost, OnLost};

/// The state of a writer that its destructor looks at.
#[derive(Debug, Default)]
pub(super) struct End {
    /// The path of a frame on disk.
    pub(super) path: Option<Box<Path>>,
    /// Whether something other than an append has changed since the last commit.
    pub(super) others: bool,
    /// Whether a change has failed since.
    pub(super) failed: bool,
    /// Whether something is gone that was to be stored.
    pub(super) lost: bool,
    pub(super) hook: OnLost,
}

impl End {
    /// Notes that the storage has everything.
    pub(super) fn committed(&mut self) {
        (self.others, self.failed, self.lost) = (false, false, false);
    }

    /// Tells the program, and a person who tests it, what is lost.
    pub(super) fn report(&self, lost: &Lost) {
        self.hook.call(lost);
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
