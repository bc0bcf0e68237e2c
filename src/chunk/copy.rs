//! Copies as long as chunks.

/// The length in bytes of the pieces of a long copy. One `memcpy` of 4 MiB takes 1.15 to 1.4 times
/// as long as pieces of 16 KiB to 512 KiB on a Zen 5 with glibc 2.36; C-Blosc2 copies by blocks.
const PIECE: usize = 128 << 10;

/// Copies all of `src` into all of `dst`, which has the same length.
#[inline]
pub(crate) fn copy_into(src: &[u8], dst: &mut [u8]) {
    if src.len() <= PIECE {
        return dst.copy_from_slice(src);
    }
    for (src, dst) in src.chunks(PIECE).zip(dst.chunks_mut(PIECE)) {
        dst.copy_from_slice(src);
    }
}

/// Appends all of `src` to `dst`.
pub(crate) fn copy_append(src: &[u8], dst: &mut Vec<u8>) {
    dst.reserve(src.len());
    for src in src.chunks(PIECE) {
        dst.extend_from_slice(src);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_arrives() {
        let src: Vec<u8> = (0_u8..251).cycle().take(3 * PIECE + 17).collect();
        for len in [0, 1, PIECE - 1, PIECE, PIECE + 1, src.len()] {
            let mut dst = vec![0; len];
            copy_into(&src[..len], &mut dst);
            assert_eq!(dst, src[..len]);
            let mut appended = vec![9];
            copy_append(&src[..len], &mut appended);
            assert_eq!(appended[1..], src[..len]);
        }
    }
}
