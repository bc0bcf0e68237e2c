//! Sequences of operations on frames, against a vector of chunks.

use oxiblosc::frame::{Contiguous, FrameStoreMut, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir, WriteAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, FrameParams, FrameReader,
    FrameWriter, Special, schunk::StoredChunk,
};

use crate::dice::Dice;
use crate::make::{data_of, dparams};

const CHUNKSIZE: usize = 200;

/// The expected content of the frame.
#[derive(Default)]
struct Model {
    chunks: Vec<Vec<u8>>,
    vlmetalayers: Vec<(&'static str, Vec<u8>)>,
}

impl Model {
    /// Cuts all data again, with the sizes of the frame.
    fn cut(&mut self, all: &[u8], frame: &dyn ChunkSource) {
        let mut rest = all;
        self.chunks.clear();
        for nchunk in 0..frame.layout().nchunks {
            let nbytes = frame.chunk_nbytes(nchunk).expect("a chunk");
            let (chunk, later) = rest.split_at(nbytes);
            self.chunks.push(chunk.to_vec());
            rest = later;
        }
        assert!(rest.is_empty());
    }

    fn check(&self, frame: &dyn ChunkSource) {
        let layout = frame.layout();
        assert_eq!(layout.nchunks, self.chunks.len() as u64);
        let mut decoder = ChunkDecoder::new(dparams());
        for (nchunk, expected) in (0..).zip(&self.chunks) {
            let mut dst = vec![0xEE; expected.len()];
            let n = frame.decode_chunk_into(&mut decoder, nchunk, &mut dst);
            assert_eq!(n.expect("our own chunk"), expected.len());
            assert_eq!(dst, *expected, "chunk {nchunk}");
        }
        let all = self.chunks.concat();
        assert_eq!(layout.nbytes, all.len() as u64);
        let (start, end) = (all.len() / 5, all.len() - all.len() / 7);
        let mut part = vec![0; end - start];
        let bytes = start as u64..end as u64;
        let n = frame.read_bytes_into(&mut decoder, bytes, &mut part);
        assert_eq!(n.expect("our own data"), part.len());
        assert_eq!(part, all[start..end]);
        for (name, content) in &self.vlmetalayers {
            let stored = frame.vlmetalayer(name).expect("our own chunk");
            assert_eq!(stored.as_ref(), Some(content));
        }
    }
}

/// Operations that differ between contiguous and sparse frames.
trait Tidy {
    fn tidy(&mut self);
}

impl<S: WriteAt> Tidy for FrameWriter<Contiguous<S>> {
    fn tidy(&mut self) {
        self.commit().expect("our own frame");
        let section = |writer: &Self| {
            let header = writer.reader().header();
            let chunks = header.header_len + header.cbytes;
            (chunks, header.frame_len - chunks)
        };
        let (chunks, tail) = section(self);
        let done = self.compact().expect("our own frame");
        let (chunks_now, tail_now) = section(self);
        assert_eq!(
            (done.before, done.after),
            (chunks + tail, chunks_now + tail_now)
        );
        // Chunks are consecutive: they fill the rest of their section.
        let stored = (0..self.layout().nchunks).filter_map(|nchunk| {
            match self.chunk(nchunk).expect("our own chunk") {
                StoredChunk::Bytes(bytes) => Some(bytes.len() as u64),
                _ => None,
            }
        });
        assert_eq!(stored.sum::<u64>(), self.reader().header().cbytes);
        assert!(chunks_now <= chunks, "{done:?}");
        // An index of other places may compress less. One of n entries has 32 + 8n bytes at most,
        // and 41 at least when it is compressed, which those of less than 32 bytes never are. The
        // trailer is the same, or shorter by a seal.
        let more = match self.layout().nchunks {
            0..4 => 0,
            nchunks => 8 * nchunks - 9,
        };
        assert!(tail_now <= tail + more, "{done:?}");
        // Nothing is left to do.
        let again = self.compact().expect("our own frame");
        assert_eq!((again.before, again.after), (done.after, done.after));
    }
}

impl<D: Directory> Tidy for FrameWriter<Sparse<D>> {
    fn tidy(&mut self) {
        self.compact().expect("our own frame");
        assert_eq!(self.recover().expect("our own frame"), 0);
    }
}

fn chunk(dice: &mut Dice<'_>, cparams: &CParams, uneven: bool) -> (Vec<u8>, Vec<u8>) {
    let mut encoder = ChunkEncoder::new(cparams.clone()).expect("parameters in range");
    let len = if uneven {
        4 * (1 + dice.below(100))
    } else {
        CHUNKSIZE
    };
    let special = match dice.below(6) {
        0 => Some((Special::Zeros, vec![0; len])),
        1 => Some((Special::Uninit, vec![0; len])),
        2 => Some((Special::Repeat(b"ABCD"), b"ABCD".repeat(len / 4))),
        _ => None,
    };
    if let Some((special, data)) = special {
        let chunk = encoder.encode_special(special, len).expect("whole items");
        return (chunk, data);
    }
    let data = data_of(dice, 4, len);
    (encoder.encode(&data).expect("lossless parameters"), data)
}

/// One change to both.
fn change<S: FrameStoreMut>(
    dice: &mut Dice<'_>,
    writer: &mut FrameWriter<S>,
    model: &mut Model,
    uneven: bool,
) where
    FrameWriter<S>: Tidy,
{
    let n = model.chunks.len();
    let cparams = writer.cparams().clone();
    let uneven = uneven && n > 0;
    let good = "a change of our own frame";
    match dice.below(12) {
        0 | 1 => {
            let len = dice.below(700);
            let data = data_of(dice, 4, len);
            writer.append(&data).expect(good);
            writer.flush_chunk().expect(good);
            let all = [model.chunks.concat(), data].concat();
            model.cut(&all, writer);
        }
        2 => {
            let (chunk, data) = chunk(dice, &cparams, uneven);
            assert_eq!(writer.append_chunk(&chunk).expect(good), n as u64 + 1);
            model.chunks.push(data);
        }
        3 => {
            let at = dice.below(n + 1);
            let (chunk, data) = chunk(dice, &cparams, uneven);
            writer.insert_chunk(at as u64, &chunk).expect(good);
            model.chunks.insert(at, data);
        }
        4 | 5 if n > 0 => {
            let at = dice.below(n);
            let (chunk, data) = chunk(dice, &cparams, uneven);
            writer.update_chunk(at as u64, &chunk).expect(good);
            model.chunks[at] = data;
        }
        6 if n > 0 => {
            let at = dice.below(n);
            writer.delete_chunk(at as u64).expect(good);
            model.chunks.remove(at);
        }
        7 => {
            let mut order: Vec<u64> = (0..n as u64).collect();
            for i in (1..n).rev() {
                order.swap(i, dice.below(i + 1));
            }
            writer.reorder_chunks(&order).expect(good);
            let old = std::mem::take(&mut model.chunks);
            let at = |at: &u64| old[usize::try_from(*at).unwrap_or(0)].clone();
            model.chunks = order.iter().map(at).collect();
            let wrong: Vec<u64> = order.iter().map(|_| n as u64).collect();
            assert!(n == 0 || writer.reorder_chunks(&wrong).is_err());
        }
        8 => {
            let mut all = model.chunks.concat();
            let start = dice.below(all.len() / 4 + 1);
            let len = 4 * dice.below((all.len() / 4 - start).min(200) + 1);
            let data = data_of(dice, 4, len);
            writer.set_items(start as u64, &data).expect(good);
            all[4 * start..4 * start + len].copy_from_slice(&data);
            model.cut(&all, writer);
            assert!(writer.set_items(all.len() as u64 / 4, &[0; 4]).is_err());
        }
        9 => {
            let len = 4 * (1 + dice.below(150));
            writer
                .append_special(Special::Zeros, len as u64)
                .expect(good);
            let all = [model.chunks.concat(), vec![0; len]].concat();
            model.cut(&all, writer);
        }
        10 => writer.tidy(),
        _ => {
            let name = dice.pick(&["one", "two"]);
            let there = model
                .vlmetalayers
                .iter()
                .position(|(other, _)| *other == name);
            if let (Some(there), true) = (there, dice.flag()) {
                assert!(writer.remove_vlmetalayer(name).expect(good));
                model.vlmetalayers.remove(there);
            } else {
                let len = dice.below(60);
                let content = data_of(dice, 1, len);
                writer.set_vlmetalayer(name, &content).expect(good);
                model.vlmetalayers.retain(|(other, _)| *other != name);
                model.vlmetalayers.push((name, content));
            }
        }
    }
}

fn run<S: FrameStoreMut>(dice: &mut Dice<'_>, store: S, open: impl Fn(S) -> S)
where
    FrameWriter<S>: Tidy,
{
    let (in_place, uneven) = (dice.flag(), dice.flag());
    let cparams = CParams::new(4).codec(CodecId::BLOSCLZ).blocksize(Some(128));
    let params = FrameParams::new(cparams, CHUNKSIZE)
        .in_place(in_place)
        .dparams(dparams());
    let mut writer = FrameWriter::create_in(store, params).expect("parameters in range");
    let mut model = Model::default();
    let mut left = 40;
    while !dice.is_empty() && left > 0 {
        left -= 1;
        change(dice, &mut writer, &mut model, uneven);
        match dice.below(6) {
            0 => model.check(writer.reader()),
            1 => {
                if dice.below(4) == 0 {
                    writer.seal().expect("our own frame");
                }
                let store = open(writer.finish().expect("memory takes everything"));
                let reader = FrameReader::open_in(store, dparams()).expect("our own frame");
                reader.check().expect("our own frame");
                reader.verify().expect("our own frame");
                model.check(&reader);
                writer =
                    FrameWriter::open_in(reader.into_store(), dparams()).expect("our own frame");
                writer.set_chunksize(CHUNKSIZE).expect("a chunk size");
                writer.set_in_place(in_place).expect("our own frame");
            }
            _ => {}
        }
    }
    let store = open(writer.finish().expect("memory takes everything"));
    let reader = FrameReader::open_in(store, dparams()).expect("our own frame");
    reader.check().expect("our own frame");
    model.check(&reader);
}

/// See `fuzz_targets/frame_ops.rs`.
pub fn frame_ops(input: &[u8]) {
    let dice = &mut Dice::new(input);
    if dice.flag() {
        run(dice, Sparse::new(MemoryDir::new()), |store| {
            Sparse::open(store.into_inner()).expect("our own frame")
        });
    } else {
        run(dice, Contiguous::new(Memory(Vec::new())), |store| {
            Contiguous::new(store.into_inner())
        });
    }
}
