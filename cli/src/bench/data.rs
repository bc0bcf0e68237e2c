//! The data that is measured: samples of a file, or made.

use std::path::Path;

use oxiblosc::DParams;
use oxiblosc::tune::find_typesize;

use crate::args::{BenchArgs, Synthetic};
use crate::failure::{Failure, OfParams, shown};
use crate::samples::{Amount, Sampled};
use crate::sniff;

/// The most bytes that are measured.
const MOST: u64 = 256 << 20;

/// Bytes to compress, chunk by chunk.
#[derive(Debug)]
pub(super) struct Data {
    /// The name for the report.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The size of a chunk, of whole items.
    pub(super) chunksize: usize,
    pub(super) typesize: usize,
}

impl Data {
    /// The data that the command line asks for.
    pub(super) fn of(args: &BenchArgs) -> Result<Self, Failure> {
        if args.sample > MOST {
            return Err(Failure::usage("--sample is at most 256M"));
        }
        let (name, sampled) = match (args.synthetic, &args.input) {
            (Some(kind), _) => (kind.name().to_owned(), kind.sampled(args.sample)),
            (None, Some(input)) => (shown(input), of_file(args, input)?),
            (None, None) => return Err(Failure::usage("bench wants a file or --synthetic")),
        };
        let name_path = Path::new(&name);
        let pieces: Vec<&[u8]> = sampled.pieces.iter().map(Vec::as_slice).collect();
        if pieces.is_empty() {
            return Err(Failure::in_file(name_path, "has no data to measure"));
        }
        let typesize = match args.typesize.or(sampled.typesize) {
            Some(typesize) => typesize,
            None => find_typesize(&pieces).of_params(name_path)?,
        };
        let wanted = usize::try_from(args.chunk_size).unwrap_or(usize::MAX);
        let wanted = wanted.max(typesize);
        let bytes = pieces.concat();
        Ok(Self {
            name,
            bytes,
            chunksize: wanted - wanted % typesize.max(1),
            typesize,
        })
    }

    /// The chunks.
    pub(super) fn chunks(&self) -> std::slice::Chunks<'_, u8> {
        self.bytes.chunks(self.chunksize.max(1))
    }
}

fn of_file(args: &BenchArgs, input: &Path) -> Result<Sampled, Failure> {
    let dparams = DParams::new().limits(sniff::limits(args.limits.no_limits));
    let amount = Amount {
        count: args
            .sample
            .div_ceil(args.chunk_size.min(args.sample).max(1)),
        nbytes: args.chunk_size.min(args.sample),
        most_chunks: 1 << 16,
        most_nbytes: usize::try_from(args.sample).unwrap_or(usize::MAX),
    };
    Sampled::of_input(input, &dparams, amount)
}

impl Synthetic {
    fn name(self) -> &'static str {
        match self {
            Self::Temperatures => "made temperatures",
            Self::Timestamps => "made timestamps",
            Self::Counts => "made counts",
            Self::Text => "made text",
            Self::Noise => "made noise",
        }
    }

    /// About `nbytes` bytes, the same ones each time.
    fn sampled(self, nbytes: u64) -> Sampled {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        // xorshift64*
        let mut random = move || {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32
        };
        let len = usize::try_from(nbytes).unwrap_or(0);
        let mut bytes = Vec::with_capacity(len.saturating_add(16));
        let (typesize, mut value, mut item) = (self.typesize(), 0_u64, 0_u32);
        while bytes.len().saturating_add(typesize) <= len {
            match self {
                Self::Temperatures => {
                    let day = (f64::from(item) / 1440.0 * std::f64::consts::TAU).sin();
                    let noise = f64::from(u32::try_from(random() % 60).unwrap_or(0)) / 100.0;
                    bytes.extend(two_decimals(12.0 + 8.0 * day + noise).to_le_bytes());
                }
                Self::Timestamps => {
                    value = value.wrapping_add(1000 + random() % 50);
                    bytes.extend((1_700_000_000_000 + value).to_le_bytes());
                }
                Self::Counts => {
                    let bits = random().leading_zeros() - 32;
                    let count = u16::try_from(random() % (1 << bits.min(12))).unwrap_or(0);
                    bytes.extend(count.to_le_bytes());
                }
                Self::Text => {
                    let words = [
                        "the ",
                        "data ",
                        "of ",
                        "a ",
                        "chunk ",
                        "are\n",
                        "shuffled ",
                        "x",
                    ];
                    let word = words.get(usize::try_from(random() % 8).unwrap_or(0));
                    bytes.extend(word.copied().unwrap_or_default().as_bytes());
                }
                Self::Noise => bytes.extend(u8::try_from(random() & 0xFF)),
            }
            item = item.wrapping_add(1);
        }
        bytes.truncate(len - len % typesize);
        Sampled {
            pieces: if bytes.is_empty() {
                vec![]
            } else {
                vec![bytes]
            },
            typesize: Some(typesize),
        }
    }

    fn typesize(self) -> usize {
        match self {
            Self::Temperatures => 4,
            Self::Timestamps => 8,
            Self::Counts => 2,
            Self::Text | Self::Noise => 1,
        }
    }
}

/// A value of two decimals, as a 32-bit float.
#[expect(
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    reason = "temperatures of two decimals"
)]
fn two_decimals(value: f64) -> f32 {
    ((value * 100.0).round() / 100.0) as f32
}
