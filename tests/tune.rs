//! Tuned parameters against all combinations, by the sizes that compression really has.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use oxiblosc::tune::{Goal, Tuned, find_typesize, tune};
use oxiblosc::{CParams, CodecId, FilterSlot, compress};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).unwrap()) / f64::from(u32::MAX)
    }
}

fn npy(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/data/{name}.npy", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[10 + header..]
        .iter()
        .copied()
        .take(64 << 10)
        .collect()
}

/// Name, typesize and bytes of ten arrays, two of them real.
fn arrays() -> Vec<(&'static str, usize, Vec<u8>)> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut walk = 20.0;
    let mut temperatures = Vec::new();
    let mut smooth = Vec::new();
    let mut times = Vec::new();
    let mut counts = Vec::new();
    let mut mask = Vec::new();
    let mut noise = Vec::new();
    let mut pairs = Vec::new();
    let mut time = 1_700_000_000_000_000_000_i64;
    for i in 0..8_000_u32 {
        walk += (random.unit() - 0.5) * 0.1;
        let gust = random.unit() * 90.0;
        let degrees: f64 = ((walk + gust) * 100.0_f64).round() / 100.0;
        temperatures.extend(degrees.to_le_bytes());
        let wave = (f64::from(i) / 500.0).sin() * 1e3 + random.unit() * 0.01;
        smooth.extend(wave.to_le_bytes());
        time += 1_000_000 + i64::try_from(random.next() % 1000).unwrap();
        times.extend(time.to_le_bytes());
        counts.extend(u32::try_from(random.next() % 200).unwrap().to_le_bytes());
        mask.push(u8::from(i % 1000 < 300));
        noise.extend(random.next().to_le_bytes());
        let low = u16::try_from(i % 5_000).unwrap();
        pairs.extend(low.to_le_bytes().into_iter().chain([7, 0]));
    }
    vec![
        ("elevation", 2, npy("elevation")),
        ("camera", 1, npy("camera")),
        ("temperatures", 8, temperatures),
        ("smooth", 8, smooth),
        ("times", 8, times),
        ("counts", 4, counts),
        ("mask", 1, mask),
        ("noise", 8, noise),
        ("pairs", 4, pairs),
        ("zeros", 8, vec![0; 50_000]),
    ]
}

fn stored(bytes: &[u8], cparams: &CParams) -> f64 {
    f64::from(u32::try_from(compress(bytes, cparams).unwrap().len()).unwrap())
}

fn describe(tuned: &Tuned) -> String {
    let cparams = &tuned.best().cparams;
    let filters = cparams.filters.iter().filter_map(|filter| filter.id.name());
    let filters: Vec<&str> = filters.filter(|name| *name != "none").collect();
    let codec = cparams.codec.name().unwrap();
    format!("{codec} {} {}", cparams.clevel, filters.join("+"))
}

/// Every codec, three levels, seven pipelines: none is more than 5 % smaller.
#[test]
fn the_ratio_is_that_of_the_best_of_all() {
    let codecs = [
        CodecId::BLOSCLZ,
        CodecId::LZ4,
        CodecId::LZ4HC,
        CodecId::ZLIB,
        CodecId::ZSTD,
    ];
    let pipelines = [
        &[][..],
        &[FilterSlot::SHUFFLE],
        &[FilterSlot::BITSHUFFLE],
        &[FilterSlot::DELTA],
        &[FilterSlot::DELTA, FilterSlot::SHUFFLE],
        &[FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA],
        &[
            FilterSlot::SHUFFLE,
            FilterSlot::BYTEDELTA,
            FilterSlot::BYTEDELTA,
        ],
    ];
    for (name, typesize, bytes) in arrays() {
        let tuned = tune(&[&bytes], typesize, Goal::Ratio).unwrap();
        let found = stored(&bytes, &tuned.best().cparams);
        for codec in codecs {
            for clevel in [1, 5, 9] {
                for filters in pipelines {
                    let cparams = CParams::new(typesize).codec(codec).clevel(clevel);
                    let other = stored(&bytes, &cparams.filters(filters.iter().copied()));
                    assert!(
                        found <= other * 1.05 + 64.0,
                        "{name}: {found} with {}; {other}: {codec} {clevel} {filters:?}",
                        describe(&tuned)
                    );
                }
            }
        }
    }
}

#[test]
fn goals_lead_to_other_parameters() {
    let all = arrays();
    let array = |wanted: &str| {
        let found = all.iter().find(|(name, ..)| *name == wanted).unwrap();
        (found.1, found.2.as_slice())
    };
    let (typesize, bytes) = array("temperatures");
    let of = |goal| describe(&tune(&[bytes], typesize, goal).unwrap());
    let balanced = tune(&[bytes], typesize, Goal::Balanced).unwrap();
    assert!(
        describe(&balanced).starts_with("zstd"),
        "{}",
        describe(&balanced)
    );
    let zstd = CParams::new(8).codec(CodecId::ZSTD).clevel(1);
    let other = stored(bytes, &zstd.filters([FilterSlot::BITSHUFFLE]));
    assert!(stored(bytes, &balanced.best().cparams) <= other);
    assert!(of(Goal::Speed).starts_with("lz4 "), "{}", of(Goal::Speed));
    // Noise is copied, whatever the wish.
    let (typesize, bytes) = array("noise");
    for &goal in Goal::ALL {
        let tuned = tune(&[bytes], typesize, goal).unwrap();
        assert!(tuned.best().ratio() > 0.99, "{goal}");
        if goal != Goal::Ratio {
            assert_eq!(
                tuned.best().cparams.clevel,
                0,
                "{goal}: {}",
                describe(&tuned)
            );
        }
        let mut costs = tuned.trials().windows(2);
        assert!(costs.all(|pair| pair[0].cost <= pair[1].cost));
    }
}

/// The choice is a function of the samples.
#[test]
fn the_same_samples_give_the_same_choice() {
    for (name, typesize, bytes) in arrays() {
        let (one, two) = bytes.split_at(bytes.len() / 2);
        for &goal in Goal::ALL {
            let first = tune(&[one, two], typesize, goal).unwrap();
            let again = tune(&[one, two], typesize, goal).unwrap();
            assert_eq!(describe(&first), describe(&again), "{name}");
        }
    }
}

#[test]
fn sizes_of_items_are_found() {
    for (name, typesize, bytes) in arrays() {
        let found = find_typesize(&[&bytes]).unwrap();
        // Of the others any size will do, or none.
        if ["elevation", "smooth", "times", "pairs"].contains(&name) {
            assert_eq!(found, typesize, "{name}");
        }
    }
}

#[test]
fn impossible_samples_are_refused() {
    for &goal in Goal::ALL {
        assert!(tune(&[], 4, goal).is_err());
        assert!(tune(&[&[]], 4, goal).is_err());
        assert!(tune(&[&[1; 10]], 0, goal).is_err());
        assert_eq!(goal.to_string().parse::<Goal>().unwrap(), goal);
    }
    assert!("fast".parse::<Goal>().is_err());
}

/// Heights change steadily: differences of differences are smaller than differences.
#[test]
fn differences_of_differences_are_found() {
    let path = format!("{}/tests/data/elevation.npy", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read(path).unwrap();
    let header = usize::from(u16::from_le_bytes([file[8], file[9]]));
    let bytes = &file[10 + header..];
    let once = [FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA];
    for goal in [Goal::Balanced, Goal::Ratio] {
        let tuned = tune(&[bytes], 2, goal).unwrap();
        let best = tuned.best().cparams.clone();
        let chosen = stored(bytes, &best);
        assert!(
            describe(&tuned).ends_with("shuffle+bytedelta+bytedelta"),
            "{}",
            describe(&tuned)
        );
        assert!(chosen < stored(bytes, &best.filters(once)), "{goal}");
    }
}
