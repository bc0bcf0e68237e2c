//! Scratch memory, kept from call to call: buffers that only grow, and the encoders and decoders of
//! codecs.
//!
//! One [`Worker`] serves one thread. An encoder or decoder owns one for the calling thread, and a
//! [`Pool`] of them for parallel blocks. Nothing is shared between encoders or decoders, and
//! nothing outlives them.

use std::fmt;

use crate::codec::id::CodecId;
use crate::codec::{Codec, CodecContext, StreamDecoder, StreamEncoder};
use crate::error::BoxError;
use crate::threads::claim::Numbered;

/// The first `len` bytes of a buffer that only grows, with unspecified content.
#[inline]
pub(crate) fn grown(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if buffer.len() < len {
        // The old content is not copied, and the allocator provides zeros at low cost.
        *buffer = Vec::new();
        *buffer = vec![0; len];
    }
    &mut buffer[..len]
}

/// The buffers and codecs of one thread.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    /// The first of the two buffers between which filters alternate.
    pub(crate) x: Vec<u8>,
    /// The second.
    pub(crate) y: Vec<u8>,
    /// A whole block, when part of it is wanted.
    pub(crate) block: Vec<u8>,
    /// A whole block after the postfilter, when part of it is wanted.
    pub(crate) posted: Vec<u8>,
    /// A chunk, or parts of one, from the storage.
    #[cfg(feature = "frame")]
    pub(crate) stored: Vec<u8>,
    /// A chunk whose length is not known yet.
    pub(crate) out: Vec<u8>,
    /// Encoders and decoders.
    pub(crate) coders: Coders,
    /// The number of the thread, for hooks.
    pub(crate) thread: usize,
}

impl Numbered for Worker {
    fn set_thread(&mut self, thread: usize) {
        self.thread = thread;
    }
}

/// The worker of an encoder or decoder, created with its first use and boxed, because moving a
/// worker costs more than the indirection.
#[derive(Debug, Default)]
pub(crate) struct OwnWorker(Option<Box<Worker>>);

impl OwnWorker {
    /// The worker.
    #[inline]
    pub(crate) fn get(&mut self) -> &mut Worker {
        self.0.get_or_insert_default()
    }
}

/// A codec and its context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coding<'a> {
    /// The codec, once it is found.
    pub(crate) codec: Option<&'a dyn Codec>,
    /// Its id.
    pub(crate) id: CodecId,
    /// Its context.
    pub(crate) cx: CodecContext<'a>,
}

/// The encoders and decoders of one thread, at most one of each per codec.
#[derive(Default)]
pub(crate) struct Coders {
    encoders: CoderCache<Box<dyn StreamEncoder>>,
    decoders: CoderCache<Box<dyn StreamDecoder>>,
}

/// Coders with their keys. The first is stored inline, because it is usually the only one.
struct CoderCache<T> {
    first: Option<(Key, T)>,
    others: Vec<(Key, T)>,
}

impl<T> Default for CoderCache<T> {
    fn default() -> Self {
        Self {
            first: None,
            others: Vec::new(),
        }
    }
}

impl<T> CoderCache<T> {
    fn ids(&self) -> Vec<CodecId> {
        let all = self.first.iter().chain(&self.others);
        all.map(|(key, _)| key.id).collect()
    }

    /// The coder for this coding, created when there is none yet.
    #[inline]
    fn get(
        &mut self,
        coding: &Coding<'_>,
        make: impl FnOnce(&dyn Codec) -> Result<T, BoxError>,
    ) -> Result<&mut T, BoxError> {
        let first = matches!(&self.first, Some((key, _)) if key.suits(coding));
        let other = if first {
            None
        } else {
            self.other(coding, make)?
        };
        match (other, &mut self.first) {
            (Some(other), _) => Ok(&mut self.others[other].1),
            (None, Some((_, coder))) => Ok(coder),
            (None, None) => Err("there is no coder".into()),
        }
    }

    /// The index of the coder among the others; `None` when it is now the first one.
    #[inline(never)]
    fn other(
        &mut self,
        coding: &Coding<'_>,
        make: impl FnOnce(&dyn Codec) -> Result<T, BoxError>,
    ) -> Result<Option<usize>, BoxError> {
        let found = self.others.iter().position(|(key, _)| key.suits(coding));
        if found.is_some() {
            return Ok(found);
        }
        let codec = coding.codec.ok_or("the codec is not found yet")?;
        let coder = (Key::new(coding), make(codec)?);
        // One coder per codec: the next chunk has another dictionary, not the same one again.
        let same = |(key, _): &(Key, T)| key.id == coding.id;
        if self.first.as_ref().is_none_or(same) {
            self.first = Some(coder);
            return Ok(None);
        }
        let found = self.others.iter().position(same);
        match found.and_then(|found| self.others.get_mut(found)) {
            Some(place) => *place = coder,
            None => self.others.push(coder),
        }
        Ok(Some(found.unwrap_or(self.others.len() - 1)))
    }
}

impl fmt::Debug for Coders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coders")
            .field("encoders", &self.encoders.ids())
            .field("decoders", &self.decoders.ids())
            .finish()
    }
}

/// The parameters for which an encoder or decoder was created.
#[derive(Debug)]
struct Key {
    id: CodecId,
    meta: u8,
    /// The typesize and block size, for codecs that may use them.
    sizes: (usize, usize),
    sampled: bool,
    dict: Option<Box<[u8]>>,
}

impl Key {
    fn new(coding: &Coding<'_>) -> Self {
        Self {
            id: coding.id,
            meta: coding.cx.codec_meta(coding.id),
            sizes: coding.cx.sizes(coding.id),
            sampled: coding.cx.sampled,
            dict: coding.cx.dict.map(Box::from),
        }
    }

    fn suits(&self, coding: &Coding<'_>) -> bool {
        self.id == coding.id
            && self.meta == coding.cx.codec_meta(coding.id)
            && self.sizes == coding.cx.sizes(coding.id)
            && self.sampled == coding.cx.sampled
            && self.dict.as_deref() == coding.cx.dict
    }
}

impl CodecContext<'_> {
    /// The meta byte, which built-in codecs ignore.
    fn codec_meta(&self, id: CodecId) -> u8 {
        if id.get() < 32 { 0 } else { self.meta }
    }

    /// The sizes, which built-in codecs ignore.
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
        let made = |codec: &dyn Codec| codec.encoder(&coding.cx);
        Ok(&mut **self.encoders.get(coding, made)?)
    }

    /// The decoder for this coding.
    #[inline]
    pub(crate) fn decoder(
        &mut self,
        coding: &Coding<'_>,
    ) -> Result<&mut dyn StreamDecoder, BoxError> {
        let made = |codec: &dyn Codec| codec.decoder(&coding.cx);
        Ok(&mut **self.decoders.get(coding, made)?)
    }
}
