//! The codecs: streams as they come, and valid ones that are damaged.

use std::sync::LazyLock;

use oxiblosc_kernels::inflate::Inflate;
use oxiblosc_kernels::zstd::Zstd;
use oxiblosc_kernels::{DecodeErrorKind, Kernels, blosclz, deflate, lz4};

use crate::dice::Dice;
use crate::make::{damage, damage_anywhere, data, few_values};

/// Bytes around an output, which must not change.
const GUARD: usize = 64;

/// Runs a decoder on outputs of `len` bytes, filled with zeros and with ones and between guards;
/// returns what it produced. Both have to agree.
pub(crate) fn twice<E: PartialEq + std::fmt::Debug>(
    len: usize,
    mut decode: impl FnMut(&mut [u8]) -> Result<usize, E>,
) -> Result<Vec<u8>, E> {
    let mut run = |fill: u8| {
        let mut buffer = vec![fill; GUARD + len + GUARD];
        let result = decode(&mut buffer[GUARD..GUARD + len]);
        let (before, rest) = buffer.split_at(GUARD);
        let (dst, trailing) = rest.split_at(len);
        assert!(before.iter().chain(trailing).all(|&byte| byte == fill));
        result.map(|len| dst[..len].to_vec())
    };
    let first = run(0);
    let second = run(0xFF);
    assert_eq!(first, second, "the output's old content shows");
    first
}

/// Changes up to three places of a stream.
pub(crate) fn damaged(dice: &mut Dice<'_>, mut stream: Vec<u8>) -> Vec<u8> {
    for _ in 0..dice.below(4) {
        match dice.below(3) {
            0 => {
                let len = usize::from(dice.u16()) % stream.len().max(1);
                stream.truncate(len);
            }
            1 => damage_anywhere(dice, &mut stream),
            _ => {
                let at = usize::from(dice.u16()) % stream.len().max(1);
                damage(dice, &mut stream, at, 2);
            }
        }
    }
    stream
}

/// The `BloscLZ` decoder of format §6.1, byte by byte.
pub(crate) fn naive_blosclz(src: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let mut ctrl = usize::from(src.first()? & 31);
    let mut at = 1;
    loop {
        if ctrl < 32 {
            let literals = src.get(at..at + ctrl + 1)?;
            at += ctrl + 1;
            if out.len() + literals.len() > most {
                return None;
            }
            out.extend_from_slice(literals);
            if at >= src.len() {
                return Some(out);
            }
        } else {
            let mut len = (ctrl >> 5) - 1;
            let mut distance = (ctrl & 31) << 8;
            if len == 6 {
                loop {
                    src.get(at + 1)?;
                    len += usize::from(src[at]);
                    at += 1;
                    if src[at - 1] != 255 {
                        break;
                    }
                }
            } else {
                src.get(at + 1)?;
            }
            let byte = usize::from(src[at]);
            at += 1;
            len += 3;
            if byte == 255 && distance == 31 << 8 {
                src.get(at + 1)?;
                distance = 8192 + (usize::from(src[at]) << 8) + usize::from(src[at + 1]);
                at += 2;
            } else {
                distance += byte + 1;
            }
            if out.len() + len > most || distance > out.len() {
                return None;
            }
            if at >= src.len() {
                return Some(out);
            }
            for _ in 0..len {
                out.push(out[out.len() - distance]);
            }
        }
        ctrl = usize::from(*src.get(at)?);
        at += 1;
    }
}

/// See `fuzz_targets/blosclz_decode.rs`.
pub fn blosclz_decode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let mut len = usize::from(dice.u16());
    let wanted = usize::from(dice.u16());
    let stream = if dice.flag() {
        let src = data(dice, 1);
        let mut stream = vec![0; src.len() + 100];
        let clevel = 1 + dice.byte() % 9;
        let encoded = blosclz::Encoder::new(Kernels::best()).encode(clevel, &src, &mut stream);
        stream.truncate(encoded.unwrap_or(0));
        len = src.len();
        damaged(dice, stream)
    } else {
        dice.rest().to_vec()
    };
    let expected = naive_blosclz(&stream, len);
    let (longer, cbytes) = followed(&stream);
    let within = twice(len, |dst| {
        blosclz::decode_within(Kernels::best(), &longer, cbytes, dst)
    })
    .ok();
    assert_eq!(within, expected, "with bytes after");
    for kernels in Kernels::available() {
        let decode =
            |dst: &mut [u8]| blosclz::decode_front(kernels, &stream, stream.len(), dst, usize::MAX);
        let whole = twice(len, decode).ok();
        assert_eq!(whole, expected, "{}", kernels.isa());
        let part = twice(len, |dst| {
            blosclz::decode_front(kernels, &stream, stream.len(), dst, wanted)
        });
        if let Some(whole) = whole {
            let part = part.expect("a part of a good stream");
            assert!(part.len() >= wanted.min(whole.len()));
            assert_eq!(part, whole[..part.len()]);
            let front = twice(wanted.min(len), |dst| {
                blosclz::decode_prefix(kernels, &stream, dst)
            });
            let front = front.expect("the front of a good stream");
            assert_eq!(front, whole[..wanted.min(whole.len())]);
        }
    }
}

/// The stream with more bytes after it, and its end.
fn followed(stream: &[u8]) -> (Vec<u8>, usize) {
    let mut longer = stream.to_vec();
    longer.extend(stream.iter().rev().chain(&[0xFF; 100]).take(100));
    (longer, stream.len())
}

/// See `fuzz_targets/lz4_decode.rs`.
pub fn lz4_decode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let mut len = usize::from(dice.u16());
    let short = usize::from(dice.u16());
    let mode = dice.byte();
    let dict_len = usize::from(dice.u16()) % 2000;
    let dict = crate::make::data_of(dice, 1, if mode & 2 == 0 { 0 } else { dict_len });
    let stream = if mode & 1 == 1 {
        let mut src = data(dice, 1);
        if mode & 4 == 4 {
            src.extend_from_slice(&dict);
        }
        let mut stream = vec![0; lz4::max_stream_len(src.len())];
        let encoded = if mode & 8 == 8 {
            let level = dice.byte() % 10;
            lz4::HcEncoder::new(Kernels::best()).encode_with_dict(level, &dict, &src, &mut stream)
        } else {
            let acceleration = dice.byte().into();
            lz4::Encoder::new(Kernels::best()).encode_with_dict(
                acceleration,
                &dict,
                &src,
                &mut stream,
            )
        };
        stream.truncate(encoded.expect("the output is long enough"));
        len = src.len();
        damaged(dice, stream)
    } else {
        dice.rest().to_vec()
    };
    let whole = twice(len, |dst| {
        lz4::decode_with_dict(Kernels::best(), &stream, &dict, dst)
    });
    if dict.is_empty() {
        assert_eq!(
            whole,
            twice(len, |dst| lz4::decode(Kernels::best(), &stream, dst))
        );
        let (longer, cbytes) = followed(&stream);
        let within = twice(len, |dst| {
            lz4::decode_within(Kernels::best(), &longer, cbytes, dst)
        });
        assert_eq!(whole, within, "with bytes after");
        let mut theirs = vec![0; len];
        if let (Ok(ours), Ok(len)) = (
            &whole,
            lz4_flex::block::decompress_into(&stream, &mut theirs),
        ) {
            assert_eq!(ours, &theirs[..len], "lz4_flex decodes otherwise");
        }
    }
    let short = short.min(len);
    let part = twice(short, |dst| {
        lz4::decode_prefix_with_dict(Kernels::best(), &stream, &dict, dst)
    });
    if let Ok(whole) = whole {
        let part = part.expect("a part of a good stream");
        assert_eq!(part, whole[..short.min(whole.len())]);
    }
}

/// Adler-32 (RFC 1950).
fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

/// See `fuzz_targets/inflate.rs`.
pub fn inflate(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let mut len = usize::from(dice.u16());
    let short = usize::from(dice.u16());
    let inflater = &mut Inflate::new(Kernels::best());
    let stream = if dice.flag() {
        // Two literals are looked up at once in long streams only.
        let src = match dice.below(3) {
            0 => few_values(dice),
            _ => data(dice, 1),
        };
        let level = 1 + u8::try_from(dice.below(9)).unwrap_or(0);
        let mut stream = vec![0; 2 * src.len() + 100];
        let encoded = deflate::Deflate::new(Kernels::best(), level).encode(&src, &mut stream);
        stream.truncate(encoded.expect("the output is long enough"));
        let mut back = vec![0; src.len()];
        let decoded = inflater.decode(&stream, &mut back);
        assert_eq!(decoded.ok(), Some((src.len(), adler32(&src))));
        assert_eq!(back, src);
        assert_eq!(by_libdeflate(&stream, src.len()).as_ref(), Ok(&src));
        len = src.len();
        damaged(dice, stream)
    } else {
        dice.rest().to_vec()
    };
    let mut checksums = Vec::new();
    let whole = twice(len, |dst| {
        let decoded = inflater
            .decode(&stream, dst)
            .map_err(|error| error.to_string());
        checksums.push(decoded.as_ref().ok().map(|(_, checksum)| *checksum));
        decoded.map(|(len, _)| len)
    });
    assert_eq!(checksums.first(), checksums.last());
    // It takes more streams than we do, and compares the checksum.
    if let Ok(whole) = &whole
        && checksums.first() == Some(&Some(adler32(whole)))
    {
        assert_eq!(by_libdeflate(&stream, len).as_ref(), Ok(whole));
    }
    let short = short.min(len);
    let part = twice(short, |dst| {
        let decoded = inflater.decode_prefix(&stream, dst);
        decoded.map_err(|error| error.to_string())
    });
    if let Ok(whole) = whole {
        let part = part.expect("a part of a good stream");
        assert_eq!(part, whole[..short.min(whole.len())]);
    }
}

/// A zlib stream of at most `len` bytes, decoded by libdeflate.
fn by_libdeflate(stream: &[u8], len: usize) -> Result<Vec<u8>, libdeflater::DecompressionError> {
    let mut content = vec![0; len];
    let decoded = libdeflater::Decompressor::new().zlib_decompress(stream, &mut content);
    decoded.map(|len| {
        content.truncate(len);
        content
    })
}

/// A dictionary that libzstd has trained on numbered lines.
static TRAINED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let line = |i: usize| format!("{:>9} of {:<9}", i * i % 971, i % 13).into_bytes();
    let samples: Vec<u8> = (0..4000).flat_map(line).collect();
    let mut dict = Vec::with_capacity(2000);
    let lens = vec![samples.len() / 400; 400];
    let used = lens.iter().sum();
    zstd::zstd_safe::train_from_buffer(&mut dict, &samples[..used], &lens).expect("enough samples");
    dict
});

/// A stream of libzstd.
fn zstd_stream(dice: &mut Dice<'_>, src: &[u8], dict: &[u8]) -> Vec<u8> {
    use zstd::zstd_safe::{CCtx, CParameter};
    let level = i32::try_from(dice.below(26)).unwrap_or(0) - 3;
    let flags = dice.byte();
    let mut context = CCtx::create();
    for parameter in [
        CParameter::CompressionLevel(level),
        // Not often: nothing that is damaged would be accepted.
        CParameter::ChecksumFlag(flags & 7 == 1),
        CParameter::ContentSizeFlag(flags & 8 == 0),
    ] {
        context.set_parameter(parameter).expect("a parameter");
    }
    context.load_dictionary(dict).expect("a dictionary");
    let mut stream = Vec::with_capacity(2 * src.len() + 1000);
    context.compress2(&mut stream, src).expect("enough space");
    stream
}

/// See `fuzz_targets/zstd_decode.rs`.
pub fn zstd_decode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let mut len = usize::from(dice.u16());
    let short = usize::from(dice.u16());
    let mode = dice.byte();
    let raw: Vec<u8> = (0..=255).cycle().take(500).collect();
    let dict: &[u8] = match mode >> 1 & 3 {
        1 => &TRAINED,
        2 => &raw,
        _ => &[],
    };
    let stream = if mode & 1 == 1 {
        let mut src = match dice.below(3) {
            0 => few_values(dice),
            _ => data(dice, 1),
        };
        if mode & 8 == 8 {
            src.extend_from_slice(dict);
        }
        len = src.len();
        let mut stream = zstd_stream(dice, &src, dict);
        if mode & 16 == 16 {
            let second = zstd_stream(dice, &src, dict);
            len += src.len();
            stream.extend(second);
        }
        damaged(dice, stream)
    } else {
        dice.rest().to_vec()
    };
    let mut decoders: Vec<Zstd> = Kernels::available()
        .map(|kernels| Zstd::with_dict(kernels, dict).expect("a good dictionary"))
        .collect();
    let mut theirs = vec![0; len];
    let mut context = zstd::zstd_safe::DCtx::create();
    // If it is loaded before, libzstd takes distances into the tables before its content.
    let theirs = context
        .decompress_using_dict(&mut theirs[..], &stream, dict)
        .map(|len| theirs[..len].to_vec());
    for zstd in &mut decoders {
        let whole = twice(len, |dst| zstd.decode(&stream, dst));
        // libzstd accepts streams of literals that do not end with their last symbol.
        let stricter = whole.as_ref().is_err_and(|error| {
            matches!(error.kind(), DecodeErrorKind::Invalid { reason, .. }
                if reason.starts_with("literals: expected a stream "))
        });
        assert!(
            stricter || whole.as_ref().ok() == theirs.as_ref().ok(),
            "{:?}, libzstd {:?}",
            whole.as_ref().map(Vec::len),
            theirs
                .as_ref()
                .map(Vec::len)
                .map_err(|code| zstd::zstd_safe::get_error_name(*code))
        );
        let short = short.min(len);
        let part = twice(short, |dst| zstd.decode_prefix(&stream, dst));
        if let Ok(whole) = whole {
            let part = part.expect("a part of a good stream");
            assert_eq!(part, whole[..short.min(whole.len())]);
        }
    }
}
