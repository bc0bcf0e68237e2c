//! The parameters of the functions without a context, and the variables `BLOSC_*`.

use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, FilterSlot, SplitMode, Threads};

use crate::boundary::{answer, guard, text};
use crate::names::{code_of, name_of};

/// The most threads.
const MAX_THREADS: c_int = 256;

/// The parameters that `blosc_set_*` set, and what is kept between calls.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) code: u8,
    pub(crate) blocksize: usize,
    pub(crate) splitmode: u8,
    pub(crate) nthreads: c_int,
    pub(crate) encoder: Option<(Params, u32, ChunkEncoder)>,
    pub(crate) decoder: Option<(c_int, u32, ChunkDecoder)>,
}

static SETTINGS: Mutex<Settings> = Mutex::new(Settings {
    code: 0,
    blocksize: 0,
    splitmode: 4,
    nthreads: 1,
    encoder: None,
    decoder: None,
});

/// The parameters, for the calling thread alone.
pub(crate) fn locked() -> MutexGuard<'static, Settings> {
    SETTINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parameters of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Params {
    pub(crate) clevel: c_int,
    pub(crate) shuffle: c_int,
    pub(crate) typesize: usize,
    pub(crate) code: u8,
    pub(crate) blocksize: usize,
    pub(crate) splitmode: u8,
    pub(crate) nthreads: c_int,
}

impl Params {
    /// An encoder for these parameters; none for impossible ones.
    pub(crate) fn encoder(&self) -> Option<ChunkEncoder> {
        let clevel = u8::try_from(self.clevel).ok().filter(|level| *level < 10)?;
        let filter = match self.shuffle {
            0 => None,
            1 => Some(FilterSlot::SHUFFLE),
            2 => Some(FilterSlot::BITSHUFFLE),
            _ => return None,
        };
        // Larger items are a stream of bytes.
        let typesize = if (1..256).contains(&self.typesize) {
            self.typesize
        } else {
            1
        };
        let cparams = CParams::new(typesize)
            .clevel(clevel)
            .filters(filter)
            .codec(CodecId::new(self.code))
            .split_mode(SplitMode::new(self.splitmode).unwrap_or_default())
            .blocksize((self.blocksize > 0).then_some(self.blocksize))
            .threads(threads(self.nthreads)?);
        ChunkEncoder::for_blosc1(cparams).ok()
    }
}

/// The threads of a call.
pub(crate) fn threads(count: c_int) -> Option<Threads> {
    if !(1..=MAX_THREADS).contains(&count) {
        return None;
    }
    Threads::new(usize::try_from(count).ok()?).ok()
}

/// The process, where it matters: the child of a fork has none of the threads.
pub(crate) fn process(nthreads: c_int) -> u32 {
    if nthreads > 1 { std::process::id() } else { 0 }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn number(name: &str) -> Option<i64> {
    variable(name)?.trim().parse().ok()
}

/// Whether calls should not wait for each other.
pub(crate) fn unlocked() -> bool {
    variable("BLOSC_NOLOCK").is_some()
}

impl Settings {
    /// The parameters of a call, with what the variables say, which stays.
    pub(crate) fn params(
        &mut self,
        clevel: c_int,
        shuffle: c_int,
        typesize: usize,
    ) -> Option<Params> {
        self.read_threads()?;
        if let Some(name) = variable("BLOSC_COMPRESSOR") {
            let name = std::ffi::CString::new(name).ok()?;
            self.code = code_of(&name)?;
        }
        if let Some(size) = number("BLOSC_BLOCKSIZE") {
            self.blocksize = usize::try_from(size).ok()?;
        }
        if let Some(mode) = variable("BLOSC_SPLITMODE") {
            self.splitmode = match mode.as_str() {
                "ALWAYS" => 1,
                "NEVER" => 2,
                "AUTO" => 3,
                "FORWARD_COMPAT" => 4,
                _ => return None,
            };
        }
        let shuffle = match variable("BLOSC_SHUFFLE").as_deref() {
            Some("NOSHUFFLE") => 0,
            Some("SHUFFLE") => 1,
            Some("BITSHUFFLE") => 2,
            _ => shuffle,
        };
        let clevel = match number("BLOSC_CLEVEL") {
            Some(level) => c_int::try_from(level).ok()?,
            None => clevel,
        };
        let typesize = match number("BLOSC_TYPESIZE") {
            Some(size) => usize::try_from(size).ok()?,
            None => typesize,
        };
        Some(Params {
            clevel,
            shuffle,
            typesize,
            code: self.code,
            blocksize: self.blocksize,
            splitmode: self.splitmode,
            nthreads: self.nthreads,
        })
    }

    /// Takes the number of threads from its variable; none for an impossible one.
    pub(crate) fn read_threads(&mut self) -> Option<()> {
        if let Some(count) = number("BLOSC_NTHREADS") {
            let count = c_int::try_from(count).ok()?;
            self.nthreads = (1..=MAX_THREADS).contains(&count).then_some(count)?;
        }
        Some(())
    }
}

/// Prepares the library. Nothing needs it; it is here for programs that call it.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_init"))]
pub unsafe extern "C" fn blosc_init() {}

/// Gives back threads and memory; the library can be used again.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_destroy"))]
pub unsafe extern "C" fn blosc_destroy() {
    guard((), release);
}

/// Gives back threads and memory; 0.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_free_resources"))]
pub unsafe extern "C" fn blosc_free_resources() -> c_int {
    guard((), release);
    0
}

fn release() {
    let mut settings = locked();
    settings.encoder = None;
    settings.decoder = None;
}

/// The number of threads.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_get_nthreads"))]
pub unsafe extern "C" fn blosc_get_nthreads() -> c_int {
    guard(1, || locked().nthreads)
}

/// Sets the number of threads, 1 to 256; the number before, or -1.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_set_nthreads"))]
pub unsafe extern "C" fn blosc_set_nthreads(nthreads: c_int) -> c_int {
    answer(|| {
        if !(1..=MAX_THREADS).contains(&nthreads) {
            return None;
        }
        Some(std::mem::replace(&mut locked().nthreads, nthreads))
    })
}

/// The name of the codec.
///
/// # Safety
/// None is needed. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc_get_compressor"))]
pub unsafe extern "C" fn blosc_get_compressor() -> *const c_char {
    guard(std::ptr::null(), || {
        name_of(locked().code.into()).map_or(std::ptr::null(), CStr::as_ptr)
    })
}

/// Sets the codec; its code, or -1 for a name that none has.
///
/// # Safety
/// `compname` is null or a C string.
#[unsafe(export_name = symbol!("blosc_set_compressor"))]
pub unsafe extern "C" fn blosc_set_compressor(compname: *const c_char) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let code = code_of(unsafe { text(compname) }?)?;
        locked().code = code;
        Some(code.into())
    })
}

/// The size of blocks; 0 for automatic.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_get_blocksize"))]
pub unsafe extern "C" fn blosc_get_blocksize() -> c_int {
    guard(0, || {
        c_int::try_from(locked().blocksize).unwrap_or(c_int::MAX)
    })
}

/// Sets the size of blocks; 0 for automatic.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_set_blocksize"))]
pub unsafe extern "C" fn blosc_set_blocksize(blocksize: usize) {
    guard((), || locked().blocksize = blocksize);
}

/// Sets the rule by which blocks are split, 1 to 4; other numbers are left alone.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_set_splitmode"))]
pub unsafe extern "C" fn blosc_set_splitmode(splitmode: c_int) {
    guard((), || {
        if let Some(mode) = u8::try_from(splitmode).ok().and_then(SplitMode::new) {
            locked().splitmode = mode.get();
        }
    });
}
