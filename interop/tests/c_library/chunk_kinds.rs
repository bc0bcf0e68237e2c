//! Chunks of special kinds, both ways: dictionaries, tight destinations, masks, VL blocks, special
//! values.

use oxiblosc::{ChunkEncoder, CodecId, SplitMode};
use oxiblosc_interop::Params;

use crate::cases::{CODECS, Case, SPLITS, TYPESIZES, below, draw_spec, pick};
use crate::chunks::{Tally, decoder, difference, scale, try_case};
use crate::content::{Lcg, content};
use crate::library;

/// Dictionaries: long enough that one is used.
#[test]
fn dictionaries() {
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut decoder = decoder();
    let mut rng = Lcg::new(4);
    let mut with_dictionary = (0, 0);
    for codec in [CodecId::LZ4, CodecId::LZ4HC, CodecId::ZSTD] {
        for filters in ["none", "shuffle", "bitshuffle", "delta,shuffle"] {
            for typesize in [1, 4, 8, 17] {
                for (items, nitems) in [(500, 5_000), (1000, 20_000), (4000, 30_000), (300, 1000)] {
                    let mut case = Case {
                        codec,
                        clevel: pick(&mut rng, &[1, 3, 5, 9]),
                        typesize,
                        filters,
                        split: pick(&mut rng, &SPLITS),
                        blocksize: Some(items * typesize),
                        use_dict: true,
                        spec: if typesize == 1 {
                            "text:1".into()
                        } else {
                            format!("walk:{typesize}:3")
                        },
                        nbytes: nitems * typesize,
                    };
                    if case.settle() {
                        try_case(&mut tally, library, &mut decoder, &case);
                        let source = case.source();
                        let ours = ChunkEncoder::new(case.cparams())
                            .unwrap()
                            .encode(&source)
                            .unwrap();
                        let theirs = library
                            .compress(&source, &Params::from(&case.cparams()))
                            .unwrap();
                        with_dictionary.0 += usize::from(ours[31] & 1);
                        with_dictionary.1 += usize::from(theirs[31] & 1);
                    }
                }
            }
        }
    }
    println!(
        "chunks with a dictionary: {} ours, {} C's",
        with_dictionary.0, with_dictionary.1
    );
    assert!(with_dictionary.0 > tally.cases / 3 && with_dictionary.1 > tally.cases / 3);
    tally.finish("dictionaries");
}

/// Destinations too small for a copy of the data: BloscLZ gives up exactly where C does.
#[test]
fn tight_destinations() {
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut rng = Lcg::new(5);
    for _ in 0..3_000 * scale() {
        let typesize = pick(&mut rng, &TYPESIZES);
        let mut case = Case {
            codec: CodecId::BLOSCLZ,
            clevel: u8::try_from(rng.below(10)).unwrap_or(0),
            typesize,
            filters: pick(
                &mut rng,
                &["none", "shuffle", "bitshuffle", "delta,shuffle"],
            ),
            split: pick(&mut rng, &SPLITS),
            blocksize: None,
            use_dict: false,
            spec: draw_spec(&mut rng, typesize),
            nbytes: below(&mut rng, 6000),
        };
        if !case.settle() {
            continue;
        }
        let source = case.source();
        let cparams = case.cparams();
        let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
        let whole = encoder.encode(&source).unwrap().len();
        // With more capacity than a copy needs, C may fill it with a longer compressed chunk; we
        // never do.
        let most = source.len() + 32;
        for capacity in [
            32,
            whole.saturating_sub(40).max(32),
            whole.max(33) - 1,
            whole,
            whole + 1,
            most - 1,
        ] {
            let capacity = capacity.min(most);
            tally.cases += 1;
            let mut dst = vec![0; capacity];
            let ours = encoder
                .encode_into(&source, &mut dst)
                .ok()
                .map(|len| dst[..len].to_vec());
            let theirs = library
                .compress_within(&source, &Params::from(&cparams), capacity)
                .ok();
            tally.identical += usize::from(ours == theirs && ours.is_some());
            tally.check(
                &case,
                &format!("the same with {capacity} bytes of capacity"),
                ours == theirs,
            );
        }
    }
    tally.finish("tight destinations");
}

/// Blocks chosen by a mask.
#[test]
fn masks() {
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut decoder = decoder();
    let mut rng = Lcg::new(6);
    for _ in 0..500 {
        let typesize = pick(&mut rng, &TYPESIZES);
        let mut case = Case {
            codec: pick(&mut rng, &CODECS),
            clevel: 5,
            typesize,
            filters: pick(&mut rng, &["none", "shuffle", "bitshuffle"]),
            split: SplitMode::ForwardCompat,
            blocksize: Some(typesize * 40),
            use_dict: false,
            spec: draw_spec(&mut rng, typesize),
            nbytes: typesize * 40 + below(&mut rng, 500 * typesize),
        };
        if !case.settle() {
            continue;
        }
        tally.cases += 1;
        let source = case.source();
        let theirs = library
            .compress(&source, &Params::from(&case.cparams()))
            .unwrap();
        let nblocks = source.len().div_ceil(typesize * 40);
        let wanted: Vec<bool> = (0..nblocks).map(|_| rng.below(2) == 0).collect();
        let skip: Vec<bool> = wanted.iter().map(|wanted| !wanted).collect();
        let (mut by_us, mut by_c) = (vec![7; source.len()], vec![7; source.len()]);
        let ok = decoder
            .decode_blocks_into(&theirs, &wanted, &mut by_us)
            .is_ok();
        library
            .decompressor(1)
            .unwrap()
            .decompress_masked(&theirs, &skip, &mut by_c)
            .unwrap();
        tally.check(&case, "the wanted blocks alone", ok && by_us == by_c);
    }
    tally.finish("masks");
}

/// VL-block chunks: BloscLZ's are identical.
#[test]
fn variable_length_blocks() {
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut decoder = decoder();
    let mut rng = Lcg::new(7);
    for _ in 0..2_000 {
        let codec = pick(&mut rng, &CODECS);
        let typesize = pick(&mut rng, &TYPESIZES);
        let sizes: Vec<usize> = (0..1 + below(&mut rng, 12))
            .map(|_| 1 + below(&mut rng, 900))
            .collect();
        let mut case = Case {
            codec,
            clevel: pick(&mut rng, &[1, 3, 5, 6]),
            typesize,
            // Format §14 item 8: C's own decode of VL blocks with DELTA is wrong.
            filters: pick(
                &mut rng,
                &["none", "shuffle", "bitshuffle", "shuffle,bitshuffle"],
            ),
            split: SplitMode::ForwardCompat,
            blocksize: None,
            use_dict: rng.below(6) == 0,
            spec: draw_spec(&mut rng, typesize),
            nbytes: sizes.iter().sum(),
        };
        if !case.settle() {
            continue;
        }
        tally.cases += 1;
        let source = case.source();
        let mut rest = source.as_slice();
        let blocks: Vec<&[u8]> = sizes
            .iter()
            .map(|&size| rest.split_off(..size).unwrap())
            .collect();
        let ours = ChunkEncoder::new(case.cparams())
            .unwrap()
            .encode_vlblocks(&blocks);
        let theirs = library.vlcompress(&blocks, &Params::from(&case.cparams()));
        let (ours, theirs) = match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (ours, theirs) => {
                let errors = (ours.err(), theirs.err());
                tally
                    .failures
                    .push(format!("refused ({errors:?}): {case:?} {sizes:?}"));
                continue;
            }
        };
        tally.check(
            &case,
            "C decodes our blocks",
            library
                .decompress(&ours, case.nbytes)
                .is_ok_and(|d| d == source),
        );
        tally.check(
            &case,
            "we decode C's blocks",
            decoder.decode(&theirs).is_ok_and(|d| d == source),
        );
        let index = below(&mut rng, blocks.len());
        let block = decoder.decode_vlblock(&theirs, index);
        tally.check(
            &case,
            "one of C's blocks",
            block.is_ok_and(|block| block == blocks[index]),
        );
        tally.identical += usize::from(ours == theirs);
        if codec == CodecId::BLOSCLZ {
            tally.check(&case, &difference(&ours, &theirs), ours == theirs);
        }
    }
    tally.finish("VL blocks");
}

/// Special chunks are the same bytes from both creators.
#[test]
fn special_values() {
    use oxiblosc::Special as Ours;
    use oxiblosc_interop::Special as Theirs;
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut decoder = decoder();
    for typesize in [1, 2, 3, 4, 8, 16, 17, 255, 256, 300, 5000] {
        for nitems in [1, 7, 1000, 200_000 / typesize] {
            for clevel in [0, 1, 5, 9] {
                for filters in ["none", "shuffle"] {
                    let value = content("noise:5", typesize);
                    let case = Case {
                        codec: CodecId::BLOSCLZ,
                        clevel,
                        typesize,
                        filters,
                        split: SplitMode::ForwardCompat,
                        blocksize: None,
                        use_dict: false,
                        spec: "zeros".into(),
                        nbytes: typesize * nitems,
                    };
                    let cparams = case.cparams();
                    let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
                    let mut pairs = vec![
                        (Ours::Zeros, Theirs::Zeros),
                        (Ours::Uninit, Theirs::Uninit),
                        (Ours::Repeat(&value), Theirs::Repeat(&value)),
                    ];
                    if matches!(typesize, 4 | 8) {
                        pairs.push((Ours::Nans, Theirs::Nans));
                    }
                    for (special, by_c) in pairs {
                        tally.cases += 1;
                        let theirs = library
                            .special(by_c, case.nbytes, &Params::from(&cparams))
                            .unwrap();
                        let ours = encoder.encode_special(special, case.nbytes);
                        let same = ours.is_ok_and(|ours| ours == theirs);
                        tally.identical += usize::from(same);
                        tally.check(&case, &format!("{by_c:?} is the same"), same);
                        let decoded = decoder.decode(&theirs).unwrap_or_default();
                        let right = match by_c {
                            Theirs::Uninit => decoded == vec![0; case.nbytes],
                            _ => library
                                .decompress(&theirs, case.nbytes)
                                .is_ok_and(|by_c| by_c == decoded),
                        };
                        tally.check(&case, &format!("{by_c:?} decodes alike"), right);
                    }
                }
            }
        }
    }
    tally.finish("special values");
}
