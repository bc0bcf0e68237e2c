#!/usr/bin/env bash
# semver.sh [cargo semver-checks arguments...]
# Compares the public API of the published packages with a baseline and fails on changes that the
# version number does not allow. Needs the command cargo-semver-checks.
# The baseline is the latest release on the registry; before the first release there is none, and
# the check ends with that message. Env: BASELINE_REV  compare with this git revision instead
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ci/_lib.sh
command -v cargo-semver-checks >/dev/null || die "cargo-semver-checks is not installed"
packages=(-p oxiblosc-kernels -p oxiblosc -p oxiblosc-npy)
if [ -n "${BASELINE_REV:-}" ]; then
  exec cargo semver-checks "${packages[@]}" --all-features --baseline-rev "$BASELINE_REV" "$@"
fi
git describe --tags --match 'v*' --abbrev=0 >/dev/null 2>&1 \
  || { say "no release yet: the first release is the baseline"; exit 0; }
exec cargo semver-checks "${packages[@]}" --all-features "$@"
