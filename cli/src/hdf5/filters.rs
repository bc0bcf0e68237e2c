//! The filters of Blosc, for a reader that has those of the HDF5 library.

use hdf5_reader::FilterRegistry;
use hdf5_reader::error::Error;
use oxiblosc::b2nd::{Array, METALAYER};
use oxiblosc::frame::{Contiguous, FrameReader, FrameWriter};
use oxiblosc::schunk::{ChunkSource, copy_chunks};
use oxiblosc::storage::Memory;
use oxiblosc::{DParams, decompress};

/// The filter that stores chunks of Blosc.
const BLOSC: u16 = 32001;

/// The filter that stores frames of Blosc2.
const BLOSC2: u16 = 32026;

/// Adds both. What a chunk may take is limited as for other untrusted bytes.
pub(super) fn register(registry: &mut FilterRegistry) {
    for (id, decode) in [(BLOSC, chunk as Decode), (BLOSC2, frame)] {
        let filter = move |_: &_, bytes: &[u8], size| {
            decode(bytes, size).map_err(|error| Error::FilterError(error.to_string()))
        };
        registry.register(id, Box::new(filter));
    }
}

/// A decoder of chunks, given the size of an element.
type Decode = fn(&[u8], usize) -> oxiblosc::Result<Vec<u8>>;

fn chunk(bytes: &[u8], _: usize) -> oxiblosc::Result<Vec<u8>> {
    decompress(bytes)
}

/// The largest element that the filter gives its own size in a frame.
const MOST_TYPESIZE: usize = 255;

/// A frame of items, or an array whose blocks have other shapes than the chunk.
fn frame(bytes: &[u8], size: usize) -> oxiblosc::Result<Vec<u8>> {
    let frame = FrameReader::from_bytes(bytes, DParams::new())?;
    let layout = frame.layout();
    if frame.metalayers().get(METALAYER).is_some() {
        if layout.typesize == 1 && size > MOST_TYPESIZE {
            return of_long_elements(&frame, size);
        }
        return Array::open_in(frame)?.to_bytes();
    }
    let typesize = u64::try_from(layout.typesize.max(1)).unwrap_or(u64::MAX);
    frame.slice(0..layout.nbytes / typesize)
}

/// The filter states the size 1 for longer elements, which its own reader refuses; the shapes and
/// the order of the bytes are those of whole elements, as they are in a frame that states their
/// size.
fn of_long_elements(frame: &FrameReader<Bytes<'_>>, size: usize) -> oxiblosc::Result<Vec<u8>> {
    let mut params = frame.params()?;
    params.cparams.typesize = size;
    let mut stated = FrameWriter::in_memory(params)?;
    copy_chunks(frame, &mut stated)?;
    let stated = FrameReader::from_bytes(stated.into_bytes()?, DParams::new())?;
    Array::open_in(stated)?.to_bytes()
}

/// A frame in borrowed memory.
type Bytes<'a> = Contiguous<Memory<&'a [u8]>>;
