//! BloscLZ, the codec every Blosc library has: one stream of bytes in, one stream out.
//!
//! A stream is a list of tokens (format §6.1). The three high bits of a token's first byte are its
//! kind:
//!
//! ```text
//! 000ccccc  c + 1 bytes                 literals: copy the bytes after the token
//! lllooooo  [255 ...] [n]  b            match of l + 2 (+ 255s + n) bytes, distance 256·o + b + 1
//! lllooooo  [255 ...] [n]  255  hi lo   match, o = 31, distance 8192 + 256·hi + lo
//! ```
//!
//! The first token is always literals and carries a marker in its high bits. A match may overlap
//! the bytes it produces: a distance of 1 repeats one byte.
//!
//! [`Encoder::encode`] writes exactly the bytes that C-Blosc2 3.3 writes for the same stream, level
//! and output limit; [`decode`] accepts and refuses exactly the same streams, and is total: for no
//! input it reads or writes outside its slices.

mod careful;
mod decode;
mod encode;
mod fast;
mod limits;
mod matches;
mod probe;
mod table;

pub use decode::{decode, decode_front, decode_prefix, decode_within};
pub use encode::Encoder;

/// The parameters of a compression level (format §6.2).
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Number of bits of the hash.
    hash_bits: u32,
    /// The probe looks at the last 1/`probe_part` of the stream.
    probe_part: usize,
    /// Streams the probe estimates below this ratio are left alone.
    min_ratio: f64,
    /// Whether a match also enters its second-to-last covered position.
    insert_twice: bool,
}

impl Level {
    const fn of(clevel: u8) -> Self {
        let (hash_bits, probe_part, min_ratio) = match clevel {
            0 | 1 => (12, 8, 2.0),
            2 => (13, 4, 1.5),
            3 => (14, 4, 1.2),
            4..=6 => (14, 2, 1.2),
            7 => (14, 1, 1.15),
            8 => (14, 1, 1.1),
            _ => (14, 1, 1.0),
        };
        Self {
            hash_bits,
            probe_part,
            min_ratio,
            insert_twice: clevel >= 9,
        }
    }
}
