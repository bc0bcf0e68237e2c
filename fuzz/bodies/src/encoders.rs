//! The codecs' encoders, read by others' decoders.

use oxiblosc_kernels::zstd::{Encoder, Zstd};
use oxiblosc_kernels::{Kernels, blosclz, lz4};

use crate::codecs::{naive_blosclz, twice};
use crate::dice::Dice;
use crate::make::{data, few_values};

/// Planes, few values, bytes that repeat what is before them, and the rest of the input.
fn pieces(dice: &mut Dice<'_>) -> Vec<u8> {
    let mut src = Vec::new();
    for _ in 0..dice.below(6) {
        match dice.below(4) {
            0 => src.extend(few_values(dice)),
            1 => src.extend(data(dice, 8)),
            2 => {
                // What is there again, with a byte of it changed.
                let from = usize::from(dice.u16()).min(src.len());
                let len = usize::from(dice.u16()).min(src.len() - from);
                src.extend_from_within(from..from + len);
                if let Some(last) = src.last_mut() {
                    *last ^= dice.byte();
                }
            }
            _ => {
                // A plane after the others.
                let typesize = 1 + dice.below(16);
                let items = data(dice, typesize);
                let mut planes = vec![0; items.len()];
                Kernels::best().shuffle(typesize, &items, &mut planes);
                src.extend(planes);
            }
        }
    }
    src.extend_from_slice(dice.rest());
    src
}

/// Pieces, in one case of eight so often that positions, distances and lengths pass 16 bits; a byte
/// changes from one time to the next.
fn long_pieces(dice: &mut Dice<'_>) -> Vec<u8> {
    let times = if dice.below(8) == 0 {
        1 + dice.below(40)
    } else {
        1
    };
    let step = usize::from(dice.u16());
    let piece = pieces(dice);
    let mut src = Vec::with_capacity(piece.len() * times);
    for time in 0..times {
        let start = src.len();
        src.extend_from_slice(&piece);
        if let Some(byte) = src.get_mut(start + (step * time) % piece.len().max(1)) {
            *byte ^= u8::try_from(time).unwrap_or(0);
        }
        if src.len() > 140_000 {
            break;
        }
    }
    src
}

/// The one stream that every level writes; each encoder has written another one before, and fails
/// in less space.
fn one_stream(
    src: &[u8],
    max_len: usize,
    less: usize,
    mut encoder: impl FnMut(Kernels) -> Box<dyn FnMut(&[u8], &mut [u8]) -> Option<usize>>,
) -> Vec<u8> {
    let mut streams = Vec::new();
    for kernels in Kernels::available() {
        let mut encode = encoder(kernels);
        let mut stream = vec![0xA5; max_len];
        // An earlier stream in the tables: the end of this one.
        let _ = encode(&src[src.len() / 3..], &mut stream);
        let len = encode(src, &mut stream).expect("enough space");
        stream.truncate(len);
        let mut short = vec![0; len.saturating_sub(1 + less)];
        assert_eq!(encode(src, &mut short), None);
        streams.push(stream);
    }
    assert!(streams.iter().all(|other| *other == streams[0]));
    streams.swap_remove(0)
}

/// See `fuzz_targets/lz4_encode.rs`.
pub fn lz4_encode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let level = dice.byte();
    let less = usize::from(dice.u16());
    let dict_len = match dice.below(3) {
        0 => usize::from(dice.u16()),
        _ => 0,
    };
    let src = long_pieces(dice);
    // What the content repeats, and what it does not.
    let (dict, src) = src.split_at(dict_len.min(src.len()));
    let max_len = lz4::max_stream_len(src.len());
    let hc = level & 1 == 1;
    let number = level >> 1;
    let stream = one_stream(src, max_len, less, |kernels| {
        let dict = dict.to_vec();
        if hc {
            let mut encoder = lz4::HcEncoder::new(kernels);
            Box::new(move |src, dst| encoder.encode_with_dict(number % 14, &dict, src, dst))
        } else {
            let mut encoder = lz4::Encoder::new(kernels);
            Box::new(move |src, dst| encoder.encode_with_dict(number.into(), &dict, src, dst))
        }
    });
    let mut theirs = vec![0; src.len()];
    let decoded = lz4_flex::block::decompress_into_with_dict(&stream, &mut theirs, dict);
    assert_eq!(decoded.ok(), Some(src.len()));
    assert!(theirs == src);
    let ours = twice(src.len(), |dst| {
        lz4::decode_with_dict(Kernels::best(), &stream, dict, dst)
    });
    assert!(ours.expect("a good stream") == src);
}

/// See `fuzz_targets/blosclz_encode.rs`.
pub fn blosclz_encode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let clevel = dice.byte() % 11;
    let less = usize::from(dice.u16());
    let unprobed = dice.flag();
    let src = long_pieces(dice);
    let mut streams = Vec::new();
    for kernels in Kernels::available() {
        let mut encoder = blosclz::Encoder::new(kernels);
        let mut encode = |src: &[u8], dst: &mut [u8]| {
            if unprobed {
                encoder.encode_unprobed(clevel, src, dst)
            } else {
                encoder.encode(clevel, src, dst)
            }
        };
        let mut stream = vec![0xA5; src.len() + src.len() / 16 + 100];
        // An earlier stream in the tables: the end of this one.
        let _ = encode(&src[src.len() / 3..], &mut stream);
        let len = encode(&src, &mut stream);
        stream.truncate(len.unwrap_or(0));
        if let Some(len) = len {
            // The length of the output takes part in the decision to give up, not in the bytes.
            let mut short = vec![0; (len + 70).saturating_sub(less)];
            if let Some(again) = encode(&src, &mut short) {
                assert_eq!(short[..again], stream);
            }
        }
        streams.push(len.map(|_| stream));
    }
    assert!(streams.iter().all(|other| *other == streams[0]));
    if let Some(stream) = &streams[0] {
        assert!(naive_blosclz(stream, src.len()).as_deref() == Some(&*src));
        let ours = twice(src.len(), |dst| {
            blosclz::decode(Kernels::best(), stream, dst)
        });
        assert!(ours.expect("a good stream") == src);
    }
}

/// See `fuzz_targets/zstd_encode.rs`.
pub fn zstd_encode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let level = u8::try_from(dice.below(8)).unwrap_or(5);
    let less = usize::from(dice.u16());
    let src = pieces(dice);
    let mut streams = Vec::new();
    let mut without_matches = Vec::new();
    for kernels in Kernels::available() {
        let mut encoder = Encoder::new(kernels, level);
        let mut stream = vec![0x5A; src.len() + 100];
        let len = encoder.encode_without_matches(&src, &mut stream);
        without_matches.push(len.map(|len| stream[..len].to_vec()));
        let mut stream = vec![0xA5; src.len() + 100];
        let len = encoder.encode(&src, &mut stream).expect("enough space");
        stream.truncate(len);
        // Used again, without enough space.
        let mut short = vec![0; len.saturating_sub(1 + less)];
        assert_eq!(encoder.encode(&src, &mut short), None);
        streams.push(stream);
    }
    let stream = &streams[0];
    assert!(streams.iter().all(|other| other == stream));
    let other = &without_matches[0];
    assert!(without_matches.iter().all(|another| another == other));
    for stream in [Some(stream), other.as_ref()].into_iter().flatten() {
        let mut theirs = vec![0; src.len()];
        let decoded = zstd::zstd_safe::DCtx::create().decompress(&mut theirs[..], stream);
        assert_eq!(
            decoded.map_err(zstd::zstd_safe::get_error_name),
            Ok(src.len())
        );
        assert!(theirs == src);
        let ours = twice(src.len(), |dst| {
            Zstd::new(Kernels::best()).decode(stream, dst)
        });
        assert!(ours.expect("a good stream") == src);
    }
}
