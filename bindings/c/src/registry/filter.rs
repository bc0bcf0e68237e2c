//! A filter of the caller as a filter of the library.

use std::ffi::c_int;
use std::sync::Arc;

use oxiblosc::FilterId;
use oxiblosc::error::BoxError;
use oxiblosc::filter::{Filter, FilterContext};

use super::Named;
use crate::abi::blosc2_filter;
use crate::context::Call;

/// The filter, and what its functions receive.
#[derive(Debug)]
pub(super) struct Adapter {
    filter: Named<blosc2_filter>,
    call: Arc<Call>,
}

impl Adapter {
    pub(super) fn new(filter: Named<blosc2_filter>, call: Arc<Call>) -> Self {
        Self { filter, call }
    }
}

fn outcome(code: c_int) -> Result<(), BoxError> {
    if code == 0 {
        return Ok(());
    }
    Err(format!("the filter returned {code}").into())
}

impl Filter for Adapter {
    fn id(&self) -> FilterId {
        FilterId::new(self.filter.entry.id)
    }

    fn name(&self) -> &str {
        self.filter.name.to_str().unwrap_or("a registered filter")
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let forward = self.filter.entry.forward;
        let forward = forward.ok_or("the filter has no forward function")?;
        let len = i32::try_from(src.len().min(dst.len()))?;
        let mut cparams = self.call.cparams;
        // SAFETY: the caller's function with what its documentation promises: a block to read, one
        // of the same length to write, and parameters that live for the call.
        outcome(unsafe {
            forward(
                src.as_ptr(),
                dst.as_mut_ptr(),
                len,
                cx.meta,
                &raw mut cparams,
                self.filter.entry.id,
            )
        })
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let backward = self.filter.entry.backward;
        let backward = backward.ok_or("the filter has no backward function")?;
        let len = i32::try_from(src.len().min(dst.len()))?;
        let mut dparams = self.call.dparams;
        // SAFETY: as for the other direction.
        outcome(unsafe {
            backward(
                src.as_ptr(),
                dst.as_mut_ptr(),
                len,
                cx.meta,
                &raw mut dparams,
                self.filter.entry.id,
            )
        })
    }
}
