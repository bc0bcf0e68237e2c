#!/usr/bin/env bash
# hardening.sh   what takes too long for every change: all tests at every instruction set, AddressSanitizer over the
# tests of kernels and library, a smoke run of every fuzz target, and the chunk layer on machines that are not this one.
# `.ci/run` does it when OXIBLOSC_HARDENING=1. Without a nightly toolchain the second and third say that they skip.
# Env: SECONDS_EACH  how long each fuzz target runs (default 5)
#      MUTATE_SECONDS  how long examples/mutate runs, with another seed each time (default 120)
#      TESTS         the tests of the library under AddressSanitizer (default all but the one that limits its address space)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ci/_lib.sh
step() {
  local name=$1 began; shift; began=$(date +%s)
  "$@" || die "$name failed"
  say "$name: ok after $(( $(date +%s) - began )) s"
}
# The levels below the best one, at which the plain test command runs; tests/chunk/isa.rs asserts which one it is.
isas=scalar,portable
if [ "$(uname -m)" = x86_64 ]; then
  isas+=,sse2
  grep -w avx512f /proc/cpuinfo | grep -w avx512_vbmi2 | grep -qw gfni && isas+=,avx2,avx2gfni
fi
for isa in ${isas//,/ }; do
  OXIBLOSC_ISA="$isa" OXIBLOSC_EXPECT_ISAS="$isas" step "all tests, at most $isa" cargo test -q --workspace --all-features \
    --exclude oxiblosc-interop
done
if (cd / && cargo +nightly --version) >/dev/null 2>&1; then
  # See fuzz-build.sh on the C codecs, and on tables of the same name in two of their files.
  read -ra tests <<<"${TESTS:---lib --tests -- --skip a_lack_of_memory}"
  asan=(env CFLAGS="${CFLAGS:-} -fno-sanitize-address-use-after-scope"
    ASAN_OPTIONS=detect_odr_violation=0:detect_stack_use_after_return=1:strict_string_checks=1
    TARGET_DIR="$PWD/target/san-address" ci/sanitizer-test.sh address .)
  step "AddressSanitizer, kernels" "${asan[@]}" -p oxiblosc-kernels --lib --tests
  step "AddressSanitizer" "${asan[@]}" -p oxiblosc --no-fail-fast "${tests[@]}"
else
  [ "${OXIBLOSC_REQUIRE_FUZZ:-}" != 1 ] || die "no nightly toolchain, and OXIBLOSC_REQUIRE_FUZZ=1"
  say "SKIPPED: no nightly toolchain, no test ran under AddressSanitizer"
fi
step "packages" ci/package.sh
step "mutations" cargo run -q --release -p oxiblosc-fuzz-bodies --example mutate -- --seconds "${MUTATE_SECONDS:-120}"
step "fuzz smoke" ci/fuzz-smoke.sh "${SECONDS_EACH:-5}"
chunks=(--no-default-features --features "lz4,bytedelta" -p oxiblosc --test chunk --test malformed
  -- isa:: vectors:: determinism:: damaged_chunks:: refused_params::)
if [ "$(uname -m)" = x86_64 ]; then
  # With the C codecs; without them where they would have to be cross-compiled.
  MODELS="sse2=used:.sse2 Nehalem=used:.sse2 Haswell=used:.avx2" step "chunks on CPUs without AVX" \
    ci/no-avx-test.sh . --release -p oxiblosc --test chunk --test malformed \
    -- isa:: vectors:: damaged_chunks:: refused_params::
  # The real library is not of those machines.
  unset OXIBLOSC_LIBBLOSC2 OXIBLOSC_REQUIRE
  TARGET_DIR="$PWD/target/aarch64-qemu" EXPECT="used: neon" MIN_TESTS=15 step "chunks on aarch64" \
    ci/aarch64-test.sh . --release "${chunks[@]}"
  TARGET_DIR="$PWD/target/qemu-cross" EXPECT="used: portable" MIN_TESTS=15 step "chunks on a big-endian machine" \
    ci/cross-test.sh s390x-unknown-linux-gnu . "${chunks[@]}"
  TARGET_DIR="$PWD/target/wasm" WASM_RUSTFLAGS="-C target-feature=+simd128" EXPECT="level simd128: runs" MIN_TESTS=11 \
    step "kernels on wasm32" ci/wasm-test.sh kernels --release --test filters -- agree::simd128::
  TARGET_DIR="$PWD/target/wasm" WASM_RUSTFLAGS="-C target-feature=+simd128" MIN_TESTS=70 \
    step "codecs on wasm32" ci/wasm-test.sh kernels --release --lib --test codecs
  # Tests that need threads, processes, locks or writing Zstandard are ignored there. MIN_TESTS is of both together.
  TARGET_DIR="$PWD/target/wasm" WASM_RUSTFLAGS="-C target-feature=+simd128" MIN_TESTS=150 \
    step "chunks and arrays on wasm32" \
    ci/wasm-test.sh . --release -p oxiblosc --no-default-features --features pure-rust --test chunk --test b2nd
fi
