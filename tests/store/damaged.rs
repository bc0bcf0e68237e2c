//! Damaged stores: every answer is an error or data, never a panic.

use std::sync::Arc;

use oxiblosc::storage::Memory;
use oxiblosc::store::asdf::Blocks;
use oxiblosc::store::bloscpack::Bloscpack;
use oxiblosc::store::{Tree, Value, n5, openvdb};
use oxiblosc::{ChunkDecoder, ChunkSource, DParams, Limits};

use crate::common::Rng;

/// Reads everything that a store offers.
fn read_all(bytes: Vec<u8>, limits: Limits) -> usize {
    let dparams = DParams::new().limits(limits);
    let Ok(store) = Tree::open_in(Arc::new(Memory(bytes)), dparams.clone()) else {
        return 0;
    };
    let mut read = 0;
    for key in store.keys() {
        let _ = store.metadata(key);
        let Ok(leaf) = store.leaf(key) else { continue };
        let _ = leaf.description();
        let _ = leaf.tensor();
        if let Ok(objects) = leaf.objects() {
            read += objects.take(1000).filter(Result::is_ok).count();
        }
        if let Ok(array) = leaf.into_array(dparams.clone())
            && array.nbytes() < 1 << 20
        {
            read += usize::from(array.to_bytes().is_ok());
        }
    }
    read
}

fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..=rng.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        match rng.below(5) {
            0 => bytes[at] = rng.byte(),
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes.truncate(at),
            3 => {
                let end = (at + rng.below(9)).min(bytes.len());
                bytes[at..end].fill(if rng.below(2) == 0 { 0 } else { 0xFF });
            }
            _ => {
                let len = rng.below(20).min(bytes.len() - at);
                let to = rng.below(bytes.len() - len + 1);
                bytes.copy_within(at..at + len, to);
            }
        }
    }
}

#[test]
fn damaged_stores_give_errors_or_data() {
    let limits = Limits::UNTRUSTED
        .max_alloc(1 << 22)
        .max_chunk_nbytes(1 << 22);
    let rounds = if std::env::var_os("OXIBLOSC_LONG").is_some() {
        20_000
    } else {
        300
    };
    let mut rng = Rng(16);
    for name in [
        "dict.b2z",
        "embed.b2e",
        "tree_embedded.b2z",
        "batches.b2b",
        "lists_vl.b2b",
        "save_array.bl2",
        "lazyexpr.b2nd",
        "proxy_whole.b2nd",
        "v2.zarr.zip",
        "v3_shards.zarr.zip",
        "v3_groups.zarr.zip",
    ] {
        let whole = std::fs::read(crate::path(name)).unwrap();
        let good = read_all(whole.clone(), limits);
        let mut survived = 0;
        for _ in 0..rounds {
            let mut bytes = whole.clone();
            damage(&mut rng, &mut bytes);
            survived += usize::from(read_all(bytes, limits) > 0);
        }
        // The test reads: undamaged files give data, and some damaged ones still do.
        assert!(
            good > 0 || name.starts_with("save") || name.starts_with("lazy"),
            "{name}"
        );
        assert!(good == 0 || survived > 0, "{name}");
    }
}

#[test]
fn damaged_old_files_give_errors_or_data() {
    let limits = Limits::UNTRUSTED
        .max_alloc(1 << 22)
        .max_chunk_nbytes(1 << 22);
    let dparams = DParams::new().limits(limits);
    let mut decoder = ChunkDecoder::new(dparams.clone());
    let file = |name| std::fs::read(crate::path("../old").join(name)).unwrap();
    let packs = [file("numbers.blp"), file("no_offsets.blp")];
    let (asdf, n5_block) = (file("numbers.asdf"), file("n5_block"));
    let mut rng = Rng(17);
    let mut opened = 0;
    for round in 0..3000 {
        let mut bytes = packs[round % 2].clone();
        damage(&mut rng, &mut bytes);
        if let Ok(pack) = Bloscpack::open_in(Arc::new(Memory(bytes)), dparams.clone()) {
            opened += 1;
            let nbytes = pack.layout().nbytes.min(1 << 20);
            let mut dst = vec![0; usize::try_from(nbytes).unwrap()];
            let _ = pack.read_bytes_into(&mut decoder, 0..nbytes, &mut dst);
        }
        let mut bytes = asdf.clone();
        damage(&mut rng, &mut bytes);
        if let Ok(mut blocks) = Blocks::open(Memory(bytes), limits) {
            let found: Vec<_> = blocks.by_ref().take(50).flatten().collect();
            for block in found {
                let _ = blocks.decode(&block, &mut decoder);
            }
        }
        let mut bytes = n5_block.clone();
        damage(&mut rng, &mut bytes);
        let _ = n5::decode_block(&bytes, 4, &mut decoder);
        let _ = openvdb::decode_buffer(&bytes, &mut [0; 100], &mut decoder);
    }
    assert!(opened > 100, "{opened}");
}

#[test]
fn values_of_msgpack_are_checked() {
    let decode = |bytes: &[u8]| Value::decode(bytes, &Limits::UNTRUSTED);
    // Deep nesting, counts beyond the bytes, text that is none, bytes that follow.
    for bad in [
        &[0x91; 100_000][..],
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff\xc0",
        b"\xc6\xff\xff\xff\xff",
        b"\xa2\xff\xff",
        b"\xc0\xc0",
        b"\xc1",
        b"",
        b"\xcd\x01",
    ] {
        decode(bad).unwrap_err();
    }
    let small = Limits::UNTRUSTED.max_alloc(1000);
    let mut nils = b"\xdc\x01\x00".to_vec();
    nils.extend([0xC0; 256]);
    assert_eq!(
        Value::decode(&nils, &small).unwrap_err().kind(),
        oxiblosc::ErrorKind::LimitExceeded
    );
    // What is encoded decodes to the same.
    let mut rng = Rng(18);
    for _ in 0..2000 {
        let value = any(&mut rng, 0);
        assert_eq!(decode(&value.encode()).unwrap(), value);
    }
}

fn any(rng: &mut Rng, depth: usize) -> Value {
    let len = [0, 1, 15, 16, 31, 32, 255, 256, 70_000][rng.below(if depth == 0 { 9 } else { 5 })];
    let text = || "é".repeat(len / 2);
    match rng.below(if depth < 3 { 9 } else { 7 }) {
        0 => Value::Nil,
        1 => Value::Bool(rng.below(2) == 0),
        2 => Value::Uint(rng.next() >> rng.below(64)),
        3 => Value::Int(-1 - (rng.next() >> (1 + rng.below(63))).cast_signed()),
        4 => Value::Float(rng.below(1000) as f64 / 8.0),
        5 => Value::Str(text()),
        6 => Value::Bin(vec![7; len]),
        7 => Value::Array((0..len.min(20)).map(|_| any(rng, depth + 1)).collect()),
        _ => {
            let entry = |rng: &mut Rng| (Value::Str(text()), any(rng, depth + 1));
            Value::Map((0..len.min(20)).map(|_| entry(rng)).collect())
        }
    }
}
