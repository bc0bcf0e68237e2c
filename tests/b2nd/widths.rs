//! Lengths and positions are `u64`, sizes in memory `usize` (docs/architecture.md, "Widths"): the
//! signatures, and arrays and frames of more items than 32 bits count.

use std::ops::Range;

use oxiblosc::b2nd::{Array, ArrayParams, B2ndMeta, Grid, Selection};
use oxiblosc::chunk::ChunkView;
use oxiblosc::frame::{FrameHeader, FrameParams, FrameReader, FrameStore, FrameWriter};
use oxiblosc::schunk::{ChunkLayout, ChunkSink, ChunkSource, SChunk};
use oxiblosc::{CParams, ChunkDecoder, DParams, Error, Limits, Result, Special};

// Functions that only compile when the widths are those.

#[expect(dead_code, reason = "compiling is the test")]
fn of_arrays<C: ChunkSink>(array: &mut Array<C>) -> Result<()> {
    let _: [u64; 3] = [array.nitems(), array.nbytes(), array.cbytes()];
    let _: [&[u64]; 3] = [array.shape(), array.chunkshape(), array.blockshape()];
    let _: [usize; 2] = [array.ndim(), array.typesize()];
    let view = array.view(..)?;
    let _: [u64; 2] = [view.nitems(), view.nbytes()];
    let _: [&[u64]; 2] = [view.shape(), view.offset()];
    let _: usize = view.ndim();
    for part in array.rows::<u8>() {
        let _: Vec<Range<u64>> = part?.region;
    }
    let _: Selection<'_> = Selection::points(&[[0_u64, 1]]);
    array.insert::<u8>(0_usize, 0_u64, &[])?;
    array.delete(0_usize, 0_u64..1)
}

#[expect(dead_code, reason = "compiling is the test")]
fn of_grids(grid: &Grid, meta: &B2ndMeta, params: &ArrayParams) -> Result<()> {
    let _: [u64; 3] = [grid.nchunks(), grid.nitems(), grid.nbytes()];
    let _: [&[u64]; 3] = [grid.shape(), grid.chunkshape(), grid.blockshape()];
    let _: [&[u64]; 2] = [grid.chunk_grid(), grid.block_grid()];
    let _: [usize; 3] = [grid.typesize(), grid.chunksize(), grid.blocksize()];
    let _: [&Vec<u64>; 3] = [&meta.shape, &meta.chunkshape, &meta.blockshape];
    let _: (&Vec<u64>, &Option<Vec<u64>>) = (&params.shape, &params.chunkshape);
    let _: usize = params.typesize()?;
    Ok(())
}

#[expect(dead_code, reason = "compiling is the test")]
fn of_sources(source: &mut impl ChunkSink, decoder: &mut ChunkDecoder) -> Result<()> {
    let ChunkLayout {
        typesize,
        chunksize,
        blocksize,
        nchunks,
        nbytes,
        cbytes,
        ..
    } = source.layout();
    let _: (usize, Option<usize>, usize) = (typesize, chunksize, blocksize);
    let _: [u64; 3] = [nchunks, nbytes, cbytes];
    let _: usize = source.chunk_nbytes(0_u64)?;
    let _: usize = source.chunk(0_u64)?.nbytes()?;
    let _: (u64, u64) = source.find_chunk(0_u64)?;
    let _: usize = source.decode_chunk_into(decoder, 0_u64, &mut [])?;
    let _: usize = source.decode_chunk_bytes_into(decoder, 0_u64, 0_usize..1, &mut [])?;
    let _: usize = source.read_items_into(decoder, 0_u64..1, &mut [])?;
    let _: usize = source.read_items_at_into(decoder, &[0_u64], &mut [])?;
    let _: u64 = source.append_chunk(&[])?;
    source.update_chunk(0_u64, &[])?;
    source.insert_chunk(0_u64, &[])?;
    source.delete_chunk(0_u64)
}

#[expect(dead_code, reason = "compiling is the test")]
fn of_frames<S: FrameStore>(
    reader: &FrameReader<S>,
    header: &FrameHeader,
    limits: &Limits,
    decoder: &mut ChunkDecoder,
) -> Result<()> {
    let _: [u64; 4] = [
        header.header_len,
        header.frame_len,
        header.nbytes,
        header.cbytes,
    ];
    let _: (usize, Option<usize>, usize) = (header.typesize, header.chunksize, header.blocksize);
    let _: Vec<u8> = reader.slice(0_u64..1)?;
    let mut chunk = reader.lazy_chunk(0_u64)?;
    let _: (usize, u64) = (chunk.nbytes(), chunk.bytes_read());
    let _: Vec<u8> = chunk.decode_vlblock(decoder, 0_usize)?;
    let _: Vec<u8> = reader.decode_vlblock(decoder, 0_u64, 0_usize)?;
    let _: [u64; 3] = [
        limits.max_alloc,
        limits.max_chunk_nbytes,
        limits.max_nchunks,
    ];
    let _: [u64; 2] = [limits.max_frame_header_len, limits.max_frame_trailer_len];
    let _: u64 = limits.max_vlmetalayer_nbytes;
    Ok(())
}

#[expect(dead_code, reason = "compiling is the test")]
fn of_chunks(view: &ChunkView<'_>, decoder: &mut ChunkDecoder) -> Result<()> {
    let _: [usize; 3] = [view.nbytes(), view.nitems(), view.nblocks()];
    let _: Option<usize> = view.blocksize();
    let _: usize = view.vlblock_len(0_usize)?;
    let _: Vec<u8> = decoder.decode_block(view.as_bytes(), 0_usize)?;
    let _: Vec<u8> = decoder.decode_items(view.as_bytes(), 0_usize..1)?;
    Ok(())
}

/// More items than 32 bits count.
const MANY: u64 = (1 << 33) + 5;

#[test]
fn items_beyond_32_bits_of_a_frame() {
    let params = FrameParams::new(CParams::new(1), 1 << 20);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append_special(Special::Zeros, MANY).unwrap();
    writer.set_items(MANY - 2, &[7, 9]).unwrap();
    let reader = FrameReader::from_bytes(writer.into_bytes().unwrap(), DParams::new()).unwrap();
    assert!(reader.as_bytes().len() < 100_000);
    let layout = reader.layout();
    assert_eq!((layout.nbytes, layout.nchunks), (MANY, (1 << 13) + 1));
    assert_eq!(reader.slice(MANY - 4..MANY).unwrap(), [0, 0, 7, 9]);
    let mut decoder = reader.decoder();
    let items = [MANY - 1, 3, 1 << 32, MANY - 2];
    assert_eq!(
        reader.read_items_at(&mut decoder, &items).unwrap(),
        [9, 0, 0, 7]
    );
    assert_eq!(reader.find_chunk(MANY - 1).unwrap(), (1 << 13, 1 << 33));
    for wrong in [MANY, MANY + (1 << 32), u64::MAX - 1] {
        let error = reader.slice(wrong..wrong + 1).unwrap_err();
        let Error::OutOfBounds { index, len, .. } = error else {
            panic!("{error}");
        };
        assert_eq!((index, len), (wrong + 1, MANY));
        assert!(reader.read_items_at(&mut decoder, &[wrong]).is_err());
    }
    // A number that 32 bits would take for the first chunk.
    let error = reader.lazy_chunk(1 << 32).unwrap_err();
    assert!(
        matches!(
            error,
            Error::OutOfBounds {
                index: 0x1_0000_0000,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn elements_beyond_32_bits_of_an_array() {
    let params = ArrayParams::new::<u8>([MANY]).chunkshape([1 << 20]);
    let mut array = Array::zeros(&params).unwrap();
    assert_eq!(
        (array.nitems(), array.grid().nchunks()),
        (MANY, (1 << 13) + 1)
    );
    array.set_slice(MANY - 1.., &[9_u8]).unwrap();
    array.append(&[1_u8, 2]).unwrap();
    assert_eq!(array.slice::<u8>(MANY - 2..MANY + 2).unwrap(), [0, 9, 1, 2]);
    assert_eq!(array.slice::<u8>(-3..).unwrap(), [9, 1, 2]);
    assert_eq!(array.get::<u8>([MANY + 1]).unwrap(), 2);
    let points = [[MANY], [5], [MANY - 1]];
    assert_eq!(
        array.slice::<u8>(Selection::points(&points)).unwrap(),
        [1, 0, 9]
    );
    let view = array.view(MANY - 1..).unwrap();
    assert_eq!((view.offset(), view.nbytes()), (&[MANY - 1][..], 3));
    // The same number in 32 bits is an element.
    for wrong in [MANY + 2, (1 << 34) + 3] {
        let error = array.get::<u8>([wrong]).unwrap_err();
        let Error::OutsideAxis {
            axis: 0,
            index,
            len,
            ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((index.cast_unsigned(), len), (wrong, MANY + 2));
    }
    let all = array.view(..).unwrap();
    assert_eq!((all.nitems(), all.nbytes()), (MANY + 2, MANY + 2));
    // All of it is more than the limits allow, and more than 32 bits address.
    assert!(matches!(
        array.to_bytes().unwrap_err(),
        Error::LimitExceeded { .. }
    ));
}

#[test]
fn lengths_of_chunks_beyond_the_format_name_their_axis() {
    for wrong in [1 << 31, 1 << 32, (1 << 32) + 4, u64::MAX] {
        let params = ArrayParams::new::<u8>([4, 4]).chunkshape([4, wrong]);
        let Error::InvalidAxisParam { axis, name, .. } = params.grid().unwrap_err() else {
            panic!("{wrong}");
        };
        assert_eq!((axis, name), (1, "chunkshape"));
        let meta = B2ndMeta::new(&[4, 4], &[4, wrong], &[4, 4], "|u1");
        assert!(meta.to_bytes().is_err());
        assert!(Grid::new(1, &[4, 4], &[4, wrong], &[4, 4]).is_err());
    }
}

#[test]
fn sizes_beyond_the_format_are_refused() {
    let wide = usize::try_from(1_u64 << 32).unwrap_or(usize::MAX);
    assert!(SChunk::new(CParams::new(1), wide).is_err());
    assert!(FrameParams::new(CParams::new(1), wide).validate().is_err());
    assert!(Grid::new(wide, &[1], &[1], &[1]).is_err());
}
