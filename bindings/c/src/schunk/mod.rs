//! Super-chunks: `blosc2_schunk_*`, `blosc2_meta_*`, `blosc2_vlmeta_*`, `blosc2_frame_get_offsets`.
//!
//! ```text
//! blosc2_schunk      what callers read and write; first in memory
//! Shared             protected by a lock: the state that counts
//!   Store            a writer of a frame, wherever it is (store.rs)
//!     pieces         chunks in memory, a `malloc` for each (pieces.rs)
//!     bytes          a contiguous frame in memory (frame_bytes.rs)
//!     file, folder   a frame on disk
//!     callbacks      a frame with the I/O of a user (io/backend.rs)
//! ```
//!
//! Each call takes the lock, asks the store, and writes the public fields again (`publish.rs`). No
//! lock is held while chunks are compressed or decompressed, which may call functions of users.

mod change;
mod copy;
mod create;
mod fill;
mod frame_bytes;
mod free;
mod info;
pub(crate) mod lazy;
mod lock;
mod meta;
mod open;
mod pieces;
mod publish;
pub(crate) mod read;
mod shared;
mod slice;
mod store;
mod vlmeta;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use change::{
    blosc2_schunk_append_buffer, blosc2_schunk_append_chunk, blosc2_schunk_delete_chunk,
    blosc2_schunk_insert_chunk, blosc2_schunk_reorder_offsets, blosc2_schunk_update_chunk,
};
pub use copy::{
    blosc2_schunk_append_file, blosc2_schunk_copy, blosc2_schunk_to_buffer, blosc2_schunk_to_file,
};
pub use create::blosc2_schunk_new;
pub use fill::blosc2_schunk_fill_special;
pub use free::{blosc2_schunk_avoid_cframe_free, blosc2_schunk_free};
pub use info::{
    blosc2_frame_get_offsets, blosc2_schunk_frame_len, blosc2_schunk_get_cparams,
    blosc2_schunk_get_dparams,
};
pub use lazy::blosc2_schunk_get_lazychunk;
pub use lock::{blosc2_schunk_lock, blosc2_schunk_refresh, blosc2_schunk_unlock};
pub use meta::{blosc2_meta_add, blosc2_meta_update};
pub use open::{
    blosc2_schunk_from_buffer, blosc2_schunk_open, blosc2_schunk_open_offset,
    blosc2_schunk_open_offset_udio, blosc2_schunk_open_udio,
};
pub use read::{
    blosc2_schunk_decompress_chunk, blosc2_schunk_get_chunk, blosc2_schunk_get_vlblock,
};
pub use slice::{
    blosc2_schunk_get_slice_buffer, blosc2_schunk_get_sparse_buffer, blosc2_schunk_set_slice_buffer,
};
pub use vlmeta::{
    blosc2_vlmeta_add, blosc2_vlmeta_delete, blosc2_vlmeta_exists, blosc2_vlmeta_get,
    blosc2_vlmeta_get_names, blosc2_vlmeta_update,
};

use crate::abi::blosc2_schunk;
use crate::boundary::{Answer, Code};
use shared::Shared;

/// A super-chunk with what callers do not see.
#[repr(C)]
struct Owned {
    public: blosc2_schunk,
    shared: Arc<Mutex<Shared>>,
}

/// The part of a super-chunk that its lock protects.
///
/// # Safety
/// `schunk` is null, or a super-chunk of this library that is not freed meanwhile.
unsafe fn shared_of(schunk: *mut blosc2_schunk) -> Answer<Arc<Mutex<Shared>>> {
    if schunk.is_null() {
        return Err(Code::NULL);
    }
    // SAFETY: every super-chunk of this library is the front of an `Owned`.
    let shared = unsafe { &raw const (*schunk.cast::<Owned>()).shared };
    // SAFETY: written once, before callers had the pointer; dropped with the super-chunk.
    Ok(Arc::clone(unsafe { &*shared }))
}

/// The fields of a super-chunk.
///
/// # Safety
/// `schunk` is a super-chunk of this library, and no one else uses its fields while the result is
/// in use: its lock is held, and no function of a user is called.
unsafe fn fields<'a>(schunk: *mut blosc2_schunk) -> &'a mut blosc2_schunk {
    // SAFETY: the caller's promise.
    unsafe { &mut *schunk }
}

/// Takes the lock.
fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` with the protected part and the public fields, which are written again after
/// it.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `work` calls no function of a user other than
/// I/O callbacks.
unsafe fn with<R>(
    schunk: *mut blosc2_schunk,
    work: impl FnOnce(&mut Shared, &mut blosc2_schunk) -> Answer<R>,
) -> Answer<R> {
    // SAFETY: the caller's promise.
    let shared = unsafe { shared_of(schunk) }?;
    let mut shared = locked(&shared);
    // SAFETY: the lock is held, and `work` calls nothing that uses the fields.
    let public = unsafe { fields(schunk) };
    shared.preset = usize::try_from(public.chunksize).unwrap_or(0);
    let done = work(&mut shared, public);
    let published = publish::publish(&mut shared, public);
    done.and_then(|done| published.map(|()| done))
}
