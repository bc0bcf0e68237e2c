//! Changes that a dropped writer loses, and the function that is told of them.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A frame on disk whose writer was dropped with changes that were not committed; see
/// [`FrameParams::on_lost`](crate::frame::FrameParams::on_lost).
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

type Hook = dyn Fn(&Lost) + Send + Sync;

/// The function of the user, if there is one.
#[derive(Clone, Default)]
pub(crate) struct OnLost(Option<Arc<Hook>>);

impl OnLost {
    pub(crate) fn new(hook: impl Fn(&Lost) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hook)))
    }

    pub(crate) fn call(&self, lost: &Lost) {
        if let Self(Some(hook)) = self {
            hook(lost);
        }
    }
}

impl fmt::Debug for OnLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "a function"
        } else {
            "none"
        })
    }
}
