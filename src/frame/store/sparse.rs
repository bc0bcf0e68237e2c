//! Frames in a directory, with a file per chunk ([format §10](crate::format#10)).
//!
//! ```text
//! name/chunks.b2frame     header | index | trailer
//! name/00000000.chunk     index entries are the numbers of chunk files, in upper-case hex
//! name/00000001.chunk
//! ```
//!
//! A commit replaces `chunks.b2frame`, atomically. Until then, the chunk files of the last commit
//! stay unchanged: updated chunks get new numbers, and unused files are removed after the commit.
//! With [`in_place`](crate::frame::FrameParams::in_place), chunk files are rewritten and removed
//! immediately, with the numbers that C uses ([format §10](crate::format#10)).

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::located::{Located, Opened, io_error};
use super::names::{SPARSE_FRAME_FILE, chunk_number, file_name};
use super::traits::{Committed, FrameStore, FrameStoreMut, Placed, WriteMode, sealed};
use super::undo::{Abandon, UndoSparse};
use crate::error::{Part, Result};
use crate::frame::layout::contents::Contents;
use crate::frame::layout::header::{FrameHeader, FrameType};
use crate::frame::layout::params::Durability;
use crate::frame::layout::seal;
use crate::num::saturating_i64;
use crate::storage::{Directory, ReadAt, Shareable, Sidecar, Stamp, target_of_temporary};

/// A frame in a directory.
#[doc(alias = "sframe")]
#[derive(Debug)]
pub struct Sparse<D: Directory> {
    dir: D,
    /// `chunks.b2frame`, once there is one.
    frame: Option<D::File>,
    /// Numbers below this one belong to the last commit and are not written again.
    floor: u64,
    /// Files that are unused after the next commit.
    unused: Vec<u64>,
    /// Files written since the last commit.
    written: Arc<Mutex<Vec<u64>>>,
    /// Whether a new `chunks.b2frame` is locked before it gets its name.
    keep_locked: bool,
}

impl<D: Directory> Sparse<D> {
    /// A directory for a new frame.
    pub fn new(dir: D) -> Self {
        Self {
            dir,
            frame: None,
            floor: 0,
            unused: Vec::new(),
            written: Arc::default(),
            keep_locked: false,
        }
    }

    /// A directory that holds a frame ([format §10](crate::format#10)).
    ///
    /// # Errors
    /// When there is no `chunks.b2frame` in it.
    pub fn open(dir: D) -> Result<Self> {
        let mut store = Self::new(dir);
        store.open_frame()?;
        Ok(store)
    }

    /// A directory for a new frame, which may hold one that is to be replaced.
    pub(crate) fn over(dir: D) -> io::Result<Self> {
        let mut store = Self::new(dir);
        let names = store.dir.names()?;
        let ours = |name: &String| {
            let name = target_of_temporary(name).unwrap_or(name);
            name == SPARSE_FRAME_FILE || name == ".b2lock" || chunk_number(name).is_some()
        };
        if let Some(name) = names.iter().find(|name| !ours(name)) {
            let message = format!("the directory to overwrite holds {name:?}, no part of a frame");
            return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, message));
        }
        if names.iter().any(|name| name == SPARSE_FRAME_FILE) {
            store.frame = Some(store.dir.open(SPARSE_FRAME_FILE)?);
        }
        Ok(store)
    }

    /// The directory.
    pub fn dir(&self) -> &D {
        &self.dir
    }

    /// The directory, for other uses.
    pub fn into_inner(self) -> D {
        self.dir
    }

    fn open_frame(&mut self) -> Result<()> {
        let file = self.dir.open(SPARSE_FRAME_FILE);
        self.frame = Some(file.map_err(|source| io_error(Part::FrameHeader, 0, source))?);
        Ok(())
    }

    fn write(&mut self, number: u64, chunk: &[u8], durability: Durability) -> Result<()> {
        // Named first, so that a file of which only a part was written is removed, too.
        self.written
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(number);
        let written = self
            .dir
            .replace(&file_name(number)?, chunk, durability != Durability::None);
        self.unused.retain(|&unused| unused != number);
        written.map_err(|source| io_error(Part::ChunkFile, 0, source))
    }

    /// Removes the chunk files that the index does not name; returns their number.
    pub(crate) fn sweep(&mut self, index: &[i64]) -> Result<u64> {
        let used: BTreeSet<i64> = index.iter().copied().collect();
        let mut swept = 0_u64;
        for number in self.numbers()? {
            if !used.contains(&saturating_i64(number)) {
                self.unlink(number)?;
                swept = swept.saturating_add(1);
            }
        }
        for name in self.temporaries()? {
            self.dir
                .remove(&name)
                .map_err(|source| io_error(Part::ChunkFile, 0, source))?;
            swept = swept.saturating_add(1);
        }
        Ok(swept)
    }

    /// The names of files that were being written under a temporary name when a writer was killed.
    fn temporaries(&self) -> Result<Vec<String>> {
        let names = self.dir.names();
        let mut names = names.map_err(|source| io_error(Part::ChunkFile, 0, source))?;
        names.retain(|name| {
            target_of_temporary(name)
                .is_some_and(|target| target == SPARSE_FRAME_FILE || chunk_number(target).is_some())
        });
        Ok(names)
    }

    /// The numbers of all chunk files, in no particular order.
    fn numbers(&self) -> Result<Vec<u64>> {
        let names = self.dir.names();
        let names = names.map_err(|source| io_error(Part::ChunkFile, 0, source))?;
        Ok(names.iter().filter_map(|name| chunk_number(name)).collect())
    }

    /// The bytes of all files of the frame.
    pub(crate) fn len(&self) -> Result<u64> {
        let io = |source| io_error(Part::ChunkFile, 0, source);
        let frame = self.frame.as_ref().map_or(Ok(0), ReadAt::len);
        let mut len = frame.map_err(|source| io_error(Part::FrameHeader, 0, source))?;
        for number in self.numbers()? {
            let file = self.dir.open(&file_name(number)?).map_err(io)?;
            len = len.saturating_add(file.len().map_err(io)?);
        }
        Ok(len)
    }

    /// Copies a chunk file to another number.
    pub(crate) fn copy(
        &mut self,
        header: &FrameHeader,
        from: u64,
        to: u64,
        mode: WriteMode,
    ) -> Result<()> {
        let chunk = {
            let located = sealed::Sealed::locate(self, header, from)?;
            located.bytes(located.room())?.into_owned()
        };
        self.write(to, &chunk, mode.durability)
    }

    /// Sets which files the next commit removes.
    pub(crate) fn set_unused(&mut self, numbers: Vec<u64>) {
        self.unused = numbers;
    }

    fn clear_written(&self) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.clear();
    }

    fn unlink(&mut self, number: u64) -> Result<()> {
        match self.dir.remove(&file_name(number)?) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(io_error(Part::ChunkFile, 0, source))
            }
            _ => Ok(()),
        }
    }
}

/// One more than the largest chunk file number of an index.
pub(crate) fn next_number(index: &[i64]) -> u64 {
    let most = index
        .iter()
        .copied()
        .max()
        .and_then(|most| u64::try_from(most).ok());
    most.map_or(0, |most| most.saturating_add(1))
}

impl<D: Directory> FrameStore for Sparse<D> {
    const FRAME_TYPE: FrameType = FrameType::Sparse;
}

#[expect(private_interfaces, reason = "the trait is sealed")]
impl<D: Directory> sealed::Sealed for Sparse<D> {
    fn frame(&self) -> Result<&dyn ReadAt> {
        match &self.frame {
            Some(file) => Ok(file),
            None => Err(io_error(
                Part::FrameHeader,
                0,
                io::ErrorKind::NotFound.into(),
            )),
        }
    }

    fn locate(&self, _header: &FrameHeader, place: u64) -> Result<Located<'_>> {
        let part = Part::ChunkFile;
        let io = |source| io_error(part, 0, source);
        let file = self.dir.open(&file_name(place)?).map_err(io)?;
        let end = file.len().map_err(io)?;
        Ok(Located {
            file: Opened::Own(Box::new(file)),
            start: 0,
            end,
            part,
            watch: None,
            cache: None,
        })
    }

    fn locate_cached(&self, _header: &FrameHeader, place: u64, end: u64) -> Result<Located<'_>> {
        let (part, name) = (Part::ChunkFile, file_name(place)?);
        let file = Opened::later(move || {
            let file = self.dir.open(&name);
            Ok(Box::new(file.map_err(|source| io_error(part, 0, source))?))
        });
        Ok(Located {
            file,
            start: 0,
            end,
            part,
            watch: None,
            cache: None,
        })
    }

    fn shareable(&self) -> Option<&dyn Shareable> {
        self.frame.as_ref()?.shareable()
    }

    fn sidecar(&self, create: bool) -> Result<Option<Box<dyn Sidecar>>> {
        let sidecar = self.dir.sidecar(create);
        sidecar.map_err(|source| io_error(Part::FrameHeader, 0, source))
    }

    fn stamp(&self) -> Result<Option<Stamp>> {
        let Some(file) = self.shareable() else {
            return Ok(None);
        };
        let io = |source| io_error(Part::FrameHeader, 0, source);
        if file.is_current().map_err(io)? {
            return file.stamp().map(Some).map_err(io);
        }
        let live = self.dir.open(SPARSE_FRAME_FILE).map_err(io)?;
        live.shareable()
            .map(Shareable::stamp)
            .transpose()
            .map_err(io)
    }

    fn live_frame(&self) -> Result<Box<dyn ReadAt + '_>> {
        let live = self.dir.open(SPARSE_FRAME_FILE);
        Ok(Box::new(live.map_err(|source| {
            io_error(Part::FrameHeader, 0, source)
        })?))
    }

    fn reopen(&mut self) -> Result<()> {
        self.open_frame()
    }
}

impl<D: Directory> FrameStoreMut for Sparse<D> {}

#[expect(private_interfaces, reason = "the trait is sealed")]
impl<D: Directory> sealed::SealedMut for Sparse<D> {
    fn begin(&mut self) -> Result<()> {
        // The files of a frame that is replaced are there until the first commit.
        let old = self.numbers()?;
        self.floor = old.iter().max().map_or(0, |&last| last.saturating_add(1));
        self.unused = old.into_iter().collect();
        Ok(())
    }

    fn keep_locked(&mut self, locked: bool) {
        self.keep_locked = locked;
    }

    fn undo(&self) -> Result<Option<Box<dyn Abandon>>> {
        self.clear_written();
        let before = sealed::Sealed::stamp(self)?;
        let dir = self.dir.second_handle();
        Ok(dir.map(|dir| {
            let written = Arc::clone(&self.written);
            let undo = UndoSparse {
                dir,
                written,
                before,
            };
            Box::new(undo) as Box<dyn Abandon>
        }))
    }

    fn resume(&mut self, contents: &Contents, mode: WriteMode) {
        self.floor = if mode.in_place {
            0
        } else {
            next_number(&contents.index)
        };
    }

    fn put(&mut self, contents: &Contents, chunk: &[u8], mode: WriteMode) -> Result<Placed> {
        let number = next_number(&contents.index).max(self.floor);
        self.write(number, chunk, mode.durability)?;
        let cbytes = contents.header.cbytes;
        Ok(Placed {
            place: number,
            cbytes: cbytes.saturating_add(chunk.len() as u64),
            moved: None,
        })
    }

    fn replace(
        &mut self,
        contents: &Contents,
        old: u64,
        old_len: u64,
        new: Option<&[u8]>,
        mode: WriteMode,
    ) -> Result<Placed> {
        let others = contents.header.cbytes.saturating_sub(old_len);
        let new_len = new.map_or(0, <[u8]>::len) as u64;
        let place = match new {
            Some(new) if mode.in_place || old >= self.floor => {
                self.write(old, new, mode.durability)?;
                old
            }
            Some(new) => {
                let placed = self.put(contents, new, mode)?;
                self.remove(contents, old, old_len, mode)?;
                placed.place
            }
            None => {
                self.remove(contents, old, old_len, mode)?;
                old
            }
        };
        Ok(Placed {
            place,
            cbytes: others.saturating_add(new_len),
            moved: None,
        })
    }

    fn remove(
        &mut self,
        contents: &Contents,
        old: u64,
        old_len: u64,
        mode: WriteMode,
    ) -> Result<u64> {
        if mode.in_place {
            self.unlink(old)?;
        } else {
            self.unused.push(old);
        }
        Ok(contents.header.cbytes.saturating_sub(old_len))
    }

    fn take_back(
        &mut self,
        contents: &Contents,
        old: u64,
        old_len: u64,
        mode: WriteMode,
    ) -> Result<u64> {
        self.remove(contents, old, old_len, mode)
    }

    fn commit(&mut self, contents: &Contents, index: &[u8], mode: WriteMode) -> Result<Committed> {
        let mut trailer = contents.trailer()?;
        let mut header = contents.header.clone();
        let rest = index.len().saturating_add(trailer.len()) as u64;
        header.frame_len = header.header_len.saturating_add(rest);
        let mut bytes = header.write(&contents.metalayers)?;
        let fingerprint = seal::sign(contents, &bytes, index, &mut trailer);
        bytes.extend_from_slice(index);
        bytes.extend_from_slice(&trailer);
        let written = self.dir.replace_and_open(
            SPARSE_FRAME_FILE,
            &bytes,
            mode.durability != Durability::None,
            self.keep_locked,
        );
        let file = written.map_err(|source| io_error(Part::FrameHeader, 0, source))?;
        self.frame = Some(file);
        self.clear_written();
        self.floor = if mode.in_place {
            0
        } else {
            next_number(&contents.index)
        };
        for number in std::mem::take(&mut self.unused) {
            // The frame is committed; an unused file does no harm.
            let _ = self.unlink(number);
        }
        Ok(Committed {
            cbytes: header.cbytes,
            frame_len: header.frame_len,
            fingerprint,
        })
    }
}
