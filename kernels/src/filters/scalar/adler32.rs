//! Adler-32, the checksum of zlib streams (RFC 1950).
//!
//! ```text
//! a = 1 + the sum of the bytes            modulo 65521
//! b = the sum of all values of a          modulo 65521: each byte times its distance from the end
//! checksum = b << 16 | a
//! ```
//!
//! A source is cut into rows, and both sums are formed per column, in lanes; here in lanes of 16
//! bits inside of words, eight columns at once.

const PRIME: u64 = 65_521;
/// Rows after which lanes of 16 bits are added to wider ones: `255 * (1 + 2 + ... + 16)` fits.
const BLOCK: usize = 16;
/// Rows after which the sums are reduced: `2040 * (1 + 2 + ... + 2048)` fits lanes of 32 bits, for
/// vectors that add eight bytes per lane.
pub(crate) const PIECE: usize = 2048;
/// Every second lane of 8 bits.
const BYTES: u64 = 0x00FF_00FF_00FF_00FF;

/// The sums of some rows.
pub(crate) struct Sums {
    /// The sum of the bytes.
    pub(crate) plain: u64,
    /// The sum of the bytes, each times the number of rows after its own.
    pub(crate) after: u64,
    /// The sum of the bytes, each times its distance from the end of its own row, at least 1.
    pub(crate) within: u64,
}

pub(crate) fn adler32(src: &[u8]) -> u32 {
    by_rows(src, |rows| {
        let mut sums = Sums {
            plain: 0,
            after: 0,
            within: 0,
        };
        for block in rows.chunks(BLOCK) {
            add(&mut sums, block);
        }
        sums
    })
}

/// Adds at most [`BLOCK`] rows.
#[inline]
fn add(sums: &mut Sums, rows: &[[u8; 8]]) {
    // Bytes of even columns and of odd ones; and each times the number of rows from its own on.
    let (mut even, mut odd, mut even_after, mut odd_after) = (0_u64, 0_u64, 0_u64, 0_u64);
    for row in rows {
        let word = u64::from_le_bytes(*row);
        even += word & BYTES;
        odd += word >> 8 & BYTES;
        even_after += even;
        odd_after += odd;
    }
    sums.after += sums.plain * rows.len() as u64;
    for lane in 0..4 {
        let of = |word: u64| word >> (16 * lane) & 0xFFFF;
        let (even, odd) = (of(even), of(odd));
        sums.plain += even + odd;
        sums.after += of(even_after) - even + of(odd_after) - odd;
        sums.within += (8 - 2 * lane) * even + (7 - 2 * lane) * odd;
    }
}

/// The checksum, from a function that sums at most [`PIECE`] rows of `N` bytes.
#[inline(always)]
pub(crate) fn by_rows<const N: usize>(src: &[u8], sums: impl Fn(&[[u8; N]]) -> Sums) -> u32 {
    let (rows, tail) = src.as_chunks::<N>();
    let (mut a, mut b) = (1, 0);
    for piece in rows.chunks(PIECE) {
        let sums = sums(piece);
        let len = piece.as_flattened().len() as u64;
        b = (b + a * len + sums.after * N as u64 + sums.within) % PRIME;
        a = (a + sums.plain) % PRIME;
    }
    for &byte in tail {
        a += u64::from(byte);
        b += a;
    }
    let [a, b] = [a, b].map(|sum| u32::try_from(sum % PRIME).unwrap_or(0));
    b << 16 | a
}
