#!/usr/bin/env bash
# Arrays of zarr-python and of bindings/zarrs, each read by the other, and random boxes of them.
#
#   ci/zarrs.sh PYTHON [PART] [PACKAGE]
#
# PYTHON has zarr and numcodecs. One array in PART is made, 1 (all of them, 553) by default. PACKAGE is a folder with
# the Python package `oxiblosc`, for the arrays of `oxiblosc.b2nd_chunk`.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
python=${1:?PYTHON}; part=${2:-1}; package=${3:-}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$here/bindings/zarrs/target}
cargo build --quiet --locked --release --all-features --manifest-path "$here/bindings/zarrs/Cargo.toml" --example interop
env ${package:+PYTHONPATH="$package"} "$python" "$here/bindings/zarrs/check_zarrs.py" \
  "$CARGO_TARGET_DIR/release/examples/interop" "$part"
