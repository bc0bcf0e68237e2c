//! Chunks: one-call functions with fresh contexts, and kept contexts for timing.

use std::ffi::c_void;

use super::{Failure, Library, Params, Result, dparams, length, size};

/// A special chunk (format §4).
#[derive(Clone, Copy, Debug)]
pub enum Special<'a> {
    /// Zeros.
    Zeros,
    /// Quiet NaNs of the typesize.
    Nans,
    /// Unspecified content.
    Uninit,
    /// A value of `typesize` bytes.
    Repeat(&'a [u8]),
}

/// A compression context that is kept. It remembers the block size of its first buffer (format §3).
#[derive(Debug)]
pub struct Compressor<'l> {
    library: &'l Library,
    ctx: *mut c_void,
}

impl Compressor<'_> {
    /// Compresses `src` into `dst` and returns the length. `src` may be written to by pipelines of
    /// three filters.
    ///
    /// # Errors
    /// C's code; 0 when the chunk does not fit.
    pub fn compress(&mut self, src: &mut [u8], dst: &mut [u8]) -> Result<usize> {
        // SAFETY: the context is alive, both buffers have the sizes given, and C may write to both.
        let code = unsafe {
            (self.library.functions.blosc2_compress_ctx)(
                self.ctx,
                src.as_mut_ptr().cast(),
                size(src.len()),
                dst.as_mut_ptr().cast(),
                size(dst.len()),
            )
        };
        length("blosc2_compress_ctx", code)
    }
}

impl Drop for Compressor<'_> {
    fn drop(&mut self) {
        // SAFETY: the context came from blosc2_create_cctx and is freed once.
        unsafe { (self.library.functions.blosc2_free_ctx)(self.ctx) };
    }
}

/// A decompression context that is kept.
#[derive(Debug)]
pub struct Decompressor<'l> {
    library: &'l Library,
    ctx: *mut c_void,
}

impl Decompressor<'_> {
    /// Decompresses `chunk` into `dst` and returns the length, which may be 0.
    ///
    /// # Errors
    /// C's code.
    pub fn decompress(&mut self, chunk: &[u8], dst: &mut [u8]) -> Result<usize> {
        // SAFETY: the context is alive; C reads `chunk` and writes `dst` within the sizes given.
        let code = unsafe {
            (self.library.functions.blosc2_decompress_ctx)(
                self.ctx,
                chunk.as_ptr().cast(),
                size(chunk.len()),
                dst.as_mut_ptr().cast(),
                size(dst.len()),
            )
        };
        usize::try_from(code).map_err(|_| Failure {
            function: "blosc2_decompress_ctx",
            code: i64::from(code),
        })
    }

    /// Decompresses all blocks but those whose `skip` is true; their bytes in `dst` stay.
    ///
    /// # Errors
    /// C's code.
    pub fn decompress_masked(
        &mut self,
        chunk: &[u8],
        skip: &[bool],
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut skip = skip.to_vec();
        // SAFETY: the context is alive; C copies `skip`, whose length is given.
        let code = unsafe {
            (self.library.functions.blosc2_set_maskout)(
                self.ctx,
                skip.as_mut_ptr(),
                size(skip.len()),
            )
        };
        if code < 0 {
            return Err(Failure {
                function: "blosc2_set_maskout",
                code: i64::from(code),
            });
        }
        self.decompress(chunk, dst)
    }

    /// Decompresses `nitems` items from `start` on into `dst`.
    ///
    /// # Errors
    /// C's code.
    pub fn getitem(
        &mut self,
        chunk: &[u8],
        start: usize,
        nitems: usize,
        dst: &mut [u8],
    ) -> Result<usize> {
        // SAFETY: the context is alive; C reads `chunk` and writes `dst` within the sizes given.
        let code = unsafe {
            (self.library.functions.blosc2_getitem_ctx)(
                self.ctx,
                chunk.as_ptr().cast(),
                size(chunk.len()),
                size(start),
                size(nitems),
                dst.as_mut_ptr().cast(),
                size(dst.len()),
            )
        };
        usize::try_from(code).map_err(|_| Failure {
            function: "blosc2_getitem_ctx",
            code: i64::from(code),
        })
    }
}

impl Drop for Decompressor<'_> {
    fn drop(&mut self) {
        // SAFETY: the context came from blosc2_create_dctx and is freed once.
        unsafe { (self.library.functions.blosc2_free_ctx)(self.ctx) };
    }
}

impl Library {
    /// A compression context.
    ///
    /// # Errors
    /// When C refuses the parameters.
    pub fn compressor(&self, params: &Params) -> Result<Compressor<'_>> {
        // SAFETY: all pointers in the parameters are null, which C takes for "none".
        let ctx = unsafe { (self.functions.blosc2_create_cctx)(params.to_c()) };
        if ctx.is_null() {
            return Err(Failure {
                function: "blosc2_create_cctx",
                code: 0,
            });
        }
        Ok(Compressor { library: self, ctx })
    }

    /// A decompression context.
    ///
    /// # Errors
    /// When C has no memory.
    pub fn decompressor(&self, nthreads: i16) -> Result<Decompressor<'_>> {
        // SAFETY: all pointers in the parameters are null, which C takes for "none".
        let ctx = unsafe { (self.functions.blosc2_create_dctx)(dparams(nthreads)) };
        if ctx.is_null() {
            return Err(Failure {
                function: "blosc2_create_dctx",
                code: 0,
            });
        }
        Ok(Decompressor { library: self, ctx })
    }

    /// Compresses a copy of `src` with a fresh context into at most `capacity` bytes.
    ///
    /// # Errors
    /// C's code; 0 when the chunk does not fit.
    pub fn compress_within(&self, src: &[u8], params: &Params, capacity: usize) -> Result<Vec<u8>> {
        let mut dst = vec![0; capacity];
        let len = self
            .compressor(params)?
            .compress(&mut src.to_vec(), &mut dst)?;
        dst.truncate(len);
        Ok(dst)
    }

    /// Compresses a copy of `src` with a fresh context into a sufficient buffer.
    ///
    /// # Errors
    /// C's code.
    pub fn compress(&self, src: &[u8], params: &Params) -> Result<Vec<u8>> {
        self.compress_within(src, params, src.len() + 32)
    }

    /// Decompresses with a fresh context into `nbytes` bytes; the rest is cut off when fewer come.
    ///
    /// # Errors
    /// C's code.
    pub fn decompress(&self, chunk: &[u8], nbytes: usize) -> Result<Vec<u8>> {
        // The fill is neither zero nor anything C writes by chance: bytes that it leaves out show.
        let mut dst = vec![0xA5; nbytes];
        let len = self.decompressor(1)?.decompress(chunk, &mut dst)?;
        dst.truncate(len);
        Ok(dst)
    }

    /// Decompresses `nitems` items of `typesize` bytes.
    ///
    /// # Errors
    /// C's code.
    pub fn getitem(
        &self,
        chunk: &[u8],
        start: usize,
        nitems: usize,
        typesize: usize,
    ) -> Result<Vec<u8>> {
        let mut dst = vec![0xA5; nitems * typesize];
        let len = self
            .decompressor(1)?
            .getitem(chunk, start, nitems, &mut dst)?;
        dst.truncate(len);
        Ok(dst)
    }

    /// Makes a VL-block chunk.
    ///
    /// # Errors
    /// C's code.
    pub fn vlcompress(&self, blocks: &[&[u8]], params: &Params) -> Result<Vec<u8>> {
        let mut copies: Vec<Vec<u8>> = blocks.iter().map(|block| block.to_vec()).collect();
        let pointers: Vec<*const c_void> = copies
            .iter_mut()
            .map(|block| block.as_mut_ptr().cast_const().cast())
            .collect();
        let sizes: Vec<i32> = blocks.iter().map(|block| size(block.len())).collect();
        let total: usize = blocks.iter().map(|block| block.len()).sum();
        let mut dst = vec![0; total + 32 + 8 * blocks.len() + 1024];
        let compressor = self.compressor(params)?;
        // SAFETY: `pointers` and `sizes` describe the blocks in `copies`, which outlive the call;
        // `dst` has its size.
        let code = unsafe {
            (self.functions.blosc2_vlcompress_ctx)(
                compressor.ctx,
                pointers.as_ptr(),
                sizes.as_ptr(),
                size(blocks.len()),
                dst.as_mut_ptr().cast(),
                size(dst.len()),
            )
        };
        dst.truncate(length("blosc2_vlcompress_ctx", code)?);
        Ok(dst)
    }

    /// Makes a special chunk of `nbytes` decoded bytes.
    ///
    /// # Errors
    /// C's code.
    pub fn special(&self, special: Special<'_>, nbytes: usize, params: &Params) -> Result<Vec<u8>> {
        let value = if let Special::Repeat(value) = special {
            value
        } else {
            &[]
        };
        let mut dst = vec![0; 32 + value.len()];
        let (function, name) = match special {
            Special::Zeros => (self.functions.blosc2_chunk_zeros, "blosc2_chunk_zeros"),
            Special::Nans => (self.functions.blosc2_chunk_nans, "blosc2_chunk_nans"),
            Special::Uninit => (self.functions.blosc2_chunk_uninit, "blosc2_chunk_uninit"),
            Special::Repeat(value) => {
                let name = "blosc2_chunk_repeatval";
                if size(value.len()) != params.typesize {
                    return Err(Failure {
                        function: name,
                        code: 0,
                    });
                }
                // SAFETY: the value has `typesize` bytes, which is what C reads; `dst` has its
                // size.
                let code = unsafe {
                    (self.functions.blosc2_chunk_repeatval)(
                        params.to_c(),
                        size(nbytes),
                        dst.as_mut_ptr().cast(),
                        size(dst.len()),
                        value.as_ptr().cast(),
                    )
                };
                dst.truncate(length(name, code)?);
                return Ok(dst);
            }
        };
        // SAFETY: `dst` has the size given.
        let code = unsafe {
            function(
                params.to_c(),
                size(nbytes),
                dst.as_mut_ptr().cast(),
                size(dst.len()),
            )
        };
        dst.truncate(length(name, code)?);
        Ok(dst)
    }
}
