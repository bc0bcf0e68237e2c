//! A `Kernels` value is one byte, names its level, and refuses calls that break the contract.
//!
//! That it cannot be forged is a `compile_fail` example in its documentation.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use crate::common::level;
use oxiblosc_kernels::{Isa, Kernel, Kernels, Plane};

#[test]
fn kernels_are_one_byte_and_an_option_of_them_too() {
    assert_eq!(size_of::<Kernels>(), 1);
    assert_eq!(size_of::<Option<Kernels>>(), 1);
}

#[test]
fn kernels_travel_between_threads() {
    fn shared<T: Send + Sync + Copy + 'static>() {}
    shared::<Kernels>();
}

#[test]
fn expected_levels_are_here() {
    for &isa in Isa::ALL {
        if let Some(kernels) = level(isa) {
            assert_eq!(kernels.isa(), isa);
            assert!(isa.is_available());
        }
    }
    let names = std::env::var("OXIBLOSC_EXPECT_ISAS").unwrap_or_default();
    for name in names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        assert!(
            Isa::from_name(name).is_some(),
            "OXIBLOSC_EXPECT_ISAS: no level is called {name}"
        );
    }
}

#[test]
fn available_levels_ascend_from_scalar_to_the_best() {
    let levels: Vec<Isa> = Kernels::available().map(Kernels::isa).collect();
    assert_eq!(levels[0], Isa::Scalar);
    assert!(levels.is_sorted());
    let best = Kernels::best().isa();
    assert!(levels.contains(&best));
    if std::env::var_os("OXIBLOSC_ISA").is_none() {
        assert_eq!(Some(&best), levels.last());
    }
}

#[test]
fn no_kernel_runs_above_its_level() {
    for kernels in Kernels::available() {
        for typesize in 1..=255 {
            assert!(kernels.isa_of(Kernel::Shuffle, typesize) <= kernels.isa());
            assert!(kernels.isa_of(Kernel::Bitshuffle, typesize) <= kernels.isa());
        }
    }
}

/// Multiplications of 512 bits slow down what follows.
#[test]
fn checksums_have_at_most_256_bits() {
    for kernels in Kernels::available() {
        assert_ne!(kernels.isa_of(Kernel::Adler32, 1), Isa::Avx512);
    }
}

#[test]
fn names_are_read_back() {
    for &isa in Isa::ALL {
        assert_eq!(Isa::from_name(isa.name()), Some(isa));
    }
    assert_eq!(Isa::from_name("AVX2"), None);
}

/// The message of the panic that `call` ends in.
fn message(call: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(call).expect_err("a panic");
    panic.downcast_ref::<String>().expect("a text").clone()
}

#[test]
fn wrong_lengths_panic_with_both_numbers() {
    let kernels = Kernels::best();
    let text = message(move || kernels.shuffle(4, &[0; 8], &mut [0; 7]));
    assert_eq!(text, "shuffle: expected dst of 8 bytes, found 7");
    let text = message(move || kernels.bitunshuffle(0, &[0; 8], &mut [0; 8]));
    assert_eq!(
        text,
        "bitunshuffle: expected a typesize of at least 1, found 0"
    );
    let text = message(move || kernels.delta_decode(4, Some(&[0; 7]), &mut [0; 9]));
    assert_eq!(
        text,
        "delta_decode: expected a reference of at least 8 bytes, found 7"
    );
    let text = message(move || {
        kernels.unshuffle_planes(&[Plane::Bytes(&[0; 3])], &[], &mut [0; 4]);
    });
    assert_eq!(
        text,
        "unshuffle_planes: expected plane 0 of 4 bytes, found 3"
    );
    let text = message(move || {
        kernels.unshuffle_planes(&[Plane::Constant(1); 2], &[], &mut [0; 5]);
    });
    assert_eq!(
        text,
        "unshuffle_planes: expected a tail of 1 bytes, found 0"
    );
    let text = message(move || {
        kernels.shuffle_report(2, &[0; 4], &mut [0; 4], &mut [None; 3]);
    });
    assert_eq!(
        text,
        "shuffle_report: expected constants of 2 planes, found 3 entries"
    );
    let text = message(move || kernels.trunc_prec(4, 24, &[0; 4], &mut [0; 4]));
    assert_eq!(
        text,
        "trunc_prec: 24 bits is out of range for items of 4 bytes"
    );
}
