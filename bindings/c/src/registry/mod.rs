//! Codecs, filters and tuners of the caller, by their ids.

mod codec;
mod filter;
pub(crate) mod tuner;

pub use tuner::blosc2_register_tuner;

use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use oxiblosc::Registry;

use crate::abi::{
    BLOSC2_ERROR_CODEC_PARAM, BLOSC2_ERROR_FAILURE, BLOSC2_ERROR_SUCCESS,
    BLOSC2_USER_REGISTERED_START, blosc2_codec, blosc2_filter,
};
use crate::boundary::{Answer, Code, answer, object, text};
use crate::context::Call;
use crate::global;

/// A codec or filter with a name of its own.
#[derive(Clone, Copy, Debug)]
struct Named<T> {
    name: &'static CStr,
    entry: T,
}

// SAFETY: the entries are ids, names and functions; C calls the functions on several threads, too.
unsafe impl<T> Send for Named<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Named<T> {}

#[derive(Debug)]
struct Registered {
    codecs: Vec<Named<blosc2_codec>>,
    filters: Vec<Named<blosc2_filter>>,
}

static REGISTERED: RwLock<Registered> = RwLock::new(Registered {
    codecs: Vec::new(),
    filters: Vec::new(),
});

/// How often something was registered.
static AGE: AtomicU64 = AtomicU64::new(0);

/// A number that grows with every registration.
pub(crate) fn age() -> u64 {
    AGE.load(Ordering::Acquire)
}

fn read() -> std::sync::RwLockReadGuard<'static, Registered> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a codec, the library's own or a registered one.
pub(crate) fn name_of(code: u8) -> Option<&'static CStr> {
    let built_in = global::name_of(code);
    built_in.or_else(|| {
        let registered = read();
        let mut codecs = registered.codecs.iter();
        let found = codecs.find(|codec| codec.entry.compcode == code)?;
        Some(found.name)
    })
}

/// The code of a codec, the library's own or a registered one.
pub(crate) fn code_of(name: &CStr) -> Option<u8> {
    let built_in = global::code_of(name);
    built_in.or_else(|| {
        let registered = read();
        let found = registered.codecs.iter().find(|codec| codec.name == name)?;
        Some(found.entry.compcode)
    })
}

/// Whether a filter was registered under this id.
pub(crate) fn has_filter(id: u8) -> bool {
    read().filters.iter().any(|filter| filter.entry.id == id)
}

/// The registered codecs and filters for calls that show them `call`; none if there are none.
///
/// # Errors
/// None that the registration lets happen.
pub(crate) fn for_call(call: &Arc<Call>) -> Answer<Option<Arc<Registry>>> {
    if age() == 0 {
        return Ok(None);
    }
    let registered = read();
    let mut registry = Registry::new();
    for codec in &registered.codecs {
        registry = registry.with_codec(codec::Adapter::new(*codec, Arc::clone(call)))?;
    }
    for filter in &registered.filters {
        registry = registry.with_filter(filter::Adapter::new(*filter, Arc::clone(call)))?;
    }
    Ok(Some(Arc::new(registry)))
}

/// A name that stays: names of codecs are given out for the life of the process.
unsafe fn kept(name: *const c_char) -> Answer<&'static CStr> {
    // SAFETY: null or a C string by the caller's promise.
    let name = unsafe { text(name) }?;
    Ok(Box::leak(CString::from(name).into_boxed_c_str()))
}

/// Registers a codec with an id of 160 to 255. An id that is taken is refused, unless it is by a
/// codec of the same name, which stays.
///
/// # Safety
/// `codec` is null or valid, with a C string as its name and functions that can be called on any
/// thread as long as the process lives. It is copied.
#[unsafe(export_name = symbol!("blosc2_register_codec"))]
pub unsafe extern "C" fn blosc2_register_codec(codec: *mut blosc2_codec) -> c_int {
    answer(|| {
        // SAFETY: null or valid by the caller's promise.
        let codec = unsafe { object(codec) }?;
        if codec.compcode < BLOSC2_USER_REGISTERED_START {
            return Err(Code(BLOSC2_ERROR_CODEC_PARAM));
        }
        // SAFETY: null or a C string by the caller's promise.
        let name = unsafe { text(codec.compname) }?;
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        let mut codecs = registered.codecs.iter();
        if let Some(other) = codecs.find(|other| other.entry.compcode == codec.compcode) {
            if other.name == name {
                return Ok(BLOSC2_ERROR_SUCCESS);
            }
            return Err(Code(BLOSC2_ERROR_CODEC_PARAM));
        }
        // SAFETY: as above.
        let name = unsafe { kept(codec.compname) }?;
        registered.codecs.push(Named {
            name,
            entry: *codec,
        });
        AGE.fetch_add(1, Ordering::Release);
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}

/// Registers a filter with an id of 160 to 255. An id that is taken is refused, unless it is by a
/// filter of the same name, which stays.
///
/// # Safety
/// As for [`blosc2_register_codec`].
#[unsafe(export_name = symbol!("blosc2_register_filter"))]
pub unsafe extern "C" fn blosc2_register_filter(filter: *mut blosc2_filter) -> c_int {
    answer(|| {
        // SAFETY: null or valid by the caller's promise.
        let filter = unsafe { object(filter) }?;
        if filter.id < BLOSC2_USER_REGISTERED_START {
            return Err(Code(BLOSC2_ERROR_FAILURE));
        }
        // SAFETY: null or a C string by the caller's promise.
        let name = unsafe { text(filter.name) }?;
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        let mut filters = registered.filters.iter();
        if let Some(other) = filters.find(|other| other.entry.id == filter.id) {
            if other.name == name {
                return Ok(BLOSC2_ERROR_SUCCESS);
            }
            return Err(Code(BLOSC2_ERROR_FAILURE));
        }
        // SAFETY: as above.
        let name = unsafe { kept(filter.name) }?;
        registered.filters.push(Named {
            name,
            entry: *filter,
        });
        AGE.fetch_add(1, Ordering::Release);
        Ok(BLOSC2_ERROR_SUCCESS)
    })
}
