//! The codecs against the one that zarrs has built in, and against whole reads.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use zarrs::array::codec::BloscCodec as BuiltIn;
use zarrs::array::codec::api::{
    ArrayToBytesCodecTraits, BytesPartialDecoderTraits, BytesToBytesCodecTraits, Codec, CodecError,
    CodecOptions,
};
use zarrs::array::{ArrayBytes, ArrayBytesRaw, ArraySubset, BytesRepresentation, data_type};
use zarrs::metadata::v3::MetadataV3;
use zarrs::metadata_ext::codec::blosc::BloscCodecConfiguration;
use zarrs::storage::StorageError;
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs_oxiblosc::{B2ndChunkCodec, B2ndChunkConfiguration, BloscCodec, Endian};

const CODECS: [&str; 6] = ["blosclz", "lz4", "lz4hc", "zlib", "zstd", "snappy"];
const SHUFFLES: [&str; 3] = ["noshuffle", "shuffle", "bitshuffle"];

fn configuration(
    cname: &str,
    clevel: u8,
    shuffle: &str,
    typesize: usize,
    blocksize: usize,
) -> BloscCodecConfiguration {
    let json = format!(
        r#"{{"cname": "{cname}", "clevel": {clevel}, "shuffle": "{shuffle}",
            "typesize": {typesize}, "blocksize": {blocksize}}}"#
    );
    serde_json::from_str(&json).unwrap()
}

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n.max(1)).unwrap()).unwrap()
    }
}

/// Numbers that go up and have noise in their low bits.
fn data(nitems: usize, typesize: usize, seed: u64) -> Vec<u8> {
    let mut rng = Numbers(seed | 1);
    let mut data = Vec::with_capacity(nitems * typesize);
    for n in 0..nitems {
        let number = u64::try_from(n).unwrap() * 20 + rng.next() % 7;
        let bytes = number.to_le_bytes();
        data.extend((0..typesize).map(|at| bytes[at % 8]));
    }
    data
}

/// A chunk that notes what is read of it.
struct Noted {
    chunk: Vec<u8>,
    reads: Mutex<Vec<Vec<Range<u64>>>>,
}

impl Noted {
    fn new(chunk: &[u8]) -> Arc<Self> {
        Arc::new(Self {
            chunk: chunk.to_vec(),
            reads: Mutex::default(),
        })
    }

    fn take_reads(&self) -> Vec<Vec<Range<u64>>> {
        std::mem::take(&mut self.reads.lock().unwrap())
    }
}

impl BytesPartialDecoderTraits for Noted {
    fn exists(&self) -> Result<bool, StorageError> {
        Ok(true)
    }

    fn size_held(&self) -> usize {
        self.chunk.len()
    }

    fn partial_decode_many(
        &self,
        regions: ByteRangeIterator<'_>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'_>>>, CodecError> {
        let size = u64::try_from(self.chunk.len()).unwrap();
        let regions: Vec<ByteRange> = regions.collect();
        let ranges = regions.iter().map(|region| region.to_range(size)).collect();
        self.reads.lock().unwrap().push(ranges);
        let chunk: Cow<'static, [u8]> = Cow::Owned(self.chunk.clone());
        let read = chunk.partial_decode_many(Box::new(regions.into_iter()), options)?;
        let owned = |all: Vec<ArrayBytesRaw<'_>>| {
            all.into_iter()
                .map(|bytes| Cow::Owned(bytes.into_owned()))
                .collect()
        };
        Ok(read.map(owned))
    }

    fn supports_partial_decode(&self) -> bool {
        true
    }
}

#[test]
fn chunks_of_both_codecs_are_read_by_both() {
    let options = CodecOptions::default().with_concurrent_target(1);
    for cname in CODECS {
        for shuffle in SHUFFLES {
            for (typesize, nitems, clevel, blocksize) in [
                (1, 100_000, 5, 0),
                (2, 70_001, 1, 0),
                (4, 100_000, 9, 8192),
                (8, 3, 5, 0),
                (8, 60_000, 0, 0),
                (12, 9000, 5, 0),
                (300, 500, 5, 0),
            ] {
                let name = format!("{cname} {shuffle} {typesize} x {nitems}, level {clevel}");
                let stated = configuration(cname, clevel, shuffle, typesize, blocksize);
                let ours = BloscCodec::new(&stated).unwrap();
                let theirs = BuiltIn::new_with_configuration(&stated).unwrap();
                let data = data(nitems, typesize, 3);
                let size = BytesRepresentation::FixedSize(u64::try_from(data.len()).unwrap());
                let chunk = theirs.encode(Cow::Borrowed(&data), &options).unwrap();
                assert_eq!(
                    ours.decode(chunk, &size, &options).unwrap(),
                    data,
                    "{name}: read"
                );
                let chunk = ours.encode(Cow::Borrowed(&data), &options).unwrap();
                let most = ours.encoded_representation(&size).size().unwrap();
                assert!(u64::try_from(chunk.len()).unwrap() <= most, "{name}");
                let back = theirs.decode(chunk, &size, &options).unwrap();
                assert_eq!(back, data, "{name}: written");
            }
        }
    }
}

#[test]
fn parts_are_those_of_the_whole_in_two_reads() {
    let options = CodecOptions::default().with_concurrent_target(1);
    let mut rng = Numbers(7);
    for cname in CODECS {
        for (shuffle, typesize, blocksize) in [
            ("shuffle", 4, 0),
            ("bitshuffle", 8, 0),
            ("noshuffle", 1, 65536),
            ("shuffle", 2, 4096),
        ] {
            let stated = configuration(cname, 5, shuffle, typesize, blocksize);
            let ours = Arc::new(BloscCodec::new(&stated).unwrap());
            let data = data(4_000_000 / typesize, typesize, 5);
            let theirs = BuiltIn::new_with_configuration(&stated).unwrap();
            let chunk = theirs
                .encode(Cow::Borrowed(&data), &options)
                .unwrap()
                .into_owned();
            let size = BytesRepresentation::FixedSize(u64::try_from(data.len()).unwrap());
            let noted = Noted::new(&chunk);
            let part = Arc::clone(&ours)
                .partial_decoder(Arc::<Noted>::clone(&noted), &size, &options)
                .unwrap();
            for round in 0..20 {
                let count = 1 + rng.below(3);
                let ranges: Vec<Range<usize>> = (0..count)
                    .map(|_| {
                        let start = rng.below(data.len());
                        start..(start + rng.below(20_000)).min(data.len())
                    })
                    .collect();
                let wide = |at: usize| u64::try_from(at).unwrap();
                let asked: Vec<ByteRange> = ranges
                    .iter()
                    .map(|one| ByteRange::new(wide(one.start)..wide(one.end)))
                    .collect();
                let got = part
                    .partial_decode_many(Box::new(asked.into_iter()), &options)
                    .unwrap()
                    .unwrap();
                for (bytes, range) in got.iter().zip(&ranges) {
                    assert_eq!(
                        **bytes,
                        data[range.clone()],
                        "{cname} {shuffle} round {round}"
                    );
                }
                assert_eq!(got.len(), ranges.len());
                let reads = noted.take_reads();
                assert!(reads.len() <= 3, "{cname} {shuffle}: {reads:?}");
                // One short range: the front, its block (or two).
                if count == 1 && ranges[0].len() > 100 && cname != "zlib" {
                    let fetched: u64 = reads
                        .iter()
                        .flatten()
                        .map(|range| range.end - range.start)
                        .sum();
                    let chunk = wide(chunk.len());
                    assert!(
                        fetched < chunk,
                        "{cname} {shuffle}: {fetched} of {chunk}: {reads:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn short_chunks_suffixes_and_damage() {
    let options = CodecOptions::default();
    let stated = configuration("zstd", 5, "shuffle", 8, 0);
    let ours = Arc::new(BloscCodec::new(&stated).unwrap());
    // A chunk that is shorter than the first request.
    let data = vec![0; 4_000_000];
    let chunk = ours
        .encode(Cow::Borrowed(&data), &options)
        .unwrap()
        .into_owned();
    let size = BytesRepresentation::FixedSize(4_000_000);
    let part = |chunk: &[u8], size: BytesRepresentation| {
        let noted = Noted::new(chunk);
        Arc::clone(&ours)
            .partial_decoder(noted, &size, &options)
            .unwrap()
    };
    for size in [
        size,
        BytesRepresentation::BoundedSize(5_000_000),
        BytesRepresentation::UnboundedSize,
    ] {
        let part = part(&chunk, size);
        let got = part.partial_decode(ByteRange::Suffix(10), &options);
        assert_eq!(*got.unwrap().unwrap(), [0; 10]);
        let got = part.partial_decode(ByteRange::FromStart(9, Some(2)), &options);
        assert_eq!(*got.unwrap().unwrap(), [0; 2]);
        let beyond = ByteRange::FromStart(3_999_999, Some(2));
        assert!(part.partial_decode(beyond, &options).is_err());
    }
    // A chunk of another size than its place has.
    let other = BytesRepresentation::FixedSize(3_999_992);
    let error = ours
        .decode(Cow::Borrowed(&chunk), &other, &options)
        .unwrap_err();
    assert!(error.to_string().contains("nbytes is 4000000"), "{error}");
    let part_of_other = part(&chunk, other);
    let first = ByteRange::FromStart(0, Some(1));
    assert!(part_of_other.partial_decode(first, &options).is_err());
    // Any damage is an error or other data, and no panic.
    let noise = self::data(500_000, 8, 9);
    let chunk = ours
        .encode(Cow::Borrowed(&noise), &options)
        .unwrap()
        .into_owned();
    let mut rng = Numbers(11);
    for _ in 0..200 {
        let mut chunk = chunk.clone();
        let at = if rng.below(2) == 0 {
            rng.below(200)
        } else {
            rng.below(chunk.len())
        };
        chunk[at] ^= 1 << rng.below(8);
        chunk.truncate(if rng.below(4) == 0 {
            rng.below(chunk.len())
        } else {
            chunk.len()
        });
        let start = u64::try_from(rng.below(3_900_000)).unwrap();
        let _ = part(&chunk, size).partial_decode(ByteRange::FromStart(start, Some(90)), &options);
        let _ = ours.decode(Cow::Owned(chunk), &size, &options);
    }
}

#[test]
fn any_thread_budget_gives_the_same_chunk() {
    let data = data(1_000_000, 4, 1);
    let stated = configuration("lz4", 5, "shuffle", 4, 0);
    let ours = BloscCodec::new(&stated).unwrap();
    let size = BytesRepresentation::FixedSize(4_000_000);
    assert!(ours.recommended_concurrency(&size).unwrap().max() > 1);
    let encode = |threads: usize| {
        let options = CodecOptions::default().with_concurrent_target(threads);
        let chunk = ours
            .encode(Cow::Borrowed(&data), &options)
            .unwrap()
            .into_owned();
        assert_eq!(
            ours.decode(Cow::Borrowed(&chunk), &size, &options).unwrap(),
            data
        );
        chunk
    };
    let alone = encode(1);
    for threads in [0, 2, 5] {
        assert_eq!(encode(threads), alone, "{threads} threads");
    }
}

#[test]
fn installed_codecs_are_those_of_this_crate_and_keep_their_metadata() {
    zarrs_oxiblosc::install();
    zarrs_oxiblosc::install();
    let options = Default::default();
    for json in [
        r#"{"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5,
            "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}"#,
        r#"{"name": "numcodecs.blosc", "configuration": {"cname": "zstd", "clevel": 3,
            "shuffle": 2, "blocksize": 0, "typesize": 8}}"#,
    ] {
        let metadata = MetadataV3::try_from(json).unwrap();
        let Codec::BytesToBytes(codec) = Codec::from_metadata(&metadata).unwrap() else {
            panic!("{json}")
        };
        assert!(codec.as_any().is::<BloscCodec>(), "{json}");
        assert_eq!(codec.name_v3().unwrap(), metadata.name());
        assert_eq!(
            codec.configuration_v3(&options).as_ref(),
            metadata.configuration()
        );
    }
    let json = r#"{"name": "oxiblosc.b2nd_chunk", "configuration": {"blocks": [3, 4]}}"#;
    let codec = Codec::from_metadata(&MetadataV3::try_from(json).unwrap()).unwrap();
    assert!(matches!(codec, Codec::ArrayToBytes(_)));
    for wrong in [
        r#"{"blocks": [3], "typo": 1}"#,
        r#"{"blocks": [3], "codec": "nothing"}"#,
        r#"{"blocks": [3], "clevel": 10}"#,
        r#"{"blocks": [3], "filters": ["shuffle", "sort"]}"#,
        r#"{"codec": "lz4"}"#,
    ] {
        let json = format!(r#"{{"name": "oxiblosc.b2nd_chunk", "configuration": {wrong}}}"#);
        let metadata = MetadataV3::try_from(json.as_str()).unwrap();
        assert!(Codec::from_metadata(&metadata).is_err(), "{wrong}");
    }
}

fn lens(lens: &[u64]) -> Vec<NonZeroU64> {
    lens.iter()
        .map(|&len| NonZeroU64::new(len).unwrap())
        .collect()
}

#[test]
fn boxes_of_b2nd_chunks_are_read_by_their_blocks() {
    let options = CodecOptions::default().with_concurrent_target(1);
    let shape = lens(&[300, 500]);
    let data = data(150_000, 4, 2);
    let fill = 0_u32.into();
    let dtype = data_type::uint32();
    for endian in [Endian::Little, Endian::Big] {
        for codec in ["blosclz", "lz4", "zstd"] {
            let mut stated = B2ndChunkConfiguration::new([64, 64]);
            stated.codec = codec.to_owned();
            stated.endian = endian;
            let codec = Arc::new(B2ndChunkCodec::new(stated).unwrap());
            let bytes = ArrayBytes::new_flen(Cow::Borrowed(data.as_slice()));
            let chunk = codec
                .encode(bytes, &shape, &dtype, &fill, &options)
                .unwrap()
                .into_owned();
            let whole = codec
                .decode(Cow::Borrowed(&chunk), &shape, &dtype, &fill, &options)
                .unwrap();
            assert_eq!(*whole.into_fixed().unwrap(), data[..]);
            let noted = Noted::new(&chunk);
            let input = Arc::<Noted>::clone(&noted);
            let part = Arc::clone(&codec)
                .partial_decoder(input, &shape, &dtype, &fill, &options)
                .unwrap();
            let mut rng = Numbers(3);
            for _ in 0..60 {
                let range = |rng: &mut Numbers, len: usize| {
                    let start = rng.below(len);
                    start..start + 1 + rng.below(len - start)
                };
                let (rows, columns) = (range(&mut rng, 300), range(&mut rng, 500));
                let wide = |range: &Range<usize>| {
                    u64::try_from(range.start).unwrap()..u64::try_from(range.end).unwrap()
                };
                let subset = ArraySubset::new_with_ranges(&[wide(&rows), wide(&columns)]);
                let got = part
                    .partial_decode(&subset, &options)
                    .unwrap()
                    .into_fixed()
                    .unwrap();
                let right: Vec<u8> = rows
                    .clone()
                    .flat_map(|row| {
                        let at = 4 * (row * 500 + columns.start);
                        data[at..at + 4 * columns.len()].to_vec()
                    })
                    .collect();
                assert_eq!(*got, right[..], "{rows:?} {columns:?}");
            }
            noted.take_reads();
            // One block, in two reads.
            let subset = ArraySubset::new_with_ranges(&[64..70, 130..140]);
            part.partial_decode(&subset, &options).unwrap();
            let reads = noted.take_reads();
            assert_eq!(reads.len(), 2, "{reads:?}");
            let fetched: u64 = reads
                .iter()
                .flatten()
                .map(|range| range.end - range.start)
                .sum();
            assert!(
                fetched * 4 < u64::try_from(chunk.len()).unwrap(),
                "{reads:?}"
            );
        }
    }
}

#[test]
fn b2nd_chunks_that_do_not_fit_are_refused() {
    let options = CodecOptions::default();
    let fill = 0_u32.into();
    let dtype = data_type::uint32();
    let codec = B2ndChunkCodec::new(B2ndChunkConfiguration::new([10, 10])).unwrap();
    let shape = lens(&[20, 30]);
    let bytes = vec![1; 2400];
    let encode = |codec: &B2ndChunkCodec, shape: &[NonZeroU64]| {
        codec
            .encode(
                ArrayBytes::new_flen(bytes.clone()),
                shape,
                &dtype,
                &fill,
                &options,
            )
            .map(Cow::into_owned)
    };
    let chunk = encode(&codec, &shape).unwrap();
    let decode = |codec: &B2ndChunkCodec, shape: &[NonZeroU64]| {
        codec
            .decode(Cow::Borrowed(&chunk), shape, &dtype, &fill, &options)
            .map(|_| ())
    };
    assert!(decode(&codec, &shape).is_ok());
    // Other blocks, another shape, more axes, larger blocks than the chunk.
    let other = B2ndChunkCodec::new(B2ndChunkConfiguration::new([20, 5])).unwrap();
    let error = decode(&other, &lens(&[40, 30])).unwrap_err();
    assert!(error.to_string().contains("nbytes"), "{error}");
    let other = B2ndChunkCodec::new(B2ndChunkConfiguration::new([5, 10])).unwrap();
    let error = decode(&other, &shape).unwrap_err();
    assert!(error.to_string().contains("blocksize"), "{error}");
    let other = B2ndChunkCodec::new(B2ndChunkConfiguration::new([10])).unwrap();
    assert!(decode(&other, &shape).is_err());
    let other = B2ndChunkCodec::new(B2ndChunkConfiguration::new([21, 10])).unwrap();
    assert!(encode(&other, &shape).is_err());
    let strings = data_type::string();
    assert!(
        codec
            .encoded_representation(&shape, &strings, &"".into())
            .is_err()
    );
}

#[cfg(feature = "async")]
#[test]
fn asynchronous_reads_are_the_same() {
    use zarrs::array::codec::api::AsyncBytesPartialDecoderTraits;

    let options = CodecOptions::default();
    let stated = configuration("lz4", 5, "shuffle", 4, 0);
    let codec = Arc::new(BloscCodec::new(&stated).unwrap());
    let data = data(1_000_000, 4, 5);
    let chunk = codec
        .encode(Cow::Borrowed(&data), &options)
        .unwrap()
        .into_owned();
    let input: Arc<dyn AsyncBytesPartialDecoderTraits> = Arc::new(chunk);
    let size = BytesRepresentation::FixedSize(4_000_000);
    futures::executor::block_on(async {
        let part = codec
            .async_partial_decoder(input, &size, &options)
            .await
            .unwrap();
        let range = ByteRange::new(1_000_003..1_000_103);
        let got = part.partial_decode(range, &options).await.unwrap().unwrap();
        assert_eq!(*got, data[1_000_003..1_000_103]);
    });

    let shape = lens(&[1000, 1000]);
    let (dtype, fill) = (data_type::uint32(), 0_u32.into());
    let codec = Arc::new(B2ndChunkCodec::new(B2ndChunkConfiguration::new([64, 64])).unwrap());
    let bytes = ArrayBytes::new_flen(Cow::Borrowed(data.as_slice()));
    let chunk = codec
        .encode(bytes, &shape, &dtype, &fill, &options)
        .unwrap()
        .into_owned();
    let input: Arc<dyn AsyncBytesPartialDecoderTraits> = Arc::new(chunk);
    futures::executor::block_on(async {
        let part = codec.async_partial_decoder(input, &shape, &dtype, &fill, &options);
        let part = part.await.unwrap();
        let subset = ArraySubset::new_with_ranges(&[7..9, 3..4]);
        let got = part
            .partial_decode(&subset, &options)
            .await
            .unwrap()
            .into_fixed()
            .unwrap();
        assert_eq!(got[..4], data[4 * 7003..4 * 7004]);
        assert_eq!(got[4..], data[4 * 8003..4 * 8004]);
    });
}
