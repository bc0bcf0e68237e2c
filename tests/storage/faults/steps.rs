//! The content of a frame, and the changes between two commits.

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{Contiguous, FrameStore, FrameStoreMut, Sparse};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, FrameParams, FrameReader,
    FrameWriter, Result, Special,
};

use super::disk::{File, Folder};

/// Everything that a frame holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) chunks: Vec<Vec<u8>>,
    metalayers: Vec<(String, Vec<u8>)>,
    vlmetalayers: Vec<(String, Vec<u8>)>,
}

/// Reads all of it, in every way there is.
pub(crate) fn read<S: FrameStore>(store: S) -> Result<Content> {
    let reader = FrameReader::open_in(store, DParams::new())?;
    reader.check()?;
    reader.verify()?;
    let mut decoder = ChunkDecoder::default();
    let mut chunks = Vec::new();
    for nchunk in 0..reader.layout().nchunks {
        let mut chunk = vec![0; reader.chunk_nbytes(nchunk)?];
        reader.decode_chunk_into(&mut decoder, nchunk, &mut chunk)?;
        let mut part = vec![0; chunk.len() / 2];
        let range = chunk.len() / 4..chunk.len() / 4 + part.len();
        reader.decode_chunk_bytes_into(&mut decoder, nchunk, range.clone(), &mut part)?;
        assert_eq!(part, chunk[range.clone()]);
        let mut lazy = reader.lazy_chunk(nchunk)?;
        lazy.decode_bytes_into(&mut decoder, range, &mut part)?;
        chunks.push(chunk);
    }
    let names: Vec<String> = reader.vlmetalayers().names().map(str::to_owned).collect();
    let contents = names.into_iter().map(|name| {
        let content = reader.vlmetalayer(&name)?.unwrap();
        Ok((name, content))
    });
    let vlmetalayers = contents.collect::<Result<_>>()?;
    let metalayers = reader.metalayers().iter();
    Ok(Content {
        chunks,
        metalayers: metalayers
            .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
            .collect(),
        vlmetalayers,
    })
}

pub(crate) fn noise(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| ((i * i + seed) % 251).to_le_bytes()[0])
        .collect()
}

/// Operations that differ between contiguous and sparse frames.
pub(crate) trait Tidy {
    fn tidy(&mut self) -> Result<()>;
    fn sweep(&mut self) -> Result<()>;
}

impl Tidy for FrameWriter<Contiguous<File>> {
    fn tidy(&mut self) -> Result<()> {
        self.compact().map(drop)
    }

    fn sweep(&mut self) -> Result<()> {
        self.recover().map(drop)
    }
}

impl Tidy for FrameWriter<Sparse<Folder>> {
    fn tidy(&mut self) -> Result<()> {
        self.compact().map(drop)
    }

    fn sweep(&mut self) -> Result<()> {
        self.recover().map(drop)
    }
}

/// A change between two commits.
pub(crate) type Step<S> = fn(&mut FrameWriter<S>) -> Result<()>;

/// The name of the step that leaves bytes.
pub(crate) const RECOVER: &str = "recover";

pub(crate) fn frame_params() -> FrameParams {
    FrameParams::new(CParams::new(4), 400)
        .metalayer("fixed", b"12345")
        .unwrap()
}

fn chunk<S: FrameStoreMut>(writer: &FrameWriter<S>, len: usize, seed: usize) -> Result<Vec<u8>> {
    ChunkEncoder::new(writer.cparams().clone())?.encode(&noise(len, seed))
}

/// The changes of a frame of chunks, in an order in which each has something to do.
pub(crate) fn frame_steps<S: FrameStoreMut>() -> Vec<(&'static str, Step<S>)>
where
    FrameWriter<S>: Tidy,
{
    vec![
        ("nothing but opening", |_| Ok(())),
        ("append", |writer| writer.append(&noise(1900, 1))),
        ("update a chunk", |writer| {
            let chunk = chunk(writer, 400, 2)?;
            writer.update_chunk(1, &chunk)
        }),
        ("insert a chunk", |writer| {
            let chunk = chunk(writer, 400, 3)?;
            writer.insert_chunk(0, &chunk)
        }),
        ("set items", |writer| writer.set_items(70, &noise(800, 4))),
        ("delete a chunk", |writer| writer.delete_chunk(2)),
        ("compact", Tidy::tidy),
        ("reorder", |writer| {
            let order: Vec<u64> = (0..writer.layout().nchunks).rev().collect();
            writer.reorder_chunks(&order)
        }),
        ("special chunks", |writer| {
            writer.append_special(Special::Zeros, 700)
        }),
        ("a vlmetalayer", |writer| {
            writer.set_vlmetalayer("v", &noise(90, 5))
        }),
        ("a metalayer", |writer| {
            writer.update_metalayer("fixed", b"54321")
        }),
        (RECOVER, Tidy::sweep),
        ("seal", FrameWriter::seal),
        ("drop a vlmetalayer", |writer| {
            writer.remove_vlmetalayer("v").map(drop)
        }),
        ("append to a short chunk", |writer| {
            writer.append(&noise(1000, 6))
        }),
        ("a chunk of another size", |writer| {
            let chunk = chunk(writer, 68, 7)?;
            writer.insert_chunk(1, &chunk)
        }),
        ("compact again", Tidy::tidy),
        ("delete all", |writer| {
            while writer.layout().nchunks > 0 {
                writer.delete_chunk(0)?;
            }
            Ok(())
        }),
        ("append to nothing", |writer| {
            let chunk = chunk(writer, 400, 8)?;
            writer.append_chunk(&chunk).map(drop)
        }),
    ]
}

pub(crate) fn array_params() -> ArrayParams {
    ArrayParams::new::<u32>(&[10, 9])
        .chunkshape(&[5, 4])
        .blockshape(&[3, 2])
}

/// The changes of an array of ten rows of nine items.
pub(crate) fn array_steps<S: FrameStoreMut>() -> Vec<(&'static str, Step<S>)>
where
    FrameWriter<S>: Tidy,
{
    vec![
        ("open an array", |writer| Array::open_in(writer).map(drop)),
        ("set a slice", |writer| {
            let new = noise(6 * 5 * 4, 1);
            Array::open_in(writer)?.set_slice_bytes(&[2..8, 3..8], &new)
        }),
        ("grow", |writer| Array::open_in(writer)?.resize(&[12, 13])),
        ("shrink", |writer| Array::open_in(writer)?.resize(&[11, 3])),
        ("append rows", |writer| {
            let mut array = Array::open_in(writer)?;
            array.append_bytes(&noise(5 * 3 * 4, 2))?;
            array.into_inner().map(drop)
        }),
        ("insert rows", |writer| {
            Array::open_in(writer)?.insert_bytes(0, 3, &noise(2 * 3 * 4, 3))
        }),
        ("delete rows", |writer| {
            Array::open_in(writer)?.delete(0, 1..7)
        }),
        ("compact an array", Tidy::tidy),
    ]
}
