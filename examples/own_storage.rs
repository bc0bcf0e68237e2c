//! A frame in a storage of your own: here one that counts requests, as an object store bills them.
#![expect(clippy::print_stdout, reason = "an example tells what it did")]

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::Contiguous;
use oxiblosc::storage::{Memory, ReadAt};
use oxiblosc::{DParams, FrameReader, FrameWriter};

/// Bytes at some distance. `read_ranges` may be overridden to fetch several ranges at once.
#[derive(Debug)]
struct Counted<'a> {
    bytes: Memory<Vec<u8>>,
    requests: &'a AtomicUsize,
}

impl ReadAt for Counted<'_> {
    fn len(&self) -> io::Result<u64> {
        self.bytes.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.bytes.read_exact_at(buf, offset)
    }
}

fn main() -> oxiblosc::Result<()> {
    let numbers: Vec<f32> = (0..1_000_000_u32).map(|i| (i as f32 / 1e5).cos()).collect();
    let params = ArrayParams::new::<f32>([1000, 1000]).chunkshape([100, 1000]);
    let frame = FrameWriter::in_memory(params.frame_params()?)?;
    let bytes = Array::from_elements_in(frame, &numbers, &params)?
        .into_inner()?
        .into_bytes()?;

    let requests = AtomicUsize::new(0);
    let bytes = Memory(bytes);
    let storage = Contiguous::new(Counted {
        bytes,
        requests: &requests,
    });
    // What was read of chunks is kept, up to 1 MiB.
    let dparams = DParams::new().cache_bytes(1 << 20);
    let array = Array::open_in(FrameReader::open_in(storage, dparams)?)?;
    println!("opening: {} requests", requests.swap(0, Ordering::Relaxed));
    assert_eq!(array.get::<f32>([500, 700])?, numbers[500_700]);
    println!(
        "one element: {} requests",
        requests.swap(0, Ordering::Relaxed)
    );
    assert_eq!(array.get::<f32>([500, 700])?, numbers[500_700]);
    println!("again: {} requests", requests.load(Ordering::Relaxed));
    Ok(())
}
