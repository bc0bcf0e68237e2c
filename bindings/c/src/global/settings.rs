//! The parameters of the functions without a context.

use std::sync::{Mutex, MutexGuard, PoisonError};

use oxiblosc::{ChunkDecoder, ChunkEncoder};

use crate::abi::{BLOSC_BLOSCLZ, BLOSC_FORWARD_COMPAT_SPLIT, blosc2_cparams};

/// The parameters that `blosc1_set_*` and `blosc2_set_*` set, and what is kept between calls.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The codec.
    pub(crate) compcode: u8,
    /// The size of blocks; 0 for automatic.
    pub(crate) blocksize: i32,
    /// The rule by which blocks are split.
    pub(crate) splitmode: i32,
    /// Whether the filter delta is used.
    pub(crate) delta: bool,
    /// Threads of a call.
    pub(crate) nthreads: i16,
    /// The encoder of the last call, with its parameters.
    pub(super) encoder: Option<(Key, ChunkEncoder)>,
    /// The decoder of the last call, with its number of threads and the age of the registry.
    pub(super) decoder: Option<((i16, u64), ChunkDecoder)>,
}

/// The parameters that an encoder was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    compcode: u8,
    clevel: u8,
    typesize: i32,
    nthreads: i16,
    blocksize: i32,
    splitmode: i32,
    filters: [u8; 6],
    age: u64,
}

impl Key {
    pub(super) fn new(cparams: &blosc2_cparams, age: u64) -> Self {
        Self {
            compcode: cparams.compcode,
            clevel: cparams.clevel,
            typesize: cparams.typesize,
            nthreads: cparams.nthreads,
            blocksize: cparams.blocksize,
            splitmode: cparams.splitmode,
            filters: cparams.filters,
            age,
        }
    }
}

static SETTINGS: Mutex<Settings> = Mutex::new(Settings {
    compcode: BLOSC_BLOSCLZ,
    blocksize: 0,
    splitmode: BLOSC_FORWARD_COMPAT_SPLIT,
    delta: false,
    nthreads: 1,
    encoder: None,
    decoder: None,
});

/// The parameters, for the calling thread alone. A panic while they were held left no half of a
/// change: each is one number.
pub(crate) fn locked() -> MutexGuard<'static, Settings> {
    SETTINGS.lock().unwrap_or_else(PoisonError::into_inner)
}
