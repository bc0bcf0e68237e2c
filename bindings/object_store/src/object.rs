//! One object of a store: ranges of it, several at a time, and always of the same version.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore};

use crate::error::Result;

/// The requests to a store so far.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of requests.
    pub requests: u64,
    /// The number of rounds: requests of one round are under way at the same time.
    pub rounds: u64,
    /// The number of bytes that arrived.
    pub nbytes: u64,
}

/// An object whose length and version are known.
#[derive(Debug)]
pub(crate) struct Object {
    store: Arc<dyn ObjectStore>,
    path: Path,
    parallel: usize,
    /// The version that was opened; later requests refuse another one.
    etag: Option<String>,
    counts: [AtomicU64; 3],
}

/// A part of the object.
pub(crate) struct Part {
    pub(crate) at: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Object {
    pub(crate) fn new(store: Arc<dyn ObjectStore>, path: Path, parallel: usize) -> Self {
        Self {
            store,
            path,
            parallel: parallel.max(1),
            etag: None,
            counts: Default::default(),
        }
    }

    /// Both ends of the object, in one round: at most `front` and `tail` bytes of it. Notes its
    /// version.
    pub(crate) async fn ends(&mut self, front: u64, tail: u64) -> Result<(u64, Vec<Part>)> {
        self.count(0, 1, 0);
        let first = self.get(GetRange::Bounded(0..front));
        let last = self.get(GetRange::Suffix(tail));
        let (first, last) = futures_util::join!(first, last);
        let (meta, first) = first?;
        let len = meta.size;
        self.etag = meta.e_tag.clone();
        let mut parts = vec![first];
        // Not every server knows ranges that count from the end.
        if let Ok((other, last)) = last
            && other.e_tag == meta.e_tag
            && other.size == len
        {
            parts.push(last);
        }
        Ok((len, parts))
    }

    /// Ranges of the version that was opened, in one round.
    pub(crate) async fn fetch(&self, ranges: Vec<Range<u64>>) -> Result<Vec<Part>> {
        self.stream(ranges).try_collect().await
    }

    /// Ranges of the version that was opened, in one round, as they arrive.
    pub(crate) fn stream(
        &self,
        ranges: Vec<Range<u64>>,
    ) -> impl Stream<Item = Result<Part>> + Send + '_ {
        self.count(0, 1, 0);
        let get = move |range| async move { Ok(self.get(GetRange::Bounded(range)).await?.1) };
        let parts = stream::iter(ranges.into_iter().map(get));
        parts.buffer_unordered(self.parallel)
    }

    async fn get(&self, range: GetRange) -> Result<(ObjectMeta, Part)> {
        let options = GetOptions {
            range: Some(range),
            if_match: self.etag.clone(),
            ..GetOptions::default()
        };
        let found = self.store.get_opts(&self.path, options).await?;
        let (meta, at) = (found.meta.clone(), found.range.start);
        let bytes = found.bytes().await?;
        self.count(1, 0, bytes.len());
        let bytes = bytes.into();
        Ok((meta, Part { at, bytes }))
    }

    fn count(&self, requests: u64, rounds: u64, nbytes: usize) {
        let nbytes = u64::try_from(nbytes).unwrap_or(u64::MAX);
        for (count, more) in self.counts.iter().zip([requests, rounds, nbytes]) {
            count.fetch_add(more, Ordering::Relaxed);
        }
    }

    pub(crate) fn traffic(&self) -> Traffic {
        let [requests, rounds, nbytes] = [0, 1, 2].map(|at: usize| {
            let count = self.counts.get(at);
            count.map_or(0, |count| count.load(Ordering::Relaxed))
        });
        Traffic {
            requests,
            rounds,
            nbytes,
        }
    }
}
