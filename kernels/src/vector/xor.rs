//! The plain XOR loops of all levels, stamped per register width.

/// Defines `xor` and `xor_in_place` on registers of `$width` bytes, four at a time: without the
/// unrolling a store waits for loads whose addresses end alike, which costs up to a third.
macro_rules! xor_kernels {
    ($features:literal, $width:literal, $xor:ident) => {
        /// `dst = a ^ b`; `b` may be longer.
        #[target_feature(enable = $features)]
        pub(crate) fn xor(a: &[u8], b: &[u8], dst: &mut [u8]) {
            let b = &b[..a.len()];
            let (to, to_rest) = dst.as_chunks_mut::<{ 4 * $width }>();
            let (from, from_rest) = a.as_chunks::<{ 4 * $width }>();
            let (with, with_rest) = b.as_chunks::<{ 4 * $width }>();
            for ((to, from), with) in to.iter_mut().zip(from).zip(with) {
                let a = $xor(load(window(from, 0)), load(window(with, 0)));
                let b = $xor(load(window(from, $width)), load(window(with, $width)));
                let c = $xor(
                    load(window(from, 2 * $width)),
                    load(window(with, 2 * $width)),
                );
                let d = $xor(
                    load(window(from, 3 * $width)),
                    load(window(with, 3 * $width)),
                );
                store(a, window_mut(to, 0));
                store(b, window_mut(to, $width));
                store(c, window_mut(to, 2 * $width));
                store(d, window_mut(to, 3 * $width));
            }
            scalar::xor(from_rest, with_rest, to_rest);
        }

        /// `block ^= reference`; the reference may be longer.
        #[target_feature(enable = $features)]
        pub(crate) fn xor_in_place(block: &mut [u8], reference: &[u8]) {
            let reference = &reference[..block.len()];
            let (to, to_rest) = block.as_chunks_mut();
            let (with, with_rest) = reference.as_chunks();
            for (to, with) in to.iter_mut().zip(with) {
                store($xor(load(to), load(with)), to);
            }
            scalar::xor_in_place(to_rest, with_rest);
        }
    };
}
pub(crate) use xor_kernels;
