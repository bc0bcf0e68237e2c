//! Frames both ways: made, changed and read by either library, in memory, in a file, in the middle of a file, and as a
//! folder (C's side only makes those).
//!
//! A [`Model`] is a plain list of what a frame must hold. Both libraries do the same operations as the model, and both read
//! what either wrote.

#[path = "../../../tests/golden/content.rs"]
mod content;

mod cases;

use std::path::Path;

use cases::{CODECS, SPLITS, below, draw_spec, pick};
use content::{Lcg, content};
use oxiblosc::frame::{FrameParams, FrameReader, FrameStore, FrameStoreMut, FrameWriter};
use oxiblosc::schunk::{ChunkSink, ChunkSource};
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, DParams, FilterSlot, Special};
use vs_c::capi::{self, Library, Params, SChunk};

/// What a frame holds.
#[derive(Clone, Debug, Default)]
struct Model {
    chunks: Vec<Vec<u8>>,
    metalayers: Vec<(String, Vec<u8>)>,
    vlmetalayers: Vec<(String, Vec<u8>)>,
}

/// One change to a frame. Chunks come with what they decode to.
#[derive(Clone, Debug)]
enum Change {
    Append(Vec<u8>, Vec<u8>),
    Insert(usize, Vec<u8>, Vec<u8>),
    Update(usize, Vec<u8>, Vec<u8>),
    Delete(usize),
    Metalayer(usize, Vec<u8>),
    VlMetalayer(String, Vec<u8>),
    RemoveVlMetalayer(String),
}

/// How the chunks of a frame are made.
struct Maker {
    cparams: CParams,
    typesize: usize,
    /// Decoded size of every chunk; `None` when each has its own.
    chunksize: Option<usize>,
}

fn library() -> Option<&'static Library> {
    let library = Library::get();
    if library.is_none() {
        println!("skipped: OXIBLOSC_LIBBLOSC2 is not set");
    }
    library
}

impl Maker {
    fn draw(rng: &mut Lcg) -> Self {
        let typesize = pick(rng, &[1, 2, 4, 4, 8, 8, 17, 255, 300]);
        let filters = pick(rng, &[FilterSlot::NONE, FilterSlot::SHUFFLE, FilterSlot::BITSHUFFLE]);
        let cparams = CParams::new(typesize)
            .codec(pick(rng, &CODECS))
            .clevel(pick(rng, &[1, 3, 5, 6]))
            .filters([filters])
            .split_mode(pick(rng, &SPLITS));
        let chunksize = (rng.below(3) != 0).then(|| typesize * (1 + below(rng, 400)));
        Self { cparams, typesize, chunksize }
    }

    fn params(&self) -> Params {
        Params::from(&self.cparams)
    }

    /// A chunk by either library, and its data. Special values only where all chunks have one size: C loses the size of
    /// the others (format §9.6).
    fn chunk(&self, library: &Library, rng: &mut Lcg) -> (Vec<u8>, Vec<u8>) {
        let nbytes = self.chunksize.unwrap_or_else(|| self.typesize * (1 + below(rng, 400)));
        let ours = rng.below(2) == 0;
        let mut encoder = ChunkEncoder::new(self.cparams.clone()).unwrap();
        if self.chunksize.is_some() && rng.below(3) == 0 {
            let value = content(&format!("noise:{}", rng.below(100)), self.typesize);
            let mut kinds = vec![
                (Special::Zeros, capi::Special::Zeros, vec![0; nbytes]),
                (Special::Repeat(&value), capi::Special::Repeat(&value), value.repeat(nbytes / self.typesize)),
            ];
            match self.typesize {
                4 => kinds.push((Special::Nans, capi::Special::Nans, 0x7FC0_0000_u32.to_le_bytes().repeat(nbytes / 4))),
                8 => kinds.push((Special::Nans, capi::Special::Nans, f64::NAN.to_le_bytes().repeat(nbytes / 8))),
                _ => {}
            }
            let (special, by_c, data) = pick(rng, &kinds);
            let chunk = if ours {
                encoder.encode_special(special, nbytes).unwrap()
            } else {
                library.special(by_c, nbytes, &self.params()).unwrap()
            };
            return (chunk, data);
        }
        let mut data = content(&draw_spec(rng, self.typesize), nbytes);
        if self.chunksize.is_none() && data.iter().all(|&byte| byte == 0) {
            // Such a chunk would be a special one.
            data.fill(1);
        }
        let chunk = if ours {
            encoder.encode(&data).unwrap()
        } else {
            library.compress(&data, &self.params()).unwrap()
        };
        (chunk, data)
    }

    /// A model with metalayers and no chunks yet.
    fn model(rng: &mut Lcg) -> Model {
        let mut draw = |most: usize, least: usize| -> Vec<(String, Vec<u8>)> {
            (0..below(rng, most))
                .map(|i| {
                    let name = if i == 2 { format!("{i}{}", "n".repeat(30)) } else { format!("layer {i}") };
                    let len = least + below(rng, 300);
                    (name, content(&format!("text:{}", rng.below(50)), len))
                })
                .collect()
        };
        // C cannot tell an empty variable-length metalayer from an error.
        Model { chunks: Vec::new(), metalayers: draw(4, 0), vlmetalayers: draw(4, 1) }
    }

    /// A change that the model allows.
    fn change(&self, library: &Library, model: &Model, rng: &mut Lcg) -> Change {
        let len = model.chunks.len();
        match rng.below(9) {
            0 | 1 => {
                let (chunk, data) = self.chunk(library, rng);
                Change::Insert(below(rng, len + 1), chunk, data)
            }
            2 | 3 if len > 0 => {
                let (chunk, data) = self.chunk(library, rng);
                Change::Update(below(rng, len), chunk, data)
            }
            4 if len > 1 => Change::Delete(below(rng, len)),
            5 if !model.metalayers.is_empty() => {
                let layer = below(rng, model.metalayers.len());
                let size = below(rng, model.metalayers[layer].1.len() + 1);
                Change::Metalayer(layer, content("noise:4", size))
            }
            6 => {
                let name = format!("layer {}", below(rng, 5));
                let size = 1 + below(rng, 900);
                Change::VlMetalayer(name, content(&format!("patch:{}", rng.below(50)), size))
            }
            7 if !model.vlmetalayers.is_empty() => {
                let layer = below(rng, model.vlmetalayers.len());
                Change::RemoveVlMetalayer(model.vlmetalayers[layer].0.clone())
            }
            _ => {
                let (chunk, data) = self.chunk(library, rng);
                Change::Append(chunk, data)
            }
        }
    }
}

impl Model {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Append(_, data) => self.chunks.push(data.clone()),
            Change::Insert(at, _, data) => self.chunks.insert(*at, data.clone()),
            Change::Update(at, _, data) => self.chunks[*at].clone_from(data),
            Change::Delete(at) => drop(self.chunks.remove(*at)),
            Change::Metalayer(at, value) => self.metalayers[*at].1[..value.len()].copy_from_slice(value),
            Change::VlMetalayer(name, value) => {
                match self.vlmetalayers.iter_mut().find(|(known, _)| known == name) {
                    Some((_, old)) => old.clone_from(value),
                    None => self.vlmetalayers.push((name.clone(), value.clone())),
                }
            }
            Change::RemoveVlMetalayer(name) => self.vlmetalayers.retain(|(known, _)| known != name),
        }
    }

    /// Everything that C reads from a frame is as it must be. The order of metalayers counts; that of variable-length ones
    /// does not, since C moves them when it removes one.
    fn check_by_c(&self, schunk: &mut SChunk<'_>, what: &str) {
        assert_eq!(usize::try_from(schunk.nchunks()), Ok(self.chunks.len()), "{what}");
        assert_eq!(usize::try_from(schunk.nbytes()), Ok(self.chunks.iter().map(Vec::len).sum()), "{what}");
        for (nchunk, data) in (0..).zip(&self.chunks) {
            let found = schunk.decompress_chunk(nchunk, data.len());
            assert!(found.as_ref() == Ok(data), "{what}: chunk {nchunk} by C: {:?}", found.err());
        }
        assert_eq!(schunk.metalayers(), self.metalayers, "{what}");
        let mut names = schunk.vlmetalayer_names();
        names.sort();
        let mut expected: Vec<_> = self.vlmetalayers.iter().map(|(name, _)| name.clone()).collect();
        expected.sort();
        assert_eq!(names, expected, "{what}");
        for (name, value) in &self.vlmetalayers {
            assert_eq!(schunk.vlmetalayer(name).as_ref(), Ok(value), "{what}: {name}");
        }
    }

    /// Everything that we read from a frame is as it must be.
    fn check_by_us<S: FrameStore>(&self, reader: &FrameReader<S>, what: &str) {
        if let Err(error) = reader.check() {
            panic!("{what}: {error}");
        }
        let layout = reader.layout();
        assert_eq!(usize::try_from(layout.nchunks), Ok(self.chunks.len()), "{what}");
        assert_eq!(usize::try_from(layout.nbytes), Ok(self.chunks.iter().map(Vec::len).sum()), "{what}");
        let mut decoder = ChunkDecoder::new(DParams::new());
        for (nchunk, data) in (0..).zip(&self.chunks) {
            let mut dst = vec![0xA5; data.len()];
            let found = reader.decode_chunk_into(&mut decoder, nchunk, &mut dst);
            assert!(found.as_ref().ok() == Some(&data.len()) && dst == *data, "{what}: chunk {nchunk}: {found:?}");
        }
        let found: Vec<_> =
            reader.metalayers().iter().map(|(name, value)| (name.to_owned(), value.to_vec())).collect();
        assert_eq!(found, self.metalayers, "{what}");
        assert_eq!(reader.vlmetalayers().len(), self.vlmetalayers.len(), "{what}");
        for (name, value) in &self.vlmetalayers {
            let found = reader.vlmetalayer(name).unwrap_or_else(|error| panic!("{what}: {name}: {error}"));
            assert_eq!(found.as_ref(), Some(value), "{what}: {name}");
        }
    }
}

/// Does a change with C.
fn change_by_c(schunk: &mut SChunk<'_>, model: &Model, change: &Change) -> capi::Result<u64> {
    let index = |at: usize| i64::try_from(at).unwrap();
    match change {
        Change::Append(chunk, _) => schunk.append_chunk(chunk),
        Change::Insert(at, chunk, _) => schunk.insert_chunk(index(*at), chunk),
        Change::Update(at, chunk, _) => schunk.update_chunk(index(*at), chunk),
        Change::Delete(at) => schunk.delete_chunk(index(*at)),
        Change::Metalayer(at, value) => schunk.update_metalayer(&model.metalayers[*at].0, value),
        Change::VlMetalayer(name, value) => schunk.set_vlmetalayer(name, value),
        Change::RemoveVlMetalayer(name) => schunk.remove_vlmetalayer(name),
    }
}

/// Does a change with us.
fn change_by_us<S: FrameStoreMut>(
    writer: &mut FrameWriter<S>,
    model: &Model,
    change: &Change,
) -> oxiblosc::Result<()> {
    let index = |at: usize| u64::try_from(at).unwrap();
    match change {
        Change::Append(chunk, _) => writer.append_chunk(chunk).map(drop),
        Change::Insert(at, chunk, _) => writer.insert_chunk(index(*at), chunk),
        Change::Update(at, chunk, _) => writer.update_chunk(index(*at), chunk),
        Change::Delete(at) => writer.delete_chunk(index(*at)),
        Change::Metalayer(at, value) => writer.update_metalayer(&model.metalayers[*at].0, value),
        Change::VlMetalayer(name, value) => writer.set_vlmetalayer(name, value),
        Change::RemoveVlMetalayer(name) => writer.remove_vlmetalayer(name).map(drop),
    }
}

/// A new frame of C with a model's metalayers.
fn begin_by_c<'l>(library: &'l Library, maker: &Maker, model: &Model, path: Option<&Path>, contiguous: bool) -> SChunk<'l> {
    let mut schunk = library.schunk_new(&maker.params(), path, contiguous).unwrap();
    for (name, value) in &model.metalayers {
        schunk.add_metalayer(name, value).unwrap();
    }
    for (name, value) in &model.vlmetalayers {
        schunk.set_vlmetalayer(name, value).unwrap();
    }
    schunk
}

/// The parameters for a frame of ours with a model's metalayers.
fn frame_params(maker: &Maker, model: &Model) -> FrameParams {
    let mut params = FrameParams::new(maker.cparams.clone(), maker.chunksize.unwrap_or(100 * maker.typesize));
    for (name, value) in &model.metalayers {
        params = params.metalayer(name, value).unwrap();
    }
    for (name, value) in &model.vlmetalayers {
        params = params.vlmetalayer(name, value).unwrap();
    }
    params
}

/// Appends some chunks, to a model and to a frame.
fn fill(maker: &Maker, library: &Library, rng: &mut Lcg, model: &mut Model, mut put: impl FnMut(&[u8])) {
    for _ in 0..below(rng, 7) {
        let (chunk, data) = maker.chunk(library, rng);
        put(&chunk);
        model.chunks.push(data);
    }
}

#[test]
fn frames_of_c_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(11);
    let mut cases = 0;
    for i in 0..300 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let what = format!("frame {i} of C");
        let path = folder.path().join(format!("{i}.b2frame"));
        let on_disk = rng.below(2) == 0;
        let mut schunk = begin_by_c(library, &maker, &model, on_disk.then_some(path.as_path()), true);
        fill(&maker, library, &mut rng, &mut model, |chunk| {
            schunk.append_chunk(chunk).unwrap();
        });
        model.check_by_c(&mut schunk, &what);
        if on_disk {
            drop(schunk);
            model.check_by_us(&FrameReader::open(&path, DParams::new()).unwrap(), &what);
            let bytes = std::fs::read(&path).unwrap();
            model.check_by_us(&FrameReader::from_bytes(bytes, DParams::new()).unwrap(), &what);
        } else {
            let bytes = schunk.to_bytes().unwrap();
            model.check_by_us(&FrameReader::from_bytes(bytes, DParams::new()).unwrap(), &what);
            std::fs::write(&path, content("noise:1", i)).unwrap();
            let offset = schunk.append_to_file(&path).unwrap();
            assert_eq!(usize::try_from(offset), Ok(i));
            model.check_by_us(&FrameReader::open_at(&path, offset, DParams::new()).unwrap(), &what);
        }
        cases += 2;
    }
    println!("interop frames: {cases} cases (frames of C)");
}

#[test]
fn our_frames_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(13);
    let (mut cases, mut identical, mut alike) = (0, 0, 0);
    for i in 0..300 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let what = format!("frame {i} of ours");
        let path = folder.path().join(format!("{i}.b2frame"));
        let mut chunks = Vec::new();
        if rng.below(2) == 0 {
            let mut writer = FrameWriter::create_file(&path, frame_params(&maker, &model)).unwrap();
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                writer.append_chunk(chunk).unwrap();
            });
            drop(writer.finish().unwrap());
        } else {
            let mut writer = FrameWriter::in_memory(frame_params(&maker, &model)).unwrap();
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                writer.append_chunk(chunk).unwrap();
                chunks.push(chunk.to_vec());
            });
            let bytes = writer.into_bytes().unwrap();
            model.check_by_us(&FrameReader::from_bytes(bytes.as_slice(), DParams::new()).unwrap(), &what);
            let mut schunk = library.schunk_from_bytes(&bytes).unwrap();
            model.check_by_c(&mut schunk, &what);
            let mut theirs = begin_by_c(library, &maker, &model, None, true);
            for chunk in &chunks {
                theirs.append_chunk(chunk).unwrap();
            }
            alike += 1;
            identical += usize::from(theirs.to_bytes().unwrap() == bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        model.check_by_us(&FrameReader::open(&path, DParams::new()).unwrap(), &what);
        let mut schunk = library.schunk_open(&path, 0).unwrap_or_else(|error| panic!("{what}: {error}"));
        model.check_by_c(&mut schunk, &what);
        // In the middle of a file.
        let book = folder.path().join("book");
        let frame = std::fs::read(&path).unwrap();
        std::fs::write(&book, [content("noise:2", i).as_slice(), &frame, b"and more"].concat()).unwrap();
        let mut schunk = library.schunk_open(&book, i64::try_from(i).unwrap()).unwrap();
        model.check_by_c(&mut schunk, &what);
        cases += 2;
    }
    println!("interop frames: {cases} cases (frames of ours; {identical} of {alike} in memory are the same bytes)");
}

/// Changes by one library on a file that the other began; both read the file after each round.
#[test]
fn changed_frames_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(14);
    let mut cases = 0;
    for i in 0..150 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let path = folder.path().join(format!("{i}.b2frame"));
        if i % 2 == 0 {
            let mut schunk = begin_by_c(library, &maker, &model, Some(&path), true);
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                schunk.append_chunk(chunk).unwrap();
            });
        } else {
            let mut writer = FrameWriter::create_file(&path, frame_params(&maker, &model)).unwrap();
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                writer.append_chunk(chunk).unwrap();
            });
            drop(writer.finish().unwrap());
        }
        for round in 0..4 {
            let by_us = rng.below(2) == 0;
            let mut what = format!("frame {i}, round {round}, {}", if by_us { "ours" } else { "C's" });
            let mut schunk = (!by_us).then(|| library.schunk_open(&path, 0).unwrap());
            let mut writer = by_us.then(|| FrameWriter::open_file(&path, DParams::new()).unwrap());
            for _ in 0..1 + below(&mut rng, 5) {
                let change = maker.change(library, &model, &mut rng);
                let name = format!("{change:.0?}");
                what.extend([", ", name.split('(').next().unwrap_or("")]);
                if let Some(schunk) = &mut schunk {
                    // When an update or a removal leaves one chunk that is shorter than the frame's chunk size, C refuses
                    // the next changes (codes -20 and -12).
                    if schunk.nchunks() == 1 && i64::from(schunk.chunksize()) > schunk.nbytes() {
                        continue;
                    }
                    change_by_c(schunk, &model, &change).unwrap_or_else(|error| panic!("{what}: {error}"));
                }
                if let Some(writer) = &mut writer {
                    change_by_us(writer, &model, &change).unwrap_or_else(|error| panic!("{what}: {error}"));
                }
                model.apply(&change);
            }
            drop(schunk);
            if let Some(writer) = writer {
                drop(writer.finish().unwrap());
            }
            model.check_by_us(&FrameReader::open(&path, DParams::new()).unwrap(), &what);
            let mut schunk = library.schunk_open(&path, 0).unwrap_or_else(|error| panic!("{what}: {error}"));
            model.check_by_c(&mut schunk, &what);
            cases += 1;
        }
    }
    println!("interop frames: {cases} cases (changed by either)");
}
