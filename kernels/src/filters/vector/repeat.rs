//! The scan for a run of one byte, in vectors.
//!
//! Four vectors at a time are compared with the first byte and the differences collected: one read
//! of the bytes, where the comparison of a slice with itself moved by one reads them twice.

/// Defines `is_run` for one level; the caller has `load`, `differ` and `is_zero`.
macro_rules! repeat {
    ($feature:literal, $bytes:literal, $zero:ident, $splat:ident) => {
        /// Whether all of `src`, at least a vector, is `byte`.
        #[target_feature(enable = $feature)]
        pub(crate) fn is_run(byte: u8, src: &[u8]) -> bool {
            let wanted = $splat(byte.cast_signed());
            let (steps, rest) = src.as_chunks::<{ 4 * $bytes }>();
            for step in steps {
                let mut seen = [$zero(); 2];
                for (k, vector) in step.as_chunks().0.iter().enumerate() {
                    seen[k % 2] = differ(seen[k % 2], load(vector), wanted);
                }
                if !is_zero(differ(seen[0], seen[1], $zero())) {
                    return false;
                }
            }
            let (vectors, _) = rest.as_chunks();
            let mut seen = $zero();
            for vector in vectors {
                seen = differ(seen, load(vector), wanted);
            }
            // The last vector overlaps bytes already checked.
            seen = differ(seen, load(window(src, src.len() - $bytes)), wanted);
            is_zero(seen)
        }
    };
}
pub(crate) use repeat;
