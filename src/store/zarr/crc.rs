//! Cyclic redundancy checks of 32 bits, the low bit first.

/// The remainders of all bytes by a polynomial.
pub(super) type Table = [u32; 256];

/// Castagnoli's polynomial, of the codec `crc32c`.
pub(super) static CRC32C: Table = table(0x82F6_3B78);

/// The polynomial of gzip.
pub(super) static CRC32: Table = table(0xEDB8_8320);

#[expect(clippy::indexing_slicing, reason = "constant, with 256 bytes")]
const fn table(polynomial: u32) -> Table {
    let mut table = [0; 256];
    let mut byte = 0;
    let mut remainder: u32 = 0;
    while byte < 256 {
        let mut crc = remainder;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ ((crc & 1).wrapping_neg() & polynomial);
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
        remainder += 1;
    }
    table
}

/// The check of some bytes.
pub(super) fn crc(table: &Table, bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| {
        let [low, ..] = crc.to_le_bytes();
        let remainder = table.get(usize::from(low ^ byte));
        (crc >> 8) ^ remainder.copied().unwrap_or_default()
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::{CRC32, CRC32C, crc};

    #[test]
    fn both_have_their_published_check_values() {
        assert_eq!(crc(&CRC32C, b"123456789"), 0xE306_9283);
        assert_eq!(crc(&CRC32, b"123456789"), 0xCBF4_3926);
    }
}
