//! Writing the public fields again after a call.

use std::ffi::{CString, c_char};
use std::sync::Arc;

use oxiblosc::frame::ChunkPlace;

use super::pieces::{Piece, Pieces};
use super::shared::{Changed, Shared};
use crate::abi::{BLOSC2_VL_BLOCKS, blosc2_metalayer, blosc2_schunk};
use crate::boundary::{Answer, Code};
use crate::memory::{self, Heap};

/// A metalayer as callers see it.
#[derive(Debug)]
pub(super) struct Named {
    name: String,
    /// The name, in the memory that callers see.
    text: *mut c_char,
    content: Vec<u8>,
    place: *mut blosc2_metalayer,
}

impl Named {
    fn new(name: &str, content: &[u8]) -> Answer<Self> {
        let text = CString::new(name).map_err(|_| Code::INVALID)?;
        let text = memory::string(&text)?;
        let public = blosc2_metalayer {
            name: text,
            content: Heap::copy(content)?.give(),
            content_len: i32::try_from(content.len())?,
        };
        Ok(Self {
            name: name.to_owned(),
            text,
            content: content.to_vec(),
            place: memory::boxed(public)?,
        })
    }

    /// Its name, in memory that stays until the metalayer is removed.
    pub(super) fn name(&self) -> *mut c_char {
        self.text
    }

    /// Gives the metalayer another content; its name stays where it is.
    fn set(&mut self, content: &[u8]) -> Answer<()> {
        let len = i32::try_from(content.len())?;
        let new = Heap::copy(content)?.give();
        // SAFETY: made by `new`, and freed with this value alone; the lock is held.
        let public = unsafe { &mut *self.place };
        let old = std::mem::replace(&mut public.content, new);
        public.content_len = len;
        // SAFETY: the content that was published before, from `malloc`.
        unsafe { memory::free(old) };
        self.content = content.to_vec();
        Ok(())
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and not freed before.
        let public = unsafe { *self.place };
        // SAFETY: from `malloc`; callers no longer use it.
        unsafe { memory::free(public.name) };
        // SAFETY: from `malloc`; callers no longer use it.
        unsafe { memory::free(public.content) };
        // SAFETY: from `malloc`; callers no longer use it.
        unsafe { memory::free(self.place) };
    }
}

/// Makes `known` what `now` is, and the places in `public` those of `known`. Names that stay keep
/// their memory. Returns whether anything differs.
fn reconcile<'a>(
    known: &mut Vec<Named>,
    now: impl Iterator<Item = (&'a str, &'a [u8])>,
    public: &mut [*mut blosc2_metalayer],
) -> Answer<bool> {
    let mut old: Vec<Option<Named>> = std::mem::take(known).into_iter().map(Some).collect();
    let count = old.len();
    let mut differ = false;
    for (index, (name, content)) in now.enumerate() {
        let same = |entry: &Option<Named>| entry.as_ref().is_some_and(|entry| entry.name == name);
        let at = if old.get(index).is_some_and(same) {
            Some(index)
        } else {
            old.iter().position(same)
        };
        differ |= at != Some(index);
        let mut entry = match at.and_then(|at| old.get_mut(at)?.take()) {
            Some(entry) => entry,
            None => Named::new(name, content)?,
        };
        if entry.content != content {
            entry.set(content)?;
            differ = true;
        }
        if let Some(place) = public.get_mut(index) {
            *place = entry.place;
        }
        known.push(entry);
    }
    if let Some(rest) = public.get_mut(known.len()..) {
        for place in rest.iter_mut().take(count) {
            *place = std::ptr::null_mut();
        }
    }
    Ok(differ || count != known.len())
}

/// Writes the public fields again. The lock is held.
pub(super) fn publish(shared: &mut Shared, public: &mut blosc2_schunk) -> Answer<()> {
    publish_chunks(shared, public)?;
    let layout = shared.store.source().layout();
    let header = shared.store.header();
    public.nchunks = i64::try_from(layout.nchunks)?;
    public.nbytes = i64::try_from(header.nbytes)?;
    let extra = shared.special.saturating_mul(32);
    public.cbytes = i64::try_from(header.cbytes.saturating_add(extra))?;
    public.chunksize = match header.chunksize {
        // Callers may have set the size of the chunks to come.
        Some(0) if public.chunksize > 0 => public.chunksize,
        Some(0) => -1,
        Some(size) => i32::try_from(size)?,
        None => 0,
    };
    public.blocksize = i32::try_from(header.blocksize)?;
    public.flags2 = if header.vlblocks { BLOSC2_VL_BLOCKS } else { 0 };
    if std::mem::take(&mut shared.metadata) {
        let Shared {
            store,
            metalayers,
            vlmetalayers,
            ..
        } = shared;
        let fixed = store.metalayers().iter();
        let mut differ = reconcile(metalayers, fixed, &mut public.metalayers)?;
        public.nmetalayers = u16::try_from(metalayers.len())?;
        let variable = store.vlmetalayers().iter();
        differ |= reconcile(vlmetalayers, variable, &mut public.vlmetalayers)?;
        public.nvlmetalayers = i16::try_from(vlmetalayers.len())?;
        if differ {
            public.change_tick = public.change_tick.wrapping_add(1);
        }
    }
    Ok(())
}

/// The chunk with this number as a piece of memory, and whether the index alone describes it.
fn piece(shared: &Shared, pieces: &Pieces, place: ChunkPlace, nchunk: u64) -> Answer<Arc<Piece>> {
    if let ChunkPlace::File(number) = place {
        return pieces.get(number).ok_or(Code::FAILURE);
    }
    let source = shared.store.source();
    let chunk = source.chunk(nchunk)?.into_bytes(&source.layout());
    Piece::copy(&chunk)
}

fn publish_chunks(shared: &mut Shared, public: &mut blosc2_schunk) -> Answer<()> {
    let changed = std::mem::replace(&mut shared.chunks, Changed::Nothing);
    let Some(pieces) = shared.pieces().cloned() else {
        return Ok(());
    };
    match changed {
        Changed::Nothing => return Ok(()),
        Changed::Last => {
            let nchunk = shared.store.nchunks().saturating_sub(1);
            let special = shared.store.source().special_value(nchunk).is_some();
            let new = if special {
                piece(shared, &pieces, ChunkPlace::Index, nchunk)?
            } else {
                pieces.last().ok_or(Code::FAILURE)?
            };
            shared.special = shared.special.saturating_add(u64::from(special));
            shared.pieces.push(new);
        }
        Changed::All => {
            let mut special = 0_u64;
            let mut all = Vec::new();
            for (place, nchunk) in shared.store.places().zip(0..) {
                special = special.saturating_add(u64::from(place == ChunkPlace::Index));
                all.push(piece(shared, &pieces, place, nchunk)?);
            }
            shared.pieces = all;
            shared.special = special;
            shared.pointers.clear();
        }
    }
    let known = shared.pointers.len();
    let new = shared.pieces.iter().skip(known).map(|piece| piece.start());
    shared.pointers.extend(new);
    public.data = shared.pointers.as_mut_ptr();
    public.data_len = shared
        .pointers
        .capacity()
        .saturating_mul(size_of::<*mut u8>());
    if shared.pointers.is_empty() {
        public.data = std::ptr::null_mut();
        public.data_len = 0;
    }
    Ok(())
}
