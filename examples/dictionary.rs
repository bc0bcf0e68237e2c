//! Dictionaries: what the blocks of a chunk have in common is stored once.
#![expect(clippy::print_stdout, reason = "an example tells what it did")]

use oxiblosc::{CParams, ChunkDecoder, CodecId, compress};

fn main() -> oxiblosc::Result<()> {
    let record = |i: u32| {
        let (region, item, ms) = (i * 31 % 4, i * 7919 % 100_003, i * 7 % 977);
        let head = format!("{{\"id\": {i}, \"region\": \"eu-{region}\", ");
        head + &format!("\"path\": \"/v2/items/{item}\", \"ms\": {ms}}}\n")
    };
    let records: String = (0..40_000).map(record).collect();
    // Blocks so small that a record is read by decoding little else.
    let cparams = CParams::new(1)
        .codec(CodecId::ZSTD)
        .filters([])
        .blocksize(Some(512));
    let alone = compress(records.as_bytes(), &cparams)?;
    let shared = compress(records.as_bytes(), &cparams.use_dict(true))?;
    println!(
        "{} bytes: {} without a dictionary, {} with",
        records.len(),
        alone.len(),
        shared.len()
    );
    assert!(shared.len() < alone.len());
    // One block is decoded for these bytes.
    let bytes = ChunkDecoder::default().decode_items(&shared, 500_000..500_040)?;
    assert_eq!(bytes, records.as_bytes()[500_000..500_040]);
    Ok(())
}
