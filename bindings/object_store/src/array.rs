//! Arrays in objects.

use std::pin::pin;
use std::sync::Arc;

use futures_util::TryStreamExt;
use object_store::ObjectStore;
use object_store::path::Path;
use oxiblosc::b2nd::{Array, Element, Selection};
use oxiblosc::remote::{FrameOpen, ReadPolicy, RemoteArray, RemoteRead};
use oxiblosc::{DParams, Limits};

use crate::error::Result;
use crate::object::{Object, Traffic};

/// The bytes at both ends of an object that opening asks for first.
const ENDS: (u64, u64) = (4 << 10, 32 << 10);

/// How an array is opened and read.
///
/// ```
/// use oxiblosc_object_store::{OpenOptions, ReadPolicy};
///
/// let far = OpenOptions::new()
///     .policy(ReadPolicy::from_latency(0.080, 50e6, 16))
///     .parallel(16)
///     .cache_bytes(256 << 20);
/// # let _ = far;
/// ```
#[derive(Clone, Debug)]
pub struct OpenOptions {
    dparams: DParams,
    policy: ReadPolicy,
    parallel: usize,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl OpenOptions {
    /// The default prices, 16 requests at a time, 16 MiB of fetched bytes kept.
    pub fn new() -> Self {
        Self {
            dparams: DParams::new().cache_bytes(16 << 20),
            policy: ReadPolicy::default(),
            parallel: 16,
        }
    }

    /// Sets the prices of requests.
    #[must_use]
    pub fn policy(mut self, policy: ReadPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets how many requests are under way at the same time.
    #[must_use]
    pub fn parallel(mut self, requests: usize) -> Self {
        self.parallel = requests;
        self
    }

    /// Sets how many fetched bytes are kept for later reads.
    #[must_use]
    pub fn cache_bytes(mut self, nbytes: usize) -> Self {
        self.dparams = self.dparams.cache_bytes(nbytes);
        self
    }

    /// Sets the limits of untrusted data.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.dparams.limits = limits;
        self
    }

    /// Opens the array in an object.
    ///
    /// # Errors
    /// The error of the store; when the object is not a contiguous frame with an array, or damaged.
    pub async fn open(
        self,
        store: Arc<dyn ObjectStore>,
        path: impl Into<Path>,
    ) -> Result<ObjectArray> {
        let mut object = Object::new(store, path.into(), self.parallel);
        let (len, parts) = object.ends(ENDS.0, ENDS.1).await?;
        let mut open = FrameOpen::new(len, self.dparams).policy(self.policy);
        for part in parts {
            open.give(part.at, part.bytes);
        }
        loop {
            let ranges = open.needs()?;
            if ranges.is_empty() {
                break;
            }
            for part in object.fetch(ranges).await? {
                open.give(part.at, part.bytes);
            }
        }
        Ok(ObjectArray {
            array: Array::open_in(open.finish()?)?,
            object,
            policy: self.policy,
        })
    }
}

/// An array in an object of a store.
///
/// Reads take `&self`: tasks share one array, and what one has fetched serves the others. All reads
/// are of the version that was opened (`If-Match`): when the object changes, they fail with
/// [`object_store::Error::Precondition`].
///
/// Decoding runs where the future is polled. A box of some megabytes takes milliseconds; larger
/// ones belong into `spawn_blocking` or a task of their own.
#[derive(Debug)]
pub struct ObjectArray {
    array: RemoteArray,
    object: Object,
    policy: ReadPolicy,
}

impl ObjectArray {
    /// Opens the array in an object, as [`OpenOptions::new`] says.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub async fn open(store: Arc<dyn ObjectStore>, path: impl Into<Path>) -> Result<Self> {
        OpenOptions::new().open(store, path).await
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[u64] {
        self.array.shape()
    }

    /// The array, with its dtype, grid, metalayers. Its own methods read only what was fetched.
    pub fn array(&self) -> &RemoteArray {
        &self.array
    }

    /// The elements of a selection, in C order.
    ///
    /// # Errors
    /// The error of the store; otherwise as [`Array::slice`].
    pub async fn slice<'s, T: Element>(
        &'s self,
        selection: impl Into<Selection<'s>>,
    ) -> Result<Vec<T>> {
        let mut read = self.array.plan_read(selection, &self.policy)?;
        read.check_element::<T>()?;
        let mut held = read.zeroed()?;
        loop {
            self.fetch_into(&mut read, &mut held).await?;
            if let Some(elements) = read.finish_held(&mut held)? {
                return Ok(elements);
            }
        }
    }

    /// Writes the elements of a selection to the front of `dst` as bytes, in C order, and returns
    /// their number of bytes.
    ///
    /// # Errors
    /// The error of the store; otherwise as [`Array::slice_bytes_into`].
    pub async fn slice_bytes_into<'s>(
        &'s self,
        selection: impl Into<Selection<'s>>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut read = self.array.plan_read(selection, &self.policy)?;
        self.finish_into(&mut read, dst).await
    }

    /// The elements of a selection as bytes, in C order.
    ///
    /// # Errors
    /// The error of the store; otherwise as [`Array::slice_bytes`].
    pub async fn slice_bytes<'s>(&'s self, selection: impl Into<Selection<'s>>) -> Result<Vec<u8>> {
        let mut read = self.array.plan_read(selection, &self.policy)?;
        let mut bytes = read.zeroed()?;
        self.finish_into(&mut read, &mut bytes).await?;
        Ok(bytes)
    }

    async fn finish_into(&self, read: &mut RemoteRead<'_>, dst: &mut [u8]) -> Result<usize> {
        loop {
            self.fetch_into(read, dst).await?;
            if let Some(len) = read.finish_into(dst)? {
                return Ok(len);
            }
        }
    }

    /// Fetches what a read needs, and decodes what has arrived while the rest is under way.
    async fn fetch_into(&self, read: &mut RemoteRead<'_>, dst: &mut [u8]) -> Result<()> {
        loop {
            let ranges = read.needs()?;
            if ranges.is_empty() {
                return Ok(());
            }
            let mut parts = pin!(self.object.stream(ranges));
            while let Some(part) = parts.try_next().await? {
                read.give_owned(part.at, part.bytes);
                read.decode_held_into(dst)?;
            }
        }
    }

    /// The requests since the array was opened, opening included.
    pub fn traffic(&self) -> Traffic {
        self.object.traffic()
    }
}
