//! Objects that the process has loaded, and the one that has called.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ops::Range;
use std::ptr::null_mut;

/// A loaded object whose symbols can be asked for.
pub(super) struct Symbols {
    handle: *mut c_void,
}

impl Drop for Symbols {
    fn drop(&mut self) {
        // SAFETY: the handle came from `dlopen` and is closed once.
        unsafe { libc::dlclose(self.handle) };
    }
}

impl Symbols {
    /// The object of HDF5 that has called the plugin. A process may have several, each with its own
    /// identifiers.
    pub(super) fn of_caller(names: &[&CStr]) -> Option<Self> {
        let objects = objects();
        let addresses = callers();
        let callers = addresses.iter().filter_map(|at| {
            let holds = |object: &&Object| object.ranges.iter().any(|range| range.contains(at));
            objects.iter().find(holds)
        });
        // Static linking puts HDF5 into an object of any name.
        let named = objects.iter().filter(|object| named_hdf5(&object.path));
        let mut tried: Vec<&CStr> = Vec::new();
        for object in callers.chain(named).chain(&objects) {
            if tried.contains(&object.path.as_c_str()) {
                continue;
            }
            tried.push(&object.path);
            if let Some(symbols) = Self::open(&object.path)
                && names.iter().all(|name| symbols.find(name).is_some())
            {
                return Some(symbols);
            }
        }
        None
    }

    /// An object that is loaded; the empty path is the program.
    fn open(path: &CStr) -> Option<Self> {
        let path = if path.is_empty() {
            std::ptr::null()
        } else {
            path.as_ptr()
        };
        // SAFETY: the path ends in NUL, or is null; nothing is loaded, so nothing runs.
        let handle = unsafe { libc::dlopen(path, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        (!handle.is_null()).then_some(Self { handle })
    }

    /// The address of a function or a variable.
    pub(super) fn find(&self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: the handle is open, the name ends in NUL.
        let at = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
        (!at.is_null()).then_some(at)
    }
}

fn named_hdf5(path: &CStr) -> bool {
    let path = path.to_string_lossy();
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("libhdf5")
}

/// The addresses of the functions that are being executed, the innermost first.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn callers() -> Vec<usize> {
    const DEPTH: usize = 24;
    let mut frames = [null_mut::<c_void>(); DEPTH];
    let most = c_int::try_from(DEPTH).unwrap_or(c_int::MAX);
    // SAFETY: `frames` has room for `most` addresses.
    let depth = unsafe { libc::backtrace(frames.as_mut_ptr(), most) };
    let frames = frames.iter().take(usize::try_from(depth).unwrap_or(0));
    frames.map(|frame| frame.addr()).collect()
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn callers() -> Vec<usize> {
    Vec::new()
}

/// A loaded object: its path, empty for the program, and the memory of its segments.
struct Object {
    path: CString,
    ranges: Vec<Range<usize>>,
}

/// All loaded objects. `dladdr` would answer for one address, after a walk through all symbols of
/// its object, which takes longer than compressing a small chunk.
#[cfg(target_os = "linux")]
fn objects() -> Vec<Object> {
    unsafe extern "C" fn note(
        info: *mut libc::dl_phdr_info,
        _len: usize,
        found: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes its description of an object.
        let info = unsafe { &*info };
        // SAFETY: `found` is the list that `objects` passed.
        let found = unsafe { &mut *found.cast::<Vec<Object>>() };
        if info.dlpi_name.is_null() || info.dlpi_phdr.is_null() {
            return 0;
        }
        // SAFETY: the name ends in NUL.
        let path = unsafe { CStr::from_ptr(info.dlpi_name) }.to_owned();
        // SAFETY: the loader states as many segments.
        let segments =
            unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
        let loaded = segments.iter().filter(|at| at.p_type == libc::PT_LOAD);
        let base = usize::try_from(info.dlpi_addr).unwrap_or(0);
        let ranges = loaded.filter_map(|segment| {
            let start = base.checked_add(usize::try_from(segment.p_vaddr).ok()?)?;
            let end = start.checked_add(usize::try_from(segment.p_memsz).ok()?)?;
            Some(start..end)
        });
        let ranges = ranges.collect();
        found.push(Object { path, ranges });
        0
    }
    let mut found: Vec<Object> = Vec::new();
    // SAFETY: `note` takes the list as the type that it is.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    found
}

/// The program, through which the libraries it was linked to are found.
#[cfg(not(target_os = "linux"))]
fn objects() -> Vec<Object> {
    vec![Object {
        path: CString::default(),
        ranges: Vec::new(),
    }]
}
