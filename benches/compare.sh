#!/usr/bin/env bash
# compare.sh [--quick] [--out DIR] [--arrays FOLDER] [--seconds S] [--native] [--under COMMAND] [--resume]
# Times oxiblosc beside C-Blosc2 on this machine: codecs by level, filter and data (the matrix) at the native level and
# with AVX2 and the portable level forced, kernels, small chunks, frames and arrays; without --quick beside
# blosc2-pure-rs, too, with buffers at both alignments and with real arrays out of PyPI packages. C-Blosc2 is installed
# by package name into a virtual environment. Writes to DIR (target/compare):
#   compare.html    one page with everything, without references to others
#   results.md      the tables, with a description of the machine
#   *.svg           the plots of the README
#   cells/*/cells.csv  every cell
# --quick takes less than ten minutes on two cores, builds not counted; without it, about an hour and a half. Let
# nothing else run meanwhile. --seconds is the time of a cell and direction (0.06; cells below 0.95 are timed again for
# eight times as long). --native leaves out forced levels, the other alignment and all but the codecs: to repeat a run,
# give it another DIR. --under runs each measurement under a command, such as "taskset -c 2". --resume keeps the
# measurements that an earlier run left in DIR.
# Env: OXIBLOSC_VENV       the environment (default: the one of .ci/run)
#      OXIBLOSC_LIBBLOSC2  a C-Blosc2 that is there already
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
quick=0 out=target/compare arrays='' under='' resume=0 seconds=0.06 native=0
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --resume) resume=1 ;;
    --native) native=1 ;;
    --seconds) seconds=${2:?--seconds S}; shift ;;
    --out) out=${2:?--out DIR}; shift ;;
    --arrays) arrays=${2:?--arrays FOLDER}; shift ;;
    --under) under=${2:?--under COMMAND}; shift ;;
    *) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$0" >&2; exit 2 ;;
  esac
  shift
done
[ $resume = 1 ] || rm -rf "$out/cells" "$out/tables"
mkdir -p "$out/cells" "$out/tables"
venv=${OXIBLOSC_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/oxiblosc-ci/venv}
if [ -z "${OXIBLOSC_LIBBLOSC2:-}" ]; then
  OXIBLOSC_LIBBLOSC2=$(ci/python-env.sh "$venv" | tail -n 1)
  export OXIBLOSC_LIBBLOSC2
fi
python=${PYTHON:-python3}
if [ -z "$arrays" ]; then
  arrays=$out/arrays
  if [ ! -f "$arrays/index.tsv" ] && [ $quick = 1 ]; then
    [ ! -x "$venv/bin/python" ] || python=$venv/bin/python
    "$python" benches/vs_c/arrays.py "$arrays" --few >&2 || mkdir -p "$arrays"
  elif [ ! -f "$arrays/index.tsv" ]; then
    "$python" -m venv "$out/venv"
    "$out/venv/bin/python" -m pip install --quiet numpy matplotlib scikit-learn statsmodels nibabel pillow
    "$out/venv/bin/python" benches/vs_c/arrays.py "$arrays" >&2
  fi
fi

# Builds first: nothing is timed beside a compiler.
export CARGO_INCREMENTAL=0
if [ $quick = 1 ]; then
  peer=() matrix=(--size 131072 --seconds 0.01 --filters none,shuffle,bitshuffle,shuffle+bytedelta)
  offset=16 typesizes=2,4,8 rounds=11 frames=(3 4)
  runs='blosclz:1,5,9 lz4:1,5,9 lz4hc:1,5,9 zlib:1,5,9 zstd:1,5 zstd:9' forced='blosclz,lz4:5 lz4hc,zlib:5 zstd:5'
else
  peer=(--features peer) matrix=(--size 1048576 --seconds "$seconds" --again "$(awk "BEGIN {print 8 * $seconds}")")
  offset='16 0' typesizes=- rounds=101 frames=(11 64)
  runs='blosclz:1,5,9 lz4:1,5,9 lz4hc:1,5,9 zlib:1 zlib:5 zlib:9 zstd:1 zstd:5 zstd:9' forced=$runs
fi
[ ! -f "$arrays/index.tsv" ] || matrix+=(--arrays "$arrays")
cargo build --quiet --release -p oxiblosc-kernels --example filters_vs_c
cargo build --quiet --release --manifest-path benches/vs_c/Cargo.toml "${peer[@]}" \
  --bin matrix --example small --example frames --example arrays
kernels=$PWD/target/release/examples vs_c=$PWD/benches/vs_c/target/release

# measure NAME FILE COMMAND...: its output, unless an earlier run has it.
began=$(date +%s)
measure() {
  local name=$1 file=$2; shift 2
  [ ! -s "$file" ] || return 0
  echo "$(( $(date +%s) - began )) s: $name" >&2
  # shellcheck disable=SC2086  # a command and its arguments
  $under "$@" >"$file.part"
  mv "$file.part" "$file"
}
levels=native
case $(uname -m) in
  x86_64) levels='native avx2 portable' ;;
  aarch64) levels='native portable' ;;
esac
[ $native = 0 ] || { levels=native; offset=16; peer=(); }
# Codecs and levels one after the other: a stop loses little.
# The other alignment only where alignment can show: level 9 of the slow codecs is left out.
fast='blosclz:1,5,9 lz4:1,5,9 lz4hc:1,5 zlib:1,5 zstd:1,5'
for level in $levels; do
  isa=() third=()
  case $level in
    native) [ ${#peer[@]} = 0 ] || third=(--peer) ;;
    *) isa=(env "OXIBLOSC_ISA=$level") runs=$forced ;;
  esac
  # Where nothing is wide, alignment costs nothing.
  [ "$level" != portable ] || offset=16
  for at in $offset; do
    these=$runs
    [ "$at" = 16 ] || these=$fast third=()
    for run in $these; do
      name=$level-$at-${run//[:,]/_}
      measure "$name" "$out/cells/$name.log" "${isa[@]}" "$vs_c/matrix" "${matrix[@]}" "${third[@]}" --noise \
        --offset "$at" --codecs "${run%:*}" --levels "${run#*:}" --out "$out/cells/$name"
    done
  done
done
if [ $native = 0 ]; then
  measure kernels "$out/tables/1 Kernels" "$kernels/filters_vs_c" shuffle,unshuffle,bitshuffle,bitunshuffle - "$typesizes"
  measure "small chunks" "$out/tables/2 Small chunks" "$vs_c/examples/small" "$rounds"
  measure frames "$out/tables/3 Frames" "$vs_c/examples/frames" "${frames[@]}"
  measure arrays "$out/tables/4 Arrays" "$vs_c/examples/arrays" "$((rounds < 11 ? rounds : 11))"
fi
{
  echo "- CPU: $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1 || true)" \
    "($(getconf _NPROCESSORS_ONLN) cores, $(uname -m))"
  echo "- System: $(uname -s) $(uname -r)"
  echo "- Compiler: $(rustc --version)"
  echo "- oxiblosc: $(git describe --always --dirty 2>/dev/null || echo unknown)"
  echo "- C-Blosc2: $(sed -n 's/.*C-Blosc2 \([0-9.]*[0-9]\),.*/\1/p' "$out"/cells/native-16-*/results.md | head -n 1)"
  echo "- Command: benches/compare.sh$([ $quick = 0 ] || echo ' --quick')$([ "$seconds" = 0.06 ] || echo " --seconds $seconds"), $(( $(date +%s) - began )) s"
} >"$out/machine.md"
"$python" benches/compare_page.py "$out"
echo "$out/compare.html"
