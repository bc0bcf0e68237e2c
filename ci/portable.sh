#!/usr/bin/env bash
# What a system without apt and Python can check: Rust and a C compiler are enough.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo test --workspace --all-features --locked
ci/examples.sh
