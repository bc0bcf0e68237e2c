//! Chunks in memory of `malloc`, one by one, as `schunk->data` shows them: the directory of a
//! sparse frame that is never written.

use std::collections::BTreeMap;
use std::io;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oxiblosc::storage::{Directory, ReadAt};

use crate::boundary::Answer;
use crate::memory::{self, Heap};

/// A chunk in memory of `malloc`.
#[derive(Debug)]
pub(crate) struct Piece {
    start: *mut u8,
    len: usize,
}

// SAFETY: the bytes are not written after they were made, and freed once.
unsafe impl Send for Piece {}
// SAFETY: as above.
unsafe impl Sync for Piece {}

impl Piece {
    /// A copy of bytes.
    pub(super) fn copy(bytes: &[u8]) -> Answer<Arc<Self>> {
        Ok(Arc::new(Self {
            start: Heap::copy(bytes)?.give(),
            len: bytes.len(),
        }))
    }

    /// Bytes of a caller, which are freed with the last reference.
    ///
    /// # Safety
    /// `len` bytes there are initialised, came from `malloc`, and are not written or freed by
    /// others from then on.
    pub(super) unsafe fn adopt(start: *mut u8, len: usize) -> Arc<Self> {
        Arc::new(Self { start, len })
    }

    /// Its address.
    pub(super) fn start(&self) -> *mut u8 {
        self.start
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes of `malloc`, initialised, freed when this is dropped.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // SAFETY: from `malloc`, and no one has the pieces any more.
        unsafe { memory::free(self.start) };
    }
}

/// All chunks, by their numbers in the index, which the directory and the super-chunk share.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    all: Mutex<Content>,
}

#[derive(Debug, Default)]
struct Content {
    pieces: BTreeMap<u64, Arc<Piece>>,
    /// A chunk that the caller gave away, to be stored as it is.
    given: Option<Arc<Piece>>,
    /// The piece that was stored last.
    last: Option<Arc<Piece>>,
}

impl Pieces {
    fn all(&self) -> MutexGuard<'_, Content> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The piece with this number.
    pub(super) fn get(&self, number: u64) -> Option<Arc<Piece>> {
        self.all().pieces.get(&number).cloned()
    }

    /// The piece that was stored last.
    pub(super) fn last(&self) -> Option<Arc<Piece>> {
        self.all().last.clone()
    }

    /// Offers a piece: when its bytes are stored next, it is taken instead of a copy.
    pub(super) fn offer(&self, piece: Option<Arc<Piece>>) {
        self.all().given = piece;
    }
}

/// The number in the name of a chunk file.
fn number(name: &str) -> Option<u64> {
    u64::from_str_radix(name.strip_suffix(".chunk")?, 16).ok()
}

fn missing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

/// The directory.
#[derive(Debug)]
pub(super) struct PieceDir(pub(super) Arc<Pieces>);

/// A file of the directory.
#[derive(Debug)]
pub(super) struct PieceFile(Arc<Piece>);

impl ReadAt for PieceFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.len as u64)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let at = usize::try_from(offset).ok();
        let bytes = at.and_then(|at| self.0.bytes().get(at..)?.get(..buf.len()));
        buf.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(self.0.bytes())
    }
}

impl Directory for PieceDir {
    type File = PieceFile;

    fn open(&self, name: &str) -> io::Result<PieceFile> {
        let piece = number(name).and_then(|number| self.0.get(number));
        piece.map(PieceFile).ok_or_else(missing)
    }

    fn replace(&mut self, name: &str, bytes: &[u8], _sync: bool) -> io::Result<()> {
        let number = number(name).ok_or_else(missing)?;
        let mut all = self.0.all();
        let same = |piece: &mut Arc<Piece>| piece.start.cast_const() == bytes.as_ptr();
        let piece = match all.given.take_if(same) {
            Some(piece) => piece,
            None => Piece::copy(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?,
        };
        all.last = Some(Arc::clone(&piece));
        all.pieces.insert(number, piece);
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let removed = number(name).and_then(|number| self.0.all().pieces.remove(&number));
        removed.map(drop).ok_or_else(missing)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let all = self.0.all();
        let names = all
            .pieces
            .keys()
            .map(|number| format!("{number:08X}.chunk"));
        Ok(names.collect())
    }
}
