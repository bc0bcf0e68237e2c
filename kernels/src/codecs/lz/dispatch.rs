//! The one place where a codec's loop meets an instruction set.
//!
//! A loop is a [`Task`]: a value with the arguments, and a generic `run`. It is compiled once per
//! instruction set, inside a function with the features of that set, and the token of the level
//! reaches it as its [`Lanes`].

use super::Lanes;
use crate::Kernels;
#[cfg(target_arch = "aarch64")]
use crate::filters::aarch64::Neon;
#[cfg(target_arch = "x86_64")]
use crate::filters::level::Level as _;
use crate::filters::scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use crate::filters::x86::{Avx2, Avx512};
use crate::kernels::Proof;

/// A call that is compiled for each instruction set; `run` must be `#[inline(always)]`.
pub(crate) trait Task {
    type Output;

    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs a task with the instructions of `kernels`.
///
/// A task that multiplies or gathers, or has floats, belongs to [`run_256`]: of 512 bits, such
/// instructions made everything after them 5 to 8 % slower on a Granite Rapids, as a lower clock
/// would.
#[inline]
pub(crate) fn run<T: Task>(kernels: Kernels, task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Proof::Avx512(token) = kernels.proof() {
        // SAFETY: the token proves the features of the function.
        return unsafe { run_avx512(token, task) };
    }
    run_256(kernels, task)
}

/// Whether [`Lanes::FOLDS`] holds on this processor: Intel's with AVX-512 are faster without.
#[inline]
pub(crate) fn folds(kernels: Kernels) -> bool {
    match kernels.proof() {
        #[cfg(target_arch = "x86_64")]
        Proof::Avx512(token) => !token.has_one_port(),
        _ => true,
    }
}

/// [`run`] without AVX-512, for tasks that gain nothing from it or would slow down what follows.
#[inline]
pub(crate) fn run_256<T: Task>(kernels: Kernels, task: T) -> T::Output {
    match kernels.proof() {
        #[cfg(target_arch = "x86_64")]
        Proof::Avx512(token) => {
            // SAFETY: the token proves the features of the function.
            unsafe { run_avx2(token.lower().lower(), task) }
        }
        #[cfg(target_arch = "x86_64")]
        Proof::Avx2Gfni(token) => {
            // SAFETY: the token proves the features of the function.
            unsafe { run_avx2(token.lower(), task) }
        }
        #[cfg(target_arch = "x86_64")]
        Proof::Avx2(token) => {
            // SAFETY: the token proves the features of the function.
            unsafe { run_avx2(token, task) }
        }
        #[cfg(target_arch = "aarch64")]
        Proof::Neon(token) => {
            // SAFETY: the token proves the features of the function.
            unsafe { run_neon(token, task) }
        }
        // Vectors there gain nothing: 1.01 decoding LZ4, 0.97 encoding it.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Proof::Simd128(_) => task.run(Scalar),
        // Every x86-64 has SSE2: the compiler uses it here too.
        #[cfg(target_arch = "x86_64")]
        Proof::Sse2(_) => task.run(Scalar),
        Proof::Scalar(_) | Proof::Portable(_) => task.run(Scalar),
    }
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
fn run_neon<T: Task>(token: Neon, task: T) -> T::Output {
    task.run(token)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512<T: Task>(token: Avx512, task: T) -> T::Output {
    task.run(token)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<T: Task>(token: Avx2, task: T) -> T::Output {
    task.run(token)
}
