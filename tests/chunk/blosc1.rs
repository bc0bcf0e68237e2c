//! Chunks for Blosc1: its block sizes, and Snappy, which it alone has.

use crate::common::{KINDS, Rng, data};
use oxiblosc::{CParams, ChunkEncoder, ChunkHeader, CodecId, FilterSlot, SplitMode, decompress};

/// A codec that this build writes.
fn codec(name: &str) -> Option<CodecId> {
    let is_written = match name {
        "lz4" | "lz4hc" => cfg!(feature = "lz4"),
        "snappy" => cfg!(feature = "snappy"),
        "zlib" => cfg!(feature = "zlib"),
        "zstd" => cfg!(feature = "zstd"),
        _ => true,
    };
    match name {
        "snappy" => Some(CodecId::SNAPPY),
        _ => CodecId::from_name(name),
    }
    .filter(|_| is_written)
}

/// A row of the table of C-Blosc 1.21.3, whose columns tests/data/README.md names.
struct Row<'a> {
    mode: SplitMode,
    codec: &'a str,
    typesize: usize,
    nbytes: usize,
    cells: [&'a str; 10],
}

fn row(line: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = line.split('\t').collect();
    let (front, cells) = cells.split_at_checked(4)?;
    let number = |at: usize| front[at].parse().ok();
    Some(Row {
        mode: match front[0] {
            "always" => SplitMode::Always,
            "never" => SplitMode::Never,
            "auto" => SplitMode::Auto,
            "forward" => SplitMode::ForwardCompat,
            _ => return None,
        },
        codec: front[1],
        typesize: number(2)?,
        nbytes: number(3)?,
        cells: cells.try_into().ok()?,
    })
}

#[test]
fn automatic_block_sizes_are_those_of_blosc1() {
    let zeros = vec![0; 70_001];
    let (mut compared, mut written) = (0, 0);
    let table = include_str!("../data/blosc1_block_sizes.tsv");
    for line in table.lines().skip(2) {
        let row = row(line).unwrap();
        let Some(codec) = codec(row.codec) else {
            continue;
        };
        for (clevel, cell) in (0..10).zip(row.cells) {
            let blocksize: usize = cell.trim_end_matches('s').parse().unwrap();
            let split = cell.ends_with('s');
            let cparams = CParams::new(row.typesize)
                .codec(codec)
                .clevel(clevel)
                .split_mode(row.mode);
            let name = format!("{} bytes, {cparams:?}", row.nbytes);
            let mut encoder = ChunkEncoder::for_blosc1(cparams).unwrap();
            let ours = encoder.blocksize_for_blosc1(row.nbytes);
            // Readers before 1.11 take these for unsplit.
            let impossible = row.mode == SplitMode::Always && row.typesize > 16;
            if impossible {
                assert!(split && ours <= blocksize, "{name}");
            } else {
                assert_eq!(ours, blocksize, "{name}");
            }
            compared += 1;
            let Some(zeros) = zeros.get(..row.nbytes) else {
                continue;
            };
            let chunk = encoder.encode_blosc1(zeros).unwrap();
            let header = ChunkHeader::parse(&chunk).unwrap();
            assert_eq!(header.blocksize as usize, ours, "{name}");
            if !header.is_memcpyed() {
                assert_eq!(chunk[2] & 0x10 == 0, split, "{name}");
                written += 1;
            }
        }
    }
    let names = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];
    let codecs = names.into_iter().filter_map(codec).count();
    assert_eq!(compared, codecs * 1150);
    assert!(written >= codecs * 200, "{written}");
    println!("{compared} block sizes, {written} chunks");
}

#[test]
fn a_block_size_that_is_asked_for_stays() {
    let cparams = CParams::new(4).blocksize(Some(1001));
    let encoder = ChunkEncoder::for_blosc1(cparams).unwrap();
    assert_eq!(encoder.blocksize_for_blosc1(100_000), 1000);
    assert_eq!(encoder.blocksize_for_blosc1(500), 500);
    assert_eq!(encoder.blocksize_for_blosc1(0), 1);
}

/// The streams of Blosc2 chunks have the bytes of C; those of Blosc1 are tried after a look at
/// samples.
#[test]
fn fewer_streams_are_tried_with_blosclz_and_chunks_are_no_larger() {
    const BLOCK: usize = 262_144;
    for typesize in [1, 2, 4, 8] {
        for kind in 0..KINDS {
            for filter in [
                FilterSlot::NONE,
                FilterSlot::SHUFFLE,
                FilterSlot::BITSHUFFLE,
            ] {
                let mut src = data(kind, typesize, 1_000_000, 3);
                // Noise in the lowest byte.
                let mut rng = Rng(8);
                src.iter_mut()
                    .step_by(typesize)
                    .for_each(|byte| *byte ^= rng.byte() & 63);
                let cparams = CParams::new(typesize)
                    .filters([filter])
                    .blocksize(Some(BLOCK))
                    .split_mode(SplitMode::Always);
                let mut encoder = ChunkEncoder::new(cparams).unwrap();
                let blosc1 = encoder.encode_blosc1(&src).unwrap();
                assert!(decompress(&blosc1).unwrap() == src, "{typesize} {kind}");
                let blosc2 = encoder.encode(&src).unwrap();
                // Blosc1 has no runs: a stream of one value has a byte for each 255 of them.
                let runs = src.len().div_ceil(BLOCK) * (BLOCK / 255 + 20 * typesize);
                assert!(
                    blosc1.len() <= blosc2.len() + blosc2.len() / 200 + runs,
                    "{typesize} {kind} {filter:?}: {} {}",
                    blosc1.len(),
                    blosc2.len()
                );
            }
        }
    }
}

/// Planes of bits of which the last compress, and those that BloscLZ looks at do not: a walk.
#[test]
fn a_stream_is_tried_where_a_part_of_it_compresses() {
    let mut rng = Rng(5);
    let mut value = 0_i32;
    let src: Vec<u8> = std::iter::repeat_with(|| {
        value += i32::from(rng.byte() % 7) - 3;
        value.to_le_bytes()
    })
    .take(1 << 19)
    .flatten()
    .collect();
    for clevel in 1..=9 {
        let cparams = CParams::new(4)
            .clevel(clevel)
            .filters([FilterSlot::BITSHUFFLE]);
        let mut encoder = ChunkEncoder::new(cparams).unwrap();
        let chunk = encoder.encode_blosc1(&src).unwrap();
        assert!(decompress(&chunk).unwrap() == src, "{clevel}");
        // C-Blosc 1.21.6 writes 388,662 to 404,265 bytes of such walks.
        assert!(chunk.len() < 410_000, "{clevel}: {}", chunk.len());
        // What else the encoder wrote changes nothing.
        let blosc2 = encoder.encode(&src).unwrap();
        assert!(encoder.encode_blosc1(&src).unwrap() == chunk, "{clevel}");
        assert!(encoder.encode(&src).unwrap() == blosc2, "{clevel}");
    }
}

#[cfg(feature = "snappy")]
mod snappy {
    use super::*;
    use oxiblosc::{ChunkDecoder, ErrorKind};

    #[test]
    fn chunks_come_back_and_compress() {
        let mut decoder = ChunkDecoder::default();
        for index in 0..300 {
            let mut rng = Rng(index);
            let typesize = rng.pick(&[1, 2, 4, 7, 8, 16, 17]);
            let most = rng.pick(&[40, 500, 5000, 200_000]);
            let len = rng.below(most);
            let src = data(rng.below(KINDS), typesize, len, index);
            let filter = rng.pick(&[
                FilterSlot::NONE,
                FilterSlot::SHUFFLE,
                FilterSlot::BITSHUFFLE,
            ]);
            let cparams = CParams::new(typesize)
                .codec(CodecId::SNAPPY)
                .clevel(rng.pick(&[0, 1, 5, 9]))
                .filters([filter]);
            let name = format!("case {index}: {len} bytes, {cparams:?}");
            let mut encoder = ChunkEncoder::for_blosc1(cparams.clone()).unwrap();
            let chunk = encoder.encode_blosc1(&src).expect(&name);
            assert!(chunk.len() <= src.len() + 16, "{name}");
            assert!(decoder.decode(&chunk).expect(&name) == src, "{name}");
            // The tables that the encoder keeps leave no trace in the next chunk.
            let mut fresh = ChunkEncoder::for_blosc1(cparams).unwrap();
            encoder.encode_blosc1(&src[..len / 2]).expect(&name);
            let again = encoder.encode_blosc1(&src).expect(&name);
            assert!(again == chunk, "{name}");
            assert!(fresh.encode_blosc1(&src).expect(&name) == chunk, "{name}");
        }
        let ramp: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let cparams = CParams::new(4).codec(CodecId::SNAPPY);
        let chunk = ChunkEncoder::for_blosc1(cparams)
            .and_then(|mut encoder| encoder.encode_blosc1(&ramp))
            .unwrap();
        assert_eq!(chunk[..3], [2, 1, 0x41]);
        assert!(chunk.len() < ramp.len() / 10, "{}", chunk.len());
        assert!(decompress(&chunk).unwrap() == ramp);
    }

    #[test]
    fn no_chunk_of_blosc2_has_it() {
        let cparams = CParams::new(4).codec(CodecId::SNAPPY);
        assert!(ChunkEncoder::new(cparams.clone()).is_err());
        let mut encoder = ChunkEncoder::for_blosc1(cparams.clone()).unwrap();
        let mut dst = [0; 200];
        let errors = [
            encoder.encode(&[1; 99]).unwrap_err(),
            encoder.encode(&[]).unwrap_err(),
            encoder.encode_into(&[1; 99], &mut dst).unwrap_err(),
            encoder.encode_vlblocks(&[[1; 99]]).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        }
        assert_eq!(dst, [0; 200]);
        let mut kept = vec![1, 2];
        encoder.encode_append(&[1; 99], &mut kept).unwrap_err();
        assert_eq!(kept, [1, 2]);
        // And what Blosc1 does not know is refused at once.
        for cparams in [
            cparams.clone().filters([FilterSlot::DELTA]),
            cparams.use_dict(true),
            CParams::new(4).codec(CodecId::new(200)),
        ] {
            ChunkEncoder::for_blosc1(cparams).unwrap_err();
        }
    }
}
