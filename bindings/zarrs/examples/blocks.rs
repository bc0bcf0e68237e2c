//! `oxiblosc.b2nd_chunk` beside sharding with equal inner chunks, and beside plain `blosc`.
//!
//! Chunks of 2048² `f4` (16 MiB), blocks of 128², LZ4 and shuffle by this crate in all three, a
//! store in memory, with a budget of one and of two threads. Best of alternating turns, in
//! milliseconds.
#![expect(clippy::print_stdout, reason = "it reports")]

use std::error::Error;
use std::hint::black_box;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

use zarrs::array::codec::ShardingCodecBuilder;
use zarrs::array::codec::api::{BytesToBytesCodecTraits, CodecOptions};
use zarrs::array::{Array, ArrayBuilder, ArrayBytes, ArraySubset, data_type};
use zarrs::storage::store::MemoryStore;
use zarrs_oxiblosc::{B2ndChunkCodec, B2ndChunkConfiguration, BloscCodec};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SIDE: u64 = 2048;
const BLOCK: u64 = 128;
const NAMES: [&str; 3] = ["b2nd_chunk", "sharding", "blosc"];

/// A smooth field with noise in its low bits.
fn data() -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut data = Vec::new();
    for n in 0..SIDE * SIDE {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let [row, column, noise] =
            [n / SIDE, n % SIDE, state >> 54].map(|n| f64::from(u32::try_from(n).unwrap_or(0)));
        let value = 2000.0 + 1000.0 * (row / 300.0).sin() * (column / 200.0).cos() + noise / 1024.0;
        #[expect(clippy::cast_possible_truncation, reason = "numbers of about 2000")]
        data.extend((value as f32).to_le_bytes());
    }
    data
}

fn arrays() -> Result<[Array<MemoryStore>; 3]> {
    let builder = || {
        ArrayBuilder::new(
            vec![SIDE, SIDE],
            vec![SIDE, SIDE],
            data_type::float32(),
            0.0_f32,
        )
    };
    let json = r#"{"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4,
        "blocksize": 0}"#;
    let blosc: Arc<dyn BytesToBytesCodecTraits> =
        Arc::new(BloscCodec::new(&serde_json::from_str(json)?)?);
    let mut blocks = B2ndChunkConfiguration::new([BLOCK, BLOCK]);
    "lz4".clone_into(&mut blocks.codec);
    let side = NonZeroU64::new(BLOCK).ok_or("a block")?;
    let sharding = ShardingCodecBuilder::new(vec![side, side], &data_type::float32())
        .bytes_to_bytes_codecs(vec![Arc::clone(&blosc)])
        .build_arc();
    let store = || Arc::new(MemoryStore::new());
    Ok([
        builder()
            .array_to_bytes_codec(Arc::new(B2ndChunkCodec::new(blocks)?))
            .build(store(), "/a")?,
        builder()
            .array_to_bytes_codec(sharding)
            .build(store(), "/a")?,
        builder()
            .bytes_to_bytes_codecs(vec![blosc])
            .build(store(), "/a")?,
    ])
}

fn main() -> Result<()> {
    let (data, arrays) = (data(), arrays()?);
    println!("| threads | | encode | decode | box of 256² | MiB |");
    println!("|---|---|---|---|---|---|");
    for threads in [1, 2] {
        let options = CodecOptions::default().with_concurrent_target(threads);
        let all = ArraySubset::new_with_ranges(&[0..SIDE, 0..SIDE]);
        let part = ArraySubset::new_with_ranges(&[700..956, 900..1156]);
        let mut best = [[Duration::MAX; 3]; 3];
        for _ in 0..30 {
            for (array, best) in arrays.iter().zip(&mut best) {
                let start = Instant::now();
                array.store_array_subset_opt(&all, ArrayBytes::new_flen(&data), &options)?;
                best[0] = best[0].min(start.elapsed());
                for (subset, best) in [&all, &part].into_iter().zip(&mut best[1..]) {
                    let start = Instant::now();
                    let got: ArrayBytes<'_> = array.retrieve_array_subset_opt(subset, &options)?;
                    drop(black_box(got));
                    *best = (*best).min(start.elapsed());
                }
            }
        }
        for ((name, best), array) in NAMES.iter().zip(best).zip(&arrays) {
            let [encode, decode, part] = best.map(|time| time.as_secs_f64() * 1e3);
            let stored = array
                .retrieve_encoded_chunk(&[0, 0])?
                .map_or(0, |chunk| chunk.len());
            let mib = f64::from(u32::try_from(stored)?) / 1_048_576.0;
            println!("| {threads} | {name} | {encode:.2} | {decode:.2} | {part:.3} | {mib:.2} |");
        }
    }
    Ok(())
}
