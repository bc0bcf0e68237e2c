//! `libblosc2` through safe functions.
//!
//! ```text
//! Library ── compress, decompress, getitem, special, vlcompress     one call, fresh contexts
//!    ├────── Compressor, Decompressor                               contexts kept, for timing
//!    ├────── SChunk                                                 frames in memory and on disk
//!    └────── Array                                                  arrays in memory
//! ```
//!
//! All parameters are explicit and contexts have one thread unless asked otherwise, so that the
//! bytes depend on nothing else. Functions that only compress hand C a *copy* of the input: a
//! pipeline of three filters writes into it (format §14 item 3).

mod array;
mod chunk;
pub mod clocks;
mod layout;
mod schunk;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

pub use array::{Array, Partition};
pub use chunk::{Compressor, Decompressor, Special};
use layout::{CParams, DParams, Schunk, Storage};
pub use schunk::SChunk;

/// The environment variable with the path of `libblosc2`.
pub const PATH_VARIABLE: &str = "OXIBLOSC_LIBBLOSC2";

/// The environment variable that lists the kinds of test data that must be there, or `all`: a test
/// that lacks one of them fails instead of printing that it is skipped.
pub const REQUIRE_VARIABLE: &str = "OXIBLOSC_REQUIRE";

/// Whether [`REQUIRE_VARIABLE`] lists this kind of test data.
#[must_use]
pub fn is_required(kind: &str) -> bool {
    std::env::var(REQUIRE_VARIABLE).is_ok_and(|list| {
        list.split(',')
            .map(str::trim)
            .any(|of| of == kind || of == "all")
    })
}

/// A negative or zero code that a function of the library returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The function.
    pub function: &'static str,
    /// The returned value.
    pub code: i64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} returned {}", self.function, self.code)
    }
}

impl std::error::Error for Failure {}

/// The result of a call into the library.
pub type Result<T> = std::result::Result<T, Failure>;

/// The parameters of a compression context, with the fields of C.
#[derive(Clone, Debug)]
pub struct Params {
    /// Compressor code: 0 blosclz, 1 lz4, 2 lz4hc, 4 zlib, 5 zstd, 32 ndlz, 33 to 35 zfp.
    pub codec: u8,
    /// The meta byte of the codec.
    pub codec_meta: u8,
    /// Compression level, 0 to 9.
    pub clevel: u8,
    /// Typesize in bytes.
    pub typesize: i32,
    /// Filter ids, slot by slot.
    pub filters: [u8; 6],
    /// One meta byte per slot.
    pub filters_meta: [u8; 6],
    /// Requested block size in bytes, 0 for automatic.
    pub blocksize: i32,
    /// 1 always, 2 never, 3 auto, 4 forward compatible.
    pub splitmode: i32,
    /// Whether to use a dictionary.
    pub use_dict: bool,
    /// Threads.
    pub nthreads: i16,
}

impl Default for Params {
    /// C's defaults: BloscLZ, level 5, typesize 8, shuffle.
    fn default() -> Self {
        Self {
            codec: 0,
            codec_meta: 0,
            clevel: 5,
            typesize: 8,
            filters: [0, 0, 0, 0, 0, 1],
            filters_meta: [0; 6],
            blocksize: 0,
            splitmode: 4,
            use_dict: false,
            nthreads: 1,
        }
    }
}

impl From<&oxiblosc::CParams> for Params {
    /// The same parameters, with one thread. A block size or typesize beyond what C's fields hold
    /// becomes -1, which C refuses.
    fn from(cparams: &oxiblosc::CParams) -> Self {
        Self {
            codec: cparams.codec.get(),
            codec_meta: cparams.codec_meta,
            clevel: cparams.clevel,
            typesize: i32::try_from(cparams.typesize).unwrap_or(-1),
            filters: cparams.filters.map(|slot| slot.id.get()),
            filters_meta: cparams.filters.map(|slot| slot.meta),
            blocksize: cparams
                .blocksize
                .map_or(0, |size| i32::try_from(size).unwrap_or(-1)),
            splitmode: i32::from(cparams.split_mode.get()),
            use_dict: cparams.use_dict,
            nthreads: 1,
        }
    }
}

impl Params {
    fn to_c(&self) -> CParams {
        CParams {
            compcode: self.codec,
            compcode_meta: self.codec_meta,
            clevel: self.clevel,
            use_dict: c_int::from(self.use_dict),
            typesize: self.typesize,
            nthreads: self.nthreads,
            blocksize: self.blocksize,
            splitmode: self.splitmode,
            schunk: std::ptr::null_mut(),
            filters: self.filters,
            filters_meta: self.filters_meta,
            prefilter: std::ptr::null_mut(),
            preparams: std::ptr::null_mut(),
            tuner_params: std::ptr::null_mut(),
            tuner_id: 0,
            instr_codec: false,
            codec_params: std::ptr::null_mut(),
            filter_params: [std::ptr::null_mut(); 6],
        }
    }
}

fn dparams(nthreads: i16) -> DParams {
    DParams {
        nthreads,
        schunk: std::ptr::null_mut(),
        postfilter: std::ptr::null_mut(),
        postparams: std::ptr::null_mut(),
        typesize: 0,
    }
}

/// Declares the table of functions and how it is filled.
macro_rules! functions {
    ($($name:ident: fn($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        /// The functions used, as the public header declares them.
        #[derive(Clone, Copy, Debug)]
        struct Functions {
            $($name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        impl Functions {
            /// # Safety
            /// `library` must be C-Blosc2 3.x, whose functions have these types.
            unsafe fn load(
                library: &libloading::Library,
            ) -> std::result::Result<Self, libloading::Error> {
                Ok(Self {
                    $($name: {
                        // SAFETY: the caller vouches for the library, and the public header for the
                        // type.
                        *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }?
                    },)*
                })
            }
        }
    };
}

functions! {
    blosc2_init: fn();
    blosc2_get_version_string: fn() -> *const c_char;
    blosc2_create_cctx: fn(CParams) -> *mut c_void;
    blosc2_create_dctx: fn(DParams) -> *mut c_void;
    blosc2_free_ctx: fn(*mut c_void);
    blosc2_compress_ctx: fn(*mut c_void, *const c_void, i32, *mut c_void, i32) -> c_int;
    blosc2_decompress_ctx: fn(*mut c_void, *const c_void, i32, *mut c_void, i32) -> c_int;
    blosc2_getitem_ctx:
        fn(*mut c_void, *const c_void, i32, c_int, c_int, *mut c_void, i32) -> c_int;
    blosc2_set_maskout: fn(*mut c_void, *mut bool, c_int) -> c_int;
    blosc2_vlcompress_ctx:
        fn(*mut c_void, *const *const c_void, *const i32, i32, *mut c_void, i32) -> c_int;
    blosc2_chunk_zeros: fn(CParams, i32, *mut c_void, i32) -> c_int;
    blosc2_chunk_nans: fn(CParams, i32, *mut c_void, i32) -> c_int;
    blosc2_chunk_uninit: fn(CParams, i32, *mut c_void, i32) -> c_int;
    blosc2_chunk_repeatval: fn(CParams, i32, *mut c_void, i32, *const c_void) -> c_int;
    blosc2_schunk_new: fn(*mut Storage) -> *mut Schunk;
    blosc2_schunk_from_buffer: fn(*mut u8, i64, bool) -> *mut Schunk;
    blosc2_schunk_open_offset: fn(*const c_char, i64) -> *mut Schunk;
    blosc2_schunk_free: fn(*mut Schunk) -> c_int;
    blosc2_schunk_append_chunk: fn(*mut Schunk, *mut u8, bool) -> i64;
    blosc2_schunk_insert_chunk: fn(*mut Schunk, i64, *mut u8, bool) -> i64;
    blosc2_schunk_update_chunk: fn(*mut Schunk, i64, *mut u8, bool) -> i64;
    blosc2_schunk_delete_chunk: fn(*mut Schunk, i64) -> i64;
    blosc2_schunk_append_buffer: fn(*mut Schunk, *const c_void, i32) -> i64;
    blosc2_schunk_append_file: fn(*mut Schunk, *const c_char) -> i64;
    blosc2_schunk_get_chunk: fn(*mut Schunk, i64, *mut *mut u8, *mut bool) -> c_int;
    blosc2_schunk_decompress_chunk: fn(*mut Schunk, i64, *mut c_void, i32) -> c_int;
    blosc2_schunk_get_slice_buffer: fn(*mut Schunk, i64, i64, *mut c_void) -> c_int;
    blosc2_schunk_to_buffer: fn(*mut Schunk, *mut *mut u8, *mut bool) -> i64;
    blosc2_meta_add: fn(*mut Schunk, *const c_char, *const u8, i32) -> c_int;
    blosc2_meta_update: fn(*mut Schunk, *const c_char, *const u8, i32) -> c_int;
    blosc2_vlmeta_add: fn(*mut Schunk, *const c_char, *const u8, i32, *mut CParams) -> c_int;
    blosc2_vlmeta_update: fn(*mut Schunk, *const c_char, *const u8, i32, *mut CParams) -> c_int;
    blosc2_vlmeta_delete: fn(*mut Schunk, *const c_char) -> c_int;
    blosc2_vlmeta_get: fn(*mut Schunk, *const c_char, *mut *mut u8, *mut i32) -> c_int;
    b2nd_create_ctx: fn(
        *mut Storage, i8, *const i64, *const i32, *const i32, *const c_char, i8, *const c_void, i32
    ) -> *mut c_void;
    b2nd_free_ctx: fn(*mut c_void) -> c_int;
    b2nd_from_cbuffer: fn(*mut c_void, *mut *mut c_void, *const c_void, i64) -> c_int;
    b2nd_to_cbuffer: fn(*mut c_void, *mut c_void, i64) -> c_int;
    b2nd_get_slice_cbuffer:
        fn(*mut c_void, *const i64, *const i64, *mut c_void, *const i64, i64) -> c_int;
    b2nd_to_cframe: fn(*const c_void, *mut *mut u8, *mut i64, *mut bool) -> c_int;
    b2nd_from_cframe: fn(*mut u8, i64, bool, *mut *mut c_void) -> c_int;
    b2nd_free: fn(*mut c_void) -> c_int;
}

/// The loaded library. It is never unloaded.
#[derive(Debug)]
pub struct Library {
    functions: Functions,
    version: String,
    _library: libloading::Library,
}

impl Library {
    /// The library named by [`PATH_VARIABLE`], loaded once; `None` when the variable is not set.
    ///
    /// # Panics
    /// When the named library cannot be loaded, or when none is named although
    /// [`REQUIRE_VARIABLE`] lists `c`: a required check must not pass by not running.
    #[expect(
        clippy::panic,
        reason = "a required check must not pass by not running"
    )]
    pub fn get() -> Option<&'static Self> {
        static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
        LIBRARY
            .get_or_init(|| {
                let Some(path) = std::env::var_os(PATH_VARIABLE) else {
                    assert!(
                        !is_required("c"),
                        "{REQUIRE_VARIABLE} lists c, but {PATH_VARIABLE} is not set"
                    );
                    return None;
                };
                // SAFETY: the variable is set by the user to the path of C-Blosc2 3.x.
                let library = unsafe { Self::load(Path::new(&path)) };
                match library {
                    Ok(library) => Some(library),
                    Err(error) => panic!("{PATH_VARIABLE}: {error}"),
                }
            })
            .as_ref()
    }

    /// Loads and initialises the library at `path`.
    ///
    /// # Errors
    /// When it cannot be loaded, or lacks a function.
    ///
    /// # Safety
    /// The file must be C-Blosc2 3.x.
    pub unsafe fn load(path: &Path) -> std::result::Result<Self, libloading::Error> {
        // SAFETY: the caller names C-Blosc2, whose loading has no effect on us.
        let library = unsafe { libloading::Library::new(path) }?;
        // SAFETY: the caller names C-Blosc2 3.x.
        let functions = unsafe { Functions::load(&library) }?;
        // SAFETY: the function takes nothing and may be called any number of times.
        unsafe { (functions.blosc2_init)() };
        // SAFETY: the function takes nothing.
        let version = unsafe { (functions.blosc2_get_version_string)() };
        // SAFETY: it returns a static string with a NUL at its end.
        let version = unsafe { CStr::from_ptr(version) };
        let version = version.to_string_lossy().into_owned();
        Ok(Self {
            functions,
            version,
            _library: library,
        })
    }

    /// The version, such as "3.3.5".
    pub fn version(&self) -> &str {
        &self.version
    }
}

/// A length as C's 32-bit size; -1, which C refuses, when it is too long.
fn size(len: usize) -> i32 {
    i32::try_from(len).unwrap_or(-1)
}

/// A result of C: positive is a length.
fn length(function: &'static str, code: c_int) -> Result<usize> {
    match usize::try_from(code) {
        Ok(len) if len > 0 => Ok(len),
        _ => Err(Failure {
            function,
            code: i64::from(code),
        }),
    }
}

/// A result of C: not negative is good.
fn good(function: &'static str, code: i64) -> Result<u64> {
    u64::try_from(code).map_err(|_| Failure { function, code })
}
