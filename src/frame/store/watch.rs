//! Noticing that others changed a frame.

use crate::error::{Error, Result};
use crate::frame::layout::header::FRAME_HEADER_LEN;
use crate::storage::{Generation, Shareable, Sidecar, Stamp};

/// A handle that notices when it is not up to date.
pub(crate) trait Current: Send + Sync {
    /// Calls `read`, which reads from the storage once.
    ///
    /// # Errors
    /// That of `read`; [`Error::Stale`] when the frame has changed since the handle was opened,
    /// whatever `read` returned.
    fn reading(&self, read: &mut dyn FnMut() -> Result<()>) -> Result<()>;
}

/// The way a handle notices changes by others.
#[derive(Debug, Default)]
pub(crate) enum Watch {
    /// It does not: the storage has no other writer, or cannot detect one.
    #[default]
    Off,
    /// By the stamp of the file, taken after each read.
    Stamp(std::sync::Mutex<Seen>),
    /// By the generation counter of the sidecar, under its shared lock.
    Shared(Shared),
}

/// The state of a file in which the contents of a handle were found in it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) stamp: Stamp,
    /// Whether every later change shows in the stamp.
    pub(crate) settled: bool,
    /// The first bytes of the frame, compared until the stamp is settled.
    pub(crate) front: [u8; FRAME_HEADER_LEN],
}

/// A sidecar, and the last generation whose contents the handle knows.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) sidecar: Box<dyn Sidecar>,
    pub(crate) generation: Generation,
    /// Whether the handle holds the exclusive lock: a change has begun.
    pub(crate) held: bool,
}

/// The watch of a frame that begins with `front`, read after this stamp was taken.
pub(crate) fn stamped(stamp: Option<Stamp>, front: [u8; FRAME_HEADER_LEN]) -> Watch {
    stamp.map_or(Watch::Off, |stamp| {
        let settled = stamp.is_settled();
        Watch::Stamp(std::sync::Mutex::new(Seen {
            stamp,
            settled,
            front,
        }))
    })
}

/// The name of a frame for messages.
pub(crate) fn name_of(shareable: Option<&dyn Shareable>) -> Box<str> {
    shareable.map_or_else(
        || "the frame".into(),
        |file| file.path().to_string_lossy().into(),
    )
}

/// The error of a handle that is not up to date.
pub(crate) fn stale(shareable: Option<&dyn Shareable>) -> Error {
    Error::Stale {
        path: name_of(shareable),
    }
}

/// The error of a frame that another handle has locked.
pub(crate) fn locked(shareable: Option<&dyn Shareable>) -> Error {
    Error::Locked {
        path: name_of(shareable),
    }
}
