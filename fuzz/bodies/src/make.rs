//! Valid objects out of the fuzzer's choices, and damage to a field of them.

use std::sync::{Arc, OnceLock};

use oxiblosc::{
    CParams, ChunkEncoder, CodecId, DParams, FilterId, FilterSlot, FrameParams, Limits, Special,
    SplitMode, Threads,
};

use crate::dice::Dice;

/// The most bytes that a target lets data stand for.
pub const MOST: usize = 1 << 18;

/// Narrow limits, so that a target is fast and what passes them is seen.
pub fn limits() -> Limits {
    let mut limits = Limits::UNTRUSTED
        .max_alloc(MOST as u64)
        .max_chunk_nbytes(1 << 18)
        .max_nchunks(1 << 10);
    limits.max_frame_header_len = 1 << 16;
    limits.max_frame_trailer_len = 1 << 16;
    limits.max_vlmetalayer_nbytes = 1 << 14;
    limits
}

/// Decoding within [`limits`].
pub fn dparams() -> DParams {
    DParams::new().limits(limits())
}

/// A pool of two threads, made once.
pub fn pool() -> Threads {
    static POOL: OnceLock<Arc<rayon::ThreadPool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
        Arc::new(pool.expect("two threads"))
    });
    Threads::Pool(Arc::clone(pool))
}

/// Bytes that repeat nothing.
fn noise(len: usize, seed: u8) -> Vec<u8> {
    let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[5]
    };
    (0..len).map(|_| next()).collect()
}

/// Data of one of eight kinds, of `len` bytes in items of `typesize`.
pub fn data_of(dice: &mut Dice<'_>, typesize: usize, len: usize) -> Vec<u8> {
    let (kind, seed) = (dice.below(8), dice.byte());
    let item = |i: usize| match kind {
        0 => 0,
        1 => u64::from(seed) * 0x0101_0101_0101_0101,
        2 => i as u64 * u64::from(seed),
        3 => 1000 + (i as u64 * 37 % 11) + u64::from(seed),
        _ => u64::from(seed) << 8 | 0x3F,
    };
    let mut bytes = match kind {
        5 => noise(len, seed),
        6 => {
            let mut bytes = vec![0; len / 2];
            bytes.extend(noise(len - len / 2, seed));
            bytes
        }
        // What the fuzzer says, over and over.
        7 => {
            let word = dice.bytes(usize::from(seed)).to_vec();
            let word = if word.is_empty() { vec![7] } else { word };
            word.iter().copied().cycle().take(len).collect()
        }
        _ => (0..len.div_ceil(typesize.max(1)))
            .flat_map(|i| {
                let item = item(i).to_le_bytes();
                (0..typesize).map(move |at| item.get(at).copied().unwrap_or(0x5A))
            })
            .collect(),
    };
    bytes.truncate(len);
    bytes
}

/// Data of any kind and length up to 6000 bytes.
pub fn data(dice: &mut Dice<'_>, typesize: usize) -> Vec<u8> {
    let len = usize::from(dice.u16()) % 6000;
    data_of(dice, typesize, len)
}

/// A long text of few values in no order: its codes are short, and it has many of them.
pub fn few_values(dice: &mut Dice<'_>) -> Vec<u8> {
    let (values, seed) = (2 + dice.below(60), dice.byte());
    let len = 8000 + usize::from(dice.u16()) % 16_000;
    let small = |byte: u8| u8::try_from(usize::from(byte) % values).unwrap_or(byte);
    noise(len, seed).into_iter().map(small).collect()
}

/// Item sizes with specialised code, and their neighbours.
const TYPESIZES: [usize; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 31, 64, 255, 256, 1000];

/// The codecs.
pub const CODECS: [CodecId; 5] = [
    CodecId::BLOSCLZ,
    CodecId::LZ4,
    CodecId::LZ4HC,
    CodecId::ZLIB,
    CodecId::ZSTD,
];

/// Filters that lose nothing.
const FILTERS: [FilterSlot; 8] = [
    FilterSlot::NONE,
    FilterSlot::SHUFFLE,
    FilterSlot::SHUFFLE,
    FilterSlot::BITSHUFFLE,
    FilterSlot::DELTA,
    FilterSlot::BYTEDELTA,
    FilterSlot::new(FilterId::SHUFFLE, 3),
    FilterSlot::new(FilterId::BYTEDELTA, 5),
];

/// Lossless parameters of any kind.
pub fn cparams(dice: &mut Dice<'_>) -> CParams {
    let typesize = dice.pick(&TYPESIZES);
    cparams_of(dice, typesize)
}

/// Lossless parameters for items of this size.
pub fn cparams_of(dice: &mut Dice<'_>, typesize: usize) -> CParams {
    let codec = dice.pick(&CODECS);
    // The highest levels are slow, and code of the C library besides.
    let clevel = u8::try_from(dice.below(7)).unwrap_or(5);
    let filters: Vec<_> = (0..dice.below(4)).map(|_| dice.pick(&FILTERS)).collect();
    let split = SplitMode::new(u8::try_from(1 + dice.below(4)).unwrap_or(4));
    let blocksize = usize::from(dice.u16()) % 4096;
    let dict = [CodecId::LZ4, CodecId::LZ4HC, CodecId::ZSTD].contains(&codec) && dice.flag();
    CParams::new(typesize)
        .codec(codec)
        .clevel(clevel)
        .filters(filters)
        .split_mode(split.unwrap_or_default())
        .blocksize(Some(blocksize).filter(|&blocksize| blocksize > 0))
        .use_dict(dict)
}

/// A valid chunk of any form: regular, of variable-length blocks, special, of Blosc1.
pub fn chunk(dice: &mut Dice<'_>) -> Vec<u8> {
    let cparams = cparams(dice);
    let typesize = cparams.typesize;
    let mut encoder = ChunkEncoder::new(cparams).expect("parameters in range");
    match dice.below(8) {
        0 => encode_vlblocks(dice, &mut encoder, typesize),
        1 => {
            let nitems = dice.below(300);
            let value = noise(typesize, dice.byte());
            let special = match dice.below(4) {
                0 => Special::Zeros,
                1 if typesize == 4 || typesize == 8 => Special::Nans,
                2 => Special::Uninit,
                _ => Special::Repeat(&value),
            };
            let chunk = encoder.encode_special(special, nitems * typesize);
            chunk.unwrap_or_default()
        }
        2 => {
            let data = data(dice, typesize);
            encoder.encode_blosc1(&data).unwrap_or_default()
        }
        _ => {
            let data = data(dice, typesize);
            encoder.encode(&data).expect("lossless parameters")
        }
    }
}

/// Blocks of any sizes.
pub fn vlblocks(dice: &mut Dice<'_>, typesize: usize) -> Vec<Vec<u8>> {
    (0..1 + dice.below(12))
        .map(|_| {
            let len = 1 + dice.below(700);
            data_of(dice, typesize, len)
        })
        .collect()
}

fn encode_vlblocks(dice: &mut Dice<'_>, encoder: &mut ChunkEncoder, typesize: usize) -> Vec<u8> {
    let blocks = vlblocks(dice, typesize);
    encoder.encode_vlblocks(&blocks).unwrap_or_default()
}

/// Offsets and widths of the fields of a chunk (format §1.1); then the first bstarts.
const CHUNK_FIELDS: [(usize, usize); 16] = [
    (0, 1),
    (2, 1),
    (3, 1),
    (4, 4),
    (8, 4),
    (12, 4),
    (16, 1),
    (20, 1),
    (21, 1),
    (22, 1),
    (24, 1),
    (30, 1),
    (31, 1),
    (32, 4),
    (36, 4),
    (40, 4),
];

/// Changes up to three fields, or nothing.
pub fn damage_chunk(dice: &mut Dice<'_>, chunk: &mut Vec<u8>) {
    for _ in 0..dice.below(4) {
        match dice.below(8) {
            // A length prefix: that of a stream that a bstart names.
            0 => {
                let start = chunk.get(32..36).and_then(|bytes| bytes.try_into().ok());
                let start = start.map_or(32, u32::from_le_bytes);
                damage(dice, chunk, usize::try_from(start).unwrap_or(0), 4);
            }
            1 => damage_anywhere(dice, chunk),
            2 => {
                let len = usize::from(dice.u16()) % chunk.len().max(1);
                chunk.truncate(len);
            }
            _ => {
                let (at, width) = dice.pick(&CHUNK_FIELDS);
                damage(dice, chunk, at, width);
            }
        }
    }
}

/// Changes a byte anywhere.
pub fn damage_anywhere(dice: &mut Dice<'_>, bytes: &mut [u8]) {
    let at = usize::from(dice.u16()) % bytes.len().max(1);
    if let Some(byte) = bytes.get_mut(at) {
        *byte = dice.byte();
    }
}

/// Writes a number over a little-endian field: a choice of the fuzzer, a limit of the format, or
/// the old value, or one more or less.
pub fn damage(dice: &mut Dice<'_>, bytes: &mut [u8], at: usize, width: usize) {
    let Some(field) = at.checked_add(width).and_then(|end| bytes.get_mut(at..end)) else {
        return;
    };
    let mut old = [0; 8];
    for (old, byte) in old.iter_mut().zip(&*field) {
        *old = *byte;
    }
    let old = u64::from_le_bytes(old);
    let new = lie(dice, old);
    for (byte, new) in field.iter_mut().zip(new.to_le_bytes()) {
        *byte = new;
    }
}

/// Another number than this one, mostly.
pub fn lie(dice: &mut Dice<'_>, old: u64) -> u64 {
    match dice.below(8) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old ^ 1 << dice.below(32),
        3 => dice.pick(&[
            0,
            1,
            31,
            32,
            255,
            0x7FFF_FFFF,
            0x8000_0000,
            0xFFFF_FFFF,
            0x7FFF_FFFF_FFFF_FFFF,
            u64::MAX,
        ]),
        4 => old.wrapping_add(u64::from(dice.byte())),
        5 => old.wrapping_sub(u64::from(dice.byte())),
        _ => dice.u32().into(),
    }
}

/// The same for a big-endian field, as frames have them.
pub fn damage_be(dice: &mut Dice<'_>, bytes: &mut [u8], at: usize, width: usize) {
    let Some(field) = at.checked_add(width).and_then(|end| bytes.get_mut(at..end)) else {
        return;
    };
    field.reverse();
    damage(dice, field, 0, width);
    if let Some(field) = bytes.get_mut(at..at + width) {
        field.reverse();
    }
}

/// Parameters of a small frame with metalayers of both kinds.
pub fn frame_params(dice: &mut Dice<'_>) -> FrameParams {
    let typesize = dice.pick(&[1, 2, 4, 8]);
    let cparams = cparams_of(dice, typesize);
    let chunksize = typesize * (1 + dice.below(250));
    let mut params = FrameParams::new(cparams, chunksize).dparams(dparams());
    for name in ["first", "second"] {
        if dice.flag() {
            let len = dice.below(40);
            let content = data_of(dice, 1, len);
            params = params.metalayer(name, &content).expect("a short name");
        }
        if dice.flag() {
            let len = dice.below(40);
            let content = data_of(dice, 1, len);
            params = params.vlmetalayer(name, &content).expect("a short name");
        }
    }
    params
}
