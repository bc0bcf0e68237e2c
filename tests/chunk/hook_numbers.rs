//! The chunk numbers that hooks receive, on every way to read and write a chunk.
#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use oxiblosc::error::BoxError;
use oxiblosc::filter::BlockContext;
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, DParams, decompress};

/// Bytes that differ from chunk to chunk after it: a chunk decodes to the data only with the number
/// that it was encoded with.
fn by_number(cx: &BlockContext, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
    let number = cx.chunk.ok_or("the number of the chunk is not known")?;
    let mask = u8::try_from(number * 37 % 251)?;
    dst.iter_mut()
        .zip(src)
        .for_each(|(to, from)| *to = from ^ mask);
    Ok(())
}

fn data(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| u8::try_from(i / 7 % 256).unwrap())
        .collect()
}

#[test]
fn chunks_without_a_container_have_no_number() {
    let seen = |cx: &BlockContext, src: &[u8], dst: &mut [u8]| {
        assert_eq!((cx.chunk, cx.thread), (None, 0));
        dst.copy_from_slice(src);
        Ok(())
    };
    let cparams = CParams::new(1).blocksize(Some(1000)).prefilter(seen);
    let mut encoder = ChunkEncoder::new(cparams).unwrap();
    let data = data(5000);
    // The number lasts as long as the closure, also after an error in it.
    encoder.in_chunk(3, |_| ());
    let failed = encoder.in_chunk(3, |encoder| encoder.encode_vlblocks::<&[u8]>(&[]));
    failed.unwrap_err();
    let chunk = encoder.encode(&data).unwrap();
    let mut decoder = ChunkDecoder::new(DParams::new().postfilter(seen));
    decoder
        .in_chunk(3, |decoder| decoder.decode(&[]))
        .unwrap_err();
    assert_eq!(decoder.decode(&chunk).unwrap(), data);
    // Numbers given inside of others are those that count.
    let numbered = CParams::new(1).prefilter(by_number);
    let mut encoder = ChunkEncoder::new(numbered).unwrap();
    let chunk = encoder.in_chunk(9, |outer| outer.in_chunk(4, |inner| inner.encode(&data)));
    let chunk = chunk.unwrap();
    let mut decoder = ChunkDecoder::new(DParams::new().postfilter(by_number));
    assert_eq!(decoder.in_chunk(4, |d| d.decode(&chunk)).unwrap(), data);
    assert_ne!(decompress(&chunk).unwrap(), data);
    let error = decoder.decode(&chunk).unwrap_err();
    let expected = "block 0: postfilter: the number of the chunk is not known";
    assert_eq!(error.to_string(), expected);
}

#[cfg(feature = "frame")]
mod containers {
    use std::io;
    use std::sync::Arc;

    use oxiblosc::frame::{AnyFrame, Contiguous, ItemReader};
    use oxiblosc::schunk::{ReadAhead, copy_chunks, recode};
    use oxiblosc::storage::{Memory, ReadAt};
    use oxiblosc::{
        ChunkSink, ChunkSource, FrameParams, FrameReader, FrameWriter, SChunk, Special,
    };

    use super::*;

    const CHUNK: usize = 3000;
    const LEN: usize = 10_500;

    fn cparams() -> CParams {
        CParams::new(4).blocksize(Some(1000)).prefilter(by_number)
    }

    fn dparams() -> DParams {
        DParams::new().postfilter(by_number)
    }

    fn decoder() -> ChunkDecoder {
        ChunkDecoder::new(dparams())
    }

    /// A storage whose bytes are not in memory.
    #[derive(Debug)]
    struct Far(Vec<u8>);

    impl ReadAt for Far {
        fn len(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64)
        }

        fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
            Memory(&self.0).read_exact_at(buf, offset)
        }
    }

    /// All ways to read the bytes of `source`, which are `expected`.
    fn check_reads(source: &(impl ChunkSource + ?Sized), expected: &[u8]) {
        let layout = source.layout();
        let mut decoder = decoder();
        let mut start = 0;
        for nchunk in 0..layout.nchunks {
            let len = source.chunk_nbytes(nchunk).unwrap();
            let chunk = &expected[start..start + len];
            let mut dst = vec![0; len];
            source
                .decode_chunk_into(&mut decoder, nchunk, &mut dst)
                .unwrap();
            assert_eq!(dst, chunk, "chunk {nchunk}");
            for range in [0..len, len / 2..len / 2 + 1, len / 3..len] {
                let mut dst = vec![0; range.len()];
                source
                    .decode_chunk_bytes_into(&mut decoder, nchunk, range.clone(), &mut dst)
                    .unwrap();
                assert_eq!(dst, chunk[range.clone()], "{range:?} of {nchunk}");
                let ranges = [range.clone(), 0..1];
                let mut dst = vec![0; range.len() + 1];
                source
                    .decode_chunk_ranges_into(&mut decoder, nchunk, &ranges, &mut dst)
                    .unwrap();
                assert_eq!(dst[..range.len()], chunk[range.clone()]);
                assert_eq!(dst[range.len()], chunk[0]);
            }
            start += len;
        }
        assert_eq!(start, expected.len());
        let items = [2, 0, expected.len() as u64 / 4 - 1, 800];
        let found = source.read_items_at(&mut decoder, &items).unwrap();
        for (item, found) in items.iter().zip(found.chunks(4)) {
            let at = usize::try_from(*item).unwrap() * 4;
            assert_eq!(found, &expected[at..at + 4]);
        }
        let mut dst = vec![0; 4000];
        source
            .read_items_into(&mut decoder, 500..1500, &mut dst)
            .unwrap();
        assert_eq!(dst, expected[2000..6000]);
        let mut stream = ItemReader::with_dparams(source, dparams());
        let mut all = Vec::new();
        io::Read::read_to_end(&mut stream, &mut all).unwrap();
        assert_eq!(all, expected);
    }

    fn check_lazy<S: oxiblosc::frame::FrameStore>(reader: &FrameReader<S>, expected: &[u8]) {
        let mut decoder = decoder();
        for (nchunk, chunk) in (0..).zip(expected.chunks(CHUNK)) {
            let mut lazy = reader.lazy_chunk(nchunk).unwrap();
            let mut dst = [0; 3];
            lazy.decode_bytes_into(&mut decoder, 7..10, &mut dst)
                .unwrap();
            assert_eq!(dst, chunk[7..10]);
            lazy.decode_ranges_into(&mut decoder, &[8..10, 3..4], &mut dst)
                .unwrap();
            assert_eq!(dst, [chunk[8], chunk[9], chunk[3]]);
        }
    }

    #[test]
    fn a_super_chunk_tells_the_numbers_of_its_chunks() {
        let mut data = data(LEN);
        let mut schunk = SChunk::new(cparams(), CHUNK).unwrap();
        schunk.set_dparams(dparams());
        // A short last chunk is read and written again.
        for piece in data.chunks(1999) {
            schunk.append(piece).unwrap();
        }
        check_reads(&schunk, &data);
        // Parts of two chunks, and all of one.
        let new = vec![5; 2 * CHUNK];
        schunk.set_items(250, &new).unwrap();
        data[1000..1000 + 2 * CHUNK].copy_from_slice(&new);
        check_reads(&schunk, &data);
        check_reads(&schunk.recode(cparams().clevel(1)).unwrap(), &data);
        let ahead = ReadAhead::new(Arc::new(schunk));
        let all: Vec<u8> = ahead.flat_map(|chunk| chunk.unwrap()).collect();
        assert_eq!(all, data);
    }

    #[test]
    fn a_frame_tells_the_numbers_of_its_chunks() {
        let mut data = data(LEN);
        let params = FrameParams::new(cparams(), CHUNK);
        let mut writer = FrameWriter::in_memory(params.clone()).unwrap();
        for piece in data.chunks(1999) {
            writer.append(piece).unwrap();
        }
        writer.commit().unwrap();
        // The writer of another day, which fills the short last chunk up.
        let bytes = writer.into_bytes().unwrap();
        let mut writer = FrameWriter::open_in(Contiguous::new(Memory(bytes)), dparams()).unwrap();
        writer.set_cparams(cparams()).unwrap();
        writer.append(&data[..2400]).unwrap();
        data.extend_from_within(..2400);
        writer.flush_chunk().unwrap();
        let new = vec![5; 2 * CHUNK];
        writer.set_items(250, &new).unwrap();
        data[1000..1000 + 2 * CHUNK].copy_from_slice(&new);
        writer.commit().unwrap();
        check_reads(&writer, &data);
        let bytes = writer.into_bytes().unwrap();

        let memory = FrameReader::from_bytes(&bytes[..], dparams()).unwrap();
        check_reads(&memory, &data);
        check_lazy(&memory, &data);
        let far = FrameReader::open_in(Contiguous::new(Far(bytes.clone())), dparams()).unwrap();
        check_reads(&far, &data);
        check_lazy(&far, &data);
        check_reads(
            &AnyFrame::from_bytes(bytes.clone(), dparams()).unwrap(),
            &data,
        );

        let dir = crate::common::folder();
        let path = dir.path().join("sparse.b2frame");
        let mut sparse = FrameWriter::create_sparse(&path, params.clone()).unwrap();
        let (mut decoder, mut encoder) = (decoder(), ChunkEncoder::new(cparams()).unwrap());
        recode(&memory, &mut decoder, &mut encoder, &mut sparse).unwrap();
        sparse.commit().unwrap();
        drop(sparse);
        let sparse = FrameReader::open_sparse(&path, dparams()).unwrap();
        check_reads(&sparse, &data);
        check_lazy(&sparse, &data);

        // Other chunks, so other numbers, of the same bytes.
        let mut small = FrameWriter::in_memory(FrameParams::new(cparams(), 1000)).unwrap();
        small.append_source(&far).unwrap();
        small.commit().unwrap();
        check_reads(&small, &data);
        // Chunks that are copied as they are keep what their first numbers made of them.
        let mut copy = SChunk::new(cparams(), CHUNK).unwrap();
        copy_chunks(&far, &mut copy).unwrap();
        check_reads(&copy, &data);
        copy.delete_chunk(0).unwrap();
        let mut dst = vec![0; CHUNK];
        copy.decode_chunk_into(&mut decoder, 0, &mut dst).unwrap();
        let xored: Vec<u8> = data[CHUNK..2 * CHUNK]
            .iter()
            .map(|byte| byte ^ 37)
            .collect();
        assert_eq!(dst, xored);
    }

    #[test]
    fn variable_length_blocks_and_special_values_have_numbers() {
        let data = data(LEN);
        let blocks: Vec<&[u8]> = data.chunks(700).collect();
        let params = FrameParams::new(cparams(), CHUNK);
        let mut writer = FrameWriter::in_memory(params).unwrap();
        writer.append_vlblocks(&blocks[..4]).unwrap();
        writer.append_vlblocks(&blocks[4..]).unwrap();
        writer.commit().unwrap();
        let reader = FrameReader::open_in(
            Contiguous::new(Far(writer.into_bytes().unwrap())),
            dparams(),
        )
        .unwrap();
        let mut decoder = decoder();
        for (nchunk, block, expected) in
            [(0_u64, 3, blocks[3]), (1, 0, blocks[4]), (1, 6, blocks[10])]
        {
            let found = reader.decode_vlblock(&mut decoder, nchunk, block).unwrap();
            assert_eq!(found, expected);
            // Blocks are in the order of the data, and the hook sees where.
            let within = 700 * block;
            let placed = DParams::new().postfilter(move |cx, src, dst| {
                assert_eq!((cx.offset, cx.block), (within, block));
                by_number(cx, src, dst)
            });
            let mut decoder = ChunkDecoder::new(placed);
            let found = reader.decode_vlblock(&mut decoder, nchunk, block).unwrap();
            assert_eq!(found, expected);
        }
        let mut part = [0; 1000];
        reader
            .decode_chunk_bytes_into(&mut decoder, 1, 200..1200, &mut part)
            .unwrap();
        assert_eq!(part, data[3000..4000]);

        // Special values do not pass the prefilter, but the postfilter.
        let mut schunk = SChunk::new(cparams(), CHUNK).unwrap();
        let mut writer = FrameWriter::in_memory(FrameParams::new(cparams(), CHUNK)).unwrap();
        let nbytes = 3 * CHUNK as u64;
        schunk.append_special(Special::Zeros, nbytes).unwrap();
        writer.append_special(Special::Zeros, nbytes).unwrap();
        writer.commit().unwrap();
        let expected = [vec![0; CHUNK], vec![37; CHUNK], vec![74; CHUNK]].concat();
        check_reads(&schunk, &expected);
        check_reads(&writer, &expected);
        check_lazy(writer.reader(), &expected);
    }

    /// A source of the caller that leaves the rest to the trait.
    #[test]
    fn own_sources_get_the_numbers_from_the_trait() {
        struct Own(SChunk);

        impl ChunkSource for Own {
            fn layout(&self) -> oxiblosc::schunk::ChunkLayout {
                self.0.layout()
            }

            fn chunk(&self, n: u64) -> oxiblosc::Result<oxiblosc::schunk::StoredChunk<'_>> {
                self.0.chunk(n)
            }

            fn dparams(&self) -> &DParams {
                self.0.dparams()
            }

            fn metalayers(&self) -> &oxiblosc::schunk::Metalayers {
                self.0.metalayers()
            }

            fn vlmetalayer(&self, name: &str) -> oxiblosc::Result<Option<Vec<u8>>> {
                self.0.vlmetalayer(name)
            }

            fn vlmetalayer_names(&self) -> Vec<String> {
                self.0.vlmetalayer_names()
            }

            fn decode_chunk_into(
                &self,
                decoder: &mut ChunkDecoder,
                nchunk: u64,
                dst: &mut [u8],
            ) -> oxiblosc::Result<usize> {
                let oxiblosc::schunk::StoredChunk::Bytes(chunk) = self.0.chunk(nchunk)? else {
                    unreachable!("the chunks have bytes");
                };
                decoder.in_chunk(nchunk, |decoder| decoder.decode_into(&chunk, dst))
            }
        }

        let data = data(LEN);
        let mut schunk = SChunk::new(cparams(), CHUNK).unwrap();
        schunk.append(&data).unwrap();
        check_reads(&Own(schunk), &data);
    }
}
