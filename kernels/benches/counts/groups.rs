//! The cases as benchmarks of the runner, one function per kernel.

use iai_callgrind::{library_benchmark, library_benchmark_group};

use crate::cases::{Call, names, prepare};

/// The call of that name; a name that does not exist ends the program.
#[expect(clippy::panic, reason = "a benchmark stops on the first surprise")]
fn ready(name: &str) -> Call {
    prepare(name).unwrap_or_else(|| panic!("no AVX2, or {name} is none of {:?}", names()))
}

/// One function per filter, one case per typesize.
macro_rules! filters {
    ($($filter:ident)+) => {$(
        #[library_benchmark(setup = ready)]
        #[bench::of_2(concat!(stringify!($filter), "/2"))]
        #[bench::of_4(concat!(stringify!($filter), "/4"))]
        #[bench::of_8(concat!(stringify!($filter), "/8"))]
        #[bench::of_12(concat!(stringify!($filter), "/12"))]
        #[bench::of_16(concat!(stringify!($filter), "/16"))]
        fn $filter(mut call: Call) -> Call {
            call();
            call
        }
    )+};
}

filters! {
    shuffle unshuffle bitshuffle bitunshuffle
    delta_encode delta_encode_first delta_decode delta_decode_first
    bytedelta_encode bytedelta_decode shuffle_bytedelta unshuffle_bytedelta
}

#[library_benchmark(setup = ready)]
#[bench::encode("blosclz_encode")]
#[bench::decode("blosclz_decode")]
fn blosclz(mut call: Call) -> Call {
    call();
    call
}

#[library_benchmark(setup = ready)]
#[bench::encode("lz4_encode")]
#[bench::decode("lz4_decode")]
fn lz4(mut call: Call) -> Call {
    call();
    call
}

library_benchmark_group!(
    name = filters;
    benchmarks =
        shuffle,
        unshuffle,
        bitshuffle,
        bitunshuffle,
        delta_encode,
        delta_encode_first,
        delta_decode,
        delta_decode_first,
        bytedelta_encode,
        bytedelta_decode,
        shuffle_bytedelta,
        unshuffle_bytedelta
);

library_benchmark_group!(name = codecs; benchmarks = blosclz, lz4);
