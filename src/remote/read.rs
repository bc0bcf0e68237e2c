//! Reads of an array or a frame whose bytes arrive in pieces.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::fetch::{Fetch, fetch_all};
use super::policy::ReadPolicy;
use super::{RemoteArray, RemoteFrame};
use crate::b2nd::{Element, ReadPlan, Selection, WantedChunk, fill_elements};
use crate::error::{Error, Result};
use crate::num::{to_u64, to_usize};
use crate::schunk::ChunkSource;
use crate::storage::{Fetched, ReadAt};

/// A read of an array or of bytes of a frame: says which bytes it needs, takes them, and decodes.
///
/// Made by [`RemoteArray::plan_read`](crate::Array::plan_read) and
/// [`RemoteFrame::plan_bytes`](crate::FrameReader::plan_bytes). What it was given stays held until
/// it is dropped. See the [module](crate::remote) for the whole way.
#[derive(Debug)]
pub struct RemoteRead<'a> {
    fetch: Fetch<'a>,
    wanted: Wanted<'a>,
    nbytes: usize,
    /// Chunks that [`decode_held_into`](Self::decode_held_into) has decoded.
    done: BTreeSet<u64>,
    /// The selection, once chunks of it are decoded one by one.
    plan: Option<Box<ReadPlan>>,
}

#[derive(Debug)]
enum Wanted<'a> {
    Selection(&'a RemoteArray, Box<Selection<'a>>),
    Bytes(&'a RemoteFrame, Range<u64>),
}

impl RemoteArray {
    /// Plans the read of a selection. Nothing is read.
    ///
    /// # Errors
    /// When the selection does not fit the array.
    pub fn plan_read<'a>(
        &'a self,
        selection: impl Into<Selection<'a>>,
        policy: &ReadPolicy,
    ) -> Result<RemoteRead<'a>> {
        let selection = selection.into();
        let (nbytes, chunks) = self.wanted_chunks(&selection)?;
        Ok(RemoteRead {
            fetch: Fetch::new(self.schunk(), chunks, policy),
            wanted: Wanted::Selection(self, Box::new(selection)),
            nbytes,
            done: BTreeSet::new(),
            plan: None,
        })
    }
}

impl RemoteFrame {
    /// Plans the read of decoded bytes of the whole super-chunk. Nothing is read.
    ///
    /// # Errors
    /// When the range is longer than the data.
    pub fn plan_bytes(&self, bytes: Range<u64>, policy: &ReadPolicy) -> Result<RemoteRead<'_>> {
        let layout = self.layout();
        layout.check_bytes(&bytes)?;
        let mut chunks = Vec::new();
        // Where chunks differ in size, only the read itself finds out which ones it needs.
        if let Some(chunksize) = layout.chunksize.filter(|&size| size > 0) {
            let size = to_u64(chunksize);
            let nchunks = bytes.start.checked_div(size).unwrap_or(0)..bytes.end.div_ceil(size);
            for nchunk in nchunks.take_while(|_| !bytes.is_empty()) {
                let start = nchunk.saturating_mul(size);
                let end = start.saturating_add(size).min(bytes.end);
                let within = |at: u64| to_usize(at.saturating_sub(start));
                let range = within(bytes.start.max(start))?..within(end)?;
                let ranges = vec![range];
                chunks.push(WantedChunk { nchunk, ranges });
            }
        }
        Ok(RemoteRead {
            fetch: Fetch::new(self, chunks, policy),
            nbytes: to_usize(bytes.end.saturating_sub(bytes.start))?,
            wanted: Wanted::Bytes(self, bytes),
            done: BTreeSet::new(),
            plan: None,
        })
    }
}

impl RemoteRead<'_> {
    /// The size of the result in bytes.
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }

    /// Zeroed memory for the result: what [`finish_into`](Self::finish_into) takes.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when the result is larger than
    /// [`Limits::max_alloc`](crate::Limits::max_alloc); [`Error::OutOfMemory`] when the system
    /// does not have as much.
    pub fn zeroed(&self) -> Result<Vec<u8>> {
        let limits = match &self.wanted {
            Wanted::Selection(array, _) => &array.schunk().dparams().limits,
            Wanted::Bytes(frame, _) => &frame.dparams().limits,
        };
        limits.check_alloc(to_u64(self.nbytes), None)?;
        Ok(vec![0; self.nbytes])
    }

    /// The ranges to fetch next, which can be fetched at the same time; none when
    /// [`finish_into`](Self::finish_into) can be called.
    ///
    /// # Errors
    /// When chunks cannot be found.
    pub fn needs(&mut self) -> Result<Vec<Range<u64>>> {
        Ok(self.fetch.needs())
    }

    /// Takes the bytes from `at` on.
    pub fn give(&mut self, at: u64, bytes: impl AsRef<[u8]>) {
        self.give_owned(at, bytes.as_ref().to_vec());
    }

    /// [`give`](Self::give) without a copy: the bytes stay in `bytes` as long as they are held.
    pub fn give_owned(&mut self, at: u64, bytes: impl AsRef<[u8]> + Send + Sync + 'static) {
        self.fetch.give(at, &(Arc::new(bytes) as Fetched));
    }

    /// Decodes the chunks of which all has arrived into the front of `dst`, and lets go of their
    /// bytes, so that decoding and memory do not wait for the end of a round. Call it between two
    /// calls of [`give`](Self::give), with the `dst` of [`finish_into`](Self::finish_into), which
    /// decodes the rest; a read that never calls it has the same result.
    ///
    /// Points and the bytes of a frame are decoded at the end alone.
    ///
    /// ```
    /// # use oxiblosc::b2nd::{Array, ArrayParams};
    /// # use oxiblosc::remote::{FrameOpen, ReadPolicy};
    /// # use oxiblosc::storage::Memory;
    /// # use oxiblosc::DParams;
    /// # let numbers: Vec<i32> = (0..100_000).collect();
    /// # let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>(&[100_000]))?;
    /// # let object = Memory(array.schunk().to_cframe()?);
    /// # let open = FrameOpen::new(object.0.len() as u64, DParams::new());
    /// # let array = Array::open_in(open.fetch_from(&object)?)?;
    /// # let fetch = |range: std::ops::Range<u64>| {
    /// #     object.0[range.start as usize..range.end as usize].to_vec()
    /// # };
    /// let mut read = array.plan_read(.., &ReadPolicy::default())?;
    /// let mut all = vec![0; read.nbytes()];
    /// while read.finish_into(&mut all)?.is_none() {
    ///     for range in read.needs()? {
    ///         read.give(range.start, fetch(range));
    ///         read.decode_held_into(&mut all)?;
    ///     }
    /// }
    /// assert_eq!(all[..8], [0, 0, 0, 0, 1, 0, 0, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`finish_into`](Self::finish_into).
    pub fn decode_held_into(&mut self, dst: &mut [u8]) -> Result<()> {
        let Wanted::Selection(array, selection) = &self.wanted else {
            return Ok(());
        };
        if selection.is_points() {
            return Ok(());
        }
        let held: BTreeSet<u64> = self.fetch.take_held().into_iter().collect();
        if held.is_empty() {
            return Ok(());
        }
        let plan = match &mut self.plan {
            Some(plan) => plan,
            none => none.insert(Box::new(array.plan(selection)?)),
        };
        let wanted = |nchunk| held.contains(&nchunk);
        match array.read_chunks(plan, wanted, dst) {
            Ok(_) => {
                self.done.extend(held);
                self.fetch.release();
                Ok(())
            }
            // The end decodes them again.
            Err(error) => self.fetch.note(error),
        }
    }

    /// Decodes into the front of `dst`, and returns the number of bytes; `None` when something is
    /// missing, which [`needs`](Self::needs) then returns. What `dst` holds is not defined until
    /// this returns a number.
    ///
    /// # Errors
    /// As [`slice_bytes_into`](crate::Array::slice_bytes_into).
    pub fn finish_into(&mut self, dst: &mut [u8]) -> Result<Option<usize>> {
        let done = match &self.wanted {
            Wanted::Selection(array, _) if !self.done.is_empty() => {
                let (plan, done) = (self.plan.as_deref(), &self.done);
                let wanted = |nchunk| !done.contains(&nchunk);
                plan.map_or(Ok(0), |plan| array.read_chunks(plan, wanted, dst))
            }
            Wanted::Selection(array, selection) => {
                array.slice_bytes_into((**selection).clone(), dst)
            }
            Wanted::Bytes(frame, bytes) => {
                frame.read_bytes_into(&mut frame.decoder(), bytes.clone(), dst)
            }
        };
        match done {
            Ok(len) => {
                // Another call decodes everything.
                self.done.clear();
                Ok(Some(len))
            }
            Err(error) => self.fetch.note(error).map(|()| None),
        }
    }

    /// The elements of the selection; `None` when something is missing, which
    /// [`needs`](Self::needs) then returns.
    ///
    /// Another type than that of the array is refused before anything is fetched.
    ///
    /// # Errors
    /// [`Error::Refused`] for bytes of a frame; otherwise as [`slice`](crate::Array::slice).
    pub fn finish<T: Element>(&mut self) -> Result<Option<Vec<T>>> {
        let (array, selection) = self.selection()?;
        match array.slice(selection.clone()) {
            Ok(elements) => Ok(Some(elements)),
            Err(error) => self.fetch.note(error).map(|()| None),
        }
    }

    /// The array and the selection of it that is read.
    fn selection(&self) -> Result<(&RemoteArray, &Selection<'_>)> {
        match &self.wanted {
            Wanted::Selection(array, selection) => Ok((array, selection)),
            Wanted::Bytes(..) => Err(Error::Refused {
                what: "read elements",
                why: "the read is one of bytes of a frame",
            }),
        }
    }

    /// Refuses other types of elements than that of the array, before anything is fetched.
    ///
    /// # Errors
    /// [`Error::Mismatch`]; [`Error::Refused`] for bytes of a frame.
    pub fn check_element<T: Element>(&self) -> Result<()> {
        self.selection()?.0.check_element::<T>().map(drop)
    }

    /// [`finish`](Self::finish) of a read whose chunks
    /// [`decode_held_into`](Self::decode_held_into) decodes into `held`, as they arrive.
    ///
    /// ```
    /// # use oxiblosc::b2nd::{Array, ArrayParams};
    /// # use oxiblosc::remote::{FrameOpen, ReadPolicy};
    /// # use oxiblosc::storage::Memory;
    /// # use oxiblosc::DParams;
    /// # let numbers: Vec<i32> = (0..100_000).collect();
    /// # let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>(&[100_000]))?;
    /// # let object = Memory(array.schunk().to_cframe()?);
    /// # let open = FrameOpen::new(object.0.len() as u64, DParams::new());
    /// # let array = Array::open_in(open.fetch_from(&object)?)?;
    /// # let fetch = |range: std::ops::Range<u64>| {
    /// #     object.0[range.start as usize..range.end as usize].to_vec()
    /// # };
    /// let mut read = array.plan_read(.., &ReadPolicy::default())?;
    /// let mut held = read.zeroed()?;
    /// let numbers: Vec<i32> = loop {
    ///     if let Some(numbers) = read.finish_held(&mut held)? {
    ///         break numbers;
    ///     }
    ///     for range in read.needs()? {
    ///         read.give(range.start, fetch(range));
    ///         read.decode_held_into(&mut held)?;
    ///     }
    /// };
    /// assert_eq!(numbers[..3], [0, 1, 2]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`finish`](Self::finish) and [`finish_into`](Self::finish_into).
    pub fn finish_held<T: Element>(&mut self, held: &mut [u8]) -> Result<Option<Vec<T>>> {
        let (array, _) = self.selection()?;
        let swap = array.check_element::<T>()?;
        let Some(len) = self.finish_into(held)? else {
            return Ok(None);
        };
        let held = held.get(..len).unwrap_or_default();
        let count = len.checked_div(size_of::<T>()).unwrap_or(0);
        let mut elements = vec![T::zeroed(); count];
        fill_elements(&mut elements, &swap, |bytes| {
            bytes.copy_from_slice(held);
            Ok(len)
        })?;
        Ok(Some(elements))
    }

    /// Fetches what is needed from a storage, with one [`ReadAt::read_ranges`] per round, and
    /// decodes into the front of `dst`. Returns the number of bytes.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::remote::{FrameOpen, ReadPolicy};
    /// use oxiblosc::storage::Memory;
    /// use oxiblosc::DParams;
    ///
    /// let array = Array::from_elements(&[1_u8, 2, 3], &ArrayParams::new::<u8>([3]))?;
    /// let object = Memory(array.schunk().to_cframe()?); // or something further away
    /// let open = FrameOpen::new(object.0.len() as u64, DParams::new());
    /// let array = Array::open_in(open.fetch_from(&object)?)?;
    /// let mut two = [0; 2];
    /// array.plan_read(1.., &ReadPolicy::default())?.fetch_from(&object, &mut two)?;
    /// assert_eq!(two, [2, 3]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error of the storage; otherwise as [`finish_into`](Self::finish_into).
    pub fn fetch_from(mut self, storage: &dyn ReadAt, dst: &mut [u8]) -> Result<usize> {
        loop {
            let ranges = self.needs()?;
            if ranges.is_empty() {
                match self.finish_into(dst)? {
                    Some(len) => return Ok(len),
                    None => continue,
                }
            }
            for (range, bytes) in fetch_all(storage, ranges)? {
                self.give_owned(range.start, bytes);
            }
        }
    }
}
