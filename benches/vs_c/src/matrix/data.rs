//! The data sets: generated ones, the same on every machine, and real arrays from a folder that
//! `arrays.py` fills.

use std::io;
use std::path::Path;

/// The origin of the numbers of a data set; reports keep them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Made here.
    Made,
    /// A real array that the library was tuned on.
    Real,
    /// A real array that was set aside: nothing was ever tuned on it.
    SetAside,
}

impl Origin {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Real => "real",
            Self::SetAside => "set aside",
        }
    }
}

/// Bytes to compress, and the size of their items.
#[derive(Clone, Debug)]
pub struct DataSet {
    /// The name in reports.
    pub name: String,
    /// The origin of the numbers.
    pub origin: Origin,
    /// The typesize in bytes.
    pub typesize: usize,
    /// The content, a whole number of items.
    pub bytes: Vec<u8>,
}

/// A small generator of well-mixed numbers (`SplitMix64`).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is small.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A number in 0 .. 1.
    fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).unwrap_or(0)) / 4_294_967_296.0
    }
}

/// `nbytes` bytes (rounded down to whole items) out of items made one by one.
fn items<const N: usize>(nbytes: usize, mut item: impl FnMut(u32) -> [u8; N]) -> Vec<u8> {
    let count = u32::try_from(nbytes / N).unwrap_or(u32::MAX);
    (0..count).flat_map(&mut item).collect()
}

/// The generated sets, each of at most `nbytes` bytes.
#[must_use]
pub fn generated(nbytes: usize) -> Vec<DataSet> {
    let set = |name: &str, typesize, bytes| DataSet {
        name: name.into(),
        origin: Origin::Made,
        typesize,
        bytes,
    };
    let mut random = Random(1);
    let smooth = items(nbytes, |i| {
        ((f64::from(i) * 1e-4).sin() * 1000.0 + f64::from(i) * 1e-3).to_le_bytes()
    });
    let mut level = 0.0;
    let walk = items(nbytes, |_| {
        level += random.unit() - 0.5;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the walk is stored in single precision"
        )]
        let level = level as f32;
        level.to_le_bytes()
    });
    let ramp = items(nbytes, |i| {
        let noise = u32::try_from(random.below(16)).unwrap_or(0);
        (i.wrapping_mul(7) + noise).to_le_bytes()
    });
    let mut time = 1_700_000_000_000_000_i64;
    let timestamps = items(nbytes, |_| {
        time += 1000 + i64::try_from(random.below(10)).unwrap_or(0);
        time.to_le_bytes()
    });
    let image = items(nbytes, |i| {
        let (x, y) = (f64::from(i % 1024), f64::from(i / 1024));
        let light = 8000.0 + 6000.0 * (x / 150.0).sin() * (y / 90.0).cos() + 64.0 * random.unit();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "2000 to 14064"
        )]
        let light = light as u16;
        light.to_le_bytes()
    });
    let records = items(nbytes, |i| {
        let mut record = [0; 12];
        let price = 100.0 + f64::from(i % 500) * 0.25;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a price is stored in single precision"
        )]
        let price = price as f32;
        let amount = u16::try_from(random.below(200)).unwrap_or(0);
        record[..4].copy_from_slice(&(i / 3).to_le_bytes());
        record[4..8].copy_from_slice(&price.to_le_bytes());
        record[8..10].copy_from_slice(&amount.to_le_bytes());
        record[10..].copy_from_slice(&7_u16.to_le_bytes());
        record
    });
    let sparse = items(nbytes, |_| {
        let value = if random.below(100) == 0 {
            random.unit()
        } else {
            0.0
        };
        value.to_le_bytes()
    });
    let noise = items(nbytes, |_| random.next().to_le_bytes());
    let text = text(nbytes, &mut random);
    let mask = items(nbytes, |_| [u8::from(random.below(2) == 0)]);
    let few = items(nbytes, |_| [u8::from(random.below(20) == 0)]);
    vec![
        set("smooth f64", 8, smooth),
        set("walk f32", 4, walk),
        set("ramp i32", 4, ramp),
        set("timestamps i64", 8, timestamps),
        set("image u16", 2, image),
        set("records 12", 12, records),
        set("text", 1, text),
        set("zeros f64", 8, vec![0; nbytes]),
        set("sparse f64", 8, sparse),
        set("random 8", 8, noise),
        set("mask", 1, mask),
        set("sparse mask", 1, few),
    ]
}

/// Words of a made-up language, frequent ones often.
fn text(nbytes: usize, random: &mut Random) -> Vec<u8> {
    let words: Vec<Vec<u8>> = (0..2000)
        .map(|_| {
            let len = 2 + random.below(8);
            (0..len)
                .map(|_| b"etaoinshrdlucmfwypvbgk"[usize::try_from(random.below(22)).unwrap_or(0)])
                .collect()
        })
        .collect();
    let mut text = Vec::with_capacity(nbytes + 16);
    while text.len() < nbytes {
        let rank = random.unit() * random.unit() * random.unit() * 2000.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "below 2000"
        )]
        let word = &words[rank as usize];
        text.extend_from_slice(word);
        text.push(if random.below(12) == 0 { b'\n' } else { b' ' });
    }
    text.truncate(nbytes);
    text
}

/// The arrays of a folder, each cut to at most `nbytes` bytes. `index.tsv` names them: name,
/// typesize, file, and `set aside` for those that nothing was tuned on.
///
/// # Errors
/// The folder or a file cannot be read, or a line of the index has another form.
pub fn from_folder(folder: &Path, nbytes: usize) -> io::Result<Vec<DataSet>> {
    let index = std::fs::read_to_string(folder.join("index.tsv"))?;
    index
        .lines()
        .map(|line| {
            let mut fields = line.split('\t');
            let (Some(name), Some(Ok(typesize)), Some(file)) = (
                fields.next(),
                fields.next().map(str::parse::<usize>),
                fields.next(),
            ) else {
                return Err(io::Error::other(format!(
                    "not name, typesize, file: {line:?}"
                )));
            };
            let mut bytes = std::fs::read(folder.join(file))?;
            let whole = nbytes.min(bytes.len()) / typesize.max(1) * typesize.max(1);
            bytes.truncate(whole);
            let origin = match fields.next() {
                Some("set aside") => Origin::SetAside,
                _ => Origin::Real,
            };
            Ok(DataSet {
                name: name.into(),
                origin,
                typesize,
                bytes,
            })
        })
        .collect()
}
