//! Arrays of random shapes, partitions, slices and edits against plain indexing.
//!
//! The model is a vector in C order and nothing else: every element is looked up by its index.
//! `OXIBLOSC_LONG=1` runs 20,000 cases in place of 2,000.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::ops::Range;

use oxiblosc::b2nd::{Array, ArrayParams, Dtype};
use oxiblosc::frame::{FrameReader, FrameWriter};
use oxiblosc::schunk::{ChunkSink, ChunkSource, SChunk};
use oxiblosc::{CParams, CodecId, DParams, ErrorKind, FilterSlot, SplitMode};

/// xorshift: the cases are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number of `range`.
    fn of(&mut self, range: Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.of(0..n) == 0
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.of(0..choices.len() as u64)).unwrap()]
    }
}

/// An array as a vector: the definition.
#[derive(Clone, Debug)]
struct Model {
    shape: Vec<u64>,
    typesize: usize,
    bytes: Vec<u8>,
}

impl Model {
    fn zeros(shape: &[u64], typesize: usize) -> Self {
        let items: u64 = shape.iter().product();
        let len = usize::try_from(items).unwrap() * typesize;
        Self {
            shape: shape.to_vec(),
            typesize,
            bytes: vec![0; len],
        }
    }

    fn random(random: &mut Random, shape: &[u64], typesize: usize) -> Self {
        let mut model = Self::zeros(shape, typesize);
        let smooth = random.one_in(2);
        for (n, byte) in model.bytes.iter_mut().enumerate() {
            let value = if smooth { n as u64 / 3 } else { random.next() };
            *byte = value.to_le_bytes()[0];
        }
        model
    }

    /// The position of an element in bytes.
    fn at(&self, index: &[u64]) -> usize {
        let items = index.iter().zip(&self.shape).fold(0, |at, (&index, &len)| {
            assert!(index < len);
            at * len + index
        });
        usize::try_from(items).unwrap() * self.typesize
    }

    fn element(&self, index: &[u64]) -> &[u8] {
        let at = self.at(index);
        &self.bytes[at..at + self.typesize]
    }

    fn slice(&self, slice: &[Range<u64>]) -> Vec<u8> {
        indices(slice)
            .iter()
            .flat_map(|index| self.element(index).to_vec())
            .collect()
    }

    fn set_slice(&mut self, slice: &[Range<u64>], src: &[u8]) {
        for (index, element) in indices(slice).iter().zip(src.chunks(self.typesize)) {
            let at = self.at(index);
            self.bytes[at..at + element.len()].copy_from_slice(element);
        }
    }

    fn resize(&mut self, shape: &[u64]) {
        let mut new = Self::zeros(shape, self.typesize);
        let both: Vec<Range<u64>> = shape
            .iter()
            .zip(&self.shape)
            .map(|(&new, &old)| 0..new.min(old))
            .collect();
        for index in indices(&both) {
            let at = new.at(&index);
            new.bytes[at..at + self.typesize].copy_from_slice(self.element(&index));
        }
        *self = new;
    }
}

/// All index tuples of a box, in C order.
fn indices(slice: &[Range<u64>]) -> Vec<Vec<u64>> {
    slice.iter().fold(vec![Vec::new()], |prefixes, range| {
        let extend = |prefix: &Vec<u64>| {
            let prefix = prefix.clone();
            range
                .clone()
                .map(move |index| [prefix.as_slice(), &[index]].concat())
        };
        prefixes.iter().flat_map(extend).collect()
    })
}

fn cases() -> u64 {
    match std::env::var("OXIBLOSC_LONG") {
        Ok(long) if long == "1" => 20_000,
        _ => 2_000,
    }
}

/// 0 to 8 axes of 0 to 40 elements; at most some thousand elements altogether.
fn random_shape(random: &mut Random) -> Vec<u64> {
    let ndim = random.of(0..9);
    let mut left = random.pick(&[8, 100, 600, 3000]);
    (0..ndim)
        .map(|_| {
            let len = if random.one_in(60) {
                0
            } else {
                random.of(1..42).min(left).min(40)
            };
            left = (left / len.max(1)).max(1);
            len
        })
        .collect()
}

fn random_lens(random: &mut Random, up_to: &[u64]) -> Vec<u32> {
    up_to
        .iter()
        .map(|&len| {
            let wanted = if random.one_in(4) {
                len.max(1)
            } else {
                random.of(1..len.max(1) + 3)
            };
            u32::try_from(wanted).unwrap()
        })
        .collect()
}

fn random_slice(random: &mut Random, shape: &[u64]) -> Vec<Range<u64>> {
    shape
        .iter()
        .map(|&len| {
            if random.one_in(4) {
                return 0..len;
            }
            let start = random.of(0..len + 1);
            start..random.of(start..len + 1)
        })
        .collect()
}

fn random_cparams(random: &mut Random, typesize: usize) -> CParams {
    let codec = random.pick(&[
        CodecId::BLOSCLZ,
        #[cfg(feature = "lz4")]
        CodecId::LZ4,
        #[cfg(feature = "lz4")]
        CodecId::LZ4HC,
        #[cfg(feature = "zlib")]
        CodecId::ZLIB,
        #[cfg(feature = "zstd")]
        CodecId::ZSTD,
    ]);
    let filters: &[FilterSlot] = random.pick(&[
        &[FilterSlot::SHUFFLE][..],
        &[FilterSlot::BITSHUFFLE],
        &[FilterSlot::DELTA, FilterSlot::SHUFFLE],
        &[],
    ]);
    CParams::new(typesize)
        .codec(codec)
        .clevel(random.pick(&[0, 1, 5]))
        .filters(filters.iter().copied())
        .split_mode(random.pick(&[SplitMode::Auto, SplitMode::Never, SplitMode::Always]))
}

/// A random array, beside its model. Blocks and chunks sometimes overhang.
fn random_params(random: &mut Random) -> (ArrayParams, usize) {
    let typesize = random.pick(&[1_usize, 2, 3, 4, 8, 16, 300]);
    let shape = random_shape(random);
    let dtype = Dtype::void(u32::try_from(typesize).unwrap());
    let mut params = ArrayParams::with_dtype(dtype, &shape);
    if !random.one_in(5) {
        let chunks = random_lens(random, &shape);
        let lens: Vec<u64> = chunks.iter().map(|&len| len.into()).collect();
        let mut blocks = random_lens(random, &lens);
        // Overhanging on many axes multiplies; keep chunks small.
        for (block, &chunk) in blocks.iter_mut().zip(&chunks) {
            if random.one_in(2) {
                *block = (*block).min(chunk);
            }
        }
        params = params.chunkshape(&chunks).blockshape(&blocks);
    }
    let cparams = random_cparams(random, typesize);
    (params.cparams(cparams), typesize)
}

fn check_reads<C: ChunkSource>(random: &mut Random, array: &Array<C>, model: &Model) {
    assert_eq!(array.to_bytes().unwrap(), model.bytes);
    for _ in 0..3 {
        let slice = random_slice(random, &model.shape);
        let expected = model.slice(&slice);
        // What lies behind the result stays as it was.
        let mut dst = vec![0xA5; expected.len() + 3];
        assert_eq!(
            array.slice_bytes_into(&slice, &mut dst).unwrap(),
            expected.len()
        );
        assert_eq!(dst[..expected.len()], expected, "{slice:?}");
        assert_eq!(dst[expected.len()..], [0xA5; 3]);
    }
    if !model.shape.contains(&0) {
        let index: Vec<u64> = model.shape.iter().map(|&len| random.of(0..len)).collect();
        let mut element = vec![0; model.typesize];
        array.get_bytes_into(&index, &mut element).unwrap();
        assert_eq!(element, model.element(&index), "{index:?}");
    }
}

fn check_edits<C: ChunkSink>(random: &mut Random, array: &mut Array<C>, model: &mut Model) {
    for _ in 0..2 {
        let slice = random_slice(random, &model.shape);
        let lens: Vec<u64> = slice.iter().map(|range| range.end - range.start).collect();
        let src = if random.one_in(4) {
            Model::zeros(&lens, model.typesize)
        } else {
            Model::random(random, &lens, model.typesize)
        };
        array.set_slice_bytes(&slice, &src.bytes).unwrap();
        model.set_slice(&slice, &src.bytes);
        assert_eq!(
            array.to_bytes().unwrap(),
            model.bytes,
            "after set_slice {slice:?}"
        );
    }
    for _ in 0..2 {
        let mut shape = model.shape.clone();
        for len in &mut shape {
            match random.of(0..4) {
                0 => *len = random.of(0..*len + 1),
                1 => *len += random.of(0..4),
                _ => {}
            }
        }
        if shape.iter().product::<u64>() > 6000 {
            continue;
        }
        array.resize(&shape).unwrap();
        model.resize(&shape);
        assert_eq!(array.shape(), model.shape);
        assert_eq!(
            array.to_bytes().unwrap(),
            model.bytes,
            "after resize to {shape:?}"
        );
    }
    if let [rows, rest @ ..] = model.shape.as_slice() {
        let mut lens = vec![random.of(0..6)];
        lens.extend(rest);
        let src = Model::random(random, &lens, model.typesize);
        let rows = if rest.contains(&0) {
            *rows
        } else {
            rows + lens[0]
        };
        array.append_bytes(&src.bytes).unwrap();
        model.bytes.extend(&src.bytes);
        model.shape[0] = rows;
        assert_eq!(array.shape(), model.shape);
        assert_eq!(
            array.to_bytes().unwrap(),
            model.bytes,
            "after append of {lens:?}"
        );
    }
}

#[test]
fn random_arrays_behave_like_vectors() {
    let cases = cases();
    for case in 0..cases {
        let mut random =
            Random(0x9E37_79B9_7F4A_7C15 ^ (case + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let (params, typesize) = random_params(&mut random);
        let Ok(grid) = params.grid() else {
            panic!("case {case}: {:?}", params.grid());
        };
        if grid.chunksize() > 1 << 20 {
            continue;
        }
        let mut model = Model::random(&mut random, &params.shape, typesize);
        let mut array = Array::from_bytes(&model.bytes, &params).unwrap();
        let run = std::panic::AssertUnwindSafe(|| {
            check_reads(&mut random, &array, &model);
            check_edits(&mut random, &mut array, &mut model);
            check_reads(&mut random, &array, &model);
        });
        if let Err(panic) = std::panic::catch_unwind(run) {
            eprintln!("case {case}: {params:?}");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn frames_hold_the_same_arrays() {
    for case in 0..cases() / 10 {
        let mut random =
            Random(0xA076_1D64_78BD_642F ^ (case + 1).wrapping_mul(0xE703_7ED1_A0B4_28DB));
        let (params, typesize) = random_params(&mut random);
        if params.grid().unwrap().chunksize() > 1 << 20 {
            continue;
        }
        let mut model = Model::random(&mut random, &params.shape, typesize);
        let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
        let slab = usize::try_from(random.of(1..999)).unwrap();
        let mut array = Array::from_slabs_in(frame, model.bytes.chunks(slab), &params).unwrap();
        check_edits(&mut random, &mut array, &mut model);
        let frame = array.into_inner().into_bytes().unwrap();
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        check_reads(&mut random, &Array::open(reader).unwrap(), &model);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    use std::sync::Arc;

    use oxiblosc::Threads;

    let pool = Arc::new(
        rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap(),
    );
    for case in 0..cases() / 10 {
        let mut random =
            Random(0x5851_F42D_4C95_7F2D ^ (case + 1).wrapping_mul(0x1405_7B7E_F767_814F));
        let (params, typesize) = random_params(&mut random);
        if params.grid().unwrap().chunksize() > 1 << 20 {
            continue;
        }
        let model = Model::random(&mut random, &params.shape, typesize);
        let threads = Threads::Pool(Arc::clone(&pool));
        let parallel = params
            .clone()
            .cparams(params.cparams.clone().threads(threads.clone()))
            .dparams(DParams::new().threads(threads));
        let array = Array::from_bytes(&model.bytes, &parallel).unwrap();
        check_reads(&mut random, &array, &model);
        let serial = Array::from_bytes(&model.bytes, &params).unwrap();
        let (ours, theirs) = (array.into_inner(), serial.into_inner());
        assert_eq!(ours.to_cframe().unwrap(), theirs.to_cframe().unwrap());
    }
}

#[test]
fn functions_fill_chunk_by_chunk() {
    let params = ArrayParams::new::<u32>(&[5, 7])
        .chunkshape(&[2, 3])
        .blockshape(&[1, 2]);
    let chunks = Array::uninit(&params).unwrap().into_inner();
    assert_eq!(
        Array::open(chunks).unwrap().to_elements::<u32>().unwrap(),
        [0; 35]
    );

    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let mut boxes = Vec::new();
    let array = Array::from_fn_in(frame, &params, |ranges, dst| {
        boxes.push(ranges.to_vec());
        for (index, element) in indices(ranges).iter().zip(dst.chunks_mut(4)) {
            element.copy_from_slice(&(index[0] * 10 + index[1]).to_ne_bytes()[..4]);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(boxes.len(), 9);
    assert_eq!(boxes[8], [4..5, 6..7]);
    if cfg!(target_endian = "little") {
        assert_eq!(array.slice::<u32>(&[3..5, 5..7]).unwrap(), [35, 36, 45, 46]);
    }
}

#[test]
fn special_arrays_take_no_room() {
    let params = ArrayParams::new::<f64>(&[100, 100])
        .chunkshape(&[10, 10])
        .blockshape(&[5, 5]);
    let zeros = Array::zeros(&params).unwrap();
    assert_eq!(zeros.chunks().layout().cbytes, 0);
    assert!(
        zeros
            .to_elements::<f64>()
            .unwrap()
            .iter()
            .all(|&value| value == 0.0)
    );
    let nans = Array::nans(&params).unwrap();
    assert_eq!(nans.chunks().layout().cbytes, 0);
    assert!(
        nans.slice::<f64>(&[3..40, 7..9])
            .unwrap()
            .iter()
            .all(|value| value.is_nan())
    );
    let full = Array::full(2.5_f64, &params).unwrap();
    assert_eq!(full.chunks().layout().cbytes, 100 * 40);
    assert_eq!(full.slice::<f64>(&[99..100, 0..3]).unwrap(), [2.5; 3]);
    let none = Array::full(0.0_f64, &params).unwrap();
    assert_eq!(none.chunks().layout().cbytes, 0);
    let odd = ArrayParams::new::<u16>(&[3]);
    assert_eq!(
        Array::nans(&odd).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );

    // Written zeros become special chunks too, at every level.
    for clevel in [0, 5] {
        let params = params.clone().cparams(CParams::new(8).clevel(clevel));
        let written = Array::from_elements(&[0.0; 10_000], &params).unwrap();
        assert_eq!(written.chunks().layout().cbytes, 0, "clevel {clevel}");
    }
}

#[test]
fn sixteen_axes_and_none() {
    let shape = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
    let params = ArrayParams::new::<u16>(&shape);
    let elements: Vec<u16> = (0..256).collect();
    let array = Array::from_elements(&elements, &params).unwrap();
    assert_eq!(array.to_elements::<u16>().unwrap(), elements);
    let last: Vec<u64> = shape.iter().map(|len| len - 1).collect();
    assert_eq!(array.get::<u16>(&last).unwrap(), 255);

    let mut scalar = Array::from_elements(&[7_i64], &ArrayParams::new::<i64>(&[])).unwrap();
    assert_eq!(scalar.get::<i64>(&[]).unwrap(), 7);
    scalar.set_slice(&[], &[8_i64]).unwrap();
    assert_eq!(scalar.slice::<i64>(&[]).unwrap(), [8]);
    scalar.resize(&[]).unwrap();
    assert_eq!(
        scalar.append(&[1_i64]).unwrap_err().kind(),
        ErrorKind::Refused
    );
}

#[test]
fn swapped_numbers_are_turned_around() {
    let dtype = if cfg!(target_endian = "big") {
        "<i4"
    } else {
        ">i4"
    };
    let params = ArrayParams::with_dtype(dtype.parse().unwrap(), &[2, 2]);
    let bytes: Vec<u8> = [1_i32, -2, 3, 4]
        .iter()
        .flat_map(|value| value.swap_bytes().to_ne_bytes())
        .collect();
    let mut array = Array::from_bytes(&bytes, &params).unwrap();
    assert_eq!(array.to_elements::<i32>().unwrap(), [1, -2, 3, 4]);
    assert_eq!(array.get::<i32>(&[0, 1]).unwrap(), -2);
    array.set_slice(&[0..1, 0..2], &[5_i32, 6]).unwrap();
    assert_eq!(array.to_elements::<i32>().unwrap(), [5, 6, 3, 4]);
    array.append(&[7_i32, 8]).unwrap();
    assert_eq!(array.slice::<i32>(&[2..3, 0..2]).unwrap(), [7, 8]);
}

#[test]
fn wrong_calls_are_refused() {
    let params = ArrayParams::new::<i32>(&[4, 5]);
    let mut array = Array::zeros(&params).unwrap();
    let kind = |result: oxiblosc::Result<()>| result.unwrap_err().kind();
    let mut dst = [0; 80];
    assert_eq!(
        array.slice_bytes(std::slice::from_ref(&(0..4))).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        array.slice_bytes(&[0..5, 0..1]).unwrap_err().kind(),
        ErrorKind::OutOfBounds
    );
    #[expect(
        clippy::reversed_empty_ranges,
        reason = "a reversed range is the point"
    )]
    let reversed = [3..2, 0..1];
    assert_eq!(
        array.slice_bytes(&reversed).unwrap_err().kind(),
        ErrorKind::OutOfBounds
    );
    let error = array.read_into(&mut dst[..79]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the output needs 80 bytes, 79 were given"
    );
    assert_eq!(
        array.get::<u32>(&[0, 0]).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        array.get::<i64>(&[0, 0]).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        array.get::<i32>(&[0, 5]).unwrap_err().kind(),
        ErrorKind::OutOfBounds
    );
    assert_eq!(
        array.get::<i32>(&[0]).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        kind(array.set_slice(&[0..1, 0..5], &[1_i32; 4])),
        ErrorKind::Mismatch
    );
    assert_eq!(
        kind(array.set_slice(&[0..1, 0..5], &[1_u8; 20])),
        ErrorKind::Mismatch
    );
    assert_eq!(kind(array.append(&[1_i32; 6])), ErrorKind::Mismatch);
    assert_eq!(kind(array.resize(&[4])), ErrorKind::InvalidParam);
    assert_eq!(kind(array.resize(&[1 << 62, 5])), ErrorKind::InvalidParam);
    assert_eq!(array.to_bytes().unwrap(), dst);

    assert!(Array::from_elements(&[1_i32; 19], &params).is_err());
    assert!(Array::from_elements(&[1_u32; 20], &params).is_err());
    let many = ArrayParams::new::<u8>(&[1; 17]);
    assert_eq!(
        Array::zeros(&many).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
    let bad = ArrayParams::new::<u8>(&[5]).chunkshape(&[0]);
    assert_eq!(
        Array::zeros(&bad).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
    let plain = SChunk::new(CParams::new(1), 10).unwrap();
    assert_eq!(Array::open(plain).unwrap_err().kind(), ErrorKind::Refused);
    let plain = SChunk::new(CParams::new(1), 10).unwrap();
    let error = Array::zeros_in(plain, &ArrayParams::new::<u8>(&[5])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
}

#[test]
fn a_reader_that_ends_early_is_named() {
    let params = ArrayParams::new::<u8>(&[4, 5]).chunkshape(&[2, 5]);
    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let error = Array::from_reader_in(frame, &[1_u8; 19][..], &params).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Io, Some(10)));
}

#[test]
fn empty_arrays_grow() {
    for (shape, chunkshape) in [
        (&[0, 3][..], Some(&[2, 2][..])),
        (&[0, 3], None),
        (&[0], None),
    ] {
        let mut params = ArrayParams::new::<u8>(shape);
        if let Some(chunkshape) = chunkshape {
            params = params.chunkshape(chunkshape);
        }
        let mut array = Array::zeros(&params).unwrap();
        assert_eq!(array.to_bytes().unwrap(), []);
        array.append(&[1_u8, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(array.to_bytes().unwrap(), [1, 2, 3, 4, 5, 6]);
        array.resize(&vec![0; shape.len()]).unwrap();
        assert_eq!(array.nitems(), 0);
        array.resize(&vec![2; shape.len()]).unwrap();
        assert!(array.to_bytes().unwrap().iter().all(|&byte| byte == 0));
    }
    // Without elements, the header names the chunksize all the same: byte 0x3A, as C has it.
    for (chunkshape, flags, chunksize) in [
        (&[2, 3][..], 0x12, [0, 0, 0, 6]),
        (&[0, 3], 0x53, [0, 0, 0, 0]),
    ] {
        let params = ArrayParams::new::<u8>(&[0, 3])
            .chunkshape(chunkshape)
            .blockshape(chunkshape);
        let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
        let frame = Array::zeros_in(frame, &params)
            .unwrap()
            .into_inner()
            .into_bytes()
            .unwrap();
        assert_eq!((frame[0x19], &frame[0x3A..0x3E]), (flags, &chunksize[..]));
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        assert_eq!(Array::open(reader).unwrap().to_bytes().unwrap(), []);
    }
    // A chunk length of zero can never grow.
    let params = ArrayParams::new::<u8>(&[0, 3])
        .chunkshape(&[0, 3])
        .blockshape(&[0, 3]);
    let mut array = Array::zeros(&params).unwrap();
    assert_eq!(
        array.append(&[1_u8, 2, 3]).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
}

/// A metalayer of random damage opens or fails, and what opens reads or fails.
#[test]
fn damaged_metalayers_never_panic() {
    let mut opened = 0;
    for case in 0..cases() * 2 {
        let mut random =
            Random(0x2545_F491_4F6C_DD1D ^ (case + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let params = ArrayParams::new::<u8>(&[6, 7])
            .chunkshape(&[4, 4])
            .blockshape(&[2, 3]);
        let mut chunks = Array::from_elements(&[7_u8; 42], &params)
            .unwrap()
            .into_inner();
        let mut content = chunks.metalayers().get("b2nd").unwrap().to_vec();
        for _ in 0..random.of(1..4) {
            let at = usize::try_from(random.of(0..content.len() as u64)).unwrap();
            // Small values keep the damage plausible.
            content[at] = u8::try_from(random.pick(&[0, 1, 2, 3, 5, 8, 0x7F, 0x80, 0xFF])).unwrap();
        }
        chunks.metalayers_mut().update("b2nd", &content).unwrap();
        let limits = oxiblosc::Limits::UNTRUSTED.max_alloc(1 << 20);
        let Ok(mut array) = Array::open_with(chunks, DParams::new().limits(limits)) else {
            continue;
        };
        opened += 1;
        let _ = array.to_bytes();
        let whole: Vec<Range<u64>> = array.shape().iter().map(|&len| 0..len).collect();
        let _ = array.slice_bytes(&whole);
        let _ = array.get_bytes_into(&vec![0; array.ndim()], &mut [0; 8]);
        let _ = array.append_bytes(&[0; 7]);
        let _ = array.resize(&[2, 9]);
        let _ = array.to_bytes();
    }
    assert!(
        opened > 20,
        "the damage is too crude: {opened} arrays opened"
    );
}
