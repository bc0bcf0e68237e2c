//! The content of a frame, and the changes between two commits.

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{FrameStore, FrameStoreMut};
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, FrameParams,
    FrameReader, FrameWriter, Special,
};

/// A small generator, the same on every machine.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn data(&mut self, len: u64) -> Vec<u8> {
        // Half of it compresses.
        (0..len)
            .map(|i| {
                if i % 8 < 4 {
                    7
                } else {
                    self.next().to_le_bytes()[0]
                }
            })
            .collect()
    }
}

/// Everything that a frame holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) chunks: Vec<Vec<u8>>,
    pub(crate) metalayers: Vec<(String, Vec<u8>)>,
    pub(crate) vlmetalayers: Vec<(String, Vec<u8>)>,
}

impl Content {
    /// Reads and checks all of it.
    pub(crate) fn of<S: FrameStore>(reader: &FrameReader<S>) -> oxiblosc::Result<Self> {
        reader.verify()?;
        let mut decoder = ChunkDecoder::new(DParams::new());
        let mut content = Self::default();
        for nchunk in 0..reader.layout().nchunks {
            let mut data = vec![0; reader.chunk_nbytes(nchunk)?];
            reader.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
            content.chunks.push(data);
        }
        for (name, bytes) in reader.metalayers().iter() {
            let entry = (name.to_owned(), bytes.to_vec());
            content.metalayers.push(entry);
        }
        for name in reader.vlmetalayers().names() {
            let bytes = reader.vlmetalayer(name)?.unwrap();
            content.vlmetalayers.push((name.to_owned(), bytes));
        }
        Ok(content)
    }
}

/// Operations that differ between contiguous and sparse frames.
pub(crate) trait Tidy {
    fn tidy(&mut self);
    fn drop_tail(&mut self);
}

/// The changes between two commits.
pub(crate) type Step<S> = fn(&mut FrameWriter<S>, &mut Random);
/// The same with a name for messages.
pub(crate) type Named<S> = (&'static str, Step<S>);

fn chunk<S: FrameStoreMut>(writer: &FrameWriter<S>, random: &mut Random, len: u64) -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(writer.cparams().clone()).unwrap();
    encoder.encode(&random.data(len)).unwrap()
}

fn any<S: FrameStoreMut>(writer: &FrameWriter<S>, random: &mut Random) -> u64 {
    random.below(writer.layout().nchunks)
}

/// The steps of a frame of chunks, in an order in which each has something to do.
pub(crate) fn frame_steps<S: FrameStoreMut>() -> Vec<Named<S>>
where
    FrameWriter<S>: Tidy,
{
    vec![
        ("append", |writer, random| {
            writer.append(&random.data(2500)).unwrap();
        }),
        ("append to a short chunk", |writer, random| {
            let len = 4 * (1 + random.below(200));
            writer.append(&random.data(len)).unwrap();
        }),
        ("update a chunk", |writer, random| {
            let (at, new) = (any(writer, random), chunk(writer, random, 400));
            writer.update_chunk(at, &new).unwrap();
        }),
        ("set items", |writer, random| {
            let nitems = writer.layout().nbytes / 4;
            let start = random.below(nitems - 1);
            let len = 1 + random.below((nitems - start).min(250));
            writer.set_items(start, &random.data(4 * len)).unwrap();
        }),
        ("add a vlmetalayer", |writer, random| {
            writer.set_vlmetalayer("v", &random.data(60)).unwrap();
        }),
        ("delete a chunk", |writer, random| {
            writer.delete_chunk(any(writer, random)).unwrap();
        }),
        ("reorder chunks", |writer, _| {
            let order: Vec<u64> = (0..writer.layout().nchunks).rev().collect();
            writer.reorder_chunks(&order).unwrap();
        }),
        ("append special chunks", |writer, _| {
            writer.append_special(Special::Zeros, 800).unwrap();
        }),
        ("update a vlmetalayer", |writer, random| {
            writer.set_vlmetalayer("v", &random.data(90)).unwrap();
        }),
        ("update a metalayer", |writer, random| {
            writer.update_metalayer("fixed", &random.data(5)).unwrap();
        }),
        ("seal", |writer, _| writer.seal().unwrap()),
        ("insert a chunk", |writer, random| {
            let at = random.below(writer.layout().nchunks + 1);
            let new = chunk(writer, random, 400);
            writer.insert_chunk(at, &new).unwrap();
        }),
        ("compact", |writer, _| writer.tidy()),
        ("uncommitted chunks, and recover", |writer, _| {
            writer.drop_tail();
        }),
        ("insert a chunk of another size", |writer, random| {
            let (at, new) = (any(writer, random), chunk(writer, random, 68));
            writer.insert_chunk(at, &new).unwrap();
        }),
        ("delete a vlmetalayer", |writer, _| {
            assert!(writer.remove_vlmetalayer("v").unwrap());
        }),
        ("many changes at once", |writer, random| {
            for _ in 0..4 {
                let (at, new) = (any(writer, random), chunk(writer, random, 400));
                writer.update_chunk(at, &new).unwrap();
            }
            writer.delete_chunk(0).unwrap();
            writer.append(&random.data(1700)).unwrap();
            writer.set_vlmetalayer("w", b"with them").unwrap();
        }),
        ("compact again", |writer, _| writer.tidy()),
        ("delete all chunks", |writer, _| {
            while writer.layout().nchunks > 0 {
                writer.delete_chunk(0).unwrap();
            }
        }),
        ("a vlmetalayer alone", |writer, random| {
            writer.set_vlmetalayer("w", &random.data(50)).unwrap();
        }),
        ("append to nothing", |writer, random| {
            writer.append(&random.data(1300)).unwrap();
        }),
    ]
}

/// The steps of a frame of chunks with variable-length blocks.
pub(crate) fn vlblock_steps<S: FrameStoreMut>() -> Vec<Named<S>>
where
    FrameWriter<S>: Tidy,
{
    vec![
        ("append blocks", |writer, random| {
            for _ in 0..3 {
                let lens = [100, 3, 700].map(|len| len + random.below(60));
                let blocks = lens.map(|len| random.data(len));
                writer.append_vlblocks(&blocks).unwrap();
            }
        }),
        ("update blocks", |writer, random| {
            let mut encoder = ChunkEncoder::new(writer.cparams().clone()).unwrap();
            let blocks = [random.data(200), random.data(9)];
            let new = encoder.encode_vlblocks(&blocks).unwrap();
            writer.update_chunk(any(writer, random), &new).unwrap();
        }),
        ("delete blocks", |writer, _| writer.delete_chunk(0).unwrap()),
        ("compact blocks", |writer, _| writer.tidy()),
    ]
}

/// The steps of an array of rows of four items, in chunks of 5 by 3.
pub(crate) fn array_steps<S: FrameStoreMut>() -> Vec<Named<S>>
where
    FrameWriter<S>: Tidy,
{
    vec![
        ("fill an array", |writer, random| {
            change_array(writer, |array| {
                array
                    .set_slice_bytes(&[0..7, 0..4], &random.data(7 * 4 * 4))
                    .unwrap();
            });
        }),
        ("grow an array", |writer, _| {
            change_array(writer, |array| array.resize(&[16, 9]).unwrap());
        }),
        ("set a slice", |writer, random| {
            change_array(writer, |array| {
                array
                    .set_slice_bytes(&[3..13, 2..8], &random.data(10 * 6 * 4))
                    .unwrap();
            });
        }),
        ("append rows", |writer, random| {
            change_array(writer, |array| {
                array.append_bytes(&random.data(2 * 9 * 4)).unwrap();
            });
        }),
        ("shrink an array", |writer, _| {
            change_array(writer, |array| array.resize(&[7, 4]).unwrap());
        }),
        ("compact an array", |writer, _| writer.tidy()),
    ]
}

fn change_array<S: FrameStoreMut>(
    writer: &mut FrameWriter<S>,
    change: impl FnOnce(&mut Array<&mut FrameWriter<S>>),
) {
    change(&mut Array::open_in(writer).unwrap());
}

/// How the frame of `frame_steps` and `vlblock_steps` begins.
pub(crate) fn frame_params() -> FrameParams {
    let cparams = CParams::new(4).codec(CodecId::BLOSCLZ);
    FrameParams::new(cparams, 400)
        .metalayer("fixed", b"12345")
        .unwrap()
}

/// How the frame of `array_steps` begins; the array itself follows with `begin_array`.
pub(crate) fn array_params() -> ArrayParams {
    ArrayParams::new::<u32>(&[7, 4])
        .chunkshape(&[5, 3])
        .blockshape(&[5, 3])
}

/// A large trailer: the content of a vlmetalayer that no sector holds.
pub(crate) fn large() -> VlMetalayers {
    let mut vlmetalayers = VlMetalayers::new();
    vlmetalayers.set("large", &Random(99).data(3000)).unwrap();
    vlmetalayers
}
