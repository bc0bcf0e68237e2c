//! The registered codecs and filters on arrays, both ways: NDLZ and ZFP; NDCELL, NDMEAN, BYTEDELTA
//! and the truncating ones on blocks of 1 to 8 dimensions.
//!
//! Each array is written by either library from the same elements, and read by both. What is lossy
//! must decode to the same bytes in both.

use oxiblosc::b2nd::{Array, ArrayParams, Dtype};
use oxiblosc::frame::FrameReader;
use oxiblosc::schunk::StoredChunk;
use oxiblosc::{CParams, ChunkSource, CodecId, DParams, FilterId, FilterSlot, SChunk, SplitMode};
use oxiblosc_interop::{Library, Params, Partition};

use crate::cases::{below, pick};
use crate::chunks::scale;
use crate::content::{Lcg, content};
use crate::library;

/// The shapes of an array: the lengths of blocks, of chunks and of the whole.
#[derive(Clone, Debug)]
struct Shapes {
    block: Vec<u32>,
    chunk: Vec<u32>,
    array: Vec<u64>,
}

impl Shapes {
    /// Blocks of at least `least` items along each dimension and about `most` in all; chunks of up
    /// to two blocks and arrays of up to two chunks along each, neither usually whole.
    fn draw(rng: &mut Lcg, ndim: usize, least: usize, most: usize) -> Self {
        let mut left = most;
        let mut shapes = Self {
            block: Vec::new(),
            chunk: Vec::new(),
            array: Vec::new(),
        };
        for dim in 0..ndim {
            let later = least.pow(u32::try_from(ndim - dim - 1).unwrap());
            let longest = (left / later).max(least);
            // Long ones are as likely as short ones at every dimension.
            let len = least + below(rng, longest - least + 1) / (1 + below(rng, 4));
            left = (left / len).max(1);
            let chunk = len
                + if rng.below(2) == 0 {
                    below(rng, len + 1)
                } else {
                    0
                };
            let array = chunk
                + if rng.below(3) == 0 {
                    below(rng, chunk + 1)
                } else {
                    0
                };
            shapes.block.push(u32::try_from(len).unwrap());
            shapes.chunk.push(u32::try_from(chunk).unwrap());
            shapes.array.push(u64::try_from(array).unwrap());
        }
        shapes
    }

    fn nitems(&self) -> usize {
        usize::try_from(self.array.iter().product::<u64>()).unwrap()
    }
}

/// An array to write.
#[derive(Debug)]
struct Case {
    shapes: Shapes,
    dtype: String,
    cparams: CParams,
    elements: Vec<u8>,
}

/// The results of both libraries.
struct Done {
    /// Our array.
    ours: Array<SChunk>,
    /// C's array, when it was asked to write.
    theirs: Option<Array<SChunk>>,
    /// The elements of each, as both read them.
    decoded: Vec<Vec<u8>>,
}

impl Case {
    fn params(&self) -> ArrayParams {
        ArrayParams::with_dtype(Dtype::from_stored(&self.dtype), &self.shapes.array)
            .chunkshape(&self.shapes.chunk)
            .blockshape(&self.shapes.block)
            .cparams(self.cparams.clone())
    }

    /// Writes the array with both libraries, and reads both with both.
    fn check(&self, library: &Library, c_writes: bool) -> Done {
        let what = || format!("{:?} {} {:?}", self.shapes, self.dtype, self.cparams);
        let ours = Array::from_bytes(&self.elements, &self.params())
            .unwrap_or_else(|error| panic!("we refuse: {error}: {}", what()));
        let mut frames = vec![ours.schunk().to_cframe().unwrap()];
        if c_writes {
            let wide = |lens: &[u32]| lens.iter().map(|&len| len.cast_signed()).collect();
            let partition = Partition {
                shape: self
                    .shapes
                    .array
                    .iter()
                    .map(|&len| len.cast_signed())
                    .collect(),
                chunkshape: wide(&self.shapes.chunk),
                blockshape: wide(&self.shapes.block),
                dtype: self.dtype.clone(),
            };
            let theirs = library
                .array_from_buffer(&Params::from(&self.cparams), &partition, &self.elements)
                .unwrap_or_else(|error| panic!("C refuses: {error}: {}", what()));
            frames.push(theirs.to_frame().unwrap());
        }
        let mut decoded = Vec::new();
        let mut opened = Vec::new();
        for (frame, whose) in frames.iter().zip(["ours", "C's"]) {
            let schunk = SChunk::from_cframe(frame, DParams::new()).unwrap();
            let array = Array::open_in(schunk).unwrap();
            let by_us = array
                .to_bytes()
                .unwrap_or_else(|error| panic!("{whose}: {error}: {}", what()));
            let mut by_c = vec![0xA5; self.elements.len()];
            library
                .array_from_frame(frame)
                .and_then(|array| array.read_into(&mut by_c))
                .unwrap_or_else(|error| panic!("{whose}, by C: {error}: {}", what()));
            let first = by_us
                .iter()
                .zip(&by_c)
                .position(|(ours, theirs)| ours != theirs);
            assert_eq!(first, None, "{whose} differs: {}", what());
            decoded.push(by_us);
            opened.push(array);
        }
        Done {
            ours,
            theirs: opened.into_iter().nth(1),
            decoded,
        }
    }
}

/// The chunks that are stored as bytes.
fn chunks(array: &Array<SChunk>) -> Vec<Vec<u8>> {
    let chunks = (0..array.schunk().layout().nchunks).map(|index| array.schunk().chunk(index));
    let bytes = chunks.filter_map(|chunk| match chunk.unwrap() {
        StoredChunk::Bytes(bytes) => Some(bytes.into_owned()),
        _ => None,
    });
    bytes.collect()
}

/// How many streams of the chunks of an array are coded, and how many are stored raw; chunks that
/// are copies count as raw.
fn streams(array: &Array<SChunk>) -> (usize, usize) {
    let (mut coded, mut raw) = (0, 0);
    let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().unwrap());
    for chunk in chunks(array) {
        let [nbytes, blocksize] = [4, 8].map(|at| number(&chunk[at..at + 4]));
        if chunk[31] & 0x70 != 0 {
            continue;
        }
        if chunk[2] & 2 != 0 {
            raw += 1;
            continue;
        }
        for block in 0..usize::try_from((nbytes + blocksize - 1) / blocksize).unwrap() {
            let at = usize::try_from(number(&chunk[32 + 4 * block..][..4])).unwrap();
            match number(&chunk[at..at + 4]) {
                csize if csize == blocksize => raw += 1,
                1.. => coded += 1,
                _ => {}
            }
        }
    }
    (coded, raw)
}

/// Floats in C order: a walk, values around zero, or one value and noise in turn.
fn floats(rng: &mut Lcg, typesize: usize, nitems: usize) -> Vec<u8> {
    if rng.below(3) == 0 {
        let spec = format!("float:{typesize}:{}", rng.below(1000));
        return content(&spec, nitems * typesize);
    }
    let (exponent, rough) = (rng.below(60), rng.below(2) == 0);
    let scale = 2_f64.powi(i32::try_from(exponent).unwrap() - 30);
    let mut value = 0.0;
    let mut bytes = Vec::new();
    for _ in 0..nitems {
        let step = f64::from(u32::try_from(rng.below(32_768)).unwrap()) - 16_384.0;
        value = if rough { step } else { value + step / 64.0 };
        #[expect(clippy::cast_possible_truncation, reason = "any float will do")]
        match typesize {
            4 => bytes.extend(((value * scale) as f32).to_le_bytes()),
            _ => bytes.extend((value * scale).to_le_bytes()),
        }
    }
    bytes
}

/// A mode of ZFP and a meta byte.
fn zfp_mode(rng: &mut Lcg) -> (CodecId, u8) {
    match rng.below(3) {
        0 => {
            let exponent = i8::try_from(below(rng, 15)).unwrap() - 9;
            (CodecId::ZFP_ACC, exponent.cast_unsigned())
        }
        1 => (CodecId::ZFP_PREC, u8::try_from(below(rng, 60)).unwrap()),
        _ => (
            CodecId::ZFP_RATE,
            u8::try_from(15 + below(rng, 80)).unwrap(),
        ),
    }
}

/// C overruns its buffers when the stream of a block does not become shorter than the block (it
/// crashes one time in a thousand), so that it only writes where ours, the same stream, does.
#[test]
fn zfp() {
    let Some(library) = library() else { return };
    let mut rng = Lcg::new(41);
    let (mut cases, mut by_c, mut coded, mut identical, mut chunks) = (0, 0, 0, 0, 0);
    for _ in 0..600 * scale() {
        let ndim = 1 + below(&mut rng, 4);
        let typesize = pick(&mut rng, &[4, 8]);
        let (codec, meta) = zfp_mode(&mut rng);
        let shapes = Shapes::draw(&mut rng, ndim, 4, 2000);
        let elements = floats(&mut rng, typesize, shapes.nitems());
        let case = Case {
            shapes,
            dtype: format!("<f{typesize}"),
            cparams: CParams::new(typesize)
                .codec(codec)
                .codec_meta(meta)
                .filters([]),
            elements,
        };
        let ours = Array::from_bytes(&case.elements, &case.params()).unwrap();
        let fits = streams(&ours).1 == 0;
        let done = case.check(library, fits);
        cases += 1;
        coded += streams(&done.ours).0;
        let Some(theirs) = done.theirs else { continue };
        by_c += 1;
        let (theirs, ours) = (self::chunks(&theirs), self::chunks(&done.ours));
        assert_eq!(theirs.len(), ours.len());
        chunks += ours.len();
        identical += ours
            .iter()
            .zip(&theirs)
            .filter(|(ours, theirs)| ours == theirs)
            .count();
        // A box of it is the box of what the whole decodes to.
        let whole = Array::from_bytes(
            &done.decoded[0],
            &case.params().cparams(CParams::new(typesize)),
        );
        let (whole, ours) = (whole.unwrap(), &done.ours);
        let part: Vec<_> = (case.shapes.array.iter())
            .map(|&len| len / 3..len - len / 4)
            .collect();
        assert_eq!(
            ours.slice_bytes(&part).unwrap(),
            whole.slice_bytes(&part).unwrap()
        );
    }
    println!(
        "interop zfp: {cases} arrays, {by_c} of them by C too; {coded} coded streams; \
         {identical} of {chunks} chunks identical"
    );
    assert!(by_c > cases / 3 && coded > 3 * cases);
    assert_eq!(identical, chunks);
}

/// C takes integers of 4 and 8 bytes for floats: most of them are subnormal, for which the encoders
/// differ, so only what C wrote is compared.
#[test]
fn zfp_of_integers() {
    let Some(library) = library() else { return };
    let mut rng = Lcg::new(42);
    let mut coded = 0;
    for round in 0..60 {
        let ndim = 1 + round % 4;
        let typesize = pick(&mut rng, &[4, 8]);
        let (codec, meta) = pick(
            &mut rng,
            &[
                (CodecId::ZFP_ACC, 0),
                (CodecId::ZFP_ACC, 0xFD),
                (CodecId::ZFP_PREC, 1),
                (CodecId::ZFP_PREC, 6),
                (CodecId::ZFP_RATE, 20),
                (CodecId::ZFP_RATE, 45),
            ],
        );
        let shapes = Shapes::draw(&mut rng, ndim, 4, 2000);
        let spec = format!("walk:{typesize}:{round}");
        // `walk` repeats small numbers; as they are they are subnormal floats, shifted up they are
        // floats of all sizes.
        let mut elements = content(&spec, shapes.nitems() * typesize);
        for (index, item) in elements.chunks_exact_mut(typesize).enumerate() {
            item[typesize / 2..].fill(0);
            if round % 2 == 1 {
                item[typesize - 2] = u8::try_from(index / 7 % 128).unwrap();
                item[typesize - 1] = 0x3F;
            }
        }
        let case = Case {
            elements,
            dtype: format!("<i{typesize}"),
            cparams: CParams::new(typesize)
                .codec(codec)
                .codec_meta(meta)
                .filters([]),
            shapes,
        };
        let done = case.check(library, true);
        coded += streams(&done.theirs.unwrap()).0;
    }
    println!("interop zfp: {coded} coded streams of integers by C");
    assert!(coded > 60);
}

#[test]
fn ndlz() {
    let Some(library) = library() else { return };
    let mut rng = Lcg::new(43);
    let (mut cases, mut coded, mut raw) = (0, [0; 2], 0);
    for _ in 0..600 * scale() {
        let side = pick(&mut rng, &[4_u8, 8]);
        let least = pick(&mut rng, &[1, 4, 16]);
        let shapes = Shapes::draw(&mut rng, 2, least, 6000);
        let nbytes = shapes.nitems();
        let ncols = usize::try_from(shapes.array[1]).unwrap();
        let mut elements = match rng.below(4) {
            0 => content(&format!("patch:{}", rng.below(1000)), nbytes),
            1 => content(&format!("text:{}", rng.below(1000)), nbytes),
            _ => content(&format!("noise:{}", rng.below(1000)), nbytes),
        };
        // Rows that repeat: noise that codes.
        let period = match rng.below(3) {
            0 => 1 + below(&mut rng, 3 * usize::from(side)),
            _ => usize::from(side),
        };
        if rng.below(2) == 0 {
            for at in (period * ncols).min(nbytes)..nbytes {
                if rng.below(200) > 0 {
                    elements[at] = elements[at - period * ncols];
                }
            }
        }
        let case = Case {
            shapes,
            dtype: pick(&mut rng, &["|u1", "|i1", "|b1", "|S1"]).into(),
            cparams: CParams::new(1)
                .codec(CodecId::NDLZ)
                .codec_meta(side)
                .filters([])
                .split_mode(pick(
                    &mut rng,
                    &[SplitMode::Never, SplitMode::ForwardCompat],
                )),
            elements,
        };
        let done = case.check(library, true);
        assert!(done.decoded.iter().all(|decoded| *decoded == case.elements));
        cases += 1;
        let ours = streams(&done.ours);
        coded[0] += ours.0;
        raw += ours.1;
        coded[1] += streams(&done.theirs.unwrap()).0;
    }
    println!(
        "interop ndlz: {cases} arrays; coded streams: {} ours, {} C's; {raw} raw",
        coded[0], coded[1]
    );
    assert!(coded[0] > cases / 2 && coded[1] > cases / 2 && raw > cases / 2);
}

/// A pipeline for a block, and the typesize of its items.
fn pipeline(rng: &mut Lcg, block: &[u32]) -> (usize, Vec<FilterSlot>) {
    let shortest = block.iter().copied().min().unwrap_or(1);
    let side = u8::try_from(1 + rng.below(shortest.min(20).into())).unwrap();
    let typesize = pick(rng, &[1, 2, 3, 4, 4, 7, 8, 8, 12, 16, 17]);
    let width = u8::try_from(typesize).unwrap();
    let ndcell = FilterSlot::new(FilterId::NDCELL, side);
    let bytedelta = FilterSlot::new(FilterId::BYTEDELTA, width);
    let floats = pick(rng, &[4, 8]);
    let integers = pick(rng, &[1, 2, 4, 8]);
    // C damages its input with three filters (format §14 item 3).
    match rng.below(9) {
        0 => (typesize, vec![ndcell]),
        1 => (typesize, vec![ndcell, FilterSlot::SHUFFLE]),
        2 => (typesize, vec![ndcell, FilterSlot::BITSHUFFLE]),
        3 => (typesize, vec![FilterSlot::SHUFFLE, bytedelta]),
        4 => (typesize, vec![bytedelta]),
        5 => {
            let odd = u8::try_from(1 + rng.below(40)).unwrap();
            (
                typesize,
                vec![FilterSlot::new(FilterId::BYTEDELTA, odd), ndcell],
            )
        }
        6 => {
            let ndmean = FilterSlot::new(FilterId::NDMEAN, side);
            (floats, vec![ndmean, FilterSlot::SHUFFLE])
        }
        7 => {
            let bits = i8::try_from(8 * integers).unwrap();
            let kept = 1 + i8::try_from(below(rng, 8 * integers)).unwrap();
            let meta = if kept == bits || rng.below(2) == 0 {
                kept
            } else {
                kept - bits
            };
            (
                integers,
                vec![FilterSlot::int_trunc(meta), FilterSlot::SHUFFLE],
            )
        }
        _ => {
            let kept = 1 + i8::try_from(rng.below(20)).unwrap();
            (floats, vec![FilterSlot::trunc_prec(kept), ndcell])
        }
    }
}

#[test]
fn filters() {
    let Some(library) = library() else { return };
    let mut rng = Lcg::new(44);
    let codecs = [CodecId::BLOSCLZ, CodecId::LZ4, CodecId::ZLIB, CodecId::ZSTD];
    let (mut cases, mut lossy, mut coded) = (0, 0, 0);
    for round in 0..900 * scale() {
        let ndim = 2 + round % 7;
        let least = if ndim > 5 { 1 } else { 2 };
        let shapes = Shapes::draw(&mut rng, ndim, least, 1500);
        let (typesize, filters) = pipeline(&mut rng, &shapes.block);
        let is_float = matches!(filters[0].id, FilterId::NDMEAN | FilterId::TRUNC_PREC);
        let nbytes = shapes.nitems() * typesize;
        let spec = pick(&mut rng, &["walk", "count"]);
        let elements = match rng.below(6) {
            _ if is_float => floats(&mut rng, typesize, shapes.nitems()),
            0 => content("noise:7", nbytes),
            _ => content(&format!("{spec}:{typesize}:{round}"), nbytes),
        };
        let is_lossy = is_float || filters[0].id == FilterId::INT_TRUNC;
        let case = Case {
            dtype: match typesize {
                1 | 2 | 4 | 8 if is_float => format!("<f{typesize}"),
                _ => format!("|V{typesize}"),
            },
            cparams: CParams::new(typesize)
                .codec(pick(&mut rng, &codecs))
                .filters(filters),
            shapes,
            elements,
        };
        let done = case.check(library, true);
        if is_lossy {
            lossy += 1;
            // A chunk that one of them copies keeps what the other one cuts.
            if streams(&done.ours).1 + streams(done.theirs.as_ref().unwrap()).1 == 0 {
                assert!(done.decoded[0] == done.decoded[1], "{case:?}");
            }
        } else {
            assert!(done.decoded.iter().all(|decoded| *decoded == case.elements));
        }
        cases += 1;
        coded += usize::from(streams(&done.ours).0 > 0);
    }
    println!("interop filters of arrays: {cases} arrays, {lossy} lossy, {coded} not copied");
    assert!(lossy > cases / 4 && coded > cases / 2);
}

/// The filter of releases 2.8 and 2.9 (format §5.6): the current one still decodes it.
#[test]
fn bytedelta_of_2_8() {
    let Some(library) = library() else { return };
    let mut rng = Lcg::new(45);
    for round in 0..100 {
        let typesize = pick(&mut rng, &[1, 2, 3, 4, 8, 16, 17]);
        let ndim = 2 + round % 7;
        let shapes = Shapes::draw(&mut rng, ndim, 1, 1500);
        let width = u8::try_from(typesize).unwrap();
        let elements = content(
            &format!("walk:{typesize}:{round}"),
            shapes.nitems() * typesize,
        );
        let params = Params {
            codec: 1,
            typesize: i32::try_from(typesize).unwrap(),
            filters: [0, 0, 0, 0, 1, 34],
            filters_meta: [0, 0, 0, 0, 0, width],
            ..Params::default()
        };
        let partition = Partition {
            shape: shapes.array.iter().map(|&len| len.cast_signed()).collect(),
            chunkshape: shapes.chunk.iter().map(|&len| len.cast_signed()).collect(),
            blockshape: shapes.block.iter().map(|&len| len.cast_signed()).collect(),
            dtype: format!("|V{typesize}"),
        };
        let theirs = library
            .array_from_buffer(&params, &partition, &elements)
            .unwrap();
        let frame = theirs.to_frame().unwrap();
        // Not as a super-chunk in memory, which could be written to.
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        let array = Array::open_in(reader).unwrap();
        assert!(
            array.to_bytes().unwrap() == elements,
            "{shapes:?} {typesize}"
        );
    }
}

/// A lone chunk: C has no super-chunk to take the width of BYTEDELTA from.
#[test]
fn bytedelta_by_the_typesize() {
    let Some(library) = library() else { return };
    for typesize in [1, 2, 4, 7, 8, 255, 300] {
        let data = content(&format!("walk:{typesize}:1"), typesize * 3000);
        let cparams = CParams::new(typesize)
            .codec(CodecId::ZSTD)
            .filters([FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA]);
        let chunk = oxiblosc::compress(&data, &cparams).unwrap();
        assert!(chunk.len() < data.len() && chunk[2] & 2 == 0);
        assert_eq!(library.decompress(&chunk, data.len()).as_ref(), Ok(&data));
    }
}
