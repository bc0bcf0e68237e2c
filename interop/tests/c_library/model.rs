//! The expected content of a frame, the changes to it, and how either library makes them.

use std::path::Path;

use oxiblosc::frame::{FrameParams, FrameReader, FrameStore, FrameStoreMut, FrameWriter};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, FilterSlot, Special,
};
use oxiblosc_interop::{self as c, Library, Params, SChunk};

use crate::cases::{CODECS, SPLITS, below, draw_spec, pick};
use crate::content::{Lcg, content};

/// The content of a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) chunks: Vec<Vec<u8>>,
    pub(crate) metalayers: Vec<(String, Vec<u8>)>,
    pub(crate) vlmetalayers: Vec<(String, Vec<u8>)>,
}

/// One change to a frame. Chunks come with what they decode to.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Append(Vec<u8>, Vec<u8>),
    Insert(usize, Vec<u8>, Vec<u8>),
    Update(usize, Vec<u8>, Vec<u8>),
    Delete(usize),
    Metalayer(usize, Vec<u8>),
    VlMetalayer(String, Vec<u8>),
    RemoveVlMetalayer(String),
}

/// How the chunks of a frame are made.
pub(crate) struct Maker {
    pub(crate) cparams: CParams,
    pub(crate) typesize: usize,
    /// Decoded size of every chunk; `None` when each has its own.
    pub(crate) chunksize: Option<usize>,
}

impl Maker {
    pub(crate) fn draw(rng: &mut Lcg) -> Self {
        let typesize = pick(rng, &[1, 2, 4, 4, 8, 8, 17, 255, 300]);
        let filters = pick(
            rng,
            &[
                FilterSlot::NONE,
                FilterSlot::SHUFFLE,
                FilterSlot::BITSHUFFLE,
            ],
        );
        let cparams = CParams::new(typesize)
            .codec(pick(rng, &CODECS))
            .clevel(pick(rng, &[1, 3, 5, 6]))
            .filters([filters])
            .split_mode(pick(rng, &SPLITS));
        let chunksize = (rng.below(3) != 0).then(|| typesize * (1 + below(rng, 400)));
        Self {
            cparams,
            typesize,
            chunksize,
        }
    }

    pub(crate) fn params(&self) -> Params {
        Params::from(&self.cparams)
    }

    /// A chunk by either library, and its data. Special values only where all chunks have one size:
    /// C loses the size of the others (format §9.6).
    pub(crate) fn chunk(&self, library: &Library, rng: &mut Lcg) -> (Vec<u8>, Vec<u8>) {
        let nbytes = self
            .chunksize
            .unwrap_or_else(|| self.typesize * (1 + below(rng, 400)));
        let ours = rng.below(2) == 0;
        let mut encoder = ChunkEncoder::new(self.cparams.clone()).unwrap();
        if self.chunksize.is_some() && rng.below(3) == 0 {
            let value = content(&format!("noise:{}", rng.below(100)), self.typesize);
            let mut kinds = vec![
                (Special::Zeros, c::Special::Zeros, vec![0; nbytes]),
                (
                    Special::Repeat(&value),
                    c::Special::Repeat(&value),
                    value.repeat(nbytes / self.typesize),
                ),
            ];
            match self.typesize {
                4 => kinds.push((
                    Special::Nans,
                    c::Special::Nans,
                    0x7FC0_0000_u32.to_le_bytes().repeat(nbytes / 4),
                )),
                8 => kinds.push((
                    Special::Nans,
                    c::Special::Nans,
                    f64::NAN.to_le_bytes().repeat(nbytes / 8),
                )),
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
    pub(crate) fn model(rng: &mut Lcg) -> Model {
        let mut draw = |most: usize, least: usize| -> Vec<(String, Vec<u8>)> {
            (0..below(rng, most))
                .map(|i| {
                    let name = if i == 2 {
                        format!("{i}{}", "n".repeat(30))
                    } else {
                        format!("layer {i}")
                    };
                    let len = least + below(rng, 300);
                    (name, content(&format!("text:{}", rng.below(50)), len))
                })
                .collect()
        };
        // C does not distinguish an empty variable-length metalayer from an error.
        Model {
            chunks: Vec::new(),
            metalayers: draw(4, 0),
            vlmetalayers: draw(4, 1),
        }
    }

    /// A change that the model allows.
    pub(crate) fn change(&self, library: &Library, model: &Model, rng: &mut Lcg) -> Change {
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
    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Append(_, data) => self.chunks.push(data.clone()),
            Change::Insert(at, _, data) => self.chunks.insert(*at, data.clone()),
            Change::Update(at, _, data) => self.chunks[*at].clone_from(data),
            Change::Delete(at) => drop(self.chunks.remove(*at)),
            Change::Metalayer(at, value) => {
                self.metalayers[*at].1[..value.len()].copy_from_slice(value);
            }
            Change::VlMetalayer(name, value) => {
                match self
                    .vlmetalayers
                    .iter_mut()
                    .find(|(known, _)| known == name)
                {
                    Some((_, old)) => old.clone_from(value),
                    None => self.vlmetalayers.push((name.clone(), value.clone())),
                }
            }
            Change::RemoveVlMetalayer(name) => self.vlmetalayers.retain(|(known, _)| known != name),
        }
    }

    /// Everything that C reads from a frame is as it must be. The order of metalayers counts; that
    /// of variable-length ones does not, since C moves them when it removes one.
    pub(crate) fn check_by_c(&self, schunk: &mut SChunk<'_>, what: &str) {
        assert_eq!(
            usize::try_from(schunk.nchunks()),
            Ok(self.chunks.len()),
            "{what}"
        );
        assert_eq!(
            usize::try_from(schunk.nbytes()),
            Ok(self.chunks.iter().map(Vec::len).sum()),
            "{what}"
        );
        for (nchunk, data) in (0..).zip(&self.chunks) {
            let found = schunk.decompress_chunk(nchunk, data.len());
            assert!(
                found.as_ref() == Ok(data),
                "{what}: chunk {nchunk} by C: {:?}",
                found.err()
            );
        }
        assert_eq!(schunk.metalayers(), self.metalayers, "{what}");
        let mut names = schunk.vlmetalayer_names();
        names.sort();
        let mut expected: Vec<_> = self
            .vlmetalayers
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        expected.sort();
        assert_eq!(names, expected, "{what}");
        for (name, value) in &self.vlmetalayers {
            assert_eq!(
                schunk.vlmetalayer(name).as_ref(),
                Ok(value),
                "{what}: {name}"
            );
        }
    }

    /// Everything that we read from a frame is as it must be.
    pub(crate) fn check_by_us<S: FrameStore>(&self, reader: &FrameReader<S>, what: &str) {
        if let Err(error) = reader.check() {
            panic!("{what}: {error}");
        }
        let layout = reader.layout();
        assert_eq!(
            usize::try_from(layout.nchunks),
            Ok(self.chunks.len()),
            "{what}"
        );
        assert_eq!(
            usize::try_from(layout.nbytes),
            Ok(self.chunks.iter().map(Vec::len).sum()),
            "{what}"
        );
        let mut decoder = ChunkDecoder::new(DParams::new());
        for (nchunk, data) in (0..).zip(&self.chunks) {
            let mut dst = vec![0xA5; data.len()];
            let found = reader.decode_chunk_into(&mut decoder, nchunk, &mut dst);
            assert!(
                found.as_ref().ok() == Some(&data.len()) && dst == *data,
                "{what}: chunk {nchunk}: {found:?}"
            );
        }
        let found: Vec<_> = reader
            .metalayers()
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_vec()))
            .collect();
        assert_eq!(found, self.metalayers, "{what}");
        assert_eq!(
            reader.vlmetalayers().len(),
            self.vlmetalayers.len(),
            "{what}"
        );
        for (name, value) in &self.vlmetalayers {
            let found = reader
                .vlmetalayer(name)
                .unwrap_or_else(|error| panic!("{what}: {name}: {error}"));
            assert_eq!(found.as_ref(), Some(value), "{what}: {name}");
        }
    }
}

/// Does a change with C.
pub(crate) fn change_by_c(
    schunk: &mut SChunk<'_>,
    model: &Model,
    change: &Change,
) -> c::Result<u64> {
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
pub(crate) fn change_by_us<S: FrameStoreMut>(
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
pub(crate) fn begin_by_c<'l>(
    library: &'l Library,
    maker: &Maker,
    model: &Model,
    path: Option<&Path>,
    contiguous: bool,
) -> SChunk<'l> {
    let mut schunk = library
        .schunk_new(&maker.params(), path, contiguous)
        .unwrap();
    for (name, value) in &model.metalayers {
        schunk.add_metalayer(name, value).unwrap();
    }
    for (name, value) in &model.vlmetalayers {
        schunk.set_vlmetalayer(name, value).unwrap();
    }
    schunk
}

/// The parameters for a frame of ours with a model's metalayers.
pub(crate) fn frame_params(maker: &Maker, model: &Model) -> FrameParams {
    let mut params = FrameParams::new(
        maker.cparams.clone(),
        maker.chunksize.unwrap_or(100 * maker.typesize),
    );
    for (name, value) in &model.metalayers {
        params = params.metalayer(name, value).unwrap();
    }
    for (name, value) in &model.vlmetalayers {
        params = params.vlmetalayer(name, value).unwrap();
    }
    params
}

/// Appends some chunks, to a model and to a frame.
pub(crate) fn fill(
    maker: &Maker,
    library: &Library,
    rng: &mut Lcg,
    model: &mut Model,
    mut put: impl FnMut(&[u8]),
) {
    for _ in 0..below(rng, 7) {
        let (chunk, data) = maker.chunk(library, rng);
        put(&chunk);
        model.chunks.push(data);
    }
}
