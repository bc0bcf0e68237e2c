//! Super-chunks and their frames, in memory and on disk.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

use super::layout::{Metalayer, Schunk, Storage};
use super::{Failure, Library, Params, Result, dparams, good, size};

unsafe extern "C" {
    fn free(memory: *mut c_void);
}

/// A super-chunk of the library, with its frame.
#[derive(Debug)]
pub struct SChunk<'l> {
    library: &'l Library,
    schunk: *mut Schunk,
}

impl Drop for SChunk<'_> {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the library and is freed once.
        unsafe { (self.library.functions.blosc2_schunk_free)(self.schunk) };
    }
}

/// A path or name for C.
fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Failure {
        function: "CString",
        code: 0,
    })
}

fn c_path(path: &Path) -> Result<CString> {
    c_string(path.to_str().ok_or(Failure {
        function: "to_str",
        code: 0,
    })?)
}

impl Library {
    fn adopt(&self, function: &'static str, schunk: *mut Schunk) -> Result<SChunk<'_>> {
        if schunk.is_null() {
            return Err(Failure { function, code: 0 });
        }
        Ok(SChunk {
            library: self,
            schunk,
        })
    }

    /// A new super-chunk with a contiguous frame in memory, or on disk at `path`; `contiguous`
    /// false makes a sparse frame (a folder) there.
    ///
    /// # Errors
    /// When C refuses.
    pub fn schunk_new(
        &self,
        params: &Params,
        path: Option<&Path>,
        contiguous: bool,
    ) -> Result<SChunk<'_>> {
        let path = path.map(c_path).transpose()?;
        let mut cparams = params.to_c();
        let mut dparams = dparams(1);
        let mut storage = Storage {
            contiguous,
            urlpath: path
                .as_ref()
                .map_or(std::ptr::null_mut(), |path| path.as_ptr().cast_mut()),
            cparams: &raw mut cparams,
            dparams: &raw mut dparams,
            io: std::ptr::null_mut(),
        };
        // SAFETY: all that the struct points to lives through the call, and C copies it.
        let schunk = unsafe { (self.functions.blosc2_schunk_new)(&raw mut storage) };
        self.adopt("blosc2_schunk_new", schunk)
    }

    /// Opens a copy of a contiguous frame in memory.
    ///
    /// # Errors
    /// When C refuses.
    pub fn schunk_from_bytes(&self, frame: &[u8]) -> Result<SChunk<'_>> {
        let mut copy = frame.to_vec();
        let len = i64::try_from(copy.len()).unwrap_or(-1);
        // SAFETY: C copies the frame (`true`), whose length is given.
        let schunk =
            unsafe { (self.functions.blosc2_schunk_from_buffer)(copy.as_mut_ptr(), len, true) };
        self.adopt("blosc2_schunk_from_buffer", schunk)
    }

    /// Opens a frame on disk: a folder, or a file where the frame begins at `offset`.
    ///
    /// # Errors
    /// When C refuses.
    pub fn schunk_open(&self, path: &Path, offset: i64) -> Result<SChunk<'_>> {
        let path = c_path(path)?;
        // SAFETY: the path is a string with a NUL at its end.
        let schunk = unsafe { (self.functions.blosc2_schunk_open_offset)(path.as_ptr(), offset) };
        self.adopt("blosc2_schunk_open_offset", schunk)
    }
}

/// The name and content of a metalayer.
///
/// # Safety
/// `layer` must point to a live metalayer of the library.
unsafe fn read_metalayer(layer: *const Metalayer) -> (String, Vec<u8>) {
    // SAFETY: the caller's promise.
    let layer = unsafe { &*layer };
    // SAFETY: C keeps names with a NUL at their end.
    let name = unsafe { CStr::from_ptr(layer.name) }
        .to_string_lossy()
        .into_owned();
    let len = usize::try_from(layer.content_len).unwrap_or(0);
    if len == 0 || layer.content.is_null() {
        return (name, Vec::new());
    }
    // SAFETY: the content has that many bytes and lives as long as the layer.
    let content = unsafe { std::slice::from_raw_parts(layer.content, len) };
    (name, content.to_vec())
}

impl SChunk<'_> {
    fn head(&self) -> &Schunk {
        // SAFETY: the pointer is live until drop, and the struct begins as declared.
        unsafe { &*self.schunk }
    }

    /// Number of chunks.
    pub fn nchunks(&self) -> i64 {
        self.head().nchunks
    }

    /// Decoded size of all chunks.
    pub fn nbytes(&self) -> i64 {
        self.head().nbytes
    }

    /// Typesize.
    pub fn typesize(&self) -> i32 {
        self.head().typesize
    }

    /// Decoded size of a chunk; 0 when it varies, -1 before the first one.
    pub fn chunksize(&self) -> i32 {
        self.head().chunksize
    }

    /// Appends a finished chunk.
    ///
    /// # Errors
    /// C's code.
    pub fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64> {
        let mut chunk = chunk.to_vec();
        // SAFETY: C reads the size from the header and copies the chunk (`true`).
        let code = unsafe {
            (self.library.functions.blosc2_schunk_append_chunk)(
                self.schunk,
                chunk.as_mut_ptr(),
                true,
            )
        };
        good("blosc2_schunk_append_chunk", code)
    }

    /// Inserts a finished chunk before chunk `at`.
    ///
    /// # Errors
    /// C's code.
    pub fn insert_chunk(&mut self, at: i64, chunk: &[u8]) -> Result<u64> {
        let mut chunk = chunk.to_vec();
        // SAFETY: as for append_chunk.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_insert_chunk)(
                self.schunk,
                at,
                chunk.as_mut_ptr(),
                true,
            )
        };
        good("blosc2_schunk_insert_chunk", code)
    }

    /// Replaces chunk `at`.
    ///
    /// # Errors
    /// C's code.
    pub fn update_chunk(&mut self, at: i64, chunk: &[u8]) -> Result<u64> {
        let mut chunk = chunk.to_vec();
        // SAFETY: as for append_chunk.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_update_chunk)(
                self.schunk,
                at,
                chunk.as_mut_ptr(),
                true,
            )
        };
        good("blosc2_schunk_update_chunk", code)
    }

    /// Deletes chunk `at`.
    ///
    /// # Errors
    /// C's code.
    pub fn delete_chunk(&mut self, at: i64) -> Result<u64> {
        // SAFETY: the super-chunk is alive.
        let code = unsafe { (self.library.functions.blosc2_schunk_delete_chunk)(self.schunk, at) };
        good("blosc2_schunk_delete_chunk", code)
    }

    /// Compresses a copy of `src` and appends it as one chunk.
    ///
    /// # Errors
    /// C's code.
    pub fn append(&mut self, src: &[u8]) -> Result<u64> {
        self.append_in_place(&mut src.to_vec())
    }

    /// Compresses `src` where it lies and appends it as one chunk. `src` may be written to by
    /// pipelines of three filters.
    ///
    /// # Errors
    /// C's code.
    pub fn append_in_place(&mut self, src: &mut [u8]) -> Result<u64> {
        // SAFETY: `src` has the size given, and C may write to it.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_append_buffer)(
                self.schunk,
                src.as_mut_ptr().cast_const().cast(),
                size(src.len()),
            )
        };
        good("blosc2_schunk_append_buffer", code)
    }

    /// The bytes of chunk `at`.
    ///
    /// # Errors
    /// C's code.
    pub fn chunk(&mut self, at: i64) -> Result<Vec<u8>> {
        let mut chunk = std::ptr::null_mut();
        let mut needs_free = false;
        // SAFETY: C fills in both.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_get_chunk)(
                self.schunk,
                at,
                &raw mut chunk,
                &raw mut needs_free,
            )
        };
        let len = good("blosc2_schunk_get_chunk", i64::from(code))?;
        Ok(take(chunk, usize::try_from(len).unwrap_or(0), needs_free))
    }

    /// The decoded chunk `at`, at most `nbytes` bytes.
    ///
    /// # Errors
    /// C's code.
    pub fn decompress_chunk(&mut self, at: i64, nbytes: usize) -> Result<Vec<u8>> {
        let mut dst = vec![0xA5; nbytes];
        let len = self.decompress_chunk_into(at, &mut dst)?;
        dst.truncate(len);
        Ok(dst)
    }

    /// Decodes chunk `at` into the front of `dst` and returns its size.
    ///
    /// # Errors
    /// C's code.
    pub fn decompress_chunk_into(&mut self, at: i64, dst: &mut [u8]) -> Result<usize> {
        // SAFETY: `dst` has the size given.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_decompress_chunk)(
                self.schunk,
                at,
                dst.as_mut_ptr().cast(),
                size(dst.len()),
            )
        };
        let len = good("blosc2_schunk_decompress_chunk", i64::from(code))?;
        Ok(usize::try_from(len).unwrap_or(0))
    }

    /// The items from `start` to before `stop`.
    ///
    /// # Errors
    /// C's code.
    pub fn slice(&mut self, start: i64, stop: i64) -> Result<Vec<u8>> {
        let items = usize::try_from(stop - start).unwrap_or(0);
        let mut dst = vec![0xA5; items * usize::try_from(self.typesize()).unwrap_or(0)];
        self.slice_into(start, stop, &mut dst)?;
        Ok(dst)
    }

    /// Decodes the items from `start` to before `stop` into `dst`, which they fill.
    ///
    /// # Errors
    /// C's code.
    ///
    /// # Panics
    /// When `dst` is shorter than the items.
    pub fn slice_into(&mut self, start: i64, stop: i64, dst: &mut [u8]) -> Result<()> {
        let items = usize::try_from(stop - start).unwrap_or(0);
        assert!(items * usize::try_from(self.typesize()).unwrap_or(0) <= dst.len());
        // SAFETY: `dst` has the size of all items of the range.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_get_slice_buffer)(
                self.schunk,
                start,
                stop,
                dst.as_mut_ptr().cast(),
            )
        };
        good("blosc2_schunk_get_slice_buffer", i64::from(code))?;
        Ok(())
    }

    /// The contiguous frame.
    ///
    /// # Errors
    /// C's code.
    pub fn to_bytes(&mut self) -> Result<Vec<u8>> {
        let mut frame = std::ptr::null_mut();
        let mut needs_free = false;
        // SAFETY: C fills in both.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_to_buffer)(
                self.schunk,
                &raw mut frame,
                &raw mut needs_free,
            )
        };
        let len = good("blosc2_schunk_to_buffer", code)?;
        Ok(take(frame, usize::try_from(len).unwrap_or(0), needs_free))
    }

    /// Appends the contiguous frame to a file and returns the offset where it begins.
    ///
    /// # Errors
    /// C's code.
    pub fn append_to_file(&mut self, path: &Path) -> Result<u64> {
        let path = c_path(path)?;
        // SAFETY: the path is a string with a NUL at its end.
        let code = unsafe {
            (self.library.functions.blosc2_schunk_append_file)(self.schunk, path.as_ptr())
        };
        good("blosc2_schunk_append_file", code)
    }

    /// Adds a metalayer.
    ///
    /// # Errors
    /// C's code.
    pub fn add_metalayer(&mut self, name: &str, content: &[u8]) -> Result<u64> {
        let name = c_string(name)?;
        // SAFETY: C copies name and content, whose length is given.
        let code = unsafe {
            (self.library.functions.blosc2_meta_add)(
                self.schunk,
                name.as_ptr(),
                content.as_ptr(),
                size(content.len()),
            )
        };
        good("blosc2_meta_add", i64::from(code))
    }

    /// Writes over the front of a metalayer.
    ///
    /// # Errors
    /// C's code.
    pub fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<u64> {
        let name = c_string(name)?;
        // SAFETY: as for add_metalayer.
        let code = unsafe {
            (self.library.functions.blosc2_meta_update)(
                self.schunk,
                name.as_ptr(),
                content.as_ptr(),
                size(content.len()),
            )
        };
        good("blosc2_meta_update", i64::from(code))
    }

    /// All metalayers in order.
    pub fn metalayers(&self) -> Vec<(String, Vec<u8>)> {
        let head = self.head();
        head.metalayers
            .iter()
            .take(usize::from(head.nmetalayers))
            // SAFETY: the first `nmetalayers` pointers are live.
            .map(|&layer| unsafe { read_metalayer(layer) })
            .collect()
    }

    /// Adds or replaces a variable-length metalayer.
    ///
    /// # Errors
    /// C's code.
    pub fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Result<u64> {
        let known = self.vlmetalayer_names().iter().any(|known| known == name);
        let name = c_string(name)?;
        let (function, label) = if known {
            (
                self.library.functions.blosc2_vlmeta_update,
                "blosc2_vlmeta_update",
            )
        } else {
            (
                self.library.functions.blosc2_vlmeta_add,
                "blosc2_vlmeta_add",
            )
        };
        // SAFETY: C copies name and content, whose length is given; null parameters mean the
        // defaults.
        let code = unsafe {
            function(
                self.schunk,
                name.as_ptr(),
                content.as_ptr(),
                size(content.len()),
                std::ptr::null_mut(),
            )
        };
        good(label, i64::from(code))
    }

    /// Removes a variable-length metalayer.
    ///
    /// # Errors
    /// C's code.
    pub fn remove_vlmetalayer(&mut self, name: &str) -> Result<u64> {
        let name = c_string(name)?;
        // SAFETY: the name is a string with a NUL at its end.
        let code =
            unsafe { (self.library.functions.blosc2_vlmeta_delete)(self.schunk, name.as_ptr()) };
        good("blosc2_vlmeta_delete", i64::from(code))
    }

    /// The names of the variable-length metalayers in order.
    pub fn vlmetalayer_names(&self) -> Vec<String> {
        let head = self.head();
        head.vlmetalayers
            .iter()
            .take(usize::try_from(head.nvlmetalayers).unwrap_or(0))
            // SAFETY: the first `nvlmetalayers` pointers are live.
            .map(|&layer| unsafe { read_metalayer(layer) }.0)
            .collect()
    }

    /// The decoded content of a variable-length metalayer.
    ///
    /// # Errors
    /// C's code.
    pub fn vlmetalayer(&mut self, name: &str) -> Result<Vec<u8>> {
        let name: CString = c_string(name)?;
        let pointer: *const c_char = name.as_ptr();
        let mut content = std::ptr::null_mut();
        let mut len: c_int = 0;
        // SAFETY: C fills in both with memory from malloc.
        let code = unsafe {
            (self.library.functions.blosc2_vlmeta_get)(
                self.schunk,
                pointer,
                &raw mut content,
                &raw mut len,
            )
        };
        good("blosc2_vlmeta_get", i64::from(code))?;
        Ok(take(content, usize::try_from(len).unwrap_or(0), true))
    }
}

/// Copies bytes out of C's memory and frees that when it is ours.
pub(crate) fn take(memory: *mut u8, len: usize, needs_free: bool) -> Vec<u8> {
    if memory.is_null() {
        return Vec::new();
    }
    // SAFETY: C says that `len` bytes are there; they are copied before anything else is called.
    let bytes = unsafe { std::slice::from_raw_parts(memory, len) }.to_vec();
    if needs_free {
        // SAFETY: C allocated it with malloc and hands it over.
        unsafe { free(memory.cast()) };
    }
    bytes
}
