//! The calls whose instructions are counted: each by a name, with its buffers made beforehand.
//!
//! All run on the AVX2 level, the highest that valgrind knows. A block is 16 KiB without structure;
//! the codecs get a stream of 64 KiB, the byte planes of a slow integer series with noisy low bits.

use std::hint::black_box;

use oxiblosc_kernels::{Isa, Kernels, blosclz, lz4};

/// A call that is ready to be made.
pub(crate) type Call = Box<dyn FnMut()>;

type Filter = fn(Kernels, usize, &[u8], &mut [u8]);

/// The filters. Delta of a first block has no reference; that of any other one has.
const FILTERS: [(&str, Filter); 12] = [
    ("shuffle", Kernels::shuffle),
    ("unshuffle", Kernels::unshuffle),
    ("bitshuffle", Kernels::bitshuffle),
    ("bitunshuffle", Kernels::bitunshuffle),
    ("delta_encode", |kernels, typesize, src, dst| {
        kernels.delta_encode(typesize, Some(src), src, dst);
    }),
    ("delta_encode_first", |kernels, typesize, src, dst| {
        kernels.delta_encode(typesize, None, src, dst);
    }),
    ("delta_decode", |kernels, typesize, src, dst| {
        kernels.delta_decode(typesize, Some(src), dst);
    }),
    ("delta_decode_first", |kernels, typesize, _, dst| {
        kernels.delta_decode(typesize, None, dst);
    }),
    ("bytedelta_encode", Kernels::bytedelta_encode),
    ("bytedelta_decode", Kernels::bytedelta_decode),
    ("shuffle_bytedelta", Kernels::shuffle_bytedelta),
    ("unshuffle_bytedelta", Kernels::unshuffle_bytedelta),
];

type Codec = fn(Kernels) -> Call;

/// The codecs, both ways.
const CODECS: [(&str, Codec); 4] = [
    ("blosclz_encode", blosclz_encode),
    ("blosclz_decode", blosclz_decode),
    ("lz4_encode", lz4_encode),
    ("lz4_decode", lz4_decode),
];

const TYPESIZES: [usize; 5] = [2, 4, 8, 12, 16];

const BLOCK: usize = 16 << 10;

/// All names: `filter/typesize`, and the codecs.
pub(crate) fn names() -> Vec<String> {
    let filters = FILTERS.iter().flat_map(|(filter, _)| {
        TYPESIZES
            .iter()
            .map(move |typesize| format!("{filter}/{typesize}"))
    });
    let codecs = CODECS.iter().map(|(codec, _)| (*codec).to_owned());
    filters.chain(codecs).collect()
}

/// The call of that name, or `None` when there is none such or the CPU lacks AVX2.
pub(crate) fn prepare(name: &str) -> Option<Call> {
    let kernels = Kernels::with_isa(Isa::Avx2)?;
    let (filter, typesize) = name.split_once('/').unwrap_or((name, ""));
    if let Some((_, codec)) = CODECS.iter().find(|(codec, _)| *codec == filter) {
        return Some(codec(kernels));
    }
    let (_, run) = FILTERS.iter().find(|(known, _)| *known == filter)?;
    let typesize = typesize.parse().ok().filter(|t| TYPESIZES.contains(t))?;
    let src = noise();
    let mut dst = vec![0; BLOCK];
    Some(Box::new(move || {
        run(kernels, typesize, black_box(&src), black_box(&mut dst));
    }))
}

/// A block without structure: the high bytes of a multiplicative sequence.
fn noise() -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state.to_be_bytes()[0]
    };
    (0..BLOCK).map(|_| next()).collect()
}

/// The data that the codecs compress.
fn stream() -> Vec<u8> {
    let noise = noise();
    let items: Vec<u8> = (0_u32..)
        .zip(&noise)
        .flat_map(|(i, noise)| (i * i / 4096 * 16 + u32::from(noise >> 5)).to_le_bytes())
        .collect();
    let mut planes = vec![0; items.len()];
    Kernels::best().shuffle(4, &items, &mut planes);
    planes
}

fn blosclz_encode(kernels: Kernels) -> Call {
    let src = stream();
    let mut dst = vec![0; src.len()];
    let mut encoder = blosclz::Encoder::new(kernels);
    Box::new(move || {
        let len = encoder.encode(5, black_box(&src), black_box(&mut dst));
        assert!(len.is_some(), "the stream has become too long");
    })
}

fn blosclz_decode(kernels: Kernels) -> Call {
    let src = stream();
    let mut encoded = vec![0; src.len()];
    let mut encoder = blosclz::Encoder::new(kernels);
    let len = encoder.encode(5, &src, &mut encoded);
    encoded.truncate(len.unwrap_or(0));
    let mut dst = vec![0; src.len()];
    Box::new(move || {
        let len = dst.len();
        let done = blosclz::decode(kernels, black_box(&encoded), &mut dst);
        assert!(done == Ok(len), "not the stream that was encoded");
    })
}

fn lz4_encode(kernels: Kernels) -> Call {
    let src = stream();
    let mut dst = vec![0; lz4::max_stream_len(src.len())];
    let mut encoder = lz4::Encoder::new(kernels);
    // The first stream makes the table.
    assert!(encoder.encode(1, &src, &mut dst).is_some());
    Box::new(move || {
        let len = encoder.encode(1, black_box(&src), black_box(&mut dst));
        assert!(len.is_some(), "the stream has become too long");
    })
}

fn lz4_decode(kernels: Kernels) -> Call {
    let src = stream();
    let mut encoded = vec![0; lz4::max_stream_len(src.len())];
    let len = lz4::Encoder::new(kernels).encode(1, &src, &mut encoded);
    encoded.truncate(len.unwrap_or(0));
    let mut dst = vec![0; src.len()];
    Box::new(move || {
        let done = lz4::decode(kernels, black_box(&encoded), black_box(&mut dst));
        assert!(done == Ok(dst.len()), "not the stream that was encoded");
    })
}
