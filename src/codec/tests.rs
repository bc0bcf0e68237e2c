//! Codecs against frozen streams of the C libraries, and on hostile streams.

use oxiblosc_kernels::Kernels;
use proptest::prelude::*;

use super::dict::{DictPlan, build_vlblocks};
use super::find::find;
use super::*;

pub(super) fn context(clevel: u8, dict: Option<&[u8]>) -> CodecContext<'_> {
    CodecContext {
        clevel,
        meta: 0,
        typesize: 4,
        blocksize: 1 << 16,
        dict,
        b2nd: None,
        kernels: Kernels::best(),
        sampled: false,
    }
}

/// Every built-in codec that this build has.
fn codecs() -> Vec<&'static dyn Codec> {
    (0..32)
        .filter_map(|id| find(None, CodecId::new(id)))
        .collect()
}

fn encode(id: CodecId, clevel: u8, dict: Option<&[u8]>, src: &[u8]) -> Option<Vec<u8>> {
    let mut dst = vec![0; src.len()];
    let mut encoder = find(None, id)
        .unwrap()
        .encoder(&context(clevel, dict))
        .unwrap();
    let len = encoder.encode(src, &mut dst).unwrap()?;
    dst.truncate(len);
    Some(dst)
}

fn decode(id: CodecId, dict: Option<&[u8]>, src: &[u8], len: usize) -> Result<Vec<u8>, BoxError> {
    let mut dst = vec![0; len];
    find(None, id)
        .unwrap()
        .decoder(&context(0, dict))?
        .decode(src, &mut dst)?;
    Ok(dst)
}

/// The generator of [format §15](crate::format#15).
fn generator(seed: u64) -> impl FnMut() -> usize {
    let mut state = seed;
    move || {
        state = (1_103_515_245 * state + 12345) % (1 << 31);
        usize::try_from(state >> 16).unwrap()
    }
}

/// 64 words of 3 to 10 letters, then words out of these with a space after each.
fn words(len: usize) -> Vec<u8> {
    let mut next = generator(42);
    let letter = |n: usize| b'a' + u8::try_from(n % 26).unwrap();
    let words: Vec<Vec<u8>> = (0..64)
        .map(|_| {
            let len = 3 + next() % 8;
            (0..len).map(|_| letter(next())).collect()
        })
        .collect();
    let mut text = Vec::new();
    while text.len() < len {
        text.extend(&words[next() % 64]);
        text.push(b' ');
    }
    text.truncate(len);
    text
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3)
    })
}

fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .bytes()
        .filter_map(|c| char::from(c).to_digit(16))
        .map(|d| d.to_le_bytes()[0])
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] * 16 + pair[1])
        .collect()
}

/// The content of the frozen streams.
fn fox() -> Vec<u8> {
    let mut text = b"The quick brown fox jumps over the lazy dog. ".repeat(5);
    text.extend((0..2).flat_map(|_| 0..40));
    text
}

/// Streams of `fox`: LZ4 and zlib-ng out of C-Blosc2 3.3.5 (`LZ4_compress_fast`,
/// `zng_compress2` at level 9), and what Python's zlib writes as fixed Huffman codes and with a
/// full flush in the middle.
#[rustfmt::skip]
const FOXES: &[(CodecId, &str)] = &[
    (CodecId::LZ4, "ff1e54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a79
        20646f672e202d00a1ff19000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223
        24252627280010502324252627"),
    (CodecId::ZLIB, "78da0bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456552a
        a4e4a7eb29840c41c50c8c4ccc2cac6cec1c9c5cdc3cbc7cfc028242c222a262e2129252d232b272f20a8a4aca2aaa6
        aeac4aa0300de7a56dc"),
    (CodecId::ZLIB, "18190bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456552a
        a4e4a7eb29840c41c50c8c4ccc2cac6cec1c9c5cdc3cbc7cfc028242c222a262e2129252d232b272f20a8a4aca2aaa6
        aeac4aa0300de7a56dc"),
    (CodecId::ZLIB, "785e0ac94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456552a
        a4e4a7eb298490a718000000ffff4b2aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228c94855c849acaa5448c94fd
        7530801f20a4b3393b31592a8ac988191899985958d9d83938b9b87978f5f4050485844544c5c42524a5a46564e5e41
        51495945554d9d587500de7a56dc"),
];

#[test]
fn frozen_streams_decode() {
    for (id, stream) in FOXES {
        if find(None, *id).is_some() {
            assert_eq!(
                decode(*id, None, &unhex(stream), 305).unwrap(),
                fox(),
                "{id}"
            );
        }
    }
}

#[cfg(feature = "zlib")]
mod zlib {
    use super::*;

    /// `zlib.compress(words(1000), 9)`: a block with its own Huffman codes.
    const DYNAMIC: &str =
        "78da655259ae85200cdd4ab726a22065944160f5cf0b2826ef870468cfd4eeb9320a225c16722ee18c082e6e0c
        94206a850d352a884165524e0397b397acb45750cecb28d382982bee94d2fe2aa4360a5793e1b20e080bd51b86
        ed62ca55fc2697032a57b8c57a37070e928412075d436f8a70a5b65fbde341564241150781d41bcced9b09e043
        d567f60a566781386dd673bea5886ecbf236d85b7e627a49aae5a09dfad7d8895b91a806452b6dec6bdc7579a3
        f176b15b04832c2506e7720139a9b88f03926426c5f32130098f7d1105647231f215f616f4eb235c2fcc4f4008
        3ec643a7c1d7e535eca6910b91fc5e1a63ffebc1f7eab77964f219877102216456aad6e6b0a3f989fe9d0c2ef7
        bf62989b9879fbe4f248f880197e3bc9c12e7d5add21cb94a4ec45964dedc41ad939943427a15ac49f628c072e
        4f247ad9d36a73316928fec9eaf85b25ff5cb15d7709238049faa87ea6d00d3d7bdc8cfd368a489af81ccedc9b
        77f5877a21b7e39eb4326e6e59db93d9322c74dd4e211733e7cf64da70bdc570e4ac4507d18c0c2978897db535
        ab49f3f1fb89e715d8f39b8092bac4b57ee4fc01150c8279";

    #[test]
    fn dynamic_and_stored_blocks_decode() {
        assert_eq!(
            decode(CodecId::ZLIB, None, &unhex(DYNAMIC), 1000).unwrap(),
            words(1000)
        );
        let stored = unhex("7801010300fcff616263024d0127");
        assert_eq!(decode(CodecId::ZLIB, None, &stored, 3).unwrap(), b"abc");
    }

    #[test]
    fn a_preset_dictionary_is_refused() {
        let stream = unhex(
            "78f91d37047c0b01b20b4b3393b315928af2cbf314d2f22b14b24a730b8a15f2cb528b144a9094ea290c45c5
             0c8c4ccc2cac6cec1c9c5cdc3cbc7cfc028242c222a262e2129252d232b272f20a8a4aca2aaa6aeac4aa0300
             de7a56dc",
        );
        assert!(decode(CodecId::ZLIB, None, &stream, 305).is_err());
    }

    /// Streams of our encoders through libdeflate, which also checks the checksum.
    #[cfg(feature = "libdeflate")]
    #[test]
    fn libdeflate_reads_our_streams() {
        use libdeflater::Decompressor;
        let mut encoders: Vec<_> = (1..=9)
            .map(|level| oxiblosc_kernels::deflate::Deflate::new(Kernels::best(), level))
            .collect();
        let mut state = 1_u64;
        for case in 0_usize..600 {
            let (symbols, period) = (1 + case % 256, 1 + case * 7 % 911);
            let len = (case * case * 13) % 140_000;
            let src: Vec<u8> = (0..len)
                .map(|i| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let noise = usize::from(state.to_be_bytes()[1]) % symbols;
                    let (byte, [low, ..]) = (i / period, (i % period).to_le_bytes());
                    if byte % 3 == 0 {
                        noise.to_le_bytes()[0]
                    } else {
                        low
                    }
                })
                .collect();
            let mut stream = vec![0; len + len / 1000 + 64];
            let cbytes = encoders[case % 9].encode(&src, &mut stream).unwrap();
            let mut back = vec![1; len];
            let decoded = Decompressor::new().zlib_decompress(&stream[..cbytes], &mut back);
            assert_eq!(decoded, Ok(len), "case {case}");
            assert!(back == src, "case {case}");
        }
    }

    #[cfg(feature = "libdeflate")]
    proptest! {
        #[test]
        fn checksums_agree(src in content()) {
            for kernels in Kernels::available() {
                let found = kernels.adler32(&src);
                prop_assert_eq!(found, libdeflater::adler32(&src), "{}", kernels.isa());
            }
        }

        /// Our decoder against libdeflate on streams of every level, whole, damaged and cut.
        #[test]
        fn both_zlib_decoders_agree(
            src in content(),
            level in 0_i32..=12,
            flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
            cut in prop::option::of(any::<prop::sample::Index>()),
            room in 0_usize..40,
        ) {
            use libdeflater::{CompressionLvl, Compressor, Decompressor, adler32};
            let mut compressor = Compressor::new(CompressionLvl::new(level).unwrap());
            let mut stream = vec![0; compressor.zlib_compress_bound(src.len())];
            let len = compressor.zlib_compress(&src, &mut stream).unwrap();
            stream.truncate(len);
            for (at, byte) in &flips {
                let at = at.index(len);
                stream[at] ^= *byte;
            }
            if let Some(cut) = cut {
                stream.truncate(cut.index(len));
            }
            let mut own = oxiblosc_kernels::inflate::Inflate::new(Kernels::best());
            let (mut a, mut b) = (vec![0; src.len() + room], vec![1; src.len() + room]);
            let ours = own.decode(&stream, &mut a);
            let theirs = Decompressor::new().zlib_decompress(&stream, &mut b);
            if flips.is_empty() && cut.is_none() {
                prop_assert!(ours.is_ok());
            }
            if let Err(error) = &ours
                && !flips.is_empty()
                && error.to_string().contains("found none")
            {
                // A code of one symbol leaves a bit pattern without a meaning: libdeflate takes it
                // for the symbol, zlib refuses it as we do.
                return Ok(());
            }
            let ours = ours.ok().filter(|(len, sum)| adler32(&a[..*len]) == *sum);
            prop_assert_eq!(ours.map(|(len, _)| len), theirs.ok());
            if let Some((len, _)) = ours {
                prop_assert_eq!(&a[..len], &b[..len]);
                let wanted = len.saturating_sub(room);
                let mut front = vec![7; wanted];
                prop_assert_eq!(own.decode_prefix(&stream, &mut front), Ok(wanted));
                prop_assert_eq!(&front, &a[..wanted]);
            }
        }
    }

    #[test]
    fn a_wrong_checksum_is_refused() {
        let mut stream = unhex(DYNAMIC);
        *stream.last_mut().unwrap() ^= 1;
        assert!(decode(CodecId::ZLIB, None, &stream, 1000).is_err());
    }
}

/// `fox` by `ZSTD_compress` of the Zstandard 1.5.7 inside C-Blosc2 3.3.5, levels 1 and 22.
#[cfg(feature = "zstd-read")]
const FAST: &str = "28b52ffd6031000d0300540554686520717569636b2062726f776e20666f78206a756d7073206f
    76657220746865206c617a7920646f672e20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c
    1d1e1f20212223242526270200b854591a8394d203";
#[cfg(feature = "zstd-read")]
const BEST: &str = "28b52ffd603100150300640554686520717569636b2062726f776e20666f78206a756d7073206f
    76657220746865206c617a7920646f672e20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c
    1d1e1f2021222324252627000200b154591a8394d203";

#[cfg(feature = "zstd-read")]
mod zstd_read {
    use super::*;

    #[test]
    fn streams_are_read_whole_and_from_the_front() {
        let codec = find(None, CodecId::ZSTD).unwrap();
        let mut decoder = codec.decoder(&context(0, None)).unwrap();
        for stream in [FAST, BEST].map(unhex) {
            let mut whole = vec![1; 305];
            decoder.decode(&stream, &mut whole).unwrap();
            assert_eq!(whole, fox());
            assert!(decoder.decode(&stream, &mut whole[1..]).is_err());
            assert!(decoder.decode(&stream, &mut vec![1; 306]).is_err());
            for len in 0..=305 {
                let mut front = vec![1; len];
                assert!(decoder.decode_prefix(&stream, 305, &mut front).unwrap());
                assert_eq!(front, fox()[..len]);
            }
        }
    }

    #[cfg(not(feature = "zstd"))]
    #[test]
    fn other_levels_need_the_other_feature() {
        let codec = find(None, CodecId::ZSTD).unwrap();
        for clevel in 0..=9 {
            let encoder = codec.encoder(&context(clevel, None));
            assert_eq!(encoder.is_ok(), (4..=6).contains(&clevel), "{clevel}");
            if let Err(error) = encoder {
                let error = error.to_string();
                assert!(error.contains("needs the feature zstd"), "{error}");
            }
        }
        assert!(codec.encoder(&context(5, Some(&[1; 300]))).is_err());
        let cparams = crate::CParams::new(4).codec(CodecId::ZSTD);
        let data = fox().repeat(50);
        for (clevel, writes) in [(1, false), (4, true), (5, true), (6, true), (9, false)] {
            let written = crate::compress(&data, &cparams.clone().clevel(clevel));
            assert_eq!(written.is_ok(), writes, "{clevel}");
        }
        let with_dict = cparams.clevel(5).use_dict(true);
        let error = crate::compress(&data, &with_dict).unwrap_err().to_string();
        assert!(error.contains("needs the feature zstd"), "{error}");
    }
}

#[cfg(feature = "zstd")]
mod zstd {
    use super::*;

    #[test]
    fn bytes_are_those_of_c() {
        for (clevel, stream) in [(1, FAST), (3, FAST), (9, BEST)] {
            let stream = unhex(stream);
            assert_eq!(
                encode(CodecId::ZSTD, clevel, None, &fox()).unwrap(),
                stream,
                "{clevel}"
            );
            assert_eq!(decode(CodecId::ZSTD, None, &stream, 305).unwrap(), fox());
        }
    }

    /// A damaged stream that is read whole is read from the front, too.
    #[test]
    fn the_front_of_a_damaged_stream_is_read_if_the_whole_is() {
        let data = words(3000);
        let stream = encode(CodecId::ZSTD, 1, None, &data).unwrap();
        let codec = find(None, CodecId::ZSTD).unwrap();
        let mut decoder = codec.decoder(&context(0, None)).unwrap();
        let mut read = 0;
        for at in 0..stream.len() {
            for bit in 0..8 {
                let mut damaged = stream.clone();
                damaged[at] ^= 1 << bit;
                let mut whole = vec![0; data.len()];
                if decoder.decode(&damaged, &mut whole).is_err() {
                    continue;
                }
                read += 1;
                let mut front = vec![0; 1000];
                let is_read = decoder.decode_prefix(&damaged, damaged.len(), &mut front);
                assert!(is_read.unwrap(), "bit {bit} of byte {at}");
                assert_eq!(front, whole[..1000], "bit {bit} of byte {at}");
            }
        }
        assert!(read > 0, "no damaged stream is read");
    }

    /// The first stream of a chunk of `words(60000)` with blocks of 16384 bytes, without filter,
    /// with a dictionary, by C-Blosc2 3.3.5 at level 5.
    #[test]
    fn dictionary_streams_are_those_of_c_at_every_level() {
        let data = words(60_000);
        let dict = DictPlan::new(60_000, 4)
            .unwrap()
            .build(CodecId::ZSTD, &data, 4)
            .unwrap();
        for clevel in [1, 5, 9] {
            let stream = encode(CodecId::ZSTD, clevel, Some(&dict), &data[..16384]).unwrap();
            assert_eq!(
                (stream.len(), fnv(&stream)),
                (3920, 0x5740_DF7F_076E_1067),
                "{clevel}"
            );
        }
    }

    #[test]
    fn a_damaged_dictionary_is_refused() {
        let mut dict = vec![0xFF; 300];
        dict[..4].copy_from_slice(&[0x37, 0xA4, 0x30, 0xEC]);
        let codec = find(None, CodecId::ZSTD).unwrap();
        assert!(codec.decoder(&context(0, Some(&dict))).is_err());
        assert!(codec.encoder(&context(5, Some(&dict))).is_err());
    }
}

/// Dictionaries of the same chunk, by C-Blosc2 3.3.5, with 15 and 4 blocks.
#[test]
fn dictionaries_are_those_of_c() {
    let data = words(60_000);
    for (id, nblocks, hash) in [
        (CodecId::LZ4, 15, 0xC58B_3C4A_D5B0_6D94),
        (CodecId::LZ4, 4, 0xBFC2_F549_EEDA_5BCB),
        (CodecId::LZ4HC, 4, 0xBFC2_F549_EEDA_5BCB),
        #[cfg(feature = "zstd")]
        (CodecId::ZSTD, 15, 0xD2A7_369A_EBA2_85C7),
        #[cfg(feature = "zstd")]
        (CodecId::ZSTD, 4, 0xCDCA_2095_3526_6EEC),
    ] {
        let dict = DictPlan::new(data.len(), nblocks)
            .unwrap()
            .build(id, &data, nblocks)
            .unwrap();
        assert_eq!(
            (dict.len(), fnv(&dict)),
            (3000, hash),
            "{id}, {nblocks} blocks"
        );
    }
}

#[test]
fn small_or_wrong_chunks_have_no_dictionary() {
    assert_eq!(DictPlan::new(256 * 20 - 1, 1), None);
    assert!(DictPlan::new(256 * 20, 1).is_some());
    assert_eq!(DictPlan::new(100_000, 100_000), None);
    let data = words(10_000);
    let plan = DictPlan::new(10_000, 8).unwrap();
    assert_eq!(plan.build(CodecId::BLOSCLZ, &data, 8), None);
    assert_eq!(plan.build(CodecId::ZLIB, &data, 8), None);
    assert_eq!(plan.build(CodecId::LZ4, &data[..100], 8), None);
    assert_eq!(plan.build(CodecId::ZSTD, &[], 8), None);
    assert_eq!(build_vlblocks(CodecId::LZ4, &data, &[10_000]), None);
    assert_eq!(
        build_vlblocks(CodecId::LZ4, &data, &[1250; 8])
            .unwrap()
            .len(),
        500
    );
    assert_eq!(build_vlblocks(CodecId::ZSTD, &data, &[usize::MAX; 8]), None);
    assert_eq!(build_vlblocks(CodecId::LZ4, &[], &[]), None);
}

#[cfg(feature = "snappy")]
#[test]
fn snappy_is_read_and_written() {
    // Nine bytes: a literal of three, a copy of six from three back.
    let stream = [9, 0x08, b'a', b'b', b'c', 0x09, 3];
    assert_eq!(
        decode(CodecId::SNAPPY, None, &stream, 9).unwrap(),
        b"abcabcabc"
    );
    assert!(decode(CodecId::SNAPPY, None, &stream, 10).is_err());
    let codec = find(None, CodecId::SNAPPY).unwrap();
    assert!(codec.encoder(&context(5, Some(b"dictionary"))).is_err());
    let mut encoder = codec.encoder(&context(5, None)).unwrap();
    let mut written = [0; 7];
    assert_eq!(encoder.encode(&[7; 1000], &mut []).unwrap(), None);
    assert_eq!(encoder.encode(b"abcdefghi", &mut written).unwrap(), None);
    assert_eq!(encoder.encode(b"abc", &mut written).unwrap(), Some(5));
    assert_eq!(written[..5], [3, 0x08, b'a', b'b', b'c']);
}

#[test]
fn stream_formats_and_codecs() {
    for (codec, format) in [
        (0, 0),
        (1, 1),
        (2, 1),
        (3, 2),
        (4, 3),
        (5, 4),
        (32, 6),
        (255, 6),
    ] {
        assert_eq!(CodecId::new(codec).compformat(), Some(format));
        let back = CodecId::from_compformat(format, codec).unwrap().get();
        assert_eq!(back, if codec == 2 { 1 } else { codec });
    }
    assert_eq!(CodecId::new(6).compformat(), None);
    assert_eq!(CodecId::from_compformat(5, 5), None);
    assert_eq!(CodecId::from_compformat(6, 31), None);
    assert_eq!(CodecId::from_compformat(7, 200), None);
}

/// Something that compresses: pieces of few letters, of repeats, of noise.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        (any::<u8>(), 1_usize..300).prop_map(|(byte, n)| vec![byte; n]),
        prop::collection::vec(0_u8..4, 1..200),
        prop::collection::vec(any::<u8>(), 1..50),
        (prop::collection::vec(any::<u8>(), 1..20), 1_usize..40).prop_map(|(p, n)| p.repeat(n)),
    ];
    prop::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn streams_round_trip_within_their_limit(
        src in content(),
        before in content(),
        clevel in 0_u8..=9,
        room in 0_usize..4000,
        with_dict: bool,
    ) {
        let dict = words(1000);
        for codec in codecs() {
            let has_dicts = matches!(codec.id(), CodecId::LZ4 | CodecId::LZ4HC | CodecId::ZSTD);
            let dict = (with_dict && has_dicts).then_some(&dict[..]);
            let Ok(mut encoder) = codec.encoder(&context(clevel, dict)) else {
                let is_read = codec.id() == CodecId::ZSTD && !cfg!(feature = "zstd");
                prop_assert!(is_read || codec.id() == CodecId::SNAPPY);
                continue;
            };
            let mut decoder = codec.decoder(&context(0, dict)).unwrap();
            let mut dst = vec![0; src.len() + 300];
            let whole = encoder.encode(&src, &mut dst).unwrap();
            if let Some(len) = whole {
                let mut back = vec![1; src.len()];
                decoder.decode(&dst[..len], &mut back).unwrap();
                prop_assert_eq!(&back, &src);
                // The front of a stream, by codecs that can stop.
                let front = room.min(src.len());
                if decoder.decode_prefix(&dst[..len], src.len(), &mut back[..front]).unwrap() {
                    prop_assert_eq!(&back[..front], &src[..front]);
                }
                // The same with more bytes after both, which makes no difference.
                let mut room = vec![2; src.len() + 128];
                let sizes = (src.len(), front);
                if decoder.decode_front(&dst, len, &mut room, sizes).unwrap() {
                    prop_assert_eq!(&room[..front], &src[..front]);
                }
                // One byte more or less than the stream holds is an error.
                prop_assert!(decoder.decode(&dst[..len], &mut vec![0; src.len() + 1]).is_err());
                prop_assert!(decoder.decode(&dst[..len], &mut vec![0; src.len() - 1]).is_err());
            }
            // What was encoded before makes no difference, and a tight limit holds.
            let _ = encoder.encode(&before, &mut vec![0; before.len()]);
            let mut again = vec![0; src.len() + 300];
            prop_assert_eq!(encoder.encode(&src, &mut again).unwrap(), whole);
            prop_assert_eq!(&again[..whole.unwrap_or(0)], &dst[..whole.unwrap_or(0)]);
            let mut tight = vec![0xEE; room + 1];
            if let Some(len) = encoder.encode(&src, &mut tight[..room]).unwrap() {
                prop_assert!(len <= room);
                let mut back = vec![1; src.len()];
                decoder.decode(&tight[..len], &mut back).unwrap();
                prop_assert_eq!(&back, &src);
            }
            prop_assert_eq!(tight[room], 0xEE);
        }
    }

    /// Damaged streams end with an error or with the same bytes whatever was there before.
    #[test]
    fn hostile_streams_never_panic(
        src in content(),
        clevel in 1_u8..=9,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 0..100),
        short in 0_usize..20,
    ) {
        for codec in codecs() {
            let mut stream = encode_or(codec, clevel, &src).unwrap_or_else(|| noise.clone());
            for (at, byte) in &flips {
                if !stream.is_empty() {
                    let at = at.index(stream.len());
                    stream[at] = *byte;
                }
            }
            stream.truncate(cut.index(stream.len() + 1).max(stream.len().saturating_sub(5)));
            for stream in [&stream, &noise] {
                let mut decoder = codec.decoder(&context(0, None)).unwrap();
                let len = src.len().saturating_sub(short);
                let (mut a, mut b) = (vec![0; len], vec![0xFF; len]);
                let first = decoder.decode(stream, &mut a);
                let second = decoder.decode(stream, &mut b);
                prop_assert_eq!(first.is_ok(), second.is_ok());
                if first.is_ok() {
                    prop_assert_eq!(&a, &b);
                }
                let _ = decoder.decode_prefix(stream, len, &mut a[..len / 2]);
                let csize = stream.len().saturating_sub(short);
                let _ = decoder.decode_front(stream, csize, &mut b, (len, len / 2));
            }
        }
    }
}

/// The stream of a codec that writes any.
fn encode_or(codec: &dyn Codec, clevel: u8, src: &[u8]) -> Option<Vec<u8>> {
    codec.encoder(&context(clevel, None)).ok()?;
    encode(codec.id(), clevel, None, src)
}
