#!/usr/bin/env bash
# fuzz-long.sh SECONDS [TARGET...]   the long run: each target (or those named) for SECONDS, then the corpora take in what
# was found (fuzz-minimise.sh). An hour for each target takes ten hours on two processors. Everything else as in
# fuzz-smoke.sh; to go on where a former run stopped, give the same FINDS.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); . "$here/_lib.sh"
seconds=${1:?SECONDS}; shift
export FINDS=${FINDS:-$here/../fuzz/target/finds} OXIBLOSC_REQUIRE_FUZZ=1
MIN_EXECS=1000 "$here/fuzz-smoke.sh" "$seconds" "$@"
"$here/fuzz-minimise.sh" "$FINDS"
