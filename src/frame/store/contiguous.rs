//! Frames in one piece ([format §9](crate::format#9)).
//!
//! ```text
//! 0        header_len             header_len + cbytes       frame_len
//! | header | chunks in any order, gaps | index | trailer |
//!          ^ index entries count from here
//! ```

use super::located::{Located, Opened, io_error};
use super::traits::{FrameStore, sealed};
use crate::error::{Error, Part, Result};
use crate::frame::layout::header::{FrameHeader, FrameType};
use crate::storage::{ReadAt, Shareable, Sidecar, Stamp};

/// The store of a frame in one piece: a file, a byte slice, a part of either.
#[doc(alias = "cframe")]
#[derive(Clone, Debug)]
pub struct Contiguous<S> {
    pub(crate) storage: S,
    /// Bytes below this offset belong to the last commit and are not overwritten, except for the
    /// header. See `commit`.
    pub(crate) floor: u64,
}

impl<S> Contiguous<S> {
    /// A frame that begins at the first byte of a storage.
    pub fn new(storage: S) -> Self {
        Self { storage, floor: 0 }
    }

    /// The storage.
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// The storage, for other uses.
    pub fn into_inner(self) -> S {
        self.storage
    }
}

impl<S: ReadAt> FrameStore for Contiguous<S> {
    const FRAME_TYPE: FrameType = FrameType::Contiguous;
}

#[expect(private_interfaces, reason = "the trait is sealed")]
impl<S: ReadAt> sealed::Sealed for Contiguous<S> {
    fn frame(&self) -> Result<&dyn ReadAt> {
        Ok(&self.storage)
    }

    fn locate(&self, header: &FrameHeader, place: u64) -> Result<Located<'_>> {
        let section = header.header_len;
        let end = section.checked_add(header.cbytes);
        match (section.checked_add(place), end) {
            (Some(start), Some(end)) if start < end => {
                let part = Part::ChunksSection;
                Ok(Located {
                    file: Opened::Shared(&self.storage),
                    start,
                    end,
                    part,
                    watch: None,
                    cache: None,
                })
            }
            _ => Err(Error::out_of_range(
                Part::Index,
                section.saturating_add(header.cbytes),
                "index entry",
                place,
                0,
                header.cbytes,
            )),
        }
    }

    fn shareable(&self) -> Option<&dyn Shareable> {
        self.storage.shareable()
    }

    fn sidecar(&self, create: bool) -> Result<Option<Box<dyn Sidecar>>> {
        let Some(shareable) = self.storage.shareable() else {
            return Ok(None);
        };
        let sidecar = shareable.sidecar(create);
        sidecar.map_err(|source| io_error(Part::FrameHeader, 0, source))
    }

    fn stamp(&self) -> Result<Option<Stamp>> {
        let stamp = self.storage.shareable().map(Shareable::stamp).transpose();
        stamp.map_err(|source| io_error(Part::FrameHeader, 0, source))
    }

    fn live_frame(&self) -> Result<Box<dyn ReadAt + '_>> {
        Ok(Box::new(&self.storage))
    }

    fn reopen(&mut self) -> Result<()> {
        let opened = self.storage.reopen();
        opened.map_err(|source| io_error(Part::FrameHeader, 0, source))
    }
}
