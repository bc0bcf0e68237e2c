//! Failures in the middle of a shared read: each keeps its own error, and none spoils the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::error::BoxError;
use oxiblosc::filter::{Filter, FilterContext};
use oxiblosc::schunk::{ChunkLayout, ChunkSource, Metalayers, StoredChunk};
use oxiblosc::{
    CParams, ChunkDecoder, DParams, Error, FilterId, FilterSlot, Registry, Result, SChunk, Threads,
};

fn threads() -> Threads {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(3);
    Threads::Pool(Arc::new(builder.build().unwrap()))
}

/// One chunk of 4 MiB in 256 blocks.
fn params() -> ArrayParams {
    ArrayParams::new::<u8>(&[2048, 2048])
        .chunkshape(&[2048, 2048])
        .blockshape(&[128, 128])
}

fn elements() -> Vec<u8> {
    (0..4_u32 << 20).map(|n| (n / 5).to_le_bytes()[0]).collect()
}

/// Chunks of which the first fetch fails.
#[derive(Debug)]
struct FailsOnce {
    chunks: SChunk,
    fetches: AtomicUsize,
}

impl ChunkSource for FailsOnce {
    fn layout(&self) -> ChunkLayout {
        self.chunks.layout()
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        if self.fetches.fetch_add(1, Ordering::Relaxed) == 0 {
            return Err(Error::refused("fetch the chunk", "it is too early"));
        }
        self.chunks.chunk(nchunk)
    }

    fn dparams(&self) -> &DParams {
        self.chunks.dparams()
    }

    fn metalayers(&self) -> &Metalayers {
        self.chunks.metalayers()
    }

    fn vlmetalayer(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.chunks.vlmetalayer(name)
    }

    fn vlmetalayer_names(&self) -> Vec<String> {
        self.chunks.vlmetalayer_names()
    }

    fn decode_chunk_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        self.chunks.decode_chunk_into(decoder, nchunk, dst)
    }
}

#[test]
fn a_second_fetch_of_a_shared_chunk_counts() {
    let elements = elements();
    let array = Array::from_elements(&elements, &params()).unwrap();
    let source = FailsOnce {
        chunks: array.into_inner().unwrap(),
        fetches: AtomicUsize::new(0),
    };
    let array = Array::open_in_with(source, DParams::new().threads(threads())).unwrap();
    assert!(array.to_bytes().unwrap() == elements);
    assert!(array.schunk().fetches.load(Ordering::Relaxed) > 1);
}

/// Changes nothing, and fails once while decoding.
#[derive(Debug)]
struct FailsAt {
    calls: AtomicUsize,
    failing: usize,
}

impl Filter for FailsAt {
    fn id(&self) -> FilterId {
        FilterId::new(181)
    }
    fn name(&self) -> &str {
        "fails once"
    }
    fn forward(&self, _: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        dst.copy_from_slice(src);
        Ok(())
    }
    fn backward(&self, _: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        if self.calls.fetch_add(1, Ordering::Relaxed) == self.failing {
            return Err("once".into());
        }
        dst.copy_from_slice(src);
        Ok(())
    }
}

#[test]
fn the_error_of_a_shared_read_is_the_one_of_its_block() {
    let elements = elements();
    for threads in [Threads::Serial, threads()] {
        for failing in [0, 7, 40, 200] {
            let filter = FailsAt {
                calls: AtomicUsize::new(0),
                failing,
            };
            let registry = Arc::new(Registry::new().with_filter(filter).unwrap());
            let cparams = CParams::new(1)
                .filters([FilterSlot::new(FilterId::new(181), 0)])
                .registry(Arc::clone(&registry));
            let dparams = DParams::new().registry(registry).threads(threads.clone());
            let params = params().cparams(cparams).dparams(dparams);
            let array = Array::from_elements(&elements, &params).unwrap();
            let error = array.to_bytes().map(|bytes| bytes.len()).unwrap_err();
            let error = error.to_string();
            assert!(error.starts_with("chunk 0: block "), "{error}");
            assert!(error.contains("once"), "{error}");
            // The failure was the only one.
            assert!(array.to_bytes().unwrap() == elements);
        }
    }
}
