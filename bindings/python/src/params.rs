//! Parameters of compression, as numbers.

use std::sync::Arc;

use oxiblosc::remote::ReadPolicy;
use oxiblosc::{CParams, CodecId, DParams, FilterId, FilterSlot, Limits, SplitMode, Threads};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

/// `oxiblosc.CParams`: its attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Params {
    codec: u8,
    codec_meta: u8,
    clevel: u8,
    use_dict: bool,
    typesize: usize,
    nthreads: usize,
    blocksize: usize,
    splitmode: u8,
    filters: Vec<u8>,
    filters_meta: Vec<u8>,
}

impl Params {
    /// The parameters of the library, for items of `typesize` bytes if that is given.
    pub(crate) fn build(&self, typesize: Option<usize>) -> PyResult<CParams> {
        let cparams = self.build_unchecked(typesize)?;
        cparams.validate().map_err(crate::failure::raise)?;
        Ok(cparams)
    }

    /// [`build`](Self::build), for an encoder that refuses what it does not know.
    pub(crate) fn build_unchecked(&self, typesize: Option<usize>) -> PyResult<CParams> {
        let split = SplitMode::new(self.splitmode)
            .ok_or_else(|| PyValueError::new_err(format!("splitmode {}", self.splitmode)))?;
        if self.filters.len() != self.filters_meta.len() {
            let (filters, meta) = (self.filters.len(), self.filters_meta.len());
            let text = format!("{filters} filters, but {meta} filters_meta");
            return Err(PyValueError::new_err(text));
        }
        let slots = self.filters.iter().zip(&self.filters_meta);
        let cparams = CParams::new(typesize.unwrap_or(self.typesize))
            .codec(CodecId::new(self.codec))
            .codec_meta(self.codec_meta)
            .clevel(self.clevel)
            .use_dict(self.use_dict)
            .split_mode(split)
            .blocksize((self.blocksize > 0).then_some(self.blocksize))
            .filters(slots.map(|(&id, &meta)| FilterSlot::new(FilterId::new(id), meta)))
            .threads(self.threads()?);
        Ok(cparams)
    }

    /// The threads.
    pub(crate) fn threads(&self) -> PyResult<Threads> {
        threads(self.nthreads)
    }
}

/// `oxiblosc.ReadPolicy`: its attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Policy {
    round: u64,
    request: u64,
    max_request: u64,
    parallel: usize,
}

impl Policy {
    /// The prices, and how many requests are under way at the same time.
    pub(crate) fn build(&self) -> (ReadPolicy, usize) {
        let mut policy = ReadPolicy::default().max_request(self.max_request.max(1));
        (policy.round, policy.request) = (self.round, self.request);
        (policy, self.parallel.max(1))
    }
}

/// A pool of `count` threads; the calling thread alone for 1.
pub(crate) fn threads(count: usize) -> PyResult<Threads> {
    if count <= 1 {
        return Ok(Threads::Serial);
    }
    let pool = ThreadPoolBuilder::new().num_threads(count).build();
    let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Threads::Pool(Arc::new(pool)))
}

/// Parameters of decompression.
pub(crate) fn dparams(threads: Threads) -> DParams {
    DParams::new().threads(threads).limits(limits())
}

/// Chunks of every size that the format allows: results are arrays of the caller, who has asked for
/// them by their shape.
pub(crate) fn limits() -> Limits {
    Limits::UNTRUSTED.max_alloc(u64::from(u32::MAX))
}

/// A dictionary of parameters, with their names in Python.
pub(crate) fn describe<'py>(py: Python<'py>, cparams: &CParams) -> PyResult<Bound<'py, PyAny>> {
    let dict = pyo3::types::PyDict::new(py);
    dict.set_item("codec", cparams.codec.get())?;
    dict.set_item("codec_meta", cparams.codec_meta)?;
    dict.set_item("clevel", cparams.clevel)?;
    dict.set_item("use_dict", cparams.use_dict)?;
    dict.set_item("typesize", cparams.typesize)?;
    dict.set_item("nthreads", cparams.threads.count())?;
    dict.set_item("blocksize", cparams.blocksize.unwrap_or(0))?;
    dict.set_item("splitmode", cparams.split_mode.get())?;
    let ids: Vec<u32> = cparams
        .filters
        .iter()
        .map(|slot| slot.id.get().into())
        .collect();
    let meta: Vec<u32> = cparams
        .filters
        .iter()
        .map(|slot| slot.meta.into())
        .collect();
    dict.set_item("filters", ids)?;
    dict.set_item("filters_meta", meta)?;
    Ok(dict.into_any())
}
