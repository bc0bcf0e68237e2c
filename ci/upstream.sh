#!/usr/bin/env bash
# upstream.sh DIR [-w] runs the test programs of C-Blosc2 and the test suite of python-blosc2 on the library that
# build-capi.sh left in DIR, whole; with -w it writes the results into bindings/c/RESULTS.md.
# upstream.sh DIR --fast runs the C programs alone, those of ../bindings/c/tests/programs.txt, which CI does.
# OXIBLOSC_UPSTREAM names the folder with both suites (default: ../shared/upstream beside this repository). Without it
# nothing is run; where CI is set, that is a failure.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); . "$here/_lib.sh"
dir=$(cd "${1:?DIR}" && pwd); mode=${2:-}; top=$(cd "$here/.." && pwd)
suites=${OXIBLOSC_UPSTREAM:-$top/../shared/upstream}
if [ ! -x "$suites/run-c-tests.sh" ]; then
  [ -z "${CI:-}" ] || die "no upstream tests in $suites (OXIBLOSC_UPSTREAM)"
  say "SKIPPED: no upstream tests in $suites (OXIBLOSC_UPSTREAM)"
  exit 0
fi
suites=$(cd "$suites" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
failed=0

if [ "$mode" = --fast ]; then
  while read -r program; do
    OXIBLOSC_UPSTREAM_ONLY=$program "$suites/run-c-tests.sh" "$dir/lib" "$dir/include" > "$work/c" || failed=1
    head -n 1 "$work/c"
  done < <(grep -v '^#' "$top/bindings/c/tests/programs.txt")
  [ "$failed" = 0 ] || die "C programs failed"
  exit 0
fi

"$suites/run-c-tests.sh" "$dir/lib" "$dir/include" | tee "$work/c" || failed=1
"$suites/python-blosc2/run-python-tests.sh" "$dir/lib" | tee "$work/slice" || failed=1
"$suites/python-blosc2/run-python-tests.sh" "$dir/lib" --all | tee "$work/all" || failed=1
if [ "$mode" = -w ]; then
  last() { grep -E '[0-9]+ (passed|failed)' "$1" | tail -n 1 | sed -e 's/=//g' -e 's/^ *//' -e 's/ in [0-9].*//'; }
  {
    echo "# Results of the upstream tests"
    echo
    echo "Written by \`ci/upstream.sh DIR -w\`. The stock library passes 61 C programs; 2,543 tests of the slice (18 skipped)"
    echo "and 9,736 of all (368 skipped)."
    echo
    echo "| suite | result |"
    echo "|---|---|"
    echo "| C programs | $(last "$work/c") |"
    echo "| python-blosc2 4.14.1, slice | $(last "$work/slice") |"
    echo "| python-blosc2 4.14.1, all | $(last "$work/all") |"
    echo
    echo "| C program | result |"
    echo "|---|---|"
    sed -n -E 's/^ok +([^ ]+).*/| `\1` | passes |/p; s/^FAIL ([^:]+): (.*); log.*/| `\1` | fails: \2 |/p' "$work/c"
  } > "$top/bindings/c/RESULTS.md"
fi
[ "$failed" = 0 ] || die "upstream tests failed"
