//! The functions of HDF5 that storing the options of a dataset needs, found in the library that the
//! process has loaded.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

use super::objects::Symbols;

/// `hid_t`, 64 bits since HDF5 1.10.
pub(super) type Hid = i64;

/// The most axes of a dataset (`H5S_MAX_RANK`).
const MAX_RANK: usize = 32;

/// The most options that are read.
const MAX_VALUES: usize = 64;

/// The class of types that are arrays of another type (`H5T_ARRAY`).
const ARRAY: c_int = 10;

type GetFilter = unsafe extern "C" fn(
    Hid,
    c_int,
    *mut c_uint,
    *mut usize,
    *mut c_uint,
    usize,
    *mut c_char,
    *mut c_uint,
) -> c_int;
type ModifyFilter = unsafe extern "C" fn(Hid, c_int, c_uint, usize, *const c_uint) -> c_int;
type GetChunk = unsafe extern "C" fn(Hid, c_int, *mut u64) -> c_int;
type GetSize = unsafe extern "C" fn(Hid) -> usize;
type GetClass = unsafe extern "C" fn(Hid) -> c_int;
type GetSuper = unsafe extern "C" fn(Hid) -> Hid;
type Close = unsafe extern "C" fn(Hid) -> c_int;

/// The functions of one HDF5 library.
pub(super) struct Hdf5 {
    get_filter: GetFilter,
    modify_filter: ModifyFilter,
    get_chunk: GetChunk,
    get_size: GetSize,
    get_class: GetClass,
    get_super: GetSuper,
    close: Close,
}

/// The seven functions.
const NAMES: [&CStr; 7] = [
    c"H5Pget_filter_by_id2",
    c"H5Pmodify_filter",
    c"H5Pget_chunk",
    c"H5Tget_size",
    c"H5Tget_class",
    c"H5Tget_super",
    c"H5Tclose",
];

impl Hdf5 {
    /// The library that has called the plugin.
    pub(super) fn of_caller() -> Result<Self, String> {
        let missing = || "no HDF5 library with the functions H5P and H5T is loaded".to_owned();
        let symbols = Symbols::of_caller(&NAMES).ok_or_else(missing)?;
        let [a, b, c, d, e, f, g] = NAMES.map(|name| symbols.find(name));
        let ((Some(a), Some(b), Some(c), Some(d)), (Some(e), Some(f), Some(g))) =
            ((a, b, c, d), (e, f, g))
        else {
            return Err(missing());
        };
        Ok(Self {
            // SAFETY: the function of this name has this signature since HDF5 1.8, with
            // identifiers of 64 bits since 1.10.
            get_filter: unsafe { std::mem::transmute::<*mut c_void, GetFilter>(a) },
            // SAFETY: as above.
            modify_filter: unsafe { std::mem::transmute::<*mut c_void, ModifyFilter>(b) },
            // SAFETY: as above.
            get_chunk: unsafe { std::mem::transmute::<*mut c_void, GetChunk>(c) },
            // SAFETY: as above.
            get_size: unsafe { std::mem::transmute::<*mut c_void, GetSize>(d) },
            // SAFETY: as above.
            get_class: unsafe { std::mem::transmute::<*mut c_void, GetClass>(e) },
            // SAFETY: as above.
            get_super: unsafe { std::mem::transmute::<*mut c_void, GetSuper>(f) },
            // SAFETY: as above.
            close: unsafe { std::mem::transmute::<*mut c_void, Close>(g) },
        })
    }

    /// The options that a list of properties has for a filter.
    pub(super) fn cd_values(&self, dcpl: Hid, filter: u32) -> Result<Vec<u32>, String> {
        let (mut flags, mut config, mut len) = (0, 0, MAX_VALUES);
        let mut values = [0; MAX_VALUES];
        // SAFETY: all pointers are to variables of these types; no name is asked for.
        let status = unsafe {
            (self.get_filter)(
                dcpl,
                filter.cast_signed(),
                &raw mut flags,
                &raw mut len,
                values.as_mut_ptr(),
                0,
                null_mut(),
                &raw mut config,
            )
        };
        match values.get(..len.min(MAX_VALUES)) {
            Some(values) if status >= 0 => Ok(values.to_vec()),
            _ => Err(format!("H5Pget_filter_by_id2 returned {status}")),
        }
    }

    /// Stores options; a chunk that cannot be compressed is then stored as it is.
    pub(super) fn set_cd_values(
        &self,
        dcpl: Hid,
        filter: u32,
        values: &[u32],
    ) -> Result<(), String> {
        let (mut flags, mut config, mut len) = (0, 0, 0);
        // SAFETY: no options and no name are asked for; the others are variables.
        let status = unsafe {
            (self.get_filter)(
                dcpl,
                filter.cast_signed(),
                &raw mut flags,
                &raw mut len,
                null_mut(),
                0,
                null_mut(),
                &raw mut config,
            )
        };
        if status < 0 {
            return Err(format!("H5Pget_filter_by_id2 returned {status}"));
        }
        let (id, len) = (filter.cast_signed(), values.len());
        // SAFETY: `values` has `len` numbers.
        let status = unsafe { (self.modify_filter)(dcpl, id, flags, len, values.as_ptr()) };
        match status {
            0.. => Ok(()),
            _ => Err(format!("H5Pmodify_filter returned {status}")),
        }
    }

    /// The shape of a chunk.
    pub(super) fn chunk(&self, dcpl: Hid) -> Result<Vec<u64>, String> {
        let mut lens = [0; MAX_RANK];
        let most = c_int::try_from(MAX_RANK).unwrap_or(c_int::MAX);
        // SAFETY: `lens` has room for `most` lengths.
        let ndim = unsafe { (self.get_chunk)(dcpl, most, lens.as_mut_ptr()) };
        let ndim = usize::try_from(ndim).ok();
        let lens = ndim.and_then(|ndim| lens.get(..ndim));
        Ok(lens
            .ok_or("H5Pget_chunk failed: the dataset is not chunked")?
            .to_vec())
    }

    /// The size of an element, in bytes; of an array, that of its base type.
    pub(super) fn typesize(&self, datatype: Hid) -> Result<usize, String> {
        // SAFETY: HDF5 checks the identifier.
        let class = unsafe { (self.get_class)(datatype) };
        let size = if class == ARRAY {
            // SAFETY: HDF5 checks the identifier.
            let base = unsafe { (self.get_super)(datatype) };
            // SAFETY: HDF5 checks the identifier.
            let size = unsafe { (self.get_size)(base) };
            // SAFETY: the identifier was made above and is used no more.
            unsafe { (self.close)(base) };
            size
        } else {
            // SAFETY: HDF5 checks the identifier.
            unsafe { (self.get_size)(datatype) }
        };
        if size == 0 {
            Err("H5Tget_size returned 0".to_owned())
        } else {
            Ok(size)
        }
    }
}
