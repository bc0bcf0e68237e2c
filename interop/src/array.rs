//! Arrays, in memory.

use std::ffi::{CString, c_char, c_void};

use super::layout::Storage;
use super::schunk::take;
use super::{Failure, Library, Params, Result, dparams, good};

/// An array of the library, as a super-chunk in memory.
#[derive(Debug)]
pub struct Array<'l> {
    library: &'l Library,
    array: *mut c_void,
}

impl Drop for Array<'_> {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the library and is freed once.
        unsafe { (self.library.functions.b2nd_free)(self.array) };
    }
}

/// How an array is cut.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The length of each axis.
    pub shape: Vec<i64>,
    /// The length of a chunk along each axis.
    pub chunkshape: Vec<i32>,
    /// The length of a block along each axis.
    pub blockshape: Vec<i32>,
    /// The NumPy dtype.
    pub dtype: String,
}

impl Library {
    /// An array in memory from its elements in C order, with this many threads for reading as well.
    ///
    /// # Errors
    /// C's code.
    pub fn array_from_buffer(
        &self,
        params: &Params,
        partition: &Partition,
        src: &[u8],
    ) -> Result<Array<'_>> {
        let refused = |function| Failure { function, code: 0 };
        let mut cparams = params.to_c();
        let mut dparams = dparams(params.nthreads);
        let mut storage = Storage {
            contiguous: false,
            urlpath: std::ptr::null_mut(),
            cparams: &raw mut cparams,
            dparams: &raw mut dparams,
            io: std::ptr::null_mut(),
        };
        let dtype = CString::new(partition.dtype.as_str()).map_err(|_| refused("CString"))?;
        let dtype: *const c_char = dtype.as_ptr();
        let ndim = i8::try_from(partition.shape.len()).map_err(|_| refused("ndim"))?;
        // SAFETY: the shapes have `ndim` entries, all that is pointed to lives through the call,
        // and C copies it.
        let context = unsafe {
            (self.functions.b2nd_create_ctx)(
                &raw mut storage,
                ndim,
                partition.shape.as_ptr(),
                partition.chunkshape.as_ptr(),
                partition.blockshape.as_ptr(),
                dtype,
                0,
                std::ptr::null(),
                0,
            )
        };
        if context.is_null() {
            return Err(refused("b2nd_create_ctx"));
        }
        let mut array = std::ptr::null_mut();
        let len = i64::try_from(src.len()).unwrap_or(-1);
        // SAFETY: `src` has the size given; C fills in the array.
        let code = unsafe {
            (self.functions.b2nd_from_cbuffer)(context, &raw mut array, src.as_ptr().cast(), len)
        };
        // SAFETY: the context came from the library and is freed once.
        unsafe { (self.functions.b2nd_free_ctx)(context) };
        good("b2nd_from_cbuffer", i64::from(code))?;
        Ok(Array {
            library: self,
            array,
        })
    }
}

impl Library {
    /// An array in memory from the bytes of a contiguous frame.
    ///
    /// # Errors
    /// C's code.
    pub fn array_from_frame(&self, frame: &[u8]) -> Result<Array<'_>> {
        let mut copy = frame.to_vec();
        let len = i64::try_from(copy.len()).unwrap_or(-1);
        let mut array = std::ptr::null_mut();
        // SAFETY: the bytes have the size given, and C copies them; it fills in the array.
        let code = unsafe {
            (self.functions.b2nd_from_cframe)(copy.as_mut_ptr(), len, true, &raw mut array)
        };
        good("b2nd_from_cframe", i64::from(code))?;
        Ok(Array {
            library: self,
            array,
        })
    }
}

impl Array<'_> {
    /// The array as a contiguous frame.
    ///
    /// # Errors
    /// C's code.
    pub fn to_frame(&self) -> Result<Vec<u8>> {
        let (mut frame, mut len, mut needs_free) = (std::ptr::null_mut(), 0, false);
        // SAFETY: C fills in all three.
        let code = unsafe {
            (self.library.functions.b2nd_to_cframe)(
                self.array,
                &raw mut frame,
                &raw mut len,
                &raw mut needs_free,
            )
        };
        good("b2nd_to_cframe", i64::from(code))?;
        Ok(take(frame, usize::try_from(len).unwrap_or(0), needs_free))
    }

    /// Reads all elements.
    ///
    /// # Errors
    /// C's code.
    pub fn read_into(&self, dst: &mut [u8]) -> Result<()> {
        let len = i64::try_from(dst.len()).unwrap_or(-1);
        // SAFETY: `dst` has the size given.
        let code = unsafe {
            (self.library.functions.b2nd_to_cbuffer)(self.array, dst.as_mut_ptr().cast(), len)
        };
        good("b2nd_to_cbuffer", i64::from(code)).map(|_| ())
    }

    /// Reads the box from `start` to before `stop`, whose lengths are `lens`.
    ///
    /// # Errors
    /// C's code.
    pub fn slice_into(
        &self,
        start: &[i64],
        stop: &[i64],
        lens: &[i64],
        dst: &mut [u8],
    ) -> Result<()> {
        let len = i64::try_from(dst.len()).unwrap_or(-1);
        // SAFETY: the lists have an entry per axis, `dst` the size given, which C compares with the
        // lengths.
        let code = unsafe {
            (self.library.functions.b2nd_get_slice_cbuffer)(
                self.array,
                start.as_ptr(),
                stop.as_ptr(),
                dst.as_mut_ptr().cast(),
                lens.as_ptr(),
                len,
            )
        };
        good("b2nd_get_slice_cbuffer", i64::from(code)).map(|_| ())
    }
}
