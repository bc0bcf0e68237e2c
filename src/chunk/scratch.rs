//! What work on blocks needs beside its input and output, kept from call to call: buffers that
//! only grow, and the encoders and decoders of codecs.
//!
//! One [`Worker`] serves one thread. An encoder or decoder owns one for the calling thread, and a
//! [`Pool`] of them for parallel blocks. Nothing is shared between encoders or decoders, and
//! nothing outlives them.

use std::fmt;
#[cfg(feature = "rayon")]
use std::ops::{Deref, DerefMut};
#[cfg(feature = "rayon")]
use std::sync::{Mutex, PoisonError};

use crate::codec::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder};
use crate::error::BoxError;

/// Room of `len` bytes in a buffer that only grows. What it holds is left over from earlier.
#[inline]
pub(crate) fn room(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if buffer.len() < len {
        // Nothing is copied over, and zeros come cheap from the allocator.
        *buffer = Vec::new();
        *buffer = vec![0; len];
    }
    &mut buffer[..len]
}

/// The buffers and codecs of one thread.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    /// The first of the two buffers that filters work between.
    pub(crate) x: Vec<u8>,
    /// The second.
    pub(crate) y: Vec<u8>,
    /// A whole block, of which a part is wanted.
    pub(crate) block: Vec<u8>,
    /// A whole block behind the postfilter, of which a part is wanted.
    pub(crate) posted: Vec<u8>,
    /// A chunk, or parts of one, from the storage.
    #[cfg(feature = "frame")]
    pub(crate) stored: Vec<u8>,
    /// A chunk whose length is not known yet.
    pub(crate) out: Vec<u8>,
    /// Encoders and decoders.
    pub(crate) coders: Coders,
}

/// The worker of an encoder or decoder, made with its first use: moving the worker itself costs more
/// than looking it up.
#[derive(Debug, Default)]
pub(crate) struct OwnWorker(Option<Box<Worker>>);

impl OwnWorker {
    /// The worker.
    #[inline]
    pub(crate) fn get(&mut self) -> &mut Worker {
        self.0.get_or_insert_default()
    }
}

/// Workers that nobody uses at the moment.
#[cfg(feature = "rayon")]
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Worker>>);

#[cfg(feature = "rayon")]
impl Pool {
    /// An idle worker, or a new one.
    pub(crate) fn take(&self) -> Lease<'_> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Lease {
            worker: idle.pop().unwrap_or_default(),
            pool: self,
        }
    }
}

/// A worker that returns to its pool.
#[cfg(feature = "rayon")]
#[derive(Debug)]
pub(crate) struct Lease<'p> {
    worker: Worker,
    pool: &'p Pool,
}

#[cfg(feature = "rayon")]
impl Deref for Lease<'_> {
    type Target = Worker;

    fn deref(&self) -> &Worker {
        &self.worker
    }
}

#[cfg(feature = "rayon")]
impl DerefMut for Lease<'_> {
    fn deref_mut(&mut self) -> &mut Worker {
        &mut self.worker
    }
}

#[cfg(feature = "rayon")]
impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut idle = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(std::mem::take(&mut self.worker));
    }
}

/// A codec and what it is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coding<'a> {
    /// The codec, once it is found.
    pub(crate) codec: Option<&'a dyn Codec>,
    /// Its id.
    pub(crate) id: CodecId,
    /// What it is told.
    pub(crate) cx: CodecContext<'a>,
}

/// The encoders and decoders of one thread, at most one of each per codec.
#[derive(Default)]
pub(crate) struct Coders {
    encoders: Vec<(Key, Box<dyn StreamEncoder>)>,
    decoders: Vec<(Key, Box<dyn StreamDecoder>)>,
}

impl fmt::Debug for Coders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = |key: &Key| key.id;
        f.debug_struct("Coders")
            .field(
                "encoders",
                &Vec::from_iter(self.encoders.iter().map(|(key, _)| ids(key))),
            )
            .field(
                "decoders",
                &Vec::from_iter(self.decoders.iter().map(|(key, _)| ids(key))),
            )
            .finish()
    }
}

/// What an encoder or decoder was made for.
#[derive(Debug)]
struct Key {
    id: CodecId,
    meta: u8,
    /// The typesize and block size, for those codecs that may look at them.
    sizes: (usize, usize),
    dict: Option<Box<[u8]>>,
}

impl Key {
    fn new(coding: &Coding<'_>) -> Self {
        Self {
            id: coding.id,
            meta: coding.cx.codec_meta(coding.id),
            sizes: coding.cx.sizes(coding.id),
            dict: coding.cx.dict.map(Box::from),
        }
    }

    fn suits(&self, coding: &Coding<'_>) -> bool {
        self.id == coding.id
            && self.meta == coding.cx.codec_meta(coding.id)
            && self.sizes == coding.cx.sizes(coding.id)
            && self.dict.as_deref() == coding.cx.dict
    }
}

impl CodecContext<'_> {
    /// The meta byte, which built-in codecs do not look at.
    fn codec_meta(&self, id: CodecId) -> u8 {
        if id.get() < 32 { 0 } else { self.meta }
    }

    /// The sizes, which built-in codecs do not look at.
    fn sizes(&self, id: CodecId) -> (usize, usize) {
        if id.get() < 32 {
            (0, 0)
        } else {
            (self.typesize, self.blocksize)
        }
    }
}

impl Coders {
    /// The encoder for this coding. The level never changes within one [`Worker`].
    #[inline]
    pub(crate) fn encoder(
        &mut self,
        coding: &Coding<'_>,
    ) -> Result<&mut dyn StreamEncoder, BoxError> {
        let found = position(&mut self.encoders, coding, |codec| {
            codec.encoder(&coding.cx)
        })?;
        Ok(&mut *self.encoders[found].1)
    }

    /// The decoder for this coding.
    #[inline]
    pub(crate) fn decoder(
        &mut self,
        coding: &Coding<'_>,
    ) -> Result<&mut dyn StreamDecoder, BoxError> {
        let found = position(&mut self.decoders, coding, |codec| {
            codec.decoder(&coding.cx)
        })?;
        Ok(&mut *self.decoders[found].1)
    }
}

/// Where the coder for this coding is, made anew when there is none yet that suits.
#[inline]
fn position<T>(
    coders: &mut Vec<(Key, T)>,
    coding: &Coding<'_>,
    make: impl FnOnce(&dyn Codec) -> Result<T, BoxError>,
) -> Result<usize, BoxError> {
    if let Some(found) = coders.iter().position(|(key, _)| key.suits(coding)) {
        return Ok(found);
    }
    let codec = coding.codec.ok_or("the codec is not found yet")?;
    let coder = (Key::new(coding), make(codec)?);
    // One coder per codec: the next chunk brings another dictionary, not the same one again.
    match coders.iter().position(|(key, _)| key.id == coding.id) {
        Some(found) => {
            coders[found] = coder;
            Ok(found)
        }
        None => {
            coders.push(coder);
            Ok(coders.len() - 1)
        }
    }
}
