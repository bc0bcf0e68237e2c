//! New arrays.

use std::path::PathBuf;

use oxiblosc::b2nd::{Array as Blosc, ArrayParams, ArrayTarget, Dtype};
use oxiblosc::frame::{AnyWriter, Locking};
use oxiblosc::{Result, SChunk};
use pyo3::prelude::*;

use crate::array::{Array, State};
use crate::bytes::Source;
use crate::failure::{detached, raise};
use crate::params::{Params, dparams};

/// The elements of a new array.
#[derive(Clone, Copy)]
enum Content<'a> {
    /// These bytes, in C order.
    Elements(&'a [u8]),
    /// The same element everywhere.
    Full(&'a [u8]),
    /// Nothing in particular; they read as zeros.
    Uninit,
}

impl Content<'_> {
    fn fill<T: ArrayTarget>(self, target: T, params: &ArrayParams) -> Result<Blosc<T::Sink>> {
        match self {
            Self::Elements(bytes) => Blosc::from_bytes_in(target, bytes, params),
            Self::Full(item) => Blosc::full_in(target, item, params),
            Self::Uninit => Blosc::uninit_in(target, params),
        }
    }
}

/// The parameters of an array from their parts.
pub(crate) fn array_params(
    dtype: &str,
    shape: &[u64],
    chunks: Option<Vec<u64>>,
    blocks: Option<Vec<u64>>,
    cparams: &Params,
) -> PyResult<ArrayParams> {
    let dtype: Dtype = dtype.parse().map_err(raise)?;
    let mut params = ArrayParams::with_dtype(dtype, shape);
    let typesize = params.typesize().map_err(raise)?;
    params = params.cparams(cparams.build(Some(typesize))?);
    if let Some(chunks) = chunks {
        params = params.chunkshape(chunks);
    }
    if let Some(blocks) = blocks {
        params = params.blockshape(blocks);
    }
    Ok(params)
}

/// Makes an array of elements, of one `item`, or of neither, in memory or at a path.
#[pyfunction]
#[pyo3(signature = (dtype, shape, chunks, blocks, cparams, *, elements=None, item=None,
    path=None, contiguous=true, overwrite=false, meta=vec![]))]
#[expect(clippy::too_many_arguments, reason = "named ones, of Python")]
pub(crate) fn create(
    py: Python<'_>,
    dtype: &str,
    shape: Vec<u64>,
    chunks: Option<Vec<u64>>,
    blocks: Option<Vec<u64>>,
    cparams: Params,
    elements: Option<Source>,
    item: Option<Source>,
    path: Option<PathBuf>,
    contiguous: bool,
    overwrite: bool,
    meta: Vec<(String, Source)>,
) -> PyResult<Array> {
    let threads = cparams.threads()?;
    let mut params = array_params(dtype, &shape, chunks, blocks, &cparams)?
        .dparams(dparams(threads.clone()))
        .overwrite(overwrite);
    for (name, content) in &meta {
        params = params.metalayer(name, content.bytes()).map_err(raise)?;
    }
    let content = match (&elements, &item) {
        (Some(elements), _) => Content::Elements(elements.bytes()),
        (None, Some(item)) => Content::Full(item.bytes()),
        (None, None) => Content::Uninit,
    };
    let state = detached(py, || {
        let Some(path) = &path else {
            return content.fill(sink(&params)?, &params).map(State::Memory);
        };
        if contiguous {
            drop(content.fill(path, &params)?);
        } else {
            let frame = AnyWriter::create_sparse(path, params.frame_params()?)?;
            content.fill(frame, &params)?.finish()?;
        }
        Blosc::open_with(path, params.dparams.clone(), Locking::None).map(State::Reader)
    })?;
    Ok(Array::new(state, path, threads))
}

/// A super-chunk for a new array.
fn sink(params: &ArrayParams) -> Result<SChunk> {
    // Shapes of no elements may leave chunks of no bytes.
    let chunksize = params.grid()?.chunksize().max(1);
    let mut schunk = SChunk::new(params.chunk_cparams()?, chunksize)?;
    schunk.set_dparams(params.dparams.clone());
    *schunk.metalayers_mut() = params.all_metalayers()?;
    Ok(schunk)
}

/// The lengths of chunks and blocks that an array gets.
#[pyfunction]
#[pyo3(signature = (typesize, shape, chunks, blocks))]
pub(crate) fn partition(
    typesize: usize,
    shape: Vec<u64>,
    chunks: Option<Vec<u64>>,
    blocks: Option<Vec<u64>>,
) -> PyResult<(Vec<u64>, Vec<u64>)> {
    let mut params = ArrayParams::with_dtype(Dtype::void(typesize), shape);
    if let Some(chunks) = chunks {
        params = params.chunkshape(chunks);
    }
    if let Some(blocks) = blocks {
        params = params.blockshape(blocks);
    }
    let grid = params.grid().map_err(raise)?;
    Ok((grid.chunkshape().to_vec(), grid.blockshape().to_vec()))
}
