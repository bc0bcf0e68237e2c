//! Opening a frame whose bytes arrive in pieces.

use std::ops::Range;
use std::sync::Arc;

use super::RemoteFrame;
use super::fetch::{fetch_all, missing};
use super::policy::ReadPolicy;
use crate::error::Result;
use crate::frame::{Contiguous, FrameHeader, FrameReader};
use crate::params::DParams;
use crate::storage::{Fetched, Pieces, Pin, ReadAt};

/// The bytes at the beginning and at the end that are asked for first: header and metalayers, and
/// index and trailer of all but large frames.
const FRONT: u64 = 4 << 10;
const TAIL: u64 = 32 << 10;

/// Opens a contiguous frame: says which bytes it needs, and takes them.
///
/// Two requests in one round, for most frames. See the [module](crate::remote) for the whole way.
#[derive(Debug)]
pub struct FrameOpen {
    pieces: Pieces,
    pins: Vec<Pin>,
    dparams: DParams,
    policy: ReadPolicy,
    began: bool,
    opened: Option<RemoteFrame>,
}

impl FrameOpen {
    /// A frame that is all of an object of `len` bytes. Of what later reads fetch, at most
    /// [`DParams::cache_bytes`] are kept.
    ///
    /// Where the length is not known yet, fetch some thousand bytes from the beginning: the
    /// response says how long the object is. Then [`give`](Self::give) them.
    pub fn new(len: u64, dparams: DParams) -> Self {
        Self {
            pieces: Pieces::new(len, dparams.cache_bytes),
            pins: Vec::new(),
            dparams,
            policy: ReadPolicy::default(),
            began: false,
            opened: None,
        }
    }

    /// The length of the object, as the first bytes of the frame in it state it: for a client that
    /// fetches both ends of an object whose length it does not know. `front` are 24 bytes or more.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::remote::FrameOpen;
    ///
    /// let array = Array::from_elements(&[1_u8, 2, 3], &ArrayParams::new::<u8>([3]))?;
    /// let object = array.schunk().to_cframe()?;
    /// assert_eq!(FrameOpen::stated_len(&object[..24])?, object.len() as u64);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the bytes are not the beginning of a frame. That the object is as long as stated is not
    /// known before [`needs`](Self::needs) has found the end of the frame at its place.
    pub fn stated_len(front: &[u8]) -> Result<u64> {
        FrameHeader::stated_len(front)
    }

    /// Sets how ranges are joined.
    #[must_use]
    pub fn policy(mut self, policy: ReadPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// The ranges to fetch next; none when the frame is open.
    ///
    /// # Errors
    /// As [`FrameReader::open_in`].
    pub fn needs(&mut self) -> Result<Vec<Range<u64>>> {
        if self.opened.is_some() {
            return Ok(Vec::new());
        }
        if !std::mem::replace(&mut self.began, true) {
            let len = self.pieces.len().unwrap_or_default();
            let ends = [0..FRONT.min(len), len.saturating_sub(TAIL)..len];
            let gaps = ends.map(|range| self.pieces.gaps(range));
            let ranges = self.policy.requests(gaps.into_iter().flatten().collect());
            if !ranges.is_empty() {
                return Ok(ranges);
            }
        }
        let store = Contiguous::new(self.pieces.clone());
        match FrameReader::open_in(store, self.dparams.clone()) {
            Ok(opened) => {
                self.opened = Some(opened);
                self.pins.clear();
                Ok(Vec::new())
            }
            Err(error) => match missing(&error) {
                Some(ranges) => Ok(self.policy.requests(ranges.to_vec())),
                None => Err(error),
            },
        }
    }

    /// Takes the bytes from `at` on.
    pub fn give(&mut self, at: u64, bytes: impl AsRef<[u8]>) {
        self.give_owned(at, bytes.as_ref().to_vec());
    }

    /// [`give`](Self::give) without a copy: the bytes stay in `bytes` as long as they are held.
    pub fn give_owned(&mut self, at: u64, bytes: impl AsRef<[u8]> + Send + Sync + 'static) {
        let bytes: Fetched = Arc::new(bytes);
        self.pins.push(self.pieces.give_pinned(at, &bytes));
    }

    /// The frame.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) when bytes are missing: call [`needs`](Self::needs) until it
    /// returns nothing. Otherwise as [`FrameReader::open_in`].
    pub fn finish(mut self) -> Result<RemoteFrame> {
        if let Some(opened) = self.opened.take() {
            return Ok(opened);
        }
        FrameReader::open_in(Contiguous::new(self.pieces.clone()), self.dparams.clone())
    }

    /// Fetches everything from a storage, with one [`ReadAt::read_ranges`] per round, and opens the
    /// frame.
    ///
    /// # Errors
    /// The first error of the storage; otherwise as [`FrameReader::open_in`].
    pub fn fetch_from(mut self, storage: &dyn ReadAt) -> Result<RemoteFrame> {
        loop {
            let ranges = self.needs()?;
            if ranges.is_empty() {
                return self.finish();
            }
            for (range, bytes) in fetch_all(storage, ranges)? {
                self.give_owned(range.start, bytes);
            }
        }
    }
}
