#!/usr/bin/env bash
# Runs every example of examples/. With the path of a Python that has blosc2, that opens the array of the quickstart.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${1:-}
cargo build --quiet --all-features --examples
for file in examples/*.rs; do
  name=$(basename "$file" .rs)
  [ "$(grep -c . "$file")" -lt 60 ] || { echo "$file has 60 lines or more" >&2; exit 1; }
  echo "--- $name"
  target/debug/examples/"$name"
done
if [ -n "$python" ]; then
  "$python" - <<'PYTHON'
import blosc2, numpy
array = blosc2.open("grid.b2nd")
numbers = numpy.sqrt(numpy.arange(24_000.0))
assert array.shape == (11, 40, 60), array.shape
assert (array[:10].ravel() == numbers).all() and (array[10].ravel() == numbers[:2400]).all()
print("python-blosc2 reads the array of the quickstart")
PYTHON
fi
rm -f grid.b2nd "${TMPDIR:-/tmp}"/oxiblosc_*.b2nd
CARGO_TARGET_DIR=target/tokio_server cargo run --quiet --locked --manifest-path examples/tokio_server/Cargo.toml
