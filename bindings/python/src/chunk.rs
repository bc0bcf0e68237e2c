//! Single chunks, of Blosc2 and of Blosc1.

use std::sync::{Mutex, PoisonError};

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, ChunkHeader, Result};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::array::expect_size;
use crate::bytes::{Source, Target};
use crate::failure::{detached, raise};
use crate::params::{Params, dparams};

/// Encoders and decoders between uses: one of each per thread that is at work.
#[pyclass(frozen, module = "oxiblosc._native")]
pub(crate) struct Chunks {
    cparams: CParams,
    blosc1: bool,
    encoders: Mutex<Vec<ChunkEncoder>>,
    decoders: Mutex<Vec<ChunkDecoder>>,
}

/// Takes a tool, or makes one, and gives it back after use.
fn with<T, R>(
    pool: &Mutex<Vec<T>>,
    make: impl FnOnce() -> Result<T>,
    work: impl FnOnce(&mut T) -> Result<R>,
) -> Result<R> {
    let taken = pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut tool = match taken {
        Some(tool) => tool,
        None => make()?,
    };
    let done = work(&mut tool);
    pool.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(tool);
    done
}

impl Chunks {
    fn decode_bytes(&self, chunk: &[u8], dst: &mut [u8]) -> Result<usize> {
        let make = || Ok(ChunkDecoder::new(dparams(self.cparams.threads.clone())));
        with(&self.decoders, make, |decoder| {
            decoder.decode_into(chunk, dst)
        })
    }
}

#[pymethods]
impl Chunks {
    /// Chunks of these parameters; with `blosc1`, those that Blosc1 reads, too.
    #[new]
    fn new(cparams: Params, blosc1: bool) -> PyResult<Self> {
        let mut encoders = Vec::new();
        let cparams = match blosc1 {
            true => {
                // Its encoder refuses what Blosc1 does not know, and has a codec of its own.
                let cparams = cparams.build_unchecked(None)?;
                encoders.push(ChunkEncoder::for_blosc1(cparams.clone()).map_err(raise)?);
                cparams
            }
            false => cparams.build(None)?,
        };
        Ok(Self {
            cparams,
            blosc1,
            encoders: Mutex::new(encoders),
            decoders: Mutex::default(),
        })
    }

    /// Compresses bytes.
    fn encode<'py>(&self, py: Python<'py>, src: Source) -> PyResult<Bound<'py, PyBytes>> {
        let chunk = detached(py, || {
            let make = || match self.blosc1 {
                true => ChunkEncoder::for_blosc1(self.cparams.clone()),
                false => ChunkEncoder::new(self.cparams.clone()),
            };
            with(&self.encoders, make, |encoder| {
                if self.blosc1 {
                    encoder.encode_blosc1(src.bytes())
                } else {
                    encoder.encode(src.bytes())
                }
            })
        })?;
        Ok(PyBytes::new(py, &chunk))
    }

    /// Decompresses a chunk, of Blosc1 or Blosc2.
    fn decode<'py>(&self, py: Python<'py>, chunk: Source) -> PyResult<Bound<'py, PyBytes>> {
        let header = ChunkHeader::parse(chunk.bytes()).map_err(raise)?;
        let nbytes = usize::try_from(header.nbytes).unwrap_or(usize::MAX);
        PyBytes::new_with(py, nbytes, |dst| {
            let found = detached(py, || self.decode_bytes(chunk.bytes(), dst))?;
            expect_size(found, nbytes)
        })
    }

    /// Decompresses a chunk to the front of `out`, and returns the number of bytes.
    fn decode_into(&self, py: Python<'_>, chunk: Source, mut out: Target) -> PyResult<usize> {
        detached(py, || self.decode_bytes(chunk.bytes(), out.bytes_mut()))
    }
}

/// The sizes that the header of a chunk states: uncompressed, compressed, of a block, all in bytes.
#[pyfunction]
pub(crate) fn chunk_sizes(chunk: Source) -> PyResult<(u32, u32, u32)> {
    let header = ChunkHeader::parse(chunk.bytes()).map_err(raise)?;
    Ok((header.nbytes, header.cbytes, header.blocksize))
}
