#!/usr/bin/env bash
# fuzz-smoke.sh SECONDS [TARGET...]   builds all fuzz targets, then runs each (or those named): first its committed
# corpus, then SECONDS of fuzzing from it. A finding ends with status 1 and leaves its input under fuzz/artifacts.
# Prints a row for each target and the number that ran; a listed target without a binary is a failure. Without a
# nightly toolchain it says that it skips, and fails when OXIBLOSC_REQUIRE_FUZZ=1.
# Env: JOBS       targets at a time (default: the number of processors)
#      FINDS      where new inputs are kept (default fuzz/target/finds); the corpus itself is not changed
#      RUNS       as many executions beside the corpus, the same ones each time, however long they take, not SECONDS
#      MIN_EXECS  the least number of executions (default 20)
#      and those of fuzz-build.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); . "$here/_lib.sh"
seconds=${1:?SECONDS}; shift
cd "$here/../fuzz"
mapfile -t listed < <(sed -n 's/^name = "\(.*\)"$/\1/p' Cargo.toml | grep -vx oxiblosc-fuzz)
[ ${#listed[@]} -ge 19 ] || die "only ${#listed[@]} targets in fuzz/Cargo.toml"
rc=0; bins=$("$here/fuzz-build.sh") || rc=$?
if [ $rc = 3 ]; then
  [ "${OXIBLOSC_REQUIRE_FUZZ:-}" != 1 ] || die "no nightly toolchain, and OXIBLOSC_REQUIRE_FUZZ=1"
  say "SKIPPED: no nightly toolchain, no fuzz target ran"; exit 0
fi
[ $rc = 0 ] || die "the fuzz targets do not build"
bins=$(tail -n 1 <<<"$bins")
for name in "${listed[@]}"; do [ -x "$bins/$name" ] || die "no binary of target $name"; done
[ $# -gt 0 ] || set -- "${listed[@]}"
out=$(mktemp -d); trap 'rm -rf "$out"' EXIT
one() {
  local name=$1 log=$out/$1 finds=${FINDS:-target/finds}/$1 options=(-timeout=20 -rss_limit_mb=2048 -max_len=4096)
  mkdir -p "$finds" "artifacts/$name"
  options+=("-artifact_prefix=artifacts/$name/" -print_final_stats=1)
  [ -d "corpus/$name" ] || { echo "!! no corpus of $name" >&2; return 1; }
  local -a until=("-max_total_time=$seconds")
  if [ -n "${RUNS:-}" ]; then
    local units; units=$(find "$finds" "corpus/$name" -type f | wc -l)
    until=(-seed=1 "-runs=$((units + RUNS))")
  fi
  if ! "$bins/$name" "${options[@]}" "${until[@]}" "$finds" "corpus/$name" >"$log" 2>&1; then
    tail -n 40 "$log" >&2; echo "!! fuzz target $name failed; the input is under fuzz/artifacts/$name" >&2; return 1
  fi
  local execs cov took
  took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) .*/\1/p' "$log")
  execs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  cov=$(grep -o 'cov: [0-9]* ft: [0-9]*' "$log" | tail -n 1)
  [ "${execs:-0}" -ge "${MIN_EXECS:-20}" ] || { echo "!! $name: only ${execs:-0} executions" >&2; return 1; }
  echo "fuzz: $name, ${took:-?} s, $execs executions, ${cov:-no coverage}, no finding" | tee "$out/$name.ran"
}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1}
jobs=${JOBS:-$(nproc)}; failed=0
for name in "$@"; do
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || failed=1; done
  one "$name" &
done
while [ -n "$(jobs -rp)" ]; do wait -n || failed=1; done
ran=$(find "$out" -name '*.ran' | wc -l)
echo "fuzz: $ran of $# targets ran"
[ $failed = 0 ] && [ "$ran" = $# ] || die "fuzzing found something"
