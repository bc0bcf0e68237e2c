#!/usr/bin/env bash
# Fetches what later steps of .ci/run install, so that it comes over the network while a compiler works.
#
#   ci/prefetch.sh VENV
#
# VENV is the environment of ci/python-env.sh; VENV-package that of ci/python-package.sh. Each step still installs what
# it lacks: what fails here fails there, where it is named.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); . "$here/_lib.sh"
venv=${1:?VENV}
cd "$here/.."
ci/python-env.sh "$venv"
ci/python-package.sh "$venv-package" --prepare
cargo fetch --locked
for crate in benches/vs_c bindings/c bindings/hdf5 bindings/object_store bindings/python bindings/wasm bindings/zarrs fuzz; do
  cargo fetch --locked --manifest-path "$crate/Cargo.toml"
done
if [ "$(uname -m)" = x86_64 ]; then
  need valgrind:valgrind qemu-x86_64-static:qemu-user-static aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu \
    /usr/aarch64-linux-gnu/include/stdio.h:libc6-dev-arm64-cross s390x-linux-gnu-gcc:gcc-s390x-linux-gnu \
    /usr/s390x-linux-gnu/include/stdio.h:libc6-dev-s390x-cross "/usr/lib/x86_64-linux-gnu/libblosc.so.1:libblosc1"
  WITH_SRC=1 ci/rust-web.sh "${RUST_WEB_PREFIX:-${PREFIX_ROOT:-$HOME/.cache/oxiblosc-ci}/prefix/web-src}" \
    "${RUST_WEB_VERSION:-}"
fi
