//! Everything opened on a source has the limits of that source, for every constructor.

use std::io::Read;
use std::sync::Arc;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{AnyFrame, Contiguous, ItemReader, Sparse};
use oxiblosc::schunk::{ReadAhead, SChunk};
use oxiblosc::storage::{Memory, MemoryDir};
use oxiblosc::{
    CParams, ChunkSource, DParams, ErrorKind, FrameParams, FrameReader, FrameWriter, Limits,
};

const NBYTES: usize = 4_000_000;

fn narrow() -> DParams {
    DParams::new().limits(Limits::UNTRUSTED.max_alloc(1 << 20))
}

fn params() -> ArrayParams {
    ArrayParams::new::<u8>(&[NBYTES as u64]).chunkshape(&[2_000_000])
}

/// Everything that can be opened on `source` refuses to return, or to hold, four megabytes.
fn all_refuse<C: ChunkSource + 'static>(name: &str, source: C) {
    let exceeded = ErrorKind::LimitExceeded;
    assert_eq!(source.dparams().limits.max_alloc, 1 << 20, "{name}");
    assert_eq!((&&source).dparams().limits.max_alloc, 1 << 20, "{name}");
    let array = Array::open_in(&source).unwrap();
    assert_eq!(array.to_bytes().unwrap_err().kind(), exceeded, "{name}");
    let error = ItemReader::new(&source).read(&mut [0; 1]).unwrap_err();
    assert!(error.to_string().contains("max_alloc"), "{name}: {error}");
    let mut large = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1000)).unwrap();
    let error = large.append_source(&source).unwrap_err();
    assert_eq!(error.kind(), exceeded, "{name}");
    let copy = SChunk::from_source(&source, CParams::new(1)).unwrap();
    let error = copy.read_items(0..NBYTES as u64).unwrap_err();
    assert_eq!(error.kind(), exceeded, "{name}");
    drop(array);
    let source: Arc<dyn ChunkSource> = Arc::new(source);
    let mut ahead = ReadAhead::new(Arc::new(Arc::clone(&source)));
    let error = ahead.next().unwrap().unwrap_err();
    assert_eq!(error.kind(), exceeded, "{name}");
    let boxed: Box<dyn ChunkSource> = Box::new(source);
    let error = Array::open_in(boxed).unwrap().to_bytes().unwrap_err();
    assert_eq!(error.kind(), exceeded, "{name}");
}

pub(crate) fn constructors() {
    let array = Array::zeros(&params()).unwrap();
    let frame = array.into_inner().unwrap().to_cframe().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (file, trailing) = (dir.path().join("file"), dir.path().join("after"));
    std::fs::write(&file, &frame).unwrap();
    std::fs::write(&trailing, [b"..".as_slice(), &frame].concat()).unwrap();
    let folder = dir.path().join("folder");
    let sparse = params().frame_params().unwrap();
    let sparse = FrameWriter::create_sparse(&folder, sparse).unwrap();
    Array::from_bytes_in(sparse, &[7; NBYTES], &params())
        .unwrap()
        .into_inner()
        .unwrap()
        .finish()
        .unwrap();

    let bytes = || Contiguous::new(Memory(frame.clone()));
    let read = |store| FrameReader::open_in(store, narrow()).unwrap();
    all_refuse(
        "from_bytes",
        FrameReader::from_bytes(frame.clone(), narrow()).unwrap(),
    );
    all_refuse("a store", read(bytes()));
    all_refuse("a file", FrameReader::open(&file, narrow()).unwrap());
    all_refuse(
        "a part",
        FrameReader::open_at(&trailing, 2, narrow()).unwrap(),
    );
    all_refuse(
        "sparse",
        FrameReader::open_sparse(&folder, narrow()).unwrap(),
    );
    all_refuse("any file", AnyFrame::open(&file, narrow()).unwrap());
    all_refuse("any folder", AnyFrame::open(&folder, narrow()).unwrap());
    all_refuse("a writer", FrameWriter::open_in(bytes(), narrow()).unwrap());
    all_refuse(
        "a file changed",
        FrameWriter::open(&file, narrow()).unwrap(),
    );
    all_refuse(
        "a folder changed",
        FrameWriter::open_sparse(&folder, narrow()).unwrap(),
    );
    all_refuse(
        "a frame loaded",
        SChunk::from_cframe(&frame, narrow()).unwrap(),
    );
    let mut schunk = SChunk::from_source(&read(bytes()), CParams::new(1)).unwrap();
    all_refuse("a copy", schunk.recode(CParams::new(1)).unwrap());
    schunk.set_dparams(narrow());
    all_refuse("a super-chunk", schunk);

    let params = params().dparams(narrow());
    let array = Array::zeros(&params).unwrap();
    all_refuse("an array in memory", array.into_inner().unwrap());
    let store = Sparse::new(MemoryDir::new());
    let writer = FrameWriter::create_in(store, params.frame_params().unwrap()).unwrap();
    let array = Array::zeros_in(writer, &params).unwrap();
    all_refuse("an array in a frame", array.into_inner().unwrap());
}
