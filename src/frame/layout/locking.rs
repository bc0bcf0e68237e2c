//! Protection against other handles and processes that use the same frame.

/// How a frame on disk is protected against other handles, of this process or another.
///
/// | | kept out | beside the frame | also with C-Blosc2 |
/// |---|---|---|---|
/// | `Exclusive` | other writers, until the writer is dropped | nothing | where a sidecar exists |
/// | `Shared` | others during each read and each change | `.b2lock` | with `locking=True` |
/// | `None` | none | nothing | |
///
/// Locks are advisory: nothing keeps out a program that does not ask for them, such as
/// python-blosc2 without `locking=True`. Frames in memory and in storages that are not
/// [`Shareable`](crate::storage::Shareable) have no locks; asking for `Shared` there is refused. On
/// Windows a lock on the file also keeps out reads by other handles.
///
/// A handle is a snapshot of the frame at the time it was opened. Whatever the locking, a change
/// by others is noticed by the next read that goes to the storage, and is
/// [`Error::Stale`](crate::Error::Stale) until [`refresh`](crate::frame::FrameReader::refresh).
/// Without a sidecar that is seen by the length and the time of the file, so that bytes which
/// another program overwrites in the clock tick in which the handle was opened can be missed.
#[doc(alias = "BLOSC_LOCKING")]
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Locking {
    /// An advisory lock on the data file itself (of a sparse frame: `chunks.b2frame`), held until
    /// the writer is finished or dropped. A sidecar that exists is locked, too. A second writer is
    /// refused with [`Error::Locked`](crate::Error::Locked), or waits when asked to
    /// ([`wait`](Access::wait)). The default of writers; readers do not have it.
    #[default]
    Exclusive,
    /// The sidecar protocol of C-Blosc2 ([format §9.10](crate::format#9.10)): a shared lock for
    /// each read, an exclusive one from the first change to its commit. Any number of processes
    /// read and change one frame in turns.
    Shared,
    /// No locks. The default of readers. Two writers at once damage the frame.
    None,
}

impl Locking {
    /// This locking, and waiting for locks that others hold.
    ///
    /// ```
    /// use oxiblosc::frame::{FrameParams, FrameWriter, Locking};
    /// use oxiblosc::{CParams, DParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("frame");
    /// FrameWriter::create(&path, FrameParams::new(CParams::new(1), 1000))?.finish()?;
    /// let first = FrameWriter::open(&path, DParams::new())?;
    /// assert!(FrameWriter::open(&path, DParams::new()).is_err());
    /// drop(first);
    /// FrameWriter::open_with(&path, DParams::new(), Locking::Exclusive.waiting())?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn waiting(self) -> Access {
        Access {
            wait: true,
            ..Access::from(self)
        }
    }
}

/// A [`Locking`], and whether to wait for locks that others hold.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The locks to take.
    pub locking: Locking,
    /// Whether to wait for a lock that another handle holds, instead of failing with
    /// [`Error::Locked`](crate::Error::Locked). By default only with [`Locking::Shared`].
    pub wait: bool,
}

impl Default for Access {
    /// That of writers: [`Locking::Exclusive`], without waiting.
    fn default() -> Self {
        Locking::Exclusive.into()
    }
}

impl From<Locking> for Access {
    fn from(locking: Locking) -> Self {
        Self {
            locking,
            wait: locking == Locking::Shared,
        }
    }
}

impl Access {
    /// Sets whether to wait for locks that others hold.
    #[must_use]
    pub fn wait(mut self, wait: bool) -> Self {
        self.wait = wait;
        self
    }
}
