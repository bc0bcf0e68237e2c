//! The kernels by name.

/// A kernel by name, for [`Kernels::isa_of`](crate::Kernels::isa_of).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// [`Kernels::shuffle`](crate::Kernels::shuffle)
    Shuffle,
    /// [`Kernels::shuffle_report`](crate::Kernels::shuffle_report)
    ShuffleReport,
    /// [`Kernels::unshuffle`](crate::Kernels::unshuffle)
    Unshuffle,
    /// [`Kernels::unshuffle_planes`](crate::Kernels::unshuffle_planes)
    UnshufflePlanes,
    /// [`Kernels::bitshuffle`](crate::Kernels::bitshuffle)
    Bitshuffle,
    /// [`Kernels::bitunshuffle`](crate::Kernels::bitunshuffle)
    Bitunshuffle,
    /// [`Kernels::bitunshuffle_planes`](crate::Kernels::bitunshuffle_planes)
    BitunshufflePlanes,
    /// [`Kernels::delta_encode`](crate::Kernels::delta_encode)
    DeltaEncode,
    /// [`Kernels::delta_decode`](crate::Kernels::delta_decode)
    DeltaDecode,
    /// [`Kernels::trunc_prec`](crate::Kernels::trunc_prec) and
    /// [`Kernels::int_trunc`](crate::Kernels::int_trunc)
    Truncate,
    /// [`Kernels::bytedelta_encode`](crate::Kernels::bytedelta_encode)
    BytedeltaEncode,
    /// [`Kernels::bytedelta_decode`](crate::Kernels::bytedelta_decode) and
    /// [`Kernels::bytedelta_decode_buggy`](crate::Kernels::bytedelta_decode_buggy)
    BytedeltaDecode,
    /// [`Kernels::shuffle_bytedelta`](crate::Kernels::shuffle_bytedelta)
    ShuffleBytedelta,
    /// [`Kernels::unshuffle_bytedelta`](crate::Kernels::unshuffle_bytedelta) and
    /// [`Kernels::unshuffle_bytedelta_planes`](crate::Kernels::unshuffle_bytedelta_planes)
    UnshuffleBytedelta,
    /// [`Kernels::repeated_byte`](crate::Kernels::repeated_byte)
    RepeatedByte,
    /// [`Kernels::is_repeat_of`](crate::Kernels::is_repeat_of)
    IsRepeatOf,
    /// [`Kernels::adler32`](crate::Kernels::adler32)
    Adler32,
}
