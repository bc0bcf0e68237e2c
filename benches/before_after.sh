#!/usr/bin/env bash
# before_after.sh REV [--quick] [--only CODEC] [--arrays]
# Times the library of REV and that of the working tree in one process, in pairs A B A B: every
# codec, level and filter, single items, frames and arrays. Prints geometric means per codec, the
# cells below 0.95, and the cells whose bytes differ. With --arrays, arrays alone. Works under
# target/before_after.
# Env: BEFORE_AFTER_ONLY=build  stops after the build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rev=${1:?REV}; shift
root=$PWD
work=$root/target/before_after
rev=$(git rev-parse --short=7 "$rev^{commit}")
mkdir -p "$work/run"
if [ "$(git -C "$work/base" rev-parse --show-toplevel 2>/dev/null)" = "$work/base" ]; then
  git -C "$work/base" checkout -q --detach --force "$rev"
else
  git worktree prune
  git worktree add -q --force --detach "$work/base" "$rev"
fi
# A lock file cannot hold two packages of the same name and version.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$work/base/Cargo.toml" | head -n 1)
sed -i "/^version = \|^oxiblosc/s/\"\(=\?\)${version//./\\.}\"/\"\10.0.1\"/" \
  "$work/base/Cargo.toml" "$work/base/kernels/Cargo.toml"
side=benches/before_after/side_$rev.rs
[ -f "$side" ] || side=benches/before_after/side.rs
cat >"$work/run/Cargo.toml" <<TOML
[package]
name = "before_after"
version = "0.0.0"
edition = "2024"

[workspace]

[[bin]]
name = "before_after"
path = "../../../benches/before_after/compare.rs"

[dependencies]
after = { package = "oxiblosc", path = "../../.." }
before = { package = "oxiblosc", path = "../base" }
rayon = "1.12"

$(sed -n '/^\[profile\.release\]/,/^$/p' Cargo.toml | sed 's/^debug = .*/debug = false/')
TOML
[ -f "$work/run/Cargo.lock" ] || cp Cargo.lock "$work/run/Cargo.lock"
export BEFORE_SIDE=$root/$side TEST_DATA=$root/tests/data CARGO_INCREMENTAL=0
cargo build -q --release --manifest-path "$work/run/Cargo.toml" --target-dir "$work/target"
[ "${BEFORE_AFTER_ONLY:-}" = build ] || "$work/target/release/before_after" "$@"
