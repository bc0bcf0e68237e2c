//! Chunks both ways: what one library writes, the other decodes, and where the codec is BloscLZ the
//! bytes are the same.
//!
//! Every case asks five things: C decodes our chunk; we decode C's; both decode alike; random items
//! of both chunks come out right on both sides; and the parts of the chunk that do not depend on
//! the codec's own output are equal, which is the whole chunk for BloscLZ.
//!
//! `OXIBLOSC_INTEROP_SCALE` (default 1) multiplies the number of random cases.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cases::{CODECS, Case, PIPELINES, SPLITS, TYPESIZES, below, draw_spec, pick};
use crate::content::Lcg;
use crate::library;
use oxiblosc::{ChunkDecoder, ChunkEncoder, CodecId, DParams, Limits};
use oxiblosc_interop::{Library, Params};

/// The failures, and the number of cases.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) identical: usize,
    pub(crate) failures: Vec<String>,
}

impl Tally {
    pub(crate) fn check(&mut self, case: &Case, what: &str, holds: bool) {
        if !holds {
            self.failures.push(format!("{what}: {case:?}"));
        }
    }

    /// Prints the count, and fails when anything did.
    pub(crate) fn finish(self, name: &str) {
        static TOTAL: AtomicUsize = AtomicUsize::new(0);
        let total = TOTAL.fetch_add(self.cases, Ordering::Relaxed) + self.cases;
        println!(
            "interop chunks: {} cases ({name}; {} chunks identical; {total} so far)",
            self.cases, self.identical
        );
        let shown = self
            .failures
            .iter()
            .take(20)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        assert!(
            self.failures.is_empty(),
            "{name}: {} failures\n{shown}",
            self.failures.len()
        );
        assert!(self.cases > 0, "{name}: nothing was tried");
    }
}

pub(crate) fn scale() -> usize {
    std::env::var("OXIBLOSC_INTEROP_SCALE")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1)
}

pub(crate) fn decoder() -> ChunkDecoder {
    ChunkDecoder::new(DParams::new().limits(Limits::FORMAT))
}

/// The bytes of a header that do not depend on how well the codec did: all but `flags`, `cbytes`
/// and `blosc2_flags`.
fn fixed_fields(chunk: &[u8]) -> (&[u8], &[u8], &[u8]) {
    (&chunk[..2], &chunk[3..12], &chunk[16..31])
}

/// Items `start..start + nitems` of a chunk, from both libraries, against the decoded data.
fn check_items(
    tally: &mut Tally,
    library: &Library,
    decoder: &mut ChunkDecoder,
    case: &Case,
    (chunk, whose): (&[u8], &str),
    decoded: &[u8],
    rng: &mut Lcg,
) {
    let typesize = case.stored_typesize();
    let nitems = decoded.len() / typesize;
    if nitems == 0 {
        return;
    }
    let start = below(rng, nitems);
    let count = 1 + below(rng, nitems - start);
    let expected = &decoded[start * typesize..(start + count) * typesize];
    let items = decoder.decode_items(chunk, start..start + count);
    tally.check(
        case,
        &format!("our items of {whose} chunk"),
        items.is_ok_and(|items| items == expected),
    );
    if !case.c_gets_items_wrong(chunk, start, count) {
        let items = library.getitem(chunk, start, count, typesize);
        tally.check(
            case,
            &format!("C's items of {whose} chunk"),
            items.is_ok_and(|items| items == expected),
        );
    }
}

/// All that one case asks.
pub(crate) fn try_case(
    tally: &mut Tally,
    library: &Library,
    decoder: &mut ChunkDecoder,
    case: &Case,
) {
    tally.cases += 1;
    let source = case.source();
    let cparams = case.cparams();
    let ours =
        match ChunkEncoder::new(cparams.clone()).and_then(|mut encoder| encoder.encode(&source)) {
            Ok(chunk) => chunk,
            Err(error) => return tally.failures.push(format!("we refuse: {error}: {case:?}")),
        };
    tally.check(
        case,
        "our chunk is longer than promised",
        ours.len() <= source.len() + 32,
    );
    // Format §14 item 2: C cannot read the memcpyed fall-back of its own dictionary chunks; ours
    // has no such flag.
    let by_c = library.decompress(&ours, source.len());
    tally.check(
        case,
        &format!("C decodes our chunk ({by_c:.0?})"),
        by_c.is_ok(),
    );
    let Ok(by_c) = by_c else { return };
    let by_us = decoder.decode(&ours);
    tally.check(
        case,
        "both decode our chunk alike",
        by_us.is_ok_and(|by_us| by_us == by_c),
    );
    if !case.is_lossy() {
        tally.check(case, "our chunk holds the data", by_c == source);
    }
    let mut rng = Lcg::new(u64::try_from(ours.len()).unwrap_or(0));
    check_items(
        tally,
        library,
        decoder,
        case,
        (&ours, "our"),
        &by_c,
        &mut rng,
    );

    if case.c_writes_it_wrong() {
        return;
    }
    let theirs = match library.compress(&source, &Params::from(&cparams)) {
        Ok(chunk) => chunk,
        Err(failure) => {
            return tally
                .failures
                .push(format!("C refuses: {failure}: {case:?}"));
        }
    };
    if case.c_copies_damaged_data(&theirs) {
        return;
    }
    let decoded = decoder.decode(&theirs);
    // A lossy filter has no effect on a memcpyed chunk (format §2.6), and which codec gives up
    // first may differ.
    let memcpyed = (ours[2] & 2, theirs[2] & 2);
    let expected = match memcpyed {
        (mine, his) if mine == his => &by_c,
        (_, 2) => &source,
        _ => return check_theirs(tally, library, case, &theirs, decoded.ok()),
    };
    tally.check(
        case,
        "we decode C's chunk",
        decoded.is_ok_and(|decoded| decoded == *expected),
    );
    check_items(
        tally,
        library,
        decoder,
        case,
        (&theirs, "C's"),
        expected,
        &mut rng,
    );
    tally.identical += usize::from(ours == theirs);
    let exact = case.codec == CodecId::BLOSCLZ || case.clevel == 0 || case.nbytes < 32;
    if exact {
        tally.check(case, &difference(&ours, &theirs), ours == theirs);
    } else {
        tally.check(
            case,
            "the headers agree",
            fixed_fields(&ours) == fixed_fields(&theirs),
        );
    }
}

/// When only our chunk is memcpyed: C's own decode is what ours of its chunk must equal.
fn check_theirs(
    tally: &mut Tally,
    library: &Library,
    case: &Case,
    theirs: &[u8],
    decoded: Option<Vec<u8>>,
) {
    let by_c = library.decompress(theirs, case.nbytes).ok();
    tally.check(
        case,
        "we decode C's chunk as C does",
        by_c.is_some() && by_c == decoded,
    );
}

/// The first difference of two chunks.
pub(crate) fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let at = ours
        .iter()
        .zip(theirs)
        .position(|(a, b)| a != b)
        .unwrap_or(ours.len().min(theirs.len()));
    format!(
        "identical bytes (differ at {at}; lengths {} and {})",
        ours.len(),
        theirs.len()
    )
}

/// Lengths around every boundary of blocks and items, with a small requested block size.
#[test]
fn boundaries() {
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut decoder = decoder();
    let mut rng = Lcg::new(1);
    for codec in CODECS {
        for clevel in 0..=9 {
            // The strong levels cost a hundred times more and meet no other boundary.
            if codec != CodecId::BLOSCLZ && !matches!(clevel, 0 | 1 | 5 | 6) {
                continue;
            }
            for filters in PIPELINES {
                for typesize in TYPESIZES {
                    let items = if typesize > 32 { 8 } else { 33 };
                    let block = typesize * items;
                    for nbytes in [
                        0,
                        1,
                        typesize - 1,
                        typesize,
                        typesize + 1,
                        31,
                        32,
                        33,
                        block - typesize,
                        block - 1,
                        block,
                        block + 1,
                        block + typesize,
                        2 * block - 1,
                        2 * block,
                        3 * block + typesize + 1,
                        5 * block,
                    ] {
                        // BloscLZ takes every other length per level; the levels differ in parity.
                        if codec == CodecId::BLOSCLZ
                            && (nbytes + usize::from(clevel)).is_multiple_of(2)
                        {
                            continue;
                        }
                        let mut case = Case {
                            codec,
                            clevel,
                            typesize,
                            filters,
                            split: pick(&mut rng, &SPLITS),
                            blocksize: (rng.below(4) != 0).then_some(block),
                            use_dict: false,
                            spec: draw_spec(&mut rng, typesize),
                            nbytes,
                        };
                        if case.settle() {
                            try_case(&mut tally, library, &mut decoder, &case);
                        }
                    }
                }
            }
        }
    }
    tally.finish("boundaries");
}

/// Block sizes that the libraries choose, at every level.
#[test]
fn automatic_block_sizes() {
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut decoder = decoder();
    let mut rng = Lcg::new(2);
    let lengths = [
        8191, 32_767, 32_768, 32_769, 65_536, 100_000, 131_073, 262_144, 524_289, 1_000_003,
    ];
    for codec in CODECS {
        for clevel in 0..=9 {
            for filters in ["none", "shuffle", "bitshuffle"] {
                for typesize in TYPESIZES {
                    let strong = clevel == 9 && codec == CodecId::ZSTD;
                    let spec = match rng.below(3) {
                        _ if strong => format!("count:{typesize}"),
                        0 => format!("count:{typesize}"),
                        1 => format!("walk:{typesize}:1"),
                        _ => "patch:1".into(),
                    };
                    let nbytes = pick(&mut rng, if strong { &lengths[..6] } else { &lengths });
                    let split = pick(&mut rng, &SPLITS);
                    let mut case = Case {
                        codec,
                        clevel,
                        typesize,
                        filters,
                        split,
                        blocksize: None,
                        use_dict: false,
                        spec,
                        nbytes,
                    };
                    if case.settle() {
                        try_case(&mut tally, library, &mut decoder, &case);
                    }
                }
            }
        }
    }
    tally.finish("automatic block sizes");
}

/// Anything with anything.
#[test]
fn random_cases() {
    let Some(library) = library() else { return };
    let mut tally = Tally::default();
    let mut decoder = decoder();
    let mut rng = Lcg::new(3);
    for _ in 0..20_000 * scale() {
        let codec = pick(&mut rng, &CODECS);
        let typesize = if rng.below(3) == 0 {
            1 + below(&mut rng, 310)
        } else {
            pick(&mut rng, &TYPESIZES)
        };
        let most = [100, 1000, 10_000, 40_000][below(&mut rng, 4)];
        let nbytes = below(&mut rng, most);
        let blocksize = match rng.below(3) {
            0 => None,
            // Only whole items (format §14 item 1).
            _ => Some(typesize * (1 + below(&mut rng, 1 + most / typesize / 2))),
        };
        let clevel = match codec {
            CodecId::ZSTD => pick(&mut rng, &[0, 1, 2, 3, 4, 5, 6]),
            _ => u8::try_from(rng.below(10)).unwrap_or(0),
        };
        let mut case = Case {
            codec,
            clevel,
            typesize,
            filters: pick(&mut rng, &PIPELINES),
            split: pick(&mut rng, &SPLITS),
            blocksize,
            use_dict: rng.below(8) == 0,
            spec: draw_spec(&mut rng, typesize),
            nbytes,
        };
        if case.settle() {
            try_case(&mut tally, library, &mut decoder, &case);
        }
    }
    tally.finish("random");
}
