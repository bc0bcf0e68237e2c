#!/usr/bin/env bash
# icount.sh BINARY BASELINE.tsv [TOLERANCE_PERCENT]
# Exact instruction counts of the function icount_region under valgrind's callgrind; no runner to install.
# BINARY --list prints the cases (asked under valgrind, so AVX-512 is not offered); BINARY NAME runs one of them.
# Compares with BASELINE (name<TAB>count) and fails on a rise above the tolerance (default 2 %), on a case that is
# missing and on one that is new.
# UPDATE=1 rewrites the baseline; do that after an intended change, or with a new compiler (its first line names it).
#   cargo build --release --config 'profile.release.package.oxiblosc-kernels.codegen-units=1' \
#     -p oxiblosc-kernels --example icount
#   UPDATE=1 ci/icount.sh target/release/examples/icount kernels/benches/counts.tsv
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); . "$here/_lib.sh"
bin=${1:?BINARY}; base=${2:?BASELINE}; tol=${3:-2}; [ -x "$bin" ] || die "$bin is not executable"
need valgrind:valgrind
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
valgrind -q --tool=none "$bin" --list > "$tmp/list"; [ -s "$tmp/list" ] || die "no cases"
compiler="# $(rustc -V)"
while read -r n; do
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*icount_region*' "$bin" "$n" >/dev/null 2>"$tmp/err" || { cat "$tmp/err" >&2; die "case $n failed"; }
  c=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$tmp/err"); [ "${c:-0}" -gt 0 ] || die "case $n: nothing collected (is icount_region inlined?)"
  printf '%s\t%s\n' "$n" "$c"
done < "$tmp/list" > "$tmp/now"
if [ "${UPDATE:-0}" = 1 ]; then { echo "$compiler"; cat "$tmp/now"; } > "$base"; cat "$base"; exit 0; fi
[ -f "$base" ] || die "no baseline $base (UPDATE=1 makes one)"
recorded=$(head -1 "$base")
[ "$recorded" = "$compiler" ] || say "the baseline is by another compiler: ${recorded#\# }; this is ${compiler#\# }"
awk -F'\t' -v tol="$tol" '
  /^#/ {next}
  NR==FNR {b[$1]=$2; next}
  !($1 in b) {printf "!! %s: not in the baseline\n", $1; bad=1; next}
  {d=100*($2-b[$1])/b[$1]; printf "%s %s: %d -> %d (%+.2f %%)\n", (d>tol?"!!":"=="), $1, b[$1], $2, d; if(d>tol)bad=1; delete b[$1]}
  END {for(k in b){printf "!! %s: missing\n", k; bad=1} exit bad}' "$base" "$tmp/now" || die "instruction counts differ from $base"
