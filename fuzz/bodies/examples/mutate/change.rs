//! Inputs: valid objects, the places of their fields, and how both are changed.

use std::path::{Path, PathBuf};

/// A stream of numbers that its start decides.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The numbers of one input: independent of those of the inputs before it.
    pub(crate) fn new(seed: u64, target: &str, index: u64) -> Self {
        let name = target.bytes().fold(0, |sum: u64, byte| {
            sum.wrapping_mul(0x100_0000_01B3) ^ u64::from(byte)
        });
        let mut numbers = Self(seed ^ name);
        let mixed = numbers.next();
        Self(mixed ^ index.wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }

    /// The next number (splitmix64).
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }

    /// A number below `n`, 0 when there is none.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % (n.max(1) as u64)).unwrap_or(0)
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// A field: `width` bytes, least or most significant first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) at: usize,
    pub(crate) width: usize,
    pub(crate) big_endian: bool,
}

impl Spot {
    pub(crate) fn little(at: usize, width: usize) -> Self {
        let big_endian = false;
        Self {
            at,
            width,
            big_endian,
        }
    }

    pub(crate) fn big(at: usize, width: usize) -> Self {
        let big_endian = true;
        Self {
            at,
            width,
            big_endian,
        }
    }

    /// The number in the field.
    fn get(self, bytes: &[u8]) -> Option<u64> {
        let field = bytes.get(self.at..self.at.checked_add(self.width)?)?;
        let mut number = [0; 8];
        for (place, &byte) in field.iter().enumerate() {
            let place = if self.big_endian {
                self.width - 1 - place
            } else {
                place
            };
            number[place] = byte;
        }
        Some(u64::from_le_bytes(number))
    }

    /// Writes the low bytes of a number into the field.
    fn set(self, bytes: &mut [u8], number: u64) {
        let end = self.at.saturating_add(self.width);
        let Some(field) = bytes.get_mut(self.at..end) else {
            return;
        };
        let number = number.to_le_bytes();
        for (place, byte) in field.iter_mut().enumerate() {
            *byte = number[if self.big_endian {
                self.width - 1 - place
            } else {
                place
            }];
        }
    }
}

/// A file of a seed.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its name, where it is a file of a directory.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) spots: Vec<Spot>,
    /// The field that holds the length of the whole.
    pub(crate) length: Option<Spot>,
    /// Bytes before this one stay as they are.
    pub(crate) from: usize,
}

impl Part {
    pub(crate) fn new(bytes: Vec<u8>, spots: Vec<Spot>, length: Option<Spot>) -> Self {
        Self {
            name: "input".to_owned(),
            bytes,
            spots,
            length,
            from: 0,
        }
    }
}

/// An input: one file, or those of a directory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Input(pub(crate) Vec<(String, Vec<u8>)>);

impl Input {
    /// The one file.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.first().map_or(&[], |(_, bytes)| bytes)
    }

    /// The input of a number: a seed, changed.
    pub(crate) fn make(numbers: &mut Numbers, seeds: &[Vec<Part>]) -> Self {
        let seed = &seeds[numbers.below(seeds.len())];
        let other = &seeds[numbers.below(seeds.len())];
        let mut files: Vec<_> = seed
            .iter()
            .map(|part| (part.name.clone(), part.bytes.clone()))
            .collect();
        let rounds = if seed.len() > 1 {
            1 + numbers.below(2)
        } else {
            1
        };
        for _ in 0..rounds {
            let at = numbers.below(seed.len());
            let from = &other[numbers.below(other.len())];
            change(numbers, &seed[at], &mut files[at].1, from);
        }
        if files.len() > 1 && numbers.once_in(16) {
            let (one, two) = (numbers.below(files.len()), numbers.below(files.len()));
            match numbers.below(2) {
                0 => drop(files.swap_remove(one)),
                _ if one != two => {
                    let taken = std::mem::take(&mut files[one].1);
                    let taken = std::mem::replace(&mut files[two].1, taken);
                    files[one].1 = taken;
                }
                _ => {}
            }
        }
        Self(files)
    }

    /// Writes the input into a folder.
    pub(crate) fn write(&self, folder: &Path) -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(folder)?;
        for (name, bytes) in &self.0 {
            std::fs::write(folder.join(name), bytes)?;
        }
        Ok(folder.to_owned())
    }
}

/// Changes up to four places; once in 32 times none.
fn change(numbers: &mut Numbers, part: &Part, bytes: &mut Vec<u8>, other: &Part) {
    let times = if numbers.once_in(32) {
        0
    } else {
        1 + numbers.below(4)
    };
    let before = bytes.len();
    for _ in 0..times {
        if !part.spots.is_empty() && !numbers.once_in(3) {
            change_field(numbers, part, bytes);
        } else {
            change_bytes(numbers, part.from, bytes, &other.bytes);
        }
    }
    if bytes.len() != before
        && let Some(length) = part.length
        && numbers.once_in(2)
    {
        let len = bytes.len() as u64;
        length.set(bytes, len);
    }
}

/// Another number in a field, or that of another field.
fn change_field(numbers: &mut Numbers, part: &Part, bytes: &mut [u8]) {
    let spot = part.spots[numbers.below(part.spots.len())];
    let Some(old) = spot.get(bytes) else { return };
    if numbers.once_in(4) {
        // Of the same width, so that offsets change places with offsets.
        let other = part.spots[numbers.below(part.spots.len())];
        if other.width == spot.width
            && let Some(number) = other.get(bytes)
        {
            spot.set(bytes, number);
            if numbers.once_in(2) {
                other.set(bytes, old);
            }
            return;
        }
    }
    let new = lie(numbers, old, bytes.len() as u64);
    spot.set(bytes, new);
}

/// Numbers at which code decides.
const EDGES: [u64; 20] = [
    0,
    1,
    2,
    3,
    4,
    15,
    16,
    31,
    32,
    33,
    127,
    128,
    255,
    256,
    0x7FFF_FFDF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF,
    u64::MAX,
];

/// Another number than this one, mostly.
fn lie(numbers: &mut Numbers, old: u64, len: u64) -> u64 {
    let few = numbers.below(40) as u64;
    match numbers.below(12) {
        0 | 1 => old.wrapping_add(1),
        2 | 3 => old.wrapping_sub(1),
        4 => old ^ 1 << numbers.below(33),
        5 => EDGES[numbers.below(EDGES.len())],
        6 => old.wrapping_add(few),
        7 => old.wrapping_sub(few),
        8 => len.wrapping_sub(few),
        9 => len.wrapping_add(few),
        10 => old.wrapping_mul(2) >> (numbers.below(3)),
        _ => numbers.next() >> numbers.below(64),
    }
}

/// Bytes anywhere from `from` on: bits, bytes, lengths, and parts of another seed.
fn change_bytes(numbers: &mut Numbers, from: usize, bytes: &mut Vec<u8>, other: &[u8]) {
    let from = from.min(bytes.len());
    let at = from + numbers.below(bytes.len() - from);
    match numbers.below(11) {
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << numbers.below(8);
            }
        }
        2 | 3 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = numbers.byte();
            }
        }
        4 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = [0, 255, 127, 128, 1, 15, 16, 240][numbers.below(8)];
            }
        }
        5 => bytes.truncate(at),
        6 => bytes.truncate(bytes.len().saturating_sub(1 + numbers.below(4)).max(from)),
        7 => {
            // The front of this one, the end of another.
            let start = numbers.below(other.len() + 1).max(from.min(other.len()));
            bytes.truncate(at);
            bytes.extend_from_slice(&other[start..]);
        }
        8 => {
            // A part of another, over the bytes that are there.
            let start = numbers.below(other.len() + 1);
            let len = numbers.below(64).min(other.len() - start);
            let len = len.min(bytes.len() - at);
            bytes[at..at + len].copy_from_slice(&other[start..start + len]);
        }
        9 => {
            let end = bytes.len().min(at + 1 + numbers.below(8));
            bytes.drain(at..end);
        }
        _ => {
            let byte = numbers.byte();
            let new = std::iter::repeat_n(byte, 1 + numbers.below(8));
            bytes.splice(at..at, new);
        }
    }
}
