#!/usr/bin/env bash
# fuzz-build.sh   builds every fuzz target once, with AddressSanitizer and libFuzzer, as cargo-fuzz does it, but with
# plain cargo. Prints the folder of the binaries on its last line; status 3 when there is no nightly toolchain.
# Env: TOOLCHAIN   rustup toolchain (default nightly)
#      TARGET_DIR  cargo target dir (default fuzz/target/fuzz)
#      FAST_LIBFUZZER=1 (default) links Debian's libFuzzer (libclang-rt-14-dev, unpacked in a prefix) where it can be
#                  had, instead of compiling the copy in libfuzzer-sys
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); . "$here/_lib.sh"
root=$here/..
toolchain=${TOOLCHAIN:-nightly}
(cd / && cargo "+$toolchain" --version) >/dev/null 2>&1 || { say "no toolchain $toolchain"; exit 3; }
triple=$(cd / && rustc "+$toolchain" -vV | sed -n 's/^host: //p')
if [ "${FAST_LIBFUZZER:-1}" = 1 ] && [ "$triple" = x86_64-unknown-linux-gnu ]; then
  prefix=${CRT_PREFIX:-${PREFIX_ROOT:-$HOME/.cache/oxiblosc-ci}/prefix/crt}
  lib=$prefix/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-x86_64.a
  if [ ! -f "$lib" ] && conf=$("$here/apt-private.sh" bookworm+bookworm-security amd64); then
    mkdir -p "$prefix"
    (cd "$prefix" && APT_CONFIG=$conf apt-get download -qq libclang-rt-14-dev && dpkg -x libclang-rt-14-dev_*.deb . \
      && rm -f libclang-rt-14-dev_*.deb) || say "no libclang-rt-14-dev: libFuzzer is compiled"
  fi
  [ -f "$lib" ] && export CUSTOM_LIBFUZZER_PATH=$lib CUSTOM_LIBFUZZER_STD_CXX=stdc++
fi
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
flags+=" -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0"
flags+=" --cfg fuzzing -Ccodegen-units=8 -Cdebug-assertions -Coverflow-checks -Zsanitizer=address"
# The C codecs get AddressSanitizer, too, but not for what leaves its scope: GCC marks constant tables so, which are
# no variables (seen in zstd_opt.c with GCC 12). Nor does GCC fold equal constants into one: a table that stands twice
# in a file of libdeflate is registered twice, and then looks like one that is defined twice.
export CFLAGS="${CFLAGS:-} -fno-sanitize-address-use-after-scope -fno-ipa-icf"
dir=${TARGET_DIR:-$root/fuzz/target/fuzz}
began=$(date +%s)
RUSTFLAGS="$flags" cargo "+$toolchain" build -q --locked --release --bins --manifest-path "$root/fuzz/Cargo.toml" \
  --target "$triple" --target-dir "$dir" >&2
say "fuzz targets built in $(( $(date +%s) - began )) s"
(cd "$dir/$triple/release" && pwd)
