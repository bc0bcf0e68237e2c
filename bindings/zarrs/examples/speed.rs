//! This crate's `blosc` beside the one in zarrs: encode, decode, one row, a box of a sixteenth.
//!
//! One thread, 4 MiB chunks of 1024 rows, a store in memory. The best of several turns, taken in
//! alternation; each cell is the time of zarrs' codec by that of this one, so above 1 is faster.
//! `speed WORD` measures the codecs whose name has WORD in it.
#![expect(clippy::print_stdout, reason = "it reports")]

use std::borrow::Cow;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use zarrs::array::codec::BloscCodec as BuiltIn;
use zarrs::array::codec::api::{BytesToBytesCodecTraits, CodecOptions};
use zarrs::array::{
    Array, ArrayBuilder, ArrayBytes, ArraySubset, BytesRepresentation, FillValue, data_type,
};
use zarrs::metadata_ext::codec::blosc::BloscCodecConfiguration;
use zarrs::storage::store::MemoryStore;
use zarrs_oxiblosc::BloscCodec;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const ROWS: u64 = 1024;
const NBYTES: usize = 4 << 20;

/// A smooth field with noise in its low bits, as measurements have it.
fn data(typesize: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut data = Vec::with_capacity(NBYTES);
    for n in 0..NBYTES / typesize {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let noise = f64::from(u32::try_from(state >> 54).unwrap_or(0)) / 1024.0;
        let at = f64::from(u32::try_from(n).unwrap_or(0));
        let value = 2000.0 + 1000.0 * (at / 5000.0).sin() + noise;
        #[expect(clippy::cast_possible_truncation, reason = "numbers of about 2000")]
        match typesize {
            2 => data.extend((value as i16).to_le_bytes()),
            4 => data.extend((value as f32).to_le_bytes()),
            _ => data.extend(value.to_le_bytes()),
        }
    }
    data
}

/// The best times of two ways, taken in alternation.
fn best(mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (Duration, Duration) {
    let (mut a, mut b) = (Duration::MAX, Duration::MAX);
    let started = Instant::now();
    let mut turns = 0;
    while turns < 5 || (started.elapsed() < Duration::from_millis(250) && turns < 200) {
        let start = Instant::now();
        ours();
        let middle = Instant::now();
        theirs();
        a = a.min(middle - start);
        b = b.min(middle.elapsed());
        turns += 1;
    }
    (a, b)
}

/// An array of one chunk, that a codec has written.
fn array(
    codec: Arc<dyn BytesToBytesCodecTraits>,
    typesize: usize,
    data: &[u8],
) -> Result<Array<MemoryStore>> {
    let dtype = match typesize {
        2 => data_type::int16(),
        4 => data_type::float32(),
        _ => data_type::float64(),
    };
    let columns = u64::try_from(NBYTES / typesize)? / ROWS;
    let fill = FillValue::new(vec![0; typesize]);
    let array = ArrayBuilder::new(vec![ROWS, columns], vec![ROWS, columns], dtype, fill)
        .bytes_to_bytes_codecs(vec![codec])
        .build(Arc::new(MemoryStore::new()), "/a")?;
    array.store_array_subset(&array.subset_all(), ArrayBytes::new_flen(data))?;
    Ok(array)
}

fn main() -> Result<()> {
    let word = std::env::args().nth(1).unwrap_or_default();
    let options = CodecOptions::default().with_concurrent_target(1);
    println!("| codec | dtype | shuffle | encode | decode | row | box | size |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut least = f64::MAX;
    for (cname, clevel) in [
        ("blosclz", 5),
        ("lz4", 5),
        ("lz4hc", 5),
        ("zlib", 5),
        ("zstd", 1),
        ("zstd", 5),
        ("snappy", 5),
    ] {
        if !cname.contains(&word) {
            continue;
        }
        for (typesize, dtype) in [(2, "i2"), (4, "f4"), (8, "f8")] {
            let data = data(typesize);
            for shuffle in ["noshuffle", "shuffle", "bitshuffle"] {
                let json = format!(
                    r#"{{"cname": "{cname}", "clevel": {clevel}, "shuffle": "{shuffle}",
                        "typesize": {typesize}, "blocksize": 0}}"#
                );
                let stated: BloscCodecConfiguration = serde_json::from_str(&json)?;
                let ours = Arc::new(BloscCodec::new(&stated)?);
                let theirs = Arc::new(BuiltIn::new_with_configuration(&stated)?);
                let size = BytesRepresentation::FixedSize(u64::try_from(NBYTES)?);
                let one = ours.encode(Cow::Borrowed(&data), &options)?.into_owned();
                let other = theirs.encode(Cow::Borrowed(&data), &options)?.into_owned();

                let encode = best(
                    || drop(black_box(ours.encode(Cow::Borrowed(&data), &options))),
                    || drop(black_box(theirs.encode(Cow::Borrowed(&data), &options))),
                );
                // Both read the chunk of the other library.
                let read = |codec: &dyn BytesToBytesCodecTraits| {
                    drop(black_box(codec.decode(
                        Cow::Borrowed(&other),
                        &size,
                        &options,
                    )));
                };
                let decode = best(|| read(&*ours), || read(&*theirs));
                let (a, b) = (
                    array(ours, typesize, &data)?,
                    array(theirs, typesize, &data)?,
                );
                let columns = u64::try_from(NBYTES / typesize)? / ROWS;
                let read = |array: &Array<MemoryStore>, subset: &ArraySubset| {
                    let got = array.retrieve_array_subset_opt::<ArrayBytes<'_>>(subset, &options);
                    drop(black_box(got));
                };
                let times = |subset: &ArraySubset| best(|| read(&a, subset), || read(&b, subset));
                let row = times(&ArraySubset::new_with_ranges(&[700..701, 0..columns]));
                let part = [256..512, columns / 4..columns / 2];
                let part = times(&ArraySubset::new_with_ranges(&part));

                let ratio = |(ours, theirs): (Duration, Duration)| {
                    theirs.as_secs_f64() / ours.as_secs_f64()
                };
                let cells = [encode, decode, row, part].map(ratio);
                least = cells.iter().copied().fold(least, f64::min);
                let [encode, decode, row, part] = cells;
                #[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
                let size = one.len() as f64 / other.len() as f64;
                println!(
                    "| {cname} {clevel} | {dtype} | {shuffle} | {encode:.2} | {decode:.2} \
                     | {row:.1} | {part:.1} | {size:.3} |"
                );
            }
        }
    }
    println!("\nthe least cell: {least:.2}");
    Ok(())
}
