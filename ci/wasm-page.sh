#!/usr/bin/env bash
# Builds bindings/wasm for wasm32-unknown-unknown, with vectors and without, and lets headless Chromium read a slice of
# an array that the real library has written: pixels and sums must be those of NumPy.
#
#   ci/wasm-page.sh PYTHON [SCREENSHOT.png]
#
# PYTHON has blosc2 (ci/python-env.sh). Leaves the page with its modules in target/wasm-page.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ci/_lib.sh
python=${1:?PYTHON}
need chromium:chromium
target=wasm32-unknown-unknown
args=(build --release --quiet --locked --manifest-path bindings/wasm/Cargo.toml --target "$target")
cargo=cargo
if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  # As in wasm.sh.
  prefix=$(WITH_SRC=1 ci/rust-web.sh "${RUST_WEB_PREFIX:-${PREFIX_ROOT:-$HOME/.cache/oxiblosc-ci}/prefix/web-src}" "${RUST_WEB_VERSION:-}")
  prefix=$(cd "$prefix" && pwd)
  cargo=$(cd / && rustup which cargo)
  unset RUSTUP_TOOLCHAIN CARGO_BUILD_TARGET RUSTC_WRAPPER
  linker=$(ls "$(cd / && rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld | head -1)
  [ -x "$linker" ] || die "no rust-lld in the toolchain"
  export RUSTC=$prefix/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
  args+=(-Zbuild-std=std,panic_abort)
fi
page=target/wasm-page
mkdir -p "$page"
cp bindings/wasm/page/* "$page"/
for name in oxiblosc oxiblosc-simd; do
  flags="--cap-lints=warn"
  [ "$name" = oxiblosc ] || flags+=" -C target-feature=+simd128"
  RUSTFLAGS=$flags "$cargo" "${args[@]}" --target-dir "target/wasm-$name"
  cp "target/wasm-$name/$target/release/oxiblosc_wasm.wasm" "$page/$name.wasm"
done
ls -l "$page"/*.wasm >&2
"$python" bindings/wasm/tests/page.py "$page" "${@:2}"
