//! The filters of Blosc, for a reader that has those of the HDF5 library.

use hdf5_reader::FilterRegistry;
use hdf5_reader::error::Error;
use oxiblosc::b2nd::{Array, METALAYER};
use oxiblosc::frame::FrameReader;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{DParams, decompress};

/// The filter that stores chunks of Blosc.
const BLOSC: u16 = 32001;

/// The filter that stores frames of Blosc2.
const BLOSC2: u16 = 32026;

/// Adds both. What a chunk may take is limited as for other untrusted bytes.
pub(super) fn register(registry: &mut FilterRegistry) {
    for (id, decode) in [(BLOSC, chunk as Decode), (BLOSC2, frame)] {
        let filter = move |_: &_, bytes: &[u8], _| {
            decode(bytes).map_err(|error| Error::FilterError(error.to_string()))
        };
        registry.register(id, Box::new(filter));
    }
}

type Decode = fn(&[u8]) -> oxiblosc::Result<Vec<u8>>;

fn chunk(bytes: &[u8]) -> oxiblosc::Result<Vec<u8>> {
    decompress(bytes)
}

/// A frame of items, or an array whose blocks have other shapes than the chunk.
fn frame(bytes: &[u8]) -> oxiblosc::Result<Vec<u8>> {
    let frame = FrameReader::from_bytes(bytes, DParams::new())?;
    if frame.metalayers().get(METALAYER).is_some() {
        return Array::open_in(frame)?.to_bytes();
    }
    let layout = frame.layout();
    let typesize = u64::try_from(layout.typesize.max(1)).unwrap_or(u64::MAX);
    frame.slice(0..layout.nbytes / typesize)
}
