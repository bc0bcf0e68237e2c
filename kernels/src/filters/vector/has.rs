//! [`has`]: the kernels that all vector levels have.

use super::bits;
use crate::filters::fused::fuses_bytedelta;
use crate::kernel::Kernel;

/// Whether every vector level has `kernel` for `typesize`; `step` is that of its
/// [`BitTranspose`](bits::BitTranspose).
pub(crate) const fn has(kernel: Kernel, typesize: usize, step: usize) -> bool {
    match kernel {
        Kernel::Shuffle | Kernel::ShuffleReport | Kernel::Unshuffle | Kernel::UnshufflePlanes => {
            typesize > 1
        }
        Kernel::ShuffleBytedelta => matches!(typesize, 2 | 4 | 8),
        Kernel::UnshuffleBytedelta => fuses_bytedelta(typesize),
        Kernel::Bitshuffle | Kernel::Bitunshuffle | Kernel::BitunshufflePlanes => {
            bits::fits(typesize, step)
        }
        Kernel::DeltaEncode
        | Kernel::DeltaDecode
        | Kernel::BytedeltaDecode
        | Kernel::RepeatedByte
        | Kernel::Adler32 => true,
        Kernel::BytedeltaEncode | Kernel::Truncate | Kernel::IsRepeatOf => false,
    }
}
