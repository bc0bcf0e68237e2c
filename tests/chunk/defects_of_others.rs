//! Public defects of other implementations, each named after its issue: what went wrong there goes
//! right here.

use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, DParams, ErrorKind, FilterSlot, Limits, compress,
    decompress,
};

/// Bytes without pattern.
fn noise(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            state.to_be_bytes()[0]
        })
        .collect()
}

/// A chunk of one stream of `BloscLZ` that claims to hold `nbytes` bytes.
fn blosclz_chunk(stream: &[u8], nbytes: u32) -> Vec<u8> {
    let cbytes = u32::try_from(40 + stream.len()).unwrap_or(u32::MAX);
    let mut chunk = vec![5, 1, 0x15, 1];
    for size in [nbytes, nbytes, cbytes] {
        chunk.extend(size.to_le_bytes());
    }
    chunk.resize(32, 0);
    chunk.extend(36_u32.to_le_bytes());
    chunk.extend(
        u32::try_from(stream.len())
            .unwrap_or(u32::MAX)
            .to_le_bytes(),
    );
    chunk.extend(stream);
    chunk
}

/// 8.4 MB of 0xFF as the length of a match made it wrap to a negative number, and the copy wrote
/// far past the output.
#[test]
fn c_blosc2_801() {
    // One literal, then a match whose length continues until the sum passes 2^31 and 2^32.
    for continued in [8_421_504, 8_421_505, 8_421_506, 16_843_009, 16_843_010] {
        let mut stream = vec![0x20, b'a', 0xE0];
        stream.resize(stream.len() + continued, 0xFF);
        stream.extend([0x10, 0, 0, b'b']);
        let nbytes = u32::try_from(stream.len() + 100).unwrap();
        let error = decompress(&blosclz_chunk(&stream, nbytes)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
    }
}

/// A crafted frame was read past its end: no field of a header, an offset or a trailer leads
/// outside.
#[test]
#[cfg(feature = "frame")]
fn c_blosc2_738() {
    use oxiblosc::{ChunkSource, FrameReader, SChunk};
    let mut schunk = SChunk::new(CParams::new(4), 400).unwrap();
    schunk.append(&noise(1000, 1)).unwrap();
    schunk.append(&[0; 600]).unwrap();
    let frame = schunk.to_cframe().unwrap();
    let dparams = DParams::new().limits(Limits::UNTRUSTED.max_alloc(1 << 20));
    let (mut opened, mut refused) = (0, 0);
    for at in 0..frame.len() {
        for lie in [&[0xFF; 8][..], &[0x7F, 0xFF, 0xFF, 0xFF], &[0; 4], &[0x80]] {
            let mut damaged = frame.clone();
            for (byte, lie) in damaged[at..].iter_mut().zip(lie) {
                *byte = *lie;
            }
            let Ok(reader) = FrameReader::from_bytes(damaged, dparams.clone()) else {
                refused += 1;
                continue;
            };
            opened += 1;
            let mut decoder = ChunkDecoder::new(dparams.clone());
            for index in 0..reader.layout().nchunks.min(10) {
                let mut chunk = [0; 400];
                // Any answer, as long as there is one.
                let _ = reader.decode_chunk_into(&mut decoder, index, &mut chunk);
            }
        }
    }
    assert!(opened > 0 && refused > 0);
}

/// The zlib stream of a damaged frame was read past the end of its buffer.
#[test]
#[cfg(all(feature = "frame", feature = "zlib"))]
fn c_blosc2_639() {
    use oxiblosc::{ChunkSource, CodecId, FrameReader, SChunk};
    let mut schunk = SChunk::new(CParams::new(1).codec(CodecId::ZLIB), 600).unwrap();
    let data: Vec<u8> = noise(300, 6).iter().flat_map(|n| [n % 16, 7]).collect();
    schunk.append(&data).unwrap();
    let frame = schunk.to_cframe().unwrap();
    let mut decoder = ChunkDecoder::default();
    let mut chunk = vec![0; data.len()];
    let (mut wrong, mut same) = (0, 0);
    for at in 0..frame.len() * 8 {
        let mut damaged = frame.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        let Ok(reader) = FrameReader::from_bytes(damaged, DParams::new()) else {
            continue;
        };
        match reader.decode_chunk_into(&mut decoder, 0, &mut chunk) {
            // Adler-32 finds a flipped bit of the stream.
            Ok(_) => same += usize::from(chunk == data),
            Err(_) => wrong += 1,
        }
    }
    assert!(wrong > 1000 && same > 0, "{wrong} {same}");
}

/// A destination that is too short for the sizes in front of the streams was written past its end.
#[test]
fn c_blosc2_656() {
    for (data, typesize) in [(noise(500, 2), 4), (vec![7; 500], 1), (vec![0; 500], 8)] {
        let mut encoder = ChunkEncoder::new(CParams::new(typesize).blocksize(Some(64))).unwrap();
        for room in 0..data.len() + 40 {
            let mut dst = vec![0xA5; room];
            match encoder.encode_into(&data, &mut dst) {
                Ok(len) => assert_eq!(decompress(&dst[..len]).unwrap(), data),
                Err(error) => assert_eq!(error.kind(), ErrorKind::OutputTooSmall),
            }
        }
    }
}

/// The copy of an array out of a frame freed a pointer that it had not allocated, when a chunk of
/// zeros comes before a regular one.
#[test]
#[cfg(feature = "b2nd")]
fn python_blosc2_611() {
    use oxiblosc::SChunk;
    use oxiblosc::b2nd::{Array, ArrayParams};
    let params = ArrayParams::new::<f32>(&[14])
        .chunkshape(&[7])
        .blockshape(&[3]);
    for ones in [0..0, 0..7, 7..14, 0..14] {
        let mut elements = [0.0_f32; 14];
        elements[ones].fill(1.0);
        let array = Array::from_elements(&elements, &params).unwrap();
        let frame = array.schunk().to_cframe().unwrap();
        let copy = SChunk::from_cframe(&frame, DParams::new()).unwrap();
        let copy = Array::open_in(copy).unwrap();
        assert_eq!(copy.to_elements::<f32>().unwrap(), elements);
        assert_eq!(copy.schunk().to_cframe().unwrap(), frame);
    }
}

/// Zeros whose number is no multiple of the typesize became a special chunk that could not be read.
#[test]
fn python_blosc2_665() {
    for len in [1, 7, 9, 31, 33, 1001, 100_003, 707_658] {
        for typesize in [1, 2, 3, 4, 8, 16, 255, 300] {
            let data = vec![0; len];
            let chunk = compress(&data, &CParams::new(typesize)).unwrap();
            assert_eq!(decompress(&chunk).unwrap(), data, "{len} {typesize}");
        }
    }
}

/// SHUFFLE and BYTEDELTA with a typesize that does not divide the length gave another last byte.
#[test]
#[cfg(feature = "bytedelta")]
fn python_blosc2_357() {
    for codec in ["blosclz", "lz4", "zstd"] {
        let Some(codec) = oxiblosc::CodecId::from_name(codec) else {
            continue;
        };
        for nfloats in 100..270_u16 {
            let floats = (0..nfloats).map(|i| f32::from(i * 37 % 101) / 101.0);
            let data: Vec<u8> = floats.flat_map(f32::to_le_bytes).collect();
            let cparams = CParams::new(8)
                .codec(codec)
                .filters([FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA]);
            // A build without the codec refuses it.
            let Ok(chunk) = compress(&data, &cparams) else {
                continue;
            };
            assert_eq!(decompress(&chunk).unwrap(), data, "{nfloats}");
        }
    }
}

/// Bitshuffled data, as Zarr's codec for bytes writes them, lost the end that is no whole item, or
/// no multiple of eight items (python-blosc 133 and 220, c-blosc 312).
#[test]
fn python_blosc_133_220_c_blosc_312() {
    let ones = vec![1; 27_266];
    let cparams = |typesize| CParams::new(typesize).filters([FilterSlot::BITSHUFFLE]);
    for typesize in [1, 2, 3, 4, 7, 8, 16] {
        let mut encoder = ChunkEncoder::new(cparams(typesize)).unwrap();
        for data in [
            &ones[..],
            &ones[..1000],
            &noise(1003, 3).repeat(3),
            &[5; 33],
        ] {
            for chunk in [encoder.encode(data), encoder.encode_blosc1(data)] {
                assert_eq!(decompress(&chunk.unwrap()).unwrap(), data, "{typesize}");
            }
        }
    }
    // By hand, the rule of version 2: 12 items of 2 bytes and one more byte. 12 is no multiple of
    // eight, so nothing was transformed; 8 items are, and the byte after them is kept.
    let stored = |data: &[u8]| {
        let len = u32::try_from(data.len()).unwrap();
        let mut chunk = vec![2, 1, 0x14, 2];
        for size in [len, len, len + 24] {
            chunk.extend(size.to_le_bytes());
        }
        chunk.extend(20_u32.to_le_bytes());
        chunk.extend(len.to_le_bytes());
        chunk.extend(data);
        chunk
    };
    let data: Vec<u8> = (0..25).collect();
    assert_eq!(decompress(&stored(&data)).unwrap(), data);
    // Items 0x0001 times eight: bit 0 of byte 0 is set in all of them.
    let mut rows = [0; 17];
    (rows[0], rows[16]) = (0xFF, 9);
    let expected = [&[1, 0].repeat(8)[..], &[9]].concat();
    assert_eq!(decompress(&stored(&rows)).unwrap(), expected);
}

/// Items longer than 255 bytes are stored with a typesize of 1, and single ones were taken from
/// byte instead of item positions.
#[test]
#[cfg(feature = "frame")]
fn c_blosc2_796() {
    use oxiblosc::{ChunkSource, SChunk};
    let data = noise(300 * 40, 4);
    let mut schunk = SChunk::new(CParams::new(300), 300 * 16).unwrap();
    schunk.append(&data).unwrap();
    for (start, end) in [(0, 1), (5, 6), (15, 17), (39, 40), (3, 33)] {
        let items = schunk.read_items(start..end).unwrap();
        let [start, end] = [start, end].map(|at| usize::try_from(300 * at).unwrap());
        assert_eq!(items, data[start..end]);
    }
    assert_eq!(schunk.layout().typesize, 300);
}

/// The product of a blockshape wrapped to 0, and was divided by.
#[test]
#[cfg(feature = "b2nd")]
fn c_blosc2_795() {
    use oxiblosc::SChunk;
    use oxiblosc::b2nd::{Array, ArrayParams};
    let params = ArrayParams::new::<u8>(&[8, 8])
        .chunkshape(&[8, 8])
        .blockshape(&[4, 4]);
    let array = Array::from_elements(&[1_u8; 64], &params).unwrap();
    let frame = array.schunk().to_cframe().unwrap();
    // The last two lengths of the metalayer are the blockshape's, each after its marker.
    let marked = [0x92, 0xD2, 0, 0, 0, 4, 0xD2, 0, 0, 0, 4];
    let at = frame.windows(11).position(|bytes| bytes == marked).unwrap();
    let mut crafted = frame.clone();
    for len in [at + 2, at + 7] {
        crafted[len..len + 4].copy_from_slice(&65_536_u32.to_be_bytes());
    }
    let opened = SChunk::from_cframe(&crafted, DParams::new()).and_then(Array::open_in);
    assert!(opened.is_err());
}
