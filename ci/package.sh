#!/usr/bin/env bash
# Packages the crates that are published, and runs the tests of each from its own archive, without the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$PWD/target/package
rm -rf "$out"
crates=(oxiblosc-kernels oxiblosc-derive oxiblosc oxiblosc-npy oxiblosc-cli)
patches=() packages=()
for crate in "${crates[@]}"; do packages+=(-p "$crate"); done
# `--allow-dirty`: the archives hold what stands here, committed or not.
cargo package --quiet --locked --no-verify --allow-dirty "${packages[@]}"
for archive in "$out"/*.crate; do
  [ "$(stat -c %s "$archive")" -le 10485760 ] || { echo "$archive is larger than 10 MiB" >&2; exit 1; }
  tar -xzf "$archive" -C "$out"
done
# Each finds the others in the archives, as it will find them in the registry.
for crate in "${crates[@]}"; do
  folder=("$out/$crate"-[0-9]*/)
  patches+=(--config "patch.crates-io.$crate.path=\"${folder[0]%/}\"")
done
for crate in "${crates[@]}"; do
  echo "--- $crate"
  folder=("$out/$crate"-[0-9]*/)
  (cd "${folder[0]}" && CARGO_TARGET_DIR="$out/../packaged" cargo test --quiet --all-features --config profile.dev.opt-level=1 "${patches[@]}")
done
