#!/usr/bin/env bash
# Builds the library with every feature that needs no C for wasm32-unknown-unknown. Where the toolchain has no standard
# library for it, Debian's own Rust builds one from its sources, as in cross-test.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=wasm32-unknown-unknown
features=pure-rust,lz4,snappy,zlib,ndlz,zfp,frame,b2nd,store,bytedelta,ndarray,half,num-complex,serde,derive
args=(build --quiet --locked -p oxiblosc --no-default-features --features "$features" --target "$target" --target-dir target/wasm)
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  cargo "${args[@]}"
  exit
fi
prefix=$(WITH_SRC=1 ci/rust-web.sh "${RUST_WEB_PREFIX:-${PREFIX_ROOT:-$HOME/.cache/oxiblosc-ci}/prefix/web-src}" "${RUST_WEB_VERSION:-}")
prefix=$(cd "$prefix" && pwd)
cargo=$(cd / && rustup which cargo)
unset RUSTUP_TOOLCHAIN CARGO_BUILD_TARGET RUSTC_WRAPPER
RUSTC=$prefix/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS=--cap-lints=warn "$cargo" "${args[@]}" -Zbuild-std=std,panic_abort
