#!/usr/bin/env bash
# wasm-test.sh PACKAGE_DIR [cargo test arguments...]
# Runs the package's tests as wasm32-wasip1 under node: 32 bits, no threads, panics abort, so that tests that should
# panic are left out. Pure Rust only. std is rebuilt from rust-web-src, the libc is that of Debian sid's wasi-libc.
# Env: WASM_RUSTFLAGS  e.g. "-C target-feature=+simd128"
#      BENCH           runs this benchmark instead, optimised
#      EXPECT, MIN_TESTS  see _lib.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); . "$here/_lib.sh"
dir=${1:?PACKAGE_DIR}; shift; [ -f "$dir/Cargo.toml" ] || die "$dir has no Cargo.toml"
need node:nodejs
p=$(WITH_SRC=1 "$here/rust-web.sh" "${RUST_WEB_PREFIX:-${PREFIX_ROOT:-$HOME/.cache/oxiblosc-ci}/prefix/web-src}" "${RUST_WEB_VERSION:-}"); p=$(cd "$p" && pwd)
self=$p/usr/lib/rustlib/wasm32-wasip1/lib/self-contained
if [ ! -f "$self/libc.a" ]; then
  t=$(mktemp -d); conf=$("$here/apt-private.sh" sid amd64)
  export APT_CONFIG=$conf
  (cd "$t" && { apt-get download -qq wasi-libc || { apt-get update -qq && apt-get download -qq wasi-libc; }; } \
    && dpkg -x wasi-libc_*.deb .) || die "no wasi-libc in sid"
  unset APT_CONFIG
  mkdir -p "$self"; cp "$t"/usr/lib/wasm32-wasi/{crt1-command.o,crt1-reactor.o,libc.a} "$self"/; rm -rf "$t"
fi
linker=$(ls "$(cd / && rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld | head -1)
[ -x "$linker" ] || die "no rust-lld in the toolchain"
cargo=${CARGO_BIN:-$(cd / && rustup which cargo)}
unset RUSTUP_TOOLCHAIN CARGO_BUILD_TARGET RUSTC_WRAPPER
export RUSTC=$p/bin/rustc RUSTDOC=$p/bin/rustdoc RUSTC_BOOTSTRAP=1
export CARGO_TARGET_WASM32_WASIP1_LINKER=$linker
# Tests run without node's optimising compiler, which can crash node 20 at its end.
engine=--liftoff-only; [ -z "${BENCH:-}" ] || engine=--no-warnings
export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $engine $here/wasi-run.mjs"
export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="--cap-lints=warn --cfg emulated ${WASM_RUSTFLAGS:-}"
args=("$@"); if [ -n "${EXPECT:-}" ]; then case " $* " in *" -- "*) args+=(--nocapture);; *) args+=(-- --nocapture);; esac; fi
log=$(mktemp); trap 'rm -f "$log"' EXIT
cd "$dir"
[ -z "${BENCH:-}" ] || exec "$cargo" bench -Zbuild-std=std,panic_abort --target wasm32-wasip1 \
  --target-dir "${TARGET_DIR:-target/wasm}" "${args[@]}" --bench "$BENCH"
set +e
"$cargo" test -Zbuild-std=std,panic_abort --target wasm32-wasip1 --target-dir "${TARGET_DIR:-target/wasm}" "${args[@]}" 2>&1 \
  | tee "$log"
rc=${PIPESTATUS[0]}; set -e
[ "$rc" = 0 ] || die "cargo test for wasm32-wasip1 failed with status $rc"
gate "$log"
