//! blosc2-pure-rs, the Rust peer: timed beside us where it can do a cell, by its own chunk.

#[cfg(feature = "peer")]
use blosc2_pure_rs::compress as peer;
use std::error::Error;

use super::cell::Cell;

/// Contexts of the peer, and its own chunk of the cell's bytes.
pub(crate) struct Peer {
    #[cfg(feature = "peer")]
    contexts: (peer::CContext, peer::DContext),
    #[cfg(feature = "peer")]
    chunk: Vec<u8>,
}

#[cfg(feature = "peer")]
impl Peer {
    /// `None` where the peer refuses the cell or does not give the bytes back.
    pub(crate) fn new(cell: &Cell, blocksize: usize, bytes: &[u8]) -> Option<Self> {
        let mut cparams = peer::blosc2_get_blosc2_cparams_defaults();
        cparams.compcode = cell.codec.1;
        cparams.clevel = cell.clevel;
        cparams.typesize = i32::try_from(cell.typesize).ok()?;
        cparams.blocksize = i32::try_from(blocksize).ok()?;
        cparams.nthreads = 1;
        cparams.filters = [0; 6];
        let first = cparams.filters.len() - cell.pipeline.1.len();
        cparams.filters[first..].copy_from_slice(cell.pipeline.1);
        let mut dparams = peer::blosc2_get_blosc2_dparams_defaults();
        dparams.nthreads = 1;
        let mut this = Self {
            contexts: (
                peer::blosc2_create_cctx(cparams).ok()?,
                peer::blosc2_create_dctx(dparams).ok()?,
            ),
            chunk: Vec::new(),
        };
        let mut chunk = vec![0; oxiblosc::max_chunk_len(bytes.len())];
        let length = this.encode(bytes, &mut chunk).ok()?;
        chunk.truncate(length);
        this.chunk = chunk;
        let mut back = vec![0; bytes.len()];
        this.decompress(&mut back).ok()?;
        (back == bytes).then_some(this)
    }

    fn encode(&self, bytes: &[u8], dst: &mut [u8]) -> Result<usize, Box<dyn Error>> {
        let (nbytes, capacity) = (i32::try_from(bytes.len())?, i32::try_from(dst.len())?);
        let code = peer::blosc2_compress_ctx(&self.contexts.0, bytes, nbytes, dst, capacity);
        match usize::try_from(code) {
            Ok(length) if length > 0 => Ok(length),
            _ => Err(format!("blosc2-pure-rs returned {code}").into()),
        }
    }

    pub(crate) fn compress(&mut self, bytes: &[u8], dst: &mut [u8]) -> Result<(), Box<dyn Error>> {
        self.encode(bytes, dst).map(drop)
    }

    pub(crate) fn decompress(&mut self, dst: &mut [u8]) -> Result<(), Box<dyn Error>> {
        let (cbytes, capacity) = (i32::try_from(self.chunk.len())?, i32::try_from(dst.len())?);
        let code =
            peer::blosc2_decompress_ctx(&self.contexts.1, &self.chunk, cbytes, dst, capacity);
        if code < 0 {
            return Err(format!("blosc2-pure-rs returned {code}").into());
        }
        Ok(())
    }
}

#[cfg(not(feature = "peer"))]
impl Peer {
    pub(crate) fn new(_cell: &Cell, _blocksize: usize, _bytes: &[u8]) -> Option<Self> {
        None
    }

    pub(crate) fn compress(
        &mut self,
        _bytes: &[u8],
        _dst: &mut [u8],
    ) -> Result<(), Box<dyn Error>> {
        Ok(())
    }

    pub(crate) fn decompress(&mut self, _dst: &mut [u8]) -> Result<(), Box<dyn Error>> {
        Ok(())
    }
}
